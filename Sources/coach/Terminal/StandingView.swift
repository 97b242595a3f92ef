import WorkoutHistory
import WorkoutSession

/// A session as its line of the history, and how it compares with those before it: what is higher or lower, and never what
/// is better.
struct StandingView: Sendable {
  /// The lines from the top, none wider than asked for.
  let lines: [StyledText]

  /// The line of a session, and what there is to compare; nothing but the line for the first one of its kind.
  init(_ standing: SessionStanding, units: UnitSystem, width: Int) {
    let verdict = standing.verdict.map {
      SummaryView.paragraph(VerdictWords.sentence($0, of: standing.plan), width: width) + [.empty]
    }
    let line = (verdict ?? []) + SessionListView.table(standing.entry, units: units, width: width)
    let leftOut = Self.leftOut(standing, width: width)
    let records = Self.records(standing, units, width: width)
    guard !standing.figures.isEmpty else {
      lines = line + records + leftOut
      return
    }
    let count = standing.earlierCount
    let kind = standing.entry.activity == Activity.unlabelled.label ? "" : " of \(standing.entry.activity)"
    let measure = Activity(standing.entry.activity)?.speedMeasure ?? .pace
    let head =
      count == 1 ? "Beside the session\(kind) before" : "Beside the median of the last \(count) sessions\(kind)"
    lines =
      line + [.empty, StyledText(head, .bold).cut(to: width)]
      + standing.figures.flatMap { SummaryView.paragraph(Self.words(for: $0, measure, units), width: width) } + records
      + leftOut
  }

  /// What is said of a session in which no person was measured.
  static func simulated(width: Int) -> [StyledText] {
    SummaryView.paragraph("Simulated: no person was measured.", width: width)
  }

  /// What no session before was as good at, in one sentence.
  private static func records(_ standing: SessionStanding, _ units: UnitSystem, width: Int) -> [StyledText] {
    guard let line = RecordWords.line(standing.records.map { ($0.effort, $0.before) }, units) else { return [] }
    return [.empty] + SummaryView.paragraph(line + ".", width: width)
  }

  private static func leftOut(_ standing: SessionStanding, width: Int) -> [StyledText] {
    let count = standing.simulatedLeftOut
    guard count > 0 else { return [] }
    return [.empty]
      + SummaryView.paragraph(
        "\(count == 1 ? "1 simulated session is" : "\(count) simulated sessions are") left out.", width: width)
  }

  /// A quantity in a sentence.
  static func words(
    for figure: SessionStanding.Figure, _ measure: SpeedMeasure, _ units: UnitSystem
  ) -> String {
    func text(_ value: Double) -> String { Self.text(value, figure.quantity, measure, units) }
    let name =
      switch figure.quantity {
      case .compliance: "in the target"
      case .heartRate: "average heart rate"
      case .pace: measure.title
      case .cuesPerHour: "cues an hour"
      }
    var sentence = "\(name) \(text(figure.value)): \(difference(figure, measure, units))"
    let isTurned = figure.quantity == .pace && measure == .speed
    let ends = isTurned ? Array(figure.earlier.reversed()) : figure.earlier
    if ends.count > 1, let lowest = ends.first, let highest = ends.last {
      sentence += ", before \(text(lowest)) to \(text(highest))"
    }
    return sentence + "."
  }

  /// How far the value is from the median; shares differ by points, everything else by percent.
  private static func difference(
    _ figure: SessionStanding.Figure, _ measure: SpeedMeasure, _ units: UnitSystem
  ) -> String {
    let median = figure.median
    let usual = text(median, figure.quantity, measure, units)
    if figure.quantity == .compliance {
      let points = Int((figure.value * 100).rounded()) - Int((median * 100).rounded())
      guard points != 0 else { return "as before" }
      return "\(points > 0 ? "higher" : "lower") by \(abs(points)) point\(abs(points) == 1 ? "" : "s") than \(usual)"
    }
    guard median > 0 else { return figure.value > 0 ? "none before" : "as before" }
    // A speed is the inverse of the time for a kilometre.
    let isTurned = figure.quantity == .pace && measure == .speed && figure.value > 0
    let percent = Int(((isTurned ? median / figure.value : figure.value / median) * 100).rounded()) - 100
    guard percent != 0 else { return "as before" }
    let word =
      switch figure.quantity {
      case .pace: (percent > 0) == isTurned ? "faster" : "slower"
      case .compliance, .heartRate, .cuesPerHour: percent > 0 ? "higher" : "lower"
      }
    return "\(word) by \(abs(percent)) % than \(usual)"
  }

  private static func text(
    _ value: Double, _ quantity: SessionStanding.Quantity, _ measure: SpeedMeasure, _ units: UnitSystem
  ) -> String {
    switch quantity {
    case .compliance: QuantityText.percent(value)
    case .heartRate: "\(QuantityText.number(value, decimals: 0)) bpm"
    case .pace: measure.text(secondsPerKilometer: value, units) ?? "–"
    case .cuesPerHour: QuantityText.number(value, decimals: 0)
    }
  }
}
