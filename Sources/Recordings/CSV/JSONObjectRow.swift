internal import TextFormats

/// Finds the values of known keys in a flat JSON object, so that it can be read like a row of a CSV.
///
/// Values are numbers, or the same in quotes; keys are compared without case. A value inside of another is read past
/// where its key is not known.
struct JSONObjectRow: Sendable {
  /// The most names of unknown keys that are reported.
  static let largestUnknown = 20

  private let columns: [[UInt8]: Int]
  private let count: Int
  /// The keys of the last object by their places: files repeat them in one order.
  private var lastKeys: [(bytes: [UInt8], column: Int?)] = []
  private var placed: [Bool]
  private var knownUnknown: Set<String> = []
  private var newUnknown: [String] = []

  init(columns names: [String]) {
    var columns: [[UInt8]: Int] = [:]
    for (index, name) in names.enumerated() { columns[Array(name.lowercased().utf8)] = index }
    self.columns = columns
    count = names.count
    placed = Array(repeating: false, count: count)
  }

  /// The names of unknown keys that were not reported before.
  mutating func takeUnknownNames() -> [String] {
    guard !newUnknown.isEmpty else { return [] }
    defer { newUnknown = [] }
    return newUnknown
  }

  /// Sets the places of the values of an object in a row; returns what is wrong with the object, or `nil`.
  ///
  /// - Complexity: O(n)
  mutating func place(_ bytes: Span<UInt8>, into row: inout CSVRow) -> String? {
    row.begin(count: count)
    for index in placed.indices { placed[index] = false }
    var cursor = Cursor(bytes)
    guard cursor.take(UInt8(ascii: "{"), bytes) else { return cursor.expected("an object") }
    if cursor.take(UInt8(ascii: "}"), bytes) { return cursor.isAtEnd(bytes) ? nil : cursor.expected("nothing") }
    var member = 0
    while true {
      guard let key = cursor.string(bytes) else { return cursor.expected("a key in quotes") }
      guard cursor.take(UInt8(ascii: ":"), bytes) else { return cursor.expected("a colon") }
      guard let value = cursor.value(bytes) else { return cursor.expected("a value") }
      if let column = column(of: bytes.extracting(key), member: member) {
        guard !placed[column] else { return "the key '\(name(bytes.extracting(key)))' is there twice" }
        placed[column] = true
        row.place(column, at: Self.isEscapedAbsence(bytes.extracting(value)) ? 0..<0 : value)
      }
      member += 1
      if cursor.take(UInt8(ascii: "}"), bytes) { break }
      guard cursor.take(UInt8(ascii: ","), bytes) else { return cursor.expected("a comma") }
    }
    return cursor.isAtEnd(bytes) ? nil : cursor.expected("nothing")
  }

  private mutating func column(of key: Span<UInt8>, member: Int) -> Int? {
    if member < lastKeys.count, Self.areEqual(key, lastKeys[member].bytes) { return lastKeys[member].column }
    var bytes: [UInt8] = []
    for index in key.indices { bytes.append(key[index]) }
    let column = columns[bytes.map { $0 &- 65 < 26 ? $0 | 0x20 : $0 }]
    // An object of thousands of keys is no layout to remember.
    if member < 2 * count {
      if member < lastKeys.count {
        lastKeys[member] = (bytes, column)
      } else if member == lastKeys.count {
        lastKeys.append((bytes, column))
      }
    }
    if column == nil, knownUnknown.count < Self.largestUnknown, knownUnknown.insert(name(key)).inserted {
      newUnknown.append(name(key))
    }
    return column
  }

  private func name(_ key: Span<UInt8>) -> String {
    var bytes: [UInt8] = []
    for index in key.indices.prefix(40) { bytes.append(key[index]) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether a value is `N\/A`, as some programs write `N/A`.
  private static func isEscapedAbsence(_ value: Span<UInt8>) -> Bool {
    value.count == 4 && value[0] | 0x20 == UInt8(ascii: "n") && value[1] == UInt8(ascii: "\\")
      && value[2] == UInt8(ascii: "/") && value[3] | 0x20 == UInt8(ascii: "a")
  }

  private static func areEqual(_ left: Span<UInt8>, _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    for index in right.indices where left[index] != right[index] { return false }
    return true
  }

  /// A place in the bytes of an object.
  private struct Cursor {
    private var index = 0

    init(_ bytes: Span<UInt8>) { skipSpace(bytes) }

    func expected(_ what: String) -> String { "expected \(what) after \(index) bytes of the object" }

    func isAtEnd(_ bytes: Span<UInt8>) -> Bool { index == bytes.count }

    /// Goes past a byte and the space behind it, if it is there.
    mutating func take(_ byte: UInt8, _ bytes: Span<UInt8>) -> Bool {
      guard index < bytes.count, bytes[index] == byte else { return false }
      index += 1
      skipSpace(bytes)
      return true
    }

    /// What stands between the quotes of a string.
    mutating func string(_ bytes: Span<UInt8>) -> Range<Int>? {
      guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else { return nil }
      let start = index + 1
      var end = start
      while end < bytes.count, bytes[end] != UInt8(ascii: "\"") { end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1 }
      guard end < bytes.count else { return nil }
      index = end + 1
      skipSpace(bytes)
      return start..<end
    }

    /// A value: the text of a string, a number or a word, or a whole array or object.
    mutating func value(_ bytes: Span<UInt8>) -> Range<Int>? {
      guard index < bytes.count else { return nil }
      switch bytes[index] {
      case UInt8(ascii: "\""): return string(bytes)
      case UInt8(ascii: "{"), UInt8(ascii: "["): return nested(bytes)
      default:
        let start = index
        while index < bytes.count, !isSpace(bytes[index]), !endsWord(bytes[index]) { index += 1 }
        let end = index
        skipSpace(bytes)
        return start < end ? start..<end : nil
      }
    }

    private mutating func nested(_ bytes: Span<UInt8>) -> Range<Int>? {
      let start = index
      var depth = 0
      while index < bytes.count {
        switch bytes[index] {
        case UInt8(ascii: "\""):
          guard string(bytes) != nil else { return nil }
          continue
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
        default: break
        }
        index += 1
        if depth == 0 {
          let end = index
          skipSpace(bytes)
          return start..<end
        }
      }
      return nil
    }

    private mutating func skipSpace(_ bytes: Span<UInt8>) {
      while index < bytes.count, isSpace(bytes[index]) { index += 1 }
    }

    private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

    private func endsWord(_ byte: UInt8) -> Bool {
      byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
    }
  }
}
