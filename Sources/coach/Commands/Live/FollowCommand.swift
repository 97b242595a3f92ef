import Glibc
import LiveCoaching
import SessionStore
import TextFormats
import WorkoutHistory
import WorkoutSession
import ZoneEngine

/// `coach follow`: watches a session that another process records.
struct FollowCommand {
  /// How often the folder of the session is looked at, in nanoseconds.
  private static let span: Int64 = 250_000_000

  private let parsed: ParsedArguments
  private let console: Console

  init(_ parsed: ParsedArguments, _ console: Console) {
    self.parsed = parsed
    self.console = console
  }

  /// Watches until the session is over or somebody leaves.
  func run() async throws -> Int32 {
    let interrupts = Interrupts()
    console.detachTerminals()
    let dataFolder = try DataFolder.path(parsed[OutputOptions.dataFolder])
    var session = try FollowedSession(try sessionID(in: dataFolder), in: dataFolder)
    let settings = session.pipeline.engine.settings
    let person = session.manifest.person
    let profile = person.flatMap { try? ProfileStore(dataFolder: dataFolder).profile(named: $0) }
    let preferences = Preferences(parsed, else: profile?.preferences)
    let screen = try LiveView.screen(parsed, console, settings: settings, preferences, isWatcher: true)
    defer { screen?.close() }
    if screen != nil { interrupts.take([SIGWINCH, SIGTSTP, SIGCONT]) }
    let activity = session.manifest.request.activity
    screen?.use(settings, durationLimit: session.manifest.durationLimit, activity: activity)
    let view = LiveView(
      parsed, console, screen, settings: settings, activity: activity,
      arm: session.manifest.randomization?.drawnArm, units: preferences.units ?? .metric)
    let input = LiveInput([], signals: interrupts)
    try screen?.open()
    var isOver = false
    var isFirst = true
    var announcer = LiveAnnouncer(
      units: preferences.units ?? .metric, bests: [], fastestMetersPerSecond: settings.fastestMetersPerSecond)
    let clock = SteadyWallClock()
    while !isOver {
      var events: [SessionEvent] = []
      isOver = try session.read(now: clock.now(), into: &events)
      let announcements = announcer.note(events, session.pipeline)
      if let bell = view.bell {
        // What was said before somebody watched is history.
        if !isFirst { bell.ring(for: announcements, now: MonotonicClock.now) }
        bell.advance(now: MonotonicClock.now)
      }
      isFirst = false
      try view.printer.show(events, session.pipeline)
      try screen?.refresh()
      guard !isOver else { break }
      let turns = [MonotonicClock.now + Self.span, screen?.turn, view.bell?.turn]
      switch await input.next(until: turns.compactMap(\.self).min(), keyboard: screen?.keyboard) {
      case .typed:
        let wishes = try screen?.typed() ?? []
        if !wishes.isEmpty { return 0 }
      case .signal(let signal):
        if try screen?.handle(signal) ?? false { continue }
        return Interrupts.exitStatus(signal)
      case .silence, .source, .wish: continue
      }
    }
    try view.printer.showSummary(
      session.pipeline, SessionEnding(sessionID: session.manifest.sessionID, origin: session.manifest.origin))
    return 0
  }

  /// The session of the command line, or the one that runs.
  private func sessionID(in dataFolder: StoredPath) throws -> String {
    let running = try FollowedSession.running(in: dataFolder)
    guard let name = parsed[Operands.runningSession] else {
      guard let newest = running.last else {
        throw CommandFailure("no session is running in \(dataFolder): expected one: coach live begins it", .noInput)
      }
      return newest
    }
    let matches = running.filter { $0.hasPrefix(name) }
    guard let only = matches.first else {
      throw CommandFailure("\(name): no such session is running: expected one of coach live", .noInput)
    }
    guard matches.count == 1 else {
      throw CommandFailure("\(name): \(matches.count) running sessions begin so: expected more of the name", .noInput)
    }
    return only
  }
}
