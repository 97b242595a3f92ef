import LiveCoaching
import Glibc
import TextFormats
import WorkoutSession
import ZoneEngine

/// A running session on the whole terminal, with keys.
///
/// It draws at once on an event, else when the second on the screen changes; a source that is played fast
/// does not make it draw more often than somebody can see.
final class LiveScreen: SessionPrinter {
  /// The shortest time between two pictures, in nanoseconds.
  private static let frameSpan: Int64 = 50_000_000
  /// How long a notice takes the place of the keys, in nanoseconds.
  private static let noticeSpan: Int64 = 10_000_000_000
  /// The same of what happened in the session.
  private static let newsSpan: Int64 = 6_000_000_000
  /// How long it is shown how the coach decides.
  private static let briefingSpan = SessionTime.seconds(15)
  /// The most notices that are repeated at the end.
  private static let keptNotices = 50

  private let console: Console
  private let terminal: KeyTerminal
  private let writer: ScreenWriter
  private let color: ColorChoice
  private let complaintsAreSeen: Bool
  private let isWatcher: Bool
  /// What the runner wants to see.
  private var choice: LiveFrame.Choice
  /// Keeps the fields that the runner has chosen; what goes wrong is returned.
  var keepFields: ([LiveField]) -> String? = { _ in nil }
  private var settings: CoachingSettings
  private var pipeline: SessionPipeline
  private var board: LiveBoard
  private var dialog = LiveDialog.none
  private let isKept: Bool
  private var briefing: [String] = []
  /// What each stream measured last; absent before anything is known of the session.
  var streams: StreamWatch?
  private var isHidden = false
  /// Whether the terminal is taken.
  private var isOpen = false
  /// Whether it has not taken how it is left, so that its guardian has to see to that.
  private var isOwed = false
  private var lastFrame: Int64 = 0
  private var shownSecond: Int64 = -1
  private var isStale = false
  private var notices: [String] = []
  private var notice: (text: String, until: Int64)?
  private lazy var lines = TextPrinter(
    console, color: color, settings: settings, activity: board.activity, units: choice.units)

  /// A screen on standard output with the keys of the terminal; a watcher's keys change nothing, and of a session that is not
  /// kept nothing else is said.
  init(
    _ console: Console, _ terminal: KeyTerminal, color: ColorChoice, settings: CoachingSettings, isWatcher: Bool,
    isKept: Bool, choice: LiveFrame.Choice
  ) {
    self.isKept = isKept
    self.choice = choice
    self.isWatcher = isWatcher
    self.console = console
    self.terminal = terminal
    self.color = color
    self.settings = settings
    writer = ScreenWriter(output: console.output)
    complaintsAreSeen = isatty(2) == 1
    pipeline = SessionPipeline(settings: settings, durationLimit: nil)
    board = LiveBoard(settings: settings, activity: .unlabelled)
  }

  /// The descriptor that keys are read from; `nil` in the background, where they are for others, and when no key will come.
  var keyboard: Int32? { isHidden || terminal.isGone ? nil : terminal.descriptor }

  /// Takes the terminal and shows that the session waits to begin.
  ///
  /// - Throws: `FileError` when the terminal cannot be taken.
  func open() throws {
    try terminal.enter()
    isOpen = true
    try draw()
  }

  /// Gives the terminal back; nothing when that has been done.
  func close() {
    isOpen = false
    if (try? writer.close()) == false { isOwed = true }
    terminal.leave()
    // Once this process is gone it shows the cursor again, as soon as the terminal takes something.
    if !isOwed { terminal.dismissGuardian() }
  }

  /// Shows how the coach decides until the session is under way.
  func brief(_ lines: [String]) {
    briefing = lines
    isStale = true
  }

  /// What decides and what is done, once the day of the session is known.
  func use(_ settings: CoachingSettings, durationLimit: SessionTime?, activity: Activity) {
    self.settings = settings
    pipeline = SessionPipeline(settings: settings, durationLimit: durationLimit)
    board = LiveBoard(settings: settings, activity: activity)
    isStale = true
  }

  // MARK: - What is shown

  func show(_ events: [SessionEvent], _ pipeline: SessionPipeline) throws {
    self.pipeline = pipeline
    board.note(events, pipeline)
    lines.note(events)
    if let news = board.news, news != .started(at: .zero) {
      let line = CueLine(
        zones: settings.zones, width: TerminalFacts(descriptor: 1, color: color).width, units: choice.units
      ).line(for: news)
      flash(line.plain)
    }
    let second = pipeline.runTime.nanoseconds / 1_000_000_000
    guard !events.isEmpty || second != shownSecond || isStale else { return }
    if !events.isEmpty || MonotonicClock.now - lastFrame >= Self.frameSpan { try draw() } else { isStale = true }
  }

  func showSummary(_ pipeline: SessionPipeline, _ ending: SessionEnding) throws {
    close()
    repeatNotices()
    try lines.showSummary(pipeline, ending)
  }

  func complain(_ line: String) {
    guard isOpen else {
      console.complain(line)
      return
    }
    if !complaintsAreSeen { console.complain(line) }
    if notices.count < Self.keptNotices { notices.append(line) }
    notice = (line, MonotonicClock.now + Self.noticeSpan)
    isStale = true
  }

  /// Repeats on standard error what was shown for a while only.
  func repeatNotices() {
    if complaintsAreSeen { for notice in notices { console.complain(notice) } }
    notices = []
  }

  /// When it wants to draw although nothing happens, in nanoseconds of the monotonic clock; `nil` for never.
  var turn: Int64? {
    guard !isHidden, isOpen else { return nil }
    return [isStale ? lastFrame + Self.frameSpan : nil, notice?.until].compactMap(\.self).min()
  }

  /// Draws what became due.
  ///
  /// - Throws: `FileError` when the terminal is gone.
  func refresh() throws {
    guard let turn, MonotonicClock.now >= turn else { return }
    try draw()
  }

  // MARK: - The terminal

  /// Handles a signal of the terminal; whether it was one.
  ///
  /// - Throws: `FileError` when the terminal is gone.
  func handle(_ signal: Int32) throws -> Bool {
    switch signal {
    case SIGWINCH: try draw()
    case SIGTSTP:
      isOpen = false
      _ = try? writer.close()
      terminal.leave()
      // The whole job has been asked to stop; this process stops here, and goes on below when somebody wants it to.
      kill(getpid(), SIGSTOP)
    case SIGCONT:
      isHidden = !terminal.isInForeground
      guard !isHidden else { return true }
      try terminal.enter()
      isOpen = true
      try draw()
    default: return false
    }
    return true
  }

  /// Takes the keys that were typed.
  ///
  /// - Throws: `FileError` when the terminal is gone.
  func typed() throws -> [SessionCommand] {
    let before = dialog
    var wishes: [SessionCommand] = []
    var session = TypedSession(
      hasStarted: board.hasStarted, isPaused: pipeline.engine.isPaused, target: pipeline.engine.target?.target)
    for key in KeyReader.keys(terminal.read()) {
      let open = dialog
      let wish =
        isWatcher
        ? dialog.takeOfWatcher(key)
        : dialog.take(key, hasStarted: session.hasStarted, isPaused: session.isPaused)
      if let wish, let command = command(wish, &session) {
        session.note(command)
        wishes.append(command)
      }
      if open == .fields, dialog != .fields, let problem = keepFields(choice.fields) { complain(problem) }
    }
    if dialog != before || isStale { try draw() }
    return wishes
  }

  /// The command that a wish comes to; `nil`, and a notice, where there is none.
  private func command(_ wish: LiveWish, _ session: inout TypedSession) -> SessionCommand? {
    switch wish {
    case .command(let command): return command
    case .toggle(let field):
      toggle(field)
      return nil
    case .moveTarget(let direction):
      let zones = settings.zones
      guard session.target != nil else {
        flash("there is no target to be moved")
        return nil
      }
      guard let moved = session.moveTarget(direction, in: zones, under: settings.ceiling?.beatsPerMinute) else {
        flash(direction == .up ? "there is no higher target" : "there is no lower target")
        return nil
      }
      return .target(TargetRequest(moved.text(in: zones)))
    }
  }

  /// Shows a field, or hides one that is shown; the last one stays.
  private func toggle(_ field: LiveField) {
    isStale = true
    if let index = choice.fields.firstIndex(of: field) {
      if choice.fields.count > 1 { choice.fields.remove(at: index) }
    } else if choice.fields.count < LiveField.mostCount {
      choice.fields.append(field)
    } else {
      flash("\(LiveField.mostCount) fields are shown: hide one first")
    }
  }

  /// Shows a line for a while.
  private func flash(_ text: String) {
    notice = (text, MonotonicClock.now + Self.newsSpan)
    isStale = true
  }

  /// What is shown in place of the curve: what the keys do, or how the coach decides, at the start.
  private var panel: LivePanel? {
    switch dialog {
    case .sensors:
      return streams.map { SensorPanel($0, pipeline, units: choice.units).panel } ?? .text(["nothing is measured yet"])
    case .fields: return LiveDialog.fieldPanel(choice.fields, board.activity)
    case .none, .stop, .help, .strategy: break
    }
    if let panel = dialog.panel(isKept: isKept, notes: briefing) { return panel }
    let isUnderWay = board.hasStarted && pipeline.engine.now >= Self.briefingSpan
    return briefing.isEmpty || isUnderWay ? nil : .text(briefing)
  }

  /// What the clock on the wall shows, such as `17:05`.
  private var timeOfDay: String {
    let now = SystemWallClock.now()
    let seconds = now.wholeSeconds + SystemWallClock.utcOffsetSeconds(at: now)
    let clock = QuantityText.clock(.seconds(WallClockTime.floor(seconds, by: 86_400).remainder))
    return String(clock.dropLast(3))
  }

  private func draw() throws(FileError) {
    guard !isHidden else { return }
    let now = MonotonicClock.now
    lastFrame = now
    if let notice, notice.until <= now { self.notice = nil }
    // What the terminal does not take is dropped; the newest picture is drawn once it takes something again.
    isStale = writer.isBehind
    guard !isStale else { return }
    shownSecond = pipeline.runTime.nanoseconds / 1_000_000_000
    let facts = TerminalFacts(descriptor: 1, color: color)
    let size = ScreenSize(columns: facts.width, rows: facts.height)
    let footer =
      if let question = dialog.question(isKept: isKept) { question.map { StyledText($0, .bold) } } else if let notice {
        [StyledText(notice.text, .bold)]
      } else {
        (isWatcher ? LiveDialog.keysOfWatcher : LiveDialog.keys(isPaused: pipeline.engine.isPaused))
          .map { StyledText($0, .dim) }
      }
    let frame = LiveFrame(
      board, pipeline, choice, timeOfDay: timeOfDay, panel: panel, footer: footer, size: size,
      glyphs: facts.glyphs)
    isStale = try !writer.draw(
      frame.lines.map { $0.rendered(usingColor: facts.usesColor, in: facts.glyphs) }, size: size)
  }
}
