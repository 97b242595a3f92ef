import WorkoutSession
import ZoneEngine

/// `coach live`: a session from samples as they come.
struct LiveCommand {
  private let parsed: ParsedArguments
  private let console: Console

  init(_ parsed: ParsedArguments, _ console: Console) {
    self.parsed = parsed
    self.console = console
  }

  /// Runs the session to its end.
  func run() async throws -> Int32 {
    let interrupts = Interrupts()
    let input = LiveInput(descriptor: 0, interrupts: interrupts)
    let randomizer = try RandomizationRequest.randomizer(parsed)
    guard randomizer == nil || !parsed[SessionOptions.noSave] else {
      throw CommandFailure("--randomize and --no-save: a draw has to be kept: expected one of them", .usage)
    }
    let asked = try SessionRequestOptions(parsed)
    // What is missing is said before anything is read.
    _ = try RequestOptions.settings(asked.on(nil).coaching, on: nil)
    if let randomizer {
      let dataFolder = try DataFolder.path(parsed[OutputOptions.dataFolder])
      try randomizer.check(asked.on(nil), on: ProfileRequest.today(), in: dataFolder)
    }
    let (day, early) = asked.dependsOnDay ? await beginning(input) : (nil, [])
    var request = try asked.on(day)
    if let randomizer {
      let dataFolder = try DataFolder.path(parsed[OutputOptions.dataFolder])
      request = try randomizer.draw(
        for: request, on: day ?? ProfileRequest.today(), loop: .closed, in: dataFolder)
    }
    console.tell(request.person)
    let settings = try RequestOptions.settings(request.coaching, on: day)
    let configuration = LiveConfiguration(
      settings: settings, clock: clock, streams: streams, durationLimit: parsed[SessionOptions.duration])
    let recording = try parsed[SessionOptions.noSave] ? nil : self.recording(request)
    let manager = SessionManager(configuration, recording: recording)
    let printer = PrinterChoice.printer(
      parsed, console, settings: settings, arm: request.randomization?.drawnArm, isLive: true)
    let announcers = CueAnnouncers(parsed, arm: request.randomization?.drawnArm)

    var status: Int32 = 0
    var session = LiveSession(configuration)
    var lines = 0
    var waiting = early[...]
    while session.state != .ended {
      let (event, now) =
        if let early = waiting.popFirst() { early } else {
          (await input.next(within: session.followsWallClock ? 250 : nil), SystemWallClock.now())
        }
      let report: SessionManager.Report
      switch event {
      case .bytes(let bytes): report = await manager.feed(bytes, now: now)
      case .silence: report = await manager.tick(now: now)
      case .end: report = await manager.end(.endOfInput, now: now)
      case .failure(let error):
        printer.complain("\(error)")
        status = error.exitCode
        report = await manager.end(.endOfInput, now: now)
      case .signal(let signal):
        status = Interrupts.exitStatus(signal)
        report = await manager.end(.interrupted, now: now)
      }
      session = report.session
      for line in report.badLines { printer.complain("standard input: line \(line.number): \(line.problem)") }
      lines += report.badLines.count
      switch report.recording {
      case nil: break
      case .interrupted(let problem):
        printer.complain("\(CommandFailure(problem).line): what comes is kept in memory and tried again each second")
      case .resumed: printer.complain("the session is recorded again, and nothing of it is missing")
      case .lost(let problem):
        let failure = CommandFailure(problem)
        printer.complain("\(failure.line): the session goes on and is not recorded any more")
        if status == 0 { status = failure.exitCode.rawValue }
      }
      do {
        try printer.show(report.events, session.pipeline)
      } catch {
        // Nobody hears the coach any more; what was recorded so far is kept as a whole session.
        _ = await manager.end(.interrupted, now: SystemWallClock.now())
        throw error
      }
      announcers.tell(report.events)
      for failure in announcers.takeFailures() { printer.complain("\(failure): the session goes on") }
    }
    guard session.start != nil else {
      if status != 0 { return status }
      let found = lines == 0 ? "it is empty" : "none of \(lines) lines can be used"
      throw CommandFailure("standard input: \(found): expected samples as lines of JSON", .unusableData)
    }
    if await manager.savedFolder != nil {
      do {
        try await HistoryRequest.with(parsed) { try await manager.closeRecording(in: $0) }
      } catch {
        let failure = CommandFailure(error)
        printer.complain("\(failure.line): the session is saved and will be in the history after the next start")
        if status == 0 { status = failure.exitCode.rawValue }
      }
    }
    let ending = SessionEnding(
      badLines: lines, sessionID: await manager.sessionID, savedIn: await manager.savedFolder)
    try printer.showSummary(session.pipeline, ending)
    announcers.finish()
    for failure in announcers.takeFailures() { printer.complain(failure) }
    if lines > 0 { printer.complain("standard input: \(lines) line\(lines == 1 ? "" : "s") could not be used") }
    return status
  }

  /// Reads until a line tells when the session begins: its day, and what came until then, with the time of its arrival.
  private func beginning(
    _ input: LiveInput
  ) async -> (day: CivilDate?, events: [(LiveInputEvent, WallClockTime)]) {
    var beginning = LiveBeginning(streams: streams)
    var events: [(LiveInputEvent, WallClockTime)] = []
    while beginning.start == nil {
      let event = await input.next(within: nil)
      let now = SystemWallClock.now()
      events.append((event, now))
      switch event {
      case .bytes(let bytes): beginning.take(bytes, arrival: now)
      case .silence: continue
      case .end, .failure, .signal: return (nil, events)
      }
    }
    let start = beginning.start
    return (start.flatMap { $0.civilDate(utcOffsetSeconds: SystemWallClock.utcOffsetSeconds(at: $0)) }, events)
  }

  private var clock: SessionClock {
    switch parsed[SessionOptions.clock] {
    case .samples: .samples
    case .wall: .wall
    case .auto: .automatic
    }
  }

  private var streams: [SampleStream] {
    guard let names = parsed[SessionOptions.streams] else { return SampleStream.recordable }
    return SampleStream.recordable.filter { stream in
      names.contains { name in
        switch name {
        case .heartRate: stream == .heartRate
        case .steps: stream == .steps
        case .location: stream == .location
        case .motion: stream == .motion
        }
      }
    }
  }

  private func recording(_ request: SessionRequest) throws -> SessionManager.Recording {
    SessionManager.Recording(
      dataFolder: try DataFolder.path(parsed[OutputOptions.dataFolder]), request: request,
      random: UInt32.random(in: .min ... .max))
  }
}
