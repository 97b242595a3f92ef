import Foundation
import Glibc
import Testing

/// What somebody puts under a name of coach's.
enum PlantedThing: String, CaseIterable, CustomTestStringConvertible {
  case linkToFolder, linkToFile, hardLink, pipe, socket, folder, foreignOwner

  var testDescription: String { rawValue }

  /// Another user than the one who runs the tests.
  private static let otherUser: uid_t = 65_534

  /// Only root can give a file to somebody else.
  static var possible: [PlantedThing] { geteuid() == 0 ? allCases : allCases.filter { $0 != .foreignOwner } }

  /// Puts it at a path instead of what is there; a folder has a photo in it. What belongs to somebody else keeps its content.
  func plant(at path: String, outside: OutsideWorld) throws {
    if self == .foreignOwner {
      if !FileManager.default.fileExists(atPath: path) { try Data("x\n".utf8).write(to: URL(fileURLWithPath: path)) }
      try #require(unsafe chown(path, Self.otherUser, Self.otherUser) == 0)
      return
    }
    try? FileManager.default.removeItem(atPath: path)
    switch self {
    case .linkToFolder: try #require(unsafe symlink(outside.folder, path) == 0)
    case .linkToFile: try #require(unsafe symlink(outside.folder + "/diary.txt", path) == 0)
    case .hardLink: try #require(unsafe link(outside.folder + "/diary.txt", path) == 0)
    case .pipe: try #require(unsafe mkfifo(path, 0o600) == 0)
    case .socket: try #require(unsafe mknod(path, S_IFSOCK | 0o600, 0) == 0)
    case .folder:
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      try Data("photo".utf8).write(to: URL(fileURLWithPath: path + "/photo.jpg"))
    case .foreignOwner: break
    }
  }
}

/// A folder beside the data folder, in which nothing may change.
struct OutsideWorld {
  let folder: String

  /// One that is there.
  init(existing folder: String) { self.folder = folder }

  /// Makes it, with names of coach's own among the others.
  init(at folder: String, sessionID: String) throws {
    self.folder = folder
    for part in ["", "/photos", "/" + sessionID, "/sessions/" + sessionID] {
      try FileManager.default.createDirectory(atPath: folder + part, withIntermediateDirectories: true)
    }
    let files = [
      "diary.txt", "photos/one.jpg", "\(sessionID)/manifest.json", "\(sessionID)/heart_rate.csv", "manifest.json",
      "heart_rate.csv", "lock", "erasure", "anna.json", "sessions/\(sessionID)/summary.json",
    ]
    for file in files { try Data("secret of \(file)".utf8).write(to: URL(fileURLWithPath: folder + "/" + file)) }
  }

  /// Every name with its kind, permissions, owner, time and content.
  func state() throws -> [String] {
    let names = try #require(FileManager.default.enumerator(atPath: folder)).compactMap { $0 as? String }
    return try (names + ["."]).sorted().map { name in
      var facts = stat()
      try #require(unsafe lstat(folder + "/" + name, &facts) == 0)
      let content = (try? Data(contentsOf: URL(fileURLWithPath: folder + "/" + name))).map { $0.base64EncodedString() }
      let time = "\(facts.st_mtim.tv_sec).\(facts.st_mtim.tv_nsec)"
      return "\(name) \(facts.st_ino) \(facts.st_mode) \(facts.st_uid) \(time) \(content ?? "")"
    }
  }
}
