private import Glibc

/// Which file it is, however its path is spelt: two paths lead to one file where it is the same.
package struct FileIdentity: Hashable, Sendable {
  private let device: UInt
  private let number: UInt

  /// What a path leads to, behind links; `nil` where nothing is, or it cannot be found out.
  package init?(of path: String) {
    var facts = stat()
    guard !path.utf8.contains(0), unsafe fstatat(AT_FDCWD, path.systemPath, &facts, 0) == 0 else { return nil }
    device = UInt(facts.st_dev)
    number = UInt(facts.st_ino)
  }
}
