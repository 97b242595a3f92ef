import SessionStore
import TextFormats

/// The file that a command is asked to write.
enum OutputFile {
  /// Refuses a path that is taken, unless what is there is a file that is to be replaced. A symbolic link is never followed
  /// nor replaced, wherever it leads: `/dev/stdout` is one. A hyphen, which is the standard output elsewhere, is no name of a
  /// file.
  ///
  /// A data folder has only what coach keeps there, so that nothing in it is replaced, and nothing added that a check would find.
  ///
  /// The folder is looked at too: what is refused in the end was simulated for minutes else.
  ///
  /// - Throws: `CommandFailure` when it is taken or in a data folder, `FileError` when that cannot be found out, or when nothing can be
  ///   made in its folder.
  static func check(_ path: String, isReplaced: Bool) throws {
    // A verb that can write to the standard output does not ask about a file.
    guard path != "-" else {
      throw CommandFailure("-: the standard output is not written here: expected the name of a file", .usage)
    }
    try requireOutsideOfData(path)
    guard !FileSystem.isLink(path) else {
      throw CommandFailure("\(path): a symbolic link: expected the name of a file", .cannotCreate)
    }
    let status: FileStatus?
    do throws(FileError) {
      status = try FileSystem.status(path)
    } catch {
      throw FileError(.create, path, code: error.code)
    }
    guard let status else { return try PendingFile.requireFolder(for: path) }
    guard status.isRegular else {
      throw CommandFailure("\(path): a folder or a device: expected the name of a file", .cannotCreate)
    }
    guard isReplaced else {
      throw CommandFailure("\(path): is there already: expected another name, or --force", .cannotCreate)
    }
    try PendingFile.requireFolder(for: path)
  }

  /// Refuses a path in a data folder, whatever links lead there.
  ///
  /// - Throws: `CommandFailure` for one.
  static func requireOutsideOfData(_ path: String) throws(CommandFailure) {
    guard let folder = DataFolderMark.folder(around: path) else { return }
    throw CommandFailure(
      "\(path): lies in the data folder \(folder): expected the name of a file outside of it", .cannotCreate)
  }
}
