package import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// What came of holding one scenario file against its expectations.
package struct ScenarioVerification: Hashable, Sendable {
  /// The file.
  package let file: String
  /// The name of the scenario; absent when it cannot be read.
  package let name: String?
  /// One line for each expectation that was not met and each property that every session has and this one had not.
  package let failures: [String]
  /// Why the file cannot be read; it has then failed.
  package let unreadable: ScenarioError?

  /// Whether everything came as expected.
  package var passed: Bool { failures.isEmpty }

  /// Reads a scenario and holds it against its expectations.
  package static func verify(_ path: String) -> ScenarioVerification {
    do throws(ScenarioError) {
      let scenario = try Scenario(path: path)
      return ScenarioVerification(
        file: path, name: scenario.name, failures: failures(of: scenario), unreadable: nil)
    } catch {
      return ScenarioVerification(file: path, name: nil, failures: [error.problem], unreadable: error)
    }
  }

  /// The lines of everything that is not as expected, in the order of the file; then the properties of every session.
  package static func failures(of scenario: Scenario) -> [String] {
    let (events, pipeline) = ScenarioRun.whole(scenario)
    var failures = scenario.expectations.failures(events: events, pipeline: pipeline)
    failures += ScenarioInvariants.violations(events: events, pipeline: pipeline)
    let (again, pipelineAgain) = ScenarioRun.whole(scenario)
    if ScenarioRun.records(events, pipeline) != ScenarioRun.records(again, pipelineAgain) {
      failures.append("invariant: a second run gave other records")
    }
    return failures
  }

  /// Writes the record of a verification as one line.
  package func write(to writer: inout JSONWriter) {
    writeObject(to: &writer)
    writer.endLine()
  }

  /// Writes the record of a verification as a value among others.
  package func writeObject(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", "verification")
      writer.member("file", file)
      writer.member("name", name)
      writer.member("passed", passed)
      writer.array("failures") { for failure in failures { $0.value(failure) } }
    }
  }

  /// One line: `passed  FILE`, or `FAILED  FILE: what was not met; what else`.
  package var text: String {
    passed ? "passed  \(file)" : "FAILED  \(file): " + failures.joined(separator: "; ")
  }
}

extension ScenarioExpectations {
  /// A line for each expectation that was not met.
  func failures(events: [SessionEvent], pipeline: SessionPipeline) -> [String] {
    let end = pipeline.engine.now
    var failures = counts.compactMap { $0.failure(events: events, end: end) }
    guard !metrics.isEmpty else { return failures }
    let values = ScenarioMetrics.values(of: pipeline)
    failures += metrics.compactMap { $0.failure(values[$0.name]) }
    return failures
  }
}

extension ExpectedCount {
  /// The most events that a failure lists.
  private static let listed = 8

  /// What is not as expected; `nil` when it is.
  func failure(events: [SessionEvent], end: SessionTime) -> String? {
    guard window.from <= end else {
      return "\(path): expected \(count) × \(pattern.text) \(window.text), but the session ended at "
        + CueWording.seconds(end)
    }
    let there = events.filter { event in event.time.map(window.contains) ?? false }
    let found = there.count { pattern.matches($0) }
    guard found != count else { return nil }
    let relatives = there.filter { pattern.isRelated(to: $0) }
    var seen = relatives.prefix(Self.listed).map(EventPattern.text(of:))
    if relatives.count > Self.listed { seen.append("and \(relatives.count - Self.listed) more") }
    let list = seen.isEmpty ? "nothing of the kind" : seen.joined(separator: ", ")
    return "\(path): expected \(count) × \(pattern.text) \(window.text), found \(found) (\(list))"
  }
}

extension ExpectedMetric {
  /// How far a number may be from one that it must equal.
  private static let tolerance = 1e-9

  /// What is not as expected; `nil` when it is.
  func failure(_ value: Double?) -> String? {
    let wanted: String
    switch bound {
    case .absent:
      guard value != nil else { return nil }
      wanted = "no such number"
    case .equals(let number):
      if let value, (value - number).magnitude <= Self.tolerance { return nil }
      wanted = Self.text(number)
    case .within(let least, let most):
      if let value, least.map({ value >= $0 }) ?? true, most.map({ value <= $0 }) ?? true { return nil }
      wanted = [least.map { "at least \(Self.text($0))" }, most.map { "at most \(Self.text($0))" }]
        .compactMap { $0 }.joined(separator: " and ")
    }
    return "\(path): expected \(wanted), found \(value.map(Self.text) ?? "none")"
  }

  private static func text(_ number: Double) -> String { JSONNumber(number).text }
}
