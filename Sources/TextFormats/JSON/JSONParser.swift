/// What a JSON text may be at most.
package struct JSONLimits: Hashable, Sendable {
  /// The bytes of the whole text.
  package var textBytes: Int
  /// The bytes of one string or number as it is written.
  package var tokenBytes: Int
  /// Arrays and objects inside each other.
  package var depth: Int
  /// The values in all, which take some 50 bytes of memory each, however short they are written.
  package var values: Int

  /// Creates limits.
  package init(textBytes: Int, tokenBytes: Int, depth: Int, values: Int = 8 << 20) {
    self.textBytes = textBytes
    self.tokenBytes = tokenBytes
    self.depth = depth
    self.values = values
  }

  /// 64 MiB of text, 1 MiB for a string or number, 64 levels.
  package static let standard = JSONLimits(textBytes: 64 << 20, tokenBytes: 1 << 20, depth: 64)
}

extension JSONValue {
  /// Parses a text that is exactly one JSON value, as RFC 8259 has it and no laxer.
  ///
  /// A key that an object has twice is refused, and so are bytes that are not UTF-8, lone surrogates, numbers beyond
  /// the range of a double, `NaN`, `Infinity`, comments, trailing commas, a byte order mark and anything after the
  /// value but white space.
  /// - Throws: `JSONError` with byte, line and path of the first thing that is wrong.
  /// - Complexity: O(n), n log n for objects of many members.
  package static func parse(
    _ bytes: Span<UInt8>, limits: JSONLimits = .standard
  ) throws(JSONError) -> JSONValue {
    guard bytes.count <= limits.textBytes else {
      throw JSONError(.tooLong, expected: "at most \(limits.textBytes) bytes", at: .none)
    }
    var parser = JSONParser(limits: limits, JSONParser.refuse)
    return try parser.document(bytes)
  }

  /// Parses a text that has the form of JSON and may hold what no value is, so that somebody who sent it can be answered: a number
  /// beyond the range of a double and a string with half of a surrogate pair are `null`, and of a key that is there twice all
  /// members are kept, the first of which is found.
  ///
  /// - Throws: `JSONError` for what is not of the form of JSON, or beyond the limits.
  package static func parseForAnswer(_ bytes: Span<UInt8>, limits: JSONLimits) throws(JSONError) -> JSONValue {
    guard bytes.count <= limits.textBytes else {
      throw JSONError(.tooLong, expected: "at most \(limits.textBytes) bytes", at: .none)
    }
    var parser = JSONParser(limits: limits, JSONParser.readPast)
    return try parser.document(bytes)
  }

  /// Parses a text that is exactly one JSON value.
  ///
  /// - Throws: `JSONError` with byte, line and path of the first thing that is wrong.
  package static func parse(_ text: String, limits: JSONLimits = .standard) throws(JSONError) -> JSONValue {
    try parse(text.utf8.span, limits: limits)
  }
}

/// The place in a JSON text, and what is needed to go on from there.
struct JSONParser {
  let limits: JSONLimits
  /// Decides about what is of the form of JSON and cannot be: throws it, or returns, and the value is `null`, the member kept.
  private let judge: (JSONError) throws(JSONError) -> Void
  var index = 0
  var line = 1
  private var depth = 0
  private var values = 0

  init(limits: JSONLimits, _ judge: @escaping (JSONError) throws(JSONError) -> Void) {
    self.limits = limits
    self.judge = judge
  }

  /// Refuses all that cannot be.
  static func refuse(_ error: JSONError) throws(JSONError) { throw error }

  /// Reads past numbers beyond the range of a double, strings with half of a surrogate pair, and keys that are there twice.
  static func readPast(_ error: JSONError) throws(JSONError) {
    switch error.problem {
    case .notFinite, .loneSurrogate, .duplicateKey: break
    case .endOfText, .unexpectedByte, .invalidUTF8, .controlCharacter, .invalidEscape, .zerosInFront, .tooDeep,
      .tooLong, .wrongType, .notAllowed, .missingKey, .unknownKey:
      throw error
    }
  }

  var position: JSONPosition { JSONPosition(byteOffset: index, line: line) }

  mutating func document(_ bytes: Span<UInt8>) throws(JSONError) -> JSONValue {
    skipSpace(bytes)
    let value = try value(bytes)
    skipSpace(bytes)
    guard index == bytes.count else { throw unexpected(bytes, expected: "nothing after the value") }
    return value
  }

  private mutating func value(_ bytes: Span<UInt8>) throws(JSONError) -> JSONValue {
    guard index < bytes.count else { throw unexpected(bytes, expected: "a value") }
    let start = position
    values += 1
    guard values <= limits.values else {
      throw JSONError(.tooLong, expected: "at most \(limits.values) values", at: start)
    }
    switch bytes[index] {
    case UInt8(ascii: "\""), UInt8(ascii: "-"), 48...57: return JSONValue(try stringOrNumber(bytes), at: start)
    case UInt8(ascii: "{"): return JSONValue(.object(try object(bytes)), at: start)
    case UInt8(ascii: "["): return JSONValue(.array(try array(bytes)), at: start)
    case UInt8(ascii: "t"):
      try word("true", bytes)
      return JSONValue(.bool(true), at: start)
    case UInt8(ascii: "f"):
      try word("false", bytes)
      return JSONValue(.bool(false), at: start)
    case UInt8(ascii: "n"):
      try word("null", bytes)
      return JSONValue(.null, at: start)
    case UInt8(ascii: "N"), UInt8(ascii: "I"): throw JSONError(.notFinite, expected: "a finite number", at: start)
    default: throw unexpected(bytes, expected: "a value")
    }
  }

  /// A string or a number; `null` for one that cannot be and is read past.
  private mutating func stringOrNumber(_ bytes: Span<UInt8>) throws(JSONError) -> JSONContent {
    do throws(JSONError) {
      return bytes[index] == UInt8(ascii: "\"") ? .string(try string(bytes)) : .number(try number(bytes))
    } catch {
      try judge(error)
      return .null
    }
  }

  private mutating func object(_ bytes: Span<UInt8>) throws(JSONError) -> [JSONMember] {
    try enter()
    defer { depth -= 1 }
    var members: [JSONMember] = []
    var keys: Set<String> = []
    skipSpace(bytes)
    if take(UInt8(ascii: "}"), bytes) { return members }
    while true {
      let keyPosition = position
      guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else {
        throw unexpected(bytes, expected: "a key in quotes")
      }
      let key = try string(bytes)
      try judgeDuplicate(key, in: members, &keys, at: keyPosition)
      skipSpace(bytes)
      guard take(UInt8(ascii: ":"), bytes) else { throw unexpected(bytes, expected: "\":\"").inside(.key(key)) }
      skipSpace(bytes)
      do throws(JSONError) {
        members.append(JSONMember(key, try value(bytes), keyPosition: keyPosition))
      } catch {
        throw error.inside(.key(key))
      }
      skipSpace(bytes)
      if take(UInt8(ascii: "}"), bytes) { return members }
      guard take(UInt8(ascii: ","), bytes) else { throw unexpected(bytes, expected: "\",\" or \"}\"") }
      skipSpace(bytes)
    }
  }

  /// Few members are compared with each other; from 16 on a set remembers them.
  private func judgeDuplicate(
    _ key: String, in members: [JSONMember], _ keys: inout Set<String>, at keyPosition: JSONPosition
  ) throws(JSONError) {
    let isDuplicate: Bool
    if members.count < 16 {
      isDuplicate = members.contains { $0.key == key }
    } else {
      if keys.isEmpty { keys = Set(members.map(\.key)) }
      isDuplicate = !keys.insert(key).inserted
    }
    guard isDuplicate else { return }
    try judge(
      JSONError(.duplicateKey(key), expected: "each key once", at: keyPosition, path: .root.appending(key: key)))
  }

  private mutating func array(_ bytes: Span<UInt8>) throws(JSONError) -> [JSONValue] {
    try enter()
    defer { depth -= 1 }
    var elements: [JSONValue] = []
    skipSpace(bytes)
    if take(UInt8(ascii: "]"), bytes) { return elements }
    while true {
      do throws(JSONError) {
        elements.append(try value(bytes))
      } catch {
        throw error.inside(.index(elements.count))
      }
      skipSpace(bytes)
      if take(UInt8(ascii: "]"), bytes) { return elements }
      guard take(UInt8(ascii: ","), bytes) else { throw unexpected(bytes, expected: "\",\" or \"]\"") }
      skipSpace(bytes)
    }
  }

  private mutating func enter() throws(JSONError) {
    guard depth < limits.depth else {
      throw JSONError(.tooDeep, expected: "at most \(limits.depth) levels", at: position)
    }
    depth += 1
    index += 1
  }

  private mutating func take(_ byte: UInt8, _ bytes: Span<UInt8>) -> Bool {
    guard index < bytes.count, bytes[index] == byte else { return false }
    index += 1
    return true
  }

  private mutating func word(_ word: StaticString, _ bytes: Span<UInt8>) throws(JSONError) {
    let start = index
    for expected in "\(word)".utf8 {
      guard index < bytes.count, bytes[index] == expected else {
        if index < bytes.count { index = start }
        throw unexpected(bytes, expected: "\"\(word)\"")
      }
      index += 1
    }
  }

  private mutating func skipSpace(_ bytes: Span<UInt8>) {
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\n"): line += 1
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): break
      default: return
      }
      index += 1
    }
  }

  func unexpected(_ bytes: Span<UInt8>, expected: String) -> JSONError {
    JSONError(index < bytes.count ? .unexpectedByte(bytes[index]) : .endOfText, expected: expected, at: position)
  }
}
