import StrategyStudy
import TextFormats
import WorkoutSession
import ZoneEngine

/// `coach study population`: what the virtual runners are like before anybody says anything.
enum StudyPopulationCommand {
  /// Prints the quantiles of each course.
  static func run(_ parsed: ParsedArguments, _ console: Console) throws -> Int32 {
    let study = try StudyRequest.study(parsed)
    let populations = study.courses.map { PopulationDescription(of: $0, seed: study.seed, runners: study.runners) }
    guard parsed[OutputOptions.format] == .text else {
      var writer = JSONWriter()
      for population in populations {
        write(population, of: study, to: &writer)
        writer.endLine()
      }
      try console.write(writer.bytes)
      return 0
    }
    let facts = TerminalFacts(descriptor: 1, color: parsed[OutputOptions.color])
    try console.print(populations.map { lines(of: $0, width: facts.width) }.joinedBlocks, facts)
    return 0
  }

  private static func lines(of population: PopulationDescription, width: Int) -> [StyledText] {
    let course = population.course
    let columns =
      [TextTable.Column(title: ""), TextTable.Column(title: "mean", isNumber: true)]
      + [TextTable.Column(title: "spread", isNumber: true)]
      + PopulationDescription.parts.map { TextTable.Column(title: QuantityText.percent($0), isNumber: true) }
    let rows = population.quantities.map { quantity in
      let decimals = quantity.quantiles[2] < 10 ? 2 : 1
      func number(_ value: Double) -> TextTable.Cell { .text(StudyText.number(value, decimals: decimals)) }
      return [TextTable.Cell.text(words[quantity.name] ?? quantity.name), number(quantity.moments.mean)]
        + [quantity.moments.standardDeviation.map(number) ?? .text(nil)] + quantity.quantiles.map(number)
    }
    let speeds = course.model.speeds
    func share(_ value: Double, _ words: String) -> String { "\(StudyText.percent(value)) \(words)" }
    var shares = [
      share(
        population.shareAtSlowest, "at the slowest speed, \(QuantityText.number(speeds.lowerBound, decimals: 1)) m/s"),
      share(
        population.shareAtFastest, "at the fastest speed, \(QuantityText.number(speeds.upperBound, decimals: 1)) m/s"),
    ]
    if let below = population.shareBelowRunning {
      shares.append(share(below, "below 134 m/min, from which on ACSM's equation of running holds"))
    }
    let heading =
      [StyledText(course.gaitText, .bold)]
      + SummaryView.paragraph(
        "\(StudyText.counted(population.runners, "virtual runner")), target \(course.targetRequest.text) "
          + "(\(course.target.lowerBPM)–\(course.target.upperBPM) bpm)", width: width)
    return heading + TextTable(columns, rows).wrappedLines(width: width)
      + shares.flatMap { SummaryView.paragraph($0, width: width, indent: 2) }
  }

  private static let words = [
    "preferredSpeedMetersPerSecond": "preferred speed, m/s", "preferredHeartRateBPM": "its heart rate, bpm",
    RunnerModel.gainName: "gain, bpm/(m/s)", "timeConstantSeconds": "time constant, s",
    RunnerModel.delayName: "delay, s", RunnerModel.transitionName: "walk to run, m/s",
  ]

  private static func write(_ population: PopulationDescription, of study: Study, to writer: inout JSONWriter) {
    let course = population.course
    writer.object { writer in
      writer.member("version", StudyRecords.version)
      writer.member("type", "studyPopulation")
      writer.member("activity", course.model.gait.rawValue)
      writer.member("population", course.model.population.rawValue)
      writer.member("heart", course.model.heart == .firstOrder ? nil : course.model.heart.rawValue)
      writer.member("runners", population.runners)
      writer.member("seed", Int64(clamping: study.seed))
      writer.member("target", course.targetRequest.text)
      writer.member("targetLowerBPM", course.target.lowerBPM)
      writer.member("targetUpperBPM", course.target.upperBPM)
      for quantity in population.quantities {
        writer.object(JSONKey(quantity.name)) { writer in
          writer.member("mean", quantity.moments.mean)
          writer.member("standardDeviation", quantity.moments.standardDeviation)
          writer.array("quantiles") { writer in
            for (part, value) in zip(PopulationDescription.parts, quantity.quantiles) {
              writer.array { writer in
                writer.value(part)
                writer.value(value)
              }
            }
          }
        }
      }
      writer.member("shareAtSlowest", population.shareAtSlowest)
      writer.member("shareAtFastest", population.shareAtFastest)
      writer.member("shareBelow134MetersPerMinute", population.shareBelowRunning)
    }
  }
}
