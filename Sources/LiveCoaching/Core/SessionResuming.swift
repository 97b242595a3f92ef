internal import SessionStore
internal import TextFormats
internal import WorkoutSession

/// Sessions that go on after their process is gone: what was taken of them is kept, and taken again.
extension SessionShard {
  /// Makes room for a session that is kept from before it begins.
  func keep(_ slot: ShardSlot, _ recording: LiveRecording) {
    guard let sessionID = recording.sessionID else { return }
    let journaled = JournaledSession(
      sessionID, in: recording.dataFolder, isResumable: true, shared: recording.shared)
    slot.journaled = journaled
    // The manifest comes with the first rows.
    writer?.begin(journaled, manifest: [])
  }

  /// Takes in a session that another process began, before what that took is taken again: nothing of it moves on until ``goOn(_:after:recordCount:)``.
  func beginAgain(_ number: SessionNumber, _ session: LiveSession, _ recording: LiveRecording) {
    let slot = ShardSlot(number, session, recording, isDriven: false)
    slot.journaled = recording.sessionID.map { sessionID in
      JournaledSession(
        sessionID, in: recording.dataFolder, isResumable: true, isResumed: true, shared: recording.shared)
    }
    insert(slot)
  }

  /// Takes again what another process took of a session, in its order; nothing of it is written again, or kept here.
  func takeAgain(_ inputs: [SessionInput], _ number: SessionNumber) {
    guard let slot = slot(number) else { return }
    for input in inputs { takeAgain(input, slot) }
    slot.encoder?.forgetWaiting()
  }

  /// Goes on with a session of which everything was taken again.
  ///
  /// - Parameters:
  ///   - sizes: how large its files are.
  ///   - recordCount: how many records it has.
  func goOn(_ number: SessionNumber, after sizes: [SessionFile: Int], recordCount: Int) {
    guard let slot = slot(number) else { return }
    if let journaled = slot.journaled { writer?.begin(journaled, manifest: []) }
    slot.batches.noteGoingOn()
    slot.encoder?.goOn(after: sizes, recordCount: recordCount)
    slot.inputs = InputLog(offset: sizes[.inputs] ?? 0)
    passTime(slot)
  }

  /// Takes in a session that is over and is taken again, to know what came of which lines: nothing of it is kept, and its time does not
  /// pass.
  func beginRetaking(_ number: SessionNumber, _ session: LiveSession, _ recording: LiveRecording) {
    insert(ShardSlot(number, session, recording, isDriven: true))
  }

  /// Takes the next inputs of it again.
  ///
  /// - Returns: the records that they made, one a line.
  func retake(_ inputs: [SessionInput], _ number: SessionNumber) -> [UInt8] {
    guard let slot = slot(number) else { return [] }
    for input in inputs { takeAgain(input, slot) }
    let records = slot.encoder?.newRecords ?? []
    // The rows that were made of them are of no use.
    slot.encoder?.forgetWaiting()
    return records
  }

  private func takeAgain(_ input: SessionInput, _ slot: ShardSlot) {
    var report = LiveReport()
    slot.clock.noteEarlier(arrival: input.arrival)
    if let time = input.timeBefore { perform(.tick, slot, time, &report) }
    let recordBefore = slot.encoder?.recordCount ?? 0
    var named: (batch: BatchName, lines: UInt32)?
    switch input.content {
    case .lines(let bytes, let feed, let batch, let nextLine):
      perform(.again(bytes, feed, nextLine: nextLine), slot, input.arrival, &report)
      if batch != 0 { named = (BatchName(number: batch, isOfItsLines: true), BatchOutcomes.hash(of: bytes)) }
    case .time: perform(.tick, slot, input.arrival, &report)
    case .setClock(let nanoseconds): slot.clock.noteEarlier(setBy: nanoseconds)
    case .end(let reason): perform(.end(reason), slot, input.arrival, &report)
    }
    // Nothing is left for another session, whose turn may be before the next input.
    encode(slot, report)
    if let named { noteBatch(named.batch, lines: named.lines, slot, report, recordBefore) }
  }

  /// Keeps what came of lines that have a name.
  ///
  /// - Parameter lines: the hash of the lines.
  func noteBatch(
    _ batch: BatchName, lines: UInt32, _ slot: ShardSlot, _ report: LiveReport, _ recordBefore: Int
  ) {
    slot.batches.keep(
      BatchOutcome(
        accepted: report.lineCount - report.badLineCount, rejected: report.badLines,
        moreRejected: report.moreBadLines, recordBefore: recordBefore,
        lastRecord: slot.encoder?.recordCount ?? 0, nextLine: report.nextLine), of: batch, lines: lines)
    if recordBefore == 0 { slot.early.keep(Array(report.events.prefix(report.earlyCount)), of: batch.number) }
  }

  /// The report of lines whose name was used before; `nil` where it was not.
  ///
  /// - Parameter lines: the hash of the lines.
  func report(ofRepeated batch: BatchName, lines: UInt32, _ slot: ShardSlot) -> LiveReport? {
    guard let known = slot.batches.outcome(of: batch) else { return nil }
    var report = LiveReport()
    if batch.isOfItsLines, !known.lines.agrees(with: lines) {
      report.isOfOtherLines = true
    } else {
      var outcome = known.outcome
      if outcome.recordBefore == 0 { outcome.early = slot.early.events(of: batch.number) }
      report.repeated = outcome
    }
    report.state = slot.session.state
    return report
  }

  /// Writes down what was taken.
  ///
  /// - Parameter report: what came of it.
  func logInput(_ input: ShardInput, _ slot: ShardSlot, _ now: WallClockTime, _ report: LiveReport) {
    guard slot.journaled?.isResumable == true else { return }
    let content: SessionInput.Content
    switch input {
    case .request(let bytes, let feed, let batch):
      content = .lines(bytes, feed, batch: batch?.number ?? 0, nextLine: report.nextLine)
    case .tick where report.events.isEmpty && hasNoRows:
      // Where the clock of the machine was set back, the session stays where it was.
      slot.silentTime = max(slot.silentTime ?? now, now)
      return
    case .tick: content = .time
    case .end(let reason): content = .end(reason)
    case .bytes, .lines, .again, .finish: return
    }
    slot.inputs.append(SessionInput(content, arrival: now, timeBefore: slot.silentTime), spare)
    slot.silentTime = nil
  }

  /// Writes down how far the clock of the machine was set since the session began.
  func logSetClock(_ slot: ShardSlot, _ now: WallClockTime) {
    guard slot.journaled?.isResumable == true, slot.session.state != .ended else { return }
    slot.inputs.append(SessionInput(.setClock(by: slot.clock.setBy), arrival: now, timeBefore: nil), spare)
  }

  /// The report of lines whose name was used before, once those are kept, which takes nothing; `nil` where it was not.
  func report(ofRepeated bytes: [UInt8], batch: BatchName, _ number: SessionNumber) async -> LiveReport? {
    guard let slot = slot(number),
      var report = report(ofRepeated: batch, lines: BatchOutcomes.hash(of: bytes), slot)
    else { return nil }
    // The first ones may still wait for the disk.
    if let writer, slot.keeping != .finished, !slot.isWhole, writer.answersAfterCommit, writer.isUnavailable {
      report.isUnsettled = true
    } else if let journaled = slot.journaled, let writer, slot.start != nil, slot.keeping != .finished,
      case .lost = await writer.outcome(of: journaled, isFinal: true, .unlimited)
    {
      report.isLost = true
    }
    return report
  }

  /// Waits until a session that was added is kept.
  ///
  /// - Throws: why it cannot be.
  func requireKept(_ number: SessionNumber) async throws {
    guard let journaled = slot(number)?.journaled, let writer else { return }
    switch await writer.outcome(of: journaled, isFinal: true, .unlimited) {
    case .kept, .unfinished: break
    case .waiting(let error), .lost(let error): throw error
    }
  }

  /// Waits until all of a session that is over is kept, for a while where its folder cannot be written; how it stands.
  func settle(_ number: SessionNumber) async -> SettledSession {
    guard let slot = slot(number), let journaled = slot.journaled, let writer, slot.session.start != nil else {
      return .lost
    }
    var report = LiveReport()
    let outcome = await writer.outcome(of: journaled, isFinal: true, .unlimited)
    note(outcome, slot, isOver: true, &report)
    if case .unfinished = outcome, slot.keeping != .lost { return .unfinished }
    return slot.keeping == .finished ? .whole : .lost
  }
}
