internal import CPostgreSQL

/// The functions of libpq, opened once and for good, when a database is asked for.
@safe
struct PostgresLibrary: @unchecked Sendable {
  /// The library; `nil` where there is none.
  static let shared: PostgresLibrary? = {
    var functions = coach_pq()
    guard unsafe coach_pq_open(&functions) != 0 else { return nil }
    return PostgresLibrary(functions)
  }()

  let functions: coach_pq

  private init(_ functions: coach_pq) { self.functions = functions }

  /// The library.
  ///
  /// - Throws: `PostgresError` where there is none.
  static func opened() throws(PostgresError) -> PostgresLibrary {
    guard let shared else {
      throw PostgresError(.noLibrary, "libpq cannot be opened: expected the package libpq5")
    }
    return shared
  }
}
