import SessionStore
import TextFormats
import WorkoutHistory
import WorkoutSession
import ZoneEngine

/// One session of the history: who, when and what, its summary, its kilometres or miles, drift and recovery.
struct SessionView: Sendable {
  /// The lines from the top, none wider than asked for.
  let lines: [StyledText]

  /// The view of a session.
  init(_ detail: SessionDetail, units: UnitSystem, width: Int, glyphs: GlyphSet) {
    lines =
      [
        Self.heading(detail, width: width),
        SummaryView(detail.outcome, units: units, width: width, glyphs: glyphs).lines,
        detail.verdict.map { VerdictView($0, of: detail.manifest.request.plan, width: width).lines } ?? [],
        LapsView(detail.laps, detail.outcome.activity.speedMeasure, units: units, width: width).lines,
        Self.splits(detail.splits(in: units), detail.outcome.activity.speedMeasure, units, width: width),
        Self.physiology(detail, width: width),
        detail.beats.map { BeatsView($0, width: width).lines } ?? [],
        Self.notes(detail.notes, width: width),
      ].joinedBlocks
  }

  /// What begins the view of a session: activity, time, person, source, strategy.
  private static func heading(_ detail: SessionDetail, width: Int) -> [StyledText] {
    let entry = detail.entry
    let when = entry.startText
    let place = CalendarText.offset(entry.utcOffsetSeconds)
    let title = StyledText(entry.activity, .bold) + .spaces(2)
    var facts: [String] = []
    if let person = entry.person { facts.append(person) }
    if entry.state == .recovered { facts.append("recovered: its recording was cut off") }
    if let origin = detail.manifest.originWords { facts.append(origin) }
    if let source = detail.manifest.source {
      facts.append("from \(source.file) (\(source.format))")
      if let device = source.device { facts.append(device) }
    }
    if let plan = detail.manifest.request.plan {
      facts.append("plan of \(plan.steps.count) steps")
    } else if let target = entry.target {
      facts.append("target \(target)")
    }
    if let coach = detail.manifest.request.coach { facts.append("coach \(coach.rawValue)") }
    facts.append("strategy \(entry.strategy)")
    if let drawn = detail.manifest.randomization { facts.append(RandomizationText.words(for: drawn)) }
    return [[title + StyledText("\(when) (\(place))"), title + StyledText(when)].fitting(width)]
      + SummaryView.paragraph(facts.joined(separator: ", ") + ".", width: width)
      + [StyledText(entry.sessionID, .dim).cut(to: width)]
  }

  private static func splits(
    _ splits: [DistanceSplits.Split], _ measure: SpeedMeasure, _ units: UnitSystem, width: Int
  ) -> [StyledText] {
    guard !splits.isEmpty else { return [] }
    let shares = splits.shares(measure)
    let columns = [
      TextTable.Column(title: units.splitUnit, isNumber: true),
      TextTable.Column(title: "time", isNumber: true),
      TextTable.Column(title: measure.title, isNumber: true),
      TextTable.Column(title: "bpm", isNumber: true),
      TextTable.Column(title: shares.title, rank: 1, isBar: true),
    ]
    let rows = splits.enumerated().map { index, split -> [TextTable.Cell] in
      [
        .text(split.name(number: index + 1, units)),
        .text(QuantityText.clockRounded(split.active)),
        .text(split.paceSecondsPerKilometer.flatMap { measure.text(secondsPerKilometer: $0, units) }),
        .text(split.meanHeartRate.map { QuantityText.number($0, decimals: 0) }),
        .bar(shares.values[index], .ink(.gray)),
      ]
    }
    return [StyledText(units.splitsTitle, .bold).cut(to: width)]
      + TextTable(columns, rows).lines(width: width)
  }

  /// What was written down: the note as it was, line by line, then the tags.
  private static func notes(_ notes: SessionNotes, width: Int) -> [StyledText] {
    let lines = notes.note?.split(separator: "\n", omittingEmptySubsequences: false) ?? []
    let words = lines.flatMap { SummaryView.paragraph(String($0), width: width) }
    let tags = notes.tags.map { "+" + $0 }.joined(separator: " ")
    return words + (tags.isEmpty ? [] : SummaryView.paragraph(tags, width: width))
  }

  private static func physiology(_ detail: SessionDetail, width: Int) -> [StyledText] {
    var sentences: [String] = []
    if let words = detail.decouplingWords { sentences.append("Decoupling \(words)") }
    if let fall = detail.heartRateRecovery {
      let bpm = QuantityText.number(fall, decimals: 0)
      sentences.append("Heart-rate recovery \(bpm) bpm: the largest fall in the first minute of a pause.")
    }
    return sentences.flatMap { SummaryView.paragraph($0, width: width) }
  }
}
