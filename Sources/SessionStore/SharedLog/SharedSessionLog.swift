package import TextFormats

/// Why nothing can be done with a session of a shared log here.
package enum SharedSessionProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// Another process has it.
  case heldElsewhere(String)
  /// What is in memory of it is of no use: another process has it, or its log has something else.
  case letGo(String)

  /// One line for people.
  package var description: String {
    switch self {
    case .heldElsewhere(let sessionID): "\(sessionID): another instance has it"
    case .letGo(let sessionID): "\(sessionID): it goes on from its log"
    }
  }
}

/// How much a shared log has of a session that is held.
package struct SharedPlace: Hashable, Sendable {
  /// The hold.
  package let hold: SharedHold
  /// How many rows.
  package let rows: Int
  /// How many decisions.
  package let decisions: Int

  /// Creates a place; without numbers that of a session that begins.
  package init(_ hold: SharedHold, rows: Int = 0, decisions: Int = 0) {
    self.hold = hold
    self.rows = rows
    self.decisions = decisions
  }
}

/// Everything that was written of a session: what another process goes on with.
package struct SharedSessionLog: Sendable {
  /// The session.
  package let session: BegunSession
  /// The hold of whoever took it over; absent for who only reads.
  package let hold: SharedHold?
  /// What it added to its files, in order: ``SessionFileChunks`` of all but the decisions.
  package let rows: [[UInt8]]
  /// Its decisions, one a line.
  package let decisions: [[UInt8]]
  /// Files that stand neither in rows nor among the decisions, such as notes, once the session is over.
  package let others: [SessionFolderContent.File]
  /// The text of its summary; absent while it is not over.
  package let summary: [UInt8]?
  /// Whether it is over; without a summary it ended before it began, and there is nothing in it.
  package let isOver: Bool

  /// Creates a log.
  package init(
    session: BegunSession, hold: SharedHold?, rows: [[UInt8]], decisions: [[UInt8]], summary: [UInt8]?,
    others: [SessionFolderContent.File], isOver: Bool
  ) {
    self.isOver = isOver
    self.session = session
    self.hold = hold
    self.rows = rows
    self.decisions = decisions
    self.summary = summary
    self.others = others
  }

  /// What of it is there for whoever took it over; `nil` for who only reads.
  package var place: SharedPlace? { hold.map { SharedPlace($0, rows: rows.count, decisions: decisions.count) } }

  /// The bytes of its ``SessionInput``s, which a folder has no longer once the session is over; empty where it was no service's.
  ///
  /// - Throws: `RecordingError` for a row that is damaged.
  package func inputs() throws(RecordingError) -> [UInt8] {
    var inputs: [UInt8] = []
    for row in rows {
      let isWhole = try SessionFileChunks.forEach(of: row.span) { (chunk) throws(RecordingError) in
        guard chunk.file == .inputs else { return }
        // They only grow, one row after another.
        guard chunk.offset == inputs.count else { throw damaged("its inputs have a gap") }
        inputs += row[chunk.bytes]
      }
      guard isWhole else { throw damaged("a row of its log is damaged") }
    }
    return inputs
  }

  /// Writes the folder of the session as the process would have that wrote the log: byte by byte the same.
  ///
  /// What stands in the folder of an older state of the session is written again.
  /// - Parameter folder: where; it is made where there is none.
  /// - Throws: `FileError` when it cannot be written.
  package func write(to folder: StoredPath) throws(FileError) {
    try FileSystem.createFolder(folder)
    let writer = SessionFolderWriter(folder)
    for row in rows { writer.append(row.span) }
    var pieces: [UInt8] = []
    let lines = decisions.flatMap(\.self)
    if !lines.isEmpty { SessionFileChunks.append(lines.span, of: .decisions, at: 0, to: &pieces) }
    writer.append(pieces.span)
    try writer.flush()
    if let summary {
      try FileSystem.writeAtomically(summary.span, to: folder + "/" + SessionFolder.summary)
      try FileSystem.removeIfPresent(folder + "/" + SessionFolder.inputs)
    }
    for file in others where SessionFolder.isFile(file.name) {
      try FileSystem.writeAtomically(file.bytes.span, to: folder + "/" + file.name)
    }
  }

  /// Writes the session to a data folder as one whose process is gone, so that it can be gone on with there.
  ///
  /// What the folder has of it from before, when it was this process's already, is removed.
  /// - Throws: `FileError` when it cannot be written.
  package func takePlace(in dataFolder: StoredPath) throws(FileError) {
    let folder = SessionFolder.path(of: session.id, in: dataFolder)
    try FileSystem.createFolder(dataFolder + "/" + SessionFolder.sessions)
    try SessionMark.remove(session.id, in: dataFolder)
    let names = SessionFile.allCases.map(\.name) + [SessionFolder.summary, SessionFolder.notes]
    for name in names { try FileSystem.removeIfPresent(folder + "/" + name) }
    // It is given up at once: whoever goes on takes it.
    _ = try SessionMark.make(session.id, in: dataFolder)
    try write(to: folder)
  }
}
