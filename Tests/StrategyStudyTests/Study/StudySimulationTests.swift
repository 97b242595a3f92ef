import Foundation
import StrategyStudy
import Testing
import TextFormats
import WorkoutSession
import ZoneEngine

/// Small studies for tests.
enum SmallStudy {
  static func make(
    gait: Gait = .run, arms: [String] = ["none", "moment:every=120", "period:every=60,window=60"],
    behaviours: [String] = ["reflex", "visible+anticipate:rho=spread,lead=15"], runners: Int = 24, seconds: Int = 600,
    seed: UInt64 = 3, observes: Bool = false
  ) throws -> Study {
    let source = "a test"
    return Study(
      name: "small", purpose: nil, seed: seed, runners: runners,
      courses: [
        try StudyCourse(
          person: .ofAge23, target: "weight-control",
          arms: arms.map {
            StudyArm(name: nil, strategy: try FeedbackStrategy(specification: $0), seconds: seconds)
          }, model: .standard(gait), contrasts: nil,
          observed: observes
            ? ObservedShares(arms: [0, 1, 2], timeInTarget: [0.45, 0.51, 0.86], source: source) : nil)
      ], behaviours: try behaviours.map { try StudyBehaviour($0) })
  }

  static func outcomes(_ study: Study, _ runners: Range<Int>? = nil, threads: Int = 1) throws -> StudyOutcomes {
    try #require(
      StudySimulation.run(study, runners: runners ?? 0..<study.runners, threads: threads) { _ in true })
  }

  /// The records of a study as it would be printed.
  static func records<Outcomes: StudyOutcomeSource>(_ outcomes: Outcomes) throws(Outcomes.Failure) -> String {
    var writer = JSONWriter()
    for result in try StudyAnalysis.results(of: outcomes) {
      StudyRecords.write(result, traces: [], to: &writer)
      writer.endLine()
    }
    return writer.text
  }
}

@Suite("Simulated studies")
struct StudySimulationTests {
  @Test("The outcomes do not depend on the threads")
  func threads() throws {
    let study = try SmallStudy.make(runners: 61, observes: true)
    let one = try SmallStudy.outcomes(study, threads: 1)
    for threads in [2, 7] { #expect(try SmallStudy.outcomes(study, threads: threads) == one) }
    #expect(one.sessions.count == 61 * (1 + 2 * (3 + 4)))
  }

  @Test("A record says which program answered, and its hash of what was simulated is another with another program")
  func programInRecord() throws {
    func study(_ hash: Character) throws -> Study {
      var study = try SmallStudy.make(arms: ["none"], behaviours: ["reflex"], runners: 3)
      let course = study.courses[0]
      let asked = try AskedStrategy(
        every: .seconds(60), specification: "exec:./policy", programHash: String(repeating: hash, count: 64))
      study.courses = [
        try StudyCourse(
          person: course.person, target: course.targetRequest,
          arms: course.arms + [StudyArm(name: nil, strategy: .asked(asked), seconds: 600)], model: course.model,
          contrasts: nil, observed: nil)
      ]
      return study
    }
    let (first, second) = (try study("a"), try study("b"))
    #expect(first.hash != second.hash)
    #expect(try study("a").hash == first.hash)
    let record = SmallStudy.records(try SmallStudy.outcomes(first))
    let arms = record.components(separatedBy: #"{"arm":"#)
    let member = #""programSHA256":""# + String(repeating: "a", count: 64)
    #expect(arms.map { $0.contains(member) } == [false, false, true])
  }

  /// A study with a trial within its sessions.
  private func study(under trial: String?) throws -> Study {
    var study = try SmallStudy.make(arms: ["moment:every=60"], behaviours: ["reflex"], runners: 3)
    if let trial {
      let text =
        #"{"version":1,"type":"microRandomizedTrial","name":"\#(trial)","probability":{"constant":0.5},"#
        + #""outcomeSeconds":[60],"seed":7}"#
      study.trial = StudyTrial(try TrialProtocol(json: text.utf8.span))
    }
    return study
  }

  @Test("A record says by which protocol a trial drew, and its hash of what was simulated is another with each")
  func trialInRecord() throws {
    let records = try [nil, "pilot", "second"].map { name in
      try JSONObjectReader(try JSONValue.parse(SmallStudy.records(try SmallStudy.outcomes(study(under: name)))))
    }
    var hashes: Set<String> = []
    for (var reader, name) in zip(records, [nil, "pilot", "second"]) {
      hashes.insert(try reader.required("studyHash", .string))
      #expect(try reader.optional("trial", .string) == name)
      #expect(try reader.optional("protocolSHA256", .string) == (try study(under: name).trial?.trial.hash))
    }
    #expect(hashes.count == 3)
  }

  @Test("A course is numbered where another one is of its activity, and only there")
  func courseInRecord() throws {
    for (activities, expected) in [(["run", "walk"], [nil, nil]), (["run", "walk", "run"], [1, nil, 3])] {
      let courses = activities.map { #"{"activity":"\#($0)","target":"z2","seconds":60,"arms":["none"]}"# }
      let text =
        #"{"version":1,"seed":1,"runners":1,"ageYears":23,"behaviours":["reflex"],"courses":["#
        + courses.joined(separator: ",") + "]}"
      let records = try SmallStudy.records(SmallStudy.outcomes(try Study(json: text.utf8.span)))
      let numbers = try records.split(separator: "\n").map { line in
        var reader = try JSONObjectReader(try JSONValue.parse(String(line).utf8.span))
        return try reader.optional("course", .int(in: 1...16))
      }
      #expect(numbers == expected)
    }
  }

  @Test("The seconds of sessions that are shown are those of the first runners in all arms under all behaviours")
  func tracedSeconds() throws {
    var study = try SmallStudy.make(runners: 5, seconds: 300)
    #expect(NamedTrace.seconds(ofFirst: 2, of: study) == 2 * 3 * 2 * 300)
    #expect(NamedTrace.seconds(ofFirst: 9, of: study) == 5 * 3 * 2 * 300)
    study.courses += try SmallStudy.make(arms: ["none"], seconds: 60).courses
    #expect(NamedTrace.seconds(ofFirst: 1, of: study) == 2 * (3 * 300 + 60))
  }

  @Test("A trial is within no study whose sessions share a name or draws, and says why")
  func trialOfStudy() throws {
    func problem(arms: [String], _ behaviours: [String] = ["reflex"]) throws -> String? {
      StudyTrial.problem(of: try SmallStudy.make(arms: arms, behaviours: behaviours))
    }
    #expect(try problem(arms: ["none", "moment:every=60"], ["reflex", "visible"]) == nil)
    #expect(
      try problem(arms: ["none", "moment:every=60", "none"]) == "the arm 'none' twice: expected each of them once")
    #expect(
      try problem(arms: ["none"], ["visible", "visible"])
        == "the behaviour 'visible' twice: expected each of them once")
    var study = try SmallStudy.make()
    study.courses += try SmallStudy.make(gait: .walk).courses
    #expect(StudyTrial.problem(of: study) == nil)
    study.courses += try SmallStudy.make(arms: ["zone-change"]).courses
    #expect(
      StudyTrial.problem(of: study)
        == "several courses of one activity: expected one course of each activity")
    let arms = (1...129).map { "moment:every=\($0 + 60)" }
    #expect(try problem(arms: Array(arms.prefix(128))) == nil)
    #expect(
      try problem(arms: arms)
        == "1 behaviours and 129 arms: expected at most 64 and 128, each of whose sessions has draws of its own")
    let behaviours = (1...65).map { "relapse:tau=\($0 + 60)" }
    #expect(try problem(arms: ["none"], Array(behaviours.prefix(64))) == nil)
    #expect(try problem(arms: ["none"], behaviours)?.hasPrefix("65 behaviours and 1 arms: ") == true)
  }

  @Test("The draws of a trial follow from protocol, seed and places as docs/formats.md states it")
  func drawsAgain() throws {
    var study = try SmallStudy.make(
      arms: ["none", "moment:every=60"], behaviours: ["reflex", "visible"], runners: 4, seconds: 1_500, observes: false)
    let trial = try #require(self.study(under: "pilot").trial)
    study.trial = trial
    _ = try SmallStudy.outcomes(study)
    let step: UInt64 = 0x9E37_79B9_7F4A_7C15
    func mix(_ word: UInt64) -> UInt64 {
      var x = word
      x ^= x >> 30
      x &*= 0xBF58_476D_1CE4_E5B9
      x ^= x >> 27
      x &*= 0x94D0_49BB_1331_11EB
      return x ^ (x >> 31)
    }
    var word: UInt64 = 0
    for character in trial.trial.hash.prefix(16).utf8 { word = word &* 31 &+ UInt64(character) }
    var drawn = 0
    for row in trial.rows where row.isAvailable {
      let runner = try #require(UInt64(row.participant))
      let behaviour: UInt64 = row.setting.behaviour == "reflex" ? 0 : 1
      let place = ((runner * 16 + 0) * 64 + behaviour) * 128 + 1
      let session = (mix(mix(study.seed &+ step) &+ step) &+ place) & ((1 << 53) - 1)
      var key = mix(UInt64(trial.trial.seed) &+ step)
      for value in [word, session] { key = mix(mix(key &+ step) ^ mix(value &+ step)) }
      let u = Double(mix(key &+ (UInt64(row.number) + 1) &* step) >> 11) * 0x1p-53
      #expect(row.isGiven == (u < row.probability), "runner \(runner), point \(row.number)")
      drawn += 1
    }
    #expect(drawn > 50)
  }

  @Test("Every interval of a record says its method and over how many runners it is")
  func intervals() throws {
    let study = try SmallStudy.make(observes: true)
    for line in SmallStudy.records(try SmallStudy.outcomes(study)).split(separator: "\n") {
      #expect(Self.intervals(in: try JSONValue.parse(String(line)), runners: study.runners) > 5)
    }
  }

  /// Looks at all intervals in a value; how many there are.
  private static func intervals(in value: JSONValue, runners: Int) -> Int {
    var count = 0
    for member in value.members ?? [] {
      count += intervals(in: member.value, runners: runners)
      guard member.key.hasSuffix("onfidence95") else { continue }
      count += 1
      let prefix = member.key.hasPrefix("checkMinusMidway") ? "checkMinusMidway" : ""
      #expect(value[prefix.isEmpty ? "method" : prefix + "Method"]?.string == "student-t", "\(member.key)")
      #expect(value[prefix.isEmpty ? "n" : prefix + "N"]?.number?.int64 == Int64(runners), "\(member.key)")
    }
    return (value.array ?? []).reduce(count) { $0 + intervals(in: $1, runners: runners) }
  }

  @Test("Any runner can be run alone, and is the one of the whole study")
  func alone() throws {
    let study = try SmallStudy.make()
    let all = try SmallStudy.outcomes(study)
    for runner in [0, 7, 23] {
      let alone = try SmallStudy.outcomes(study, runner..<runner + 1)
      #expect(alone.sessions == Array(all.sessions[runner * 7..<(runner + 1) * 7]))
    }
    #expect(try SmallStudy.outcomes(SmallStudy.make(runners: 10)).sessions == Array(all.sessions.prefix(70)))
  }

  @Test("Another arm or behaviour changes nothing for the others, another seed everything")
  func commonNumbers() throws {
    let few = try SmallStudy.outcomes(SmallStudy.make(arms: ["none", "moment:every=60"], behaviours: ["reflex"]))
    let more = try SmallStudy.outcomes(
      SmallStudy.make(
        arms: ["period:every=60,window=60", "none", "moment:every=60"], behaviours: ["visible", "reflex"]))
    for runner in 0..<24 {
      let (a, b) = (runner * 3, runner * 7)
      #expect(few.sessions[a] == more.sessions[b], "the treadmill")
      #expect(Array(few.sessions[a + 1...a + 2]) == Array(more.sessions[b + 5...b + 6]))
    }
    let other = try SmallStudy.outcomes(
      SmallStudy.make(arms: ["none", "moment:every=60"], behaviours: ["reflex"], seed: 4))
    #expect(other.sessions != few.sessions)
  }

  @Test("An arm against itself differs by exactly nothing")
  func identity() throws {
    let study = try SmallStudy.make(arms: ["moment:every=60", "moment:every=60", "none"], observes: true)
    for result in StudyAnalysis.results(of: try SmallStudy.outcomes(study)) {
      let same = try #require(result.contrasts.first { $0.contrast == StudyContrast(a: 1, b: 0) })
      #expect(same.difference.mean == 0)
      #expect(same.difference.standardDeviation == 0)
      #expect(same.shareBetter == 0)
      #expect(same.difference.confidence95 == ConfidenceInterval(lower: 0, upper: 0))
      #expect(same.adjustedProbability == 1)
      #expect(result.arms[0].timeInTarget == result.arms[1].timeInTarget)
    }
  }

  @Test("A study that is stopped gives nothing")
  func stopped() throws {
    let study = try SmallStudy.make(runners: 200)
    #expect(StudySimulation.run(study, runners: 0..<200, threads: 2) { $0.done < 20 } == nil)
  }

  @Test("Progress comes to the end")
  func progress() throws {
    let study = try SmallStudy.make(runners: 20, seconds: 60)
    final class Seen: @unchecked Sendable { var done: [Int] = [] }
    let seen = Seen()
    _ = StudySimulation.run(study, runners: 0..<20, threads: 1) { progress in
      seen.done.append(progress.done)
      return progress.total == 20
    }
    #expect(seen.done == [8, 16, 20])
  }

  @Test("What is reported for an arm follows from the sessions of its runners")
  func aggregates() throws {
    let study = try SmallStudy.make(behaviours: ["reflex"])
    let outcomes = try SmallStudy.outcomes(study)
    let result = try #require(StudyAnalysis.results(of: outcomes).first)
    let sessions = (0..<24).map { outcomes.sessions[$0 * 4 + 2] }
    let arm = result.arms[1]
    func mean(_ value: (RunOutcome) -> Double) -> Double { sessions.map(value).reduce(0, +) / 24 }
    #expect((arm.timeInTarget.mean - mean { Double($0.secondsInTarget) / 600 }).magnitude < 1e-12)
    let later = try #require(arm.timeInTargetAfterStart)
    #expect((later.mean - mean { Double($0.secondsInTargetAfterStart) / 420 }).magnitude < 1e-12)
    #expect((arm.cuesPerHour.mean - mean { Double($0.cues) * 6 }).magnitude < 1e-9)
    let directional = sessions.reduce(0) { $0 + Int($1.directionalCues) }
    let followed = sessions.reduce(0) { $0 + Int($1.followedCues) }
    #expect(arm.followedShare == Double(followed) / Double(directional))
    #expect(result.arms[0].followedShare == nil)
    #expect(result.arms[0].checkMinusMidway == nil)
    let contrast = try #require(result.contrasts.first { $0.contrast == StudyContrast(a: 2, b: 1) })
    let gaps = (0..<24).map {
      Double(outcomes.sessions[$0 * 4 + 3].secondsInTarget - outcomes.sessions[$0 * 4 + 2].secondsInTarget) / 600
    }
    #expect((contrast.difference.mean - gaps.reduce(0, +) / 24).magnitude < 1e-12)
    #expect(contrast.shareBetter == Double(gaps.count { $0 > 0 }) / 24)
    #expect(result.limit.timeInTarget.mean > result.arms[0].timeInTarget.mean)
  }

  /// A course whose arms last 600, 300 and 300 s.
  private static func uneven() throws -> Study {
    var study = try SmallStudy.make(behaviours: ["reflex"], seconds: 300)
    let course = study.courses[0]
    let arms = course.arms.enumerated().map { index, arm in
      StudyArm(name: arm.name, strategy: arm.strategy, seconds: index == 0 ? 600 : 300)
    }
    study.courses[0] = try StudyCourse(
      person: course.person, target: course.targetRequest, arms: arms, model: course.model, contrasts: nil,
      observed: nil)
    return study
  }

  @Test("The driven treadmill stands beside arms of each length, with the session of that length")
  func limits() throws {
    let result = try #require(StudyAnalysis.results(of: SmallStudy.outcomes(Self.uneven())).first)
    #expect(result.limits.map(\.seconds) == [600, 300])
    let short = try #require(
      StudyAnalysis.results(of: SmallStudy.outcomes(SmallStudy.make(behaviours: ["reflex"], seconds: 300))).first)
    #expect(short.limits.map(\.seconds) == [300])
    #expect(result.limits[1] == short.limit)
    #expect(result.limit.timeInTarget.mean > short.limit.timeInTarget.mean, "a start weighs less in a longer session")
    let record = SmallStudy.records(try SmallStudy.outcomes(Self.uneven()))
    #expect(record.contains(#""bySeconds":[{"seconds":600,"drivenTreadmill":"#))
    #expect(!SmallStudy.records(try SmallStudy.outcomes(SmallStudy.make())).contains("bySeconds"))
  }

  @Test("A contrast of arms of different length says so")
  func unequalLengths() throws {
    let result = try #require(StudyAnalysis.results(of: SmallStudy.outcomes(Self.uneven())).first)
    #expect(result.contrasts.map(\.isOfEqualLength) == [false, false, true])
    let record = SmallStudy.records(try SmallStudy.outcomes(Self.uneven()))
    #expect(record.split(separator: #""unequalSeconds":true"#).count == 3)
    #expect(!SmallStudy.records(try SmallStudy.outcomes(SmallStudy.make())).contains("unequalSeconds"))
  }

  @Test("Single sessions without a difference give no number of people")
  func nobodyNeeded() throws {
    let study = try SmallStudy.make(
      arms: ["none", "moment:every=60", "moment:every=60"], behaviours: ["reflex"], runners: 40, observes: true)
    let outcomes = try SmallStudy.outcomes(study)
    let single = try #require(StudyAnalysis.results(of: outcomes).first?.singleSessions)
    let interval = try #require(single.difference.confidence95)
    #expect(interval.lower < 0)
    #expect(interval.upper > 0)
    #expect(single.peopleNeeded == .noDifference)
    let record = SmallStudy.records(outcomes)
    #expect(record.contains(#""differenceFound":false"#))
    #expect(!record.contains("peopleNeeded"))
  }

  @Test("Single sessions are of other days, and the fourth is the second arm on the third day")
  func singleSessions() throws {
    let study = try SmallStudy.make(
      arms: ["none", "moment:every=60", "moment:every=60"], behaviours: ["reflex"], runners: 40, observes: true)
    let result = try #require(StudyAnalysis.results(of: try SmallStudy.outcomes(study)).first)
    let single = try #require(result.singleSessions)
    // The second and third arm are one, so with and without a difference are the same.
    #expect(single.orderShare == single.orderShareWithoutDifference)
    #expect(single.gapShare == single.gapShareWithoutDifference)
    // And yet the days differ.
    #expect(try #require(single.difference.standardDeviation) > 0.05)
    #expect((0...1).contains(single.orderShare))
    #expect(
      try StudyAnalysis.results(of: SmallStudy.outcomes(SmallStudy.make())).allSatisfy { $0.singleSessions == nil })
  }

  @Test("Arms of equal frequency are suggested when they are missing, and only then")
  func suggestions() throws {
    func missing(_ arms: String...) throws -> [String] {
      EqualFrequency.missing(try arms.map { try FeedbackStrategy(specification: $0) }).map(\.specification)
    }
    #expect(
      try missing("none", "moment:every=120", "period:every=60,window=60")
        == ["moment:every=60", "period:every=120,window=60"])
    #expect(
      try missing("none", "moment:every=120", "period:every=60,window=60", "moment:every=60")
        == ["period:every=120,window=60"])
    #expect(try missing("moment:every=60", "period:every=60,window=60").isEmpty)
    #expect(try missing("none", "moment:every=60", "moment:every=120").isEmpty)
    #expect(try missing("none", "period:every=60,window=60").isEmpty)
  }

  @Test("The trace of a runner is the session of the study")
  func trace() throws {
    let study = try SmallStudy.make()
    let outcomes = try SmallStudy.outcomes(study)
    var simulator = RunnerSimulator(study)
    let trace = simulator.trace(runner: 5, course: 0, behaviour: 1, arm: 2)
    let outcome = outcomes.sessions[5 * 7 + 1 + 3 + 2]
    #expect(trace.points.count == 600)
    #expect(trace.points.count { (119...137).contains(Int($0.heartRate + 0.5)) } == Int(outcome.secondsInTarget))
    #expect(trace.cues.count(where: \.isFollowed) == Int(outcome.followedCues))
  }
}
