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
    findings += try strangers(inSessionsOf: "importing")
    try look("deleted", { _ in false }, orFolder: { SessionFolder.isName($0) })
    // What stands in the way of a deletion that was decided.
    findings += try strangers(inSessionsOf: "deleted")
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

  /// What is nothing that coach wrote in the folders of sessions that are in a folder; nothing where one has just gone, or is none.
  private func strangers(inSessionsOf parent: String) throws(FileError) -> [HistoryFinding] {
    var findings: [HistoryFinding] = []
    for name in try FileSystem.listIfPresent(dataFolder + "/" + parent) where SessionFolder.isName(name) {
      let path = parent + "/" + name
      guard try FileSystem.status(dataFolder + "/" + path)?.isFolder == true else { continue }
      do throws(FileError) {
        for stranger in try SessionFolder.strangers(in: dataFolder + "/" + path) {
          let subject = path + "/" + stranger.name
          let isOfOther = stranger.code == FileError.foreignOwner
          let detail = isOfOther ? FileError(.inspect, subject, code: stranger.code).reason : ""
          findings.append(HistoryFinding(kind: .foreign, subject: subject, detail: detail))
        }
      } catch  where error.isMissing || error.isOfPath {
        // One that cannot be opened is a finding itself.
      }
    }
    return findings
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
