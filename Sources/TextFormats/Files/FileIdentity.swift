private import Glibc

/// Which file a path leads to, whatever the path is and whichever links are on the way.
package struct FileIdentity: Hashable, Sendable {
  private let device: UInt
  private let number: UInt
  /// The name in that folder of a file that is not there; `nil` of one that is.
  private let name: String?

  /// Whether there is such a file.
  package var isThere: Bool { name == nil }

  /// The file at a path, or the one that would be made there; `nil` where a folder is, or nothing can be found out.
  package init?(_ path: String) {
    if let facts = Self.facts(path) {
      guard facts.st_mode & S_IFMT != S_IFDIR else { return nil }
      self.init(facts, name: nil)
    } else {
      guard let folder = Self.facts(FileSystem.folder(of: path)) else { return nil }
      self.init(folder, name: FileSystem.name(of: path))
    }
  }

  private init(_ facts: stat, name: String?) {
    device = UInt(facts.st_dev)
    number = UInt(facts.st_ino)
    self.name = name
  }

  private static func facts(_ path: String) -> stat? {
    guard !path.utf8.contains(0) else { return nil }
    var facts = stat()
    return unsafe fstatat(AT_FDCWD, path.systemPath, &facts, 0) == 0 ? facts : nil
  }
}
