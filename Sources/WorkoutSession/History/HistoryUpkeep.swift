/// How far a long piece of work has come.
package struct WorkProgress: Hashable, Sendable {
  /// How much is done.
  package let done: Int
  /// How much there is in all.
  package let total: Int

  /// Creates a state of work.
  package init(done: Int, total: Int) {
    self.done = done
    self.total = total
  }
}

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
    /// A log ends in the middle of a line.
    case tornLine
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

extension History {
  /// The sessions that have a folder, sorted by their names.
  ///
  /// - Throws: `FileError` when the folder cannot be listed.
  package nonisolated func folders() throws(FileError) -> [String] {
    try FileSystem.listIfPresent(dataFolder + "/" + SessionFolder.sessions)
  }

  /// Makes the index anew from the folders, beginning with an empty one when the old one is damaged.
  ///
  /// Folders that cannot be read are left out and told; sessions that are being recorded are left to their process.
  /// - Returns: how many sessions are in the index, and what could not be read.
  /// - Throws: `FileError` or `DatabaseError` when the index cannot be written.
  package func rebuild(
    _ report: @Sendable (WorkProgress) -> Void
  ) async throws -> (sessions: Int, findings: [HistoryFinding]) {
    try startAnewIfDamaged()
    let names = try folders()
    let unfinished = Set(try SessionMark.all(in: dataFolder))
    let closed = names.filter { !unfinished.contains($0) }
    var findings: [HistoryFinding] = []
    var done = 0
    var kept: [String] = []
    for batch in stride(from: 0, to: closed.count, by: Self.batchCount) {
      let digests = await Self.digests(
        Array(closed[batch..<min(batch + Self.batchCount, closed.count)]), in: dataFolder)
      var readable: [SessionDigest] = []
      for (name, digest) in digests {
        switch digest {
        case .success(let digest):
          readable.append(digest)
          kept.append(name)
        case .failure(let error): findings.append(HistoryFinding(kind: .unreadable, subject: name, detail: "\(error)"))
        }
      }
      try write(readable)
      done += digests.count
      report(WorkProgress(done: done, total: closed.count))
    }
    try keepOnly(kept + names.filter { unfinished.contains($0) })
    return (kept.count, findings)
  }

  /// Compares index and folders and looks into every log.
  ///
  /// - Throws: `FileError` or `DatabaseError` when they cannot be looked at.
  package func check(_ report: @Sendable (WorkProgress) -> Void) async throws -> [HistoryFinding] {
    var findings = try integrity() + strangers()
    let unfinished = Set(try SessionMark.all(in: dataFolder))
    for name in unfinished.sorted() where try SessionMark.take(name, in: dataFolder) != nil {
      findings.append(HistoryFinding(kind: .unfinished, subject: name, detail: "no process is at it"))
    }
    let names = try folders().filter { !unfinished.contains($0) }
    let known = findings.contains { $0.kind == .damagedIndex } ? [] : try self.names()
    for name in known.sorted() where !names.contains(name) && !unfinished.contains(name) {
      findings.append(HistoryFinding(kind: .withoutFolder, subject: name, detail: ""))
    }
    var done = 0
    for batch in stride(from: 0, to: names.count, by: Self.batchCount) {
      let part = Array(names[batch..<min(batch + Self.batchCount, names.count)])
      findings += try compare(await Self.digests(part, in: dataFolder), known: known)
      done += part.count
      report(WorkProgress(done: done, total: names.count))
    }
    return findings
  }

  /// What is wrong with sessions that were digested.
  private func compare(
    _ digests: [(name: String, digest: Result<SessionDigest, any Error>)], known: Set<String>
  ) throws -> [HistoryFinding] {
    try digests.flatMap { name, digest in
      try Self.findings(name, digest, known: known.contains(name) ? rows(of: name) : nil, in: dataFolder)
    }
  }

  /// How many sessions are read before they are written.
  private static var batchCount: Int { 64 }

  /// What the index would keep of sessions, made on all cores, in the order of `names`.
  private static func digests(
    _ names: [String], in dataFolder: StoredPath
  ) async -> [(name: String, digest: Result<SessionDigest, any Error>)] {
    await withTaskGroup(of: (Int, Result<SessionDigest, any Error>).self) { group in
      for (index, name) in names.enumerated() {
        group.addTask {
          (index, Result { try SessionDigest(folder: SessionFolder.path(of: name, in: dataFolder)) })
        }
      }
      var results: [(Int, Result<SessionDigest, any Error>)] = []
      for await result in group { results.append(result) }
      return results.sorted { $0.0 < $1.0 }.map { (names[$0.0], $0.1) }
    }
  }

  private static func findings(
    _ name: String, _ digest: Result<SessionDigest, any Error>, known: SessionRows?, in dataFolder: StoredPath
  ) throws(FileError) -> [HistoryFinding] {
    let folder = SessionFolder.path(of: name, in: dataFolder)
    func finding(_ kind: HistoryFinding.Kind, _ detail: String = "") -> HistoryFinding {
      HistoryFinding(kind: kind, subject: name, detail: detail)
    }
    guard SessionFolder.isSession(folder) else { return [finding(.foreign, "no session")] }
    var findings: [HistoryFinding] = []
    switch digest {
    case .failure(let error): findings.append(finding(.unreadable, "\(error)"))
    case .success(let digest):
      if let known {
        if known != SessionRows(digest) { findings.append(finding(.outOfDate)) }
      } else {
        findings.append(finding(.notInIndex))
      }
    }
    for file in try FileSystem.list(folder) where SessionFolder.isLog(file) {
      guard try FileSystem.status(folder + "/" + file)?.isRegular == true else { continue }
      if try !SessionHealing.endsWithLine(folder + "/" + file) { findings.append(finding(.tornLine, file)) }
    }
    for name in try FileSystem.list(folder) { findings += try Self.findings(at: folder + "/" + name) }
    if try FileSystem.status(folder)?.isReadableByOthers == true {
      findings.append(HistoryFinding(kind: .readableByOthers, subject: folder.path, detail: ""))
    }
    return findings
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
}
