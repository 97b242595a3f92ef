@testable import CoachService
import Foundation
import LiveCoaching
import SessionStore
import Synchronization
import TestSupport
import Testing
import TextFormats
@testable import WorkoutSession
@testable import WorkoutTestSupport
import ZoneEngine

/// A session of a terminal that a service holds.
struct RemoteSessionTests {
  /// A service that is asked without a socket, and whose connection fails now and then.
  private final class Wire: RemoteService, @unchecked Sendable {
    // A scratch folder that nobody changes, and a service.
    let harness: ServiceHarness
    let token: IssuedSecret
    private let random: Mutex<SplitMix64>
    private let failuresPerHundred: UInt64

    init(_ harness: ServiceHarness, _ token: IssuedSecret, seed: UInt64, failuresPerHundred: UInt64) {
      self.harness = harness
      self.token = token
      self.failuresPerHundred = failuresPerHundred
      random = Mutex(SplitMix64(seed: seed))
    }

    private var fails: Bool { random.withLock { $0.next() % 100 < failuresPerHundred } }

    func ask(_ path: String, body: [UInt8]?, type: String, key: String?) async throws(RemoteFailure) -> RemoteAnswer {
      // The request may be lost on its way there, or the answer on its way back.
      if path.contains("samples"), fails { throw RemoteFailure("no connection") }
      var headers: [HTTPField] = key.map { [HTTPField("Idempotency-Key", $0)] } ?? []
      if body == nil { headers.append(HTTPField("Accept", type)) }
      let answer = await harness.send(
        body == nil ? "GET" : "POST", path, token, body: body.map { String(decoding: $0, as: UTF8.self) }, type: type,
        headers: headers)
      if path.contains("samples"), fails { throw RemoteFailure("no connection") }
      return RemoteAnswer(status: answer.status, body: Array(answer.text.utf8))
    }
  }

  private func request(ageYears: Int = 23) throws -> CoachingRequest {
    var request = CoachingRequest()
    request.profile.ageYears = ageYears
    request.target = "z2"
    request.strategy = try FeedbackStrategy(specification: "moment:every=60")
    return request
  }

  /// Begins a session at the service, whose mirror is coached by `request`, else by what the service was asked for.
  private func begin(
    _ wire: Wire, mirroring request: CoachingRequest? = nil, waitsForAnswers: Bool = false
  ) async throws -> RemoteSession {
    let beginning = try await beginning(wire)
    let settings = try (request ?? self.request()).settings(on: CivilDate(daysSinceEpoch: 20_000))
    let configuration = LiveConfiguration(
      settings: settings, clock: .samples, streams: SampleStream.recordable, durationLimit: nil)
    let registry = SessionRegistry(
      dataFolder: nil, policy: .terminal, shardCount: 1, limit: 1, clock: SystemLiveClock())
    return RemoteSession(
      beginning, mirror: try await registry.begin(configuration, recording: nil, isDriven: true),
      waitsForAnswers: waitsForAnswers)
  }

  private func beginning(_ wire: Wire) async throws -> RemoteBeginning {
    let order =
      #"{"profile":{"ageYears":23},"target":"z2","strategy":{"kind":"moment","every":60},"clock":"samples","ceiling":"off"}"#
    return try await RemoteBeginning(Array(order.utf8), on: wire)
  }

  /// A harness whose service knows a person with a maximum of 150, and a token of that person.
  private func ofPerson() async throws -> (harness: ServiceHarness, token: IssuedSecret) {
    let harness = try await ServiceHarness(ScratchFolder())
    let owner = try await harness.token([.manage])
    let made = await harness.send(
      "POST", "/v1/people", owner, body: #"{"name":"ann","birthDate":"1990-05-17","maxHeartRate":150}"#)
    try #require(made.status == 201, "\(made.text)")
    return (harness, try await harness.token([.send, .watch], person: "ann"))
  }

  @Test(
    "Lines that a service does not take, because too much came of those before, are sent again; the records are the same"
  )
  func untakenLines() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let wire = Wire(harness, try await harness.token([.send, .watch]), seed: 1, failuresPerHundred: 0)
    let session = try await begin(wire)
    let now = SystemWallClock.now()
    let lines = (0..<110).map { number in
      #"{"type":"heartRate","atSeconds":\#(3_500 * number),"beatsPerMinute":120}"# + "\n"
    }.joined()
    var events: [SessionEvent] = []
    for report in [
      await session.feed(Array(lines.utf8), from: LiveFeed(source: 0), now: now),
      await session.end(.endOfInput, now: now),
    ] {
      events += report.events
      // Times that are an hour ahead are reported, and nothing of the service.
      #expect(report.notices.allSatisfy { "\($0)".hasPrefix("heartRate of ") }, "\(report.notices)")
      #expect(!report.isLost)
    }
    let decisions = events.count { event in
      if case .engine(.decision) = event { true } else { false }
    }
    #expect(decisions == 3_500 * 109 / 60)
    let id = try #require(await session.sessionID)
    let log = SessionFolder.path(of: id, in: harness.service.settings.dataFolder) + "/heart_rate.csv"
    #expect(try text(of: log.path).split(separator: "\n").count == 1 + 110)
    await harness.service.close()
  }

  @Test("A service that coaches by a stored profile says its zones, and who follows them hears what it records")
  func followsProfile() async throws {
    let (harness, token) = try await ofPerson()
    let wire = Wire(harness, token, seed: 1, failuresPerHundred: 0)
    let zones = try #require(try await beginning(wire).zones)
    #expect(zones.person == "ann")
    #expect(!zones.areSame(as: try request().zones(on: nil)))
    let followed = try #require(zones.request(like: request(), on: nil))
    let session = try await begin(wire, mirroring: followed)
    let now = SystemWallClock.now()
    var events: [SessionEvent] = []
    var notices: [String] = []
    let lines = Array(ServiceHarness.heartRates(0..<200).utf8)
    for report in [
      await session.feed(lines, from: LiveFeed(source: 0), now: now), await session.end(.endOfInput, now: now),
    ] {
      events += report.events
      notices += report.notices
    }
    #expect(notices.isEmpty, "\(notices)")
    let decisions = events.compactMap { event -> Decision? in
      guard case .engine(.decision(let decision)) = event else { return nil }
      return decision
    }
    #expect(decisions.count == 3)
    #expect(decisions.allSatisfy { $0.target?.lowerBPM == 91 })
    await harness.service.close()
  }

  @Test("What is refused before the first sample is heard beside the beginning, which the same lines bring about")
  func refusedBeforeBegin() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let token = try await harness.token([.send, .watch])
    let session = try await begin(Wire(harness, token, seed: 1, failuresPerHundred: 0))
    let now = SystemWallClock.now()
    let lines = Array((#"{"type":"command","id":"l","command":"lap"}"# + "\n" + ServiceHarness.heartRates(0..<70)).utf8)
    var reports = [await session.feed(lines, from: LiveFeed(source: 0), now: now)]
    reports.append(await session.end(.endOfInput, now: now))
    let events = reports.flatMap(\.events)
    let begun = events.count { if case .started = $0 { true } else { false } }
    #expect(begun == 1)
    let refused = events.count {
      if case .acknowledgement(let answer) = $0 { answer.refusal == .notStarted } else { false }
    }
    #expect(refused == 1)
    #expect(reports.flatMap(\.notices).isEmpty)
    await harness.service.close()
  }

  @Test("A session that ends before its first sample is over here, though the service refuses its stop")
  func endsBeforeBegin() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let token = try await harness.token([.send, .watch])
    let session = try await begin(Wire(harness, token, seed: 1, failuresPerHundred: 0))
    let report = await session.end(.endOfInput, now: SystemWallClock.now())
    #expect(report.state == .ended)
    #expect(!report.isLost)
    #expect(await session.session?.state == .ended)
    let id = try #require(await session.sessionID)
    #expect(harness.service.sessions.known(id)?.hasRefusedStop == true)
    await harness.service.close()
  }

  @Test("A session is reached whose activity has letters beyond ASCII")
  func otherLetters() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let token = try await harness.token([.send, .watch])
    let wire = Wire(harness, token, seed: 1, failuresPerHundred: 0)
    let order = #"{"profile":{"ageYears":23},"target":"z2","activity":"Läufe"}"#
    let beginning = try await RemoteBeginning(Array(order.utf8), on: wire)
    #expect(beginning.name.contains("ä"))
    // They are what it asks for by the identity.
    #expect(beginning.zones != nil)
    await harness.service.close()
  }

  @Test("Who does not go by the clock hears each decision in the turn that brought it about")
  func waitsForAnswers() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let token = try await harness.token([.send, .watch])
    let wire = Wire(harness, token, seed: 1, failuresPerHundred: 0)
    let session = try await begin(wire, waitsForAnswers: true)
    let now = SystemWallClock.now()
    var decided: [Int] = []
    for second in 0..<200 {
      let line = Array(ServiceHarness.heartRates(second..<second + 1).utf8)
      let report = await session.feed(line, from: LiveFeed(source: 0), now: now)
      for case .engine(.decision(_)) in report.events { decided.append(second) }
    }
    // What is due at 60 s is decided by the next reading.
    #expect(decided.count == 3)
    #expect(zip(decided, [60, 120, 180]).allSatisfy { (0...1).contains($0 - $1) }, "\(decided)")
    _ = await session.end(.endOfInput, now: now)
    await harness.service.close()
  }

  @Test("What a service decides by other values is said in words, and never as a record")
  func decidedOtherwise() async throws {
    let (harness, token) = try await ofPerson()
    let session = try await begin(Wire(harness, token, seed: 1, failuresPerHundred: 0))
    let now = SystemWallClock.now()
    var notices: [String] = []
    let lines = Array(ServiceHarness.heartRates(0..<200).utf8)
    notices += await session.feed(lines, from: LiveFeed(source: 0), now: now).notices
    notices += await session.end(.endOfInput, now: now).notices
    #expect(notices.count == 3, "\(notices)")
    #expect(notices.first == "the service decided for itself at 0:01:00: Slow down: 159 bpm, above 91–105.")
    #expect(!notices.contains { $0.contains("{") })
    await harness.service.close()
  }

  @Test(
    "Whatever is lost on the way, each line counts once, and what is reported is what the service recorded",
    arguments: 1...5)
  func lossyWire(seed: Int) async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let token = try await harness.token([.send, .watch])
    let session = try await begin(Wire(harness, token, seed: UInt64(seed), failuresPerHundred: 30))
    var heard: [SessionEvent] = []
    var notices: [String] = []
    var random = SplitMix64(seed: UInt64(seed))
    let feed = LiveFeed(source: 0)
    let now = SystemWallClock.now()
    var rest = Array(ServiceHarness.heartRates(0..<400).utf8)
    while !rest.isEmpty {
      let piece = Array(rest.prefix(Int(random.next() % 3_000) + 1))
      rest.removeFirst(piece.count)
      let report = await session.feed(piece, from: feed, now: now)
      heard += report.events
      notices += report.notices
    }
    let report = await session.end(.endOfInput, now: now)
    heard += report.events
    notices += report.notices
    #expect(report.state == .ended)
    #expect(notices.isEmpty, "\(notices)")
    let id = try #require(await session.sessionID)
    let folder = SessionFolder.path(of: id, in: harness.service.settings.dataFolder)
    // The answer does not wait for the folder, whose summary is written last. Looks are counted and not time: a machine that is busy
    // may give neither this test nor the service a turn for a minute.
    for _ in 0..<6_000 where !FileManager.default.fileExists(atPath: folder.path + "/summary.json") {
      try await Task.sleep(for: .milliseconds(10))
    }
    let records = try String(contentsOfFile: folder.path + "/decisions.jsonl", encoding: .utf8)
    var writer = JSONWriter()
    for event in heard { SessionRecords.write(event, to: &writer) }
    #expect(writer.text == records)
    let rates = try String(contentsOfFile: folder.path + "/heart_rate.csv", encoding: .utf8)
    #expect(rates.split(separator: "\n").count == 401)
    await harness.service.close()
  }

  @Test("A service that refuses says why before anything begins")
  func refused() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let token = try await harness.token([.watch])
    let wire = Wire(harness, token, seed: 1, failuresPerHundred: 0)
    await #expect {
      _ = try await begin(wire)
    } throws: { error in
      (error as? RemoteFailure)?.description.contains("answered 403") == true
    }
    await harness.service.close()
  }

  @Test("What somebody does elsewhere is done here, and a session that is ended there ends here")
  func elsewhere() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let token = try await harness.token([.send, .watch])
    let session = try await begin(Wire(harness, token, seed: 1, failuresPerHundred: 0))
    let id = try #require(await session.sessionID)
    let now = SystemWallClock.now()
    var heard: [SessionEvent] = []
    func elsewhere(_ command: String) async {
      let line = #"{"type":"command","id":"phone-\#(command)","command":"\#(command)"}"#
      #expect(await harness.send("POST", "/v1/sessions/\(id)/commands", token, body: line).status == 200)
    }
    func until(_ isThere: (SessionEvent) -> Bool) async -> Bool {
      for _ in 0..<500 {
        heard += await session.tick(now: now).events
        if heard.contains(where: isThere) { return true }
        try? await Task.sleep(for: .milliseconds(10))
      }
      return false
    }
    heard += await session.feed(Array(ServiceHarness.heartRates(0..<30).utf8), from: LiveFeed(source: 0), now: now)
      .events
    #expect(await until { if case .started = $0 { true } else { false } })
    await elsewhere("pause")
    #expect(await until { if case .engine(.paused) = $0 { true } else { false } })
    #expect(await session.session?.state == .paused)
    await elsewhere("stop")
    #expect(await until { if case .ended = $0 { true } else { false } })
    #expect(await session.session?.state == .ended)
    await harness.service.close()
  }

  @Test("A service that gives the session up is said, and the session here goes on alone")
  func givenUp() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let token = try await harness.token([.send, .watch])
    let session = try await begin(Wire(harness, token, seed: 1, failuresPerHundred: 0))
    let now = SystemWallClock.now()
    try await harness.service.store.revoke(token.grant.caller.id, .token)
    try await harness.service.access.refresh(always: true)
    var heard: [SessionEvent] = []
    var isLost = false
    for second in 0..<200 {
      let lines = ServiceHarness.heartRates(second..<second + 1)
      let report = await session.feed(Array(lines.utf8), from: LiveFeed(source: 0), now: now)
      heard += report.events
      isLost = isLost || report.isLost
    }
    let report = await session.end(.endOfInput, now: now)
    heard += report.events
    #expect(report.isLost)
    #expect(report.state == .ended)
    // It was judged at 60, 120 and 180 s.
    let decisions = heard.filter { if case .engine(.decision) = $0 { true } else { false } }
    #expect(decisions.count == 3)
    await harness.service.close()
  }
}
