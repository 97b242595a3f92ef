extension FeedbackStrategy: Codable {
  /// The name in a specification.
  public var kind: String {
    switch self {
    case .none: return "none"
    case .moment: return "moment"
    case .period: return "period"
    case .zoneChange: return "zone-change"
    case .trend: return "trend"
    case .adaptive: return "adaptive"
    case .asked: return "exec"
    }
  }

  /// The values of the parameters that a specification names, in the order in which ``StrategyDescription`` lists them:
  /// those that every one names, and those that are not at their default.
  public var parameters: [(key: String, value: Double)] {
    let known = StrategyDescription.all.first { $0.kind == kind }?.parameters ?? []
    return zip(known, allValues).filter { !$0.isOptional || $1 != $0.defaultValue }.map { ($0.key, $1) }
  }

  /// The values of all parameters in the order in which ``StrategyDescription`` lists them.
  private var allValues: [Double] {
    func tail(_ schedule: CheckSchedule, _ saysHold: Bool) -> [Double] {
      [schedule.jitter.seconds, Double(schedule.seed), saysHold ? 1 : 0]
    }
    switch self {
    case .none, .asked: return []
    case .moment(let moment):
      return [moment.schedule.every.seconds, moment.median.seconds] + tail(moment.schedule, moment.saysHold)
    case .period(let period):
      return [period.schedule.every.seconds, period.window.seconds] + tail(period.schedule, period.saysHold)
    case .zoneChange(let change):
      return [
        change.dwell.seconds, Double(change.marginBPM), change.reminder.seconds, change.returningBPMPerSecond,
        change.grace.seconds, change.median.seconds, change.saysHold ? 1 : 0,
      ]
    case .trend(let trend):
      return [
        trend.schedule.every.seconds, trend.window.seconds, trend.horizon.seconds, trend.timeConstant.seconds,
      ] + tail(trend.schedule, trend.saysHold)
    case .adaptive(let adaptive):
      let prior = adaptive.prior
      let shares = [prior.slowPercent, prior.losesPercent, prior.steersPercent, prior.followsPercent]
      return [adaptive.schedule.every.seconds, adaptive.priceSeconds] + (shares + [prior.cueBPM]).map(Double.init)
        + [adaptive.isGraded ? 1 : 0]
    }
  }

  /// The specification on a command line, such as `period:every=60,window=60`.
  public var specification: String {
    if case .asked(let asked) = self { return asked.specification }
    let values = parameters.map { "\($0.key)=\(Decimal.text($0.value))" }
    return values.isEmpty ? kind : kind + ":" + values.joined(separator: ",")
  }

  /// Creates a strategy from its name and the parameters that are not at their default.
  ///
  /// - Throws: ``ZoneError/strategy(text:expected:)`` for a name or a key that is unknown, a key that stands twice, or
  ///   a value that is not possible.
  public init(kind: String, parameters: [(key: String, value: Double)]) throws(ZoneError) {
    guard let description = StrategyDescription.all.first(where: { $0.kind == kind }) else {
      if kind == "exec" {
        throw ZoneError.strategy(text: kind, expected: "a built-in strategy: only a command line may start a program")
      }
      let names = StrategyDescription.all.map(\.kind).joined(separator: ", ")
      throw ZoneError.strategy(text: kind, expected: "one of \(names)")
    }
    var values = Values(description)
    for (key, value) in parameters { try values.set(key, to: value) }
    switch description.kind {
    case "moment":
      self = .moment(
        try MomentStrategy(
          schedule: try values.schedule(), median: try values.time("median"), saysHold: values["hold"] != 0))
    case "period":
      self = .period(
        try PeriodStrategy(
          schedule: try values.schedule(), window: try values.time("window"), saysHold: values["hold"] != 0))
    case "zone-change":
      self = .zoneChange(
        try ZoneChangeStrategy(
          dwell: try values.time("dwell"), marginBPM: Int(values["margin"]), reminder: try values.time("reminder"),
          returningBPMPerSecond: values["returning"], grace: try values.time("grace"),
          median: try values.time("median"), saysHold: values["hold"] != 0))
    case "trend":
      self = .trend(
        try TrendStrategy(
          schedule: try values.schedule(), window: try values.time("window"), horizon: try values.time("horizon"),
          timeConstant: try values.time("tau"), saysHold: values["hold"] != 0))
    case "adaptive":
      self = .adaptive(
        try AdaptiveStrategy(
          schedule: CheckSchedule(every: try values.time("every")), priceSeconds: values["price"],
          prior: RunnerPrior(
            slowPercent: values["slow"], losesPercent: values["loses"], steersPercent: values["steers"],
            followsPercent: values["follows"], cueBPM: values["cue"]), isGraded: values["graded"] != 0))
    default: self = .none
    }
  }

  /// The values of a specification as they are read.
  private struct Values {
    private let description: StrategyDescription
    private var values: [String: Double] = [:]
    private var seen: Set<String> = []

    init(_ description: StrategyDescription) {
      self.description = description
      for parameter in description.parameters { values[parameter.key] = parameter.defaultValue }
    }

    /// The value of a parameter that the description lists.
    subscript(key: String) -> Double { values[key] ?? 0 }

    mutating func set(_ key: String, to value: Double) throws(ZoneError) {
      let kind = description.kind
      guard let parameter = description.parameters.first(where: { $0.key == key }) else {
        let keys = description.parameters.map(\.key).joined(separator: ", ")
        throw ZoneError.strategy(
          text: "\(kind):\(key)", expected: keys.isEmpty ? "no parameters" : "only the parameters \(keys)")
      }
      guard seen.insert(key).inserted else {
        throw ZoneError.strategy(text: "\(kind):\(key)", expected: "each parameter once")
      }
      values[key] = try parameter.checked(value, of: kind)
    }

    func time(_ key: String) throws(ZoneError) -> SessionTime {
      guard let time = SessionTime(seconds: self[key]) else {
        throw ZoneError.strategy(text: "\(description.kind):\(key)=\(self[key])", expected: "a number of seconds")
      }
      return time
    }

    func schedule() throws(ZoneError) -> CheckSchedule {
      try CheckSchedule(every: try time("every"), jitter: try time("jitter"), seed: UInt32(self["seed"]))
    }
  }

  /// Reads a specification such as `moment:every=120`, where what is not said is at its default, or the name of a
  /// ``StrategyPreset``.
  ///
  /// - Throws: ``ZoneError/strategy(text:expected:)`` when the text is none of them.
  public init(specification text: String) throws(ZoneError) {
    let preset = StrategyPreset.all.first { $0.name == text }
    let parts = (preset?.specification ?? text).split(
      separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
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

  /// Encodes the name and the parameters that a specification names.
  public func encode(to encoder: any Encoder) throws {
    if case .asked(let asked) = self {
      throw EncodingError.invalidValue(
        asked, EncodingError.Context(codingPath: encoder.codingPath, debugDescription: "no program is encoded"))
    }
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(kind, forKey: Key(stringValue: "kind"))
    for (key, value) in parameters { try container.encode(value, forKey: Key(stringValue: key)) }
  }
}
