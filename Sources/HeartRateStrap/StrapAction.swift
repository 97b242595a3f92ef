/// What a strap's state machine wants to be done.
package enum StrapAction: Hashable, Sendable {
  /// Reach the bus; how that went is reported when BlueZ answers, or by `lost`.
  case open
  /// Let go of the bus, at once.
  case close
  /// Ask BlueZ.
  case call(BluezCall)
  /// Report to the session.
  case report(StrapReport)
}

/// What a strap's state machine reports.
package enum StrapReport: Hashable, Sendable {
  /// Something that people want to know, without the name of the source.
  case notice(String)
  /// A heart rate in beats per minute that can be used, and the intervals between beats before it, in units of 1/1024 s.
  case heartRate(Int, intervals: [Int])
  /// There is no strap to begin with, and nothing more comes.
  case failed(StrapProblem)
}

/// How long a strap is waited for, in nanoseconds.
package enum StrapPatience {
  private static let second: Int64 = 1_000_000_000
  /// Until the first strap is found.
  package static let search = 30 * second
  /// Until it is connected and sends.
  package static let connection = 30 * second
  /// After a strap was heard, for another one to be heard too: straps call several times a second.
  package static let settling = 3 * second
  /// For an adapter that comes a moment after BlueZ.
  package static let adapter = 2 * second
  /// For an answer of BlueZ about what it knows.
  package static let answer = 10 * second
  /// For one try to connect, and for what the strap offers to be known.
  package static let attempt = 20 * second
  /// Without a measurement: straps send one each second.
  package static let silence = 10 * second

  /// Before the next try, after some that failed: 1, 2, 4, 8, then 15 s.
  package static func pause(afterFailures count: Int) -> Int64 { min(15, 1 << Int64(min(count, 4))) * second }
}
