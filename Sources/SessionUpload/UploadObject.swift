package import SessionStore
package import TextFormats
internal import WorkoutSession

/// A file of a session as an object of a store.
package struct UploadObject: Hashable, Sendable {
  /// What a file is kept as. The log of steps and that of heart rates are kept twice: for the session, and for the person.
  package enum Role: Hashable, Sendable {
    /// The steps of a person.
    case steps
    /// The heart rates of a person.
    case heartRate
    /// A file of a session's folder.
    case file(String)

    /// How it is written in the list of what is pending.
    var text: String {
      switch self {
      case .steps: "step"
      case .heartRate: "heartrate"
      case .file(let name): "sessions/" + name
      }
    }
  }

  /// The session.
  package let sessionID: String
  /// What the file is kept as.
  package let role: Role
  /// The name of the object, the prefix of the destination included.
  package let key: String
  /// The file.
  package let path: StoredPath
  /// Its bytes when it was looked at.
  package let size: Int

  /// The file as messages name it, without the person.
  package var name: String {
    switch role {
    case .steps: SessionFolder.log(of: .steps)
    case .heartRate: SessionFolder.log(of: .heartRate)
    case .file(let name): name
    }
  }

  /// What the content is, for those who download it.
  var type: String {
    let name = path.name
    if name.hasSuffix(".csv") { return "text/csv" }
    if name.hasSuffix(".jsonl") { return "application/x-ndjson" }
    return name.hasSuffix(".json") ? "application/json" : "application/octet-stream"
  }

  /// The objects of a session in the order in which they are sent: the logs of the person, then the folder, whose
  /// manifest is the last. So a session whose manifest is in the store is there whole.
  ///
  /// - Returns: the objects, and what in the folder is none; see ``CarriedFiles``.
  /// - Throws: `FileError` when the folder cannot be looked at, `RecordingError` when its manifest cannot be used.
  package static func all(
    ofSession sessionID: String, in dataFolder: StoredPath, to destination: UploadDestination
  ) throws -> (objects: [UploadObject], leftOut: [LeftOutPart]) {
    let folder = SessionFolder.path(of: sessionID, in: dataFolder)
    let person = ObjectKey.person(try SessionFolderRecording(path: folder).manifest.who)
    let name = ObjectKey.part(sessionID)
    var (logs, files, manifest): ([UploadObject], [UploadObject], [UploadObject]) = ([], [], [])
    let carried = try CarriedFiles(in: folder)
    for part in carried.parts {
      guard let size = part.size else { continue }
      let key = part.name.split(separator: "/").map { ObjectKey.part(String($0)) }.joined(separator: "/")
      let whole = UploadObject(
        sessionID: sessionID, role: .file(part.name), key: destination.prefix + "sessions/\(name)/\(key)",
        path: folder + "/" + part.name, size: size)
      switch part.name {
      case SessionFolder.manifest: manifest.append(whole)
      case SessionFolder.log(of: .steps):
        logs.append(whole.kept(as: .steps, destination.prefix + "step/\(person)/\(name).csv"))
        files.append(whole)
      case SessionFolder.log(of: .heartRate):
        logs.append(whole.kept(as: .heartRate, destination.prefix + "heartrate/\(person)/\(name).csv"))
        files.append(whole)
      default: files.append(whole)
      }
    }
    return (logs + files + manifest, carried.leftOut)
  }

  /// The same file under another key.
  private func kept(as role: Role, _ key: String) -> UploadObject {
    UploadObject(sessionID: sessionID, role: role, key: key, path: path, size: size)
  }
}
