import Recordings
import SessionStore
import TextFormats
import WorkoutSession

/// What a path leads to, recognised by its content.
enum RecordingKind {
  case session, scenario, recording

  /// Looks at a path.
  ///
  /// - Throws: `FileError` when there is nothing or it cannot be read, `CommandFailure` for a folder of something else.
  init(of path: String) throws {
    if try FileSystem.hasFolder(path) {
      guard try SessionFolder.hasSession(path) else {
        throw CommandFailure("\(path): a folder without \(SessionFolder.manifest): expected a session", .unusableData)
      }
      self = .session
      return
    }
    let beginning = try FileSystem.beginning(of: path, count: RecordingFormat.beginningBytes) ?? []
    let first = beginning.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    // What Health Auto Export writes is a JSON object too, and so is what other programs do, which is refused by its name.
    let isScenario =
      first == UInt8(ascii: "{") && RecordingFormat(beginning: beginning.span) != .healthAutoExport
      && !ForeignFormat.isExport(object: beginning.span)
    self = isScenario ? .scenario : .recording
  }
}
