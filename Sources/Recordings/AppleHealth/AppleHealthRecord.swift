internal import TextFormats

/// A time of an export of Apple Health, in whole seconds since 1950 in UTC: what the app itself writes, in four bytes.
///
/// Decimals of a second are dropped. The range is 1950…2086.
struct AppleHealthTime: Hashable, Comparable, Sendable {
  /// 1950-01-01 in seconds since the Unix epoch.
  private static let first = -631_152_000

  /// Whole seconds since 1950-01-01T00:00:00Z.
  let seconds: UInt32

  init(seconds: UInt32) { self.seconds = seconds }

  /// The time of a text; `nil` when it lies outside of 1950…2086.
  init?(_ text: WallClockTimeText) {
    guard let seconds = UInt32(exactly: text.time.wholeSeconds - Self.first) else { return nil }
    self.seconds = seconds
  }

  /// The second in which a time lies, in nanoseconds since the Unix epoch.
  ///
  /// - Precondition: it lies in 1950…2086.
  init(nanoseconds: Int64) { seconds = UInt32(nanoseconds / 1_000_000_000 - Int64(Self.first)) }

  /// Nanoseconds since the Unix epoch.
  var nanoseconds: Int64 { (Int64(seconds) + Int64(Self.first)) * 1_000_000_000 }

  /// The middle between two times, rounded down.
  static func middle(_ one: AppleHealthTime, _ other: AppleHealthTime) -> AppleHealthTime {
    AppleHealthTime(seconds: UInt32((UInt64(one.seconds) + UInt64(other.seconds)) / 2))
  }

  /// The day since 1950-01-01 where clocks are `utcOffsetSeconds` ahead of UTC; -1 for the day before.
  func day(utcOffsetSeconds: Int) -> Int {
    WallClockTime.floor(Int(seconds) + utcOffsetSeconds, by: 86_400).quotient
  }

  static func < (left: AppleHealthTime, right: AppleHealthTime) -> Bool { left.seconds < right.seconds }
}

/// A record of an export: one of the three kinds that matter here.
struct AppleHealthRecord: Hashable, Sendable {
  /// What was measured.
  enum Kind: UInt8, CaseIterable, Sendable {
    /// Beats per minute.
    case heartRate
    /// Steps of both feet.
    case steps
    /// Metres on foot.
    case distance

    /// The kind of the identifier of a type; `nil` for all others.
    init?(identifier: Span<UInt8>) {
      let prefix: StaticString = "HKQuantityTypeIdentifier"
      guard identifier.count > prefix.utf8CodeUnitCount, identifier.begins(with: prefix) else { return nil }
      let name = identifier.extracting(droppingFirst: prefix.utf8CodeUnitCount)
      if name.equals("HeartRate") {
        self = .heartRate
      } else if name.equals("StepCount") {
        self = .steps
      } else if name.equals("DistanceWalkingRunning") {
        self = .distance
      } else {
        return nil
      }
    }

    /// The name for a message.
    var name: String {
      switch self {
      case .heartRate: "HeartRate"
      case .steps: "StepCount"
      case .distance: "DistanceWalkingRunning"
      }
    }

    /// The largest value that is believed to be one: no heart beats so, and no day has so many steps or metres.
    var largest: Double {
      switch self {
      case .heartRate: 1e4
      case .steps, .distance: 1e7
      }
    }

    /// What a value in a unit is multiplied with; `nil` for a unit that is not known.
    func factor(unit: Span<UInt8>) -> Double? {
      switch self {
      case .heartRate:
        if unit.equals("count/min") || unit.equals("bpm") { return 1 }
        return unit.equals("count/s") || unit.equals("Hz") ? 60 : nil
      case .steps: return unit.equals("count") ? 1 : nil
      case .distance: return LengthUnit.meters(unit)
      }
    }
  }

  /// What was measured.
  let kind: Kind
  /// When it was measured, or the measuring began.
  let start: AppleHealthTime
  /// When the measuring ended; never before `start`.
  let end: AppleHealthTime
  /// How far the clock of the record is ahead of UTC.
  let utcOffsetSeconds: Int
  /// Beats per minute, steps or metres; not negative.
  let value: Double
  /// The number of the name of who measured, among the sources.
  let source: Int
  /// Where the record stands.
  let position: Int

  /// When its sample stands: a heart rate when it was measured, what was counted when the counting ended.
  var sampleTime: AppleHealthTime { kind == .heartRate ? start : end }

  /// The time that decides where it belongs: a heart rate's own, the middle of what was counted.
  var place: AppleHealthTime { kind == .heartRate ? start : .middle(start, end) }

  /// How much was counted up to a time within it, as if evenly: whole steps, and all at its end.
  ///
  /// - Precondition: the time lies within the record, which has a duration.
  func counted(until time: AppleHealthTime) -> Double {
    guard time < end else { return value }
    let part = value * (Double(time.seconds - start.seconds) / Double(end.seconds - start.seconds))
    return kind == .steps ? min(value, part.rounded()) : part
  }
}

/// Units of length as exports name them.
enum LengthUnit {
  /// How many metres one is; `nil` for a unit that is not known.
  static func meters(_ unit: Span<UInt8>) -> Double? {
    if unit.equals("km") { return 1_000 }
    if unit.equals("m") { return 1 }
    if unit.equals("mi") { return 1_609.344 }
    if unit.equals("yd") { return 0.9144 }
    if unit.equals("ft") { return 0.3048 }
    if unit.equals("in") { return 0.0254 }
    if unit.equals("cm") { return 0.01 }
    return unit.equals("mm") ? 0.001 : nil
  }
}

/// Units of energy as exports name them.
enum EnergyUnit {
  /// How many kilocalories one is; `nil` for a unit that is not known. A large C makes a large calorie.
  ///
  /// Source: Apple, HealthKit, *HKUnit*: a calorie is 4.184 J.
  static func kilocalories(_ unit: Span<UInt8>) -> Double? {
    if unit.equals("kcal") || unit.equals("Cal") { return 1 }
    if unit.equals("cal") { return 0.001 }
    if unit.equals("kJ") { return 1 / 4.184 }
    return unit.equals("J") ? 0.001 / 4.184 : nil
  }
}

/// A workout of an export.
struct AppleHealthWorkout: Sendable {
  /// A span in which the workout stood still.
  struct Pause: Hashable, Sendable {
    let from: AppleHealthTime
    let until: AppleHealthTime
  }

  /// The sport in small letters, such as `running`.
  var sport: String
  /// When it began.
  var start: AppleHealthTime
  /// When it ended; never before `start`.
  var end: AppleHealthTime
  /// Who recorded it.
  var source: String
  /// How far the clock of its start is ahead of UTC; `nil` where it does not say.
  var utcOffsetSeconds: Int?
  /// Pauses within it, in order, without overlaps.
  var pauses: [Pause] = []
  /// Metres that stand at the workout itself, as programs before 2022 write them.
  var totalMeters: Double?
  /// Metres that its statistics sum up of the kind of its sport; of swimming, cycling and running in one of all three.
  private var ownMeters: Double?
  /// Metres that its statistics sum up of another kind, the first of several.
  private var otherMeters: Double?
  /// Metres as it states them, of its own kind before others: a ride may have the steps to the bicycle.
  var statedMeters: Double? { ownMeters ?? totalMeters ?? otherMeters }
  /// Kilocalories as it states them, above 0.
  var statedKilocalories: Double?
  /// Paths of its routes in the archive of the export.
  var routes: [String] = []
  /// Where it stands.
  var position: Int

  /// Begins a workout.
  init(sport: String, start: AppleHealthTime, end: AppleHealthTime, source: String, position: Int) {
    (self.sport, self.start, self.end, self.source, self.position) = (sport, start, end, source, position)
  }

  /// Takes what the statistics sum up of a kind of way.
  mutating func take(meters: Double, of kind: WorkoutDistance) {
    if sport == "swimbikerun" {
      ownMeters = (ownMeters ?? 0) + meters
    } else if kind == WorkoutDistance(ofSport: sport) {
      ownMeters = meters
    } else {
      otherMeters = otherMeters ?? meters
    }
  }

  /// Leaves out what lies outside of some times.
  ///
  /// - Precondition: the workout has a time in common with them.
  mutating func clamp(to times: ClosedRange<AppleHealthTime>) {
    (start, end) = (max(start, times.lowerBound), min(end, times.upperBound))
    pauses = pauses.compactMap { pause in
      let (from, until) = (max(pause.from, start), min(pause.until, end))
      return from < until ? Pause(from: from, until: until) : nil
    }
  }
}

extension Span where Element == UInt8 {
  /// Whether these are the bytes of a text.
  @inline(__always)
  func equals(_ text: StaticString) -> Bool { count == text.utf8CodeUnitCount && begins(with: text) }

  /// Whether the first bytes are those of a text.
  @inline(__always)
  func begins(with text: StaticString) -> Bool {
    guard count >= text.utf8CodeUnitCount else { return false }
    for index in 0..<text.utf8CodeUnitCount where unsafe self[index] != text.utf8Start[index] { return false }
    return true
  }
}
