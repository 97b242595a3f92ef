/// The distance of a session: what a device recorded where it did, else the sum between good fixes.
///
/// A fix is rejected when its accuracy is negative or worse than 20 m, or when it lies further from the last good one
/// than the fastest plausible speed allows; the third of three consecutive fixes that agree with each other becomes the
/// new place, without distance. A gap, such as a tunnel, is bridged by the straight line. On foot a sprint is plausible where
/// the receiver itself, which does not measure speed by places, says that somebody runs fast.
public struct DistanceTotal: Sendable {
  /// The largest radius of uncertainty of a good fix, in metres.
  public static let worstAccuracyMeters = 20.0
  /// The fastest speed on foot that is believed, in metres per second.
  public static let fastestOnFoot = 7.0
  /// The fastest sprint on foot that is believed, in metres per second, for less than ``sprintSeconds``. Source: 12.42 m/s in the
  /// 100 m of U. Bolt in Berlin 2009, between 60 and 80 m, as the press quoted the analysis that Graubner and Nixdorf published
  /// (2011, New Studies in Athletics 26(1/2):19; the full text was not read).
  public static let fastestSprint = 12.5
  /// How long nobody sprints, in seconds.
  public static let sprintSeconds = 10.0
  /// From which speed of a receiver on a sprint is believed of its places, in metres per second: nobody who jogs runs so fast, and
  /// who does may be as fast as ``fastestOnFoot`` between two readings.
  static let sprintingSpeed = 5.0
  /// The fastest speed on wheels that is believed, in metres per second.
  public static let fastestOnWheels = 30.0

  /// Metres between good fixes.
  public private(set) var measuredMeters = 0.0
  /// Metres that a device recorded, where it did.
  public var recordedMeters: Double? { recorded?.total }
  /// Whether the newest distance of a device waits for what follows, see ``CumulativeCount``.
  public var isWaiting: Bool { recorded?.isWaiting ?? false }
  /// The metres up to distances of a device that waited and that the newest one showed to be true, at their own times.
  public var lateMeters: [CumulativeCount.Count] { recorded?.late ?? [] }
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
    guard Self.isAccurate(fix) else {
      rejectedFixes += 1
      return false
    }
    guard let last else {
      anchor(fix.coordinate, time)
      return true
    }
    let meters = Geodesic.distance(last.coordinate, fix.coordinate)
    guard isPlausible(meters, to: fix, since: last.time, until: time) else {
      rejectedFixes += 1
      tooFastFixes += 1
      if let stray,
        isPlausible(Geodesic.distance(stray.coordinate, fix.coordinate), to: fix, since: stray.time, until: time)
      {
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
    // The total of a reading that waits is that of an earlier time.
    if !isWaiting, let total = recordedMeters { checkpoints.admit(meters: total, at: time) }
  }

  /// Takes the metres of several instants, as one after the other.
  ///
  /// - Precondition: there are as many times, in order.
  package mutating func admit(recordedMeters readings: Span<Double>, at times: Span<SessionTime>) {
    var index = 0
    while index < readings.count {
      let rest = index..<readings.count
      let taken = recorded?.admitSteady(readings.extracting(rest), at: times.extracting(rest)) ?? 0
      if taken > 0, let recorded {
        for place in index..<index + taken {
          checkpoints.admit(meters: recorded.total(at: readings[place]), at: times[place])
        }
        index += taken
      } else {
        admit(recordedMeters: readings[index], at: times[index])
        index += 1
      }
    }
  }

  /// How many fixes are looked at together.
  private static let blockSize = 16

  /// Takes good fixes one after the other, as ``admit(_:at:)`` does, up to one that is not near the one before or that may be too far.
  ///
  /// - Parameters:
  ///   - places: those of fixes whose accuracy is good enough.
  ///   - times: as many, in order.
  /// - Returns: how many were taken, which all count; fewer than sixteen are left to be taken one by one.
  package mutating func admitSteady(_ places: Span<Coordinate>, at times: Span<SessionTime>) -> Int {
    guard var last else { return 0 }
    var start = 0
    while start + Self.blockSize <= places.count {
      var latitudes = InlineArray<16, Double>(repeating: 0)
      var (norths, easts, meters, totals) = (latitudes, latitudes, latitudes, latitudes)
      for index in 0..<Self.blockSize {
        let place = places[start + index]
        guard let way = Geodesic.NearWay(last.coordinate, place) else { return start }
        (latitudes[index], norths[index], easts[index]) = (way.latitude, way.north, way.east)
        last.coordinate = place
      }
      for index in 0..<Self.blockSize {
        meters[index] = Geodesic.meters(latitude: latitudes[index], north: norths[index], east: easts[index])
      }
      var sum = measuredMeters
      for index in 0..<Self.blockSize {
        let time = times[start + index]
        // In a second and in any longer time.
        guard meters[index] <= fastest || meters[index] <= fastest * (time - last.time).seconds else { return start }
        sum += meters[index]
        totals[index] = sum
        last.time = time
      }
      for index in 0..<Self.blockSize where recorded == nil {
        checkpoints.admit(meters: totals[index], at: times[start + index])
      }
      start += Self.blockSize
      measuredMeters = sum
      acceptedFixes += Self.blockSize
      self.last = last
      (stray, strays) = (nil, 0)
    }
    return start
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

  /// Whether the accuracy of a fix, where it is stated, is good enough.
  static func isAccurate(_ fix: LocationFix) -> Bool {
    fix.horizontalAccuracyMeters.map { (0...worstAccuracyMeters).contains($0) } ?? true
  }

  private func isPlausible(
    _ meters: Double, to fix: LocationFix, since: SessionTime, until: SessionTime
  ) -> Bool {
    // A second of grace, because two fixes of one second may carry the same whole-second time.
    let seconds = max(1, (until - since).seconds)
    return meters <= fastest * seconds || (seconds < Self.sprintSeconds && meters <= sprintSpeed(of: fix) * seconds)
  }

  /// The fastest speed of a sprint that the receiver says may be one; 0 for none.
  private func sprintSpeed(of fix: LocationFix) -> Double {
    guard fastest <= Self.fastestOnFoot, let speed = fix.speedMetersPerSecond else { return 0 }
    return (Self.sprintingSpeed...Self.fastestSprint).contains(speed) ? Self.fastestSprint : 0
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
