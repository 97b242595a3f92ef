import ReportPages
import WorkoutSession
import ZoneEngine

/// The events of a session, one line each, never wider than the terminal.
///
/// The columns of cues stand under each other for as long as strategy and width stay the same: what is left out depends
/// on them and not on the numbers of a line.
struct CueLine: Sendable {
  /// The zones that heart rates are named by.
  let zones: HeartRateZones
  /// The columns of the terminal.
  let width: Int
  /// The units of paces and distances.
  let units: UnitSystem

  /// Lines for these zones on a terminal of that many columns.
  init(zones: HeartRateZones, width: Int, units: UnitSystem) {
    self.units = units
    self.zones = zones
    self.width = width
  }

  /// The line of an event.
  func line(for event: SessionEvent) -> StyledText {
    let words = EventWording.texts(of: event, in: units) ?? []
    return switch event {
    case .engine(.decision(let decision)):
      switch decision.outcome {
      case .cue(let action): cue(action, decision)
      case .withheld(let reason): withheld(reason, decision)
      }
    case .engine(let event): line(for: event)
    case .started(let time): note(at: time, "▶", .bold, ["started"])
    case .lap(let time, _): note(at: time, "◇", .plain, words)
    case .sourceChanged(let time, _, _): note(at: time, "⇄", .plain, words)
    case .activity(let time, _): note(at: time, "≈", .plain, words)
    case .activityDiffers(let time, let asked, let activity):
      note(
        at: time, "≈", .bold,
        [
          "\(CueWording.message(asked)) You are \(activity.name)", CueWording.message(asked),
          "\(asked.rawValue) is asked",
        ])
    case .countdown(let time, _): note(at: time, "→", .bold, words)
    case .rejected(let time, _): note(at: time, "✕", .plain, words)
    case .acknowledgement(let answer): acknowledged(answer)
    case .ended(let time, let reason): note(at: time, "■", .bold, ["ended" + Self.words(for: reason)])
    }
  }

  /// Whether there are two spaces between columns, and units after numbers.
  private var isRoomy: Bool { width >= 60 }

  // MARK: - Cues

  private func cue(_ action: CueAction, _ decision: Decision) -> StyledText {
    let nominal = Evidence.Wording(of: decision, in: zones, atMost: decision.evidence.window)
    let evidence = Evidence.Wording(of: decision, in: zones, atMost: nil)
    func line(_ layout: Layout, _ wording: Evidence.Wording?) -> StyledText {
      let time = StyledText(QuantityText.clock(decision.time), .dim)
      let words = StyledText("\(action.symbol) \(action.words(decision.grade))", .bold)
      var parts = [time, words.padded(to: CueAction.widestWords)]
      if let (band, measured) = decision.measured {
        parts.append(
          StyledText(measured.value.map { band.read(in: units).text($0) } ?? "–").aligned(to: layout.isRoomy ? 11 : 0))
      } else if let bpm = decision.evidence.heartRateBPM {
        let band = zones.band(ofDisplayedBPM: bpm)
        parts.append(StyledText("\(bpm)" + (layout.isRoomy ? " bpm" : "")).aligned(to: layout.isRoomy ? 7 : 3))
        let zone = layout.hasNames ? zones.title(of: band) : zones.shortLabel(of: band)
        let column = layout.hasNames ? zones.titleWidth : zones.zones.map(\.shortLabel.count).max() ?? 0
        parts.append(StyledText(zone, .ink(zones.ink(of: band))).padded(to: column))
      }
      if let ceiling = decision.evidence.ceiling {
        let held = layout.evidence == nil ? "" : " for \(QuantityText.seconds(ceiling.above))"
        parts.append(
          StyledText((layout.saysTarget ? "above your ceiling of " : "ceiling ") + "\(ceiling.beatsPerMinute)\(held)"))
      } else if let target = decision.target {
        parts.append(StyledText((layout.saysTarget ? "target " : "→ ") + target.range(in: units)))
      }
      if let wording, let text = wording.text(layout.evidence) { parts.append(StyledText(text, .dim)) }
      return parts.joined(by: .spaces(layout.isRoomy ? 2 : 1))
    }
    let layout = Layout.all.first { $0.isRoomy == isRoomy && line($0, nominal).width <= width }
    return line(layout ?? .narrowest, evidence).cut(to: width)
  }

  /// What a cue line says at a width.
  private struct Layout {
    var saysTarget = false
    var hasNames = false
    var isRoomy = true
    var evidence: Evidence.Wording.Length?

    static let narrowest = Layout(isRoomy: false)
    /// From the most to the least.
    static let all = [
      Layout(saysTarget: true, hasNames: true, evidence: .long),
      Layout(hasNames: true, evidence: .medium),
      Layout(hasNames: true, evidence: .short),
      Layout(evidence: .medium),
      Layout(evidence: .short),
      Layout(),
      Layout(isRoomy: false, evidence: .short),
      narrowest,
    ]
  }

  // MARK: - Moments without a cue

  private func withheld(_ reason: WithholdingReason, _ decision: Decision) -> StyledText {
    var texts: [String]
    if let band = decision.target?.quantity {
      let message = reason.message(of: band).dropFirst("No cue: ".count).dropLast()
      return note(at: decision.time, "·", .dim, ["no cue: \(message)", "no cue: \(reason.words)"])
    }
    switch reason {
    case .paused: texts = ["the session is paused", "paused"]
    case .noTarget: texts = ["nothing is asked for now", "no target"]
    case .signalLost: texts = ["no usable heart rate for more than 15 s", "no usable heart rate"]
    case .lowCoverage:
      texts = ["less than half of the window has a heart rate", "too little heart rate"]
      if let covered = decision.evidence.covered, let window = decision.evidence.window {
        let counted = "only \(QuantityText.seconds(covered)) of the last \(QuantityText.seconds(window))"
        texts.insert(counted + " have a heart rate", at: 0)
      }
    case .noAltitude: texts = ["there is no altitude", "no altitude"]
    case .artefacts: texts = ["too many beats are corrected", "artefacts"]
    case .aboveCeiling: texts = ["the heart rate is above the ceiling", "above the ceiling"]
    case .warmUp: texts = ["warm-up"]
    case .grace: texts = ["time for the heart rate to follow what has just begun", "grace"]
    case .minimumInterval: texts = ["the last one was too short a time ago", "too soon"]
    case .returning: texts = ["the heart rate is on its way into the target", "on its way back"]
    case .notWorthACue: texts = ["it would gain too little time in the target", "not worth a cue"]
    case .inTarget: texts = ["in the target"]
    case .silent: texts = ["the program says nothing", "silent"]
    case .drawn: texts = ["the trial drew silence", "drawn"]
    case .unanswered: texts = ["the program did not answer", "no answer"]
    }
    return note(at: decision.time, "·", .dim, texts.map { "no cue: " + $0 })
  }

  // MARK: - Notes

  /// A line that is no cue: time, symbol, and the longest of the texts that fits.
  func note(at time: SessionTime?, _ symbol: String, _ style: Style, _ texts: [String]) -> StyledText {
    let clock = StyledText(time.map(QuantityText.clock) ?? "", .dim).padded(to: 7) + .spaces(isRoomy ? 2 : 1)
    return texts.map { clock + StyledText("\(symbol) \($0)", style) }.fitting(width)
  }
}

extension CueAction {
  /// The columns of the widest symbol and words.
  static let widestWords = 11
}

extension Evidence {
  /// How long the judged band was held in the window, in words.
  struct Wording {
    /// How many words.
    enum Length { case long, medium, short }

    private let held: SessionTime
    private let window: SessionTime
    private let place: String

    /// The wording of a judgement over a window; `nil` for that of an instant.
    ///
    /// With `atMost` it is the widest that any judgement over that window can have.
    init?(of decision: Decision, in zones: HeartRateZones, atMost widest: SessionTime?) {
      guard let window = decision.evidence.window,
        let leader = decision.evidence.held.first(where: { $0.band == decision.band })
      else { return nil }
      self.window = window
      held = widest ?? leader.duration
      switch leader.band {
      case .band(let band): place = "in " + zones.shortLabel(of: widest == nil ? band : .below)
      case .side(let side):
        switch side {
        case .under where widest == nil: place = "below"
        case .over where widest == nil: place = "above"
        case .under, .inside, .over: place = "inside"
        }
      }
    }

    /// The words; `nil` when none are asked for.
    func text(_ length: Length?) -> String? {
      switch length {
      case .long: "\(QuantityText.seconds(held)) of the last \(QuantityText.seconds(window)) \(place)"
      case .medium: "\(QuantityText.seconds(held)) of \(QuantityText.seconds(window)) \(place)"
      case .short: "\(QuantityText.wholeSeconds(held))/\(QuantityText.seconds(window)) \(place)"
      case nil: nil
      }
    }
  }
}
