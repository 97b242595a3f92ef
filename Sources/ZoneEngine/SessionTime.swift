/// Seconds since the start of a session, or a span between two such instants.
///
/// Time is kept as a whole number of nanoseconds, so that sums of spans are exact: the seconds in all bands of a
/// session add up to its active seconds to the last digit, in whatever order they were added.
public struct SessionTime: Hashable, Comparable, Sendable {
  /// Whole nanoseconds; negative before the start.
  public let nanoseconds: Int64

  /// The start of a session, and the empty span.
  public static let zero = SessionTime(nanoseconds: 0)

  /// The latest instant that can be represented: 292 years after the start.
  public static let distantFuture = SessionTime(nanoseconds: .max)

  /// The longest time that a reading holds: three of the 5 s intervals at which a watch delivers.
  static let holdLimit = SessionTime.seconds(15)

  /// Creates an instant from whole nanoseconds.
  @inlinable
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// Creates an instant from seconds, rounded to the nearest nanosecond (half away from zero).
  ///
  /// Returns `nil` for a number that is not finite or further than 9.2·10⁹ seconds from the start.
  @inlinable
  public init?(seconds: Double) {
    let nanoseconds = (seconds * 1e9).rounded()
    guard nanoseconds.magnitude < 9.2e18 else { return nil }
    self.nanoseconds = Int64(nanoseconds)
  }

  /// Creates an instant from whole seconds.
  ///
  /// - Precondition: `seconds` is within 9.2·10⁹ of zero.
  @inlinable
  public static func seconds(_ seconds: Int) -> SessionTime {
    SessionTime(nanoseconds: Int64(seconds) * 1_000_000_000)
  }

  /// The same instant in seconds, as the nearest `Double`.
  @inlinable public var seconds: Double { Double(nanoseconds) / 1e9 }

  /// Whether one instant comes before another.
  @inlinable
  public static func < (left: SessionTime, right: SessionTime) -> Bool { left.nanoseconds < right.nanoseconds }

  /// The instant after a span, or the sum of two spans. Stops at the ends of the range instead of overflowing.
  @inlinable
  public static func + (left: SessionTime, right: SessionTime) -> SessionTime {
    let (sum, overflow) = left.nanoseconds.addingReportingOverflow(right.nanoseconds)
    guard overflow else { return SessionTime(nanoseconds: sum) }
    return SessionTime(nanoseconds: right.nanoseconds < 0 ? .min : .max)
  }

  /// The span between two instants. Stops at the ends of the range instead of overflowing.
  @inlinable
  public static func - (left: SessionTime, right: SessionTime) -> SessionTime {
    let (difference, overflow) = left.nanoseconds.subtractingReportingOverflow(right.nanoseconds)
    guard overflow else { return SessionTime(nanoseconds: difference) }
    return SessionTime(nanoseconds: right.nanoseconds < 0 ? .max : .min)
  }

  /// Lengthens a span.
  @inlinable
  public static func += (left: inout SessionTime, right: SessionTime) { left = left + right }
}
