import Foundation
@testable import StrategyStudy
import TestSupport
import Testing
import TextFormats
import WorkoutSession
import ZoneEngine

@Suite("Outcomes of arms that were drawn")
struct RandomizedTrialTests {
  private static let design = RandomizedDesign(
    study: "pilot", studyHash: "ab", course: "run",
    arms: [
      RandomizedDesign.Arm(name: "A", strategy: .none), RandomizedDesign.Arm(name: "B", strategy: .none),
    ])

  /// A session by an arm after counts, of a person who was in the target for a share of 1,000 s.
  private func session(
    _ person: String, _ before: [Int], arm: Int, _ inTarget: Double, loop: Randomization.Loop = .closed,
    covered: Double = 1_000
  ) throws -> RandomizedSession {
    let who = SessionPerson(name: person, profileID: nil, provenance: [])
    // The first seed that draws the arm.
    let drawn = try #require(
      (0..<1_000).lazy.map {
        Randomization(Self.design, drawnBefore: before, seed: $0, person: who, loop: loop)
      }.first { $0.arm == arm })
    return RandomizedSession(
      sessionID: "\(person)-\(drawn.position)", person: ComparedPerson(identity: person, name: person),
      start: WallClockTime(nanoseconds: 0), activity: "running", randomization: drawn, active: .at(1_250),
      activeWithTarget: .at(1_250), coveredWithTarget: .at(covered), inTarget: .at(inTarget * covered), cues: 7)
  }

  private func people() throws -> [RandomizedSession] {
    [
      try session("anna", [0, 0], arm: 0, 0.5), try session("anna", [1, 0], arm: 1, 0.8),
      try session("anna", [1, 1], arm: 1, 0.6),
      try session("ben", [0, 0], arm: 1, 0.4), try session("ben", [0, 1], arm: 1, 0.9),
      try session("ben", [0, 2], arm: 0, 0.3),
    ]
  }

  private func near(_ a: Double?, _ b: Double) -> Bool { a.map { abs($0 - b) < 1e-12 } ?? false }

  @Test("Means are weighted by the inverse of the probabilities, and of two persons there is no interval")
  func estimates() throws {
    let trial = RandomizedTrial(Self.design, try people())
    #expect(trial.sessions == 6)
    #expect(trial.people == 2)
    #expect(trial.imported == 0)
    #expect(trial.withoutOutcome == 0)
    #expect(trial.arms.map(\.sessions) == [2, 4])
    #expect(trial.arms.map(\.people) == [2, 2])
    // Weights: anna 2, 3/2, 2; ben 2, 3, 4/3.
    let a = (2 * 0.5 + 4 / 3.0 * 0.3) / (2 + 4 / 3.0)
    let b = (1.5 * 0.8 + 2 * 0.6 + 2 * 0.4 + 3 * 0.9) / 8.5
    #expect(near(trial.arms[0].means[0]?.value, a))
    #expect(near(trial.arms[1].means[0]?.value, b))
    // Of the active time it is four fifths.
    #expect(near(trial.arms[0].means[1]?.value, a * 0.8))
    #expect(near(trial.arms[1].means[1]?.value, b * 0.8))
    let difference = try #require(trial.contrasts.first { $0.outcome == .compliance }?.difference)
    #expect(near(difference.value, a - b))
    #expect(trial.contrasts.count == 2)
    #expect(difference.confidence == nil)
    #expect(difference.people == 2)
  }

  @Test("Intervals leave out one person after the other, whose sessions stay together")
  func intervals() throws {
    let cleo = [try session("cleo", [0, 0], arm: 0, 0.7), try session("cleo", [1, 0], arm: 1, 0.5)]
    let sessions = try people() + cleo
    let difference = try #require(
      RandomizedTrial(Self.design, sessions).contrasts.first { $0.outcome == .compliance }?.difference)
    let without = try ["anna", "ben", "cleo"].map { name in
      let rest = RandomizedTrial(Self.design, sessions.filter { $0.person.name != name })
      return try #require(rest.contrasts.first { $0.outcome == .compliance }?.difference.value)
    }
    let mean = without.reduce(0, +) / 3
    let error = (without.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } * 2 / 3).squareRoot()
    let interval = try #require(difference.confidence)
    // Student's t of two degrees of freedom.
    #expect(abs(interval.lower - (difference.value - 4.302_653 * error)) < 1e-5)
    #expect(abs(interval.upper - (difference.value + 4.302_653 * error)) < 1e-5)
    #expect(difference.people == 3)
  }

  @Test("hold their 95 % with few people who differ in level and effect", arguments: [4, 6, 10])
  func coverage(people: Int) throws {
    var covered = 0
    let trials = 400
    for seed in UInt64(0)..<UInt64(trials) {
      var random = SplitMix64(seed: seed &* 100 &+ UInt64(people))
      var sessions: [RandomizedSession] = []
      for person in 0..<people {
        let level = 0.5 + 0.05 * ((0..<12).reduce(-6) { sum, _ in sum + random.unit() })
        let effect = 0.1 + 0.05 * ((0..<12).reduce(-6) { sum, _ in sum + random.unit() })
        for (before, arm) in [([0, 0], 0), ([1, 0], 1), ([1, 1], 1), ([1, 2], 0)] {
          let noise = 0.02 * ((0..<12).reduce(-6) { sum, _ in sum + random.unit() })
          let share = min(1, max(0, level + (arm == 0 ? effect : 0) + noise))
          sessions.append(try session("p\(person)", before, arm: arm, share))
        }
      }
      let found = RandomizedTrial(Self.design, sessions).contrasts.first { $0.outcome == .compliance }
      let interval = try #require(found?.difference.confidence)
      if interval.lower <= 0.1, interval.upper >= 0.1 { covered += 1 }
    }
    // Four standard errors around 95 % of 400 are 17.
    #expect((363...397).contains(covered), "\(covered) of \(trials)")
  }

  @Test("What nobody heard and what has no heart rate does not count, and is reported")
  func leftOut() throws {
    let more = [
      try session("anna", [1, 2], arm: 0, 0.1, loop: .open), try session("ben", [1, 2], arm: 0, 0, covered: 0),
    ]
    let (with, without) = (
      RandomizedTrial(Self.design, try people() + more), RandomizedTrial(Self.design, try people())
    )
    #expect(with.imported == 1)
    #expect(with.withoutOutcome == 1)
    #expect(with.sessions == 6)
    #expect(with.arms == without.arms)
    #expect(with.contrasts == without.contrasts)
    #expect(RandomizedOutcome.complianceOfActive.value(of: more[1]) == nil)
  }

  @Test("Where an arm has fewer than three persons there is no interval")
  func withoutInterval() throws {
    let cleo = try session("cleo", [0, 0], arm: 1, 0.7)
    let trial = RandomizedTrial(Self.design, try people() + [cleo])
    #expect(trial.arms[0].means[0]?.confidence == nil)
    #expect(trial.arms[1].means[0]?.confidence != nil)
    #expect(trial.contrasts.allSatisfy { $0.difference.confidence == nil })
    let alone = RandomizedTrial(Self.design, [cleo])
    #expect(alone.arms[0].means == [nil, nil])
    #expect(alone.arms[1].means[0]?.value == 0.7)
    try #require(alone.contrasts.isEmpty)
    #expect(alone.arms[1].means[0]?.confidence == nil)
  }

  @Test("Each file of a study is a study of its own, and the order of the sessions does not matter")
  func grouping() throws {
    let all = try people()
    let trials = try #require(RandomizedTrials(all.reversed()))
    #expect(trials.sessions.map(\.sessionID) == ["anna-1", "anna-2", "anna-3", "ben-1", "ben-2", "ben-3"])
    #expect(trials.trials.count == 1)
    #expect(RandomizedTrials([]) == nil)
    let mirrored = try #require(RandomizedTrials(all))
    #expect(mirrored.trials[0].arms == trials.trials[0].arms)
  }

  @Test("The table has the columns of its dictionary, in every row")
  func table() throws {
    let names = ["moment:every=60", "none"]
    var timeline = Timeline(end: 120)
    timeline.add(from: 0, until: 120) { _ in 150 }
    var recording = try ComparedRecording(timeline, of: "anna", target: "120-140", names)
    let strategies = try names.map { try FeedbackStrategy(specification: $0) }
    recording.randomized = try people()[1]
    let text = String(decoding: ComparisonTable.csv([recording], strategies: strategies), as: UTF8.self)
    let lines = text.split(separator: "\n").map(String.init)
    try #require(lines.count == 3)
    #expect(lines[0] == ComparisonTable.columns.joined(separator: ","))
    let rows = lines.dropFirst().map { line in
      let fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      #expect(fields.count == ComparisonTable.columns.count)
      return Dictionary(uniqueKeysWithValues: zip(ComparisonTable.columns, fields))
    }
    #expect(rows.map { $0["strategy_number"] } == ["1", "2"])
    #expect(rows.map { $0["cues"] } == ["2", "0"])
    #expect(rows[0]["person"] == "anna")
    #expect(rows[0]["cues_per_hour"] == "60")
    for row in rows {
      #expect(row["arm"] == "B")
      #expect(row["position"] == "2")
      #expect(row["loop"] == "closed")
      #expect(row["probability"] == "0.6666666666666666")
      #expect(row["session_in_target_s"] == "800")
      #expect(row["compliance"] == "0.8")
      #expect(row["session_cues"] == "7")
    }
    let dictionary = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("docs/compared-recordings.csv")
    let described = try String(contentsOf: dictionary, encoding: .utf8).split(separator: "\n")
    #expect(described.allSatisfy { $0.split(separator: ",", omittingEmptySubsequences: false).count == 3 })
    #expect(described.dropFirst().map { String($0.prefix { $0 != "," }) } == ComparisonTable.columns)
  }
}
