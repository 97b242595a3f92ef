import WorkoutSession
import ZoneEngine

/// The state of a running session on one line: the time, the heart rate, its zone, the next check, what remains of the
/// duration, the pace or speed and the steps, in the order of their weight.
struct StatusLine: Sendable {
  private let fields: [[StyledText]]
  private let steps: StyledText?

  /// The state of a session as it is now; what is not known is left out.
  init(_ pipeline: SessionPipeline, activity: Activity, units: UnitSystem) {
    let engine = pipeline.engine
    // The active time: it stands still in a pause.
    var fields = [[StyledText(QuantityText.clock(pipeline.runActive), .bold)]]
    if engine.isPaused { fields.append([StyledText("‖ paused", .bold)]) }
    if let newest = engine.newestReading, engine.now - newest.time <= CoachingEngine.holdLimit {
      let zones = engine.settings.zones
      let band = zones.band(ofDisplayedBPM: newest.displayedBPM)
      let style = Style.bold(zones.ink(of: band))
      fields.append([StyledText("♥ \(newest.displayedBPM)", style)])
      fields.append([StyledText(zones.title(of: band), style), StyledText(zones.shortLabel(of: band), style)])
    } else {
      fields.append([StyledText("♥ --", .dim)])
    }
    if let span = pipeline.runTimeToNextCheck {
      fields.append([StyledText("check in \(QuantityText.seconds(span.roundedUpToSeconds))")])
    }
    if let remaining = pipeline.runRemaining {
      fields.append([StyledText("\(QuantityText.clock(remaining.roundedUpToSeconds)) left")])
    }
    let speed = engine.isPaused ? nil : engine.currentSpeed
    if let text = speed.flatMap({ activity.speedMeasure.text(metersPerSecond: $0, units) }) {
      fields.append([StyledText(text)])
    }
    steps = engine.stepCount.map { StyledText("\($0) steps") }
    self.fields = fields
  }

  /// The line in at most `width` columns: the steps go first, then the name of the zone, then fields from the right.
  func line(width: Int) -> StyledText {
    let full = fields.compactMap(\.first)
    let short = fields.compactMap(\.last)
    var candidates = [full + [steps].compactMap(\.self), full]
    for count in stride(from: short.count, to: 1, by: -1) { candidates.append(Array(short.prefix(count))) }
    return candidates.map { $0.joined(by: .spaces(2)) }.fitting(width)
  }
}
