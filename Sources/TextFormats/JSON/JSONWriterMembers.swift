extension JSONWriter {
  /// Writes a member with `null`, for what has to be there and is nothing.
  package mutating func nullMember(_ key: JSONKey) {
    self.key(key)
    null()
  }

  /// Writes a member with a string; nothing when it is absent.
  package mutating func member(_ key: JSONKey, _ value: String?) {
    guard let value else { return }
    self.key(key)
    self.value(value)
  }

  /// Writes a member with a whole number; nothing when it is absent.
  package mutating func member(_ key: JSONKey, _ value: Int?) {
    guard let value else { return }
    self.key(key)
    self.value(value)
  }

  /// Writes a member with a whole number; nothing when it is absent.
  package mutating func member(_ key: JSONKey, _ value: Int64?) {
    guard let value else { return }
    self.key(key)
    self.value(value)
  }

  /// Writes a member with a truth value; nothing when it is absent.
  package mutating func member(_ key: JSONKey, _ value: Bool?) {
    guard let value else { return }
    self.key(key)
    self.value(value)
  }

  /// Writes a member with a number; nothing when it is absent.
  ///
  /// - Precondition: the number is finite.
  package mutating func member(_ key: JSONKey, _ value: Double?) {
    guard let value else { return }
    self.key(key)
    self.value(value)
  }

  /// Writes a member with exact seconds; nothing when they are absent.
  package mutating func member(_ key: JSONKey, secondsFromNanoseconds nanoseconds: Int64?) {
    guard let nanoseconds else { return }
    self.key(key)
    value(secondsFromNanoseconds: nanoseconds)
  }

  /// Writes a member with an instant; nothing when it is absent.
  package mutating func member(_ key: JSONKey, _ value: WallClockTime?) {
    guard let value else { return }
    self.key(key)
    self.value(value)
  }

  /// Writes a member with a parsed value; nothing when it is absent.
  package mutating func member(_ key: JSONKey, _ value: JSONValue?) {
    guard let value else { return }
    self.key(key)
    self.value(value)
  }

  /// Writes a member with an object whose members `body` writes.
  package mutating func object<E>(_ key: JSONKey, _ body: (inout JSONWriter) throws(E) -> Void) throws(E) {
    self.key(key)
    try object(body)
  }

  /// Writes a member with an array whose elements `body` writes.
  package mutating func array<E>(_ key: JSONKey, _ body: (inout JSONWriter) throws(E) -> Void) throws(E) {
    self.key(key)
    try array(body)
  }

  /// Appends the key of a compact member, whose name stands in the program and needs no escapes: comma, quotes and colon with
  /// it at once, because records have many.
  static func appendKey(_ name: StaticString, isFirst: Bool, to bytes: inout [UInt8]) {
    let count = name.utf8CodeUnitCount
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count + 4) { key in
      unsafe key[0] = UInt8(ascii: ",")
      unsafe key[1] = UInt8(ascii: "\"")
      name.withUTF8Buffer { utf8 in
        for index in 0..<count { unsafe key[2 + index] = utf8[index] }
      }
      unsafe key[2 + count] = UInt8(ascii: "\"")
      unsafe key[3 + count] = UInt8(ascii: ":")
      unsafe bytes.append(contentsOf: UnsafeBufferPointer(rebasing: key.dropFirst(isFirst ? 1 : 0)))
    }
  }

  /// Appends a name that needs no escapes, in quotes.
  static func appendQuoted(_ name: StaticString, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    name.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Appends a JSON string: quotes, backslashes and every character that people would not see are escaped, so that a record
  /// can be printed on a terminal; everything else stays as it is. A byte of a file's name that is no UTF-8 is written as
  /// text, `\xff`, because JSON has nothing for it.
  static func appendQuoted(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    // Most texts are as they are; only one that is not is looked at character by character.
    var text = text
    let isPlain = text.withUTF8 { utf8 in
      let isPlain = unsafe !needsEscape(utf8)
      if isPlain { unsafe bytes.append(contentsOf: utf8) }
      return isPlain
    }
    if !isPlain { appendEscaped(text, to: &bytes) }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Whether there is a quote, a backslash, a control character or anything that is no ASCII; eight bytes at a time, because
  /// every text is looked at.
  private static func needsEscape(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let bytes = UnsafeRawBufferPointer(text)
    var found: UInt64 = 0
    var index = 0
    while index + 8 <= bytes.count {
      let word = unsafe bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      let quote = word ^ ones &* UInt64(UInt8(ascii: "\""))
      let backslash = word ^ ones &* UInt64(UInt8(ascii: "\\"))
      let delete = word ^ ones &* 0x7F
      // The upper bit of a byte is set where it was below the subtrahend; a borrow can only follow one that was found.
      found |= (word &- ones &* 0x20) & ~word
      found |= (quote &- ones) & ~quote
      found |= (backslash &- ones) & ~backslash
      found |= (delete &- ones) & ~delete
      found |= word
      index += 8
    }
    var isFound = found & (ones &* 0x80) != 0
    while index < bytes.count {
      let byte = unsafe bytes[index]
      isFound = isFound || byte < 0x20 || byte >= 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
      index += 1
    }
    return isFound
  }

  private static func appendEscaped(_ text: String, to bytes: inout [UInt8]) {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\":
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(UInt8(truncatingIfNeeded: scalar.value))
      case "\u{8}": bytes.append(contentsOf: "\\b".utf8)
      case "\t": bytes.append(contentsOf: "\\t".utf8)
      case "\n": bytes.append(contentsOf: "\\n".utf8)
      case "\u{C}": bytes.append(contentsOf: "\\f".utf8)
      case "\r": bytes.append(contentsOf: "\\r".utf8)
      case _ where scalar.rawByte != nil: bytes.append(contentsOf: "\\\(scalar.number)".utf8)
      case _ where scalar.isHidden:
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16)
          bytes.append(contentsOf: ("\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits).utf8)
        }
      default: bytes.append(contentsOf: String(scalar).utf8)
      }
    }
  }
}
