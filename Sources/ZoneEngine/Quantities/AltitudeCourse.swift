/// How the altitudes of one device follow each other: which of them lie on its way, and which are a lone jump that comes back.
///
/// A reading is on the way when it lies within ``farthestMeters`` and ``fastestMetersPerSecond`` of the one before, or of where
/// the vertical speed up to that one leads: who rides a cable car or skis downhill moves up or down faster, but evenly. Another
/// reading waits for the next one. Where that comes back to the way, and the one behind it does not leave it again, what waited was a
/// glitch; else it is where the device is. What still waits before a stop, or at the end, is not believed. Nor is the first of all,
/// once two others agree to which nothing climbs as fast. A level to which nothing climbs as fast as ``fastestClimb`` is where the
/// device is from then on, but nobody climbed there: a barometer was set, or several readings in a row are damaged alike.
package struct AltitudeCourse: Hashable, Sendable {
  /// Some metres that an altitude may be wrong by, and what somebody climbs on foot. Source: an assumption.
  static let farthestMeters = 3.0
  static let fastestMetersPerSecond = 2.0
  /// The fastest vertical speed that is gone on with, in metres per second. Source: an assumption; cable cars reach 12.
  static let fastestClimb = 15.0
  /// How far apart readings may be in time for a jump between them to be one: over a longer time somebody may climb and come back.
  static let longestJump = SessionTime.seconds(5)

  /// An altitude in metres above the sea, and when it was measured.
  private struct Altitude: Hashable {
    let meters: Double
    let time: SessionTime
  }

  /// The newest that is on the way.
  private var newest: Altitude?
  /// Metres per second up to it; 0 where that is not known.
  private var climb = 0.0
  /// One after it that is not on the way.
  private var waiting: Altitude?
  /// The one that was left out just before the newest, because that is back on the way.
  private var left: Altitude?
  /// Whether the newest is the only one.
  private var isFirst = false

  /// What becomes of the altitudes that are known.
  package struct Counted: Hashable, Sendable {
    /// Whether what counted so far was a glitch, so that nothing is joined to it.
    package var beginsAnew = false
    /// Those that waited, or were left out, and are believed now.
    package var waited: [Double] = []
    /// Whether nothing climbs as fast as to the first that waited from the one before it, so that nobody did.
    package var waitedLeap = false
    /// The one that came, where it does not wait.
    package var now: Double?
    /// Whether nothing climbs as fast as to the one that came from the one before it.
    package var nowLeaps = false
  }

  /// No altitude.
  package init() {}

  /// Takes an altitude; those that count from now on, in their order. One that is not finite is left out, times do not fall.
  package mutating func admit(_ meters: Double, at time: SessionTime) -> Counted {
    var counted = Counted()
    guard meters.isFinite else { return counted }
    let altitude = Altitude(meters: meters, time: time)
    if let jump = waiting {
      waiting = nil
      guard !comesBack(from: jump, meters, at: time) else {
        left = jump
        accept(altitude)
        counted.now = meters
        return counted
      }
      if let newest, isFirst, Self.speed(from: newest, to: jump) == nil, Self.isOnWay(meters, at: time, from: jump, 0) {
        counted.beginsAnew = true
        interrupt()
      }
      counted.waitedLeap = leaps(to: jump)
      accept(jump)
      counted.waited = [jump.meters]
    }
    defer { left = nil }
    if let newest, !follows(meters, at: time) {
      guard time - newest.time > Self.longestJump else {
        // What jumps again at once is no glitch: the device is to and fro.
        if let left { counted.waited += [left.meters, newest.meters] }
        waiting = altitude
        return counted
      }
      counted.nowLeaps = leaps(to: altitude)
    }
    accept(altitude)
    counted.now = meters
    return counted
  }

  /// Whether an altitude may be of the device that measured those before it, as any may be when nothing is known.
  func follows(_ meters: Double, at time: SessionTime) -> Bool {
    guard let newest else { return true }
    if let waiting {
      let speed = Self.speed(from: newest, to: waiting)
      if Self.isOnWay(meters, at: time, from: waiting, speed ?? 0) { return true }
      // Where nothing moves so fast it may be a glitch, and the way goes on from before it.
      guard speed == nil else { return false }
    }
    return Self.isOnWay(meters, at: time, from: newest, climb)
  }

  /// Begins anew at the next altitude, as after a pause.
  package mutating func interrupt() { self = AltitudeCourse() }

  /// Whether nothing climbs as fast as from the newest to another.
  private func leaps(to altitude: Altitude) -> Bool {
    newest.map { Self.speed(from: $0, to: altitude) == nil } ?? false
  }

  private mutating func accept(_ altitude: Altitude) {
    if let newest { climb = Self.speed(from: newest, to: altitude) ?? 0 }
    isFirst = newest == nil
    newest = altitude
  }

  /// Whether an altitude is back on the way that a jump has left.
  private func comesBack(from jump: Altitude, _ meters: Double, at time: SessionTime) -> Bool {
    guard let newest, time - jump.time <= Self.longestJump else { return false }
    let distance = (meters - newest.meters).magnitude
    return Self.isOnWay(meters, at: time, from: newest, 0) && distance < (meters - jump.meters).magnitude
  }

  /// Metres per second from one to another; 0 where they are too far apart in time to say so, `nil` where nothing climbs so fast.
  private static func speed(from one: Altitude, to other: Altitude) -> Double? {
    let time = other.time - one.time
    guard time > .zero, time <= SessionTime.holdLimit else { return 0 }
    let speed = (other.meters - one.meters) / time.seconds
    return speed.magnitude <= fastestClimb ? speed : nil
  }

  private static func isOnWay(
    _ meters: Double, at time: SessionTime, from altitude: Altitude, _ climb: Double
  ) -> Bool {
    let seconds = max(.zero, time - altitude.time).seconds
    let farthest = farthestMeters + fastestMetersPerSecond * seconds
    let rise = meters - altitude.meters
    return rise.magnitude <= farthest || (rise - climb * seconds).magnitude <= farthest
  }
}
