internal import SessionStore

/// What is read of a session of the index where many of them are listed: the less, the faster.
protocol IndexedSession: Sendable {
  /// The columns that it is read from, in order.
  static var columns: String { get }
  /// Whether it is shown in tables, where people of one name are distinguished.
  static var distinguishesPeople: Bool { get }
  /// What a list says of it to people.
  var line: SessionLine { get set }

  /// Reads the ``columns``.
  init(_ row: Database.Row)
}

extension SessionEntry: IndexedSession {
  static let distinguishesPeople = true
}

extension ListedSession: IndexedSession {
  // A record says the name alone.
  static let distinguishesPeople = false
}

extension SessionLine: IndexedSession {
  static let distinguishesPeople = true

  var line: SessionLine {
    get { self }
    set { self = newValue }
  }
}
