import Foundation
import OutsidePolicies
import StrategyStudy
import Testing
import ZoneEngine

/// A folder with programs for tests, which goes with it.
final class PolicyFixture {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("policies-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// The checkout.
  static let checkout = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  static func example(_ name: String) -> String { "exec:'\(checkout)/Examples/policies/\(name)'" }

  func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  /// A program of a shell that says it is ready to be asked every 60 s, then goes through `body`; the spelling for it.
  func shell(_ body: String, ready: String = #"{"type":"ready","version":1,"everySeconds":60}"#) throws -> String {
    let file = path("policy-\(UUID().uuidString)")
    let text = "#!/bin/sh\nread -r hello\necho '\(ready)'\n" + body + "\n"
    try text.write(toFile: file, atomically: false, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
    // A file that was just written cannot be run while a child of another test still has it open.
    return "exec:/bin/sh " + file
  }

  /// Waits until something holds, at most some seconds.
  static func eventually(_ seconds: Double = 10, _ holds: () -> Bool) -> Bool {
    let end = Date().addingTimeInterval(seconds)
    while Date() < end {
      if holds() { return true }
      usleep(20_000)
    }
    return holds()
  }

  /// Whether a process is there and no zombie.
  static func isAlive(_ process: Int) -> Bool {
    guard let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
      let end = status.lastIndex(of: ")")
    else { return false }
    return !status[end...].hasPrefix(") Z")
  }
}

/// What comes of a session of ten minutes at a heart rate under the target, asked every minute.
struct AskedRun {
  var answers: [Decision.Outcome] = []
  let failure: PolicyError?

  init(_ policy: String, runner: Int = 7, seconds: Double = 2) throws {
    let policies = try Policies([policy], seed: 1, seconds: seconds)
    let session = try Self.settings(policies.strategy(policy))
    let (asked, events) = try Self.ask(policies, about: runner, until: 600, session)
    for case .decision(let decision) in events { answers.append(decision.outcome) }
    policies.end(asked, of: runner)
    failure = policies.failure?.error
    policies.end()
  }

  /// Asks a program about a runner of 110 bpm until a second of a session that is not over.
  static func ask(
    _ policies: Policies, about runner: Int, until end: Int, _ settings: CoachingSettings
  ) throws -> (asked: PolicySession, events: [EngineEvent]) {
    let asked = try #require(policies.session(of: runner, settings))
    var engine = CoachingEngine(settings: settings)
    engine.asks = asked
    var events: [EngineEvent] = []
    for second in stride(from: 0, through: end, by: 5) { engine.heartRate(110, at: .seconds(second), into: &events) }
    return (asked, events)
  }

  static func settings(_ strategy: FeedbackStrategy) throws -> CoachingSettings {
    let study = try SmallStudy.make(arms: ["none"])
    return try study.courses[0].settings[0].judged(by: strategy)
  }
}
