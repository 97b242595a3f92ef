import LiveCoaching
import WorkoutSession
import ZoneEngine

/// One picture of a running session, made for a size: calm, and readable from two metres.
///
/// From the top: the time and what is asked for; in a plan the step, with what is left of it large; the heart rate, large,
/// beside what to do; the target as a band with a needle; the numbers that the runner has chosen, large; the last minutes; the
/// keys. The curve takes what room there is.
///
/// Colours are those of zones and stand for nothing else. What to do is said by shapes, words and places; digits are solid on
/// target and hatched off it.
struct LiveFrame: Sendable {
  /// The size under which only the most important is shown.
  static let least = ScreenSize(columns: 40, rows: 12)

  /// The lines from the top: at most as many as there are rows, each at most as wide as the screen.
  let lines: [StyledText]

  /// What the runner has chosen to see.
  struct Choice: Hashable, Sendable {
    /// The fields, in their order.
    var fields: [LiveField]
    /// The units of distances and paces.
    var units: UnitSystem
  }

  /// A picture of a session as it stands.
  ///
  /// - Parameters:
  ///   - choice: what the runner wants to see.
  ///   - timeOfDay: what the clock on the wall shows; `nil` where nobody knows.
  ///   - panel: what is shown in place of the curve, such as help; `nil` for the curve.
  ///   - footer: the last line, in wordings from the longest to the shortest.
  init(
    _ board: LiveBoard, _ pipeline: SessionPipeline, _ choice: Choice, timeOfDay: String?, panel: LivePanel?,
    footer: [StyledText], size: ScreenSize, glyphs: GlyphSet
  ) {
    let parts = FrameParts(board, pipeline, choice, timeOfDay: timeOfDay, size: size, glyphs: glyphs)
    let lines = size.isAtLeast(Self.least) ? parts.full(panel, footer) : parts.small(panel, footer)
    self.lines = lines.prefix(size.rows).map { $0.cut(to: size.columns).withoutTrailingSpaces }
  }
}

/// Columns and rows of a screen.
struct ScreenSize: Hashable, Sendable {
  /// Columns.
  let columns: Int
  /// Rows.
  let rows: Int

  /// Whether there is room for another size.
  func isAtLeast(_ other: ScreenSize) -> Bool { columns >= other.columns && rows >= other.rows }
}

/// The parts of a picture, and where they stand.
struct FrameParts {
  let board: LiveBoard
  let pipeline: SessionPipeline
  let choice: LiveFrame.Choice
  let size: ScreenSize
  let glyphs: GlyphSet
  let engine: CoachingEngine
  let zones: HeartRateZones
  let advice: LiveAdvice
  let step: LiveStep?
  let place: TargetPlace?
  let fields: FieldRows
  let bpm: Int?

  init(
    _ board: LiveBoard, _ pipeline: SessionPipeline, _ choice: LiveFrame.Choice, timeOfDay: String?, size: ScreenSize,
    glyphs: GlyphSet
  ) {
    (self.board, self.pipeline, self.choice, self.size, self.glyphs) = (board, pipeline, choice, size, glyphs)
    engine = pipeline.engine
    zones = engine.settings.zones
    advice = LiveAdvice(board, pipeline, units: choice.units)
    step = LiveStep(board, pipeline, units: choice.units)
    place = engine.isPaused ? nil : TargetPlace(engine)
    fields = FieldRows(
      LiveField.Source(board, pipeline, units: choice.units, timeOfDay: timeOfDay), board.activity,
      columns: size.columns)
    let engine = pipeline.engine
    bpm = engine.newestReading.flatMap { reading in
      engine.now - reading.time <= CoachingEngine.holdLimit ? reading.displayedBPM : nil
    }
  }

  // MARK: - Layout

  /// From this size on the step, the action and the fields are large too.
  private static let roomySize = ScreenSize(columns: 60, rows: 20)
  /// From this size on everything is twice as large; with a step above it from so many rows on.
  private static let hugeSize = ScreenSize(columns: 110, rows: 30)
  private static let hugeRowsWithStep = 40
  /// The least rows of a curve that is worth its room.
  private static let leastCurve = 4

  func full(_ panel: LivePanel?, _ footer: [StyledText]) -> [StyledText] {
    guard size.isAtLeast(Self.roomySize) else { return compact(panel, footer) }
    let isHuge = size.isAtLeast(Self.hugeSize) && (step == nil || size.rows >= Self.hugeRowsWithStep)
    var blocks = [[header]]
    if let step { blocks.append(stepBlock(step, isHuge ? .huge : .square)) }
    blocks.append(heartBlock(isHuge: isHuge))
    blocks.append([gauge])
    let end = [numbers(without: choice.fields)] + (step == nil ? [next].compactMap(\.self) : [])
    let bottom = end.filter { $0 != .empty } + [footer.fitting(size.columns)]
    let taken = blocks.map(\.count).reduce(0, +) + bottom.count
    var lines: [StyledText]?
    if let panel {
      guard let found = panelLines(panel, rows: size.rows - taken) else { return menu(panel, footer) }
      lines = found
    }
    let room = size.rows - taken - (lines?.count ?? 0)
    var shown = fields.large(choice.fields, rows: room)
    if room - shown.count >= 3 * Self.leastCurve + 7 {
      // What few sensors measure takes no room before it is measured.
      let others = LiveField.allCases.filter { field in
        !choice.fields.contains(field) && (field != .alpha1 || fields.text(field) != nil)
      }
      shown += [.empty] + fields.large(others, rows: FieldRows.largeRows)
    }
    if !shown.isEmpty { blocks.append(shown) }
    return stacked(blocks, lines, bottom)
  }

  /// The lines of a panel in some rows of a whole picture; `nil` for a menu that has no room there.
  private func panelLines(_ panel: LivePanel, rows: Int) -> [StyledText]? {
    panel.isMenu
      ? panel.whole(columns: size.columns, rows: rows) : panel.lines(columns: size.columns, rows: max(0, rows))
  }

  /// A menu that has no room in a whole picture, under what nobody who runs should miss: the heart rate and what to do, as large as
  /// the menu leaves them, and the step.
  private func menu(_ panel: LivePanel, _ footer: [StyledText]) -> [StyledText] {
    let least = [header, heartLine]
    if size.columns >= Self.roomySize.columns {
      let large = [header] + (step.map { stepBlock($0, .square) + [heartLine] } ?? block)
      if let lines = panel.whole(columns: size.columns, rows: size.rows - large.count - 1) {
        return placed(lines, under: large, footer)
      }
    }
    return placed(panel.lines(columns: size.columns, rows: size.rows - least.count - 1), under: least, footer)
  }

  /// A menu between what stands over it and the keys, apart from the former where there is room.
  private func placed(_ lines: [StyledText], under top: [StyledText], _ footer: [StyledText]) -> [StyledText] {
    let left = max(0, size.rows - top.count - lines.count - 1)
    let above = min(1, left)
    return top + [StyledText](repeating: .empty, count: above) + lines
      + [StyledText](repeating: .empty, count: left - above) + [footer.fitting(size.columns)]
  }

  /// The blocks with lines between them where there is room, what is left for the curve, and the bottom.
  private func stacked(
    _ blocks: [[StyledText]], _ panel: [StyledText]?, _ bottom: [StyledText]
  ) -> [StyledText] {
    let left = size.rows - blocks.map(\.count).reduce(0, +) - bottom.count - (panel?.count ?? 0)
    // A curve of few rows says less than lines that keep things apart.
    let gaps = left >= blocks.count + Self.leastCurve ? blocks.count : min(left, blocks.count)
    // Large things first: what is left of a step and the heart rate, then the heart rate and the fields.
    let order = (step == nil ? [2, 1, 0, 3] : [1, 3, 2, 0, 4]).filter { $0 < blocks.count }
    let spaced = Set(order.prefix(max(0, gaps)))
    let top = blocks.indices.flatMap { blocks[$0] + (spaced.contains($0) ? [.empty] : []) }
    let room = max(0, size.rows - top.count - bottom.count)
    let middle = panel ?? course(rows: room)
    return top + middle + [StyledText](repeating: .empty, count: max(0, room - middle.count)) + bottom
  }

  /// A screen with room for one large thing and a few lines.
  private func compact(_ panel: LivePanel?, _ footer: [StyledText]) -> [StyledText] {
    var top = [header]
    if let step {
      top += smallStepBlock(step)
      top.append([adviceWords, placeText].compactMap(\.self).joined(by: .spaces(2)))
      top.append(step.nextTexts.map { StyledText($0, .dim) }.fitting(size.columns))
    } else {
      top += block
    }
    var bottom = [fields.inline(choice.fields)]
    if step == nil, let next { bottom.append(next) }
    bottom.append(footer.fitting(size.columns))
    let left = size.rows - top.count - bottom.count
    var lines: [StyledText]?
    var hasGauge = true
    if let panel {
      guard let found = panelLines(panel, rows: left) else { return menu(panel, footer) }
      // A list of which one line has no room stands in the place of the gauge; one that is cut anyway leaves it there.
      hasGauge = found.count < left || panel.whole(columns: size.columns, rows: left) == nil
      lines = found.count < left || !hasGauge ? found : panel.lines(columns: size.columns, rows: left - 1)
    }
    if hasGauge { top.append(gauge) }
    let room = size.rows - top.count - bottom.count
    let middle = lines ?? course(rows: room)
    return top + middle + [StyledText](repeating: .empty, count: max(0, room - middle.count)) + bottom
  }

  /// What a screen shows that is too small for a picture.
  func small(_ panel: LivePanel?, _ footer: [StyledText]) -> [StyledText] {
    let heart = [heartText + .spaces(1) + zoneText, heartText + .spaces(1) + shortZoneText].fitting(size.columns)
    if let panel, panel.isMenu {
      let top = size.rows > 3 ? [heart, adviceWords] : [heartLine]
      return placed(panel.lines(columns: size.columns, rows: size.rows - top.count - 1), under: top, footer)
    }
    var lines = [
      heart, adviceWords, advice.reasons.map { StyledText($0) }.fitting(size.columns), header,
      fields.inline(choice.fields),
    ]
    if let step {
      let left = step.leftMeasure(choice.units).text
      lines.insert(StyledText("\(left) \(step.name)", .bold).cut(to: size.columns), at: 0)
    }
    return lines.prefix(max(2, size.rows - 1)) + [footer.fitting(size.columns)]
  }

  // MARK: - Lines

  private var header: StyledText {
    // The active time: it stands still in a pause.
    let time = StyledText(QuantityText.clock(pipeline.runActive), .bold)
    var left = [time]
    if engine.isPaused { left.append(StyledText("‖ paused", .bold)) }
    if let remaining = pipeline.runRemaining {
      left.append(StyledText("\(QuantityText.clock(remaining.roundedUpToSeconds)) left"))
    }
    let range = engine.target?.text(in: choice.units)
    let target = range.map { StyledText("target \($0)") } ?? StyledText("no target", .dim)
    if let step {
      let short = StyledText("\(step.number)/\(step.count)")
      return [
        spread(left, [StyledText("step \(step.number) of \(step.count)"), target]), spread(left, [short, target]),
        spread([time], [short, target]), spread([time], [target]),
      ].fitting(size.columns)
    }
    return [spread(left, [target]), spread([time], [target])].fitting(size.columns)
  }

  private func spread(_ left: [StyledText], _ right: [StyledText]) -> StyledText {
    let left = left.joined(by: .spaces(2))
    let right = right.joined(by: .spaces(2))
    return left + .spaces(max(2, size.columns - left.width - right.width)) + right
  }

  private var gauge: StyledText {
    guard let target = engine.target else { return .empty }
    if let band = target.quantity {
      return Self.quantity(band, engine.currentQuantity, choice.units).fitting(size.columns)
    }
    return TargetGauge(target).line(bpm, ink: zoneInk, width: size.columns)
  }

  /// The pace, speed or cadence that is asked for, beside its limits.
  private static func quantity(_ band: QuantityBand, _ value: Double?, _ units: UnitSystem) -> [StyledText] {
    guard let value else { return [StyledText("no usable \(band.name)", .dim)] }
    let band = band.read(in: units)
    let text = StyledText("\(band.name) \(band.text(value))", .bold)
    return [text + StyledText(", target \(band.rangeText)", .dim), text]
  }

  /// What is known beside the fields that are shown large.
  private func numbers(without shown: [LiveField]) -> StyledText {
    var texts = LiveField.allCases.filter { !shown.contains($0) && $0 != .time && $0 != .clock }
      .compactMap { fields.text($0) }
    if let activity = pipeline.activity { texts.insert(activity.name, at: 0) }
    if let steps = engine.stepCount { texts.append("\(steps) steps") }
    return FieldRows.line(texts, columns: size.columns)
  }

  private var next: StyledText? {
    engine.position.step == nil ? StyledText("plan finished", .dim) : nil
  }

  // MARK: - The last minutes

  /// The curve in at most `rows` rows, and where there is much room what happened lately.
  private func course(rows: Int) -> [StyledText] {
    guard rows > 0 else { return [] }
    let list = rows >= 15 ? min(8, rows - 13) : 0
    let curve = RecentCurve(
      board.course, until: engine.now, zones: zones, targets: board.targets,
      size: ScreenSize(columns: size.columns, rows: rows - (list > 0 ? list + 2 : 0)), glyphs: glyphs
    ).lines
    guard list > 0 else { return curve }
    let cueLine = CueLine(zones: zones, width: size.columns, units: choice.units)
    return curve + [.empty] + board.happenings.suffix(list).map { cueLine.line(for: $0) }
  }
}

extension Preferences {
  /// What the screen of a running session shows.
  var choice: LiveFrame.Choice {
    LiveFrame.Choice(fields: fields ?? LiveField.usual, units: units ?? .metric)
  }
}
