/// A parameter of a strategy, as it stands in specifications and in the list of strategies.
public struct StrategyParameter: Hashable, Sendable {
  /// The key in a specification.
  public let key: String
  /// The unit of the value.
  public let unit: String
  /// The value when nothing is said.
  public let defaultValue: Double
  /// The values that are possible.
  public let range: ClosedRange<Double>
  /// What the parameter does.
  public let meaning: String

  static let every = StrategyParameter(
    key: "every", unit: "s", defaultValue: 120, range: 1...86_400, meaning: "active time between two judgements")
  static let everyMinute = StrategyParameter(
    key: "every", unit: "s", defaultValue: 60, range: 1...86_400, meaning: every.meaning)
  static let window = StrategyParameter(
    key: "window", unit: "s", defaultValue: 60, range: 1...86_400,
    meaning: "time before a judgement whose dominant band is judged")

  func checked(_ value: SessionTime, of strategy: String) throws(ZoneError) -> SessionTime {
    guard range.contains(value.seconds) else {
      throw ZoneError.strategy(
        text: "\(strategy):\(key)=\(Decimal.text(value.seconds))",
        expected: "\(key) from \(Decimal.text(range.lowerBound)) to \(Decimal.text(range.upperBound)) \(unit)")
    }
    return value
  }
}

/// A strategy as it is listed for people: what it does, where it comes from, what can be set.
public struct StrategyDescription: Hashable, Sendable {
  /// The name in a specification.
  public let kind: String
  /// What it does, in one sentence.
  public let summary: String
  /// Where it was published.
  public let source: String
  /// What can be set.
  public let parameters: [StrategyParameter]

  /// Every strategy that there is.
  public static let all: [StrategyDescription] = [
    StrategyDescription(
      kind: "none", summary: "Never judges; the session is only recorded.",
      source: "the control condition of the Wise study (RoCHI 2023, Table 2)", parameters: []),
    StrategyDescription(
      kind: "moment", summary: "Judges the newest accepted heart rate, not older than 15 s, at every interval.",
      source: "Wise (RoCHI 2023), strategy M; 2 min in its Table 2", parameters: [.every]),
    StrategyDescription(
      kind: "period",
      summary: "Judges the band held for most seconds of the window before, at every interval.",
      source: "Wise (RoCHI 2023), strategy PT; 1 min over 1 min and 2 min over 1 min in its Table 2",
      parameters: [.everyMinute, .window]),
  ]
}

extension FeedbackStrategy: Codable {
  /// The name in a specification.
  public var kind: String {
    switch self {
    case .none: return "none"
    case .moment: return "moment"
    case .period: return "period"
    }
  }

  /// The values of all parameters, in the order in which ``StrategyDescription`` lists them.
  public var parameters: [(key: String, value: Double)] {
    switch self {
    case .none: return []
    case .moment(let moment): return [("every", moment.every.seconds)]
    case .period(let period): return [("every", period.every.seconds), ("window", period.window.seconds)]
    }
  }

  /// The specification on a command line, such as `period:every=60,window=60`.
  public var specification: String {
    let values = parameters.map { "\($0.key)=\(Decimal.text($0.value))" }
    return values.isEmpty ? kind : kind + ":" + values.joined(separator: ",")
  }

  /// Creates a strategy from its name and the parameters that are not at their default.
  ///
  /// - Throws: ``ZoneError/strategy(text:expected:)`` for a name or a key that is unknown, a key that stands twice, or
  ///   a value that is not possible.
  public init(kind: String, parameters: [(key: String, value: Double)]) throws(ZoneError) {
    guard let description = StrategyDescription.all.first(where: { $0.kind == kind }) else {
      let names = StrategyDescription.all.map(\.kind).joined(separator: ", ")
      throw ZoneError.strategy(text: kind, expected: "one of \(names)")
    }
    var values: [String: SessionTime] = [:]
    for parameter in description.parameters {
      values[parameter.key] = SessionTime(seconds: parameter.defaultValue)
    }
    var seen: Set<String> = []
    for (key, value) in parameters {
      guard description.parameters.contains(where: { $0.key == key }) else {
        let keys = description.parameters.map(\.key).joined(separator: ", ")
        throw ZoneError.strategy(
          text: "\(kind):\(key)", expected: keys.isEmpty ? "no parameters" : "only the parameters \(keys)")
      }
      guard seen.insert(key).inserted else {
        throw ZoneError.strategy(text: "\(kind):\(key)", expected: "each parameter once")
      }
      guard let time = SessionTime(seconds: value) else {
        throw ZoneError.strategy(text: "\(kind):\(key)=\(value)", expected: "a number of seconds")
      }
      values[key] = time
    }
    let every = values["every"] ?? .zero
    switch description.kind {
    case "moment": self = .moment(try MomentStrategy(every: every))
    case "period": self = .period(try PeriodStrategy(every: every, window: values["window"] ?? .zero))
    default: self = .none
    }
  }

  /// Reads a specification such as `moment:every=120`; what is not said is at its default.
  ///
  /// - Throws: ``ZoneError/strategy(text:expected:)`` when the text is no specification.
  public init(specification text: String) throws(ZoneError) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    var parameters: [(key: String, value: Double)] = []
    if parts.count == 2 {
      for pair in parts[1].split(separator: ",", omittingEmptySubsequences: false) {
        let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard sides.count == 2, let value = Double(sides[1]), value.isFinite else {
          throw ZoneError.strategy(text: text, expected: "KIND or KIND:key=number,key=number")
        }
        parameters.append((String(sides[0]), value))
      }
    }
    try self.init(kind: String(parts[0]), parameters: parameters)
  }

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Decodes `{"kind":"period","every":60,"window":60}`; an unknown key is an error.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let kind = try container.decode(String.self, forKey: Key(stringValue: "kind"))
    let parameters = try container.allKeys.filter { $0.stringValue != "kind" }
      .sorted { $0.stringValue < $1.stringValue }
      .map { (key: $0.stringValue, value: try container.decode(Double.self, forKey: $0)) }
    try self.init(kind: kind, parameters: parameters)
  }

  /// Encodes the name and every parameter.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(kind, forKey: Key(stringValue: "kind"))
    for (key, value) in parameters { try container.encode(value, forKey: Key(stringValue: key)) }
  }
}
