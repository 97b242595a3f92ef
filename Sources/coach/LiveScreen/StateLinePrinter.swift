import LiveCoaching
import TextFormats
import WorkoutSession
import ZoneEngine

/// Shows the state of a session in one line, for tmux, polybar and other bars: a new line whenever it has changed; on a
/// terminal in place. No event and no summary is printed.
final class StateLinePrinter: SessionPrinter {
  private let console: Console
  private let units: UnitSystem
  private let terminal: TerminalWriter
  private var board: LiveBoard
  private var shown = StyledText.empty

  /// A printer to standard output.
  init(_ console: Console, color: ColorChoice, settings: CoachingSettings, activity: Activity, units: UnitSystem) {
    self.units = units
    self.console = console
    board = LiveBoard(settings: settings, activity: activity)
    terminal = TerminalWriter(output: console.output, facts: TerminalFacts(descriptor: 1, color: color))
  }

  func show(_ events: [SessionEvent], _ pipeline: SessionPipeline) throws {
    board.note(events, pipeline)
    let isTerminal = terminal.facts.isTerminal
    // A bar cuts by itself what it has no room for.
    let line = StateLine(board, pipeline, units: units).line(width: isTerminal ? terminal.statusWidth : .max)
    guard line != shown else { return }
    shown = line
    if isTerminal { try terminal.show(status: line) } else { try terminal.print([line]) }
  }

  func showSummary(_ pipeline: SessionPipeline, _ ending: SessionEnding) throws {
    try terminal.clearStatus()
    guard !terminal.facts.isTerminal else { return }
    try terminal.print([StyledText("■ \(QuantityText.clock(pipeline.engine.active))")])
  }

  func complain(_ line: String) {
    try? terminal.clearStatus()
    console.complain(line)
  }
}

/// What a bar shows of a session: heart rate and zone, what to do, the time, and how much of it was in the target.
struct StateLine: Sendable {
  private let fields: [StyledText]

  /// The state as it stands.
  init(_ board: LiveBoard, _ pipeline: SessionPipeline, units: UnitSystem) {
    let engine = pipeline.engine
    let zones = engine.settings.zones
    let advice = LiveAdvice(board, pipeline, units: units)
    var fields: [StyledText] = []
    if let newest = engine.newestReading, engine.now - newest.time <= CoachingEngine.holdLimit {
      let band = zones.band(ofDisplayedBPM: newest.displayedBPM)
      let text = "♥ \(newest.displayedBPM) \(zones.shortLabel(of: band))"
      fields.append(StyledText(text, .bold(zones.ink(of: band))))
    } else {
      fields.append(StyledText("♥ --", .dim))
    }
    let symbol = if case .cue(let action) = advice.sign { action.symbol + " " } else { "" }
    fields.append(StyledText(symbol + advice.words.lowercased(), Style(isDim: !advice.isFresh)))
    fields.append(StyledText(QuantityText.clock(pipeline.runActive)))
    if let target = engine.target { fields.append(StyledText("→ \(target.range(in: units))")) }
    if let share = engine.summary.compliance { fields.append(StyledText(QuantityText.percent(share))) }
    self.fields = fields
  }

  /// The line in at most `width` columns; fields go from the right.
  func line(width: Int) -> StyledText {
    (1...fields.count).reversed().map { Array(fields.prefix($0)).joined(by: .spaces(2)) }.fitting(width)
  }
}
