import FleetStore
import Dispatch
import Foundation
import Glibc
import LiveCoaching
import SessionStore
import Synchronization
import TestSupport
import Testing
import TextFormats
import WorkoutSession
@testable import WorkoutTestSupport

/// Two instances as processes of their own, with live sessions between them, and what happens to instances and databases.
@Suite(
  "Faults of a fleet", .serialized,
  .enabled(
    if: ProcessInfo.processInfo.environment["COACH_FLEET_FAULTS"] != nil,
    "they take five minutes, most of it waiting: COACH_FLEET_FAULTS=1"))
struct FleetFaultTests {
  private static let seconds = 60
  private static let sessionCount = 12

  @Test(
    "An instance that is killed: every answered line is there once, and every decision is that of one machine alone")
  func killed() async throws {
    let fleet = try Fleet(seed: 1, sessions: Self.sessionCount, seconds: Self.seconds)
    try fleet.run { second in
      if second == 20 { try fleet.kill(0) }
      if second == 35 { try fleet.start(0) }
      if second == 45 { try fleet.kill(1) }
    }
    try await fleet.check()
    fleet.reportSilence("killed")
  }

  @Test("An instance that is stopped and goes on when another one has its sessions writes nothing")
  func stopped() async throws {
    let fleet = try Fleet(seed: 2, sessions: Self.sessionCount, seconds: Self.seconds)
    try fleet.run { second in
      if second == 15 { try fleet.signal(0, SIGSTOP) }
      if second == 40 { try fleet.signal(0, SIGCONT) }
    }
    try await fleet.check()
    fleet.reportSilence("stopped")
  }

  @Test("A database that is stopped and started: what was answered is there, and the sessions go on")
  func databaseAway() async throws {
    let server = try PostgresServer(["fsync=on"])
    let fleet = try Fleet(seed: 3, sessions: Self.sessionCount, seconds: Self.seconds, server: server)
    let starting = DispatchGroup()
    let isBack = Mutex(false)
    try fleet.run { second in
      if second == 20 {
        try server.stop()
        // Nothing is answered until then: the lines of this second wait for it.
        starting.enter()
        DispatchQueue.global().asyncAfter(deadline: .now() + 2) {
          isBack.withLock { $0 = (try? server.start()) != nil }
          starting.leave()
        }
      }
      if second == 40 {
        starting.wait()
        try #require(isBack.withLock { $0 })
        try server.stop(crashing: true)
        try server.start()
      }
    }
    try await fleet.check()
    #expect(fleet.longestSilence > 2, "nobody answers without the database: \(fleet.longestSilence) s")
    fleet.reportSilence("database stopped for 2 s and killed")
  }

  @Test("A database whose machine hangs for five seconds: what was answered is there, and the sessions go on")
  func databaseHangs() async throws {
    let server = try PostgresServer(["fsync=on"])
    let fleet = try Fleet(seed: 5, sessions: Self.sessionCount, seconds: Self.seconds, server: server)
    let thawing = DispatchGroup()
    let isBack = Mutex(false)
    try fleet.run { second in
      if second == 20 {
        try server.freeze()
        thawing.enter()
        // Longer than the leases, and than the instances wait for them.
        DispatchQueue.global().asyncAfter(deadline: .now() + 5) {
          isBack.withLock { $0 = (try? server.thaw()) != nil }
          thawing.leave()
        }
      }
      if second == 40 {
        thawing.wait()
        try #require(isBack.withLock { $0 })
      }
    }
    try await fleet.check()
    #expect(fleet.longestSilence > 4, "nobody answers without the database: \(fleet.longestSilence) s")
    fleet.reportSilence("database hung for 5 s")
  }

  @Test("An instance whose clock is wrong by an hour holds its leases as long as the others, and decides the same")
  func clock() async throws {
    let fleet = try Fleet(seed: 4, sessions: Self.sessionCount, seconds: Self.seconds, clockOffsets: [3_600, -3_600])
    try fleet.run { second in
      if second == 30 { try fleet.kill(1) }
    }
    try await fleet.check()
    fleet.reportSilence("clocks wrong, one killed")
  }

  @Test("Accidents drawn from a seed", arguments: [11, 12] as [UInt64])
  func random(seed: UInt64) async throws {
    let fleet = try Fleet(seed: seed, sessions: Self.sessionCount, seconds: Self.seconds)
    var generator = SplitMix64(seed: seed)
    var stopped: Int?
    try fleet.run { second in
      guard second > 5, second.isMultiple(of: 8) else { return }
      if let place = stopped {
        try fleet.signal(place, SIGCONT)
        stopped = nil
        return
      }
      let place = generator.int(0...1)
      switch generator.int(0...2) {
      case 0:
        try fleet.kill(place)
        try fleet.start(place)
      case 1:
        try fleet.signal(place, SIGSTOP)
        stopped = place
      default:
        try fleet.leave(place)
        try fleet.start(place)
      }
    }
    try await fleet.check()
    fleet.reportSilence("accidents of seed \(seed)")
  }
}

/// Two instances, and somebody who sends to them what sessions sense, again until it is answered.
private final class Fleet {
  private static let leaseSeconds = 1.0

  private let server: PostgresServer
  private let database: String
  private let folder: ScratchFolder
  private let clockOffsets: [Int]
  private let sessions: [String]
  private let seconds: Int
  private let seed: UInt64
  private var instances: [TestProcess?] = [nil, nil]
  private var starts = 0
  /// Where each session was answered last.
  private var places: [String: Int] = [:]
  private var answeredAt: [String: ContinuousClock.Instant] = [:]
  /// The longest time without an answer to a session, in seconds.
  private(set) var longestSilence = 0.0
  private var acceptedCounts: [String: Int] = [:]

  init(
    seed: UInt64, sessions count: Int, seconds: Int, server: PostgresServer? = nil, clockOffsets: [Int] = [0, 0]
  ) throws {
    self.server = try server ?? PostgresServer.shared.get()
    self.seed = seed
    self.seconds = seconds
    self.clockOffsets = clockOffsets
    database = try self.server.database()
    folder = try ScratchFolder()
    sessions = (0..<count).map {
      "20261120T070000Z-running-" + String(repeating: "0", count: 7) + String($0, radix: 16)
    }
    try start(0)
    try start(1)
    // The second one has its share when the first has given it back.
    try waitUntil("each instance has half of the shards") {
      try instances.allSatisfy { instance in
        instance?.send("held")
        return try #require(instance?.line(seconds: 30)) == "held 32"
      }
    }
  }

  // MARK: - Accidents

  func start(_ place: Int) throws {
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let program = URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent("fleet-instance").path
    starts += 1
    let instance = try TestProcess(
      program,
      [
        server.url(database), folder.path + "/instance-\(starts)", "http://127.0.0.1:\(place)", "\(Self.leaseSeconds)",
        "\(clockOffsets[place])",
      ])
    let first = instance.line(seconds: 30)
    try #require(first == "ready", "\(first ?? "nothing")")
    instances[place] = instance
  }

  func kill(_ place: Int) throws {
    instances[place]?.end(SIGKILL)
    instances[place] = nil
  }

  func signal(_ place: Int, _ number: Int32) throws { instances[place]?.signal(number) }

  func leave(_ place: Int) throws {
    instances[place]?.send("leave")
    while let line = instances[place]?.line(seconds: 10), line != "left" {}
    try kill(place)
  }

  // MARK: - Sending

  private func heartRate(_ session: Int, _ second: Int) -> Int {
    // Each session crosses the limits of its target at times of its own.
    118 + (second * (session % 5 + 1) + session * 7) % 30
  }

  private func line(_ session: Int, _ second: Int) -> String {
    #"{"type":"heartRate","atSeconds":\#(second),"beatsPerMinute":\#(heartRate(session, second)),"source":"strap"}"#
  }

  private func now(_ second: Int) -> WallClockTime { .morning(Double(second)) }

  /// Runs all sessions to their ends.
  func run(_ accident: (Int) throws -> Void) throws {
    try exchange(sessions.map { ($0, "begin \($0) \(now(0).nanoseconds)", "begun \($0)") })
    for second in 0..<seconds {
      try accident(second)
      try exchange(
        sessions.enumerated().map { number, id in
          (id, "take \(id) b\(second) \(now(second).nanoseconds) \(line(number, second))", "taken \(id) b\(second) ")
        })
    }
    try exchange(sessions.map { ($0, "end \($0) \(now(seconds).nanoseconds)", "ended \($0)") })
  }

  /// Sends a request for each session, and again, to whoever answers, until each is answered.
  private func exchange(_ requests: [(id: String, line: String, answer: String)]) throws {
    var waiting = Dictionary(uniqueKeysWithValues: requests.map { ($0.id, $0) })
    let deadline = ContinuousClock.now + .seconds(60)
    for request in requests where answeredAt[request.id] == nil { answeredAt[request.id] = .now }
    while !waiting.isEmpty {
      try #require(
        ContinuousClock.now < deadline, "seed \(seed): no answer to \(waiting.values.map(\.line).sorted()[0])")
      for request in waiting.values { instances[places[request.id] ?? 0]?.send(request.line) }
      // What is not answered within a second is asked elsewhere.
      let turn = ContinuousClock.now + .seconds(1)
      var asked = waiting
      while !asked.isEmpty, ContinuousClock.now < turn {
        var isAny = false
        for (place, instance) in instances.enumerated() {
          guard let line = instance?.line(seconds: 0.002) else { continue }
          isAny = true
          let words = line.split(separator: " ").map(String.init)
          guard words.count > 1, let request = waiting[words[1]] else { continue }
          if line.hasPrefix(request.answer) || line == request.answer {
            waiting[request.id] = nil
            asked[request.id] = nil
            places[request.id] = place
            note(request.id)
            if words[0] == "taken" { acceptedCounts[request.id, default: 0] += Int(words[3]) ?? 0 }
          } else if words[0] == "elsewhere" || words[0] == "away" {
            asked[request.id] = nil
            places[request.id] = line.hasSuffix("http://127.0.0.1:\(1 - place)") ? 1 - place : place
          }
        }
        if !isAny, instances.allSatisfy({ $0 == nil }) { break }
      }
      for id in asked.keys { places[id] = 1 - (places[id] ?? 0) }
      if !waiting.isEmpty { Thread.sleep(forTimeInterval: 0.05) }
    }
  }

  /// Prints the longest time without an answer. No test depends on how fast the machine is: each request is answered within a
  /// minute, or the run fails.
  func reportSilence(_ accident: String) {
    print("fleet: \(accident): longest silence of a session \((longestSilence * 10).rounded() / 10) s")
  }

  private func note(_ id: String) {
    let now = ContinuousClock.now
    if let before = answeredAt[id] {
      longestSilence = max(
        longestSilence,
        Double((now - before).components.attoseconds) * 1e-18 + Double((now - before).components.seconds))
    }
    answeredAt[id] = now
  }

  // MARK: - What has to hold

  /// Demands of each session in the database what one machine alone makes of the same lines.
  func check() async throws {
    let reader = try server.store(database, "reader")
    for (number, id) in sessions.enumerated() {
      #expect(acceptedCounts[id] == seconds, "seed \(seed), \(id): each line was accepted once")
      let log = try #require(try reader.log(of: id), "seed \(seed)")
      let written = StoredPath(folder: folder.path + "/written-\(number)")
      try log.write(to: written)
      let expected = try await alone(number, id)
      for name in [
        SessionFolder.decisions, SessionFolder.log(of: .heartRate), SessionFolder.manifest, SessionFolder.summary,
      ] {
        let (found, wanted) = (try content(written, name), try content(expected, name))
        #expect(found == wanted, "seed \(seed), \(id): \(name)")
      }
      #expect(log.decisions.count >= 4, "seed \(seed), \(id)")
      #expect(FileSystem.exists(written + "/" + SessionFolder.inputs) == false)
    }
  }

  private func content(_ folder: StoredPath, _ name: String) throws -> String {
    String(decoding: try POSIXFile(reading: folder + "/" + name).readAll(maximumBytes: 1 << 24), as: UTF8.self)
  }

  /// The folder of a session as one machine makes it, without a database.
  private func alone(_ number: Int, _ id: String) async throws -> StoredPath {
    let data = StoredPath(dataFolder: folder.path + "/alone-\(number)")
    let registry = SessionRegistry(
      dataFolder: data, policy: .service, shardCount: 1, limit: 1, clock: ManualClock(now(0)))
    let request = try CoachingRequest.runner("z2", "moment:every=20")
    let running = try await registry.begin(
      LiveConfiguration(
        settings: request.settings(on: nil), clock: .samples, streams: SampleStream.recordable, durationLimit: nil),
      recording: LiveRecording(
        dataFolder: data, request: SessionRequest(coaching: request, person: nil), random: 0, inputs: ["http"],
        sessionID: id))
    for second in 0..<seconds {
      _ = await running.take(request: Array((line(number, second) + "\n").utf8), batch: "b\(second)", now: now(second))
    }
    _ = await running.end(.endOfInput, now: now(seconds))
    #expect(await running.settle() == .whole)
    await registry.shutDown()
    return SessionFolder.path(of: id, in: data)
  }
}
