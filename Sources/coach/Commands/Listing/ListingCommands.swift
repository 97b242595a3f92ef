import TextFormats
import WorkoutSession
import ZoneEngine

/// `coach zones`: the zones of a person.
enum ZonesCommand {
  /// Prints the zones.
  static func run(_ parsed: ParsedArguments, _ console: Console) throws -> Int32 {
    let day = parsed[ProfileOptions.on]
    let request = try SessionRequestOptions(parsed).on(day)
    console.reportLaterValues(of: request.person)
    let zones = try RequestOptions.zones(request.coaching, on: day)
    guard parsed[OutputOptions.format] != .text else {
      let facts = TerminalFacts(descriptor: 1, color: .auto)
      try console.print(ZonesTable(zones).lines(width: facts.width), facts)
      return 0
    }
    var writer = JSONWriter()
    ZoneRecords.write(zones, to: &writer)
    try console.write(writer.bytes)
    return 0
  }
}

/// `coach strategies`: every strategy with its parameters.
enum StrategiesCommand {
  /// Prints the strategies.
  static func run(_ parsed: ParsedArguments, _ console: Console) throws -> Int32 {
    let format = parsed[OutputOptions.format]
    guard format != .text else {
      let facts = TerminalFacts(descriptor: 1, color: .auto)
      try console.print(StrategiesList().lines(width: facts.width), facts)
      return 0
    }
    var writer = JSONWriter()
    if format == .json {
      writer.object { writer in
        writer.member("version", SessionRecords.version)
        writer.member("type", "strategies")
        writer.array("strategies") { for strategy in StrategyDescription.all { write(strategy, to: &$0) } }
        writer.array("coaches") { for preset in CoachPreset.allCases { write(preset, to: &$0) } }
        writer.array("presets") { for preset in StrategyPreset.all { write(preset, to: &$0) } }
      }
      writer.endLine()
    } else {
      for strategy in StrategyDescription.all {
        write(strategy, to: &writer)
        writer.endLine()
      }
      for preset in CoachPreset.allCases {
        write(preset, to: &writer)
        writer.endLine()
      }
      for preset in StrategyPreset.all {
        write(preset, to: &writer)
        writer.endLine()
      }
    }
    try console.write(writer.bytes)
    return 0
  }

  private static func write(_ preset: CoachPreset, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", "coachPreset")
      writer.member("name", preset.rawValue)
      writer.member("specification", preset.specification)
      writer.object("guardrails") { preset.guardrails.write(to: &$0) }
      writer.member("summary", preset.summary)
    }
  }

  private static func write(_ preset: StrategyPreset, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", "strategyPreset")
      writer.member("name", preset.name)
      writer.member("specification", preset.specification)
      writer.member("summary", preset.summary)
    }
  }

  private static func write(_ strategy: StrategyDescription, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", "strategy")
      writer.member("kind", strategy.kind)
      writer.member("summary", strategy.summary)
      writer.member("source", strategy.source)
      writer.array("parameters") { writer in
        for parameter in strategy.parameters {
          writer.object { writer in
            writer.member("key", parameter.key)
            writer.member("unit", parameter.unit)
            writer.member("default", parameter.defaultValue)
            writer.member("minimum", parameter.range.lowerBound)
            writer.member("maximum", parameter.range.upperBound)
            writer.member("meaning", parameter.meaning)
          }
        }
      }
    }
  }
}

/// `coach plans`: every ready plan with its steps.
enum PlansCommand {
  /// Prints the plans.
  static func run(_ parsed: ParsedArguments, _ console: Console) throws -> Int32 {
    let format = parsed[OutputOptions.format]
    guard format != .text else {
      let facts = TerminalFacts(descriptor: 1, color: .auto)
      try console.print(try PlansList().lines(width: facts.width), facts)
      return 0
    }
    var list = RecordList("plans", format)
    for plan in ReadyPlan.allCases {
      let request = try plan.request
      list.append { write(plan, request, to: &$0) }
    }
    try list.print(to: console)
    return 0
  }

  private static func write(_ plan: ReadyPlan, _ request: PlanRequest, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", "plan")
      writer.member("name", plan.rawValue)
      writer.member("summary", plan.summary)
      writer.member("text", plan.text)
      request.write(to: &writer)
    }
  }
}

extension Console {
  /// Says on standard error which values of a person are of a later day than the session.
  func reportLaterValues(of person: SessionPerson?) {
    for line in LaterValues.lines(person) { complain(line) }
  }
}
