internal import ZoneEngine

/// Values of the index, as far as a session can have them. A file that somebody else has written may hold any number; what no session
/// can have is taken for the nearest that one can, so that adding up and writing out never go beyond what numbers hold.
extension Database.Row {
  /// A span of a session: from nothing to three years.
  func span(_ column: Int) -> SessionTime {
    SessionTime(nanoseconds: min(max(int64(column), 0), 100_000_000_000_000_000))
  }

  /// The same; `nil` for nothing.
  func optionalSpan(_ column: Int) -> SessionTime? { optionalInt64(column) == nil ? nil : span(column) }

  /// How far a clock is ahead of UTC, as in manifests: a day at most.
  func utcOffsetSeconds(_ column: Int) -> Int { Int(min(max(int64(column), -86_400), 86_400)) }

  /// A count, such as of steps; `nil` for nothing.
  func count(_ column: Int) -> Int? { optionalInt64(column).map { Int(min(max($0, 0), 1_000_000_000_000)) } }
}
