internal import Recordings
internal import SessionStore
internal import TextFormats

extension HistoryFolder {
  /// What lies in the folders beside the sessions and is nothing that coach wrote; it is left alone by everything.
  ///
  /// - Throws: `FileError` when a folder cannot be listed.
  func strangers() throws(FileError) -> [HistoryFinding] {
    var findings: [HistoryFinding] = []
    func look(
      _ folder: String, _ isFile: (String) -> Bool, orFolder isFolder: (String) -> Bool = { _ in false }
    ) throws(FileError) {
      for name in try FileSystem.listIfPresent(dataFolder + "/" + folder) {
        guard let status = try FileSystem.status(dataFolder + folder + "/" + name) else { continue }
        if status.isFolder, isFolder(name), status.isOfUser { continue }
        let isOfOther = status.isFolder && isFolder(name)
        let problem = isOfOther ? FileError.foreignOwner : status.problem(isOwned: true)
        if problem == nil, isFile(name) { continue }
        let subject = folder + "/" + name
        let detail = problem.map { FileError(.inspect, subject, code: $0).reason } ?? ""
        findings.append(HistoryFinding(kind: .foreign, subject: subject, detail: detail))
      }
    }
    func isProfile(_ name: String) -> Bool {
      ProfileFileName.name(of: TemporaryName.final(of: name) ?? name) != nil
    }
    try look("unfinished", SessionMark.isName)
    try look(LiveJournal.folderName, { _ in false }, orFolder: LiveJournal.isName)
    try look(EndedInputs.folderName, EndedInputs.isName)
    try look("importing", { ImportLock.names.contains($0) }, orFolder: { SessionFolder.isName($0) })
    for name in try FileSystem.listIfPresent(dataFolder + "/importing") where SessionFolder.isName(name) {
      for stranger in try strangers(inWritten: "importing/" + name) {
        findings.append(HistoryFinding(kind: .foreign, subject: "importing/\(name)/\(stranger)", detail: ""))
      }
    }
    try look("deleted", { _ in false }, orFolder: { SessionFolder.isName($0) })
    try look("annotating", SessionFolder.isName)
    try look("profiles", isProfile)
    try look("renaming", isProfile)
    try look(MotionFolder.name, { _ in false }, orFolder: MotionFolder.isFolderName)
    for folder in try MotionFolder.folders(in: dataFolder) {
      try look(folder) { MotionFolder.isRecording(TemporaryName.final(of: $0) ?? $0) }
    }
    try look("erasing", { (TemporaryName.final(of: $0) ?? $0) == Self.erasure })
    return findings
  }

  /// What is nothing that coach wrote in the folder of a session that is being written; nothing where that has just gone, or is none.
  private func strangers(inWritten path: String) throws(FileError) -> [String] {
    guard try FileSystem.status(dataFolder + "/" + path)?.isFolder == true else { return [] }
    do throws(FileError) {
      return try SessionFolder.strangers(in: dataFolder + "/" + path)
    } catch  where error.isMissing || error.isOfPath {
      // One that cannot be opened is a finding itself.
      return []
    }
  }

  /// What a recording that coach wrote cannot have.
  private static var damage: [RecordingWarning.Kind] {
    [.unreadableRow, .unreadableValue, .outOfOrder, .tornLine, .truncated, .unreadableBytes]
  }

  /// Labelled recordings of motion that nobody could learn from, or that are damaged.
  ///
  /// - Throws: `FileError` when a folder cannot be listed.
  func unreadableMotion() throws -> [HistoryFinding] {
    var findings: [HistoryFinding] = []
    for folder in try MotionFolder.folders(in: dataFolder) {
      let names = try FileSystem.listIfPresent(dataFolder + "/" + folder).filter(MotionFolder.isRecording)
      for name in names {
        let subject = folder + "/" + name
        let place = dataFolder + "/" + subject
        guard let status = try FileSystem.status(place), status.problem(isOwned: true) == nil else { continue }
        let problem: String?
        do {
          let facts = try Recording(path: place.path).facts
          let damage = facts.warnings.first { Self.damage.contains($0.kind) }
          problem =
            facts.motionCount == 0
            ? "no motion"
            : facts.labels.changes.isEmpty ? "no label" : damage.map { "\($0.position): \($0.kind.rawValue)" }
        } catch {
          problem = "\(error)"
        }
        if let problem { findings.append(HistoryFinding(kind: .unreadable, subject: subject, detail: problem)) }
      }
    }
    return findings
  }
}
