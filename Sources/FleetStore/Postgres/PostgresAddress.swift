private import Glibc
internal import CPostgreSQL
internal import TextFormats

/// Where a database is: a URL of libpq, `postgresql://USER@HOST/NAME`.
///
/// What it leaves out libpq takes from `PGHOST`, `PGSERVICE`, `PGPASSFILE` and its other variables, so that a password need not
/// stand where others see it.
package struct PostgresAddress: Sendable, CustomStringConvertible {
  /// The settings of the URL by libpq's names; the password is a secret.
  private let settings: [(name: String, value: Secret)]
  /// Where the database is, without user and password.
  package let description: String

  /// Names that a URL may not set: they would make another kind of connection, or are set here.
  private static let refused: Set = ["replication", "application_name", "fallback_application_name", "client_encoding"]

  /// Reads a URL.
  ///
  /// - Throws: `PostgresError`, in which nothing of the text stands: a password may be anywhere in one that is none.
  package init(_ text: String) throws(PostgresError) {
    guard text.hasPrefix("postgresql://") || text.hasPrefix("postgres://"), !text.utf8.contains(0) else {
      throw Self.unreadable
    }
    let functions = try PostgresLibrary.opened().functions
    var message: UnsafeMutablePointer<CChar>?
    guard let options = unsafe functions.conninfoParse(text, &message) else {
      unsafe functions.freemem(message)
      throw Self.unreadable
    }
    defer { unsafe functions.conninfoFree(options) }
    var settings: [(name: String, value: Secret)] = []
    var shown: [String: String] = [:]
    var place = unsafe options
    while let keyword = unsafe place.pointee.keyword {
      let name = unsafe String(cString: keyword)
      if let value = unsafe place.pointee.val.map({ unsafe String(cString: $0) }), !value.isEmpty {
        guard !Self.refused.contains(name) else {
          throw PostgresError(.address, "the address sets \(name), which is set by the program: expected it without")
        }
        settings.append((name, Secret(value)))
        if ["host", "port", "dbname", "service"].contains(name) { shown[name] = value }
      }
      unsafe place += 1
    }
    self.settings = settings
    let host = shown["host"] ?? ""
    let port = shown["port"].map { ":\($0)" } ?? ""
    description = ("postgresql://" + host + port + "/" + (shown["dbname"] ?? "")).visible
  }

  private static let unreadable = PostgresError(
    .address, "the address cannot be read: expected postgresql://USER@HOST/NAME")

  /// Whether the text has a password, which other users of the machine can read in the list of processes.
  package var hasPassword: Bool { settings.contains { $0.name == "password" } }

  /// Calls `body` with the names and values for libpq, both ended by `nil`.
  func withParameters<Value>(
    application name: String, connectSeconds: Int,
    _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<UnsafePointer<CChar>?>) -> Value
  ) -> Value {
    // What stands behind takes the place of what stands before it.
    let all =
      [("connect_timeout", "\(connectSeconds)"), ("keepalives_idle", "5"), ("keepalives_interval", "2")]
      + [("keepalives_count", "3"), ("tcp_user_timeout", "10000")]
      + settings.map { ($0.name, $0.value.text) }
      + [("application_name", name), ("client_encoding", "UTF8")]
    let names = unsafe all.map { unsafe strdup($0.0) }
    let values = unsafe all.map { unsafe strdup($0.1) }
    defer { unsafe (names + values).forEach { unsafe free($0) } }
    let constantNames = unsafe names.map { unsafe $0.map { unsafe UnsafePointer($0) } } + [nil]
    let constantValues = unsafe values.map { unsafe $0.map { unsafe UnsafePointer($0) } } + [nil]
    return unsafe constantNames.withUnsafeBufferPointer { names in
      unsafe constantValues.withUnsafeBufferPointer { values in
        guard let names = names.baseAddress, let values = values.baseAddress else {
          preconditionFailure("there is a nil at the end")
        }
        return unsafe body(names, values)
      }
    }
  }
}
