package import ZoneEngine

/// What a virtual runner aims at.
package enum RunnerAim: Hashable, Sendable {
  /// A heart rate.
  case heartRate(StudyTarget)
  /// A speed in m/s.
  case speed(Double)

  /// A maximum for zones that state none, in bpm.
  private static let usualMaximum = 185

  /// The aim of a target in zones; of somebody who is asked for nothing zone 2.
  package init(_ target: ResolvedTarget?, in zones: HeartRateZones) {
    if let band = target?.quantity {
      self = .speed(Self.speed(band))
      return
    }
    let zone = zones.zones[min(1, zones.zones.count - 1)]
    let (lowest, highest) = target.map { ($0.lowerBPM, $0.upperBPM) } ?? (zone.lowerBPM, zone.upperBPM)
    let maximum = Self.maximum(of: zones)
    // A target that is open at one side is as wide as a zone of the usual model.
    let lower = lowest ?? (highest ?? maximum) - maximum / 10
    let upper = highest ?? min(maximum, lower + maximum / 10)
    self = .heartRate(StudyTarget(lowerBPM: min(lower, upper), upperBPM: max(lower, upper)))
  }

  /// The maximum heart rate of zones, or a usual one.
  package static func maximum(of zones: HeartRateZones) -> Int {
    zones.maximum?.beatsPerMinute ?? zones.zones.compactMap(\.upperBPM).max() ?? usualMaximum
  }

  /// The speed that a band leads to; of a cadence that at which a simulated runner takes so many steps.
  private static func speed(_ band: QuantityBand) -> Double {
    guard band.quantity == .cadence else { return band.middle }
    return StepLength.metersPerSecond(stepsPerSecond: band.middle / 60)
  }
}
