internal import Synchronization
internal import TextFormats

/// A connection that is made when it is needed, and again when it was lost.
///
/// Threads take turns at it, and wait for the database: it is used on queues that may. What was asked for on a connection that is
/// lost is not asked again by itself, but for what can be repeated.
package final class PostgresLink: Sendable {
  /// How long making a connection may take, in seconds.
  private static let connectSeconds = 3

  private let address: PostgresAddress
  private let name: String
  private let staysLost: Bool
  private let connection = Mutex<Box>(Box())

  private final class Box: @unchecked Sendable {
    var open: PostgresConnection?
  }

  /// A link that is not open yet.
  ///
  /// - Parameters:
  ///   - name: what the server lists its connections as.
  ///   - staysLost: whether no other connection takes the place of one that was lost, for what the server forgets with it.
  package init(_ address: PostgresAddress, name: String, staysLost: Bool = false) {
    self.address = address
    self.name = name
    self.staysLost = staysLost
  }

  /// Uses the connection.
  ///
  /// - Parameter isRepeatable: whether `body` can run again: then it does, once, on a new connection when the first one is lost. A
  ///   connection that was idle is often found to be lost so, as when the server was started anew.
  /// - Throws: `PostgresError` of the connection and of `body`.
  package func use<Value>(
    isRepeatable: Bool = true, _ body: (PostgresConnection) throws(PostgresError) -> Value
  ) throws(PostgresError) -> Value {
    let result = connection.withLock { box -> Result<Value, PostgresError> in
      do throws(PostgresError) {
        let wasOpen = box.open?.isOpen == true
        do throws(PostgresError) {
          return .success(try body(opened(box)))
        } catch  where error.kind == .lost && wasOpen && isRepeatable {
          return .success(try body(opened(box)))
        }
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// Uses the connection to read what is somebody's: of all tables only the rows of that person are there, whatever is asked for.
  ///
  /// - Parameter person: whose rows; `nil` reads as an instance, which has all.
  /// - Throws: `PostgresError` of the connection and of `body`.
  package func read<Value>(
    as person: String?, _ body: (PostgresConnection) throws(PostgresError) -> Value
  ) throws(PostgresError) -> Value {
    try use { connection throws(PostgresError) in
      guard let person else { return try body(connection) }
      return try connection.transaction { () throws(PostgresError) in
        _ = try connection.run(Self.enter, [.text(person)])
        return try body(connection)
      }
    }
  }

  /// The statement by which a transaction has no rows but those of a person.
  package static let enter = "SELECT coach.enter($1)"

  private func opened(_ box: Box) throws(PostgresError) -> PostgresConnection {
    if let open = box.open, open.isOpen { return open }
    guard !staysLost || box.open == nil else { throw PostgresError(.lost, "the connection was lost") }
    let made = try PostgresConnection(address, name: name, seconds: Self.connectSeconds)
    box.open = made
    return made
  }

  /// Closes the connection; it is made again when it is needed.
  package func close() {
    connection.withLock { box in
      box.open?.close()
      box.open = nil
    }
  }
}
