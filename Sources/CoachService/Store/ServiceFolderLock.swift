internal import Glibc
internal import SessionStore
internal import Synchronization
package import TextFormats

/// The right to serve a data folder: the file `service.lock` in it, which one process holds for as long as it serves.
///
/// A second service of the folder would know nothing of what is live at the first, answer that it is not there, and take it for
/// silent. The lock goes with the process, however that ends. The verbs that work beside a service do not ask for it, and
/// instances of several, which share a database, have a folder each.
package final class ServiceFolderLock: Sendable {
  /// The name of the file in the data folder.
  package static let fileName = "service.lock"
  /// How long a process is waited for that has just ended, or is just being started and has the file for a moment.
  private static let waitMilliseconds: Int32 = 500
  private static let largestNote = 1 << 10

  /// Another service has the folder.
  package struct Held: Error, Hashable, Sendable, CustomStringConvertible {
    /// The folder.
    package let path: String
    /// Which process has it, and where that is reached; absent while it has not said so.
    package let holder: Holder?

    /// One line.
    package var description: String {
      let who = holder.map { " (process \($0.process), \($0.url))" } ?? ""
      return "\(path): another coach serve has this folder\(who): expected that one to end, or another --data-dir"
    }
  }

  /// Who has a folder.
  package struct Holder: Hashable, Sendable {
    /// The number of the process.
    package let process: Int32
    /// Where it listens.
    package let url: String

    /// Reads what a holder has noted; `nil` for anything else.
    init?(_ note: String) {
      let words = note.split(separator: "\n", maxSplits: 1).first?.split(separator: " ") ?? []
      guard words.count == 2, let process = Int32(words[0]), process > 0, let url = PublicURL(String(words[1])) else {
        return nil
      }
      self.process = process
      self.url = url.text
    }
  }

  private let file: Mutex<POSIXFile>

  private init(_ file: sending POSIXFile) { self.file = Mutex(file) }

  /// Takes the folder for this process.
  ///
  /// - Throws: ``Held`` when another service has it; `FileError` when the file cannot be made.
  package static func take(_ dataFolder: StoredPath) throws -> ServiceFolderLock {
    try DataFolderMark.make(dataFolder)
    let place = dataFolder + "/" + fileName
    let file = try POSIXFile(writing: place, .inPlace)
    guard try file.lock(waitingMilliseconds: waitMilliseconds) else {
      let note = try? POSIXFile(reading: place).readAll(maximumBytes: largestNote)
      throw Held(path: dataFolder.path, holder: note.flatMap { Holder(String(decoding: $0, as: UTF8.self)) })
    }
    // What one that is gone has noted holds no longer.
    try file.truncate(to: 0)
    return ServiceFolderLock(file)
  }

  /// Notes where this process is reached, for whoever finds the folder taken. A disk that has no room for that is no reason not
  /// to serve.
  package func note(url: String) {
    let note = Array("\(getpid()) \(url)\n".utf8)
    file.withLock { file in _ = try? file.write(note.span, at: 0) }
  }

  /// Gives the folder back.
  package func release() { file.withLock { $0.unlock() } }
}
