/// The persons that the rows of a file belong to.
struct CSVPeople: Sendable {
  /// The most persons of a file.
  static let largestCount = 1_000
  /// The most that are listed in a message.
  private static let listedCount = 20

  /// The persons in the order of their first rows, at most 64 characters of each.
  private(set) var names: [String] = []
  /// Where the second person was first seen.
  private(set) var secondPosition: String?
  private var indices: [String: Int] = [:]
  /// The newest time of each person.
  private var newest: [Int64] = []
  private var current = 0
  private var currentBytes: [UInt8]?

  /// Takes the person of the next row, as the bytes of a field and as text.
  ///
  /// - Returns: whether there is room for that person.
  mutating func enter(_ bytes: Span<UInt8>, name: @autoclosure () -> String, at position: @autoclosure () -> String)
    -> Bool
  {
    if let currentBytes, currentBytes.count == bytes.count,
      currentBytes.indices.allSatisfy({ currentBytes[$0] == bytes[$0] })
    {
      return true
    }
    var copy: [UInt8] = []
    for index in bytes.indices { copy.append(bytes[index]) }
    currentBytes = copy
    let name = String(name().prefix(64))
    if let index = indices[name] {
      current = index
      return true
    }
    guard names.count < Self.largestCount else { return false }
    if names.count == 1 { secondPosition = position() }
    current = names.count
    indices[name] = current
    names.append(name)
    newest.append(.min)
    return true
  }

  /// The person of the last row.
  var currentName: String { names[current] }

  /// Takes the time of the last row; whether it is earlier than one of the same person before.
  mutating func isLate(_ time: Int64) -> Bool {
    defer { newest[current] = max(newest[current], time) }
    return time < newest[current]
  }

  /// The names in one line, the first of many.
  static func listed(_ names: [String]) -> String {
    names.prefix(listedCount).joined(separator: ", ") + (names.count > listedCount ? ", …" : "")
  }
}
