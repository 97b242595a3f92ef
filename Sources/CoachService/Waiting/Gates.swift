/// Gates by a key, which are open unless somebody has closed them: who comes to one that is closed waits until it opens.
///
/// It only says who goes: whoever waits is let go by those who have the gates.
struct Gates<Key: Hashable, Asking> {
  /// Those that are closed, with who waits at each.
  private var closed: [Key: [Asking]] = [:]

  /// Whether a gate is closed.
  func isClosed(_ key: Key) -> Bool { closed[key] != nil }

  /// Whether any gate is closed.
  var hasClosed: Bool { !closed.isEmpty }

  /// Closes a gate; who waits there already waits on.
  mutating func close(_ key: Key) {
    if !isClosed(key) { closed[key] = [] }
  }

  /// Somebody comes to a gate.
  ///
  /// - Returns: who asks, where it is open; else nobody.
  mutating func ask(_ asking: Asking, at key: Key) -> [Asking] {
    guard isClosed(key) else { return [asking] }
    closed[key]?.append(asking)
    return []
  }

  /// Opens a gate.
  ///
  /// - Returns: those who waited there, the first to come first.
  mutating func open(_ key: Key) -> [Asking] { closed.removeValue(forKey: key) ?? [] }

  /// Opens all gates.
  ///
  /// - Returns: those who waited at any.
  mutating func openAll() -> [Asking] {
    defer { closed = [:] }
    return closed.values.flatMap(\.self)
  }

  /// Sends everybody away who waits; what is closed stays closed.
  ///
  /// - Returns: those who waited at any.
  mutating func sendAway() -> [Asking] {
    defer { closed = closed.mapValues { _ in [] } }
    return closed.values.flatMap(\.self)
  }
}
