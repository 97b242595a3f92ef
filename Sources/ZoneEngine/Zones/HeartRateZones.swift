/// The zones of a person: contiguous, without overlap, in whole beats per minute.
///
/// A heart rate is rounded to the displayed integer (half up) before it is compared, so that nobody ever sees
/// "118 – Weight control" when zone 2 begins at 119.
public struct HeartRateZones: Hashable, Sendable {
  /// The most zones that a model may have.
  public static let largestCount = 9

  /// How the zones were made.
  public let model: ZoneModel
  /// The maximum that the zones were made with, where one is known.
  public let maximum: MaximumHeartRate?
  /// The zones, slowest first; never empty.
  public let zones: [HeartRateZone]

  private let lowestBPM: Int
  /// The upper limits of all zones; the last is `Int.max` when the last zone has none.
  private let uppers: [Int]

  /// Creates the zones of a model.
  ///
  /// Edges are cut by integer arithmetic, `edge[k] = maximum × (50 + 10k) / 100` rounded down; zone 1 is
  /// `edge[0]…edge[1]`, zone k is `edge[k−1]+1…edge[k]`. It is the one rule that gives Table 1 of the Wise paper and
  /// covers every integer once.
  ///
  /// - Throws: ``ZoneError`` when the model needs a maximum that is unknown, when the resting heart rate is not below
  ///   the maximum, or when bounds do not ascend.
  public init(model: ZoneModel, maximum: MaximumHeartRate?) throws(ZoneError) {
    self.init(model: model, maximum: maximum, zones: try Self.zones(of: model, maximum: maximum))
  }

  /// The five zones by percent of a maximum, which every maximum has.
  public init(percentOf maximum: MaximumHeartRate) {
    self.init(model: .percentOfMaximum, maximum: maximum, zones: Self.fiveZones(of: maximum))
  }

  private init(model: ZoneModel, maximum: MaximumHeartRate?, zones: [HeartRateZone]) {
    self.model = model
    self.maximum = maximum
    self.zones = zones
    lowestBPM = zones.first?.lowerBPM ?? .min
    uppers = zones.map { $0.upperBPM ?? .max }
  }

  private static func fiveZones(of maximum: MaximumHeartRate) -> [HeartRateZone] {
    closed(edges: fiveEdges(over: maximum.beatsPerMinute, from: 0), names: ZoneNames.five)
  }

  private static func zones(of model: ZoneModel, maximum: MaximumHeartRate?) throws(ZoneError) -> [HeartRateZone] {
    switch model {
    case .percentOfMaximum:
      return fiveZones(of: try known(maximum, for: "percent-of-maximum"))
    case .heartRateReserve(let resting):
      let maximum = try known(maximum, for: "heart-rate-reserve").beatsPerMinute
      try ZoneError.require(resting, in: Athlete.plausibleRestingHeartRates, "resting heart rate")
      guard resting < maximum else {
        throw ZoneError.restingNotBelowMaximum(resting: resting, maximum: maximum)
      }
      let edges = fiveEdges(over: maximum - resting, from: resting)
      guard zip(edges, edges.dropFirst()).allSatisfy({ $0 < $1 }) else {
        throw ZoneError.bounds(edges, expected: "a heart-rate reserve wide enough for five zones")
      }
      return closed(edges: edges, names: ZoneNames.five)
    case .percentOfThreshold(let threshold, let scheme):
      try ZoneError.require(threshold, in: 60...230, "threshold heart rate")
      return open(lowers: thresholdLowers(threshold, scheme), names: names(of: scheme))
    case .threeZone(let first, let second):
      try ZoneError.require(first, in: 40...230, "first threshold")
      try ZoneError.require(second, in: 40...230, "second threshold")
      guard first < second else {
        throw ZoneError.bounds([first, second], expected: "a first threshold below the second")
      }
      return open(lowers: [first, second], names: ZoneNames.three)
    case .custom(let bounds):
      guard (2...largestCount + 1).contains(bounds.count) else {
        throw ZoneError.bounds(
          bounds, expected: "the lower limit of zone 1 and 1 to \(largestCount) upper limits")
      }
      for bound in bounds { try ZoneError.require(bound, in: 20...250, "bound") }
      guard zip(bounds, bounds.dropFirst()).allSatisfy({ $0 < $1 }) else {
        throw ZoneError.bounds(bounds, expected: "ascending bounds")
      }
      return closed(edges: bounds, names: ZoneNames.custom(count: bounds.count - 1))
    }
  }

  /// The band of a displayed heart rate.
  ///
  /// - Complexity: O(number of zones), at most nine comparisons.
  public func band(ofDisplayedBPM bpm: Int) -> Band {
    guard bpm >= lowestBPM else { return .below }
    for (index, upper) in uppers.enumerated() where bpm <= upper { return .zone(index + 1) }
    return .aboveMaximum
  }

  /// The band of a heart rate, or `nil` when it is no reading: not finite, zero or negative.
  public func band(of beatsPerMinute: Double) -> Band? {
    guard beatsPerMinute.isFinite, beatsPerMinute > 0 else { return nil }
    return band(ofDisplayedBPM: Self.displayed(min(beatsPerMinute, 1_000)))
  }

  /// The heart rate as it is displayed: the nearest integer, a half rounded up.
  ///
  /// - Precondition: the heart rate is not negative and below 10¹⁸.
  @inlinable
  public static func displayed(_ beatsPerMinute: Double) -> Int {
    precondition(beatsPerMinute >= 0, "a heart rate that is displayed is not negative")
    // For what is not negative, cutting the fraction off is rounding down.
    return Int(beatsPerMinute + 0.5)
  }

  /// All bands that this model can name, slowest first.
  public var bands: [Band] { [.below] + zones.map { .zone($0.number) } + [.aboveMaximum] }

  private static func known(_ maximum: MaximumHeartRate?, for model: String) throws(ZoneError) -> MaximumHeartRate {
    guard let maximum else {
      throw ZoneError.missing(quantity: "an age or a measured maximum", neededFor: "the zone model \(model)")
    }
    return maximum
  }

  private static func fiveEdges(over span: Int, from base: Int) -> [Int] {
    (0...5).map { base + span * (50 + 10 * $0) / 100 }
  }

  private static func closed(edges: [Int], names: [ZoneNames.Entry]) -> [HeartRateZone] {
    names.enumerated().map { index, entry in
      HeartRateZone(
        number: index + 1, label: entry.label, name: entry.name, color: entry.color,
        lowerBPM: index == 0 ? edges[0] : edges[index] + 1, upperBPM: edges[index + 1])
    }
  }

  private static func open(lowers: [Int], names: [ZoneNames.Entry]) -> [HeartRateZone] {
    names.enumerated().map { index, entry in
      HeartRateZone(
        number: index + 1, label: entry.label, name: entry.name, color: entry.color,
        lowerBPM: index == 0 ? nil : lowers[index - 1], upperBPM: index < lowers.count ? lowers[index] - 1 : nil)
    }
  }

  private static func names(of scheme: ThresholdScheme) -> [ZoneNames.Entry] {
    scheme == .coggan ? ZoneNames.coggan : ZoneNames.friel
  }

  /// The lowest heart rate of every zone after the first.
  private static func thresholdLowers(_ threshold: Int, _ scheme: ThresholdScheme) -> [Int] {
    /// The first integer at or over a percentage.
    func from(_ percent: Int) -> Int { (threshold * percent + 99) / 100 }
    /// The first integer over a percentage.
    func over(_ percent: Int) -> Int { threshold * percent / 100 + 1 }
    switch scheme {
    case .frielRunning: return [from(85), from(90), from(95), from(100), from(103), over(106)]
    case .frielCycling: return [from(81), from(90), from(94), from(100), from(103), over(106)]
    case .coggan: return [over(68), over(83), over(94), over(105)]
    }
  }
}
