internal import TextFormats
package import WorkoutSession
package import ZoneEngine

/// A scenario on its way through a session, one arrival after the other.
///
/// ```swift
/// var run = ScenarioRun(scenario)
/// var events: [SessionEvent] = []
/// while run.next(into: &events) {}
/// ```
package struct ScenarioRun: Sendable {
  /// What is run.
  package let scenario: Scenario
  /// The session so far.
  package internal(set) var pipeline: SessionPipeline

  private let changes: FollowedChanges
  private var index = 0
  private var hasBegun = false

  /// Prepares a run as the scenario has it.
  package init(_ scenario: Scenario) { self.init(scenario, settings: scenario.settings) }

  /// Prepares a run of the scenario's input under other settings, with those changes in the session that are followed.
  package init(_ scenario: Scenario, settings: CoachingSettings, following changes: FollowedChanges = .all) {
    self.changes = changes
    self.scenario = scenario
    pipeline = SessionPipeline(settings: settings, durationLimit: scenario.durationLimit)
  }

  /// The time that the next arrival carries; `nil` when nothing is left.
  package var nextTime: SessionTime? {
    pipeline.isOver || index == scenario.arrivals.count ? nil : scenario.arrivals[index].time
  }

  /// Begins the session, carries out the next arrival or ends the session, and appends what is emitted; whether there is
  /// more to come.
  ///
  /// The session ends with a stop, with its duration limit, or with the newest arrival.
  package mutating func next(into events: inout [SessionEvent]) -> Bool {
    guard !pipeline.isOver else { return false }
    guard hasBegun else {
      hasBegun = true
      pipeline.begin(into: &events)
      return true
    }
    guard index < scenario.arrivals.count else {
      pipeline.finish(at: pipeline.latest, reason: .endOfInput, into: &events)
      return false
    }
    let arrival = scenario.arrivals[index]
    index += 1
    switch arrival.content {
    case .sample(let sample): _ = pipeline.take(sample, into: &events)
    case .command(let command) where !changes.contains(command): break
    case .command(let command): pipeline.perform(command, at: arrival.time, into: &events)
    }
    return !pipeline.isOver
  }

  /// Runs a scenario from the beginning to the end.
  package static func whole(_ scenario: Scenario) -> (events: [SessionEvent], pipeline: SessionPipeline) {
    var run = ScenarioRun(scenario)
    var events: [SessionEvent] = []
    while run.next(into: &events) {}
    return (events, run.pipeline)
  }

  /// The records of a session: its events and the summary, one a line.
  static func records(_ events: [SessionEvent], _ pipeline: SessionPipeline) -> [UInt8] {
    var writer = JSONWriter()
    for event in events { SessionRecords.write(event, to: &writer) }
    SessionRecords.writeSummary(of: pipeline, to: &writer)
    return writer.bytes
  }
}
