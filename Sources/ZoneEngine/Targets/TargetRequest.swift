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
    let word = ZoneNames.normalized(text)
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

  /// What is wrong with it in whatever zones; `nil` where those of somebody may have such a target. What ``target(in:)`` accepts
  /// has no problem here.
  package var problem: ZoneError? {
    do throws(ZoneError) {
      switch meaning {
      case .open: return nil
      case .range(let lower, let upper): _ = try TrainingTarget.between(lower, upper)
      case .percent(let lower, let upper): try requirePercent(lower, upper)
      case .quantity(let quantity): _ = try quantity.get()
      case .name(let name):
        guard ZoneNames.allWords.contains(name) else { throw unknown(zones: "such as z2 or weight-control") }
      case .span(let name, let first, let last):
        let isSpan = ZoneNames.allSpanWords.isSuperset(of: [first, last])
        // In every model a zone with a later label is a higher one.
        if isSpan, Self.label(first) > Self.label(last) { throw reversed }
        guard isSpan || ZoneNames.allWords.contains(name) else {
          throw unknown(zones: "such as z2 or weight-control")
        }
      }
      return nil
    } catch {
      return error
    }
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
      try requirePercent(lower, upper)
      // Rounded half up, as heart rates are shown.
      return try .between((maximum * lower + 50) / 100, (maximum * upper + 50) / 100)
    case .quantity(let quantity): return .quantity(try quantity.get())
    case .name(let name):
      if let zone = Self.zone(name, in: zones) { return zone }
    case .span(let name, let first, let last):
      if let zone = Self.zone(name, in: zones) { return zone }
      if let span = try span(first, last, in: zones) { return span }
    }
    let names = zones.zones.map { ZoneNames.normalized($0.name) }.joined(separator: ", ")
    throw unknown(zones: "(\(names), z1…z\(zones.zones.count))")
  }

  /// The error of a span whose zones stand the wrong way round.
  private var reversed: ZoneError {
    .target(text: text, expected: "a lower zone that is not over the upper one")
  }

  /// The label of a zone in a word such as `z5a` or `zone5a`.
  private static func label(_ word: String) -> Substring {
    word.dropFirst(word.hasPrefix("zone") ? 4 : 1)
  }

  /// The error of a text that names no target; `zones` says which zones there are.
  private func unknown(zones: String) -> ZoneError {
    ZoneError.target(
      text: text,
      expected: "a zone \(zones), z2-z3, a range like 119-137, a pace like 5:30/km, a speed like 12km/h, "
        + "a cadence like 170-180spm, a1:0.75-1.0, or open")
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

  private func requirePercent(_ lower: Int, _ upper: Int) throws(ZoneError) {
    try ZoneError.require(lower, in: Self.plausiblePercent, "lower percentage of the target")
    try ZoneError.require(upper, in: Self.plausiblePercent, "upper percentage of the target")
    guard lower <= upper else {
      throw ZoneError.target(text: text, expected: "a lower limit that is not over the upper one")
    }
  }

  private static func zone(_ name: String, in zones: HeartRateZones) -> TrainingTarget? {
    zones.zones.first { ZoneNames.words(label: $0.label, name: $0.name).contains(name) }.map { .zone($0.number) }
  }

  /// `z2-z3`: the heart rates of both zones and of those between them; `nil` when one of them is none. Where a zone has no
  /// end, the range has that of ``TrainingTarget/plausible``.
  private func span(
    _ first: String, _ last: String, in zones: HeartRateZones
  ) throws(ZoneError) -> TrainingTarget? {
    func index(_ name: String) -> Int? {
      zones.zones.firstIndex { ZoneNames.spanWords(label: $0.label).contains(name) }
    }
    guard let first = index(first), let last = index(last) else { return nil }
    guard first <= last else {
      throw reversed
    }
    return try .between(
      zones.zones[first].lowerBPM ?? TrainingTarget.plausible.lowerBound,
      zones.zones[last].upperBPM ?? TrainingTarget.plausible.upperBound)
  }
}

extension TargetRequest: ExpressibleByStringLiteral {
  /// Reads a target that stands in the code.
  public init(stringLiteral text: String) { self.init(text) }
}
