internal import SessionStore
package import TextFormats
internal import WorkoutExports

extension HistoryWorker {
  /// A session in a format, in a file without a name; `nil` when the session is gone.
  func exported(
    _ entry: SessionEntry, as format: ExportChoice, hidingEndsWithin radius: PrivacyRadius?
  ) throws -> SessionExport? {
    let folder = SessionFolder.path(of: entry.sessionID, in: dataFolder)
    do {
      let session = try SessionFolderRecording(path: folder)
      let file = try TemporaryFile(to: "hold an export")
      let hidden: Int
      var losses: [String] = []
      if let format = format.workoutFormat {
        let workout = try ExportedWorkout(session)
        let (shown, count) = try radius.map { try workout.hidingEnds(within: $0) } ?? (workout, 0)
        losses = try format.write(shown) { try file.append($0) }.all.map { "\(format.rawValue) \($0.sentence)" }
        hidden = count
      } else {
        hidden = try WorkoutDocument(session, calling: entry.person, privacy: radius).write { try file.append($0) }
      }
      if let radius { losses.insert(radius.sentence(hiding: hidden), at: 0) }
      return SessionExport(
        file: file, name: format.fileName(of: session.manifest, person: entry.person), losses: losses)
    } catch let error as FileError where error.isMissing && FileSystem.lacksFolder(folder) {
      return nil
    }
  }
}

/// A session as a file for other programs.
package struct SessionExport: Sendable {
  /// The file.
  package let file: TemporaryFile
  /// What it is called.
  package let name: String
  /// What is not in it, a sentence each, as `coach export` reports it.
  package let losses: [String]
}
