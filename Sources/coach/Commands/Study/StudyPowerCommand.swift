import StrategyStudy
import WorkoutSession

/// `coach study power`: how many people a real study needs.
enum StudyPowerCommand {
  /// Prints the number of people.
  static func run(_ parsed: ParsedArguments, _ console: Console) throws -> Int32 {
    guard let effect = parsed[StudyOptions.effect], effect != 0 else {
      throw CommandFailure("study power: expected --effect N, not 0", .usage)
    }
    guard let spread = parsed[StudyOptions.spread] else {
      throw CommandFailure("study power: expected --spread N", .usage)
    }
    let power = parsed[StudyOptions.power]
    let alpha = parsed[StudyOptions.alpha]
    guard power > alpha else {
      throw CommandFailure("--power: expected more than --alpha, \(plain(alpha))", .usage)
    }
    guard let people = SampleSize.people(effect: effect, spread: spread, power: power, alpha: alpha) else {
      throw CommandFailure("--effect: more than \(SampleSize.largest) people: expected a larger effect", .usage)
    }
    let reached = SampleSize.power(people: people, effect: effect, spread: spread, alpha: alpha)
    guard parsed[OutputOptions.format] == .text else {
      var writer = JSONWriter()
      writer.object { writer in
        writer.member("version", StudyRecords.version)
        writer.member("type", "studyPower")
        writer.member("effect", effect)
        writer.member("spread", spread)
        writer.member("standardizedEffect", effect / spread)
        writer.member("power", power)
        writer.member("alpha", alpha)
        writer.member("people", people)
        writer.member("reachedPower", reached)
      }
      writer.endLine()
      try console.write(writer.bytes)
      return 0
    }
    try console.line(
      "\(people) people, each once in both arms: a true difference of \(plain(effect)) is found with a probability of "
        + "\(QuantityText.number(reached, decimals: 3)),")
    try console.line(
      "when people's differences spread by \(plain(spread)), by a two-sided t test at \(plain(alpha)).")
    return 0
  }
}
