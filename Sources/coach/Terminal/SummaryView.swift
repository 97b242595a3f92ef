import WorkoutSession
import ZoneEngine

/// What a session came to: the numbers, the course of the heart rate, the time in each band, how much of it was in the
/// target, and the cues. What is not known is left out.
struct SummaryView: Sendable {
  /// The lines from the top, none wider than asked for.
  let lines: [StyledText]

  /// The view of a session.
  init(_ outcome: SessionOutcome, units: UnitSystem, width: Int, glyphs: GlyphSet) {
    let zones = outcome.zones
    let summary = outcome.summary
    let targets = outcome.targets
    let curve = CurveView(
      outcome.curve, until: summary.elapsed, zones: zones, targets: targets, units: units, width: width,
      glyphs: glyphs)
    let bars = BandBars(summary, zones: zones, target: targets.only)
    var blocks = [
      [Self.header(summary).fitting(width)]
        + FactGrid(Self.facts(outcome, units)).lines(width: width),
      curve.lines,
      [StyledText("Time in zones", .bold).cut(to: width)] + bars.lines(width: width),
      Self.compliance(summary, target: targets.only, units).flatMap { Self.paragraph($0, width: width) },
    ]
    blocks.append(
      Self.cues(summary.cues, width: width)
        + Self.samples(summary, outcome.unused).flatMap { Self.paragraph($0, width: width) })
    lines = blocks.joinedBlocks
  }

  // MARK: - Numbers

  private static func header(_ summary: SessionSummary) -> [StyledText] {
    let elapsed = QuantityText.clockRounded(summary.elapsed)
    let title = StyledText("Session", .bold) + .spaces(2)
    guard summary.active != summary.elapsed else { return [title + StyledText(elapsed, .bold)] }
    let active = QuantityText.clockRounded(summary.active)
    return [
      title + StyledText(active, .bold) + StyledText(" active, \(elapsed) from start to end", .dim),
      title + StyledText(active, .bold) + StyledText(" active of \(elapsed)", .dim),
    ]
  }

  private static func facts(_ outcome: SessionOutcome, _ units: UnitSystem) -> [(name: String, text: String)] {
    let summary = outcome.summary
    var facts: [(name: String, text: String)] = []
    func whole(_ value: Double) -> String { QuantityText.number(value, decimals: 0) }
    if let mean = summary.timeWeightedMeanHeartRate ?? summary.readings.mean,
      let lowest = summary.readings.minimum, let highest = summary.readings.maximum
    {
      facts.append(("heart rate", "\(whole(mean)) bpm (\(whole(lowest))–\(whole(highest)))"))
    }
    if let meters = summary.distanceMeters { facts.append(("distance", units.distance(meters: meters))) }
    let measure = outcome.activity.speedMeasure
    if let text = summary.averagePaceSecondsPerKilometer.flatMap({ measure.text(secondsPerKilometer: $0, units) }) {
      facts.append((measure.title, text))
    }
    if let steps = summary.steps { facts.append(("steps", "\(steps)")) }
    if let cadence = summary.cadenceStepsPerMinute { facts.append(("cadence", "\(whole(cadence)) steps/min")) }
    let stated = outcome.statedKilocalories
    if let stated { facts.append(("energy", "\(whole(stated)) kcal (file)")) }
    if let energy = summary.energyKilocalories {
      facts.append(("energy", "\(whole(energy)) kcal" + (stated == nil ? "" : " (heart rate)")))
    }
    let loads = [("Edwards", summary.edwards), ("Banister", summary.banister), ("Lucía", summary.lucia)]
    for (name, load) in loads {
      if let load { facts.append(("load", "\(whole(load)) (\(name))")) }
    }
    return facts
  }

  // MARK: - Sentences

  private static func compliance(
    _ summary: SessionSummary, target: ResolvedTarget?, _ units: UnitSystem
  ) -> [String] {
    guard let ofActive = summary.complianceOfActive else { return [] }
    let name = target.map { "In the target (\($0.text(in: units)))" } ?? "In the target of each step"
    guard let ofCovered = summary.compliance else {
      if let band = target?.quantity { return ["\(name): unknown, because there was no \(band.name)."] }
      let rejected = summary.rejectedHeartRates
      let why = rejected == 0 ? "there was no heart rate" : "no heart rate was accepted, and \(rejected) rejected"
      return ["\(name): unknown, because \(why)."]
    }
    let time = QuantityText.clockRounded(summary.inTarget)
    let scope = summary.activeWithTarget == summary.active ? "" : " with a target"
    let covered = QuantityText.percent(ofCovered)
    let active = QuantityText.percent(ofActive)
    guard summary.coveredWithTarget != summary.activeWithTarget else {
      return ["\(name) for \(time): \(covered) of the time\(scope)."]
    }
    return [
      "\(name) for \(time): \(covered) of the time with a \(target?.quantity?.name ?? "heart rate"), \(active) of all active time\(scope)."
    ]
  }

  private static func cues(_ cues: CueCounts, width: Int) -> [StyledText] {
    guard cues.givenTotal + cues.withheldTotal > 0 else { return [] }
    let given = CueAction.allCases.filter { cues.given[$0] != nil }.map { action in
      StyledText(action.symbol, .bold)
        + StyledText(" \(cues.given[action] ?? 0) \(action.words.lowercased())")
    }
    let title = StyledText("Cues", .bold) + StyledText("  \(cues.givenTotal)") + .spaces(2)
    let stacked =
      [(title + given.prefix(1).joined(by: .empty)).withoutTrailingSpaces]
      + given.dropFirst().map { .spaces(title.width) + $0 }
    let line = (title + given.joined(by: .spaces(2))).withoutTrailingSpaces
    let withheld = WithholdingReason.allCases.compactMap { reason in
      cues.withheld[reason].map { "\($0) \(reason.words)" }
    }
    let sentence =
      withheld.isEmpty ? [] : ["Withheld  \(cues.withheldTotal): " + withheld.joined(separator: ", ") + "."]
    return (line.width <= width ? [line] : stacked.map { $0.cut(to: width) })
      + sentence.flatMap { paragraph($0, width: width) }
  }

  private static func samples(_ summary: SessionSummary, _ unused: SessionOutcome.UnusedSamples) -> [String] {
    let odd = [
      (summary.rejectedHeartRates, "rejected"), (unused.late, "late"), (unused.duplicates, "duplicate"),
      (unused.standby, "of another source"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    var sentences: [String] = []
    if !odd.isEmpty {
      let counts = ["\(summary.acceptedHeartRates) accepted"] + odd
      sentences.append("Samples: " + counts.joined(separator: ", ") + ".")
    }
    if summary.rejectedLocations > 0 {
      sentences.append("Positions: \(summary.acceptedLocations) accepted, \(summary.rejectedLocations) rejected.")
    }
    return sentences
  }

  /// A text over several lines, on which a number and its percent sign are never parted.
  static func paragraph(_ text: String, width: Int, indent: Int = 0) -> [StyledText] {
    let bound = text.replacing(" %", with: "\u{A0}%")
    return wrapped(bound, width: width, indent: indent, hanging: indent + 2).map {
      StyledText($0.replacing("\u{A0}", with: " ")).cut(to: width)
    }
  }
}

/// Names and values in as many columns as fit.
struct FactGrid: Sendable {
  private let facts: [(name: String, text: String)]

  /// A grid of these facts, row by row.
  init(_ facts: [(name: String, text: String)]) { self.facts = facts }

  /// The lines, each in at most `width` columns.
  func lines(width: Int) -> [StyledText] {
    let nameWidth = facts.map { StyledText($0.name).width }.max() ?? 0
    let cells = facts.map { StyledText($0.name, .dim).padded(to: nameWidth) + .spaces(2) + StyledText($0.text) }
    let cellWidth = cells.map(\.width).max() ?? 0
    let count = max(1, min(4, (width - 2 + 4) / (cellWidth + 4)))
    return stride(from: 0, to: cells.count, by: count).map { start in
      let row = cells[start..<min(start + count, cells.count)].map { $0.padded(to: cellWidth) }
      return (.spaces(2) + row.joined(by: .spaces(4))).withoutTrailingSpaces.cut(to: width)
    }
  }
}
