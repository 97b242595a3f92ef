import LiveCoaching
import WorkoutSession
import ZoneEngine

/// One picture of a running session, made for a size: calm, and readable from two metres.
///
/// From the top: the time and what is asked for; the heart rate, large, beside what to do; the target as a band with a
/// needle; the last minutes; the numbers; what comes next; the keys. The curve takes what room there is.
struct LiveFrame: Sendable {
  /// The size under which only the most important is shown.
  static let least = ScreenSize(columns: 40, rows: 12)

  /// The lines from the top: at most as many as there are rows, each at most as wide as the screen.
  let lines: [StyledText]

  /// A picture of a session as it stands.
  ///
  /// - Parameters:
  ///   - panel: lines that are shown in place of the curve, such as help; `nil` for the curve.
  ///   - footer: the last line, in wordings from the longest to the shortest.
  init(
    _ board: LiveBoard, _ pipeline: SessionPipeline, panel: [StyledText]?, footer: [StyledText], size: ScreenSize,
    glyphs: GlyphSet
  ) {
    let parts = Parts(board: board, pipeline: pipeline, size: size, glyphs: glyphs)
    let lines = size.isAtLeast(Self.least) ? parts.full(panel, footer) : parts.small(footer)
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

/// The parts of a picture.
private struct Parts {
  let board: LiveBoard
  let pipeline: SessionPipeline
  let size: ScreenSize
  let glyphs: GlyphSet
  let engine: CoachingEngine
  let zones: HeartRateZones
  let advice: LiveAdvice
  let bpm: Int?

  init(board: LiveBoard, pipeline: SessionPipeline, size: ScreenSize, glyphs: GlyphSet) {
    self.board = board
    self.pipeline = pipeline
    self.size = size
    self.glyphs = glyphs
    engine = pipeline.engine
    zones = engine.settings.zones
    advice = LiveAdvice(board, pipeline)
    let engine = pipeline.engine
    bpm = engine.newestReading.flatMap { reading in
      engine.now - reading.time <= CoachingEngine.holdLimit ? reading.displayedBPM : nil
    }
  }

  // MARK: - Layout

  func full(_ panel: [StyledText]?, _ footer: [StyledText]) -> [StyledText] {
    let isAiry = size.rows >= 20
    var top = [header]
    if isAiry { top.append(.empty) }
    top += size.isAtLeast(Self.hugeSize) ? hugeBlock : block
    if isAiry { top.append(.empty) }
    top.append(gauge)
    if isAiry { top.append(.empty) }
    var bottom = [numbers]
    if let next { bottom.append(next) }
    if isAiry { bottom.append(.empty) }
    bottom.append(footer.fitting(size.columns))
    let room = size.rows - top.count - bottom.count
    let middle = panel.map { Array($0.prefix(max(0, room))) } ?? course(rows: room)
    return top + middle + [StyledText](repeating: .empty, count: max(0, room - middle.count)) + bottom
  }

  /// What a screen shows that is too small for a picture.
  func small(_ footer: [StyledText]) -> [StyledText] {
    let heart = heartText + .spaces(1) + zoneText
    let lines = [
      heart, adviceWords, advice.reasons.map { StyledText($0) }.fitting(size.columns), header, numbers,
    ]
    return lines.prefix(max(2, size.rows - 1)) + [footer.fitting(size.columns)]
  }

  private static let hugeSize = ScreenSize(columns: 110, rows: 30)

  // MARK: - The heart rate and what to do

  private var heartText: StyledText { StyledText("♥ " + (bpm.map { "\($0)" } ?? "--"), .bold(ink)) }
  private var ink: Ink? { bpm.flatMap { zones.ink(of: zones.band(ofDisplayedBPM: $0)) } }
  private var digits: String { bpm.map { "\($0)" } ?? "--" }

  private var zoneText: StyledText {
    guard let bpm else { return StyledText("no usable heart rate", .dim) }
    return StyledText(zones.title(of: zones.band(ofDisplayedBPM: bpm)), .bold(ink))
  }

  private var adviceStyle: Style { Style(ink: advice.ink, isBold: advice.isFresh, isDim: !advice.isFresh) }

  private var adviceWords: StyledText {
    let symbol = if case .cue(let action) = advice.sign { action.symbol + " " } else { "" }
    return StyledText(symbol + advice.words, adviceStyle)
  }

  /// When it was said, and when the next check is.
  private var when: [StyledText] {
    var said: String?
    if case .cue = advice.sign, let cue = board.cue {
      let age = engine.now - cue.decision.time
      said = age < .seconds(1) ? "now" : "\(QuantityText.length(SessionTime.seconds(Int(age.seconds)))) ago"
    }
    let check = engine.isPaused ? nil : engine.timeToNextCheck.map { QuantityText.seconds($0.roundedUpToSeconds) }
    let long = [said.map { "said \($0)" }, check.map { "next check in \($0)" }].compactMap(\.self)
    let short = [said, check.map { "check in \($0)" }].compactMap(\.self)
    return [long.joined(separator: " · "), short.joined(separator: " · "), short.last ?? ""].map {
      StyledText($0, .dim)
    }
  }

  private var signRows: [String] { signRows(scale: 1) }

  private func signRows(scale: Int) -> [String] {
    switch advice.sign {
    case .cue(let action): CueShape.rows(of: action, scale: scale)
    case .pause: CueShape.pause(scale: scale)
    case .missing: CueShape.missing(scale: scale)
    case .none:
      [String](
        repeating: String(repeating: " ", count: CueShape.width(scale: scale)), count: CueShape.height * scale)
    }
  }

  private func heart(scale: Int) -> [StyledText] {
    let width = PixelFont.width("000", scale: scale)
    return PixelFont.rows(digits, scale: scale).map { StyledText($0, .bold(ink)).aligned(to: width) }
  }

  /// The heart rate five rows high, with shape and words beside it; where there is no room for a shape, a bar.
  private var block: [StyledText] {
    let heart = heart(scale: 1)
    let hasShape = size.columns >= 60
    let room = size.columns - PixelFont.width("000", scale: 1) - (hasShape ? CueShape.width(scale: 1) + 6 : 2)
    let reason = advice.reasons.map { StyledText($0) }.fitting(room)
    let texts: [StyledText]
    if hasShape {
      texts = [adviceWords, reason, when.fitting(room), .empty, StyledText("bpm  ", .dim) + zoneText]
    } else {
      let bar = if case .none = advice.sign { StyledText.empty } else { bar(width: room) }
      texts = [adviceWords, bar, reason, when.fitting(room), zoneText]
    }
    return (0..<PixelFont.height).map { row in
      var line = heart[row] + .spaces(hasShape ? 3 : 2)
      if hasShape { line += StyledText(signRows[row], adviceStyle) + .spaces(3) }
      return line + texts[row]
    }
  }

  private func bar(width: Int) -> StyledText {
    let full = String(repeating: "█", count: max(0, min(14, width)))
    // A pause and a missing heart rate are no colours either.
    return switch advice.sign {
    case .cue: StyledText(full, adviceStyle)
    case .pause: StyledText("██ ██", adviceStyle)
    case .missing: StyledText("× × × ×", adviceStyle)
    case .none: .empty
    }
  }

  /// Everything twice as large, with the words large too.
  private var hugeBlock: [StyledText] {
    let heart = heart(scale: 2)
    let shape = signRows(scale: 2)
    // Two words, with a row between them, are a row higher than the number.
    let height = heart.count + 1
    var words = [StyledText](repeating: .empty, count: height)
    if case .cue = advice.sign {
      let large = advice.words.split(separator: " ").map { PixelFont.rows(String($0), scale: 1) }
      let pieces = Array(large.joined(separator: [""]))
      let offset = (height - pieces.count) / 2
      for (row, piece) in pieces.enumerated() { words[row + offset] = StyledText(piece, adviceStyle) }
    } else {
      words[height / 2] = adviceWords
    }
    let blank = (heart: StyledText.spaces(heart[0].width), shape: String(repeating: " ", count: shape[0].count))
    var lines = (0..<height).map { row in
      let isLast = row == heart.count
      return (isLast ? blank.heart : heart[row]) + .spaces(4)
        + StyledText(isLast ? blank.shape : shape[row], adviceStyle) + .spaces(4) + words[row]
    }
    let zone = StyledText("bpm  ", .dim) + zoneText
    let reason = [advice.reasons.first.map { StyledText($0) }, when.first].compactMap(\.self).filter { $0 != .empty }
    lines.append(zone.padded(to: PixelFont.width("000", scale: 2) + 4) + reason.joined(by: StyledText(" · ", .dim)))
    return lines
  }

  // MARK: - Lines

  private var header: StyledText {
    // The active time: it stands still in a pause.
    let time = StyledText(QuantityText.clock(engine.active), .bold)
    var left = [time]
    if engine.isPaused { left.append(StyledText("‖ paused", .bold)) }
    if let remaining = pipeline.remaining {
      left.append(StyledText("\(QuantityText.clock(remaining.roundedUpToSeconds)) left"))
    }
    let target = engine.target.map { StyledText("target \($0.rangeTextWithUnit)") } ?? StyledText("no target", .dim)
    let position = engine.position
    var right = [target]
    if position.count > 1, position.step != nil {
      let step = "step \(position.number) of \(position.count)"
      let name = position.step.flatMap { $0.name == nil ? nil : LiveAdvice.name(of: $0, position) }
      right.insert(StyledText([step, name].compactMap(\.self).joined(separator: " ")), at: 0)
      let short = StyledText("\(position.number)/\(position.count)")
      return [
        spread(left, right), spread(left, [short, target]), spread([time], [short, target]), spread([time], [target]),
      ].fitting(size.columns)
    }
    return [spread(left, right), spread([time], right)].fitting(size.columns)
  }

  private func spread(_ left: [StyledText], _ right: [StyledText]) -> StyledText {
    let left = left.joined(by: .spaces(2))
    let right = right.joined(by: .spaces(2))
    return left + .spaces(max(2, size.columns - left.width - right.width)) + right
  }

  private var gauge: StyledText {
    guard let target = engine.target else { return .empty }
    if let band = target.quantity { return Self.quantity(band, engine.currentQuantity).fitting(size.columns) }
    return TargetGauge(target).line(bpm, ink: ink, width: size.columns)
  }

  /// The pace, speed or cadence that is asked for, beside its limits.
  private static func quantity(_ band: QuantityBand, _ value: Double?) -> [StyledText] {
    guard let value else { return [StyledText("no usable \(band.name)", .dim)] }
    let text = StyledText("\(band.name) \(band.text(value))", .bold)
    return [text + StyledText(", target \(band.rangeText)", .dim), text]
  }

  private var numbers: StyledText {
    let summary = engine.summary
    var fields: [StyledText] = []
    if let meters = summary.distanceMeters { fields.append(StyledText(QuantityText.distance(meters: meters))) }
    let speed = engine.isPaused ? nil : engine.currentSpeed
    if let text = speed.flatMap({ board.activity.speedMeasure.text(metersPerSecond: $0) }) {
      fields.append(StyledText(text))
    }
    if let share = summary.compliance { fields.append(StyledText("\(QuantityText.percent(share)) in target")) }
    if let activity = pipeline.activity { fields.append(StyledText(activity.name)) }
    if let steps = summary.steps { fields.append(StyledText("\(steps) steps")) }
    if summary.readings.count > 0, let energy = summary.energyKilocalories {
      fields.append(StyledText(QuantityText.number(energy, decimals: 0, unit: " kcal")))
    }
    let candidates = (0...fields.count).reversed().map { Array(fields.prefix($0)).joined(by: .spaces(3)) }
    return candidates.fitting(size.columns)
  }

  private var next: StyledText? {
    let position = engine.position
    guard position.count > 1 else { return nil }
    guard position.step != nil else { return StyledText("plan finished", .dim) }
    let remaining =
      position.remaining.map { "in \(QuantityText.clock($0.roundedUpToSeconds))" }
      ?? position.remainingMeters.map { "in \(QuantityText.distance(meters: $0.rounded(.up)))" } ?? "with a lap"
    guard let step = position.next else { return StyledText("last step, over \(remaining)", .dim) }
    let length = step.length == .untilLap ? "open" : QuantityText.length(step.length)
    let range = position.nextTarget?.rangeTextWithUnit ?? "no target"
    let name = step.name.map { " \($0)" } ?? ""
    return [
      StyledText("next \(remaining):\(name) \(length), \(range)"), StyledText("next \(remaining): \(length), \(range)"),
      StyledText("next \(remaining): \(range)"),
    ].fitting(size.columns)
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
    let cueLine = CueLine(zones: zones, width: size.columns)
    return curve + [.empty] + board.happenings.suffix(list).map { cueLine.line(for: $0) }
  }
}

extension SessionTime {
  /// Whole seconds, so that a countdown shows 0 only at its end.
  var roundedUpToSeconds: SessionTime { SessionTime.seconds(Int((nanoseconds + 999_999_999) / 1_000_000_000)) }
}
