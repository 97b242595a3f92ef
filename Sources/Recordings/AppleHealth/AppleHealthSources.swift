/// The names of who measured, by number, in the order in which they were first seen.
///
/// At most 1,000 names of at most 200 bytes are distinguished; further ones are one source together.
struct AppleHealthSources: Sendable {
  /// The most names that are distinguished.
  static let largestCount = 1_000
  private static let longestName = 200

  /// The names by number; an empty one for records that state none.
  private(set) var names: [String] = []
  private var keys: [[UInt8]] = []
  private var numbers: [[UInt8]: Int] = [:]
  private var last = 0

  /// The number of a name.
  /// - Complexity: O(n) of its bytes; nothing is allocated when it is the one that was asked for before.
  mutating func number(of name: Span<UInt8>) -> Int {
    let name = name.extracting(first: Self.longestName)
    if last < keys.count, Self.isEqual(name, keys[last]) { return last }
    let key = (0..<name.count).map { name[$0] }
    if let known = numbers[key] {
      last = known
      return known
    }
    guard names.count < Self.largestCount else { return names.count - 1 }
    last = names.count
    numbers[key] = last
    keys.append(key)
    names.append(names.count == Self.largestCount - 1 ? "other sources" : String(decoding: key, as: UTF8.self))
    return last
  }

  private static func isEqual(_ name: Span<UInt8>, _ key: [UInt8]) -> Bool {
    guard name.count == key.count else { return false }
    for index in name.indices where name[index] != key[index] { return false }
    return true
  }
}
