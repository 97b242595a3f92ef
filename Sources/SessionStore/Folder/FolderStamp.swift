private import Glibc
package import TextFormats

/// Which folder is at a path, so that another one that has taken its place is distinguished from it.
package struct FolderStamp: Hashable, Sendable {
  private let device: UInt
  private let number: UInt
  /// When its name, or a name in it, was changed last.
  private let changedSeconds: Int
  private let changedNanoseconds: Int

  /// The folder at a place; `nil` when there is none: nothing, a link or something else.
  ///
  /// - Throws: `FileError` with `inspect` when that cannot be found out.
  package static func of(_ place: StoredPath) throws(FileError) -> FolderStamp? {
    do throws(FileError) {
      return try place.resolved(.inspect) { folder, name throws(FileError) in
        var info = stat()
        guard unsafe fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW) == 0 else {
          throw FileError(.inspect, place.path, code: errno)
        }
        return FileStatus(info).isFolder ? FolderStamp(info) : nil
      }
    } catch  where error.isMissing {
      return nil
    }
  }

  private init(_ info: stat) {
    device = UInt(info.st_dev)
    number = UInt(info.st_ino)
    changedSeconds = info.st_ctim.tv_sec
    changedNanoseconds = info.st_ctim.tv_nsec
  }
}
