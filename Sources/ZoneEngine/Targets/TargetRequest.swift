/// A target as somebody asks for it: read once, and resolved in the zones of whoever runs.
///
/// ``init(_:)-(String)`` says how it is written. Any text is a request; whether it names a target depends on the zones, and
/// ``target(in:)`` says so. Two requests are equal when they are written alike.
public struct TargetRequest: Hashable, Sendable {
  /// The target as it was written, which is what is sent and recorded.
  public let text: String

  private let meaning: Meaning

  /// What a text can mean before any zones are known.
  private enum Meaning: Hashable, Sendable {
    /// `open`.
    case open
    /// The name of a zone, in small letters with hyphens between its words.
    case name(String)
    /// Two names with a hyphen between them, in small letters, which may be a name themselves.
    case span(String, first: String, last: String)
    /// Two numbers.
    case range(lowerBPM: Int, upperBPM: Int)
    /// Two percentages of the maximum heart rate.
    case percent(Int, Int)
    /// A pace, a speed or a cadence, or why it is none.
    case quantity(Result<QuantityBand, ZoneError>)
  }

  /// Reads a target as people write it: a zone's name (`weight control`, `weight-control`), its label or number
  /// (`z2`, `zone2`, `2`, `5a`), two zones and what lies between (`z2-z3`), a range (`119-137`), a range in percent of the maximum
  /// (`70-80%`), or `open`; a pace
  /// (`5:30/km`, `5:20-5:40/km`, `8:30/mi`), a grade-adjusted one (`5:30/km-gap`), a speed (`12km/h`, `10-12km/h`, `7.5mph`,
  /// `3.2m/s`) or a cadence (`170-180spm`), or α1 (`a1:0.75-1.0`). A single pace, speed or cadence reaches ``QuantityBand/tolerance`` to both sides.
  public init(_ text: String) {
    self.text = text
    let word = Self.normalized(text)
    let parts = text.lowercased().filter { $0 != " " }
      .split(omittingEmptySubsequences: false, whereSeparator: { $0 == "-" || $0 == "–" }).map { String($0) }
    if word == "open" {
      meaning = .open
    } else if parts.count == 2, let lower = Int(parts[0]), let upper = Int(parts[1]) {
      meaning = .range(lowerBPM: lower, upperBPM: upper)
    } else if parts.count == 2, parts[1].hasSuffix("%"), let lower = Int(parts[0]),
      let upper = Int(String(parts[1].dropLast()))
    {
      meaning = .percent(lower, upper)
    } else if let quantity = QuantityTargetText.read(text) {
      meaning = .quantity(quantity)
    } else if parts.count == 2 {
      meaning = .span(word, first: parts[0], last: parts[1])
    } else {
      meaning = .name(word)
    }
  }

  /// The pace, speed or cadence that it asks for, whatever the zones, or what is wrong with it; absent for what names none.
  public var quantity: Result<QuantityBand, ZoneError>? {
    if case .quantity(let quantity) = meaning { quantity } else { nil }
  }

  /// Whether it depends on the zones of whoever runs, or on their maximum: all but `open`, a range of beats, and what is no heart
  /// rate.
  public var needsZones: Bool {
    switch meaning {
    case .open, .range, .quantity: false
    case .name, .span, .percent: true
    }
  }

  /// A range of whole beats per minute; both limits belong to it.
  public init(_ beatsPerMinute: ClosedRange<Int>) {
    self.init("\(beatsPerMinute.lowerBound)-\(beatsPerMinute.upperBound)")
  }

  /// The target that it comes to in some zones.
  ///
  /// - Throws: ``ZoneError/target(text:expected:)`` when it names neither a zone of the model nor a range, and
  ///   ``ZoneError/outOfRange(quantity:value:expected:)`` when a limit is no heart rate.
  /// - Complexity: O(number of zones); the text is not read again.
  public func target(in zones: HeartRateZones) throws(ZoneError) -> TrainingTarget {
    switch meaning {
    case .open: return .open
    case .range(let lower, let upper): return try .between(lower, upper)
    case .percent(let lower, let upper):
      guard let maximum = zones.maximum?.beatsPerMinute else {
        throw ZoneError.missing(quantity: "an age or a measured maximum", neededFor: "a target in percent")
      }
      try ZoneError.require(lower, in: Self.plausiblePercent, "lower percentage of the target")
      try ZoneError.require(upper, in: Self.plausiblePercent, "upper percentage of the target")
      // Rounded half up, as heart rates are shown.
      return try .between((maximum * lower + 50) / 100, (maximum * upper + 50) / 100)
    case .quantity(let quantity): return .quantity(try quantity.get())
    case .name(let name):
      if let zone = Self.zone(name, in: zones) { return zone }
    case .span(let name, let first, let last):
      if let zone = Self.zone(name, in: zones) { return zone }
      if let span = try span(first, last, in: zones) { return span }
    }
    let names = zones.zones.map { Self.normalized($0.name) }.joined(separator: ", ")
    throw ZoneError.target(
      text: text,
      expected: "a zone (\(names), z1…z\(zones.zones.count)), z2-z3, a range like 119-137, a pace like 5:30/km, "
        + "a speed like 12km/h, a cadence like 170-180spm, a1:0.75-1.0, or open")
  }

  /// The target with its limits in some zones; success without a value is an open target, and what is none says why.
  public func resolved(in zones: HeartRateZones) -> Result<ResolvedTarget?, ZoneError> {
    do throws(ZoneError) {
      return .success(try ResolvedTarget(target(in: zones), in: zones))
    } catch {
      return .failure(error)
    }
  }

  private static let plausiblePercent = 20...110

  private static func zone(_ name: String, in zones: HeartRateZones) -> TrainingTarget? {
    zones.zones.first { zone in
      let label = zone.label.lowercased()
      return [normalized(zone.name), label, "z" + label, "zone" + label, "zone-" + label].contains(name)
    }.map { .zone($0.number) }
  }

  /// `z2-z3`: the heart rates of both zones and of those between them; `nil` when one of them is none. Where a zone has no
  /// end, the range has that of ``TrainingTarget/plausible``.
  private func span(
    _ first: String, _ last: String, in zones: HeartRateZones
  ) throws(ZoneError) -> TrainingTarget? {
    func index(_ name: String) -> Int? {
      zones.zones.firstIndex { name == "z" + $0.label.lowercased() || name == "zone" + $0.label.lowercased() }
    }
    guard let first = index(first), let last = index(last) else { return nil }
    guard first <= last else {
      throw ZoneError.target(text: text, expected: "a lower zone that is not over the upper one")
    }
    return try .between(
      zones.zones[first].lowerBPM ?? TrainingTarget.plausible.lowerBound,
      zones.zones[last].upperBPM ?? TrainingTarget.plausible.upperBound)
  }

  private static func normalized(_ text: String) -> String {
    text.lowercased().split(whereSeparator: { $0 == " " || $0 == "_" }).joined(separator: "-")
  }
}

extension TargetRequest: ExpressibleByStringLiteral {
  /// Reads a target that stands in the code.
  public init(stringLiteral text: String) { self.init(text) }
}
