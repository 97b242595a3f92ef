import Glibc
import WorkoutSession
import ZoneEngine

/// How a live session is shown and heard.
struct LiveView {
  /// What shows it.
  let printer: any SessionPrinter
  /// The same, where it takes the whole terminal.
  let screen: LiveScreen?
  /// The bell of the terminal; absent where nobody hears it.
  let bell: CueBell?

  /// The view of a session whose settings are known.
  init(
    _ parsed: ParsedArguments, _ console: Console, _ screen: LiveScreen?, settings: CoachingSettings,
    activity: Activity, arm: DrawnArm?, units: UnitSystem
  ) {
    self.screen = screen
    let color = parsed[OutputOptions.color]
    if let screen {
      printer = screen
    } else if parsed[OutputOptions.format] == .text, parsed[ViewOptions.view] == .line {
      printer = StateLinePrinter(console, color: color, settings: settings, activity: activity, units: units)
    } else {
      printer = PrinterChoice.printer(
        parsed, console, settings: settings, activity: activity, arm: arm, isLive: true, units: units)
    }
    bell = PrinterChoice.isTerminal && parsed[ViewOptions.bell] == .on ? CueBell { console.ring() } : nil
  }

  /// The screen, where one is wanted and possible; `nil` for lines.
  ///
  /// - Throws: `CommandFailure` when it is asked for and impossible.
  static func screen(
    _ parsed: ParsedArguments, _ console: Console, settings: CoachingSettings, _ preferences: Preferences,
    isWatcher: Bool = false
  ) throws -> LiveScreen? {
    let choice = parsed[ViewOptions.view]
    guard choice == .auto || choice == .screen else { return nil }
    guard let problem = problem(parsed, isWatcher: isWatcher) else {
      guard let terminal = KeyTerminal(), terminal.isInForeground else {
        guard choice == .screen else { return nil }
        throw CommandFailure("--view screen: there is no terminal for the keys: expected one, or --view lines", .usage)
      }
      return LiveScreen(
        console, terminal, color: parsed[OutputOptions.color], settings: settings, isWatcher: isWatcher,
        isKept: !(parsed.declares(SessionOptions.noSave) && parsed[SessionOptions.noSave]), choice: preferences.choice)
    }
    guard choice == .screen else { return nil }
    throw CommandFailure("--view screen: \(problem)", .usage)
  }

  /// Why there can be no screen; `nil` when there can.
  private static func problem(_ parsed: ParsedArguments, isWatcher: Bool) -> String? {
    if parsed[OutputOptions.format] != .text { return "expected --format text" }
    let facts = TerminalFacts(descriptor: 1, color: .auto)
    if !facts.isTerminal { return "standard output is no terminal: expected one, or --view lines" }
    if TerminalFacts.isDumb { return "the terminal is dumb: expected another, or --view lines" }
    if !isWatcher, parsed[LiveSourceOptions.source].contains(.stdin), isatty(0) == 1 {
      return "the keyboard is the source of samples: expected another --source"
    }
    // A window can be made larger while the session runs, so that any size will do where a screen is asked for.
    let size = ScreenSize(columns: facts.width, rows: facts.height)
    if parsed[ViewOptions.view] == .auto, !size.isAtLeast(LiveFrame.least) { return "the window is too small" }
    return nil
  }
}
