internal import Recordings
internal import SessionStore
package import TextFormats
package import WorkoutHistory
package import WorkoutSession

/// Owns a live session: takes lines, decides, records, answers.
///
/// Taking a line is synchronous inside, so that there is no moment at which a session is half changed.
package actor SessionManager {
  /// What came of a piece of input.
  package struct Report: Sendable {
    /// Everything that was told, in order.
    package fileprivate(set) var events: [SessionEvent] = []
    /// What people want to know about the stamps of samples.
    package fileprivate(set) var notices: [String] = []
    /// Lines that could not be used.
    package fileprivate(set) var badLines: [BadLine] = []
    /// What changed about the recording; told once.
    package fileprivate(set) var recording: RecordingChange?
    /// The session as it stands.
    package fileprivate(set) var session: LiveSession
  }

  /// What can happen to a recording while the session goes on.
  package enum RecordingChange: Sendable {
    /// It cannot be written; what comes is kept in memory and tried again each second.
    case interrupted(any Error)
    /// Everything that was kept is written.
    case resumed
    /// It cannot be written any more: it was never begun, too much waits, or the session is over. What was written
    /// stays, and the next start closes the session.
    case lost(any Error)
  }

  /// A line that could not be used.
  package struct BadLine: Hashable, Sendable {
    /// Its number, from 1.
    package let number: Int
    /// What is wrong and what was expected.
    package let problem: String
  }

  private let executor = QueueExecutor(label: "coach.session")
  private var session: LiveSession
  private let recording: Recording?
  private var recorder: SessionRecorder?
  private var keeping = Keeping.well
  private var splitter = LiveFeedSplitter()
  private static let syncNanoseconds: Int64 = 1_000_000_000
  private var lastSync: WallClockTime?
  /// How many lines could not be used so far.
  package private(set) var badLineCount = 0
  private var log: [LiveSession.RawEntry] = []

  private enum Keeping {
    case well, interrupted, lost, finished
  }

  /// Where and as what a session is recorded.
  package struct Recording: Sendable {
    /// The data folder.
    let dataFolder: StoredPath
    /// What was asked for.
    let request: CoachingRequest
    /// The person; absent when nobody said who it is.
    let person: SessionPerson?
    /// How the strategy was drawn; absent where it was chosen.
    let randomization: Randomization?
    /// Eight random digits that tell sessions of one second apart.
    let random: UInt32
    /// Where the samples come from; absent where that is not known.
    let origin: SessionOrigin?
    /// What is listened to, in the words of `--source`.
    let inputs: [String]

    /// Creates a description of a recording.
    package init(
      dataFolder: StoredPath, request: SessionRequest, random: UInt32, origin: SessionOrigin? = nil,
      inputs: [String] = []
    ) {
      self.origin = origin
      self.inputs = inputs
      self.dataFolder = dataFolder
      self.request = request.coaching
      person = request.person
      randomization = request.randomization
      self.random = random
    }
  }

  /// Creates a session in standby; without a recording nothing is kept.
  package init(_ configuration: LiveConfiguration, recording: Recording?) {
    session = LiveSession(configuration)
    self.recording = recording
  }

  nonisolated package var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  /// The folder of the session; absent before it begins, or when nothing is kept.
  package var folder: String? { recorder?.folder.path }

  /// The folder of the session once all of it is saved.
  package var savedFolder: String? { keeping == .finished ? folder : nil }

  /// The identity of the session; absent before it begins, or when nothing is kept.
  package var sessionID: String? { recorder?.sessionID }

  /// Takes the next bytes of a stream of lines.
  package func feed(
    _ bytes: [UInt8], from feed: LiveFeed = LiveFeed(source: 0), now: WallClockTime
  ) -> Report {
    var report = Report(session: session)
    splitter.feed(bytes, of: feed) { line, place in take(line, of: feed, place, now, &report) }
    session.tick(now, log: &log, into: &report.events)
    return close(report, now: now)
  }

  /// Refuses all commands of a sender from now on.
  package func refuseCommands(of feed: LiveFeed) { session.refuseCommands(of: feed) }

  /// Takes lines of a source that makes them itself.
  ///
  /// Those with seconds since the start, of a recording or a simulation, are taken as they are.
  package func take(_ lines: [LiveLine], from feed: LiveFeed = LiveFeed(source: 0), now: WallClockTime) -> Report {
    var report = Report(session: session)
    for (index, line) in lines.enumerated() {
      do {
        try session.take(
          line, from: line.keepsItsTime ? nil : feed, arrival: now, log: &log, into: &report.events)
      } catch {
        report.badLines.append(BadLine(number: index + 1, problem: "\(error)"))
      }
    }
    session.tick(now, log: &log, into: &report.events)
    return close(report, now: now)
  }

  /// Tells that a stream of lines is over; a last line without its end is still a line.
  package func finish(_ feed: LiveFeed, now: WallClockTime) -> Report {
    var report = Report(session: session)
    finish(feed, now, &report)
    return close(report, now: now)
  }

  /// Tells that time has passed without input.
  package func tick(now: WallClockTime) -> Report {
    var report = Report(session: session)
    session.tick(now, log: &log, into: &report.events)
    return close(report, now: now)
  }

  /// Ends the session.
  package func end(_ reason: SessionEvent.EndReason, now: WallClockTime) -> Report {
    var report = Report(session: session)
    if reason == .endOfInput {
      for feed in splitter.open { finish(feed, now, &report) }
    }
    session.end(reason, now: now, log: &log, into: &report.events)
    return close(report, now: now)
  }

  private func finish(_ feed: LiveFeed, _ now: WallClockTime, _ report: inout Report) {
    splitter.finish(feed) { line, place in take(line, of: feed, place, now, &report) }
  }

  private func take(
    _ line: Span<UInt8>, of feed: LiveFeed, _ place: TextLine, _ now: WallClockTime, _ report: inout Report
  ) {
    if line.isBlank { return }
    do {
      if place.isCut {
        throw LiveSession.BadLine(description: "longer than \(LiveLine.longest) bytes")
      }
      try session.take(LiveLine(line), from: feed, arrival: now, log: &log, into: &report.events)
    } catch {
      report.badLines.append(BadLine(number: place.number, problem: "\(error)"))
    }
  }

  /// Keeps what was taken, raw logs before decisions, and answers.
  private func close(_ report: Report, now: WallClockTime) -> Report {
    var report = report
    report.notices = session.takeNotices()
    report.session = session
    badLineCount += report.badLines.count
    defer { log.removeAll(keepingCapacity: true) }
    guard let recording, keeping == .well || keeping == .interrupted, let start = session.start else { return report }
    do {
      let recorder = try recorder ?? open(recording, start: start)
      for entry in log { recorder.append(entry) }
      for event in report.events { recorder.append(event: event) }
      if session.state == .ended {
        try recorder.finish(session.pipeline, badLines: badLineCount)
        keeping = .finished
      } else if let last = lastSync, now.nanoseconds - last.nanoseconds < Self.syncNanoseconds {
        if keeping == .well { try recorder.flush() }
      } else {
        lastSync = now
        try recorder.sync()
        if keeping == .interrupted { report.recording = .resumed }
        keeping = .well
      }
    } catch {
      let isFinal =
        recorder == nil || session.state == .ended
        || recorder.map { $0.backlog > SessionRecorder.largestBacklog } ?? true
      if isFinal {
        report.recording = .lost(error)
      } else if keeping == .well {
        report.recording = .interrupted(error)
      }
      keeping = isFinal ? .lost : .interrupted
    }
    return report
  }

  /// Closes the folder of a session that ended: takes it into the history, and removes its mark.
  ///
  /// - Throws: what `History.close(_:)` throws; the next start does it then.
  package func closeRecording(in history: History) async throws {
    guard keeping == .finished, let recorder else { return }
    _ = try await history.close(recorder.sessionID)
    try recorder.close()
  }

  private func open(_ recording: Recording, start: WallClockTime) throws -> SessionRecorder {
    let manifest = SessionManifest(
      sessionID: SessionFolder.name(
        start: start, activity: recording.request.activity, random: recording.random),
      start: start, utcOffsetSeconds: SystemWallClock.utcOffsetSeconds(at: start), request: recording.request,
      streams: session.configuration.streams, durationLimit: session.configuration.durationLimit,
      person: recording.person, origin: recording.origin, inputs: recording.inputs,
      randomization: recording.randomization)
    let recorder = try SessionRecorder(dataFolder: recording.dataFolder, manifest: manifest)
    self.recorder = recorder
    return recorder
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
  var isBlank: Bool { indices.allSatisfy { self[$0] == 0x20 || self[$0] == 0x09 || self[$0] == 0x0D } }
}
