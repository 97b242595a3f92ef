import WorkoutSession
import ZoneEngine

/// Shows a session while it runs and at its end.
protocol SessionPrinter: AnyObject {
  /// Shows what was told since the last call, and the session as it stands.
  func show(_ events: [SessionEvent], _ pipeline: SessionPipeline) throws
  /// Shows the end; `badLines` is absent where no lines were read.
  func showSummary(_ pipeline: SessionPipeline, badLines: Int?) throws
  /// Says that something is wrong, on standard error.
  func complain(_ line: String)
}

/// Prints records: one a line, or all in one document.
final class RecordPrinter: SessionPrinter {
  private let console: Console
  private let isDocument: Bool
  private let isLive: Bool
  private var writer = JSONWriter()

  /// Creates a printer; a live one writes at once what it is told.
  init(_ console: Console, isDocument: Bool, isLive: Bool) {
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
        SessionRecords.writeObject(event, to: &writer)
      } else {
        SessionRecords.write(event, to: &writer)
      }
    }
    guard !isDocument else { return }
    try console.write(writer.bytes)
    writer.removeAll()
    if isLive { try console.flush() }
  }

  func showSummary(_ pipeline: SessionPipeline, badLines: Int?) throws {
    if isDocument {
      writer.endArray()
      writer.key("summary")
    }
    writer.object { SessionRecords.writeSummaryMembers(of: pipeline, badLines: badLines, to: &$0) }
    if isDocument { writer.endObject() }
    writer.endLine()
    try console.write(writer.bytes)
    try console.flush()
  }

  func complain(_ line: String) { console.complain(line) }
}
