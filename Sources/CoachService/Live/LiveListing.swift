internal import LiveCoaching
internal import SessionStore
internal import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// A live session as the history shows those that are over: as a line of its list, and as a summary so far. One that is over and whose
/// folder cannot be written yet is complete here, too.
struct LiveListing: Sendable {
  /// The session.
  let session: HostedSession
  private let live: LiveSession
  /// What was asked for when it was begun.
  private let ordered: HostedSession.Ordered
  private let badLines: Int

  /// Looks at a session in memory, and at nothing else; `nil` for one that was let go.
  init?(_ session: HostedSession) async {
    guard session.endedAt == nil, let live = await session.running.session else { return nil }
    self.session = session
    self.live = live
    badLines = await session.running.badLineCount
    ordered = session.ordered
  }

  /// Whether it is over, and waits for its place in the history.
  var isOver: Bool { live.state == .ended }
  private var state: String { isOver ? SessionState.complete.rawValue : "live" }

  /// When it began; when it was asked for, where nothing has come yet.
  private var start: WallClockTime { live.start ?? session.createdAt }

  /// Writes the record of a line of the list, as a value.
  func writeObject(to writer: inout JSONWriter) {
    let summary = live.pipeline.engine.summary
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", "session")
      writer.member("sessionID", session.id)
      writer.member("startTime", start)
      writer.member("activity", ordered.activity)
      writer.member("state", state)
      writer.member("activeSeconds", secondsFromNanoseconds: summary.active.nanoseconds)
      writer.member("compliance", summary.compliance)
      writer.member("averageHeartRateBPM", summary.readings.mean)
      writer.member("distanceMeters", summary.distanceMeters)
      writer.member("steps", summary.steps)
      writer.member("utcOffsetSeconds", SystemWallClock.utcOffsetSeconds(at: start))
      writer.member("elapsedSeconds", secondsFromNanoseconds: summary.elapsed.nanoseconds)
      writer.member("energyKilocalories", summary.energyKilocalories)
      writer.member("person", session.person)
      writer.member("strategy", live.pipeline.engine.settings.strategy.specification)
      writer.member("target", ordered.target)
      writer.member("origin", ordered.origin.rawValue)
    }
  }

  /// Writes the summary so far as one line; `withFacts` adds what the history shows beside a summary.
  func writeSummary(withFacts: Bool, to writer: inout JSONWriter) {
    writer.object { writer in
      SessionRecords.writeSummaryMembers(of: live.pipeline, sessionID: session.id, badLines: badLines, to: &writer)
      writer.member("startTime", start)
      writer.member("state", state)
      writer.member("origin", ordered.origin.rawValue)
      guard withFacts else { return }
      writer.member("utcOffsetSeconds", SystemWallClock.utcOffsetSeconds(at: start))
      writer.member("activity", ordered.activity)
      writer.member("person", session.person)
      writer.member("target", ordered.target)
      ZoneRecords.members(of: live.pipeline.engine.settings.zones, to: &writer)
    }
    writer.endLine()
  }
}
