internal import TextFormats

/// Why a database of PostgreSQL cannot be used, in one line. Values that were bound never stand in it, and no password.
package struct PostgresError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of failure it is.
  package enum Kind: Hashable, Sendable {
    /// libpq is not installed.
    case noLibrary
    /// The address is none.
    case address
    /// No connection can be made: nobody listens, or the server lets nobody in.
    case unreachable
    /// The connection was lost, or the answer did not come in time. What was asked for may have happened or not.
    case lost
    /// The server refused, with its SQLSTATE.
    case refused(String)
    /// The database has a schema that this program does not know.
    case newerSchema
    /// The database has an older schema, or none, and who asks makes none.
    case olderSchema
    /// What is in the database cannot be: a gap in a log, or other bytes under the number of what is there.
    case damaged
  }

  /// What kind of failure it is.
  package let kind: Kind
  /// What went wrong and what was expected.
  package let problem: String

  /// Creates an error.
  package init(_ kind: Kind, _ problem: String) {
    self.kind = kind
    self.problem = problem
  }

  /// The text.
  package var description: String { "database: \(problem)" }

  /// Whether it may pass: the server is away, stops, is full, or somebody was in the way.
  package var isTemporary: Bool {
    switch kind {
    case .unreachable, .lost: true
    case .refused(let code): ["08", "40", "53", "55", "57", "58"].contains(code.prefix(2))
    case .noLibrary, .address, .newerSchema, .olderSchema, .damaged: false
    }
  }

  /// 64 for an address that is none, 65 for a schema or content that cannot be used, 69 for the rest: nobody is there.
  package var exitCode: Int32 {
    switch kind {
    case .address: 64
    case .newerSchema, .olderSchema, .damaged: 65
    case .noLibrary, .unreachable, .lost, .refused: 69
    }
  }

  /// An error of the server. Its words are kept only for the classes of errors in which no value of ours can stand.
  static func refused(code: String, message: String) -> PostgresError {
    let harmless = ["08", "0A", "25", "28", "3D", "3F", "40", "42", "53", "54", "55", "57", "58"]
    let words = harmless.contains(String(code.prefix(2))) ? message.firstLine : "the server refused it"
    return PostgresError(.refused(code), "\(words) (SQLSTATE \(code))")
  }
}

extension String {
  /// What stands before the first end of a line, as people may see it.
  var firstLine: String {
    String(split(whereSeparator: \.isNewline).first ?? "").visible
  }
}
