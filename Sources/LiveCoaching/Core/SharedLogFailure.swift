internal import SessionStore
internal import TextFormats

/// Why nothing can be written to a shared log now. The journal here has what was to be written, and keeps it.
struct SharedLogFailure: Error, CustomStringConvertible {
  /// What the log says.
  let reason: any Error

  var description: String { "\(reason)" }

  /// Writes entries to a shared log.
  ///
  /// Each entry keeps the numbers that it was given first, because a batch whose answer was lost is written again as it is.
  /// - Returns: the sessions that another process has by now, or that the log has otherwise; nothing of them was written.
  /// - Throws: `SharedLogFailure` when nobody knows what was written.
  static func append(
    _ entries: inout [JournalEntry], of frames: [UInt8], to log: any SharedLog
  ) throws(SharedLogFailure) -> [JournaledSession] {
    var batch = SharedLogBatch()
    for index in entries.indices where entries[index].session.failure == nil {
      entries[index].add(to: &batch, of: frames)
    }
    guard !batch.isEmpty else { return [] }
    let refused: Set<SharedHold>
    do {
      refused = try log.append(batch)
    } catch {
      throw SharedLogFailure(reason: error)
    }
    guard !refused.isEmpty else { return [] }
    var sessions: [ObjectIdentifier: JournaledSession] = [:]
    for entry in entries where entry.session.shared.map({ refused.contains($0.hold) }) ?? false {
      sessions[ObjectIdentifier(entry.session)] = entry.session
    }
    return sessions.values.sorted { $0.sessionID < $1.sessionID }
  }
}

extension JournalEntry {
  /// Adds what it says to a batch of a shared log.
  fileprivate mutating func add(to batch: inout SharedLogBatch, of frames: [UInt8]) {
    guard let hold = session.shared?.hold else { return }
    switch action {
    case .begin, .closed: break
    case .finish(let summary): batch.ends.append(SharedLogBatch.End(hold, summary: summary))
    case .rows:
      var chunks: [UInt8] = []
      var lines: [UInt8] = []
      let span = frames.span.extracting(content)
      SessionFileChunks.forEach(of: span) { chunk in
        let piece = span.extracting(chunk.bytes)
        if chunk.file == .decisions {
          lines.append(span: piece)
        } else {
          SessionFileChunks.append(piece, of: chunk.file, at: chunk.offset, to: &chunks)
        }
      }
      let decisions = lines.split(separator: UInt8(ascii: "\n")).map { Array($0) + [UInt8(ascii: "\n")] }
      let numbers = sharedNumbers ?? session.nextShared(rows: chunks.isEmpty ? 0 : 1, decisions: decisions.count)
      sharedNumbers = numbers
      if !chunks.isEmpty { batch.rows.append(SharedLogBatch.Row(hold, index: numbers.row, chunks: chunks)) }
      for (place, line) in decisions.enumerated() {
        batch.decisions.append(SharedLogBatch.Decision(hold, index: numbers.decision + place, line: line))
      }
    }
  }
}
