package import SessionStore
internal import TextFormats
internal import WorkoutExports
internal import WorkoutSession

/// What an export of a person's data holds.
package struct PersonExportReport: Hashable, Sendable {
  /// How many sessions.
  package let sessions: Int
  /// The sessions that were not closed; they are in it as they stood.
  package let unfinished: [String]
  /// What is in none of it, as a link to a log: paths in the export.
  package var leftOut: [LeftOutPart] = []
}

extension HistoryWorker {
  /// How many bytes a manifest has at most whose name is looked at.
  private static let largestManifest = 1 << 20

  /// Writes all data of a person to a folder, which has its name only when it is whole.
  ///
  /// - Throws: as ``export(personNamed:to:_:)``, or `FileError` when the folder cannot be written.
  func export(
    personNamed name: String, toFolder path: String, _ report: (WorkProgress) throws -> Void
  ) throws -> PersonExportReport {
    var folder = try PendingFolder(path)
    let exported = try export(personNamed: name, to: &folder, report)
    try folder.commit()
    return exported
  }

  /// Writes all data of a person to an archive, which has its name only when it is whole.
  ///
  /// - Throws: as ``export(personNamed:to:_:)``, or `FileError` when the file cannot be written.
  func export(
    personNamed name: String, toArchive path: String, replacing: Bool, _ report: (WorkProgress) throws -> Void
  ) throws -> PersonExportReport {
    var archive = try ArchiveSink(PendingFile(path), root: name)
    let exported = try export(personNamed: name, to: &archive, report)
    try archive.commit(replacing: replacing)
    return exported
  }

  /// Gives all data of a person to an archive: `README.txt`, `profile.json` where there is one, `sessions.csv` and the
  /// folder of every session, whole. Never anything of another person.
  ///
  /// - Parameter report: gets how far it is after each session, and within one with each piece, so that it can end even that.
  /// - Throws: `ProfileStoreError.missing` when there is neither a profile nor a session of the name, `FileError`,
  ///   `RecordingError` or `DatabaseError` when something cannot be read, or what `sink` or `report` throws.
  /// - Complexity: O(bytes) time; the memory depends on the number of sessions alone.
  func export(
    personNamed name: String, to sink: inout some DataSink, _ report: (WorkProgress) throws -> Void
  ) throws -> PersonExportReport {
    let store = ProfileStore(dataFolder: dataFolder)
    let hasProfile = try FileSystem.has(store.path(of: name))
    if !hasProfile, let problem = try store.profiles().problems.first {
      throw RecordingError(path: store.folder.path, problem: "a profile cannot be read: \(problem)")
    }
    let keys = try keys(ofPersonNamed: name)
    let sessions = try sessionNames(of: keys).filter {
      try FileSystem.hasFolder(SessionFolder.path(of: $0, in: dataFolder))
    }
    guard hasProfile || !sessions.isEmpty else { throw ProfileStoreError.missing(name) }
    let marks = Set(try SessionMark.all(in: dataFolder))
    try sink.add(Array(PersonExportReadMe.text.utf8), as: "README.txt")
    if hasProfile { try sink.add(fileAt: store.path(of: name), as: "profile.json") {} }
    var entries: [String: SessionEntry] = [:]
    for entry in try self.sessions(Filter(), person: keys.value) { entries[entry.sessionID] = entry }
    try sink.add(SessionTable.csv(sessions.map { ($0, entries[$0]) }), as: "sessions.csv")
    try sink.add(folder: SessionFolder.sessions)
    var leftOut: [LeftOutPart] = []
    for (done, sessionID) in sessions.enumerated() {
      try add(
        session: SessionFolder.path(of: sessionID, in: dataFolder), as: SessionFolder.sessions + "/" + sessionID,
        calling: name, to: &sink, &leftOut
      ) { try report(WorkProgress(done: done, total: sessions.count)) }
      try report(WorkProgress(done: done + 1, total: sessions.count))
    }
    return PersonExportReport(
      sessions: sessions.count, unfinished: sessions.filter { marks.contains($0) }, leftOut: leftOut)
  }

  /// Gives the folder of a session, with what goes along of it, to `sink`; what has just been deleted is left out.
  ///
  /// - Parameter onPiece: called before each piece of a file.
  private func add(
    session folder: StoredPath, as name: String, calling person: String, to sink: inout some DataSink,
    _ leftOut: inout [LeftOutPart], _ onPiece: () throws -> Void
  ) throws {
    guard let carried = try CarriedFiles.ofFolder(ifPresent: folder) else { return }
    try sink.add(folder: name)
    leftOut += carried.leftOut.map { $0.below(name) }
    for part in carried.parts {
      let path = folder + "/" + part.name
      guard let size = part.size else {
        try sink.add(folder: name + "/" + part.name)
        continue
      }
      do {
        if part.name == SessionFolder.manifest, size <= Self.largestManifest, let text = try manifest(path, person) {
          try sink.add(text, as: name + "/" + part.name)
        } else {
          try sink.add(fileAt: path, as: name + "/" + part.name, onPiece)
        }
      } catch let error as FileError where error.isMissing && error.path == path.path {
        // Nothing of it has been written then.
      }
    }
  }

  /// A manifest that calls the person by the name of today; `nil` where it does so already, or calls nobody.
  private func manifest(_ path: StoredPath, _ person: String) throws -> [UInt8]? {
    let text = try POSIXFile(reading: path).readAll(maximumBytes: Self.largestManifest)
    return ManifestName.text(text.span, calling: person)
  }
}
