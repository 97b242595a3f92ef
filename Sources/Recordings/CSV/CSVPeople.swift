/// The persons that the rows of a file belong to.
struct CSVPeople: Sendable {
  /// The most persons of a file.
  static let largestCount = 1_000
  /// The most that are listed in a message.
  private static let listedCount = 20

  /// A person, and what is known of the rows.
  struct Person: Sendable {
    /// What stands in the column, at most 64 characters of it.
    let name: String
    /// The earliest time of a row with a reading; `nil` before the first.
    fileprivate(set) var earliest: Int64?
    /// How many rows are earlier than one before.
    fileprivate(set) var lateRows = 0
    /// Where the first of those is.
    fileprivate(set) var firstLatePosition: String?
    fileprivate var newest = Int64.min
  }

  /// The persons in the order of their first rows.
  private(set) var all: [Person] = []
  /// Where the second person was first seen.
  private(set) var secondPosition: String?
  /// The place of the person of the last row.
  private(set) var current = 0
  private var indices: [String: Int] = [:]
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
    guard all.count < Self.largestCount else { return false }
    if all.count == 1 { secondPosition = position() }
    current = all.count
    indices[name] = current
    all.append(Person(name: name))
    return true
  }

  /// The names of all of them.
  var names: [String] { all.map(\.name) }

  /// The person of the last row.
  var currentName: String { all[current].name }

  /// Takes the time of the last row; whether it is earlier than one of the same person before.
  mutating func isLate(_ time: Int64, at position: @autoclosure () -> String) -> Bool {
    all[current].earliest = min(all[current].earliest ?? time, time)
    guard time < all[current].newest else {
      all[current].newest = time
      return false
    }
    all[current].lateRows += 1
    if all[current].firstLatePosition == nil { all[current].firstLatePosition = position() }
    return true
  }

  /// The names in one line, the first of many.
  static func listed(_ names: [String]) -> String {
    names.prefix(listedCount).joined(separator: ", ") + (names.count > listedCount ? ", …" : "")
  }
}
