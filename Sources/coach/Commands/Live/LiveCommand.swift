import Glibc
import CoachService
import LiveCoaching
import OutsidePolicies
import Recordings
import SessionStore
import TextFormats
import WorkoutHistory
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
    try LiveSources.requireSource(
      parsed, of: "live: there is no source of heart rates",
      such: "--source strap (a Bluetooth heart-rate strap), --source simulated (a virtual runner, to try it) or a "
        + "program that sends samples, as in sensor | coach live")
    guard parsed[RemoteOptions.server] == nil || parsed[SessionOptions.motionLog] == .csv else {
      throw CommandFailure(
        "--motion-log and --server: the service keeps the session: expected coach serve --motion-log", .usage)
    }
    let interrupts = Interrupts()
    // Where samples come as fast as they are taken nobody runs, and every line is waited for.
    if clock != .samples { console.detachTerminals() }
    let server = try LiveServer(parsed)
    let randomizer = try RandomizationRequest.randomizer(parsed)
    guard randomizer == nil || !parsed[SessionOptions.noSave] else {
      throw CommandFailure("--randomize and --no-save: a draw has to be kept: expected one of them", .usage)
    }
    let drawing = randomizer != nil ? "--randomize" : parsed[TrialOptions.trial] == nil ? nil : "--trial"
    let recognition = try RecognitionRequest.settings(parsed, drawnBy: drawing)
    guard recognition == nil || streams.contains(.motion) else {
      throw CommandFailure("--recognize and --streams without motion: expected motion among them", .usage)
    }
    let policies = try PolicyRequest.policies(parsed)
    defer { policies.end() }
    var base = CoachingRequest()
    // Of a runner of whom nothing is said here the service may know enough: it coaches by the profile of the person of the token.
    if let server, saysNoRunner, let known = try await server.request(like: base, on: try CivilDate.today()) {
      base = known
    }
    let asked = try SessionRequestOptions(parsed, over: base, asking: policies)
    // What is missing is said before anything is read.
    let today = try RequestOptions.settings(asked.on(nil).coaching, on: nil)
    // By what a study of several courses is drawn from, where nobody said it.
    var known: LiveActivity?
    if let randomizer {
      let dataFolder = try DataFolder.path(parsed[OutputOptions.dataFolder])
      var first = try asked.on(nil)
      let isOpen = randomizer.lacksActivity(first)
      // What is played says itself what is done, and is asked when it is open.
      if isOpen, !LiveSources.mayStateActivity(parsed) {
        known = await LiveActivity.known(first, [], parsed)
        if let known { first.coaching.activity = known.activity }
      }
      if !isOpen || !LiveSources.mayStateActivity(parsed) {
        try randomizer.check(first, on: CivilDate.today(), in: dataFolder)
      }
    }
    let sources: [any LiveSource]
    do {
      sources = try LiveSources.open(parsed, settings: today, interrupts, console)
    } catch let stop as SearchInterrupted {
      return Interrupts.exitStatus(stop.signal)
    }
    let origin = SessionOrigin(of: sources.map(\.origin)) ?? .live
    let screen = try LiveView.screen(parsed, console, settings: today, asked.preferences)
    screen?.keepFields = { keep($0) }
    defer { screen?.close() }
    if screen != nil { interrupts.take([SIGWINCH, SIGTSTP, SIGCONT]) }
    try screen?.open()
    let input = LiveInput(sources, signals: interrupts)
    defer { input.close() }
    let (day, early) =
      try asked.dependsOnDay ? await beginning(input, sourceCount: sources.count, screen) : (nil, [])
    var request = try asked.on(day)
    if let randomizer {
      let dataFolder = try DataFolder.path(parsed[OutputOptions.dataFolder])
      if known == nil, randomizer.lacksActivity(request) {
        known = await LiveActivity.known(request, sources, parsed)
      }
      if let known { request.coaching.activity = known.activity }
      request = try randomizer.draw(
        for: request, on: day ?? CivilDate.today(), loop: origin == .imported ? .open : .closed, in: dataFolder)
    }
    let isAsDrawn = request.randomization != nil || request.coaching.trial != nil
    // A virtual runner is somebody else than the person of the profile.
    if let learned = asked.learned, !isAsDrawn, origin != .simulated {
      request.coaching.strategy = learned.begin(request.coaching.strategy)
    }
    let activity = if let known { known } else { await LiveActivity.of(request, sources, parsed) }
    request.coaching.activity = activity.activity
    for line in try LaterValues.lines(request.person) + (server == nil ? otherSessions() : []) {
      if let screen { screen.complain(line) } else { console.complain(line) }
    }
    func settingsOfDay(_ request: CoachingRequest) throws -> CoachingSettings {
      var settings = try RequestOptions.settings(request, on: day)
      // A recording that is played has one device for all of them.
      settings.altitudesAreOfOneDevice = origin == .imported
      return settings
    }
    var configuration = LiveConfiguration(
      settings: try settingsOfDay(request.coaching), clock: clock, streams: streams,
      durationLimit: parsed[SessionOptions.duration], isStrategyDrawn: isAsDrawn)
    let policy = PolicyRequest.session(policies, configuration.settings)
    guard policy == nil || server == nil else {
      throw CommandFailure("--strategy exec: and --server: a service starts no program: expected one of them", .usage)
    }
    guard request.coaching.trial == nil || server == nil else {
      throw CommandFailure("--trial and --server: a service draws nothing: expected one of them", .usage)
    }
    configuration.policy = policy
    configuration.recognition = recognition
    configuration.watchesStreams = true
    let hasUsualCeiling = parsed[GuidanceOptions.ceiling] == nil
    let beginning = try await server?.begin(
      request.coaching, hasUsualCeiling: hasUsualCeiling, configuration, origin)
    if let server, let beginning,
      let settled = try server.settled(
        request.coaching, hasUsualCeiling: hasUsualCeiling, by: beginning, zones: configuration.settings.zones, on: day)
    {
      request.coaching = settled.request
      configuration.settings = try settingsOfDay(request.coaching)
      if let screen { screen.complain(settled.line) } else { console.complain(settled.line) }
    }
    let settings = configuration.settings
    screen?.use(settings, durationLimit: parsed[SessionOptions.duration], activity: activity.activity)
    let briefing = LiveBriefing(
      parsed, request, settings, activity, recognition, asked.preferences.units ?? .metric, origin)
    screen?.brief(briefing.lines)
    let recording = try parsed[SessionOptions.noSave] || server != nil ? nil : self.recording(request, origin, sources)
    // What is kept is judged by the index; of the rest it is said at the end what became of the plan.
    let judgesPlan = recording == nil && request.coaching.plan != nil && parsed[OutputOptions.format] == .text
    if judgesPlan { configuration.utcOffsetSeconds = { SystemWallClock.utcOffsetSeconds(at: $0) } }
    let arm = request.randomization?.drawnArm
    let registry = SessionRegistry(
      dataFolder: try recording.map { _ in try DataFolder.path(parsed[OutputOptions.dataFolder]) },
      policy: .terminal, shardCount: 1, limit: 1, clock: SystemLiveClock())
    let running = try await registry.begin(configuration, recording: recording, isDriven: true)
    // A virtual runner who does not go by the clock would have run on before an answer comes.
    let waits = origin == .simulated && parsed[LiveSourceOptions.speed] == .maximum
    let session: any DrivenSession =
      beginning.map { RemoteSession($0, mirror: running, waitsForAnswers: waits) } ?? running
    let run = LiveRun(
      LiveView(
        parsed, console, screen, settings: settings, activity: activity.activity, arm: arm,
        units: asked.preferences.units ?? .metric),
      announcers: CueAnnouncers(
        parsed, arm: arm, language: asked.preferences.language ?? .english, saysAll: LiveSources.arePlayed(parsed)),
      announcer: LiveAnnouncer(
        units: asked.preferences.units ?? .metric, bests: await bests(request, origin),
        fastestMetersPerSecond: settings.fastestMetersPerSecond),
      signals: interrupts)
    let loop = LiveLoop(session, configuration, input, sourceNames: sources.map(\.name), audience: run)
    run.origin = origin
    run.policy = policy
    if judgesPlan { run.plan = request.coaching.plan }
    if let server, let id = await session.sessionID { run.place = "\(server.url.text)/sessions/\(id.encodingPercents)" }
    if screen == nil { run.briefing = { try briefing.print(parsed, console, complain: $0) } }
    let notices = run.notices
    let recovery = try recording.map { _ in
      try StartupRecovery.beside(DataFolder.path(parsed[OutputOptions.dataFolder])) { notices.add($0) }
    }
    let status: Int32
    do {
      status = try await run.run(loop, of: session, after: early) {
        try await HistoryRequest.with(parsed) { history in
          try await running.closeRecording(in: history)
          if origin == .live, !isAsDrawn, let problem = learn(from: loop.session.pipeline, on: day) {
            notices.add(problem)
          }
          guard parsed[OutputOptions.format] == .text, let sessionID = await running.sessionID else { return nil }
          // The session is safe; that an index cannot be asked is reported by the verbs that ask it.
          return try? await history.standing(of: sessionID)
        }
      }
    } catch {
      recovery?.cancel()
      await recovery?.value
      await registry.shutDown()
      throw error
    }
    recovery?.cancel()
    await recovery?.value
    run.sayNotices()
    await registry.shutDown()
    return status
  }

  /// Whether nothing that is said makes a maximum heart rate.
  private var saysNoRunner: Bool {
    parsed[ZoneOptions.profile] == nil && parsed[ZoneOptions.age] == nil && parsed[ZoneOptions.birthDate] == nil
      && parsed[ZoneOptions.maximumHeartRate] == nil
  }

  /// Reads until a line states the start of the session; returns its day, and the events until then with their arrival.
  private func beginning(
    _ input: LiveInput, sourceCount: Int, _ screen: LiveScreen?
  ) async throws -> (day: CivilDate?, events: [(LiveInputEvent, WallClockTime)]) {
    var beginning = LiveBeginning(streams: streams)
    var events: [(LiveInputEvent, WallClockTime)] = []
    var over = 0
    while beginning.start == nil {
      let event = await input.next(until: screen?.turn, keyboard: screen?.keyboard)
      let now = SystemWallClock.now()
      if case .typed = event {
        let wishes = try screen?.typed() ?? []
        for wish in wishes { events.append((.wish(wish), now)) }
        if !wishes.isEmpty { return (try CivilDate.today(), events) }
        continue
      }
      if case .signal(let signal) = event, try screen?.handle(signal) ?? false { continue }
      try screen?.refresh()
      events.append((event, now))
      switch event {
      case .source(let index, .bytes(let bytes, let connection)):
        beginning.take(bytes, of: LiveFeed(source: index, connection: connection), arrival: now)
      case .source(_, .lines(let lines)): beginning.take(lines, arrival: now)
      case .source(let index, .stranger(let connection)):
        beginning.refuseCommands(of: LiveFeed(source: index, connection: connection))
      case .source(_, .left), .source(_, .notice), .source(_, .passed), .silence: continue
      case .source(_, .ended), .source(_, .failed), .source(_, .broken):
        over += 1
        guard over == sourceCount else { continue }
        beginning.settle()
        return (day(of: beginning.start), events)
      case .signal, .typed, .wish:
        beginning.settle()
        return (day(of: beginning.start), events)
      }
    }
    return (day(of: beginning.start), events)
  }

  /// The day of an instant by the clock of this machine.
  private func day(of start: WallClockTime?) -> CivilDate? {
    start.flatMap { $0.civilDate(utcOffsetSeconds: SystemWallClock.utcOffsetSeconds(at: $0)) }
  }

  /// The best efforts of the person in the activity, where somebody listens; none where nobody is measured. That they cannot be
  /// found is reported by the verbs that ask for them.
  private func bests(_ request: SessionRequest, _ origin: SessionOrigin) async -> [BestEffort] {
    let isHeard = parsed[AnnouncingOptions.say] || parsed[AnnouncingOptions.sayCommand] != nil
    guard isHeard, origin != .simulated, let name = request.person?.name else { return [] }
    var filter = History.Filter()
    (filter.person, filter.includesSimulated) = (name, false)
    let asked = filter
    let records = try? await HistoryRequest.with(parsed) { history in
      try await history.records(asked, activity: request.coaching.activity.label)
    }
    return (records ?? []).map(\.effort)
  }

  /// Keeps the fields that were chosen on the screen in the profile of the session, where it has one; what went wrong.
  private func keep(_ fields: [LiveField]) -> String? {
    guard let name = parsed[ZoneOptions.profile] else { return nil }
    do {
      _ = try ProfileRequest.store(parsed).change(name, id: ProfileRequest.newID()) { $0.preferences.fields = fields }
      return nil
    } catch {
      return "\(CommandFailure(error).line): the fields are shown and not kept"
    }
  }

  /// Keeps what a session by `adaptive` has learned of the runner, for the next one; what went wrong.
  private func learn(from pipeline: SessionPipeline, on day: CivilDate?) -> String? {
    guard let name = parsed[ZoneOptions.profile], let prior = pipeline.engine.learnedPrior else { return nil }
    do {
      let date = try day ?? CivilDate.today()
      _ = try ProfileRequest.store(parsed).change(name, id: ProfileRequest.newID()) {
        $0.learned = LearnedRunner(sessions: ($0.learned?.sessions ?? 0) + 1, date: date, prior: prior)
      }
      return nil
    } catch {
      return "\(CommandFailure(error).line): what was learned of the runner is not kept"
    }
  }

  /// What is said when another session is being recorded in the same data folder. Both are kept.
  private func otherSessions() throws -> [String] {
    guard !parsed[SessionOptions.noSave] else { return [] }
    let dataFolder = try DataFolder.path(parsed[OutputOptions.dataFolder])
    guard let other = try FollowedSession.running(in: dataFolder).last else { return [] }
    return ["\(other): is being recorded in \(dataFolder) too: both sessions are kept"]
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

  private func recording(
    _ request: SessionRequest, _ origin: SessionOrigin, _ sources: [any LiveSource]
  ) throws -> LiveRecording {
    LiveRecording(
      dataFolder: try DataFolder.path(parsed[OutputOptions.dataFolder]), request: request,
      random: UInt32.random(in: .min ... .max), origin: origin, inputs: sources.map(\.originText),
      motionLog: parsed[SessionOptions.motionLog])
  }
}
