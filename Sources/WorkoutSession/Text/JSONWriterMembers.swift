extension JSONWriter {
  /// Writes a member with a string; nothing when it is absent.
  package mutating func member(_ key: String, _ value: String?) {
    guard let value else { return }
    self.key(key)
    self.value(value)
  }

  /// Writes a member with a whole number; nothing when it is absent.
  package mutating func member(_ key: String, _ value: Int?) {
    guard let value else { return }
    self.key(key)
    self.value(value)
  }

  /// Writes a member with a whole number; nothing when it is absent.
  package mutating func member(_ key: String, _ value: Int64?) {
    guard let value else { return }
    self.key(key)
    self.value(value)
  }

  /// Writes a member with a truth value; nothing when it is absent.
  package mutating func member(_ key: String, _ value: Bool?) {
    guard let value else { return }
    self.key(key)
    self.value(value)
  }

  /// Writes a member with a number; nothing when it is absent.
  ///
  /// - Precondition: the number is finite.
  package mutating func member(_ key: String, _ value: Double?) {
    guard let value else { return }
    self.key(key)
    self.value(value)
  }

  /// Writes a member with exact seconds; nothing when they are absent.
  package mutating func member(_ key: String, secondsFromNanoseconds nanoseconds: Int64?) {
    guard let nanoseconds else { return }
    self.key(key)
    value(secondsFromNanoseconds: nanoseconds)
  }

  /// Writes a member with an instant; nothing when it is absent.
  package mutating func member(_ key: String, _ value: WallClockTime?) {
    guard let value else { return }
    self.key(key)
    self.value(value)
  }

  /// Writes a member with a parsed value; nothing when it is absent.
  package mutating func member(_ key: String, _ value: JSONValue?) {
    guard let value else { return }
    self.key(key)
    self.value(value)
  }

  /// Writes a member with an object whose members `body` writes.
  package mutating func object<E>(_ key: String, _ body: (inout JSONWriter) throws(E) -> Void) throws(E) {
    self.key(key)
    try object(body)
  }

  /// Writes a member with an array whose elements `body` writes.
  package mutating func array<E>(_ key: String, _ body: (inout JSONWriter) throws(E) -> Void) throws(E) {
    self.key(key)
    try array(body)
  }

  /// Appends a JSON string: quotes, backslashes and control characters escaped, everything else as it is.
  static func appendQuoted(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    // Most texts are as they are; only one that is not is looked at byte by byte.
    let start = bytes.count
    bytes.append(contentsOf: text.utf8)
    if needsEscape(bytes.span.extracting(start..<bytes.count)) {
      bytes.removeSubrange(start...)
      appendEscaped(text, to: &bytes)
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func needsEscape(_ text: Span<UInt8>) -> Bool {
    var found = false
    for index in text.indices {
      let byte = text[index]
      found = found || byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }
    return found
  }

  private static func appendEscaped(_ text: String, to bytes: inout [UInt8]) {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0x08: bytes.append(contentsOf: "\\b".utf8)
      case 0x09: bytes.append(contentsOf: "\\t".utf8)
      case 0x0A: bytes.append(contentsOf: "\\n".utf8)
      case 0x0C: bytes.append(contentsOf: "\\f".utf8)
      case 0x0D: bytes.append(contentsOf: "\\r".utf8)
      case 0..<0x20:
        bytes.append(contentsOf: byte < 0x10 ? "\\u000".utf8 : "\\u001".utf8)
        bytes.append(contentsOf: String(byte & 0xF, radix: 16).utf8)
      default: bytes.append(byte)
      }
    }
  }
}
