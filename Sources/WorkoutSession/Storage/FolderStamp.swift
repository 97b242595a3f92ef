private import Glibc

/// Which folder is at a path, so that another one that has taken its place is told from it.
struct FolderStamp: Hashable, Sendable {
  private let device: UInt
  private let number: UInt
  /// When its name, or a name in it, was changed last.
  private let changedSeconds: Int
  private let changedNanoseconds: Int

  /// The folder at a path; `nil` when there is none: nothing, a link or something else.
  ///
  /// - Throws: `FileError` with `inspect` when that cannot be told.
  static func of(_ path: String) throws(FileError) -> FolderStamp? {
    var info = stat()
    guard unsafe lstat(path, &info) == 0 else {
      let error = FileError(.inspect, path, code: errno)
      guard error.isMissing else { throw error }
      return nil
    }
    return info.st_mode & S_IFMT == S_IFDIR ? FolderStamp(info) : nil
  }

  private init(_ info: stat) {
    device = UInt(info.st_dev)
    number = UInt(info.st_ino)
    changedSeconds = info.st_ctim.tv_sec
    changedNanoseconds = info.st_ctim.tv_nsec
  }
}
