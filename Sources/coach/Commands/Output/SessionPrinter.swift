import TextFormats
import WorkoutHistory
import WorkoutSession

/// Shows a session while it runs and at its end.
protocol SessionPrinter: AnyObject {
  /// Shows the events since the last call, and the session.
  func show(_ events: [SessionEvent], _ pipeline: SessionPipeline) throws
  /// Shows the end.
  func showSummary(_ pipeline: SessionPipeline, _ ending: SessionEnding) throws
  /// Says that something is wrong, on standard error.
  func complain(_ line: String)
}

/// What is printed at the end of a session beside its summary.
struct SessionEnding {
  /// Lines that could not be used; absent where no lines were read.
  var badLines: Int?
  /// The identity of the session; absent where nothing is kept.
  var sessionID: String?
  /// The folder in which it was saved just now.
  var savedIn: String?
  /// How the session compares with those before; absent where that is not known.
  var standing: SessionStanding?
  /// What became of its plan where it is not kept, and the plan; absent where that is not known, and where ``standing`` says it.
  var verdict: PlanVerdict?
  var plan: PlanRequest?
  /// What its intervals between beats came to; absent without any.
  var beats: BeatReport?
  /// Where its samples came from; absent where that is not known.
  var origin: SessionOrigin?
}

/// Prints records: one a line, or all in one document.
final class RecordPrinter: SessionPrinter {
  private let console: Console
  private let isDocument: Bool
  private let isLive: Bool
  private let arm: DrawnArm?
  private var writer = JSONWriter()

  /// Creates a printer; a live one writes at once. The arm is that of a session whose strategy was drawn.
  init(_ console: Console, arm: DrawnArm?, isDocument: Bool, isLive: Bool) {
    self.arm = arm
    self.console = console
    self.isDocument = isDocument
    self.isLive = isLive
    guard isDocument else { return }
    writer.beginObject()
    writer.member("version", SessionRecords.version)
    writer.member("type", "session")
    writer.key("events")
    writer.beginArray()
  }

  func show(_ events: [SessionEvent], _ pipeline: SessionPipeline) throws {
    guard !events.isEmpty else { return }
    for event in events {
      if isDocument {
        SessionRecords.writeObject(event, of: arm, to: &writer)
      } else {
        SessionRecords.write(event, of: arm, to: &writer)
      }
    }
    guard !isDocument else { return }
    try console.write(writer.bytes)
    writer.removeAll()
    if isLive { try console.flush() }
  }

  func showSummary(_ pipeline: SessionPipeline, _ ending: SessionEnding) throws {
    if isDocument {
      writer.endArray()
      writer.key("summary")
    }
    writer.object { writer in
      SessionRecords.writeSummaryMembers(
        of: pipeline, sessionID: ending.sessionID, badLines: ending.badLines, to: &writer)
      ending.beats?.writeObject("beats", to: &writer)
      writer.member("origin", ending.origin?.rawValue)
    }
    if isDocument { writer.endObject() }
    writer.endLine()
    try console.write(writer.bytes)
    try console.flush()
  }

  func complain(_ line: String) { console.complain(line) }
}
