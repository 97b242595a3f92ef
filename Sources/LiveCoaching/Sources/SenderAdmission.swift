package import TextFormats

/// Who may send commands to a live session over a socket.
package enum CommandRights: String, CaseIterable, Hashable, Sendable {
  /// Nobody.
  case none
  /// The user who runs the coach, from this machine, and who knows the secret.
  case owner
  /// Every sender.
  case all
}

/// What a sender over a socket has to know, and what it may do.
package struct SocketAccess: Sendable {
  /// The first line of every sender; absent where none is asked for.
  package let secret: Secret?
  /// Who may send commands.
  package let commands: CommandRights

  /// Creates an access.
  package init(secret: Secret?, commands: CommandRights) {
    self.secret = secret
    self.commands = commands
  }
}

/// Looks at the first line of a sender, which has to be the secret where there is one.
///
/// It is pure: bytes go in, and what may be used of them comes out.
struct SenderAdmission {
  /// What became of some bytes.
  enum Outcome: Equatable {
    /// The first line is not whole.
    case waiting
    /// The sender is in; what came behind the secret.
    case admitted([UInt8])
    /// The first line is another.
    case refused
  }

  private let secret: Secret?
  private var firstLine: [UInt8] = []
  private(set) var isAdmitted: Bool

  /// A sender of whom nothing is known.
  init(_ secret: Secret?) {
    self.secret = secret
    isAdmitted = secret == nil
  }

  /// Takes the next bytes of a sender.
  mutating func take(_ bytes: [UInt8]) -> Outcome {
    guard !isAdmitted, let secret else { return .admitted(bytes) }
    let expected = Array(secret.text.utf8)
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else {
      firstLine += bytes
      // A carriage return may stand behind it.
      return firstLine.count > expected.count + 1 ? .refused : .waiting
    }
    firstLine += bytes[..<end]
    if firstLine.last == UInt8(ascii: "\r") { firstLine.removeLast() }
    guard Self.areEqual(firstLine, expected) else { return .refused }
    isAdmitted = true
    return .admitted(Array(bytes[(end + 1)...]))
  }

  /// Compares in constant time, so that the time does not reveal how many bytes match.
  private static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

extension Secret {
  /// Reads a secret: the only line of a file that is for its owner alone.
  ///
  /// - Parameter what: what it is, such as `the secret of the senders`.
  /// - Throws: `FileError` when it cannot be read, `RecordingError` when others may read it or it is no secret.
  package init(file path: String, of what: String) throws {
    let file = try POSIXFile(reading: path)
    guard try !file.status().isReadableByOthers else {
      throw RecordingError(path: path, problem: "others may read it: expected a file for its owner alone (chmod 600)")
    }
    var bytes = TextMark.dropped(from: try file.readAll(maximumBytes: 4_096))
    if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    guard (8...1_024).contains(bytes.count), bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
      throw RecordingError(path: path, problem: "expected one line of 8 to 1024 bytes, \(what)")
    }
    self.init(String(decoding: bytes, as: UTF8.self))
  }
}
