import Glibc
import SessionStore
import TextFormats

/// Where sessions are kept.
enum DataFolder {
  /// The folder that was asked for, else `COACH_DATA_DIR`, `$XDG_DATA_HOME/coach` or `~/.local/share/coach`. It need not be
  /// there yet.
  ///
  /// - Throws: `CommandFailure` when nothing names a folder, `FileError` when what is there is none of coach's.
  static func path(_ option: String?) throws -> StoredPath { try DataFolderMark.check(chosen(option)) }

  /// The same for who asks what is kept, or keeps something: a file in its place is refused, and not taken for a folder without anything.
  ///
  /// - Throws: as ``path(_:)``.
  static func keptPath(_ option: String?) throws -> StoredPath {
    let path = try path(option)
    guard let status = try FileSystem.status(path.root), !status.isFolder else { return path }
    throw FileError(.keepData, path.path, code: FileError.noFolder)
  }

  /// Whether somebody said which folder it is.
  static func isChosen(_ option: String?) -> Bool { option != nil || environment("COACH_DATA_DIR") != nil }

  private static func chosen(_ option: String?) throws -> String {
    if let option { return option }
    if let folder = environment("COACH_DATA_DIR") { return folder }
    if let folder = environment("XDG_DATA_HOME") { return folder + "/coach" }
    if let home = environment("HOME") { return home + "/.local/share/coach" }
    throw CommandFailure("no folder for the data: expected --data-dir, COACH_DATA_DIR or HOME", .cannotCreate)
  }

  /// A variable of the environment that is not empty.
  static func environment(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    let text = unsafe FileName.text(cString: value)
    return text.isEmpty ? nil : text
  }
}
