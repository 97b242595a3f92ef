/// A key.
enum Key: Hashable, Sendable {
  /// A character of ASCII; letters are small ones.
  case character(Character)
  /// The return key.
  case enter
  /// The escape key, alone.
  case escape
  /// An arrow upwards.
  case up
  /// An arrow downwards.
  case down
}

/// Makes keys of what a terminal sends.
enum KeyReader {
  /// The keys of some bytes; what is no known key is left out. A sequence of an arrow comes in one piece.
  static func keys(_ bytes: [UInt8]) -> [Key] {
    var keys: [Key] = []
    var rest = bytes[...]
    while let byte = rest.popFirst() {
      switch byte {
      case 0x1B:
        guard let second = rest.first, second == UInt8(ascii: "[") || second == UInt8(ascii: "O") else {
          keys.append(.escape)
          continue
        }
        rest.removeFirst()
        // Parameters, then one final byte.
        let final = rest.firstIndex { (0x40...0x7E).contains($0) }
        if let final {
          if rest[final] == UInt8(ascii: "A") { keys.append(.up) }
          if rest[final] == UInt8(ascii: "B") { keys.append(.down) }
          rest = rest[(final + 1)...]
        } else {
          rest = []
        }
      case 0x0A, 0x0D: keys.append(.enter)
      case 0x20...0x7E: keys.append(.character(Character(Character(Unicode.Scalar(byte)).lowercased())))
      default: continue
      }
    }
    return keys
  }
}
