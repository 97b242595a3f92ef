internal import ZoneEngine

/// The sensor on the wrist: noise, spans in which it reports the cadence, spans in which it reports nothing.
struct WristSensor {
  /// Rates in bpm that a sensor locked on the cadence reports. Source: runningwritings.com 2021; the prototype study.
  static let lockedBPM = 150.0...185.0
  /// How old a heart rate on the wrist may be to be steered by.
  static let readableSeconds = 15

  /// The second of the next reading.
  private(set) var nextReading = 0

  private let interval: Int
  private let artifacts: Behaviour.Fault
  private let dropouts: Behaviour.Fault
  private var count = 0
  private var shown: Double?
  private var shownAt = 0

  init(interval: Int, _ behaviour: Behaviour) {
    self.interval = interval
    artifacts = behaviour.artifacts
    dropouts = behaviour.dropouts
  }

  /// What the sensor reports at the next reading, in whole bpm; `nil` in a dropout.
  mutating func read(_ heartRate: Double, _ day: Disturbances) -> Double? {
    let second = nextReading
    nextReading += interval
    let noise = day.sensor[count]
    count += 1
    if dropouts.share > 0, Self.isFaulty(second, dropouts, day.dropouts) { return nil }
    var reported = heartRate + noise
    if artifacts.share > 0, Self.isFaulty(second, artifacts, day.artifacts) {
      let place = UInt64(Double(second) / artifacts.seconds)
      let range = Self.lockedBPM.upperBound - Self.lockedBPM.lowerBound
      reported = Self.lockedBPM.lowerBound + range * day.artifactLevels.unit(at: place)
    }
    let reading = Double(Int(max(1, reported) + 0.5))
    shown = reading
    shownAt = second
    return reading
  }

  /// The heart rate on the wrist; `nil` before the first and when it is older than 15 s.
  func displayed(at second: Int) -> Double? { second - shownAt <= Self.readableSeconds ? shown : nil }

  private static func isFaulty(_ second: Int, _ fault: Behaviour.Fault, _ random: CounterRandom) -> Bool {
    random.unit(at: UInt64(Double(second) / fault.seconds)) < fault.share
  }
}
