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
      for name in try FileSystem.listIfPresent(dataFolder + folder) {
        guard let status = try FileSystem.status(dataFolder + folder + "/" + name) else { continue }
        if status.isFolder, isFolder(name), status.isOfUser { continue }
        let problem = status.problem(isOwned: true)
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
    try look("importing", { ImportLock.names.contains($0) }, orFolder: { SessionFolder.isName($0) })
    try look("deleted", { _ in false }, orFolder: { SessionFolder.isName($0) })
    try look("profiles", isProfile)
    try look("renaming", isProfile)
    try look("erasing", { (TemporaryName.final(of: $0) ?? $0) == Self.erasure })
    return findings
  }
}
