internal import Synchronization
package import TextFormats

/// The time of day as the database has it, carried on between two looks at it by a clock that nobody sets.
///
/// All instances go by it, so that what one says holds until a time is over at the same moment for the others, whatever their own clocks
/// say.
package final class DatabaseClock: Sendable {
  /// How far the time of the database is ahead of `elapsed`, in nanoseconds; absent until it was looked at.
  private let ahead = Mutex<Int64?>(nil)
  private let elapsed: @Sendable () -> Int64

  /// A clock that nobody has looked at yet.
  ///
  /// - Parameter elapsed: nanoseconds of a clock that only goes forward, and goes on while the machine sleeps.
  package init(elapsed: @escaping @Sendable () -> Int64 = { MonotonicClock.sinceBoot }) { self.elapsed = elapsed }

  /// The time now; `nil` before the first look. While the database is away it goes on.
  package func now() -> WallClockTime? {
    ahead.withLock { $0 }.map { WallClockTime(nanoseconds: elapsed() &+ $0) }
  }

  /// Looks at the clock of the database.
  ///
  /// When exactly between the question and the answer the database looked nobody knows: what is known already stays as long as it is
  /// possible, and moves no further than it has to. So a slow answer makes nothing worse.
  ///
  /// - Parameter read: asks for its time, in nanoseconds since 1970.
  /// - Throws: what `read` throws; the clock goes on as before.
  func look<Failure: Error>(_ read: () throws(Failure) -> Int64) throws(Failure) {
    let askedAt = elapsed()
    let time = try read()
    let (least, most) = (time &- elapsed(), time &- askedAt)
    ahead.withLock { $0 = min(max($0 ?? least, least), most) }
  }
}
