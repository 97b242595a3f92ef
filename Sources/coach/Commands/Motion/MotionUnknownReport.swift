import ActivityRecognition
import TextFormats
import WorkoutSession

/// `coach motion evaluate --unknown`: how well an activity is recognised as unknown of which nothing was learned.
enum MotionUnknownReport {
  /// Leaves out each label in turn, then prints the figures.
  static func run(
    _ windows: LabelledWindows, _ groups: [[Int]], _ plan: TrainingPlan, _ parsed: ParsedArguments, _ console: Console
  ) throws -> Int32 {
    let progress = ProgressLine("learning", unit: .named("epochs"))
    let evaluations: [UnknownEvaluation]
    do throws(MotionTrainingProblem) {
      defer { progress.end() }
      evaluations = try UnknownEvaluation.run(windows, groups: groups, plan) { progress.show($0) }
    } catch {
      throw CommandFailure("\(error)", .unusableData)
    }
    let format = parsed[OutputOptions.format]
    if format == .text {
      let facts = TerminalFacts(descriptor: 1, color: parsed[OutputOptions.color])
      try console.print(lines(evaluations, width: facts.width), facts)
    } else {
      var list = RecordList("unknown", format)
      for evaluation in evaluations { list.append { MotionRecords.write(evaluation, plan, to: &$0) } }
      try list.print(to: console)
    }
    return 0
  }

  /// A row a label.
  static func lines(_ evaluations: [UnknownEvaluation], width: Int) -> [StyledText] {
    let columns = [
      TextTable.Column(title: "left out", isLabel: true), TextTable.Column(title: "windows", isNumber: true),
      TextTable.Column(title: "AUROC probability", isNumber: true),
      TextTable.Column(title: "AUROC distance", isNumber: true), TextTable.Column(title: "found", isNumber: true),
      TextTable.Column(title: "known refused", isNumber: true),
    ]
    func number(_ value: Double) -> TextTable.Cell { .text(QuantityText.number(value, decimals: 3)) }
    let rows = evaluations.map { evaluation in
      [
        TextTable.Cell.text(evaluation.label), .text("\(evaluation.windows)"), number(evaluation.probabilityAUROC),
        number(evaluation.distanceAUROC), number(evaluation.found), number(evaluation.refused),
      ]
    }
    return TextTable(columns, rows).wrappedLines(width: width)
  }
}

extension MotionRecords {
  /// Writes how well a label was recognised as unknown.
  static func write(_ evaluation: UnknownEvaluation, _ plan: TrainingPlan, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("version", version)
      writer.member("type", "motionUnknown")
      writer.member("label", evaluation.label)
      writer.member("windows", evaluation.windows)
      writer.member("knownWindows", evaluation.knownWindows)
      writer.member("network", plan.network.rawValue)
      writer.member("probabilityAUROC", rounded(evaluation.probabilityAUROC))
      writer.member("distanceAUROC", rounded(evaluation.distanceAUROC))
      writer.member("found", rounded(evaluation.found))
      writer.member("refused", rounded(evaluation.refused))
    }
  }
}
