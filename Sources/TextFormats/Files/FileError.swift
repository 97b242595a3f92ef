private import Glibc

/// Why something could not be done with a file.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was tried.
  public enum Operation: String, Hashable, Sendable {
    /// Opening a file to read it.
    case openForReading = "cannot read"
    /// Listing a folder, or asking about a file.
    case inspect = "cannot look at"
    /// Creating a file, or opening it to append.
    case create = "cannot create"
    /// Creating a folder.
    case createFolder = "cannot create the folder"
    /// Giving a file its final name.
    case rename = "cannot rename"
    /// Deleting a file or a folder.
    case remove = "cannot remove"
    /// Reading bytes of an open file.
    case read = "reading failed"
    /// Writing bytes to an open file.
    case write = "writing failed"
    /// Taking a folder for the data folder.
    case keepData = "cannot keep data there"
    /// Making sure that what was written is on the disk.
    case sync = "writing to disk failed"
    /// Waiting for connections.
    case listen = "cannot listen"
    /// Starting a program.
    case start = "cannot start"
    /// Closing a file.
    case close = "closing failed"
  }

  /// What was tried.
  public let operation: Operation
  /// The file or folder.
  public let path: String
  /// The error number of the system, or one of our own below 0.
  public let code: Int32
  /// The most bytes that are read of such a file, where that is what is wrong.
  private let mostBytes: Int?
  /// What a temporary file in the folder at ``path`` was for, where it is about one.
  private let use: TemporaryFile.Use?

  /// A link where none is followed.
  package static let symbolicLink: Int32 = -1
  /// What belongs to another user.
  package static let foreignOwner: Int32 = -2
  /// A pipe, a socket, a device or a folder where a file is needed.
  package static let noRegularFile: Int32 = -3
  /// Something else where a folder is needed.
  package static let noFolder: Int32 = -4
  /// A folder with content that coach did not make.
  package static let unmarkedFolder: Int32 = -5
  /// What coach has not written and does not delete.
  package static let notOurs: Int32 = -6
  /// A path for a socket that is taken already, by something that takes no connection.
  package static let nobodyListens: Int32 = -7
  /// A file with other names, hard links, under which what is written would be seen too.
  package static let hardLink: Int32 = -8

  /// Creates an error.
  package init(_ operation: Operation, _ path: String, code: Int32) {
    self.init(operation, path, code: code, mostBytes: nil, use: nil)
  }

  /// Creates an error about a file of which more is there than is read.
  package init(_ path: String, moreThan mostBytes: Int) {
    self.init(.read, path, code: EFBIG, mostBytes: mostBytes, use: nil)
  }

  private init(
    _ operation: Operation, _ path: String, code: Int32, mostBytes: Int?, use: TemporaryFile.Use?
  ) {
    self.operation = operation
    self.path = path
    self.code = code
    self.mostBytes = mostBytes
    self.use = use
  }

  /// The same error about a file that is known by another name.
  package func named(_ path: String) -> FileError {
    FileError(operation, path, code: code, mostBytes: mostBytes, use: use)
  }

  /// The same error about a temporary file, whose folder is at ``path``.
  func ofTemporaryFile(_ use: TemporaryFile.Use) -> FileError {
    FileError(operation, path, code: code, mostBytes: mostBytes, use: use)
  }

  /// The words of the system for `code`, or our own.
  public var reason: String {
    switch code {
    case Self.symbolicLink: return "a symbolic link, which is not followed here"
    case Self.foreignOwner: return "it belongs to another user"
    case Self.noRegularFile: return "expected a regular file"
    case Self.noFolder: return "expected a folder"
    case Self.unmarkedFolder:
      return "it holds something and no .coach: expected an empty folder, or one that coach made"
    case Self.notOurs: return "coach did not write it: expected it elsewhere"
    case Self.hardLink:
      return "it has another name too, a hard link, and is not written into: expected a copy of the folder by cp -a"
    case EXDEV: return "it is on another file system: expected all of a data folder on one"
    case Self.nobodyListens: return "something is there at which nobody listens: expected a free path"
    default: break
    }
    if let mostBytes { return "it is too large: expected at most \(mostBytes) bytes" }
    guard let text = unsafe strerror(code) else { return "error \(code)" }
    return unsafe String(cString: text)
  }

  /// Whether the file or folder, or one on the way to it, does not exist; never of a folder for temporary files, which says nothing of what
  /// was asked for.
  public var isMissing: Bool { (code == ENOENT || code == ENOTDIR) && use == nil }

  /// Whether it is what stands at the path, or who may write there, that is in the way; other paths may work all the same. Else it may
  /// be the disk, or the machine.
  package var isOfPath: Bool {
    guard use == nil else { return false }
    return code < 0 || [EISDIR, ENOTDIR, EEXIST, ENOTEMPTY, ELOOP, ENXIO, EACCES, EPERM].contains(code)
  }

  /// Whether the machine has no more open files or no memory for it, whatever the file: nothing is known of that then.
  package var isOfMachine: Bool { [EMFILE, ENFILE, ENOMEM].contains(code) }

  /// Whether the folder is not empty.
  package var isFull: Bool { code == ENOTEMPTY || code == EEXIST }

  /// Whether the file exists already.
  package var isExisting: Bool { code == EEXIST }

  /// Whether the reader of what was written is gone.
  package var isBrokenPipe: Bool { code == EPIPE }

  /// Whether something is there that is of no use, whatever is done.
  private var isUnusable: Bool {
    [EISDIR, Self.symbolicLink, Self.foreignOwner, Self.noRegularFile, Self.noFolder, Self.hardLink].contains(code)
  }

  /// 65 for a folder, a link or a pipe where a file was expected and for a file with more bytes than are read, 66 for input
  /// that is missing or cannot be read, 74 where that is the disk's or the machine's fault, 69 for a program that cannot be started or an address that is taken, 73 for output that cannot be created, 74 for
  /// the rest.
  package var exitCode: Int32 {
    switch operation {
    case .openForReading where isUnusable, .inspect where isUnusable: 65
    case .read where code == EFBIG: 65
    case .openForReading where isOfMachine || code == EIO, .inspect where isOfMachine || code == EIO: 74
    case .openForReading, .inspect: 66
    case .start, .listen: 69
    case .create, .createFolder, .rename, .keepData: 73
    case .remove, .read, .write, .sync, .close: 74
    }
  }

  /// `heart_rate.csv: cannot read: No such file or directory`; of a temporary file `TMPDIR: /nowhere: cannot create a temporary file
  /// to sort readings: No such file or directory: expected a folder to write into`.
  public var description: String {
    guard let use else { return "\(path): \(operation.rawValue): \(reason)" }
    let file = "a temporary file to \(use.purpose)"
    let problem =
      switch operation {
      case .create: "cannot create \(file)"
      case .read: "reading \(file) failed"
      default: "writing \(file) failed"
      }
    switch use.choice {
    case .variable: return "TMPDIR: \(path): \(problem): \(reason): expected a folder with room to write into"
    case .usual: return "\(path): \(problem): \(reason): TMPDIR can name another folder"
    case .given: return "\(path): \(problem): \(reason)"
    }
  }
}
