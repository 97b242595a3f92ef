import StrategyStudy
import TextFormats

/// `coach study plan`: who gets which arm on which day.
enum StudyPlanCommand {
  /// Prints a line a person.
  static func run(_ parsed: ParsedArguments, _ console: Console) throws -> Int32 {
    guard let arms = parsed[StudyOptions.armNames] else {
      throw CommandFailure("study plan: expected --arms LIST, such as A,B,C", .usage)
    }
    guard let people = parsed[StudyOptions.people] else {
      throw CommandFailure("study plan: expected --people N", .usage)
    }
    let seed = parsed[StudyOptions.seed] ?? 1
    let plan = CounterbalancedOrder(arms: arms.count, people: people, seed: UInt64(seed))
    switch parsed[OutputOptions.format] {
    case .text:
      let columns =
        [TextTable.Column(title: "person", isNumber: true)]
        + arms.indices.map { TextTable.Column(title: "day \($0 + 1)") }
      let rows = plan.orders.enumerated().map { number, order in
        [TextTable.Cell.text("\(number + 1)")] + order.map { .text(arms[$0]) }
      }
      let facts = TerminalFacts(descriptor: 1, color: parsed[OutputOptions.color])
      try console.print(TextTable(columns, rows).lines(width: facts.width), facts)
      if !plan.isBalanced {
        try console.line("Not every order stands there equally often: expected a multiple of \(plan.blockSize) people.")
      }
    case .json:
      var writer = JSONWriter()
      writer.object { writer in
        writer.member("version", StudyRecords.version)
        writer.member("type", "studyOrders")
        writer.member("seed", seed)
        writer.member("balanced", plan.isBalanced)
        writer.member("blockSize", plan.blockSize)
        writer.array("orders") { writer in
          for (number, order) in plan.orders.enumerated() { write(order, number, arms, to: &writer) }
        }
      }
      writer.endLine()
      try console.write(writer.bytes)
    case .jsonl:
      var writer = JSONWriter()
      for (number, order) in plan.orders.enumerated() {
        write(order, number, arms, to: &writer)
        writer.endLine()
      }
      try console.write(writer.bytes)
    }
    return 0
  }

  private static func write(_ order: [Int], _ number: Int, _ arms: [String], to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("version", StudyRecords.version)
      writer.member("type", "studyOrder")
      writer.member("person", number + 1)
      writer.array("arms") { for arm in order { $0.value(arms[arm]) } }
    }
  }
}
