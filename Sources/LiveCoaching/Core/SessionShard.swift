internal import SessionStore
internal import TextFormats
internal import WorkoutHistory
internal import WorkoutSession

/// The number of a session in a registry. It is never given twice.
struct SessionNumber: Hashable, Sendable {
  let value: UInt64
}

/// Owns a part of the live sessions of a process: takes lines, decides, hands on what is to be kept, answers.
///
/// Taking a line is synchronous inside, so that there is no moment at which a session is half changed; it touches no file. Only
/// who asks waits for the disk. Input gathers in an inbox and answers come back with their commit, many in one turn, so that
/// threads do not wake each other for every session.
actor SessionShard {
  private let executor: QueueExecutor
  let writer: JournalWriter?
  let broadcast: EventBroadcast
  let clock: any LiveClock
  private let gatherNanoseconds: Int64
  private nonisolated let inbox = ShardInbox()
  private nonisolated let ended = EndedSessions()
  private var slots: [SessionNumber: ShardSlot] = [:]
  private var schedule = ShardSchedule()
  private var machine: MachineClock
  private var fetched: UInt8 = 0
  private var log: [LiveSession.RawEntry] = []
  /// Whether no row came of what was taken last.
  var hasNoRows: Bool { log.isEmpty }
  /// Where rows of a session wait until its turn is over.
  let spare = SpareBuffers()

  init(
    _ index: Int, writer: JournalWriter?, gatherNanoseconds: Int64, broadcast: EventBroadcast, clock: any LiveClock
  ) {
    self.gatherNanoseconds = gatherNanoseconds
    executor = QueueExecutor(label: "coach.shard.\(index)")
    self.writer = writer
    self.broadcast = broadcast
    self.clock = clock
    machine = MachineClock(clock)
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  // MARK: - Sessions

  /// Takes in a session in standby.
  func add(_ number: SessionNumber, _ session: LiveSession, _ recording: LiveRecording?, isDriven: Bool) {
    let slot = ShardSlot(number, session, recording, isDriven: isDriven)
    insert(slot)
    if let recording, recording.sessionID != nil { keep(slot, recording) }
  }

  func insert(_ slot: ShardSlot) { slots[slot.number] = slot }

  func slot(_ number: SessionNumber) -> ShardSlot? { slots[number] }

  /// Lets a session go.
  func remove(_ number: SessionNumber) {
    slots[number] = nil
    ended.remove(number)
  }

  /// Lets a session go that another process has, and waits until nothing of it is written any more.
  func letGo(_ number: SessionNumber) async {
    let journaled = slots[number]?.journaled
    remove(number)
    if let journaled { await writer?.letGo(journaled) }
  }

  /// Whether a session is over.
  nonisolated func hasEnded(_ number: SessionNumber) -> Bool { ended.contains(number) }

  /// How many sessions have ended ever.
  nonisolated var endCount: Int { ended.count }

  /// The session as it stands; `nil` for one that is gone.
  func session(_ number: SessionNumber) -> LiveSession? { slots[number]?.session }

  /// Waits until what was taken of a session is committed; `false` where that cannot be done now, or nothing is kept of it.
  func waitForCommit(_ number: SessionNumber) async -> Bool {
    guard let slot = slots[number], let journaled = slot.journaled, let writer else { return false }
    if case .kept = await writer.outcome(of: journaled, isFinal: false, .without) { return true }
    return false
  }

  /// The state of a session; over for one that is gone.
  func state(_ number: SessionNumber) -> LiveSession.State { slots[number]?.session.state ?? .ended }

  /// How many lines of a session could not be used so far.
  func badLineCount(_ number: SessionNumber) -> Int { slots[number]?.badLines ?? 0 }

  /// The identity of a session and its folder; absent before it begins, and where nothing is kept.
  func record(of number: SessionNumber) -> (sessionID: String, folder: StoredPath, isFinished: Bool)? {
    guard let slot = slots[number], let journaled = slot.journaled, journaled.hasBegun else { return nil }
    return (journaled.sessionID, journaled.folder, slot.isWhole)
  }

  /// Refuses all commands of a sender from now on.
  func refuseCommands(of feed: LiveFeed, _ number: SessionNumber) { slots[number]?.session.refuseCommands(of: feed) }

  // MARK: - Input

  /// Takes input at a time of day, and answers when that is kept. What is submitted first is taken first.
  ///
  /// - Returns: what came of it; of a session that was let go of a report that says it is lost.
  nonisolated func take(_ input: ShardInput, _ number: SessionNumber, now: WallClockTime) async -> LiveReport {
    await withCheckedContinuation { continuation in
      take(input, number, now: now) { continuation.resume(returning: $0) }
    }
  }

  /// The same without waiting: the report is delivered, once, by a thread that may not be held up; ``takeGathered()`` follows to `isGathered`.
  nonisolated func take(
    _ input: ShardInput, _ number: SessionNumber, now: WallClockTime, isGathered: Bool = false,
    _ deliver: @escaping @Sendable (LiveReport) -> Void
  ) {
    let submission = ShardSubmission(input: input, number: number, now: now, deliver: deliver)
    guard inbox.add(submission), !isGathered else { return }
    executor.run(afterNanoseconds: gatherNanoseconds) { self.assumeIsolated { $0.takeInbox() } }
  }

  /// Takes at once what has gathered.
  nonisolated func takeGathered() {
    guard !inbox.isEmpty else { return }
    executor.run { self.assumeIsolated { $0.takeInbox() } }
  }

  private func takeInbox() {
    let submissions = inbox.takeAll()
    machine.look()
    // A session of which much comes has one turn; what else there is for it waits until others have had theirs.
    var busy = Set<SessionNumber>()
    var late: [ShardSubmission] = []
    for submission in submissions {
      if !busy.isEmpty, busy.contains(submission.number) {
        late.append(submission)
      } else if take(submission) >= Self.mostRecordsOfTurn {
        busy.insert(submission.number)
      }
    }
    guard !late.isEmpty else { return }
    inbox.putBack(late)
    executor.run { self.assumeIsolated { $0.takeInbox() } }
  }

  /// How many records of a session are made before others have their turn.
  private static let mostRecordsOfTurn = 1_000

  /// Takes what was submitted.
  ///
  /// - Returns: how many records it made.
  private func take(_ submission: ShardSubmission) -> Int {
    var report = LiveReport()
    guard let slot = slots[submission.number] else {
      // Whoever let it go did so while this was on its way: nothing of it is taken.
      report.isLost = true
      report.state = .ended
      submission.deliver(report)
      return 0
    }
    fetched &+= slot.fetch()
    let journaled: JournaledSession?
    var named: (batch: BatchName, lines: UInt32)?
    if case .request(let bytes, _, let batch?) = submission.input { named = (batch, BatchOutcomes.hash(of: bytes)) }
    if let named, let before = self.report(ofRepeated: named.batch, lines: named.lines, slot) {
      report = before
      journaled = slot.journaled
    } else {
      let recordBefore = slot.encoder?.recordCount ?? 0
      let now = slot.isDriven ? submission.now : time(machine.arrival(submission.now), of: slot)
      perform(submission.input, slot, now, &report)
      logInput(submission.input, slot, now, report)
      anchor(slot, at: now)
      journaled = hand(on: slot, &report)
      if let named { noteBatch(named.batch, lines: named.lines, slot, report, recordBefore) }
      expect(slot)
    }
    report.isLost = slot.keeping == .lost
    let records = report.events.count
    guard let journaled, let writer else {
      submission.deliver(report)
      return records
    }
    let isOver = report.state == .ended
    var patience = JournalWaiter.Patience.unlimited
    if case .request = submission.input {
      let mayComeAgain = named != nil || report.isOfCommandsAlone
      patience = mayComeAgain ? .limited : .long
    }
    writer.answer(
      PendingReport(self, slot, report, submission.deliver), when: journaled, isKeptFinally: isOver,
      patience)
    return records
  }

  /// Answers what the writer has kept, or cannot keep.
  nonisolated func settle(_ answers: [(pending: PendingReport, outcome: JournalOutcome)]) {
    executor.run {
      self.assumeIsolated { shard in
        for (pending, outcome) in answers {
          if case .waiting = outcome, shard.writer?.answersAfterCommit == true {
            pending.report.isUnsettled = true
          } else {
            shard.note(outcome, pending.slot, isOver: pending.report.state == .ended, &pending.report)
          }
          pending.deliver(pending.takeReport())
        }
      }
    }
  }

  func perform(_ input: ShardInput, _ slot: ShardSlot, _ now: WallClockTime, _ report: inout LiveReport) {
    slot.take(input, now, log: &log, &report)
    if report.state == .ended { ended.insert(slot.number) }
  }

  // MARK: - What is kept

  /// Hands what was taken on to the writer, raw rows before decisions; the session whose answer has to wait for that.
  private func hand(on slot: ShardSlot, _ report: inout LiveReport) -> JournaledSession? {
    defer { log.removeAll(keepingCapacity: true) }
    guard let writer, slot.keeping.goesOn else { return nil }
    do {
      try beginRecording(slot)
    } catch {
      slot.keeping = .lost
      report.recording = .lost(error)
      return nil
    }
    guard let journaled = slot.journaled else { return nil }
    encode(slot, report)
    report.lastRecord = slot.encoder?.recordCount ?? 0
    let isOver = slot.session.state == .ended
    guard slot.encoder?.waitingBytes ?? 0 > 0 || !slot.inputs.isEmpty || isOver || slot.keeping == .interrupted else {
      return nil
    }
    writer.append(slot.encoder, &slot.inputs, of: journaled, isWatched: slot.isWatched, spare)
    if isOver, let manifest = slot.manifest?.value {
      slot.digest = SessionDigest(
        manifest, slot.session.pipeline, state: .complete, badLines: slot.badLines
      ).map { ShardSlot.Boxed($0) }
      writer.finish(
        journaled,
        summary: SessionSummaryFile(manifest: manifest, state: .complete, badLines: slot.badLines)
          .content(slot.session.pipeline).text)
    }
    return journaled
  }

  /// Makes what keeps a session that has begun.
  ///
  /// - Throws: what keeps it from being made.
  private func beginRecording(_ slot: ShardSlot) throws {
    guard let recording = slot.recording?.value, let start = slot.start else { return }
    slot.recording = nil
    let manifest = recording.manifest ?? recording.manifest(start: start, slot.session.configuration)
    let encoder = try SessionLogEncoder(manifest, spare, counting: recording.countedStreams)
    slot.manifest = ShardSlot.Boxed(manifest)
    slot.encoder = encoder
    guard slot.journaled == nil else { return }
    let journaled = JournaledSession(manifest.sessionID, in: recording.dataFolder)
    slot.journaled = journaled
    writer?.begin(journaled, manifest: encoder.manifestText)
  }

  /// Makes rows and records of what was taken.
  func encode(_ slot: ShardSlot, _ report: LiveReport) {
    // Of a session that another process began it could be made then.
    try? beginRecording(slot)
    slot.encoder?.append(log)
    // The beginning is the first record.
    let early = slot.encoder?.recordCount == 0 ? report.earlyCount : 0
    for event in report.events.dropFirst(early) { slot.encoder?.append(event: event) }
    log.removeAll(keepingCapacity: true)
  }

  func note(_ outcome: JournalOutcome, _ slot: ShardSlot, isOver: Bool, _ report: inout LiveReport) {
    let wentOn = slot.keeping.goesOn
    slot.keeping.note(outcome, isOver: isOver, &report)
    if wentOn, isOver, let journaled = slot.journaled { broadcast.end(journaled.sessionID) }
  }

  /// What the index keeps of a session that is over; `nil` where its folder has to be read.
  func digest(_ number: SessionNumber) -> SessionDigest? { slots[number]?.digest?.value }

  /// Says that a session is in the history.
  func close(_ number: SessionNumber) async throws {
    guard let slot = slots[number], let journaled = slot.journaled, let writer else { return }
    journaled.hasAnswered = !slot.batches.isEmpty
    try await writer.close(journaled)
  }

  // MARK: - Time

  /// Has a session looked at when something is due.
  private func expect(_ slot: ShardSlot) {
    guard !slot.isDriven, let time = slot.earliestDue else { return }
    let ahead = slot.clock.ahead(of: machine.ahead)
    let (due, isOverflow) = time.nanoseconds.subtractingReportingOverflow(ahead)
    if schedule.expect(slot, at: isOverflow ? .min : due) { wake() }
  }

  private func wake() {
    guard let due = schedule.takeWakeTime() else { return }
    clock.call(at: due) { [weak self] in Task { await self?.advance() } }
  }

  /// Lets everything happen whose time has come.
  func advance() {
    machine.look()
    let elapsed = clock.elapsed()
    let now = machine.now
    schedule.beginTurn()
    while let (number, time) = schedule.takeFirst(until: elapsed) {
      guard let slot = slots[number], slot.scheduled == time else { continue }
      slot.scheduled = nil
      passTime(slot, now, elapsed)
    }
    schedule.endTurn()
    wake()
  }

  /// Lets happen in a session what time alone brings about by now.
  func passTime(_ slot: ShardSlot) {
    machine.look()
    let elapsed = clock.elapsed()
    passTime(slot, machine.now, elapsed)
  }

  private func passTime(_ slot: ShardSlot, _ now: WallClockTime, _ elapsed: Int64) {
    var report = LiveReport()
    let now = time(now, of: slot)
    perform(.tick, slot, now, &report)
    logInput(.tick, slot, now, report)
    anchor(slot, at: now)
    _ = hand(on: slot, &report)
    slot.lookedAt = elapsed
    expect(slot)
  }

  /// A time of day as a session counts it; by how much the clock of the machine was set is written down for whoever goes on with it.
  private func time(_ now: WallClockTime, of slot: ShardSlot) -> WallClockTime {
    let (time, isSetAnew) = slot.clock.time(now, machine.ahead)
    if isSetAnew { logSetClock(slot, time) }
    return time
  }

  /// Has a session that has begun go on by the clock that nobody sets.
  private func anchor(_ slot: ShardSlot, at now: WallClockTime) {
    guard !slot.clock.isAnchored, !slot.isDriven, slot.start != nil else { return }
    slot.clock.anchor(at: now, machine.ahead)
  }

  /// How many entries the heap of due times has.
  var dueCount: Int { schedule.count }
}

extension LiveRecording {
  /// The manifest of a session that begins.
  fileprivate func manifest(start: WallClockTime, _ configuration: LiveConfiguration) -> SessionManifest {
    SessionManifest(
      sessionID: sessionID ?? SessionFolder.name(start: start, activity: request.activity, random: random),
      start: start, utcOffsetSeconds: SystemWallClock.utcOffsetSeconds(at: start), request: request,
      streams: configuration.streams, durationLimit: configuration.durationLimit,
      person: person, origin: origin, inputs: inputs, randomization: randomization,
      recognition: configuration.recognition?.facts, motionLog: motionLog)
  }
}
