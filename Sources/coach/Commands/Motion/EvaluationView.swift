import ActivityRecognition
import WorkoutSession

/// An evaluation on a terminal: the figures, then what windows were taken for, with shades.
struct EvaluationView {
  private let evaluation: MotionEvaluation
  private let width: Int

  /// The view in so many columns.
  init(_ evaluation: MotionEvaluation, width: Int) {
    self.evaluation = evaluation
    self.width = width
  }

  /// The lines.
  var lines: [StyledText] {
    [figures, ConfusionTable(evaluation.labels, evaluation.confusion, width: width).lines].joinedBlocks
  }

  private var figures: [StyledText] {
    let confusion = evaluation.confusion
    let interval = evaluation.confidence95
    func number(_ value: Double) -> String { QuantityText.number(value, decimals: 3) }
    let first =
      StyledText("macro-F1 \(number(confusion.macroF1))", .bold)
      + StyledText(
        (interval.map { "  95 % \(number($0.lowerBound)) to \(number($0.upperBound)) over people" } ?? "")
          + ", accuracy " + number(confusion.accuracy))
    let folds = evaluation.folds
    var sentences = [
      "\(evaluation.extent), tested in \(folds == 1 ? "one group" : "\(folds) groups"), of whom nothing was learned"
    ]
    if let worst = evaluation.worstPerson { sentences.append("worst person \(worst.name): \(number(worst.macroF1))") }
    sentences.append(
      "\(evaluation.plan.network.rawValue): \(QuantityText.number(evaluation.secondsToTrain, decimals: 1)) s to learn, "
        + "\(QuantityText.number(evaluation.microsecondsPerWindow, decimals: 0)) µs a window")
    return [first.cut(to: width)] + sentences.flatMap { SummaryView.paragraph($0, width: width) }
  }
}

/// How often windows of one label were taken for each, darker the more of the label's windows there are.
struct ConfusionTable {
  private static let shades = ["", "░", "▒", "▓", "█"]
  private let labels: [String]
  private let counts: ConfusionCounts
  private let width: Int

  /// The table in so many columns.
  init(_ labels: [String], _ counts: ConfusionCounts, width: Int) {
    self.labels = labels
    self.counts = counts
    self.width = width
  }

  /// The lines: a row a true label, a column for each that was recognised.
  var lines: [StyledText] {
    let columns =
      [TextTable.Column(title: "true, taken for", isLabel: true)]
      + labels.map { TextTable.Column(title: $0, isNumber: true) }
      + [TextTable.Column(title: "F1", isNumber: true)]
    let f1 = counts.f1
    let rows = labels.indices.map { row in
      let total = max(1, counts.counts[row].reduce(0, +))
      return [TextTable.Cell.text(labels[row])]
        + labels.indices.map { column in
          let count = counts.counts[row][column]
          return .text(
            "\(shade(Double(count) / Double(total)))\(count)",
            row == column ? .ink(.green) : count * 20 > total ? .ink(.yellow) : .plain)
        } + [.text(f1[row].map { QuantityText.number($0, decimals: 3) })]
    }
    return TextTable(columns, rows).wrappedLines(width: width)
  }

  private func shade(_ share: Double) -> String {
    switch share {
    case ..<0.001: ""
    case ..<0.05: Self.shades[1] + " "
    case ..<0.5: Self.shades[2] + " "
    case ..<0.9: Self.shades[3] + " "
    default: Self.shades[4] + " "
    }
  }
}
