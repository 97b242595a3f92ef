/// The distance of a session: what a device recorded where it did, else the sum between good fixes.
///
/// A fix is rejected when its accuracy is negative or worse than 20 m, or when it lies further from the last good one
/// than the fastest plausible speed allows; the third of three consecutive fixes that agree with each other becomes the
/// new place, without distance. A gap, such as a tunnel, is bridged by the straight line.
public struct DistanceTotal: Sendable {
  /// The largest radius of uncertainty of a good fix, in metres.
  public static let worstAccuracyMeters = 20.0
  /// The fastest speed on foot that is believed, in metres per second.
  public static let fastestOnFoot = 7.0
  /// The fastest speed on wheels that is believed, in metres per second.
  public static let fastestOnWheels = 30.0

  /// Metres between good fixes.
  public private(set) var measuredMeters = 0.0
  /// Metres that a device recorded, where it did.
  public var recordedMeters: Double? { recorded?.total }
  /// Fixes that counted.
  public private(set) var acceptedFixes = 0
  /// Fixes that did not.
  public private(set) var rejectedFixes = 0
  /// Those of them that lay too far from the last good one for the fastest plausible speed.
  public private(set) var tooFastFixes = 0

  private let fastest: Double
  private var last: (coordinate: Coordinate, time: SessionTime)?
  private var stray: (coordinate: Coordinate, time: SessionTime)?
  private var strays = 0
  private var recorded: CumulativeCount?
  private var checkpoints = PaceCheckpoints()

  /// Creates an empty total; a fix that needs more than `fastestMetersPerSecond` is rejected.
  public init(fastestMetersPerSecond: Double) { fastest = fastestMetersPerSecond }

  /// Metres of the session; `nil` when there was neither a recorded distance nor two good fixes.
  public var meters: Double? { recordedMeters ?? (acceptedFixes > 1 ? measuredMeters : nil) }

  /// Takes a fix of the active session; returns whether it counted.
  public mutating func admit(_ fix: LocationFix, at time: SessionTime) -> Bool {
    if let accuracy = fix.horizontalAccuracyMeters, !(0...Self.worstAccuracyMeters).contains(accuracy) {
      rejectedFixes += 1
      return false
    }
    guard let last else {
      anchor(fix.coordinate, time)
      return true
    }
    let meters = Geodesic.distance(last.coordinate, fix.coordinate)
    guard isPlausible(meters, since: last.time, until: time) else {
      rejectedFixes += 1
      tooFastFixes += 1
      if let stray, isPlausible(Geodesic.distance(stray.coordinate, fix.coordinate), since: stray.time, until: time) {
        strays += 1
      } else {
        strays = 1
      }
      stray = (fix.coordinate, time)
      if strays == 3 {
        rejectedFixes -= 1
        tooFastFixes -= 1
        anchor(fix.coordinate, time)
        return true
      }
      return false
    }
    measuredMeters += meters
    anchor(fix.coordinate, time)
    return true
  }

  /// Takes the metres since the start of the recording, as a device counted them; what a count that falls means, see
  /// ``CumulativeCount``.
  public mutating func admit(recordedMeters meters: Double, at time: SessionTime) {
    guard meters.isFinite, meters >= 0 else { return }
    if recorded == nil {
      // The metres between places and those of a device do not begin at the same zero.
      checkpoints = PaceCheckpoints()
      recorded = CumulativeCount(from: 0, fastestPerSecond: min(fastest, Self.fastestOnWheels))
    }
    recorded?.admit(meters, at: time)
    if let total = recordedMeters { checkpoints.admit(meters: total, at: time) }
  }

  /// Forgets the last place, so that a pause adds no distance.
  public mutating func breakTrack() {
    last = nil
    stray = nil
    strays = 0
    checkpoints = PaceCheckpoints()
  }

  /// Speed over the last 15 to 30 s in metres per second; `nil` when there is too little data.
  public func currentSpeed(at time: SessionTime) -> Double? { checkpoints.speed(at: time) }

  private mutating func anchor(_ coordinate: Coordinate, _ time: SessionTime) {
    last = (coordinate, time)
    stray = nil
    strays = 0
    acceptedFixes += 1
    if recordedMeters == nil { checkpoints.admit(meters: measuredMeters, at: time) }
  }

  private func isPlausible(_ meters: Double, since: SessionTime, until: SessionTime) -> Bool {
    // A second of grace, because two fixes of one second may carry the same whole-second time.
    meters <= fastest * max(1, (until - since).seconds)
  }
}

/// Two checkpoints at least 15 s apart, so that a pace is never taken from two neighbouring fixes.
struct PaceCheckpoints: Hashable, Sendable {
  static let span = SessionTime.seconds(15)

  private var older: Checkpoint?
  private var newer: Checkpoint?
  private var latest: Checkpoint?

  private struct Checkpoint: Hashable, Sendable {
    let meters: Double
    let time: SessionTime
  }

  mutating func admit(meters: Double, at time: SessionTime) {
    let point = Checkpoint(meters: meters, time: time)
    latest = point
    guard let newer else {
      self.newer = point
      return
    }
    if time - newer.time >= Self.span {
      older = newer
      self.newer = point
    }
  }

  func speed(at time: SessionTime) -> Double? {
    guard let latest, time - latest.time <= Self.span, let from = older ?? newer else { return nil }
    let span = latest.time - from.time
    guard span >= .seconds(10) else { return nil }
    return (latest.meters - from.meters) / span.seconds
  }
}

/// Pace from speed.
public enum Pace {
  /// Seconds for a kilometre; `nil` at a standstill (slower than 0.1 m/s).
  public static func secondsPerKilometer(metersPerSecond: Double) -> Double? {
    guard metersPerSecond.isFinite, metersPerSecond >= 0.1 else { return nil }
    return 1_000 / metersPerSecond
  }

  /// Minutes and seconds for a kilometre, such as `6:40`, rounded to the nearest second; at most `5999:59`.
  ///
  /// - Precondition: the pace is a number and not negative.
  public static func text(secondsPerKilometer: Double) -> String {
    precondition(secondsPerKilometer >= 0, "a pace is a number and not negative")
    let seconds = Int(min(secondsPerKilometer, 359_999).rounded())
    let rest = seconds % 60
    return "\(seconds / 60):\(rest < 10 ? "0" : "")\(rest)"
  }
}
