internal import TextFormats

/// The time of day as one session counts it: once it has begun, that goes on by the clock that nobody sets, whatever the clock of the
/// machine is set to.
struct SteadyTimeOfDay: Sendable {
  /// How far it is ahead of the clock that nobody sets; absent until the session goes on by that.
  private var anchor: Int64?
  /// How far the clock of the machine was set forward since the session began, for all that is written down; negative for back.
  private(set) var setBy: Int64 = 0
  /// When the newest came of what another process took.
  private var newestArrival: WallClockTime?

  /// Whether it goes on by the clock that nobody sets.
  var isAnchored: Bool { anchor != nil }

  /// How far it is ahead of the clock that nobody sets. Until the session begins, that is how far the machine's is.
  ///
  /// - Parameter machine: how far the time of day of the machine is.
  func ahead(of machine: Int64) -> Int64 { anchor ?? machine - setBy }

  /// A time of day of the machine as the session counts it: as if nobody had set the clock since it began.
  ///
  /// - Parameter machine: how far the time of day of the machine is ahead of the clock that nobody sets.
  /// - Returns: the time, and whether the clock was set since this was called last, so that ``setBy`` is to be written down.
  mutating func time(_ now: WallClockTime, _ machine: Int64) -> (time: WallClockTime, isSetAnew: Bool) {
    let difference = machine - ahead(of: machine)
    guard difference != 0 else { return (now, false) }
    let isSetAnew = difference != setBy
    setBy = difference
    return (now.adding(nanoseconds: -difference) ?? now, isSetAnew)
  }

  /// Goes on by the clock that nobody sets, of a session that has begun. One that another process began does so from when the clock
  /// shows what came last, since that of a machine that was just started may be far behind.
  ///
  /// - Parameters:
  ///   - now: the time as the session counts it.
  ///   - machine: how far the time of day of the machine is ahead of the clock that nobody sets.
  mutating func anchor(at now: WallClockTime, _ machine: Int64) {
    guard anchor == nil else { return }
    if let newestArrival, now < newestArrival { return }
    anchor = ahead(of: machine)
  }

  /// Something came at a time that another process took.
  mutating func noteEarlier(arrival: WallClockTime) {
    newestArrival = newestArrival.map { max($0, arrival) } ?? arrival
  }

  /// The clock had been set by so much when another process had the session.
  mutating func noteEarlier(setBy nanoseconds: Int64) { setBy = nanoseconds }
}
