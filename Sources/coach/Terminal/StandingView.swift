internal import WorkoutSession

/// A session as its line of the history, and how it compares with those before it: what is higher or lower, and never what
/// is better.
struct StandingView: Sendable {
  /// The lines from the top, none wider than asked for.
  let lines: [StyledText]

  /// The line of a session, and what there is to compare; nothing but the line for the first one of its kind.
  init(_ standing: SessionStanding, width: Int) {
    let line = SessionListView.table(standing.entry, width: width)
    let leftOut = Self.leftOut(standing, width: width)
    guard !standing.figures.isEmpty else {
      lines = line + leftOut
      return
    }
    let count = standing.earlierCount
    let kind = standing.entry.activity == Activity.unlabelled.label ? "" : " of \(standing.entry.activity)"
    let head =
      count == 1 ? "Beside the session\(kind) before" : "Beside the median of the last \(count) sessions\(kind)"
    lines =
      line + [.empty, StyledText(head, .bold).cut(to: width)]
      + standing.figures.flatMap { SummaryView.paragraph(Self.words(for: $0), width: width) } + leftOut
  }

  /// What is said of a session in which no person was measured.
  static func simulated(width: Int) -> [StyledText] {
    SummaryView.paragraph("Simulated: no person was measured.", width: width)
  }

  private static func leftOut(_ standing: SessionStanding, width: Int) -> [StyledText] {
    let count = standing.simulatedLeftOut
    guard count > 0 else { return [] }
    return [.empty]
      + SummaryView.paragraph(
        "\(count == 1 ? "1 simulated session is" : "\(count) simulated sessions are") left out.", width: width)
  }

  private static func words(for figure: SessionStanding.Figure) -> String {
    let name =
      switch figure.quantity {
      case .compliance: "in the target"
      case .heartRate: "average heart rate"
      case .pace: "pace"
      case .cuesPerHour: "cues an hour"
      }
    var text = "\(name) \(Self.text(figure.value, figure.quantity)): \(difference(figure))"
    if figure.earlier.count > 1, let lowest = figure.earlier.first, let highest = figure.earlier.last {
      text += ", before \(Self.text(lowest, figure.quantity)) to \(Self.text(highest, figure.quantity))"
    }
    return text + "."
  }

  /// How far the value is from the median; shares differ by points, everything else by percent.
  private static func difference(_ figure: SessionStanding.Figure) -> String {
    let median = figure.median
    let told = text(median, figure.quantity)
    if figure.quantity == .compliance {
      let points = Int((figure.value * 100).rounded()) - Int((median * 100).rounded())
      guard points != 0 else { return "as before" }
      return "\(points > 0 ? "higher" : "lower") by \(abs(points)) point\(abs(points) == 1 ? "" : "s") than \(told)"
    }
    guard median > 0 else { return figure.value > 0 ? "none before" : "as before" }
    let percent = Int(((figure.value / median - 1) * 100).rounded())
    guard percent != 0 else { return "as before" }
    let word =
      switch figure.quantity {
      case .pace: percent > 0 ? "slower" : "faster"
      case .compliance, .heartRate, .cuesPerHour: percent > 0 ? "higher" : "lower"
      }
    return "\(word) by \(abs(percent)) % than \(told)"
  }

  private static func text(_ value: Double, _ quantity: SessionStanding.Quantity) -> String {
    switch quantity {
    case .compliance: QuantityText.percent(value)
    case .heartRate: "\(QuantityText.number(value, decimals: 0)) bpm"
    case .pace: QuantityText.pace(secondsPerKilometer: value) ?? "–"
    case .cuesPerHour: QuantityText.number(value, decimals: 0)
    }
  }
}
