import Glibc
import HeartRateStrap
import LiveCoaching
import Recordings
import TextFormats
import StrategyStudy
import WorkoutSession
import ZoneEngine

/// Opens the sources of a live session.
enum LiveSources {
  /// Refuses a terminal as the source when nobody asked for it: it sends nothing, and shows what is typed.
  ///
  /// - Throws: `CommandFailure` that says what is missing and can be a source.
  static func requireSource(_ parsed: ParsedArguments, of missing: String, such sources: String) throws {
    guard parsed[LiveSourceOptions.source].isEmpty, isatty(0) == 1 else { return }
    throw CommandFailure(
      "\(missing): expected \(sources); --source stdin takes lines that you type", .usage)
  }

  /// How many lines of an input could not be used, for people.
  static func badLines(_ count: Int, of name: String) -> String {
    "\(name): \(count) line\(count == 1 ? "" : "s") could not be used"
  }

  /// Whether every source is one that is played, so that nobody runs while it goes on.
  static func arePlayed(_ parsed: ParsedArguments) -> Bool {
    let arguments = parsed[LiveSourceOptions.source]
    return !arguments.isEmpty && arguments.allSatisfy(isPlayed)
  }

  /// Whether a source is played, which may say itself what is done.
  static func mayStateActivity(_ parsed: ParsedArguments) -> Bool {
    parsed[LiveSourceOptions.source].contains(where: isPlayed)
  }

  private static func isPlayed(_ argument: LiveSourceArgument) -> Bool {
    switch argument {
    case .file, .simulated: true
    case .stdin, .socket, .strap: false
    }
  }

  /// Opens what the command line names, in its order.
  ///
  /// - Throws: `CommandFailure` when options contradict each other, and for a strap that cannot be found; `SearchInterrupted`
  ///   for a signal while it is looked for; `FileError` or `RecordingError` for what cannot be opened.
  static func open(
    _ parsed: ParsedArguments, settings: CoachingSettings, _ interrupts: Interrupts, _ console: Console
  ) throws -> [any LiveSource] {
    let given = parsed[LiveSourceOptions.source]
    let arguments = given.isEmpty ? [.stdin] : given
    guard Set(arguments).count == arguments.count else {
      throw CommandFailure("--source: the same one twice: expected different sources", .usage)
    }
    guard arguments.contains(where: isPlayed) || parsed[LiveSourceOptions.speed] == nil else {
      throw CommandFailure("--speed: expected --source file:PATH or --source simulated too", .usage)
    }
    let isSimulated = arguments.contains { argument in
      switch argument {
      case .simulated: true
      case .stdin, .file, .socket, .strap: false
      }
    }
    guard isSimulated || parsed[StudyOptions.behaviour] == nil else {
      throw CommandFailure("--behaviour: expected --source simulated too", .usage)
    }
    let isReached = arguments.contains { argument in
      switch argument {
      case .socket: true
      case .stdin, .file, .strap, .simulated: false
      }
    }
    if !isReached, parsed[LiveSourceOptions.secretFile] != nil || parsed[LiveSourceOptions.commands] != nil {
      throw CommandFailure("--secret-file, --commands: expected --source tcp:… or --source unix:… too", .usage)
    }
    let speed: Double =
      switch parsed[LiveSourceOptions.speed] {
      case .times(let factor): factor
      case .maximum: .infinity
      case nil: 1
      }
    var sources: [any LiveSource] = []
    do {
      for argument in arguments {
        sources.append(try open(argument, parsed, settings, speed: speed, interrupts, console))
      }
    } catch {
      for source in sources { source.close() }
      throw error
    }
    return sources
  }

  private static func open(
    _ argument: LiveSourceArgument, _ parsed: ParsedArguments, _ settings: CoachingSettings, speed: Double,
    _ interrupts: Interrupts, _ console: Console
  ) throws -> any LiveSource {
    switch argument {
    case .stdin:
      if isatty(0) == 1 {
        console.complain("standard input: a line of JSON for each sample, as you type them; Ctrl-D ends the session")
      }
      return DescriptorSource(0, named: "standard input")
    case .file(let path):
      let recording = try Recording(path: path)
      try recording.requireOnePerson()
      for warning in recording.facts.warnings
      where warning.kind.isOfUnits || warning.kind == .recordingsLeftOut {
        console.complain("\(path): \(warning.sentence)")
      }
      return try PlayedRecording(recording, speed: speed, clock: SystemPlayingClock())
    case .socket(let place):
      let secret = try parsed[LiveSourceOptions.secretFile].map {
        try Secret(file: $0, of: "the secret of the senders")
      }
      let access = SocketAccess(secret: secret, commands: parsed[LiveSourceOptions.commands] ?? .owner)
      let source = try SocketSource(place, access)
      console.complain(source.beginning)
      if let warning = source.warning { console.complain(warning) }
      return source
    case .simulated(let seed):
      return SimulatedSource(
        try runner(parsed, settings, seed: seed), in: settings.zones, seed: seed, speed: speed)
    case .strap(let choice): return try StrapOpening.open(choice, interrupts, console)
    }
  }

  /// A runner who aims at the first target of the session, and then at those of its steps; one who is asked for nothing aims at
  /// zone 2.
  private static func runner(
    _ parsed: ParsedArguments, _ settings: CoachingSettings, seed: UInt64
  ) throws -> PacedRunner {
    let zones = settings.zones
    var target: ResolvedTarget?
    for step in settings.plan.steps where target == nil { target = try ResolvedTarget(step.target, in: zones) }
    let aim = RunnerAim(target, in: zones)
    // Somebody who is asked for a pace has a heart all the same.
    let first: StudyTarget
    switch aim {
    case .heartRate(let target): first = target
    case .speed:
      guard case .heartRate(let easy) = RunnerAim(nil, in: zones) else {
        preconditionFailure("nothing is a heart rate")
      }
      first = easy
    }
    var runner = PacedRunner(
      parsed.declares(SessionOptions.activity) && parsed[SessionOptions.activity] == "walking" ? .walk : .run,
      maximumHeartRate: Double(RunnerAim.maximum(of: zones)), target: first,
      behaviour: parsed[StudyOptions.behaviour]?.behaviour ?? .reflex, strategy: settings.strategy, mayWalk: true,
      seed: seed,
      longest: SimulatedSource.longest)
    if case .speed = aim { runner.aim(at: aim) }
    return runner
  }
}
