import StrategyStudy
internal import TextFormats
import WorkoutHistory
import WorkoutSession
import ZoneEngine

/// A comparison for people: burden beside what was hit, differences with how sure they are, and what it does not say.
///
/// Strategies stand in the order in which they were asked for; none is called the best.
struct ComparisonView {
  private let comparison: Comparison
  private let names: [String]
  private let simulatedLeftOut: Int

  /// A view; `names` are the strategies as they were asked for.
  init(_ comparison: Comparison, names: [String], simulatedLeftOut: Int) {
    self.comparison = comparison
    self.simulatedLeftOut = simulatedLeftOut
    self.names = names
  }

  /// The lines, each in at most `width` columns.
  func lines(width: Int) -> [StyledText] {
    let people = comparison.people.count
    let title =
      "\(counted(comparison.recordings, "recording")) of \(counted(people, "person", "people")), "
      + "\(QuantityText.number(comparison.active.seconds / 3_600, decimals: 1)) h: what would have been said"
    var lines = paragraph(title, .bold, width) + origins(width) + [.empty]
    for index in names.indices {
      lines += pieces(of: "  \(letter(index))  \(names[index].visible)", width).map { StyledText($0) }
    }
    lines += [.empty] + overall.wrappedLines(width: width) + [.empty]
    for index in comparison.rows.indices { lines += withheld(index, width) }
    if people > 1 { lines += [.empty] + perPerson.wrappedLines(width: width) }
    for other in comparison.rows.indices.dropFirst() {
      lines.append(.empty)
      lines.append(StyledText("\(letter(0)) less \(letter(other)), the mean over people", .bold).cut(to: width))
      lines += contrasts(with: other).wrappedLines(width: width)
    }
    lines += intervals(people, width)
    if let phase = comparison.checkMinusMidway {
      lines += [.empty]
      lines += paragraph(
        "In the target at the moments of the coaching less midway between them: \(points(phase))", .plain, width)
    }
    if let randomized = comparison.randomized {
      for trial in randomized.trials { lines += [.empty] + TrialView(trial).lines(width: width) }
      lines += paragraph("Arms were drawn: \(RandomizedTrials.needed).", .dim, width)
    }
    lines += [.empty]
    lines += paragraph(
      "Time in target, RMSE, overshoot and the time to the target are refused: \(Comparison.why).", .dim, width)
    return lines
  }

  // MARK: - Tables

  private var overall: TextTable {
    let columns =
      [TextTable.Column(title: "")]
      + ["cues/h", "up/down", "spurious", "returning", "reversals", "cued", "p50 s", "p90 s"].map {
        TextTable.Column(title: $0, isNumber: true)
      }
    let rows = comparison.rows.indices.map { index in
      [TextTable.Cell.text(letter(index), .bold)]
        + ComparisonMetric.allCases.map { .text(text($0, $0.value(of: comparison.rows[index].overall))) }
    }
    return TextTable(columns, rows)
  }

  /// The name of a person, and of several with one name the beginning of what distinguishes them.
  private static func label(of person: ComparedPerson, _ names: [String: Int]) -> String {
    let isShared = names[person.name, default: 0] > 1 && person.identity != person.name
    return PersonLabel.text(person.name, mark: isShared ? PersonLabel.mark(of: person.identity) : nil)
  }

  private var perPerson: TextTable {
    let columns =
      [TextTable.Column(title: "cues/h of each", isLabel: true), TextTable.Column(title: "recordings", isNumber: true)]
      + comparison.rows.indices.map { TextTable.Column(title: letter($0), isNumber: true) }
    let names = Dictionary(grouping: comparison.people, by: \.name).mapValues(\.count)
    let rows = comparison.people.indices.map { person in
      [
        TextTable.Cell.text(Self.label(of: comparison.people[person], names)),
        .text("\(comparison.recordingsPerPerson[person])"),
      ]
        + comparison.rows.map { row in
          .text(text(.cuesPerHour, ComparisonMetric.cuesPerHour.value(of: row.perPerson[person])))
        }
    }
    return TextTable(columns, rows)
  }

  private func contrasts(with other: Int) -> TextTable {
    let columns =
      [TextTable.Column(title: "")]
      + ["mean", "95 % from", "to", "people", "p (Holm)"].map { TextTable.Column(title: $0, isNumber: true) }
    let rows = comparison.contrasts.filter { $0.a == 0 && $0.b == other }.map { contrast in
      let difference = contrast.difference
      return [
        TextTable.Cell.text(contrast.metric.words + (contrast.metric.isShare ? ", points" : "")),
        .text(signed(contrast.metric, difference.mean)),
        .text(difference.confidence.map { signed(contrast.metric, $0.lower) }),
        .text(difference.confidence.map { signed(contrast.metric, $0.upper) }), .text("\(difference.count)"),
        .text(contrast.adjustedProbability.map(StudyText.probability)),
      ]
    }
    return TextTable(columns, rows)
  }

  /// Where the recordings came from, as far as it is known.
  private func origins(_ width: Int) -> [StyledText] {
    var parts = OriginText.parts(comparison.origins, of: comparison.recordings)
    if simulatedLeftOut > 0 { parts.append("\(counted(simulatedLeftOut, "simulated session")) left out") }
    return parts.isEmpty ? [] : paragraph(parts.joined(separator: ", ") + ".", .plain, width)
  }

  /// How the intervals are made, how many there are, and what that means.
  private func intervals(_ people: Int, _ width: Int) -> [StyledText] {
    guard comparison.rows.count > 1 || comparison.intervalCount > 0 else { return [] }
    if let absence = PeopleInterval.absence(ofPeople: people) { return paragraph(absence, .dim, width) }
    let count = comparison.intervalCount
    return paragraph(
      "\(counted(count, "interval")) by Student's t over people: one holds its true value 95 times of 100, so that of 20 "
        + "one is expected to miss it. p (Holm) is adjusted for all \(comparison.contrasts.count) contrasts at once.",
      .dim, width)
  }

  /// A text without spaces to wrap at, in pieces of a width.
  private func pieces(of text: String, _ width: Int) -> [String] {
    let hanging = 5
    var lines: [String] = []
    var line = ""
    for character in text {
      if line.count == width, width > hanging {
        lines.append(line)
        line = String(repeating: " ", count: hanging)
      }
      line.append(character)
    }
    return lines + [line]
  }

  private func withheld(_ index: Int, _ width: Int) -> [StyledText] {
    let tally = comparison.rows[index].overall
    let reasons = WithholdingReason.allCases.compactMap { reason in
      tally.withheld[reason].map { "\(reason.rawValue) \($0)" }
    }
    let kept = reasons.isEmpty ? "nothing withheld" : "withheld: " + reasons.joined(separator: ", ")
    let cued = tally.latencies.count
    return paragraph(
      "  \(letter(index))  cued \(cued) of \(counted(tally.excursions, "excursion")); \(kept)", .plain, width)
  }

  // MARK: - Words

  /// A, B, … Z, then numbers.
  private func letter(_ index: Int) -> String {
    index < 26 ? String(UnicodeScalar(UInt8(ascii: "A") + UInt8(index))) : "\(index + 1)"
  }

  private func text(_ metric: ComparisonMetric, _ value: Double?) -> String? {
    guard let value else { return "–" }
    return metric.isShare ? QuantityText.percent(value) : QuantityText.number(value, decimals: metric.decimals)
  }

  private func signed(_ metric: ComparisonMetric, _ value: Double) -> String {
    StudyText.signed(metric.isShare ? value * 100 : value, decimals: metric.decimals)
  }

  private func points(_ mean: Comparison.PersonMean) -> String {
    let interval =
      mean.confidence.map { ", 95 % from \(StudyText.points($0.lower)) to \(StudyText.points($0.upper))" } ?? ""
    return "\(StudyText.points(mean.mean)) points\(interval), \(counted(mean.count, "person", "people"))."
  }

  private func counted(_ count: Int, _ one: String, _ many: String? = nil) -> String {
    "\(count) \(count == 1 ? one : many ?? one + "s")"
  }

  private func paragraph(_ text: String, _ style: Style, _ width: Int) -> [StyledText] {
    wrapped(text, width: width, indent: 0, hanging: 0).map { StyledText($0, style).cut(to: width) }
  }
}

extension ComparisonMetric {
  /// Whether the value is a part of 1.
  fileprivate var isShare: Bool {
    switch self {
    case .spuriousShare, .returningShare, .excursionsCuedShare: true
    case .cuesPerHour, .directionalCuesPerHour, .reversalsPerHour, .latencyMedian, .latencyP90: false
    }
  }

  /// With how many decimals it is shown.
  fileprivate var decimals: Int {
    switch self {
    case .cuesPerHour, .directionalCuesPerHour, .reversalsPerHour, .spuriousShare, .returningShare,
      .excursionsCuedShare:
      1
    case .latencyMedian, .latencyP90: 0
    }
  }

  /// What it is called.
  fileprivate var words: String {
    switch self {
    case .cuesPerHour: "cues an hour"
    case .directionalCuesPerHour: "of them up or down"
    case .spuriousShare: "spurious, in the target"
    case .returningShare: "already returning"
    case .reversalsPerHour: "reversals an hour"
    case .excursionsCuedShare: "excursions cued"
    case .latencyMedian: "latency, median, s"
    case .latencyP90: "latency, 90 %, s"
    }
  }
}
