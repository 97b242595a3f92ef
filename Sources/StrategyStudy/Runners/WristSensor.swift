internal import ZoneEngine

/// The sensor on the wrist: noise, spans in which it tells the cadence, spans in which it tells nothing.
struct WristSensor {
  /// Heart rates in bpm that a sensor locked on the cadence tells. Source: runningwritings.com 2021; the prototype study.
  static let lockedBPM = 150.0...185.0
  /// How old a heart rate on the wrist may be to be steered by.
  static let readableSeconds = 15

  private let interval: Int
  private let artifacts: Behaviour.Fault
  private let dropouts: Behaviour.Fault
  private var untilNext = 0
  private var count = 0
  private var shown: Double?
  private var shownAt = 0

  init(interval: Int, _ behaviour: Behaviour) {
    self.interval = interval
    artifacts = behaviour.artifacts
    dropouts = behaviour.dropouts
  }

  /// What the sensor tells in a second, in whole bpm; `nil` between two readings and in a dropout.
  ///
  /// - Precondition: it is asked each second from 0 on.
  @inline(__always)
  mutating func reading(of heartRate: Double, at second: Int, _ day: Disturbances) -> Double? {
    guard untilNext == 0 else {
      untilNext -= 1
      return nil
    }
    untilNext = interval - 1
    let noise = day.sensor[count]
    count += 1
    if dropouts.share > 0, Self.isFaulty(second, dropouts, day.dropouts) { return nil }
    var told = heartRate + noise
    if artifacts.share > 0, Self.isFaulty(second, artifacts, day.artifacts) {
      let place = UInt64(Double(second) / artifacts.seconds)
      let range = Self.lockedBPM.upperBound - Self.lockedBPM.lowerBound
      told = Self.lockedBPM.lowerBound + range * day.artifactLevels.unit(at: place)
    }
    let reading = Double(Int(max(1, told) + 0.5))
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
