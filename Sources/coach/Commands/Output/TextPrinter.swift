import TextFormats
import WorkoutSession
import ZoneEngine

/// Shows a session to a person: a line an event, on a terminal a status line under them, the summary at the end.
final class TextPrinter: SessionPrinter {
  private let console: Console
  private let terminal: TerminalWriter
  private let color: ColorChoice
  private let zones: HeartRateZones
  private let activity: Activity
  private let units: UnitSystem
  private var targets: TargetTimeline

  /// Creates a printer to standard output.
  init(
    _ console: Console, color: ColorChoice, settings: CoachingSettings, activity: Activity, units: UnitSystem
  ) {
    self.units = units
    self.console = console
    self.activity = activity
    self.color = color
    zones = settings.zones
    targets = TargetTimeline(settings: settings)
    terminal = TerminalWriter(output: console.output, facts: TerminalFacts(descriptor: 1, color: color))
  }

  func show(_ events: [SessionEvent], _ pipeline: SessionPipeline) throws {
    if terminal.facts.isTerminal { try terminal.resize(to: TerminalFacts(descriptor: 1, color: color)) }
    let lines = CueLine(zones: zones, width: terminal.facts.width, units: units)
    note(events)
    try terminal.print(events.map { lines.line(for: $0) })
    if pipeline.isOver {
      try terminal.clearStatus()
    } else if terminal.facts.isTerminal {
      try terminal.show(
        status: StatusLine(pipeline, activity: activity, units: units).line(width: terminal.statusWidth))
    }
  }

  /// Takes events for the summary without showing them.
  func note(_ events: [SessionEvent]) {
    for event in events { targets.note(event) }
  }

  func showSummary(_ pipeline: SessionPipeline, _ ending: SessionEnding) throws {
    try terminal.clearStatus()
    try terminal.print([.empty])
    let view = SummaryView(
      SessionOutcome(pipeline, targets: targets, activity: activity), units: units, width: terminal.facts.width,
      glyphs: terminal.facts.glyphs)
    try terminal.print(view.lines)
    if let beats = ending.beats {
      try terminal.print([.empty] + BeatsView(beats, width: terminal.facts.width).lines)
    }
    if ending.origin == .simulated {
      try terminal.print([.empty] + StandingView.simulated(width: terminal.facts.width))
    }
    if let standing = ending.standing {
      try terminal.print([.empty] + StandingView(standing, units: units, width: terminal.facts.width).lines)
    }
    if ending.standing == nil, let verdict = ending.verdict {
      let sentence = VerdictWords.sentence(verdict, of: ending.plan)
      try terminal.print([.empty] + SummaryView.paragraph(sentence, width: terminal.facts.width))
    }
    if let folder = ending.savedIn { try terminal.print([.empty, StyledText("Saved in \(folder)", .dim)]) }
  }

  func complain(_ line: String) {
    try? terminal.clearStatus()
    console.complain(line)
  }
}

/// Which printer shows a session.
enum PrinterChoice {
  /// Whether standard output is a terminal.
  static var isTerminal: Bool { TerminalFacts(descriptor: 1, color: .auto).isTerminal }

  /// The printer for the format that was asked for. People are not shown the arm of a session whose strategy was drawn,
  /// records are.
  static func printer(
    _ parsed: ParsedArguments, _ console: Console, settings: CoachingSettings, activity: Activity,
    arm: DrawnArm?, isLive: Bool, units: UnitSystem
  ) -> any SessionPrinter {
    switch parsed[OutputOptions.format] {
    case .text:
      TextPrinter(
        console, color: parsed[OutputOptions.color], settings: settings, activity: activity, units: units)
    case .json: RecordPrinter(console, arm: arm, isDocument: true, isLive: isLive)
    case .jsonl: RecordPrinter(console, arm: arm, isDocument: false, isLive: isLive)
    }
  }
}
