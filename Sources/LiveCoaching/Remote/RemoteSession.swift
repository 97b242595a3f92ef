internal import Synchronization
package import TextFormats
package import WorkoutSession
internal import ZoneEngine

/// A live session that a service holds. What comes in here is sent there, in batches that count once; what the service
/// answers is reported.
///
/// A session of this process takes the same lines, so that a screen has a course, zones and clocks between two answers. Of what
/// it decides, nothing is reported before the service has answered the same record; what the service alone has answered is a
/// notice. Without a connection lines wait, up to ``largestBacklog``, and are sent again; when the service is given up, the session
/// here goes on alone.
package actor RemoteSession: DrivenSession {
  /// How many bytes of lines wait for a connection at most.
  static let largestBacklog = 64 << 20
  /// How many bytes of lines are sent at once, so that the answer, which has what came of each, is not long.
  private static let largestBatch = 32 << 10
  /// How long is waited before something is asked again.
  private static let patience = Duration.milliseconds(500)
  /// How long the last answers are waited for at the end.
  private static let lastPatience = Duration.seconds(20)

  private let mirror: RunningSession
  private let service: any RemoteService
  private let name: String
  private let waitsForAnswers: Bool
  private var splitter = LiveFeedSplitter()
  /// Lines of the piece of input that is being taken.
  private var fresh: [UInt8] = []
  private var waiting: [UInt8] = []
  private var batches = 0
  private var sending: Task<Void, Never>?
  private var lastRecord = 0
  private var canWatch = true
  private var isOver = false
  /// What the session here has decided, and the service not answered yet.
  private var expected: [(record: String, event: SessionEvent)] = []
  /// What somebody had the service do from elsewhere, which the session here has not done yet.
  private var commandsElsewhere: [LiveLine] = []
  private var commandCount = 0
  private var heard: [SessionEvent] = []
  private var notices: [String] = []
  private var isInterrupted = false
  private var failure: RemoteFailure?
  private var recording: LiveReport.RecordingChange?
  private var isLost = false
  private var unsent = Set<String>()

  /// Holds what a service has begun.
  ///
  /// - Parameters:
  ///   - mirror: a session of this process that is coached by the same, of which nothing is kept.
  ///   - waitsForAnswers: whether what the session here has come to is reported in the turn in which it did, once the service has
  ///     answered, for a source that hears it and does not go by the clock.
  package init(_ beginning: RemoteBeginning, mirror: RunningSession, waitsForAnswers: Bool) {
    self.waitsForAnswers = waitsForAnswers
    name = beginning.name
    service = beginning.service
    self.mirror = mirror
  }

  // MARK: - DrivenSession

  package nonisolated var isHeldElsewhere: Bool { true }
  package var session: LiveSession? { get async { await mirror.session } }
  package var sessionID: String? { get async { name } }
  package var savedFolder: String? { get async { nil } }

  package func feed(_ bytes: [UInt8], from feed: LiveFeed, now: WallClockTime) async -> LiveReport {
    splitter.feed(bytes, of: feed) { line, place in if !place.isCut { self.note(line) } }
    return await report(mirror.feed(bytes, from: feed, now: now), now: now)
  }

  package func finish(_ feed: LiveFeed, now: WallClockTime) async -> LiveReport {
    splitter.finish(feed) { line, place in if !place.isCut { self.note(line) } }
    return await report(mirror.finish(feed, now: now), now: now)
  }

  package func take(_ lines: [LiveLine], from feed: LiveFeed, now: WallClockTime) async -> LiveReport {
    var timed: [LiveLine] = []
    for line in lines { timed.append(await self.timed(line, now)) }
    for line in timed { note(line) }
    return await report(mirror.take(timed, from: feed, now: now), now: now)
  }

  package func tick(now: WallClockTime) async -> LiveReport {
    startSending(asksAnyway: true)
    return await report(mirror.tick(now: now), now: now)
  }

  package func end(_ reason: SessionEvent.EndReason, now: WallClockTime) async -> LiveReport {
    // The service knows of stops alone.
    let stop = LiveLine.command(.stop, id: "end-\(reason.rawValue)", issuedAt: nil)
    var report = await take([stop], from: LiveFeed(source: 0), now: now)
    // One that has not begun refuses it, and ends there when nothing comes, or when another one needs its place: here nothing follows.
    guard report.state == .standby else { return report }
    let last = ContinuousClock.now + Self.lastPatience
    while sending != nil, failure == nil, !isInterrupted, ContinuousClock.now < last {
      try? await Task.sleep(for: .milliseconds(20))
    }
    sending?.cancel()
    report.state = await mirror.end(reason, now: now).state
    return report
  }

  package func refuseCommands(of feed: LiveFeed) async { await mirror.refuseCommands(of: feed) }

  // MARK: - What is sent

  /// A command with the time at which it was given, where time is that of the day: it arrives later there.
  private func timed(_ line: LiveLine, _ now: WallClockTime) async -> LiveLine {
    guard case .command(let command, let id, nil) = line, await mirror.session?.followsWallClock == true else {
      return line
    }
    return .command(command, id: id, issuedAt: .wall(now))
  }

  private func note(_ line: Span<UInt8>) {
    fresh.append(span: line)
    fresh.append(UInt8(ascii: "\n"))
  }

  private func note(_ line: LiveLine) {
    var writer = JSONWriter()
    if line.write(to: &writer) {
      fresh += writer.bytes
    } else if case .sample(let sample) = line, unsent.insert(sample.reading.stream.name).inserted {
      notices.append("\(sample.reading.stream.name): a service takes none: it is not sent")
    }
  }

  private func startSending(asksAnyway: Bool = false) {
    guard sending == nil, failure == nil, !isOver, !waiting.isEmpty || asksAnyway && canWatch else { return }
    sending = Task { await self.send() }
  }

  /// Sends what waits, batch after batch; asks once what happened when nothing does.
  private func send() async {
    if waiting.isEmpty { await askForRecords() }
    while !waiting.isEmpty, failure == nil {
      let end = waiting.prefix(Self.largestBatch).lastIndex(of: UInt8(ascii: "\n")) ?? waiting.count - 1
      let lines = Array(waiting[...end])
      waiting.removeFirst(lines.count)
      batches += 1
      await send(lines, batch: batches)
    }
    sending = nil
  }

  private func send(_ lines: [UInt8], batch: Int) async {
    let path = "/v1/sessions/\(name.encodingPercents)/samples?batch=live-\(batch)"
    while failure == nil {
      do throws(RemoteFailure) {
        let answer = try await service.ask(path, body: lines, type: "application/x-ndjson", key: nil)
        switch answer.status {
        case 200:
          goOn()
          return await take(answer.body, to: lines)
        case 429: break
        case 500...: interrupt(RemoteFailure(answer.problem))
        default: fail(RemoteFailure(answer.problem, isRefusal: true))
        }
      } catch {
        interrupt(error)
      }
      guard failure == nil else { return }
      try? await Task.sleep(for: Self.patience)
    }
  }

  private func interrupt(_ problem: RemoteFailure) {
    if !isInterrupted { recording = .interrupted(problem) }
    isInterrupted = true
    if waiting.count > Self.largestBacklog { fail(problem) }
  }

  private func goOn() {
    if isInterrupted { recording = .resumed }
    isInterrupted = false
  }

  private func fail(_ problem: RemoteFailure) {
    guard failure == nil else { return }
    failure = problem
    recording = .lost(problem)
    isLost = true
    waiting = []
  }

  // MARK: - What is answered

  /// Takes the answer to lines; those that were not taken, because too much came of the others, are sent again.
  private func take(_ body: [UInt8], to lines: [UInt8]) async {
    guard let answer = try? JSONValue.parse(body.span), let events = answer["events"]?.array,
      let last = answer["lastEvent"]?.number?.int64
    else { return fail(RemoteFailure("answered what cannot be read", isRefusal: true)) }
    // Records that no line of ours brought about come by asking for them.
    if Int(last) - events.count > lastRecord, canWatch { await askForRecords() }
    take(events, last: Int(last))
    // The first one is always taken.
    guard let next = answer["nextLine"]?.number?.int64, next > 1 else { return }
    let rest = lines.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropFirst(Int(next) - 1)
    waiting = rest.joined(separator: [UInt8(ascii: "\n")]) + waiting
  }

  private func take(_ records: [JSONValue], last: Int) {
    // Answers to commands from before the session began are no records of it, and come before the first.
    let early = max(0, records.count - last)
    let known = max(0, lastRecord - (last - (records.count - early)))
    lastRecord = max(lastRecord, last)
    for record in records[..<early] + records[early...].dropFirst(known) {
      let text = Self.text(of: record)
      let type = record["type"]?.string
      if type == "ended" { isOver = true }
      if let place = expected.firstIndex(where: { $0.record == text }) {
        heard.append(expected.remove(at: place).event)
      } else if let command = type.flatMap({ Self.commands[$0] }) {
        commandCount += 1
        let time = record["atSeconds"]?.number?.nanoseconds.map { Stamp.session(SessionTime(nanoseconds: $0)) }
        commandsElsewhere.append(.command(command, id: "elsewhere-\(commandCount)", issuedAt: time))
      } else if type != "acknowledgement" {
        notices.append(Self.notice(of: record))
      }
    }
  }

  /// What is said of a record that the session here has not come to: its sentence, else what kind of record it is, in words.
  static func notice(of record: JSONValue) -> String {
    let time = record["atSeconds"]?.number?.nanoseconds.map { nanoseconds in
      " at \(QuantityText.clock(SessionTime(nanoseconds: nanoseconds)))"
    }
    let words = record["message"]?.string ?? record["type"]?.string.map(words(ofType:))
    return "the service decided for itself\(time ?? ""): \((words ?? "something that cannot be read").visible)"
  }

  /// The name of a kind of record as words: `signal lost` of `signalLost`.
  private static func words(ofType type: String) -> String {
    type.reduce(into: "") { words, letter in words += letter.isUppercase ? " " + letter.lowercased() : String(letter) }
  }

  /// What makes the records that somebody elsewhere can bring about.
  private static let commands: [String: SessionCommand] = [
    "paused": .pause, "resumed": .resume, "lap": .lap, "ended": .stop,
  ]

  /// Does here what somebody had the service do from elsewhere; what the session here is like then.
  private func followOthers(_ mirrored: LiveReport, now: WallClockTime) async -> LiveReport {
    var mirrored = mirrored
    while !commandsElsewhere.isEmpty {
      let lines = commandsElsewhere
      commandsElsewhere = []
      let report = await mirror.take(lines, from: Self.elsewhere, now: now)
      mirrored.state = report.state
      heard += report.events.filter { event in
        if case .acknowledgement = event { false } else { true }
      }
    }
    return mirrored
  }

  /// Who sends what comes from elsewhere.
  private static let elsewhere = LiveFeed(source: .max)

  /// Asks for the records after the last one that is known, for those who may watch.
  private func askForRecords() async {
    let path = "/v1/sessions/\(name.encodingPercents)/events?after=\(lastRecord)&wait=0"
    guard let answer = try? await service.ask(path, body: nil, type: "application/x-ndjson", key: nil) else { return }
    guard answer.status == 200 else {
      if (400..<429).contains(answer.status) { canWatch = false }
      return
    }
    let records = answer.body.split(separator: UInt8(ascii: "\n")).compactMap { line in
      try? JSONValue.parse(Array(line).span)
    }
    take(records, last: lastRecord + records.count)
  }

  private static func text(of record: JSONValue) -> String {
    var writer = JSONWriter()
    writer.value(record)
    return writer.text
  }

  /// Holds back what the session here has decided, and reports what the service has answered.
  private func report(_ report: LiveReport, now: WallClockTime) async -> LiveReport {
    let mirrored = await followOthers(report, now: now)
    for event in mirrored.events {
      var writer = JSONWriter()
      SessionRecords.write(event, to: &writer)
      guard let record = try? JSONValue.parse(writer.bytes.span) else { continue }
      expected.append((Self.text(of: record), event))
    }
    // Sent only now, so that no answer comes before what is expected is known.
    if failure == nil { waiting += fresh }
    fresh = []
    startSending()
    if mirrored.state == .ended {
      await settle()
    } else if waitsForAnswers, !mirrored.events.isEmpty {
      await waitForAnswers()
    }
    if failure != nil {
      // Nobody else decides any more.
      heard += expected.map(\.event)
      expected = []
    }
    var report = mirrored
    report.events = heard
    report.notices += notices
    report.recording = recording
    report.isLost = isLost
    heard = []
    notices = []
    recording = nil
    return report
  }

  /// Waits until the service has answered what was sent; not across a connection that is lost.
  private func waitForAnswers() async {
    while sending != nil || !waiting.isEmpty, failure == nil, !isInterrupted {
      startSending()
      await sending?.value
    }
  }

  /// Waits for the last answers of a session that is over.
  private func settle() async {
    let end = ContinuousClock.now + Self.lastPatience
    while !isOver, failure == nil, ContinuousClock.now < end {
      startSending(asksAnyway: true)
      try? await Task.sleep(for: .milliseconds(20))
    }
    if !isOver, failure == nil {
      fail(RemoteFailure("does not answer: the session ends there when nothing comes for a while"))
    }
    sending?.cancel()
  }
}
