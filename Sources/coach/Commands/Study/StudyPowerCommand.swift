import StrategyStudy
import TextFormats
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
    if let half = parsed[StudyOptions.uncertainty] {
      // Rounded, so that 4 ± 1.1 does not end at 5.1000000000000005.
      func end(_ value: Double) -> Double { value.magnitude < 1e6 ? (value * 1e9).rounded() / 1e9 : value }
      let interval = ConfidenceInterval(lower: end(effect - half), upper: end(effect + half))
      let needed = SampleSize.people(
        effect: effect, confidence95: interval, spread: spread, power: power, alpha: alpha)
      return try print(needed, of: effect, within: interval, parsed, console)
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
      "\(people) people, each once in both arms: a true difference of \(signed(effect)) is found with a probability of "
        + "\(QuantityText.number(reached, decimals: 3)),")
    try console.line(
      "when people's differences spread by \(plain(spread)), by a two-sided t test at \(plain(alpha)).")
    return 0
  }

  /// A number as it was typed, with the minus sign of people's texts.
  private static func signed(_ number: Double) -> String { (number < 0 ? "−" : "") + plain(number.magnitude) }

  /// Prints what follows of an effect that was estimated itself.
  private static func print(
    _ needed: PeopleNeeded, of effect: Double, within interval: ConfidenceInterval, _ parsed: ParsedArguments,
    _ console: Console
  ) throws -> Int32 {
    guard parsed[OutputOptions.format] == .text else {
      var writer = JSONWriter()
      writer.object { writer in
        writer.member("version", StudyRecords.version)
        writer.member("type", "studyPower")
        writer.member("effect", effect)
        writer.array("confidence95") { writer in
          writer.value(interval.lower)
          writer.value(interval.upper)
        }
        writer.member("spread", parsed[StudyOptions.spread])
        writer.member("power", parsed[StudyOptions.power])
        writer.member("alpha", parsed[StudyOptions.alpha])
        StudyRecords.write(needed, as: "people", to: &writer)
      }
      writer.endLine()
      try console.write(writer.bytes)
      return 0
    }
    let words = "\(signed(effect)) within \(signed(interval.lower)) to \(signed(interval.upper))"
    guard let people = StudyText.people(needed) else {
      try console.line("No difference was found: \(words) includes none, so that no number of people follows from it.")
      return 0
    }
    try console.line(
      "\(people) people, each once in both arms, for a difference of \(words); the numbers in brackets are for its ends."
    )
    return 0
  }
}
