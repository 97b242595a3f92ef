import CoachService
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
      let facts = TerminalFacts(descriptor: 1, color: parsed[OutputOptions.color])
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
      let facts = TerminalFacts(descriptor: 1, color: parsed[OutputOptions.color])
      try console.print(StrategiesList().lines(width: facts.width), facts)
      return 0
    }
    var writer = JSONWriter()
    if format == .json { StrategyRecords.writeDocument(to: &writer) } else { StrategyRecords.writeLines(to: &writer) }
    try console.write(writer.bytes)
    return 0
  }
}

/// `coach plans`: every ready plan with its steps.
enum PlansCommand {
  /// Prints the plans.
  static func run(_ parsed: ParsedArguments, _ console: Console) throws -> Int32 {
    let format = parsed[OutputOptions.format]
    guard format != .text else {
      let facts = TerminalFacts(descriptor: 1, color: parsed[OutputOptions.color])
      try console.print(try PlansList().lines(width: facts.width), facts)
      return 0
    }
    var list = RecordList("plans", format)
    for plan in ReadyPlan.allCases {
      let request = try plan.request
      list.append { PlanRecords.write(plan, request, to: &$0) }
    }
    try list.print(to: console)
    return 0
  }
}

extension Console {
  /// Says on standard error which values of a person are of a later day than the session.
  func reportLaterValues(of person: SessionPerson?) {
    for line in LaterValues.lines(person) { complain(line) }
  }
}
