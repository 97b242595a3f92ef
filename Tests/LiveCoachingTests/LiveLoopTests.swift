import Glibc
@testable import LiveCoaching
import SessionStore
import Synchronization
import Testing
import TextFormats
import WorkoutHistory
import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("A live session with its audience")
struct LiveLoopTests {
  /// A source that says what it was given to say, an event a turn.
  private final class Spoken: LiveSource {
    let name: String
    let origin = SessionOrigin.live
    let activity: Activity? = nil
    let originText = "spoken"
    let descriptors: [Int32] = []
    var isDeserted: Bool { isLeft }
    var turn: Int64? { waiting.isEmpty ? nil : waiting.count == 1 ? end : 0 }
    /// When the last of the events comes, by the monotonic clock.
    private let end: Int64
    private var waiting: [LiveSourceEvent]
    private var isLeft = false
    private(set) var heard: [String] = []
    private let before: (Int) -> Void
    private var count = 0

    /// - Parameters:
    ///   - end: when the last of the events comes, by the monotonic clock.
    ///   - before: what happens before each of the events, by its number from 0.
    init(_ name: String, _ events: [LiveSourceEvent], end: Int64 = 0, before: @escaping (Int) -> Void = { _ in }) {
      self.name = name
      self.end = end
      self.before = before
      waiting = events
    }

    func collect(ready: Set<Int32>, now: Int64) -> [LiveSourceEvent] {
      guard let turn, now >= turn else { return [] }
      before(count)
      count += 1
      let next = waiting.removeFirst()
      if case .left = next { isLeft = true }
      return [next]
    }

    func hear(_ events: [SessionEvent], feed: LiveFeed?) {
      for case .acknowledgement(let answer) in events where feed != nil { heard.append(answer.id ?? "") }
    }

    func close() {}
  }

  /// Signals that come when a test says so.
  private final class Signals: LiveSignals {
    let descriptor: Int32 = -1
    let waiting: Mutex<[Int32]>

    init(_ numbers: [Int32]) { waiting = Mutex(numbers) }

    func pending() -> Int32? { waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
  }

  private struct Gone: Error {}

  /// Somebody who keeps what they get, and may leave.
  private final class Listener: LiveAudience {
    let keyboard: Int32? = nil
    let turn: Int64? = nil
    var wishes: [SessionCommand] = []
    /// After how many events they are gone.
    var patience = Int.max
    /// At which session they are gone.
    var leaves: (LiveSession) -> Bool = { _ in false }
    /// The signals that end nothing.
    var taken: [Int32] = []
    private(set) var signals: [Int32] = []
    private(set) var events: [SessionEvent] = []
    private(set) var remarks: [String] = []

    func typed() throws -> [SessionCommand] {
      defer { wishes = [] }
      return wishes
    }

    func handle(_ signal: Int32) throws -> Bool {
      signals.append(signal)
      return taken.contains(signal)
    }

    func refresh() throws {}

    func show(_ events: [SessionEvent], _ session: LiveSession) throws {
      self.events += events
      if self.events.count >= patience || leaves(session) { throw Gone() }
    }

    func report(_ remark: LiveRemark) {
      switch remark {
      case .notice(let text): remarks.append(text)
      case .sender(let name, let notice): remarks.append("\(name): \(notice)")
      case .badLine(let line, let name): remarks.append("\(name): line \(line.number)")
      case .failed(let error): remarks.append("failed: \(error)")
      case .broken(let problem): remarks.append("broken: \(problem)")
      case .recording(let change): remarks.append("\(change)")
      }
    }

    var endings: [SessionEvent.EndReason] {
      events.compactMap { if case .ended(_, let reason) = $0 { reason } else { nil } }
    }
  }

  /// A loop, its session and where it is kept.
  private struct Run {
    let loop: LiveLoop
    let session: RunningSession
    let registry: SessionRegistry
    let audience: Listener
  }

  private func run(
    _ sources: [Spoken], signals: [Int32] = [], in folder: ScratchFolder? = nil, clock: SessionClock = .samples,
    by machine: any LiveClock = SystemLiveClock(), answeredLater: Bool = false
  ) async throws -> Run {
    let request = try CoachingRequest.runner("z2", "moment:every=20")
    let configuration = LiveConfiguration(
      settings: try request.settings(on: nil), clock: clock, streams: SampleStream.recordable, durationLimit: nil)
    let path = folder.map { StoredPath(dataFolder: $0.path) }
    let registry = SessionRegistry(
      dataFolder: path, policy: .terminal, shardCount: 1, limit: 1, clock: SystemLiveClock())
    let recording = path.map {
      LiveRecording(dataFolder: $0, request: SessionRequest(coaching: request, person: nil), random: 1)
    }
    let session = try await registry.begin(configuration, recording: recording, isDriven: true)
    let audience = Listener()
    let loop = LiveLoop(
      answeredLater ? AnsweredLater(session) : session, configuration,
      LiveInput(sources, signals: Signals(signals)), sourceNames: sources.map(\.name),
      audience: audience, clock: machine)
    return Run(loop: loop, session: session, registry: registry, audience: audience)
  }

  private func beats(_ seconds: Range<Int>, connection: Int = 0) -> LiveSourceEvent {
    let lines = seconds.map { "{\"type\":\"heartRate\",\"atSeconds\":\($0),\"beatsPerMinute\":120}\n" }
    return .bytes(Array(lines.joined().utf8), connection: connection)
  }

  @Test("An audience that is gone ends the session as interrupted, and what was recorded is a whole session")
  func goneAudience() async throws {
    let folder = try ScratchFolder()
    let run = try await run([Spoken("strap", [beats(0..<30), beats(30..<60), .ended])], in: folder)
    run.audience.patience = 3
    await #expect(throws: Gone.self) { try await run.loop.run(after: []) }
    let saved = try #require(await run.session.savedFolder)
    let recording = try SessionFolderRecording(path: saved)
    let replayed = try Replay.observe(recording, endReason: .endOfInput) { _, _ in }
    #expect(replayed.engine.summary.elapsed == .seconds(59))
    #expect(await run.session.session?.state == .ended)
    await run.registry.shutDown()
  }

  @Test("A signal that the audience takes changes nothing, another one ends the session")
  func signals() async throws {
    let run = try await run([Spoken("strap", [beats(0..<10), beats(10..<20)])], signals: [SIGWINCH, SIGTERM])
    run.audience.taken = [SIGWINCH]
    try await run.loop.run(after: [(.source(0, beats(0..<5)), .morning())])
    #expect(run.audience.signals == [SIGWINCH, SIGTERM])
    #expect(run.audience.endings == [.interrupted])
    await run.registry.shutDown()
  }

  /// A session that is held elsewhere: what comes of its lines is known with the next turn.
  private actor AnsweredLater: DrivenSession {
    nonisolated let isHeldElsewhere = true
    private let running: RunningSession
    private var held: [SessionEvent] = []

    init(_ running: RunningSession) { self.running = running }

    private func hold(_ report: LiveReport) -> LiveReport {
      held += report.events
      var report = report
      report.events = []
      return report
    }

    private func deliver(_ report: LiveReport) -> LiveReport {
      var report = hold(report)
      report.events = held
      held = []
      return report
    }

    func feed(_ bytes: [UInt8], from feed: LiveFeed, now: WallClockTime) async -> LiveReport {
      hold(await running.feed(bytes, from: feed, now: now))
    }
    func take(_ lines: [LiveLine], from feed: LiveFeed, now: WallClockTime) async -> LiveReport {
      hold(await running.take(lines, from: feed, now: now))
    }
    func finish(_ feed: LiveFeed, now: WallClockTime) async -> LiveReport {
      hold(await running.finish(feed, now: now))
    }
    func tick(now: WallClockTime) async -> LiveReport { deliver(await running.tick(now: now)) }
    func end(_ reason: SessionEvent.EndReason, now: WallClockTime) async -> LiveReport {
      deliver(await running.end(reason, now: now))
    }
    func refuseCommands(of feed: LiveFeed) async { await running.refuseCommands(of: feed) }
    var session: LiveSession? { get async { await running.session } }
    var savedFolder: String? { get async { nil } }
    var sessionID: String? { get async { nil } }
  }

  @Test("What a service answers is shown while nothing more comes, by whatever clock the session goes")
  func answeredLater() async throws {
    let end = MonotonicClock.now + 20_000_000_000
    let source = Spoken("pipe", [beats(0..<50), .ended], end: end)
    let run = try await run([source], answeredLater: true)
    run.audience.patience = 2
    await #expect(throws: Gone.self) { try await run.loop.run(after: []) }
    #expect(MonotonicClock.now < end)
    #expect(run.audience.events.count >= 2)
    await run.registry.shutDown()
  }

  @Test("A key between two readings of a source that keeps its own time counts when it was pressed")
  func keyBetweenReadings() async throws {
    let run = try await run([Spoken("recording", [.ended])])
    let passed = LiveInputEvent.source(0, .passed(.seconds(3)))
    try await run.loop.run(
      after: [(.source(0, beats(0..<1)), .morning()), (passed, .morning()), (.wish(.lap), .morning())])
    #expect(run.audience.events.contains(.lap(at: .seconds(3), number: 2)))
    await run.registry.shutDown()
  }

  @Test("Somebody who stops before anything came leaves no session")
  func dismissed() async throws {
    let run = try await run([Spoken("strap", [])])
    try await run.loop.run(after: [(.wish(.stop), .morning())])
    #expect(run.loop.isDismissed)
    #expect(run.loop.session.start == nil)
    await run.registry.shutDown()
  }

  @Test("One source of two that fails is reported, and the session goes on with the other to its end")
  func twoSources() async throws {
    let strap = Spoken("strap", [.broken("strap: out of reach")])
    let phone = Spoken("phone", [beats(0..<10), .notice("phone: battery low"), beats(10..<50), .ended])
    let run = try await run([strap, phone])
    try await run.loop.run(after: [])
    #expect(run.audience.endings == [.endOfInput])
    #expect(Set(run.audience.remarks) == ["broken: strap: out of reach", "phone: battery low"])
    #expect(run.loop.session.pipeline.engine.summary.elapsed == .seconds(49))
    #expect(run.loop.inputName == "the sources")
    await run.registry.shutDown()
  }

  @Test("A run that was sent at once is over when all senders have left, one in real time is not")
  func deserted() async throws {
    let sent = try await run([Spoken("socket", [beats(0..<10), beats(10..<20, connection: 1), .left(connection: 0)])])
    try await sent.loop.run(after: [])
    #expect(sent.audience.endings == [.endOfInput])
    await sent.registry.shutDown()

    let live = try await run(
      [Spoken("socket", [beats(0..<10), .left(connection: 0), beats(10..<20, connection: 1), .ended])], clock: .wall)
    try await live.loop.run(after: [])
    #expect(live.audience.endings == [.endOfInput])
    #expect(live.loop.session.pipeline.engine.summary.elapsed == .seconds(19))
    await live.registry.shutDown()
  }

  @Test("The answer to a command goes to its sender, and a bad line is counted with its number")
  func answers() async throws {
    let command = Array("{\"type\":\"command\",\"id\":\"mine\",\"command\":\"lap\"}\nnonsense\n".utf8)
    let phone = Spoken("phone", [beats(0..<10), .bytes(command, connection: 0), .notice("heard"), .ended])
    let other = Spoken("strap", [.ended])
    let run = try await run([other, phone])
    try await run.loop.run(after: [])
    #expect(phone.heard == ["mine"])
    #expect(other.heard.isEmpty)
    #expect(run.loop.badLineCount == 1)
    #expect(run.audience.remarks == ["phone: line 12", "heard"])
    await run.registry.shutDown()
  }

  @Test("A run goes on as if nobody had set the clock of the machine", arguments: [3_600, -3_600] as [Int64])
  func setClock(seconds: Int64) async throws {
    let machine = ManualClock(.morning())
    func beat(_ second: Int) -> LiveSourceEvent {
      let line = #"{"type":"heartRate","time":"\#(WallClockTime.morning(Double(second)))","beatsPerMinute":120}"# + "\n"
      return .bytes(Array(line.utf8), connection: 0)
    }
    var setBy = 0.0
    let strap = Spoken("strap", (0..<60).map(beat)) { second in
      if second == 30 {
        machine.setForward(seconds: seconds)
        setBy = Double(seconds)
      }
      machine.set(.morning(Double(second) + setBy))
    }
    let run = try await run([strap], clock: .automatic, by: machine)
    run.audience.leaves = { $0.pipeline.engine.summary.acceptedHeartRates >= 60 }
    await #expect(throws: Gone.self) { try await run.loop.run(after: []) }
    let session = try #require(await run.session.session)
    #expect(session.followsWallClock)
    #expect(session.pipeline.engine.summary.acceptedHeartRates == 60)
    #expect(session.pipeline.engine.summary.elapsed <= .seconds(60))
    await run.registry.shutDown()
  }
}
