package import Glibc

/// The size and the kind of a file.
package struct FileStatus: Hashable, Sendable {
  /// The size in bytes.
  package let size: Int
  /// What it is, one of `S_IFMT`.
  private let format: mode_t
  /// Whether it is a file with other names, hard links, which may lie anywhere.
  package let hasOtherNames: Bool
  /// Whether it belongs to the user who runs the program.
  package let isOfUser: Bool
  /// Whether others than the owner have any permission.
  package let isReadableByOthers: Bool
  /// When the content was changed last, in whole seconds since the Unix epoch.
  package let modifiedSeconds: Int64

  /// Whether it is a folder.
  package var isFolder: Bool { format == S_IFDIR }
  /// Whether it is a pipe, which can be opened and read only once.
  package var isPipe: Bool { format == S_IFIFO }
  /// Whether it is a file with a content of its own: no folder, pipe or device.
  package var isRegular: Bool { format == S_IFREG }
  /// Whether it is a symbolic link; of one that is followed, the file it leads to is described instead.
  package var isLink: Bool { format == S_IFLNK }

  /// What it is, in plain words: `a symbolic link`, `a pipe`, `a file`.
  package var kind: String {
    switch format {
    case S_IFDIR: "a folder"
    case S_IFIFO: "a pipe"
    case S_IFREG: "a file"
    case S_IFLNK: "a symbolic link"
    case S_IFSOCK: "a socket"
    default: "a device"
    }
  }

  /// Why it is no file that coach keeps anything in, as a code of ``FileError``; `nil` when it may be one.
  package func problem(isOwned: Bool) -> Int32? {
    if isLink { return FileError.symbolicLink }
    if !isRegular { return FileError.noRegularFile }
    return isOwned && !isOfUser ? FileError.foreignOwner : nil
  }

  /// Why coach writes nothing into it, as a code of ``FileError``; `nil` when it may. What has another name would change there.
  package func problemOfWriting(isOwned: Bool) -> Int32? {
    problem(isOwned: isOwned) ?? (hasOtherNames ? FileError.hardLink : nil)
  }

  /// What the system says of what is at a path, or of the link that is; `nil` when nothing is.
  package init?(ofLinkOrFile path: String) throws(FileError) {
    var info = stat()
    guard unsafe lstat(path.systemPath, &info) == 0 else {
      if errno == ENOENT { return nil }
      throw FileError(.inspect, path, code: errno)
    }
    self.init(info)
  }

  /// Takes what the system says.
  package init(_ info: stat) {
    size = Int(info.st_size)
    format = info.st_mode & S_IFMT
    hasOtherNames = format == S_IFREG && info.st_nlink > 1
    isOfUser = info.st_uid == geteuid()
    isReadableByOthers = info.st_mode & 0o077 != 0
    modifiedSeconds = Int64(info.st_mtim.tv_sec)
  }
}
