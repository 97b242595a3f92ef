extension DecodedItem {
  /// More kilocalories than that are stated of no activity or lap: those of fifty days of running.
  static let mostKilocalories = 1e6

  /// What a file states of the energy of an activity or a lap; `nil` for 0, which devices write that do not know it, and for what
  /// nobody spends.
  static func energy(kilocalories: Double) -> DecodedItem? {
    kilocalories > 0 && kilocalories <= mostKilocalories ? .statedEnergy(kilocalories: kilocalories) : nil
  }
}

/// How many steps of both feet can be taken.
enum PossibleSteps {
  /// Nobody makes more in a second: 6 are the most that are believed anywhere.
  static let believedPerSecond = 6.0
  /// From where on a number is certainly no count of steps, in a second.
  private static let impossiblePerSecond = 20.0

  /// Whether so many in so many seconds are by far more than anybody takes.
  static func areImpossible(_ count: Double, inSeconds seconds: Double) -> Bool {
    count > impossiblePerSecond * seconds
  }
}

extension RecordedPoint {
  /// What programs write for a number that is not known, and that is no damage.
  static let absent = -1.0

  /// Makes absent what nothing can measure: a position off the Earth, and a cadence, a distance or a speed below 0. The name of
  /// each goes to `report`, but for −1, which programs write for what they do not know, and for a position of exactly 0° and 0°,
  /// in the sea off Africa, which devices write that have no fix. A heart rate stays as it was written, for a session counts
  /// those that it rejects.
  @inline(__always)
  mutating func leaveOutImpossible(_ report: (StaticString) -> Void) {
    // What is absent is not a number, for which no comparison holds.
    guard
      latitude.magnitude > 90 || longitude.magnitude > 180 || cadence < 0 || steps < 0 || distance < 0 || speed < 0
        || latitude == 0 && longitude == 0
    else { return }
    leaveOut(report)
  }

  @inline(never)
  private mutating func leaveOut(_ report: (StaticString) -> Void) {
    if latitude.magnitude > 90 || longitude.magnitude > 180 {
      (latitude, longitude) = (.nan, .nan)
      report("a position off the Earth")
    }
    if latitude == 0, longitude == 0 { (latitude, longitude) = (.nan, .nan) }
    Self.leaveOutNegative(&cadence, "a cadence below 0", report)
    Self.leaveOutNegative(&steps, "steps below 0", report)
    Self.leaveOutNegative(&distance, "a distance below 0", report)
    Self.leaveOutNegative(&speed, "a speed below 0", report)
  }

  private static func leaveOutNegative(_ value: inout Double, _ name: StaticString, _ report: (StaticString) -> Void) {
    guard value < 0 else { return }
    if value != absent { report(name) }
    value = .nan
  }
}
