/// What is measured of the movement, and of the beats, in a session that asks for a pace, a speed, a cadence or α1.
///
/// A reading takes effect ``StepDistance/settlingTime`` after its time, as for a step of some metres: positions and heart
/// rates come from different devices, and so a judgement is the same in whatever order the readings of its last moment came.
struct MotionSignals: Hashable, Sendable {
  /// A reading as a device reports it.
  enum Reading: Hashable, Sendable {
    /// Metres per second of a device, or of a receiver of positions.
    case deviceSpeed(Double), receiverSpeed(Double)
    /// Metres of a device, or between positions.
    case deviceMeters(Double), positionMeters(Double)
    /// Metres above the sea, of a position or of a sensor of their own.
    case altitude(Double), barometer(Double)
    /// Steps a minute, or steps since the steps before.
    case cadence(Double), steps(Int)

    /// The place among readings of one instant: the altitude of a position after what else was measured then, that of no position
    /// last, as a replay reads them from their logs.
    fileprivate var place: Int {
      switch self {
      case .deviceSpeed, .receiverSpeed, .deviceMeters, .positionMeters, .cadence, .steps: 0
      case .altitude: 1
      case .barometer: 2
      }
    }
  }

  /// The fastest cadence that is believed, in steps a second.
  private static let fastestCadence = 5.0
  /// Slower than this, in metres per second, the grade plays no part: it is known from metres that nobody has run.
  private static let slowestOnGrade = 0.7

  /// What is smaller is this, so that it has an inverse.
  private static let smallestAlpha1 = 0.05

  private var speed: RateSignal
  private var cadence = RateSignal(fastest: fastestCadence)
  private var grade = GradeSignal()
  private var altitudes = AltitudeChoice()
  private var stepCount = 0
  /// Readings whose time to take effect has not come, in the order of their times.
  private var pendingReadings: [Reading] = []
  private var pendingTimes: [SessionTime] = []
  /// What is held, by the number of the signal.
  private var held: [HeldQuantity]
  /// The grade that the newest grade-adjusted speed was made with.
  private(set) var newestGradient: Double?
  /// Stands beside the gradient, where there is room for it: an engine has no byte to spare.
  private let altitudesAreOfOneDevice: Bool

  /// Signals that have seen nothing.
  ///
  /// - Parameter altitudesAreOfOneDevice: whether those of positions and those of no position are, as in a recording.
  init(fastestMetersPerSecond: Double, altitudesAreOfOneDevice: Bool, lookback: SessionTime) {
    self.altitudesAreOfOneDevice = altitudesAreOfOneDevice
    speed = RateSignal(fastest: max(fastestMetersPerSecond, DistanceTotal.fastestSprint))
    held = MotionSignal.allCases.map { _ in HeldQuantity(lookback: lookback) }
  }

  /// What is held of a signal.
  subscript(signal: MotionSignal) -> HeldQuantity { held[signal.rawValue] }

  /// When the next reading takes effect; `nil` when none waits.
  var due: SessionTime? { pendingTimes.first.map { $0 + StepDistance.settlingTime } }

  /// Holds α1 of the window of beats that ended at a time.
  mutating func hold(alpha1: Double, of end: SessionTime, at now: SessionTime) -> [MotionSignal] {
    held[MotionSignal.inverseAlpha1.rawValue].hold(1 / max(alpha1, Self.smallestAlpha1), from: now, reading: end)
    return [.inverseAlpha1]
  }

  /// Whether there is an altitude that still holds.
  func hasAltitude(at time: SessionTime) -> Bool { grade.hasAltitude(at: time) }

  /// Takes a reading.
  mutating func admit(_ reading: Reading, at time: SessionTime) {
    var place = (pendingTimes.lastIndex { $0 <= time }).map { $0 + 1 } ?? 0
    while place > 0, pendingTimes[place - 1] == time, pendingReadings[place - 1].place > reading.place { place -= 1 }
    pendingReadings.insert(reading, at: place)
    pendingTimes.insert(time, at: place)
  }

  /// Lets the next reading take effect now; returns the signals that have a new value.
  mutating func settleNext(at now: SessionTime) -> [MotionSignal] {
    let (reading, time) = (pendingReadings.removeFirst(), pendingTimes.removeFirst())
    switch reading {
    case .deviceSpeed(let value): return holdSpeed(speed.admit(rate: value, at: time, from: 0), now, time)
    case .receiverSpeed(let value): return holdSpeed(speed.admit(rate: value, at: time, from: 1), now, time)
    case .deviceMeters(let meters): return holdSpeed(speed.admit(count: meters, at: time, from: 2), now, time)
    case .positionMeters(let meters): return holdSpeed(speed.admit(count: meters, at: time, from: 3), now, time)
    case .altitude(let meters): return admit(altitude: meters, ofBarometer: false, at: time)
    case .barometer(let meters): return admit(altitude: meters, ofBarometer: true, at: time)
    case .cadence(let value): return holdCadence(cadence.admit(rate: value / 60, at: time, from: 0), now, time)
    case .steps(let count):
      stepCount += count
      return holdCadence(cadence.admit(count: Double(stepCount), at: time, from: 1), now, time)
    }
  }

  /// Forgets what is held and what waits, as a pause asks for.
  mutating func interrupt(at now: SessionTime) {
    pendingReadings.removeAll(keepingCapacity: true)
    pendingTimes.removeAll(keepingCapacity: true)
    speed.interrupt()
    cadence.interrupt()
    grade.interrupt()
    newestGradient = nil
    for index in held.indices { held[index].interrupt(at: now) }
  }

  /// Begins anew for another strategy.
  mutating func restart(at now: SessionTime, lookback: SessionTime) {
    for index in held.indices { held[index].restart(at: now, lookback: lookback) }
  }

  private mutating func admit(altitude meters: Double, ofBarometer: Bool, at time: SessionTime) -> [MotionSignal] {
    let use: AltitudeChoice.Use
    if altitudesAreOfOneDevice {
      // It is made of the points of the grade only where it decides, which is seldom.
      let course = altitudes.asksForCourse(besidePosition: !ofBarometer) ? grade.course : AltitudeCourse()
      use = altitudes.admit(meters, besidePosition: !ofBarometer, at: time, after: course)
    } else {
      use = altitudes.admit(ofBarometer: ofBarometer, at: time)
    }
    switch use {
    case .leaveOut: return []
    case .beginAnew: grade.interrupt()
    case .goOn: break
    }
    grade.admit(altitude: meters, meters: speed.total, at: time)
    return []
  }

  private mutating func holdCadence(_ rate: Double?, _ now: SessionTime, _ time: SessionTime) -> [MotionSignal] {
    guard let rate else { return [] }
    held[MotionSignal.cadence.rawValue].hold(rate * 60, from: now, reading: time)
    return [.cadence]
  }

  private mutating func holdSpeed(_ value: Double?, _ now: SessionTime, _ time: SessionTime) -> [MotionSignal] {
    guard let value else { return [] }
    held[MotionSignal.speed.rawValue].hold(value, from: now, reading: time)
    let level: Double
    if let gradient = grade.gradient(at: time) {
      level = RunningCost.levelSpeed(value, gradient: gradient)
      newestGradient = gradient
    } else if value < Self.slowestOnGrade, grade.hasAltitude(at: time) {
      level = value
      newestGradient = nil
    } else {
      return [.speed]
    }
    held[MotionSignal.gradeAdjustedSpeed.rawValue].hold(level, from: now, reading: time)
    return [.speed, .gradeAdjustedSpeed]
  }
}
