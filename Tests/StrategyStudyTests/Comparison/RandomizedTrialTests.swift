import Foundation
import TestSupport
import Testing
import WorkoutSession
import ZoneEngine

@testable import StrategyStudy

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

  @Test("Means are weighted by the inverse of the probabilities, and intervals draw persons whole")
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
    // Two persons are drawn as anna twice, ben twice or both: the ends are those of each alone.
    let anna = 0.5 - (1.5 * 0.8 + 2 * 0.6) / 3.5
    let ben = 0.3 - (2 * 0.4 + 3 * 0.9) / 5
    let interval = try #require(difference.confidence)
    #expect(near(interval.lower, min(anna, ben)))
    #expect(near(interval.upper, max(anna, ben)))
  }

  @Test("What nobody heard and what has no heart rate does not count, and is told")
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

  @Test("Where a draw of persons can leave out an arm there is no interval, and for one person there is none")
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

  @Test("The bootstrap of a mean is the same by either way")
  func bootstrap() {
    let values = [0.1, 0.7, 0.4, 0.45, 0.9]
    let whole = Bootstrap.meanInterval(of: values, resamples: 500, seed: 9)
    let intervals = Bootstrap.intervals(of: 5, resamples: 500, seed: 9) { drawn in
      [drawn.reduce(0) { $0 + values[$1] } / 5, drawn.contains(0) ? 1 : nil]
    }
    #expect(intervals?.first == whole)
    #expect(intervals?.last == .some(nil))
    #expect(Bootstrap.intervals(of: 1, resamples: 500, seed: 9) { _ in [1] } == nil)
  }

  @Test("The table has a row a session and the columns of its dictionary")
  func table() throws {
    let text = String(decoding: RandomizedTable.csv(try people()), as: UTF8.self)
    let lines = text.split(separator: "\n").map(String.init)
    try #require(lines.count == 7)
    #expect(lines[0] == RandomizedTable.columns.joined(separator: ","))
    let fields = lines[2].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let row = Dictionary(uniqueKeysWithValues: zip(RandomizedTable.columns, fields))
    #expect(row["person"] == "anna")
    #expect(row["arm"] == "B")
    #expect(row["position"] == "2")
    #expect(row["loop"] == "closed")
    #expect(row["probability"] == "0.6666666666666666")
    #expect(row["in_target_s"] == "800")
    #expect(row["compliance"] == "0.8")
    #expect(row["compliance_of_active"] == "0.64")
    #expect(row["cues"] == "7")
    let dictionary = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("docs/randomized-sessions.csv")
    let rows = try String(contentsOf: dictionary, encoding: .utf8).split(separator: "\n")
    #expect(rows.allSatisfy { $0.split(separator: ",", omittingEmptySubsequences: false).count == 3 })
    #expect(rows.dropFirst().map { String($0.prefix { $0 != "," }) } == RandomizedTable.columns)
  }
}
