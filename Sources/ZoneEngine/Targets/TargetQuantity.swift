/// What a target can ask for beside a heart rate.
public enum TargetQuantity: String, CaseIterable, Hashable, Sendable {
  /// The time for a kilometre or a mile. A shorter time is more, so that a pace that is too slow lies under its target.
  case pace
  /// Speed over the ground.
  case speed
  /// Steps of both feet in a minute.
  case cadence
  /// The pace on level ground that costs as much energy as the pace on this slope; see ``RunningCost``.
  case gradeAdjustedPace
  /// How the time between beats varies: ``FluctuationAnalysis``, over the last two minutes. A harder effort makes it smaller.
  case alpha1

  /// What is measured for it.
  var signal: MotionSignal {
    switch self {
    case .pace, .speed: return .speed
    case .cadence: return .cadence
    case .gradeAdjustedPace: return .gradeAdjustedSpeed
    case .alpha1: return .inverseAlpha1
    }
  }
}

/// What is measured: metres per second, steps a minute, or the inverse of α1, which grows with the effort as these do.
enum MotionSignal: Int, CaseIterable, Hashable, Sendable {
  case speed, cadence, gradeAdjustedSpeed, inverseAlpha1
}

/// How a quantity is written and shown. What is shown is a whole number of these, and that is what is compared with a
/// target, as a heart rate is compared as the whole number that is shown.
public enum QuantityUnit: String, CaseIterable, Hashable, Sendable {
  /// Whole seconds for a kilometre.
  case secondsPerKilometer
  /// Whole seconds for a mile of 1,609.344 m.
  case secondsPerMile
  /// Tenths of a kilometre an hour.
  case kilometersPerHour
  /// Tenths of a mile an hour.
  case milesPerHour
  /// Hundredths of a metre a second.
  case metersPerSecond
  /// Whole steps a minute.
  case stepsPerMinute
  /// Hundredths of α1.
  case alpha1

  package static let metersPerMile = 1_609.344

  /// Whether it is written in minutes and seconds.
  public var isPace: Bool {
    switch self {
    case .secondsPerKilometer, .secondsPerMile: return true
    case .kilometersPerHour, .milesPerHour, .metersPerSecond, .stepsPerMinute, .alpha1: return false
    }
  }

  /// Whether a smaller number is more effort: a pace and α1 are inverse to what is measured.
  var isInverse: Bool { isPace || self == .alpha1 }

  /// How many shown numbers make one of the unit.
  public var shownPerUnit: Int {
    switch self {
    case .secondsPerKilometer, .secondsPerMile, .stepsPerMinute: return 1
    case .kilometersPerHour, .milesPerHour: return 10
    case .metersPerSecond, .alpha1: return 100
    }
  }

  /// Metres, or steps, of what one unit stands for in a second (a minute for steps).
  private var factor: Double {
    switch self {
    case .secondsPerKilometer: return 1_000
    case .secondsPerMile: return Self.metersPerMile
    case .kilometersPerHour: return 3.6
    case .milesPerHour: return 3_600 / Self.metersPerMile
    case .metersPerSecond, .stepsPerMinute: return 1
    case .alpha1: return 100
    }
  }

  /// The number that is shown of a measured value, metres per second, steps a minute or the inverse of α1: rounded half up. A
  /// pace slower than ten hours for a kilometre or mile is shown as that.
  public func shown(_ value: Double) -> Int {
    guard isInverse else { return Int((max(0, min(value, 1e6)) * factor * Double(shownPerUnit) + 0.5).rounded(.down)) }
    guard value > factor / Self.slowestPace else { return Int(Self.slowestPace) }
    return Int((factor / value + 0.5).rounded(.down))
  }

  /// The measured value, metres per second, steps a minute or the inverse of α1, of a number that is shown.
  ///
  /// - Precondition: a pace, or α1, is not zero.
  public func value(ofShown shown: Int) -> Double {
    guard isInverse else { return Double(shown) / Double(shownPerUnit) / factor }
    precondition(shown > 0, "neither a pace nor α1 is zero")
    return factor / Double(shown)
  }

  private static let slowestPace = 36_000.0
}
