import LiveCoaching
import WorkoutSession
import ZoneEngine

/// The heart rate and what to do, large.
extension FrameParts {
  /// Digits of a heart rate that is in the target, or of a session without one.
  private static let solid: Character = "█"
  /// Digits of a heart rate that is not.
  private static let hatched: Character = "▒"

  var heartText: StyledText { StyledText("♥ " + digits, .bold) }

  private var digits: String { bpm.map { "\($0)" } ?? "--" }

  /// The colour of the zone of the heart rate.
  var zoneInk: Ink? { bpm.flatMap { zones.ink(of: zones.band(ofDisplayedBPM: $0)) } }

  /// `Z2 Weight control`, in the colour of the zone.
  var zoneText: StyledText {
    guard let bpm else { return StyledText("no usable heart rate", .dim) }
    return StyledText(zones.title(of: zones.band(ofDisplayedBPM: bpm)), .bold(zoneInk))
  }

  /// The same without its name, where there is little room: `Z2`.
  var shortZoneText: StyledText {
    guard let bpm else { return StyledText("no heart rate", .dim) }
    return StyledText(zones.shortLabel(of: zones.band(ofDisplayedBPM: bpm)), .bold(zoneInk))
  }

  /// The heart rate, its zone, what to do and where it lies, on one line.
  var heartLine: StyledText {
    func line(_ texts: [StyledText?]) -> StyledText {
      texts.compactMap(\.self).joined(by: .spaces(2))
    }
    // What to do says already that there is no heart rate.
    let (zone, short) = bpm == nil ? (nil, nil) : (zoneText, shortZoneText)
    return [
      line([heartText, zone, adviceWords, placeText]), line([heartText, short, adviceWords, placeText]),
      line([heartText, short, adviceWords]), line([heartText, adviceWords]),
    ].fitting(size.columns)
  }

  /// `12 below`, `on target`: what is said first.
  var placeText: StyledText? { place.map { StyledText($0.text, .bold) } }

  /// What to do has no colour: colours are those of zones.
  private var adviceStyle: Style { Style(isBold: advice.isFresh, isDim: !advice.isFresh) }

  var adviceWords: StyledText {
    let symbol = if case .cue(let action) = advice.sign { action.symbol + " " } else { "" }
    return StyledText(symbol + advice.words, adviceStyle)
  }

  /// The same, from the longest to the shortest wording.
  private var adviceTexts: [StyledText] {
    let bare = StyledText(advice.words, adviceStyle)
    return switch advice.sign {
    case .cue(let action): [adviceWords, bare, StyledText("\(action.symbol) \(advice.shortWords)", adviceStyle)]
    case .missing: [adviceWords, StyledText("no signal", adviceStyle)]
    case .pause, .none: [adviceWords]
    }
  }

  /// When it was said, and when the next check is; with the words where these stand nowhere but large.
  private func when(named: Bool) -> [StyledText] {
    var said: String?
    if case .cue = advice.sign, let cue = board.cue {
      let age = engine.now + pipeline.runAhead - cue.decision.time
      said = age < .seconds(1) ? "now" : "\(QuantityText.length(SessionTime.seconds(Int(age.seconds)))) ago"
    }
    let check = pipeline.runTimeToNextCheck.map { QuantityText.seconds($0.roundedUpToSeconds) }
    let long = [said.map { named ? "\(adviceWords.plain) \($0)" : "said \($0)" }, check.map { "next check in \($0)" }]
      .compactMap(\.self)
    let short = [said.map { named ? "\(adviceWords.plain) \($0)" : $0 }, check.map { "check in \($0)" }].compactMap(
      \.self)
    return [long.joined(separator: " · "), short.joined(separator: " · "), short.last ?? ""].map {
      StyledText($0, .dim)
    }
  }

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

  /// The digits from the top: solid on target, hatched off it, so that nobody has to see colours.
  func heart(_ pixel: PixelFont.Pixel) -> [StyledText] {
    let isOff = place.map { $0 != .inside } ?? false
    let width = PixelFont.width("000", pixel)
    return PixelFont.rows(digits, pixel, ink: isOff ? Self.hatched : Self.solid).map {
      StyledText($0, .bold).aligned(to: width)
    }
  }

  /// The words that are written large beside the heart rate, from the longest to the shortest; none where a line says more.
  private var largeWords: [String] {
    switch advice.sign {
    case .cue: [advice.words, advice.shortWords]
    case .pause: ["PAUSED"]
    case .missing: ["NO SIGNAL"]
    case .none: place.map { [$0.text.uppercased(), $0.shortText.uppercased()] } ?? []
    }
  }

  /// A text in the largest letters that have room; `nil` where none have.
  private static func large(_ texts: [String], columns: Int, rows: Int) -> [String]? {
    for text in texts where !text.isEmpty && PixelFont.canWrite(text) {
      func line(_ text: String, _ pixel: PixelFont.Pixel) -> [String]? {
        guard PixelFont.height * pixel.rows <= rows, PixelFont.width(text, pixel) <= columns else { return nil }
        return PixelFont.rows(text, pixel, ink: solid)
      }
      if let whole = line(text, .huge) ?? line(text, .tall) { return whole }
      let words = text.split(separator: " ").compactMap { line(String($0), .square) }
      let stacked = Array(words.joined(separator: [""]))
      if words.count > 1, words.count == text.split(separator: " ").count, stacked.count <= rows { return stacked }
      if let whole = line(text, .square) ?? line(text, .narrow) { return whole }
    }
    return nil
  }

  /// The heart rate, with shape and words as high beside it, and a line that says more.
  func heartBlock(isHuge: Bool) -> [StyledText] {
    let heart = heart(isHuge ? .huge : .square)
    let shape = signRows(scale: isHuge ? 2 : 1)
    let gap = isHuge ? 4 : 2
    let room = size.columns - heart[0].width - shape[0].count - 2 * gap
    // Two words, with a row between them, are a row higher than the number.
    let height = heart.count + (isHuge ? 1 : 0)
    guard let large = Self.large(largeWords, columns: room, rows: height) else { return block + [why(named: false)] }
    let blank = (heart: StyledText.spaces(heart[0].width), shape: String(repeating: " ", count: shape[0].count))
    let offset = (height - large.count) / 2
    let rows = (0..<height).map { row in
      let isLast = row == heart.count
      let words = large.indices.contains(row - offset) ? large[row - offset] : ""
      return (isLast ? blank.heart : heart[row]) + .spaces(gap)
        + StyledText(isLast ? blank.shape : shape[row], adviceStyle) + .spaces(gap) + StyledText(words, adviceStyle)
    }
    return rows + [why(named: true)]
  }

  /// Where the heart rate lies, first; its zone; why; when.
  private func why(named: Bool) -> StyledText {
    let when = when(named: named)
    let zone = StyledText("bpm  ", .dim) + zoneText
    let dot = StyledText(" · ", .dim)
    func line(_ parts: [StyledText?]) -> StyledText {
      parts.compactMap(\.self).filter { $0 != .empty }.joined(by: dot)
    }
    // Without advice the step says what there is to say.
    let isSilent = if case .none = advice.sign { step != nil } else { false }
    let reasons = isSilent ? [] : advice.reasons.map { StyledText($0) }
    let isCue = if case .cue = advice.sign { true } else { false }
    let second = isCue ? [line([placeText, zone, when.first]), line([placeText, zone, when[1]])] : []
    return
      ([line([placeText, zone, reasons.first, when.first])] + second + [
        line([placeText, zone, reasons.first]), line([placeText, zone, reasons.last]), line([placeText, zone]),
      ]).fitting(size.columns)
  }

  /// The heart rate five rows high, with shape and words beside it; where there is no room for a shape, a bar.
  var block: [StyledText] {
    let heart = heart(.square)
    let hasShape = size.columns >= 60
    let room = size.columns - heart[0].width - (hasShape ? CueShape.width(scale: 1) + 6 : 2)
    let reason = advice.reasons.map { StyledText($0) }.fitting(room)
    let words = adviceTexts.fitting(room)
    let texts: [StyledText]
    if hasShape {
      texts = [words, reason, when(named: false).fitting(room), .empty, .empty]
    } else {
      let bar = if case .none = advice.sign { placeText ?? .empty } else { bar(width: room) }
      let zone = [zoneText, shortZoneText].fitting(room)
      // The line above has the target: one that is cut here says less than nothing.
      let first = saysTarget && adviceWords.width > room ? .empty : words
      texts = [first, bar, reason, when(named: false).fitting(room), zone]
    }
    let shape = signRows(scale: 1)
    return (0..<PixelFont.height).map { row in
      var line = heart[row] + .spaces(hasShape ? 3 : 2)
      if hasShape { line += StyledText(shape[row], adviceStyle) + .spaces(3) }
      return line + texts[row]
    }
  }

  /// Whether there is no advice yet, and what is said in its place is the target.
  private var saysTarget: Bool {
    if case .none = advice.sign { board.hasStarted && step == nil && engine.target != nil } else { false }
  }

  private func bar(width: Int) -> StyledText {
    let full = String(repeating: "█", count: max(0, min(14, width)))
    return switch advice.sign {
    case .cue: StyledText(full, adviceStyle)
    case .pause: StyledText("██ ██", adviceStyle)
    case .missing: StyledText("× × × ×", adviceStyle)
    case .none: .empty
    }
  }
}
