/// What is asked for: where the heart rate should be, or another quantity.
public enum TrainingTarget: Hashable, Sendable {
  /// In the zone with a number.
  case zone(Int)
  /// In a range of whole beats per minute; both limits belong to it.
  case range(lowerBPM: Int, upperBPM: Int)
  /// Between two paces, speeds or cadences.
  case quantity(QuantityBand)
  /// Anywhere: nothing is asked for, and nothing is judged.
  case open

  /// Heart rates that a range may ask for.
  public static let plausible = 30...230

  /// A range of whole beats per minute.
  ///
  /// - Throws: ``ZoneError/outOfRange(quantity:value:expected:)`` when a limit is no heart rate, and
  ///   ``ZoneError/target(text:expected:)`` when the lower limit is over the upper one.
  public static func between(_ lowerBPM: Int, _ upperBPM: Int) throws(ZoneError) -> TrainingTarget {
    try ZoneError.require(lowerBPM, in: plausible, "lower limit of the target")
    try ZoneError.require(upperBPM, in: plausible, "upper limit of the target")
    guard lowerBPM <= upperBPM else {
      throw ZoneError.target(text: "\(lowerBPM)-\(upperBPM)", expected: "a lower limit that is not over the upper one")
    }
    return .range(lowerBPM: lowerBPM, upperBPM: upperBPM)
  }

  /// Reads a target as people write it; ``TargetRequest/init(_:)-(String)`` says how.
  ///
  /// - Throws: as ``TargetRequest/target(in:)``.
  public init(_ text: String, in zones: HeartRateZones) throws(ZoneError) {
    self = try TargetRequest(text).target(in: zones)
  }
}

/// A target with its limits, as an engine judges it: in beats per minute, or of another quantity.
public struct ResolvedTarget: Hashable, Sendable {
  /// What was asked for.
  public let target: TrainingTarget
  /// The lowest displayed heart rate in the target; absent when there is no lower limit, and for another quantity.
  public let lowerBPM: Int?
  /// The highest displayed heart rate in the target; absent when there is no upper limit, and for another quantity.
  public let upperBPM: Int?

  /// Resolves a target in the zones of a person; `nil` for an open target.
  ///
  /// - Throws: ``ZoneError/target(text:expected:)`` when the model has no such zone.
  public init?(_ target: TrainingTarget, in zones: HeartRateZones) throws(ZoneError) {
    self.target = target
    switch target {
    case .open:
      return nil
    case .quantity:
      lowerBPM = nil
      upperBPM = nil
    case .range(let lower, let upper):
      lowerBPM = lower
      upperBPM = upper
    case .zone(let number):
      guard let zone = zones.zones.first(where: { $0.number == number }) else {
        throw ZoneError.target(text: "zone \(number)", expected: "a zone from 1 to \(zones.zones.count)")
      }
      lowerBPM = zone.lowerBPM
      upperBPM = zone.upperBPM
    }
  }

  /// The limits of a target that is no heart rate; absent for a heart rate.
  public var quantity: QuantityBand? {
    if case .quantity(let band) = target { band } else { nil }
  }

  /// The limits of a target as two numbers; none lies between those of no target.
  static func limits(of target: ResolvedTarget?) -> (lower: Int, upper: Int) {
    guard let target, target.quantity == nil else { return (lower: .max, upper: .min) }
    return (lower: target.lowerBPM ?? 0, upper: target.upperBPM ?? .max)
  }

  /// Where a displayed heart rate lies relative to the target.
  ///
  /// - Precondition: the target asks for a heart rate.
  @inlinable
  public func side(ofDisplayedBPM bpm: Int) -> TargetSide {
    if let lowerBPM, bpm < lowerBPM { return .under }
    if let upperBPM, bpm > upperBPM { return .over }
    return .inside
  }
}

/// Where a heart rate lies relative to a target.
public enum TargetSide: String, CaseIterable, Hashable, Sendable, Codable {
  /// Under the lower limit.
  case under
  /// Between the limits, which belong to the target.
  case inside = "in"
  /// Over the upper limit.
  case over
}
