import ActivityRecognition
import ReportPages
import TextFormats

/// `coach motion evaluate`: how well activities of people are recognised of whom nothing was learned.
enum MotionEvaluateCommand {
  /// Learns and tests, then prints the figures.
  static func run(_ parsed: ParsedArguments, _ console: Console) throws -> Int32 {
    let plan = try MotionRequest.plan(parsed)
    let page = try MotionPage(parsed)
    let given = [
      parsed.isGiven(MotionOptions.folds), parsed[MotionOptions.leaveOneOut], parsed.isGiven(MotionOptions.test),
    ]
    guard given.count(where: \.self) < 2 else {
      throw CommandFailure("motion evaluate: expected one of --folds, --leave-one-out and --test", .usage)
    }
    let folder = parsed[MotionOptions.test]
    if parsed[MotionOptions.unknown],
      page != nil || folder != nil || parsed.isGiven(MotionOptions.tuned) || parsed.isGiven(MotionOptions.fold)
    {
      throw CommandFailure(
        "motion evaluate: --unknown: expected no --test, --tuned, --fold or --output beside it", .usage)
    }
    let (recordings, tested) = try MotionInput.corpus(
      parsed[Operands.motion], tested: folder, personFrom: parsed[MotionOptions.personSource], console)
    let corpus = try MotionRequest.corpus(recordings, parsed)
    let windows = try MotionRequest.windows(corpus, plan, parsed, console)
    let groups = try MotionRequest.groups(corpus, parsed, tested: folder == nil ? nil : tested)
    if parsed[MotionOptions.unknown] { return try MotionUnknownReport.run(windows, groups, plan, parsed, console) }
    let progress = ProgressLine("learning", unit: .named("epochs"))
    let evaluation: MotionEvaluation
    do throws(MotionTrainingProblem) {
      defer { progress.end() }
      evaluation = try MotionEvaluation.run(windows, groups: groups, plan, tunedRecordings: parsed[MotionOptions.tuned])
      {
        progress.show($0)
      }
    } catch {
      throw CommandFailure("\(error)", .unusableData)
    }
    for label in evaluation.unlearnedLabels {
      console.complain("\(label): nobody who was learned from has it, so that none of its windows could be recognised")
    }
    if !evaluation.untested.isEmpty {
      console.complain(
        "not tested: \(evaluation.untested.joined(separator: ", ")): expected labelled windows"
          + (parsed[MotionOptions.tuned].map { ", in the first \($0) recordings and in later ones" } ?? ""))
    }
    if let page {
      try page.write(MotionEvaluationPage(evaluation).bytes, of: evaluation.extent, console)
      return 0
    }
    if parsed[OutputOptions.format] == .text {
      let facts = TerminalFacts(descriptor: 1, color: parsed[OutputOptions.color])
      try console.print(EvaluationView(evaluation, width: facts.width).lines, facts)
    } else {
      var writer = JSONWriter()
      MotionRecords.write(evaluation, to: &writer)
      writer.endLine()
      try console.write(writer.bytes)
    }
    return 0
  }
}
