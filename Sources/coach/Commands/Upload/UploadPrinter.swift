import SessionUpload
import TextFormats
import WorkoutSession

/// Shows the progress of an upload, prints its results, and ends it when the user interrupts.
final class UploadPrinter: UploadObserver {
  /// The signal that came, if one did.
  private(set) var signal: Int32?

  private let console: Console
  private let format: OutputFormat
  private let interrupts = Interrupts()
  private let progress = ProgressLine("uploading", unit: .bytes)
  private let begin = MonotonicClock.now
  private var totals = UploadTotals()
  /// What a document holds, which is printed at its end.
  private var outcomes: [UploadOutcome] = []

  init(_ console: Console, _ format: OutputFormat) {
    self.console = console
    self.format = format
  }

  var isInterrupted: Bool {
    signal = signal ?? interrupts.pending()
    return signal != nil
  }

  func wait(nanoseconds: Int64) {
    if signal == nil { signal = interrupts.wait(nanoseconds: nanoseconds) }
  }

  func show(_ done: WorkProgress) { progress.show(done) }

  /// Takes the line of progress away.
  func endProgress() { progress.end() }

  func report(_ outcome: UploadOutcome) throws {
    totals.count(outcome)
    switch format {
    case .json: outcomes.append(outcome)
    case .jsonl:
      var writer = JSONWriter()
      UploadRecords.write(outcome, to: &writer)
      writer.endLine()
      try console.write(writer.bytes)
      try console.flush()
    case .text: break
    }
    guard let error = outcome.error else { return }
    progress.end()
    console.complain("\(outcome.object.sessionID): \(outcome.object.name): \(error)")
  }

  /// Prints what it came to.
  ///
  /// - Parameter pending: how many objects are not in the store.
  func finish(pending: Int) throws {
    progress.end()
    let elapsed = MonotonicClock.now - begin
    guard format != .text else { return try console.line(sentence(pending)) }
    var writer = JSONWriter()
    if format == .json {
      writer.object { writer in
        writer.member("version", SessionRecords.version)
        writer.member("type", "upload")
        writer.array("objects") { for outcome in outcomes { UploadRecords.write(outcome, to: &$0) } }
        writer.key("summary")
        UploadRecords.write(totals, pending: pending, elapsedNanoseconds: elapsed, to: &writer)
      }
    } else {
      UploadRecords.write(totals, pending: pending, elapsedNanoseconds: elapsed, to: &writer)
    }
    writer.endLine()
    try console.write(writer.bytes)
  }

  private func sentence(_ pending: Int) -> String {
    guard totals.sent + totals.present + totals.failed + pending > 0 else { return "There is nothing to send." }
    var parts = ["\(totals.sent) sent (\(QuantityText.bytes(totals.bytesSent)))", "\(totals.present) there already"]
    if totals.failed > 0 { parts.append("\(totals.failed) failed") }
    let rest = pending > 0 ? "; \(pending) pending: coach upload --pending sends them" : ""
    return parts.joined(separator: ", ") + rest + "."
  }
}
