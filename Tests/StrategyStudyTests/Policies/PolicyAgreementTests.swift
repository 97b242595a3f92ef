import Foundation
import OutsidePolicies
import SessionStore
import StrategyStudy
import Testing
import TextFormats
import WorkoutSession
import ZoneEngine

@Suite("The strategy moment, once more in Python and in R")
struct PolicyAgreementTests {
  private static let isThere = FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")
  private static let hasR: Bool = {
    let check = Process()
    check.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    check.arguments = ["Rscript", "--version"]
    check.standardError = FileHandle.nullDevice
    check.standardOutput = FileHandle.nullDevice
    guard (try? check.run()) != nil else { return false }
    check.waitUntilExit()
    return check.terminationStatus == 0
  }()
  private static let notTried: Comment = "there is no Rscript here: the example in R was not tried"

  private func records(
    _ scenario: Scenario, _ strategy: FeedbackStrategy, asking judge: (any AskedJudge)?
  ) throws -> String {
    var request = scenario.request
    request.coach = nil
    request.strategy = strategy
    let settings = try request.settings(on: scenario.date)
    var writer = JSONWriter()
    let pipeline = try Replay.run(
      scenario, settings: settings, following: [.target, .recognized], asking: judge, pace: .events
    ) { _, events in
      for event in events { SessionRecords.write(event, to: &writer) }
    }
    SessionRecords.writeSummary(of: pipeline, to: &writer)
    // The summary names the strategy.
    return writer.text.replacing("\"strategy\":\"\(settings.strategy.specification)\",", with: "")
  }

  /// Holds an example against our own strategy over all scenarios, in one process for all of them.
  private func agree(_ example: String) throws {
    let text = PolicyFixture.example(example) + " 60"
    let policies = try Policies([text], seed: 1, seconds: 20)
    defer { policies.end() }
    let files = try ScenarioFiles.find(at: PolicyFixture.checkout + "/scenarios")
    var cues = 0
    for (number, file) in files.enumerated() {
      let scenario = try Scenario(path: file)
      let ours = try records(scenario, FeedbackStrategy(specification: "moment:every=60"), asking: nil)
      let strategy = try policies.strategy(text)
      var request = scenario.request
      request.coach = nil
      request.strategy = strategy
      let session = try #require(
        policies.session(of: number, try request.settings(on: scenario.date)))
      #expect(try records(scenario, strategy, asking: session) == ours, "\(file)")
      policies.end(session, of: number)
      cues += ours.components(separatedBy: #""type":"cue""#).count - 1
    }
    #expect(policies.failure == nil)
    #expect(files.count > 50)
    #expect(cues > 100)
  }

  @Test("Has its bytes over all scenarios", .enabled(if: isThere))
  func scenarios() throws { try agree("moment.py") }

  @Test("Has its bytes over all scenarios in R", .enabled(if: hasR, notTried))
  func scenariosInR() throws { try agree("moment.R") }

  @Test("Has its outcomes in a study in R, on one thread and on two", .enabled(if: hasR, notTried))
  func studyInR() throws { try agreeInStudy("moment.R", behaviours: ["reflex"], runners: 4, threads: [1, 2], seed: 4) }

  @Test(
    "Has its outcomes in a study with a seed, on one thread and on three", .enabled(if: isThere),
    arguments: [[UInt64(4)]])
  func study(seeds: [UInt64]) throws {
    for seed in seeds {
      try agreeInStudy(
        "moment.py", behaviours: ["reflex", "relapse:tau=90", "visible+anticipate:rho=1,lead=15"], runners: 30,
        threads: [1, 3], seed: seed)
    }
  }

  /// Holds an example against our own strategy in a study.
  private func agreeInStudy(
    _ example: String, behaviours: [String], runners: Int, threads: [Int], seed: UInt64
  ) throws {
    let text = PolicyFixture.example(example) + " 120"
    let policies = try Policies([text], seed: seed, seconds: 20)
    defer { policies.end() }
    var study = try SmallStudy.make(
      arms: ["moment:every=120"], behaviours: behaviours, runners: runners, seconds: 900, seed: seed)
    let ours = try SmallStudy.outcomes(study)
    study.courses = [
      try StudyCourse(
        person: study.courses[0].person, target: study.courses[0].targetRequest,
        arms: [StudyArm(name: "moment:every=120", strategy: try policies.strategy(text), seconds: 900)],
        model: study.courses[0].model, contrasts: nil, observed: nil)
    ]
    study.policies = policies
    for count in threads {
      let asked = try SmallStudy.outcomes(study, threads: count)
      #expect(asked.sessions == ours.sessions, "seed \(seed), \(count) threads")
    }
    #expect(policies.failure == nil)
  }

  @Test("Gets every reading before the question, with a null when the signal is lost", .enabled(if: isThere))
  func readings() throws {
    let fixture = try PolicyFixture()
    let log = fixture.path("log")
    let text = try fixture.shell(
      """
      while read -r line; do
        echo "$line" >>'\(log)'
        case $line in *'"type":"question"'*)
          number=${line#*'"question":'}
          echo '{"type":"answer","runner":5,"question":'"${number%%,*}"',"say":"hold"}';;
        esac
      done
      """)
    let policies = try Policies([text], seed: 9, seconds: 5)
    let settings = try AskedRun.settings(policies.strategy(text))
    let session = try #require(policies.session(of: 5, settings))
    var engine = CoachingEngine(settings: settings)
    engine.asks = session
    var events: [EngineEvent] = []
    for (second, bpm) in [(0, 120), (5, 121), (10, 121), (40, 123), (45, 124), (55, 124), (65, 124)] {
      engine.heartRate(Double(bpm), at: .seconds(second), into: &events)
    }
    policies.end(session, of: 5)
    // What is ended at once may not have read its last line.
    defer { policies.end() }
    #expect(
      PolicyFixture.eventually { (try? String(contentsOfFile: log, encoding: .utf8))?.contains("\"end\"") == true })
    let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
    #expect(
      lines.dropFirst().map(String.init) == [
        #"{"type":"heartRate","runner":5,"atSeconds":0,"beatsPerMinute":120}"#,
        #"{"type":"heartRate","runner":5,"atSeconds":5,"beatsPerMinute":121}"#,
        #"{"type":"heartRate","runner":5,"atSeconds":25,"beatsPerMinute":null}"#,
        #"{"type":"heartRate","runner":5,"atSeconds":40,"beatsPerMinute":123}"#,
        #"{"type":"heartRate","runner":5,"atSeconds":45,"beatsPerMinute":124}"#,
        #"{"type":"question","runner":5,"question":1,"atSeconds":60,"activeSeconds":60,"heartRateBPM":124,"#
          + #""heartRateAgeSeconds":5,"targetLowerBPM":119,"targetUpperBPM":137,"side":"inside"}"#,
        #"{"type":"end","runner":5}"#,
      ])
    #expect(lines.first?.contains(#","maximumHeartRateBPM":197,"zones":[{"number":1,"#) == true)
  }
}
