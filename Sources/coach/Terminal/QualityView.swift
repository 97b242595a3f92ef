import SessionStore
import WorkoutSession
import ZoneEngine

/// How well the streams of a recording were sampled, one block a stream.
struct QualityView: Sendable {
  /// The most gaps that are shown with their places.
  private static let shownGaps = 10

  /// The lines from the top, none wider than asked for.
  let lines: [StyledText]

  /// The view of streams.
  init(_ streams: [StreamQuality], width: Int) {
    guard !streams.isEmpty else {
      lines = SummaryView.paragraph("No stream was recorded.", width: width)
      return
    }
    lines = streams.map { Self.block($0, width: width) }.joinedBlocks
  }

  private static func block(_ quality: StreamQuality, width: Int) -> [StyledText] {
    var title = StyledText(quality.stream.title, .bold)
    if let file = quality.file { title += StyledText("  \(file)", .dim) }
    return [title.cut(to: width)] + FactGrid(facts(quality)).lines(width: width) + gaps(quality, width: width)
  }

  private static func facts(_ quality: StreamQuality) -> [(name: String, text: String)] {
    var rows = "\(quality.rows)"
    if let expected = quality.expectedRows {
      rows += " of \(expected)"
      if expected > 0 { rows += " (\(QuantityText.percent(Double(quality.rows) / Double(expected))))" }
    }
    var facts = [(name: "rows", text: rows)]
    if quality.isPartial, let first = quality.first, let session = quality.session {
      facts.append(
        (
          "came",
          "\(QuantityText.clock(first)) to \(QuantityText.clock(quality.newest)) of \(QuantityText.clock(session.upperBound))"
        ))
    }
    if let rate = quality.rateHz { facts.append(("rate", hertz(rate))) }
    if let asked = quality.askedRateHz { facts.append(("asked", hertz(asked))) }
    if let median = quality.medianInterval { facts.append(("interval", seconds(median.seconds))) }
    if let spread = quality.intervals.standardDeviationSeconds { facts.append(("jitter", seconds(spread))) }
    if let high = quality.intervals.quantile(0.95) { facts.append(("95 % under", seconds(high.seconds))) }
    let oddities = [
      ("duplicates", quality.duplicates), ("out of order", quality.outOfOrder), ("unreadable", quality.unreadableRows),
      ("without a place", quality.unplacedRows), ("torn lines", quality.tornLines),
    ]
    facts += oddities.filter { $0.1 > 0 }.map { (name: $0.0, text: "\($0.1)") }
    facts += quality.missing.filter { $0.count > 0 }.map { (name: "without", text: "\($0.column) in \($0.count)") }
    return facts
  }

  private static func gaps(_ quality: StreamQuality, width: Int) -> [StyledText] {
    let threshold = seconds(quality.gapThreshold.seconds)
    guard quality.gapCount > 0 else {
      return SummaryView.paragraph("No gap over \(threshold).", width: width).map { .spaces(2) + $0 }.map {
        $0.cut(to: width)
      }
    }
    let count = quality.gapCount == 1 ? "1 gap" : "\(quality.gapCount) gaps"
    let summary =
      "\(count) over \(threshold), \(seconds(quality.gapTime.seconds)) in all, the longest "
      + "\(seconds(quality.longestGap.seconds)):"
    let shown = quality.gaps.prefix(shownGaps).map { gap in
      StyledText("    \(QuantityText.clock(gap.from))  for \(seconds((gap.until - gap.from).seconds))")
    }
    let rest = quality.gapCount - shown.count
    return SummaryView.paragraph(summary, width: width - 2).map { .spaces(2) + $0 }
      + (shown + (rest > 0 ? [StyledText("    and \(rest) more")] : [])).map { $0.cut(to: width) }
  }

  private static func hertz(_ rate: Double) -> String { number(rate) + " Hz" }

  private static func seconds(_ value: Double) -> String { number(value) + " s" }

  /// Three digits that count, as far as there are any.
  private static func number(_ value: Double) -> String {
    let decimals = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 4
    var text = QuantityText.number(value, decimals: decimals)
    guard text.contains(".") else { return text }
    while text.last == "0" { text.removeLast() }
    if text.last == "." { text.removeLast() }
    return text
  }
}
