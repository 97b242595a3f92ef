/// Where a heart rate lies: under the first zone, in a zone, or over the last one.
public enum Band: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// Under zone 1. Never means that there was no reading.
  case below
  /// In the zone with a number, counted from 1.
  case zone(Int)
  /// Over the last zone. Real: about half of all people exceed an unbiased estimate of their maximum.
  case aboveMaximum

  /// `below`, `zone1` …, or `aboveMaximum`, as in records.
  public var description: String {
    switch self {
    case .below: return "below"
    case .zone(let number): return "zone\(number)"
    case .aboveMaximum: return "aboveMaximum"
    }
  }
}

/// One heart-rate zone. Both limits are whole beats per minute and belong to the zone.
public struct HeartRateZone: Hashable, Sendable {
  /// Counted from 1, slowest first.
  public let number: Int
  /// The short label that users of the model know: `1` … `5`, or `5a`.
  public let label: String
  /// What the model calls the zone.
  public let name: String
  /// The name of the zone's colour.
  public let color: String
  /// The lowest displayed heart rate in the zone; absent when the zone has no lower limit.
  public let lowerBPM: Int?
  /// The highest displayed heart rate in the zone; absent when the zone has no upper limit.
  public let upperBPM: Int?
}
