import StrategyStudy
import WorkoutSession
import ZoneEngine

/// `coach compare`: what strategies would have said over recordings, side by side.
enum CompareCommand {
  /// Compares, tells what was left out and why, and prints the comparison; the exit status is that of the worst of what
  /// was named itself.
  static func run(_ parsed: ParsedArguments, _ console: Console) async throws -> Int32 {
    var names = parsed[CompareOptions.strategies]
    var strategies: [FeedbackStrategy] = []
    for name in names { strategies.append(try FeedbackStrategy(specification: name)) }
    // What contradicts itself is said before anything is read.
    _ = try work(parsed, strategies)
    if let path = parsed[StudyOptions.csv] { try OutputFile.check(path, isReplaced: parsed[ExportOptions.force]) }
    var worst: Int32 = 0
    func fail(_ failure: CommandFailure) {
      console.complain(failure.line)
      worst = max(worst, failure.exitCode.rawValue)
    }
    let operands = try await operands(parsed, fail)
    if names.isEmpty {
      strategies = operands.drawnStrategies
      names = strategies.map(\.specification)
    }
    guard !names.isEmpty else {
      if worst != 0 { return worst }
      throw CommandFailure("--strategy: expected one for each strategy to compare", .usage)
    }
    let work = try work(parsed, strategies)
    for line in operands.leftOut { console.complain("\(line): left out") }
    let progress = ProgressLine("comparing")
    let results = await work.compare(operands.inputs) { done in
      progress.show(WorkProgress(done: done, total: operands.inputs.count))
    }
    progress.end()
    var recordings: [ComparedRecording] = []
    for (input, result) in zip(operands.inputs, results) {
      do {
        let compared = try result.get()
        if compared.isEmpty { console.complain("\(input.path): no usable heart rate in what is compared: left out") }
        recordings += compared
      } catch let failure as CommandFailure where failure.exitCode == .usage {
        throw failure
      } catch {
        let failure = CommandFailure(error)
        if input.isNamed { fail(failure) } else { console.complain("\(failure.line): left out") }
      }
    }
    guard !recordings.isEmpty else {
      if worst == 0 {
        fail(CommandFailure("nothing to compare: expected a recording with heart rates", .unusableData))
      }
      return worst
    }
    let comparison = Comparison(recordings, strategies: strategies)
    try writeTable(comparison, parsed)
    if parsed[OutputOptions.format] == .text {
      let facts = HistoryRequest.facts(parsed)
      try console.print(ComparisonView(comparison, names: names).lines(width: facts.width), facts)
    } else {
      var writer = JSONWriter()
      comparison.write(to: &writer)
      try console.write(writer.bytes)
    }
    return worst
  }

  /// Writes the table of the sessions whose strategies were drawn, when it is asked for.
  private static func writeTable(_ comparison: Comparison, _ parsed: ParsedArguments) throws {
    guard let path = parsed[StudyOptions.csv] else { return }
    guard let randomized = comparison.randomized else {
      throw CommandFailure("--csv: expected sessions of `--randomize`, found none", .unusableData)
    }
    let replaces = parsed[ExportOptions.force]
    let file = try PendingFile(path)
    let bytes = RandomizedTable.csv(randomized.sessions)
    try file.write(bytes.span)
    try file.commit(replacing: replaces)
  }

  private static func work(_ parsed: ParsedArguments, _ strategies: [FeedbackStrategy]) throws -> ComparisonWork {
    let target: ComparedTarget =
      if case .aroundMedian(let margin) = parsed[CompareOptions.target] {
        .aroundMedian(marginBPM: margin)
      } else {
        .asked
      }
    if target != .asked, parsed[GuidanceOptions.plan] != nil {
      throw CommandFailure("--target and --plan: expected one of them", .usage)
    }
    let asked = try SessionRequestOptions(parsed)
    return ComparisonWork(
      strategies: strategies, target: target,
      skip: SessionTime(seconds: parsed[CompareOptions.skip] ?? 0) ?? .zero,
      personSource: parsed[CompareOptions.personSource], path: .sweep
    ) { day, manifest in
      let options = try manifest.map { try SessionRequestOptions(parsed, over: $0.request) } ?? asked
      var request = try options.on(day).coaching
      if target == .asked, request.target == nil, request.plan == nil {
        throw CommandFailure("--target, --plan: expected one of them", .usage)
      }
      if target != .asked { request.target = nil }
      // What is missing is said as the other verbs say it.
      _ = try RequestOptions.settings(request, on: day)
      return request
    }
  }

  /// Finds what was named: a path, or else a session of the history.
  private static func operands(
    _ parsed: ParsedArguments, _ fail: (CommandFailure) -> Void
  ) async throws -> ComparedOperands {
    var operands = ComparedOperands()
    for name in parsed[Operands.compared] {
      do {
        if try FileSystem.status(name) != nil || name.contains("/") || name.contains(".") {
          try operands.add(name)
        } else {
          try operands.add(try await sessionFolder(name, parsed))
        }
      } catch {
        fail(CommandFailure(error))
      }
    }
    return operands
  }

  private static func sessionFolder(_ name: String, _ parsed: ParsedArguments) async throws -> String {
    try await HistoryRequest.with(parsed) { history in
      let entry = try await HistoryRequest.session(name, in: history)
      return SessionFolder.path(of: entry.sessionID, in: history.dataFolder)
    }
  }
}
