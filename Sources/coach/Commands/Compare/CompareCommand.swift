import OutsidePolicies
import SessionStore
import StrategyStudy
import TextFormats
import WorkoutHistory
import WorkoutSession
import ZoneEngine

/// `coach compare`: what strategies would have said over recordings, side by side.
enum CompareCommand {
  /// Compares, reports what was left out and why, and prints the comparison; the exit status is that of the worst of what
  /// was named itself.
  static func run(_ parsed: ParsedArguments, _ console: Console) async throws -> Int32 {
    var names = parsed[CompareOptions.strategies]
    var strategies: [FeedbackStrategy] = []
    let policies = try PolicyRequest.policies(names, parsed)
    defer { policies.end() }
    for name in names { strategies.append(try PolicyRequest.strategy(name, of: policies, mayBeProgram: true)) }
    // What contradicts itself is said before anything is read.
    _ = try work(parsed, strategies, policies)
    let table = try TableOutput(StudyOptions.csv, parsed)
    var worst: Int32 = 0
    func fail(_ failure: CommandFailure) {
      console.complain(failure.line)
      worst = max(worst, failure.exitCode.rawValue)
    }
    let operands = try await ComparedOperands.named(parsed, fail)
    if names.isEmpty {
      strategies = operands.drawnStrategies
      names = strategies.map(\.specification)
    }
    guard !names.isEmpty else {
      HistoryRequest.reportLeftOut(simulated: operands.simulatedLeftOut, console)
      if worst != 0 { return worst }
      throw CommandFailure("--strategy: expected one for each strategy to compare", .usage)
    }
    // A session may have a target of its own, a recording has none.
    if operands.inputs.contains(where: { $0.kind == .recording && $0.isNamed }), lacksTarget(parsed) {
      throw missingTarget
    }
    let work = try work(parsed, strategies, policies)
    let progress = ProgressLine("comparing")
    let results = await work.compare(operands.inputs) { done in
      progress.show(WorkProgress(done: done, total: operands.inputs.count))
    }
    progress.end()
    if let failure = policies.finish() { throw failure.error }
    var recordings: [ComparedRecording] = []
    // Why something does not count; where nothing is left to compare, the only reason is the error.
    var reasons = operands.leftOut
    var withoutTarget = 0
    for (input, result) in zip(operands.inputs, results) {
      do {
        let compared = try result.get()
        if compared.isEmpty { reasons.append("\(input.path): no usable heart rate in what is compared") }
        recordings += compared
      } catch is SessionWithoutTarget {
        withoutTarget += 1
        reasons.append("\(input.path): the session has no target, and --target or --plan gives it none")
      } catch let failure as CommandFailure where failure.exitCode == .usage {
        throw failure
      } catch {
        let failure = CommandFailure(error)
        if input.isNamed { fail(failure) } else { reasons.append(failure.line) }
      }
    }
    let people = parsed[HistoryOptions.includeSimulated] ? recordings : recordings.filter { !$0.isSimulated }
    let simulated = operands.simulatedLeftOut + recordings.count - people.count
    guard !people.isEmpty else {
      let expected =
        withoutTarget > 0 ? "expected one of them" : "expected a recording of a person with heart rates"
      if worst == 0, let only = reasons.first, reasons.count == 1, simulated == 0 {
        fail(CommandFailure("\(only): \(expected)", withoutTarget > 0 ? .usage : .unusableData))
        return worst
      }
      for reason in reasons { console.complain("\(reason): left out") }
      guard worst == 0 else {
        HistoryRequest.reportLeftOut(simulated: simulated, console)
        return worst
      }
      let words = HistoryRequest.leftOut(simulated: simulated).map { "\($0): " } ?? ""
      fail(
        withoutTarget > 0 ? missingTarget : CommandFailure("nothing to compare: \(words)\(expected)", .unusableData))
      return worst
    }
    for reason in reasons { console.complain("\(reason): left out") }
    HistoryRequest.reportLeftOut(simulated: simulated, console)
    let distinct = DistinctWorkouts(people)
    for line in RepeatedWorkouts.lines(distinct.repeated) { console.complain(line) }
    let comparison = Comparison(distinct.recordings, strategies: strategies)
    try table?.write(to: console) { sink in
      try sink(ComparisonTable.csv(distinct.recordings, strategies: strategies).span)
    }
    if table?.isStandardOutput == true { return worst }
    if parsed[OutputOptions.format] == .text {
      let facts = HistoryRequest.facts(parsed)
      try console.print(
        ComparisonView(comparison, names: names, simulatedLeftOut: simulated).lines(width: facts.width), facts)
    } else {
      var writer = JSONWriter()
      comparison.write(simulatedLeftOut: simulated, to: &writer)
      try console.write(writer.bytes)
    }
    return worst
  }

  /// A session that has no target in a comparison that gives it none.
  private struct SessionWithoutTarget: Error {}

  private static let missingTarget = CommandFailure("--target, --plan: expected one of them", .usage)

  private static func lacksTarget(_ parsed: ParsedArguments) -> Bool {
    parsed[CompareOptions.target] == nil && parsed[GuidanceOptions.plan] == nil
  }

  private static func work(
    _ parsed: ParsedArguments, _ strategies: [FeedbackStrategy], _ policies: Policies
  ) throws -> ComparisonWork {
    let target: ComparedTarget =
      if case .aroundMedian(let margin) = parsed[CompareOptions.target] {
        .aroundMedian(marginBPM: margin)
      } else {
        .asked
      }
    if target != .asked, parsed[GuidanceOptions.plan] != nil {
      throw CommandFailure("--target and --plan: expected one of them", .usage)
    }
    let asked = try SessionRequestOptions(parsed, asking: policies)
    return ComparisonWork(
      strategies: strategies, target: target,
      skip: SessionTime(seconds: parsed[CompareOptions.skip] ?? 0) ?? .zero,
      personSource: parsed[CompareOptions.personSource], path: .sweep, policies: policies
    ) { day, manifest in
      let options = try manifest.map { try SessionRequestOptions(parsed, over: $0.request, asking: policies) } ?? asked
      var request = try options.on(day).coaching
      if target == .asked, request.target == nil, request.plan == nil {
        if manifest != nil { throw SessionWithoutTarget() }
        throw missingTarget
      }
      if target != .asked { request.target = nil }
      // What is missing is said as the other verbs say it.
      _ = try RequestOptions.settings(request, on: day)
      return request
    }
  }
}
