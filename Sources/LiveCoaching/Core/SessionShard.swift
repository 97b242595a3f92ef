internal import SessionStore
internal import Synchronization
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
/// who asks waits for the disk.
actor SessionShard {
  /// A session with what belongs to it. It is a reference, so that a large value is never moved.
  private final class Slot {
    let number: SessionNumber
    var session: LiveSession
    let recording: LiveRecording?
    /// Whether whoever drives it moves its time on; else the shard does.
    let isDriven: Bool
    var encoder: SessionLogEncoder?
    var journaled: JournaledSession?
    /// What was taken, of a session that goes on after the process is gone.
    var inputs = InputLog()
    var batches = BatchOutcomes()
    /// Until when time had passed without anything coming of it.
    var silentTime: WallClockTime?
    var splitter = LiveFeedSplitter()
    var keeping = Keeping.well
    var badLines = 0
    /// What the index keeps of it, once it is over; absent where its folder has to be read.
    var digest: SessionDigest?
    /// When the heap knows it to be due.
    var scheduled: WallClockTime?

    init(_ number: SessionNumber, _ session: LiveSession, _ recording: LiveRecording?, isDriven: Bool) {
      self.number = number
      self.session = session
      self.recording = recording
      self.isDriven = isDriven
    }
  }

  private enum Keeping {
    case well, interrupted, lost, finished
  }

  private let executor: QueueExecutor
  private let writer: JournalWriter?
  private let broadcast: EventBroadcast
  private let clock: any LiveClock
  private var slots: [SessionNumber: Slot] = [:]
  private var dueTimes = DueTimes()
  private var wakeTime: WallClockTime?
  private var log: [LiveSession.RawEntry] = []

  init(_ index: Int, writer: JournalWriter?, broadcast: EventBroadcast, clock: any LiveClock) {
    executor = QueueExecutor(label: "coach.shard.\(index)")
    self.writer = writer
    self.broadcast = broadcast
    self.clock = clock
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  // MARK: - Sessions

  /// Takes in a session in standby.
  func add(_ number: SessionNumber, _ session: LiveSession, _ recording: LiveRecording?, isDriven: Bool) {
    let slot = Slot(number, session, recording, isDriven: isDriven)
    slots[number] = slot
    if let recording, let sessionID = recording.sessionID { keep(slot, sessionID, recording, isResumed: false) }
  }

  private func keep(_ slot: Slot, _ sessionID: String, _ recording: LiveRecording, isResumed: Bool) {
    let journaled = JournaledSession(
      sessionID, nil, isResumable: true, isResumed: isResumed, in: recording.dataFolder)
    slot.journaled = journaled
    writer?.begin(journaled)
  }

  /// Waits until a session that was added is kept.
  ///
  /// - Throws: why it cannot be.
  func requireKept(_ number: SessionNumber) async throws {
    guard let journaled = slots[number]?.journaled, let writer else { return }
    switch await writer.outcome(of: journaled, isFinal: true) {
    case .kept: break
    case .waiting(let error), .lost(let error): throw error
    }
  }

  /// Goes on with a session that another process began: what that took is taken again, and nothing of it is written again.
  ///
  /// - Parameters:
  ///   - inputs: the bytes of its ``SessionInput``s.
  ///   - sizes: how large its files are.
  ///   - recordCount: how many records it has.
  func resume(
    _ number: SessionNumber, _ session: LiveSession, _ recording: LiveRecording, inputs: [UInt8],
    sizes: [SessionFile: Int], recordCount: Int
  ) {
    guard let sessionID = recording.sessionID else { return }
    let slot = Slot(number, session, recording, isDriven: false)
    slots[number] = slot
    keep(slot, sessionID, recording, isResumed: true)
    SessionInput.forEach(of: inputs.span) { repeatInput($0, slot) }
    slot.encoder?.goOn(after: sizes, recordCount: recordCount)
    slot.inputs = InputLog(offset: inputs.count)
    var report = LiveReport()
    perform(.tick, slot, clock.now(), &report)
    logInput(.tick, slot, clock.now(), report)
    _ = hand(on: slot, &report)
    schedule(slot)
  }

  private func repeatInput(_ input: SessionInput, _ slot: Slot) {
    var report = LiveReport()
    if let time = input.timeBefore { slot.session.tick(time, log: &log, into: &report.events) }
    let recordBefore = slot.encoder?.recordCount ?? 0
    switch input.content {
    case .lines(let bytes, let feed, let batch):
      perform(.request(bytes, feed, batch: batch), slot, input.arrival, &report)
      encode(slot, report)
      note(batch, slot, report, recordBefore)
    case .time:
      perform(.tick, slot, input.arrival, &report)
      encode(slot, report)
    case .end(let reason):
      perform(.end(reason), slot, input.arrival, &report)
      encode(slot, report)
    }
  }

  /// Lets a session go.
  func remove(_ number: SessionNumber) { slots[number] = nil }

  /// The session as it stands; `nil` for one that is gone.
  func session(_ number: SessionNumber) -> LiveSession? { slots[number]?.session }

  /// The state of a session; over for one that is gone.
  func state(_ number: SessionNumber) -> LiveSession.State { slots[number]?.session.state ?? .ended }

  /// What came of lines that were sent before; `nil` where they were not.
  func outcome(ofBatch batch: UInt64, _ number: SessionNumber) -> BatchOutcome? {
    slots[number]?.batches.outcome(of: batch)
  }

  /// How many lines of a session could not be used so far.
  func badLineCount(_ number: SessionNumber) -> Int { slots[number]?.badLines ?? 0 }

  /// The identity of a session and its folder; absent before it begins, and where nothing is kept.
  func record(of number: SessionNumber) -> (sessionID: String, folder: StoredPath, isFinished: Bool)? {
    guard let slot = slots[number], let journaled = slot.journaled, journaled.hasBegun else { return nil }
    return (journaled.sessionID, journaled.folder, slot.keeping == .finished)
  }

  /// Refuses all commands of a sender from now on.
  func refuseCommands(of feed: LiveFeed, _ number: SessionNumber) { slots[number]?.session.refuseCommands(of: feed) }

  // MARK: - Input

  /// What is done with a session.
  enum Input: Sendable {
    case bytes([UInt8], LiveFeed)
    case lines([LiveLine], LiveFeed)
    /// Whole lines that belong together, and the number of their name; 0 for none.
    case request([UInt8], LiveFeed, batch: UInt64)
    case finish(LiveFeed)
    case tick
    case end(SessionEvent.EndReason)
  }

  /// Takes input at a time of day, and answers when that is kept.
  ///
  /// - Returns: what came of it; an empty report of a session that is gone.
  func take(_ input: Input, _ number: SessionNumber, now: WallClockTime) async -> LiveReport {
    var report = LiveReport()
    guard let slot = slots[number] else { return report }
    if case .request(_, _, let batch) = input, let outcome = slot.batches.outcome(of: batch) {
      report.repeated = outcome
      report.state = slot.session.state
    } else {
      let recordBefore = slot.encoder?.recordCount ?? 0
      perform(input, slot, now, &report)
      logInput(input, slot, now, report)
      return await keep(slot, input, recordBefore, &report)
    }
    guard let journaled = slot.journaled, let writer else { return report }
    _ = await writer.outcome(of: journaled, isFinal: false)
    return report
  }

  private func keep(
    _ slot: Slot, _ input: Input, _ recordBefore: Int, _ report: inout LiveReport
  ) async -> LiveReport {
    let journaled = hand(on: slot, &report)
    if case .request(_, _, let batch) = input { note(batch, slot, report, recordBefore) }
    schedule(slot)
    report.isLost = slot.keeping == .lost
    guard let journaled, let writer else { return report }
    let isOver = report.state == .ended
    let outcome = await writer.outcome(of: journaled, isFinal: isOver)
    note(outcome, slot, isOver: isOver, &report)
    return report
  }

  private func note(_ batch: UInt64, _ slot: Slot, _ report: LiveReport, _ recordBefore: Int) {
    guard batch != 0 else { return }
    slot.batches.keep(
      BatchOutcome(
        accepted: report.lineCount - report.badLines.count, rejected: report.badLines, recordBefore: recordBefore,
        lastRecord: slot.encoder?.recordCount ?? 0), of: batch)
  }

  /// Writes down what was taken, of a session that goes on after the process is gone.
  private func logInput(_ input: Input, _ slot: Slot, _ now: WallClockTime, _ report: LiveReport) {
    guard slot.journaled?.isResumable == true else { return }
    let content: SessionInput.Content
    switch input {
    case .request(let bytes, let feed, let batch): content = .lines(bytes, feed, batch: batch)
    case .tick where report.events.isEmpty && log.isEmpty:
      slot.silentTime = now
      return
    case .tick: content = .time
    case .end(let reason): content = .end(reason)
    case .bytes, .lines, .finish: return
    }
    slot.inputs.append(SessionInput(content, arrival: now, timeBefore: slot.silentTime))
    slot.silentTime = nil
  }

  private func perform(_ input: Input, _ slot: Slot, _ now: WallClockTime, _ report: inout LiveReport) {
    switch input {
    case .bytes(let bytes, let feed):
      slot.splitter.feed(bytes, of: feed) { line, place in
        Self.take(line, of: feed, place, now, &slot.session, &log, &report)
      }
      slot.session.tick(now, log: &log, into: &report.events)
    case .request(let bytes, let feed, _):
      var splitter = LineSplitter(maximumLineBytes: LiveLine.longest, longLines: .cut, refusesBinary: false)
      // A splitter that cuts long lines and refuses nothing cannot fail, and neither can taking a line.
      try? splitter.feed(bytes.span) { line, place in
        Self.take(line, of: feed, place, now, &slot.session, &log, &report)
      }
      try? splitter.finish { line, place in Self.take(line, of: feed, place, now, &slot.session, &log, &report) }
      slot.session.tick(now, log: &log, into: &report.events)
    case .lines(let lines, let feed):
      for (index, line) in lines.enumerated() {
        do {
          try slot.session.take(
            line, from: line.keepsItsTime ? nil : feed, arrival: now, log: &log, into: &report.events)
        } catch {
          report.badLines.append(LiveReport.BadLine(number: index + 1, problem: "\(error)"))
        }
      }
      slot.session.tick(now, log: &log, into: &report.events)
    case .finish(let feed): finish(feed, slot, now, &report)
    case .tick: slot.session.tick(now, log: &log, into: &report.events)
    case .end(let reason):
      if reason == .endOfInput {
        for feed in slot.splitter.open { finish(feed, slot, now, &report) }
      }
      slot.session.end(reason, now: now, log: &log, into: &report.events)
    }
    report.notices = slot.session.takeNotices()
    report.state = slot.session.state
    slot.badLines += report.badLines.count
  }

  private func finish(_ feed: LiveFeed, _ slot: Slot, _ now: WallClockTime, _ report: inout LiveReport) {
    slot.splitter.finish(feed) { line, place in
      Self.take(line, of: feed, place, now, &slot.session, &log, &report)
    }
  }

  private static func take(
    _ line: Span<UInt8>, of feed: LiveFeed, _ place: TextLine, _ now: WallClockTime, _ session: inout LiveSession,
    _ log: inout [LiveSession.RawEntry], _ report: inout LiveReport
  ) {
    if line.isBlank { return }
    report.lineCount += 1
    do {
      if place.isCut {
        throw LiveSession.BadLine(description: "longer than \(LiveLine.longest) bytes")
      }
      try session.take(LiveLine(line), from: feed, arrival: now, log: &log, into: &report.events)
    } catch {
      report.badLines.append(LiveReport.BadLine(number: place.number, problem: "\(error)"))
    }
  }

  // MARK: - What is kept

  /// Hands what was taken on to the writer, raw rows before decisions; the session whose answer has to wait for that.
  private func hand(on slot: Slot, _ report: inout LiveReport) -> JournaledSession? {
    defer { log.removeAll(keepingCapacity: true) }
    guard let writer, let recording = slot.recording else { return nil }
    guard slot.keeping == .well || slot.keeping == .interrupted else { return nil }
    if let problem = makeEncoder(slot) {
      slot.keeping = .lost
      report.recording = .lost(problem)
      return nil
    }
    if let encoder = slot.encoder, slot.journaled == nil {
      let journaled = JournaledSession(encoder.manifest.sessionID, encoder.manifest, in: recording.dataFolder)
      slot.journaled = journaled
      writer.begin(journaled)
    }
    guard let journaled = slot.journaled else { return nil }
    append(to: slot, report)
    report.lastRecord = slot.encoder?.recordCount ?? 0
    let isOver = slot.session.state == .ended
    guard slot.encoder?.waitingBytes ?? 0 > 0 || !slot.inputs.isEmpty || isOver || slot.keeping == .interrupted else {
      return nil
    }
    var encoder = slot.encoder.take()
    writer.append(&encoder, &slot.inputs, of: journaled)
    slot.encoder = encoder
    if isOver, let manifest = slot.encoder?.manifest {
      slot.digest = SessionDigest(
        manifest, slot.session.pipeline, state: .complete, badLines: slot.badLines)
      writer.finish(
        journaled,
        summary: SessionSummaryFile(manifest: manifest, state: .complete, badLines: slot.badLines)
          .content(slot.session.pipeline).text)
    }
    return journaled
  }

  /// Makes the encoder of a session that has begun; what kept it from being made.
  private func makeEncoder(_ slot: Slot) -> (any Error)? {
    guard slot.encoder == nil, let recording = slot.recording, let start = slot.session.start else { return nil }
    do {
      slot.encoder = try SessionLogEncoder(
        recording.manifest ?? recording.manifest(start: start, slot.session.configuration))
      return nil
    } catch {
      return error
    }
  }

  private func append(to slot: Slot, _ report: LiveReport) {
    for entry in log { slot.encoder?.append(entry) }
    for event in report.events { slot.encoder?.append(event: event) }
  }

  /// Makes rows and records of what another process had taken.
  private func encode(_ slot: Slot, _ report: LiveReport) {
    // It could be made then.
    _ = makeEncoder(slot)
    append(to: slot, report)
    log.removeAll(keepingCapacity: true)
  }

  private func note(
    _ outcome: JournalWriter.Outcome, _ slot: Slot, isOver: Bool, _ report: inout LiveReport
  ) {
    let before = slot.keeping
    guard before == .well || before == .interrupted else { return }
    switch outcome {
    case .kept:
      if before == .interrupted { report.recording = .resumed }
      slot.keeping = isOver ? .finished : .well
    case .waiting(let error):
      if before == .well { report.recording = .interrupted(error) }
      slot.keeping = .interrupted
    case .lost(let error):
      report.recording = .lost(error)
      report.isLost = true
      slot.keeping = .lost
    }
    if isOver, let journaled = slot.journaled { broadcast.end(journaled.sessionID) }
  }

  /// What the index keeps of a session that is over; `nil` where its folder has to be read.
  func digest(_ number: SessionNumber) -> SessionDigest? { slots[number]?.digest }

  /// Waits until all of a session that is over is kept; whether it is.
  func settle(_ number: SessionNumber) async -> Bool {
    guard let slot = slots[number], let journaled = slot.journaled, let writer, slot.session.start != nil else {
      return false
    }
    var report = LiveReport()
    note(await writer.outcome(of: journaled, isFinal: true), slot, isOver: true, &report)
    return slot.keeping == .finished
  }

  /// Says that a session is in the history.
  func close(_ number: SessionNumber) async throws {
    guard let journaled = slots[number]?.journaled, let writer else { return }
    try await writer.close(journaled)
  }

  // MARK: - Readers

  /// Begins to deliver the records of a session that come from now on to a reader.
  ///
  /// - Returns: the reader and what is needed to read those before; `nil` for a session of which nothing is kept.
  func attach(_ number: SessionNumber) -> (reader: EventReader, session: JournaledSession)? {
    guard let slot = slots[number], let journaled = slot.journaled else { return nil }
    let reader = EventReader(after: slot.encoder?.recordCount ?? 0)
    journaled.isWatched.store(true, ordering: .releasing)
    broadcast.add(reader, of: journaled.sessionID)
    if slot.session.state == .ended { broadcast.end(journaled.sessionID) }
    return (reader, journaled)
  }

  /// The session as its writer knows it.
  func journaled(_ number: SessionNumber) -> JournaledSession? { slots[number]?.journaled }

  /// Delivers nothing more to a reader.
  func detach(_ reader: EventReader, _ journaled: JournaledSession) {
    if !broadcast.remove(reader, of: journaled.sessionID) { journaled.isWatched.store(false, ordering: .releasing) }
  }

  // MARK: - Time

  private func schedule(_ slot: Slot) {
    guard !slot.isDriven, let due = slot.session.earliestDue else { return }
    guard slot.scheduled.map({ due.nanoseconds < $0.nanoseconds }) ?? true else { return }
    slot.scheduled = due
    dueTimes.insert(slot.number, at: due)
    wake()
  }

  private func wake() {
    guard let due = dueTimes.earliest else { return }
    guard wakeTime.map({ due.nanoseconds < $0.nanoseconds }) ?? true else { return }
    wakeTime = due
    clock.call(at: due) { Task { await self.advance() } }
  }

  /// Lets everything happen whose time has come.
  func advance() {
    let now = clock.now()
    wakeTime = nil
    while let (number, time) = dueTimes.removeFirst(until: now) {
      guard let slot = slots[number], slot.scheduled == time else { continue }
      slot.scheduled = nil
      var report = LiveReport()
      perform(.tick, slot, now, &report)
      logInput(.tick, slot, now, report)
      _ = hand(on: slot, &report)
      schedule(slot)
    }
    wake()
  }

  /// How many entries the heap of due times has.
  var dueCount: Int { dueTimes.count }
}

extension LiveRecording {
  /// The manifest of a session that begins.
  fileprivate func manifest(start: WallClockTime, _ configuration: LiveConfiguration) -> SessionManifest {
    SessionManifest(
      sessionID: sessionID ?? SessionFolder.name(start: start, activity: request.activity, random: random),
      start: start, utcOffsetSeconds: SystemWallClock.utcOffsetSeconds(at: start), request: request,
      streams: configuration.streams, durationLimit: configuration.durationLimit,
      person: person, origin: origin, inputs: inputs, randomization: randomization)
  }
}

extension LiveLine {
  /// Whether its stamp counts from the start of the session, so that no clock can be wrong.
  fileprivate var keepsItsTime: Bool {
    switch self {
    case .sample(let sample):
      if case .session = sample.stamp { return true }
    case .command(_, _, let stamp):
      if case .session? = stamp { return true }
    case .refused: break
    }
    return false
  }
}

extension Span<UInt8> {
  /// Whether there is nothing but white space.
  fileprivate var isBlank: Bool { indices.allSatisfy { self[$0] == 0x20 || self[$0] == 0x09 || self[$0] == 0x0D } }
}
