internal import SessionStore
internal import TextFormats

/// Something about the data folder that is not as it should be.
package struct HistoryFinding: Hashable, Sendable {
  /// The kinds of findings.
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    /// The index itself is damaged.
    case damagedIndex
    /// A session has a folder and is not in the index.
    case notInIndex
    /// A session is in the index and has no folder.
    case withoutFolder
    /// What the index keeps of a session is not what its folder says.
    case outOfDate
    /// The folder of a session cannot be read as it was written.
    case unreadable
    /// A log ends in the middle of a line, or of a block.
    case tornLine
    /// A log in binary is damaged before its end.
    case damagedLog
    /// A log has fewer rows than it had when the session ended.
    case missingRows
    /// The summary of a session is not what a replay of its logs comes to.
    case wrongSummary
    /// A session is not closed, and no process is at it.
    case unfinished
    /// Something that coach did not write lies in its folders.
    case foreign
    /// Others than the owner may read it.
    case readableByOthers
  }

  /// What is wrong.
  package let kind: Kind
  /// The session or file.
  package let subject: String
  /// Further words; empty when there is nothing to add.
  package let detail: String
}

extension HistoryWorker {
  /// Makes the index anew from the folders, beginning with an empty one when the old one is damaged.
  ///
  /// Folders that cannot be read are left out and reported; sessions that are being recorded are left to their process.
  /// Others may import, record and delete meanwhile and wait for one batch at most; what they do counts.
  /// - Returns: how many sessions are in the index, and what could not be read.
  /// - Throws: `FileError` or `DatabaseError` when the index cannot be written.
  func rebuild(_ report: (WorkProgress) -> Void) throws -> (sessions: Int, findings: [HistoryFinding]) {
    try startAnewIfDamaged()
    while true {
      let generation = try writer.wait { try $0.generation() }
      let names = try folders()
      // Asked last: a session has its mark before its folder, and until it is in the index.
      let unfinished = Set(try SessionMark.all(in: dataFolder))
      let findings = try takeIn(names.filter { !unfinished.contains($0) }, report)
      let sessions = try writer.wait { writer in
        try writer.forgetMissing()
        return try writer.noteWhole(generation) ? writer.names().count : nil
      }
      if let sessions { return (sessions, findings) }
    }
  }

  /// Takes sessions into the index by what their folders say; what could not be read.
  private func takeIn(_ names: [String], _ report: (WorkProgress) -> Void) throws -> [HistoryFinding] {
    var findings: [HistoryFinding] = []
    for start in stride(from: 0, to: names.count, by: Self.batchCount) {
      let end = min(start + Self.batchCount, names.count)
      var left = Array(names[start..<end])
      while !left.isEmpty {
        let readings = try Self.readings(left, in: dataFolder)
        left = try writer.wait { try $0.agreeNow(with: readings) }
        for reading in readings where !left.contains(reading.name) && !reading.isAbsent {
          guard case .failure(let error) = reading.digest else { continue }
          findings.append(HistoryFinding(kind: .unreadable, subject: reading.name, detail: "\(error)"))
        }
      }
      report(WorkProgress(done: end, total: names.count))
    }
    return findings
  }

  /// Compares index and folders and looks into every log. What others import, record or delete meanwhile is no finding.
  ///
  /// - Throws: `FileError` or `DatabaseError` when they cannot be looked at.
  func check(_ report: (WorkProgress) -> Void) throws -> [HistoryFinding] {
    var findings = try integrity()
    let isDamaged = !findings.isEmpty
    findings += try strangers()
    findings += try unreadableMotion()
    let names = try folders()
    // Asked last: a session has its mark before its folder, and until it is in the index.
    let marks = try SessionMark.all(in: dataFolder)
    let now = SystemWallClock.now()
    for name in marks {
      guard try isLeft(name, now: now) else { continue }
      findings.append(HistoryFinding(kind: .unfinished, subject: name, detail: ""))
    }
    let unfinished = Set(marks)
    let present = Set(names)
    if !isDamaged {
      let missing = Set(try read("SELECT id FROM session", []) { $0.text(0) }).subtracting(present)
        .subtracting(unfinished)
      for name in missing.sorted() where try lacksFolder(name) {
        findings.append(HistoryFinding(kind: .withoutFolder, subject: name, detail: ""))
      }
    }
    let closed = names.filter { !unfinished.contains($0) }
    for start in stride(from: 0, to: closed.count, by: Self.batchCount) {
      let end = min(start + Self.batchCount, closed.count)
      for reading in try Self.readings(Array(closed[start..<end]), in: dataFolder, replaysSummary: true) {
        findings += try self.findings(reading, isDamaged: isDamaged)
      }
      report(WorkProgress(done: end, total: closed.count))
    }
    return findings
  }

  /// Whether a session that is not closed is nobody's: one of a service that was stopped goes on after its next start, and is as it should
  /// be. A mark that is not coach's own is a finding of its own. Nothing is brought to a folder here: who only compares writes nothing.
  private func isLeft(_ name: String, now: WallClockTime) throws(FileError) -> Bool {
    do throws(FileError) {
      guard try !SessionMark.isResumable(name, in: dataFolder, now: now) else { return false }
      return try SessionMark.isLeft(name, in: dataFolder)
    } catch  where error.isOfPath {
      return false
    }
  }

  /// Whether a session of the index has no folder, and nobody is at its deletion.
  ///
  /// The rows of a session that is deleted go before its folder in `deleted/` does, so they are asked for last.
  private func lacksFolder(_ name: String) throws -> Bool {
    guard try stamp(of: name) == nil, try !isBeingDeleted(name), try !rows(of: name).rows.isEmpty else { return false }
    return try stamp(of: name) == nil
  }

  /// What is wrong with a session that was read, or that has taken its place meanwhile.
  private func findings(_ reading: SessionReading, isDamaged: Bool) throws -> [HistoryFinding] {
    var reading = reading
    while true {
      // Closing it is somebody else's work. Rows are asked for after its mark, which goes when they are there.
      if try SessionMark.exists(reading.name, in: dataFolder) || reading.isAbsent { return [] }
      let known = isDamaged ? nil : try rows(of: reading.name)
      if let found = try findings(reading, known: known) {
        // What was found counts when nobody has changed the folder meanwhile.
        let folder = try found.isEmpty ? reading.folder : stamp(of: reading.name)
        if folder == reading.folder {
          // Of a damaged index nothing more can be asked.
          let mayBeMeanwhile = !isDamaged && found.contains { [.outOfDate, .notInIndex].contains($0.kind) }
          guard mayBeMeanwhile else { return found }
          if let sure = try findingsOfHeld(reading.name) { return sure }
        }
      }
      reading = try SessionReading(reading.name, in: dataFolder, replaysSummary: true)
    }
  }

  /// What is wrong with a session of which the index said something else than its folder. Whoever writes something down about it holds
  /// the folder until the index says the same, so that it is looked at once more when nobody does; `nil` when the folder has gone, or
  /// something in it, or is closed.
  private func findingsOfHeld(_ name: String) throws -> [HistoryFinding]? {
    switch try HeldFolder.take(SessionFolder.path(of: name, in: dataFolder), waitingMilliseconds: busyMilliseconds) {
    case .gone: return nil
    // Who is at it for so long is at it still.
    case .busy: return []
    case .held(let held):
      defer { held.release() }
      guard try !SessionMark.exists(name, in: dataFolder) else { return nil }
      let reading = try SessionReading(name, in: dataFolder, replaysSummary: true)
      return try findings(reading, known: rows(of: name))
    }
  }

  /// The same for a folder that nobody changes; `nil` when something in it has just gone.
  private func findings(_ reading: SessionReading, known: SessionRows?) throws -> [HistoryFinding]? {
    do throws(FileError) {
      return try Self.findings(reading, known: known, in: dataFolder)
    } catch {
      let folder = try stamp(of: reading.name)
      if error.isMissing, folder != reading.folder { return nil }
      // Of the machine it says nothing of the session, and all else nothing of the other ones.
      guard !error.isOfMachine else { throw error }
      return [HistoryFinding(kind: .unreadable, subject: reading.name, detail: "\(error)")]
    }
  }

  /// How many sessions are read before they are written.
  private static var batchCount: Int { 64 }

  /// What the folders of sessions say, read on all cores, in the order of `names`.
  private static func readings(
    _ names: [String], in dataFolder: StoredPath, replaysSummary: Bool = false
  ) throws -> [SessionReading] {
    try ParallelWork.map(names) { name in
      Result { try SessionReading(name, in: dataFolder, replaysSummary: replaysSummary) }
    }.map { try $0.get() }
  }

  private static func findings(
    _ reading: SessionReading, known: SessionRows?, in dataFolder: StoredPath
  ) throws(FileError) -> [HistoryFinding] {
    let name = reading.name
    let folder = SessionFolder.path(of: name, in: dataFolder)
    func finding(_ kind: HistoryFinding.Kind, _ detail: String = "") -> HistoryFinding {
      HistoryFinding(kind: kind, subject: name, detail: detail)
    }
    guard try SessionFolder.hasSession(folder) else {
      var isOurs = known?.rows.isEmpty == false
      if !isOurs { isOurs = try hasFiles(folder) }
      guard isOurs, reading.folder != nil else { return [finding(.foreign, "no session")] }
      return [finding(.unreadable, "no \(SessionFolder.manifest)")]
    }
    var findings: [HistoryFinding] = []
    switch reading.digest {
    case .failure(let error): findings.append(finding(.unreadable, "\(error)"))
    case .success(let digest):
      if let known, !known.rows.isEmpty {
        if known != SessionRows(digest) { findings.append(finding(.outOfDate)) }
      } else {
        findings.append(finding(.notInIndex))
      }
    }
    var rows: [String: Int] = [:]
    var damaged: Set<String> = []
    /// A log that cannot be read is a finding, once, and no reason to look no further.
    func noteUnreadable(_ file: String, _ error: FileError) throws(FileError) {
      guard !error.isMissing, !error.isOfMachine else { throw error }
      damaged.insert(file)
      let found = finding(.unreadable, "\(error)")
      if !findings.contains(found) { findings.append(found) }
    }
    for file in try FileSystem.list(folder) where SessionFolder.isLog(file) {
      guard try isOwnFile(folder + "/" + file) else { continue }
      do throws(FileError) {
        let lines = try SessionHealing.lines(of: folder + "/" + file)
        // One of them is the header.
        rows[file] = max(0, lines.count - 1)
        if !lines.areWhole {
          damaged.insert(file)
          findings.append(finding(.tornLine, file))
        }
      } catch {
        try noteUnreadable(file, error)
      }
    }
    if try isOwnFile(folder + "/" + SessionFolder.binaryMotion) {
      do throws(FileError) {
        let motion = try MotionLogReader.survey(in: folder)
        rows[SessionFolder.binaryMotion] = motion.rows
        for problem in motion.problems {
          damaged.insert(SessionFolder.binaryMotion)
          switch problem {
          case .torn: findings.append(finding(.tornLine, SessionFolder.binaryMotion))
          case .damaged(let words): findings.append(finding(.damagedLog, "\(SessionFolder.binaryMotion): \(words)"))
          }
        }
      } catch {
        try noteUnreadable(SessionFolder.binaryMotion, error)
      }
    }
    if case .success(let digest) = reading.digest {
      // Of one whose process was gone nobody knows how many there were.
      let missing = try digest.state == .complete ? missingRows(rows, in: folder) : []
      for (file, words) in missing where !damaged.contains(file) {
        findings.append(finding(.missingRows, "\(file): \(words)"))
      }
      // What a log lacks the replay lacks too.
      if missing.isEmpty, damaged.isEmpty, let difference = SummaryComparison.difference(of: digest) {
        findings.append(finding(.wrongSummary, difference))
      }
    }
    for name in try FileSystem.list(folder) { findings += try Self.findings(at: folder + "/" + name) }
    if try FileSystem.status(folder)?.isReadableByOthers == true {
      findings.append(HistoryFinding(kind: .readableByOthers, subject: folder.path, detail: ""))
    }
    return findings
  }

  /// Whether there is any file of a session in a folder; `false` for what coach does not go into.
  private static func hasFiles(_ folder: StoredPath) throws(FileError) -> Bool {
    do throws(FileError) {
      return try FileSystem.listIfPresent(folder).contains(where: SessionFolder.isFile)
    } catch  where error.isOfPath {
      return false
    }
  }

  /// Which logs have fewer rows than there were at the end of the session, and how many.
  private static func missingRows(
    _ rows: [String: Int], in folder: StoredPath
  ) throws(FileError) -> [(file: String, words: String)] {
    do {
      return try SessionFolderRecording(path: folder).countedRows().sorted { $0.key < $1.key }
        .filter { $0.value > rows[$0.key] ?? 0 }
        .map { ($0.key, "\(rows[$0.key] ?? 0) rows, and \($0.value) when the session ended") }
    } catch let error as FileError {
      throw error
    } catch {
      // What cannot be read is a finding of its own.
      return []
    }
  }

  /// Whether a place is a file that coach opens; what is none is a finding of its own.
  private static func isOwnFile(_ place: StoredPath) throws(FileError) -> Bool {
    guard let status = try FileSystem.status(place) else { return false }
    return status.problem(isOwned: place.isOwned) == nil
  }

  /// What is wrong with a file in the folder of a session.
  private static func findings(at place: StoredPath) throws(FileError) -> [HistoryFinding] {
    guard let status = try FileSystem.status(place) else { return [] }
    if let problem = status.problem(isOwned: place.isOwned) {
      let detail = FileError(.inspect, place.path, code: problem).reason
      return [HistoryFinding(kind: .foreign, subject: place.path, detail: detail)]
    }
    guard status.isReadableByOthers else { return [] }
    return [HistoryFinding(kind: .readableByOthers, subject: place.path, detail: "")]
  }

  /// Empties a database that is damaged, so that it can be made anew. One of another program is left alone.
  ///
  /// Of several that find the damage one empties it; the others wait, and find it sound.
  func startAnewIfDamaged() throws {
    guard try !writer.wait(for: { try $0.integrity() }).isEmpty else { return }
    let attempt = try HeldFolder.take(dataFolder, waitingMilliseconds: busyMilliseconds)
    guard case .held(let held) = attempt else {
      throw DatabaseError.busy(
        History.path(in: dataFolder).path, "another coach makes it anew: try again when it is done")
    }
    defer { held.release() }
    close()
    try writer.wait { try $0.startAnewIfDamaged() }
  }

  /// What the index has of a session.
  func rows(of sessionID: String) throws -> SessionRows {
    guard try hasIndex else { return SessionRows(sessionID: sessionID, rows: []) }
    let database = try database()
    return try database.transaction(.reading) { try SessionRows(of: sessionID, in: database) }
  }
}

extension HistoryFolder {
  /// What is wrong with a database itself, which `opening` opens.
  fileprivate func damage(of opening: () throws -> Database) throws -> [HistoryFinding] {
    do {
      let database = try opening()
      var found = try database.query("PRAGMA integrity_check(20)") { $0.text(0) }.filter { $0 != "ok" }
      if found.isEmpty, try !HistorySchema.isWhole(database) { found = ["its tables are not those that coach makes"] }
      return found.map { HistoryFinding(kind: .damagedIndex, subject: "coach.sqlite", detail: $0) }
    } catch let error as DatabaseError where error.isDamage {
      return [HistoryFinding(kind: .damagedIndex, subject: "coach.sqlite", detail: error.reason)]
    }
  }
}

extension HistoryWorker {
  /// What is wrong with the database itself, for who only reads it.
  fileprivate func integrity() throws -> [HistoryFinding] { try damage { try database() } }
}

extension IndexWriter {
  /// What is wrong with the database itself.
  func integrity() throws -> [HistoryFinding] { try damage { try database() } }

  /// Empties a database that is damaged; the caller makes sure that no other one does.
  func startAnewIfDamaged() throws {
    guard try !integrity().isEmpty else { return }
    close()
    try Database.empty(History.path(in: dataFolder), busyMilliseconds: busyMilliseconds)
  }
}
