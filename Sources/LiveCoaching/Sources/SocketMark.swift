private import Glibc
internal import TextFormats

/// The path of a socket that this process made, and the file beside it, `PATH.coach`, that says which one that was.
///
/// A process that is killed leaves both. By the file the next one knows that the socket is coach's; every other thing at the
/// path stays where it is.
struct SocketMark {
  private let path: String
  private let identity: PathIdentity

  /// Notes a socket that has just been made. Where that cannot be kept, nobody takes its path after a kill.
  init?(made path: String) {
    guard let identity = PathIdentity(path) else { return nil }
    self.path = path
    self.identity = identity
    let note = Self.note(of: path)
    if Self.noted(at: note) != nil { try? FileSystem.remove(note) }
    guard let file = try? POSIXFile(writing: note, .exclusive) else { return }
    let text = Array((identity.text + "\n").utf8)
    try? file.write(text.span)
  }

  /// Removes the socket and its note, unless something else has the path by now.
  func remove() {
    guard PathIdentity(path) == identity else { return }
    _ = unsafe unlink(path.systemPath)
    let note = Self.note(of: path)
    if Self.noted(at: note) == identity.text { try? FileSystem.remove(note) }
  }

  /// Removes a socket at which nobody listens when a process of coach's has made it; nothing for anything else.
  static func removeLeftover(_ path: String) {
    let note = note(of: path)
    guard let identity = PathIdentity(path), identity.isSocket, noted(at: note) == identity.text else { return }
    _ = unsafe unlink(path.systemPath)
    try? FileSystem.remove(note)
  }

  private static func note(of path: String) -> StoredPath {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return StoredPath(folder: FileSystem.folder(of: path)) + (name + ".coach")
  }

  /// What a note of this user's says; `nil` where there is none.
  private static func noted(at note: StoredPath) -> String? {
    guard let file = try? POSIXFile(reading: note), let status = try? file.status(), status.isOfUser,
      let bytes = try? file.readAll(maximumBytes: 256), bytes.last == UInt8(ascii: "\n"),
      case let text = String(decoding: bytes.dropLast(), as: UTF8.self), text.hasPrefix(PathIdentity.beginning)
    else { return nil }
    return text
  }
}

/// What distinguishes a file from another one that gets its path.
private struct PathIdentity: Equatable {
  static let beginning = "socket "

  /// Its device, its number there and when it was changed last, in one line.
  let text: String
  let isSocket: Bool

  /// Of what is at a path, links not followed; `nil` where nothing is.
  init?(_ path: String) {
    var facts = stat()
    guard unsafe lstat(path.systemPath, &facts) == 0 else { return nil }
    isSocket = facts.st_mode & S_IFMT == S_IFSOCK
    text = Self.beginning + "\(facts.st_dev) \(facts.st_ino) \(facts.st_ctim.tv_sec).\(facts.st_ctim.tv_nsec)"
  }
}
