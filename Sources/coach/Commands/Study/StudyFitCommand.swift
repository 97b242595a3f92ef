import StrategyStudy
import TextFormats
import WorkoutSession

/// `coach study fit`: the numbers of the model of runners that fit recordings of people.
enum StudyFitCommand {
  /// Fits everybody, says whom nothing can be said of and why, prints the numbers and writes the population where that is asked
  /// for; the exit status is that of the worst of what was named itself.
  static func run(_ parsed: ParsedArguments, _ console: Console) async throws -> Int32 {
    if let path = parsed[ExportOptions.output] { try OutputFile.check(path, isReplaced: parsed[ExportOptions.force]) }
    var worst: Int32 = 0
    func fail(_ failure: CommandFailure) {
      console.complain(failure.line)
      worst = max(worst, failure.exitCode.rawValue)
    }
    let operands = try await ComparedOperands.named(parsed, fail)
    let source = parsed[CompareOptions.personSource]
    if source == .folder {
      for parent in operands.parents {
        console.complain("\(parent.path): its \(parent.folders) folders are taken for one person: name that of each")
      }
    }
    var work = FittingWork(personSource: source, includesSimulated: parsed[HistoryOptions.includeSimulated])
    let progress = ProgressLine("reading")
    for (index, input) in operands.inputs.enumerated() {
      do {
        try work.read(input)
      } catch {
        let failure = CommandFailure(error)
        if input.isNamed { fail(failure) } else { console.complain("\(failure.line): left out") }
      }
      progress.show(WorkProgress(done: index + 1, total: operands.inputs.count))
    }
    progress.end()
    for reason in operands.leftOut { console.complain("\(reason): left out") }
    for (name, sport) in work.otherSports {
      console.complain("\(name): its sport is \(sport): expected one on foot: left out")
    }
    HistoryRequest.reportLeftOut(simulated: operands.simulatedLeftOut + work.simulatedLeftOut, console)
    for line in RepeatedWorkouts.lines(work.leaveOutRepeated()) { console.complain(line) }
    var fits: [RunnerFit] = []
    for result in await work.fit() {
      do {
        fits.append(try result.fit.get())
      } catch {
        console.complain("\(result.person.name): \(error)")
      }
    }
    guard !fits.isEmpty else {
      if worst == 0 { throw CommandFailure("study fit: nobody's sessions show enough to fit a runner", .unusableData) }
      return worst
    }
    for fit in fits where !fit.knowsGrades {
      let which = fit.knowsNoGrades ? "no session has altitudes" : "not every session has altitudes"
      console.complain("\(fit.person): \(which): hills are taken for slow running")
    }
    if let path = parsed[ExportOptions.output] {
      try write(fits, to: path, replaces: parsed[ExportOptions.force], console)
    }
    guard parsed[OutputOptions.format] == .text else {
      var writer = JSONWriter()
      for fit in fits {
        fit.write(to: &writer)
        writer.endLine()
      }
      try console.write(writer.bytes)
      return worst
    }
    let facts = TerminalFacts(descriptor: 1, color: parsed[OutputOptions.color])
    try console.print(lines(of: fits, width: facts.width), facts)
    return worst
  }

  /// Writes the population of the gait that most of the people have.
  private static func write(_ fits: [RunnerFit], to path: String, replaces: Bool, _ console: Console) throws {
    let runs = fits.count(where: { $0.gait == .run })
    let gait: Gait = 2 * runs >= fits.count ? .run : .walk
    guard let population = FittedPopulation(fits, gait: gait) else { return }
    for fit in fits where fit.gait != gait {
      console.complain("\(fit.person): \(fit.gait == .walk ? "walks" : "runs"): not in \(path)")
    }
    if fits.count(where: { $0.gait == gait }) == 1 {
      console.complain("\(path): one person: nothing is known of how people differ, and the spreads are 0")
    }
    for loss in population.losses { console.complain("\(path): \(loss)") }
    var writer = JSONWriter()
    population.write(fits, to: &writer)
    let file = try PendingFile(path)
    try file.write(writer.bytes.span)
    try file.commit(replacing: replaces)
  }

  private static func lines(of fits: [RunnerFit], width: Int) -> [StyledText] {
    let method = [
      "The last quarter of each stretch was foreseen from its movement by what the rest was fitted to; beside it the error of who "
        + "says that the heart rate stays as in the minute before, and of who fits no delay. Delay: body, sensor and filter of the watch "
        + "together. Gait: running from the speed of the change on, in the last quarter of each session. By session: each fitted by itself, and "
        + "how they differ beyond their own errors, of which the intervals of all together know nothing.",
      "Hunt 2015: 24 men on a treadmill, gain 24.2 ± 8.3 bpm/(m/s), time constant 57.6 ± 23.6 s.",
    ]
    let notes = method.flatMap { wrapped($0, width: width, indent: 0, hanging: 0) }.map { StyledText($0) }
    return (fits.map { lines(of: $0, width: width) } + [notes]).joinedBlocks
  }

  private static func lines(of fit: RunnerFit, width: Int) -> [StyledText] {
    func number(_ value: Double, _ decimals: Int) -> String { StudyText.number(value, decimals: decimals) }
    func row(_ name: String, _ value: RunnerFit.Interval, _ decimals: Int, _ unit: String, hunt: Double? = nil)
      -> [String]
    {
      let away = hunt.map { "Hunt's mean \($0 < 0 ? "−" : "+") \(number($0.magnitude, 1)) SD" } ?? ""
      return [
        name, "\(number(value.value, decimals)) \(unit)",
        "\(number(value.lower, decimals)) to \(number(value.upper, decimals))", away,
      ]
    }
    func bySession(_ number: (BetweenSessions) -> BetweenSessions.Number, _ decimals: Int, _ unit: String) -> [[String]]
    {
      guard let between = fit.betweenSessions else { return [] }
      var cells = row("  by session", number(between).mean, decimals, unit)
      let spread = StudyText.number(number(between).spread, decimals: max(1, decimals))
      cells[3] = "± \(spread) between \(between.sessions)"
      return [cells]
    }
    var rows = [row("gain", fit.gain, 1, "bpm/(m/s)", hunt: fit.huntGain)]
    rows += bySession(\.gain, 1, "bpm/(m/s)")
    rows.append(row("time constant", fit.timeConstant, 0, "s", hunt: fit.huntTimeConstant))
    rows += bySession(\.timeConstant, 0, "s")
    rows.append(row("delay", fit.delay, 1, "s"))
    rows.append(row("drift", fit.drift, 2, "bpm/min"))
    rows += bySession(\.drift, 2, "bpm/min")
    rows.append(["noise", "\(number(fit.noiseBPM, 1)) bpm", "", "remembered for \(number(fit.noiseSeconds, 0)) s"])
    rows.append(["speeds", "over \(fit.speedSpan) s", "", ""])
    if let speed = fit.transition { rows.append(["walk to run", "\(number(speed, 2)) m/s", "", ""]) }
    if let heldOut = fit.heldOut {
      rows.append([
        "held out", "\(number(heldOut.rmseBPM, 1)) bpm", "", "as before \(number(heldOut.lastMinuteRMSEBPM, 1)) bpm",
      ])
      if fit.delay.value > 0, let other = heldOut.withoutDelayRMSEBPM {
        rows.append(["without delay", "\(number(other, 1)) bpm", "", ""])
      }
    }
    if let gait = fit.heldOutGait {
      let (wrong, usual) = (StudyText.percent(gait.wrongShare), StudyText.percent(gait.usualGaitWrongShare))
      rows.append(["gait held out", "\(wrong) wrong", "", "always the usual one \(usual)"])
    }
    let columns = [
      TextTable.Column(title: ""), .init(title: "", isNumber: true), .init(title: "95 %", isNumber: true),
      .init(title: ""),
    ]
    let hours = QuantityText.number(Double(fit.seconds) / 3600, decimals: 1)
    let count = fit.sessions == 1 ? "1 session" : "\(fit.sessions) sessions"
    return [
      StyledText("\(fit.person): \(fit.gait == .run ? "running" : "walking"), \(count), \(hours) h", .bold).cut(
        to: width)
    ]
      + TextTable(columns, rows.map { $0.map { .text($0) } }).lines(width: width)
  }
}
