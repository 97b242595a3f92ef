/// Where the heart rate should be.
public enum HeartRateTarget: Hashable, Sendable {
  /// In the zone with a number.
  case zone(Int)
  /// In a range of whole beats per minute; both limits belong to it.
  case range(lowerBPM: Int, upperBPM: Int)
  /// Anywhere: nothing is asked for, and nothing is judged.
  case open

  /// Heart rates that a range may ask for.
  public static let plausible = 30...230

  /// A range of whole beats per minute.
  ///
  /// - Throws: ``ZoneError/outOfRange(quantity:value:expected:)`` when a limit is no heart rate, and
  ///   ``ZoneError/target(text:expected:)`` when the lower limit is over the upper one.
  public static func between(_ lowerBPM: Int, _ upperBPM: Int) throws(ZoneError) -> HeartRateTarget {
    try ZoneError.require(lowerBPM, in: plausible, "lower limit of the target")
    try ZoneError.require(upperBPM, in: plausible, "upper limit of the target")
    guard lowerBPM <= upperBPM else {
      throw ZoneError.target(text: "\(lowerBPM)-\(upperBPM)", expected: "a lower limit that is not over the upper one")
    }
    return .range(lowerBPM: lowerBPM, upperBPM: upperBPM)
  }

  /// Reads a target as people write it: a zone's name (`weight control`, `weight-control`), its label or number
  /// (`z2`, `zone2`, `2`, `5a`), two zones and what lies between (`z2-z3`), a range (`119-137`), or `open`.
  ///
  /// - Throws: ``ZoneError/target(text:expected:)`` when the text names neither a zone of the model nor a range.
  public init(_ text: String, in zones: HeartRateZones) throws(ZoneError) {
    let word = Self.normalized(text)
    if word == "open" {
      self = .open
      return
    }
    for zone in zones.zones {
      let label = zone.label.lowercased()
      let names = [Self.normalized(zone.name), label, "z" + label, "zone" + label, "zone-" + label]
      if names.contains(word) {
        self = .zone(zone.number)
        return
      }
    }
    let limits = text.filter { $0 != " " }
      .split(omittingEmptySubsequences: false, whereSeparator: { $0 == "-" || $0 == "–" }).map { Int($0) }
    if limits.count == 2, let lower = limits[0], let upper = limits[1] {
      self = try Self.between(lower, upper)
      return
    }
    if let span = try Self.span(text, in: zones) {
      self = span
      return
    }
    let names = zones.zones.map { Self.normalized($0.name) }.joined(separator: ", ")
    throw ZoneError.target(
      text: text, expected: "a zone (\(names), z1…z\(zones.zones.count)), z2-z3, a range like 119-137, or open")
  }

  /// `z2-z3`: the heart rates of both zones and of those between them; `nil` for another text. Where a zone has no end,
  /// the range has that of ``plausible``.
  private static func span(_ text: String, in zones: HeartRateZones) throws(ZoneError) -> HeartRateTarget? {
    let parts = text.lowercased().filter { $0 != " " }.split(omittingEmptySubsequences: false) {
      $0 == "-" || $0 == "–"
    }
    guard parts.count == 2 else { return nil }
    func index(_ part: Substring) -> Int? {
      zones.zones.firstIndex { part == "z" + $0.label.lowercased() || part == "zone" + $0.label.lowercased() }
    }
    guard let first = index(parts[0]), let last = index(parts[1]) else { return nil }
    guard first <= last else {
      throw ZoneError.target(text: text, expected: "a lower zone that is not over the upper one")
    }
    return try between(
      zones.zones[first].lowerBPM ?? plausible.lowerBound, zones.zones[last].upperBPM ?? plausible.upperBound)
  }

  private static func normalized(_ text: String) -> String {
    text.lowercased().split(whereSeparator: { $0 == " " || $0 == "_" }).joined(separator: "-")
  }
}

/// A target with its limits in beats per minute, as an engine judges it.
public struct ResolvedTarget: Hashable, Sendable {
  /// What was asked for.
  public let target: HeartRateTarget
  /// The lowest displayed heart rate in the target; absent when there is no lower limit.
  public let lowerBPM: Int?
  /// The highest displayed heart rate in the target; absent when there is no upper limit.
  public let upperBPM: Int?

  /// Resolves a target in the zones of a person; `nil` for an open target.
  ///
  /// - Throws: ``ZoneError/target(text:expected:)`` when the model has no such zone.
  public init?(_ target: HeartRateTarget, in zones: HeartRateZones) throws(ZoneError) {
    self.target = target
    switch target {
    case .open:
      return nil
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

  /// Reads a target and resolves it; success without a value is an open target, and what is none says why.
  public static func reading(_ text: String, in zones: HeartRateZones) -> Result<ResolvedTarget?, ZoneError> {
    do throws(ZoneError) {
      return .success(try ResolvedTarget(HeartRateTarget(text, in: zones), in: zones))
    } catch {
      return .failure(error)
    }
  }

  /// Where a displayed heart rate lies relative to the target.
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
