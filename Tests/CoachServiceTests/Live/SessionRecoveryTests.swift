@testable import CoachService
import LiveCoaching
import Synchronization
import Testing
import TextFormats
@testable import WorkoutTestSupport

@Suite("Sessions that go on after a start")
struct SessionRecoveryTests {
  @Test("A start makes the silence after which a session ends no longer, and a clock that was set back no shorter")
  func silence() async throws {
    let (folder, clock) = (try ScratchFolder(), ManualClock(.morning(0)))
    var harness = try await ServiceHarness(folder, clock: clock)
    let token = try await harness.token([.send, .watch])
    let (running, paused) = (try await harness.begin(token), try await harness.begin(token))
    for id in [running, paused] {
      let taken = await harness.send(
        "POST", "/v1/sessions/\(id)/samples", token, body: ServiceHarness.heartRates(0..<1),
        type: "application/x-ndjson")
      #expect(taken.status == 200, "\(taken.text)")
    }
    let pause = await harness.send(
      "POST", "/v1/sessions/\(paused)/commands", token, body: #"{"id":"p","command":"pause"}"#)
    #expect(pause.json?["accepted"]?.bool == true, "\(pause.text)")
    func live(at second: Double, _ id: String) async throws -> Bool {
      clock.set(.morning(second))
      await harness.service.tick()
      return harness.service.sessions.live(for: token.grant.caller).contains { $0.id == id }
    }
    for second in [1_000, 1_790] as [Double] {
      #expect(try await live(at: second, running))
      await harness.service.close()
      harness = try await ServiceHarness(folder, clock: clock)
    }
    #expect(try await live(at: 1_799, running))
    #expect(try await !live(at: 1_802, running))
    #expect(try await live(at: 21_500, paused))
    // Of one that nobody had for a while it is known as well.
    await harness.service.close()
    clock.set(.morning(21_590))
    harness = try await ServiceHarness(folder, clock: clock)
    #expect(try await live(at: 21_599, paused))
    // An hour back: nobody knows how long it was, and it is not over for that.
    await harness.service.close()
    clock.setForward(seconds: -3_600)
    harness = try await ServiceHarness(folder, clock: clock)
    #expect(try await live(at: 18_100, paused))
    #expect(try await !live(at: 18_000 + 21_700, paused))
    await harness.service.close()
  }

  /// Holds up what waits for it, and notes what happened.
  private final class Gate: Sendable {
    private struct State {
      var isOpen = false
      var waiting: [CheckedContinuation<Void, Never>] = []
      var notes: [String] = []
    }

    private let state = Mutex(State())

    var notes: [String] { state.withLock { $0.notes } }
    func note(_ text: String) { state.withLock { $0.notes.append(text) } }

    func pass() async {
      await withCheckedContinuation { continuation in
        let isOpen = state.withLock { state in
          if !state.isOpen { state.waiting.append(continuation) }
          return state.isOpen
        }
        if isOpen { continuation.resume() }
      }
    }

    func open() {
      let waiting = state.withLock { state in
        state.isOpen = true
        defer { state.waiting = [] }
        return state.waiting
      }
      for continuation in waiting { continuation.resume() }
    }
  }

  private struct Broken: Error, CustomStringConvertible {
    let description = "the disk is on fire"
  }

  private func wait(_ what: String, until isSo: () -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while !isSo() {
      try #require(ContinuousClock.now < deadline, "not yet: \(what)")
      try await Task.sleep(nanoseconds: 1_000_000)
    }
  }

  @Test("Nobody waits where nothing was live, and nobody before it has begun")
  func nothing() async throws {
    let recovery = SessionRecovery()
    #expect(recovery.isDone)
    try await recovery.wait(for: "a")
    try await recovery.wait(for: nil)
    recovery.begin([]) {
      [:]
    } resume: { _, _ in
    } finish: {
    }
    await recovery.wait()
    #expect(recovery.isDone)
    try await recovery.wait(for: nil)
  }

  @Test("Who asks for a session waits for it alone, and it goes before the others")
  func asked() async throws {
    let (recovery, journals, gate) = (SessionRecovery(), Gate(), Gate())
    let ids = (0..<50).map { "s\($0)" }
    recovery.begin(ids) {
      await journals.pass()
      return [:]
    } resume: { id, _ in
      gate.note(id)
      if id != "s49" { await gate.pass() }
    } finish: {
      gate.note("finished")
    }
    #expect(!recovery.isDone)
    let asked = Task { try await recovery.wait(for: "s49") }
    let all = Task { try await recovery.wait(for: nil) }
    let other = Task {
      try await recovery.wait(for: "another")
      gate.note("another")
    }
    // Till journals were read nobody knows what another one has in them.
    for _ in 0..<20 { try await Task.sleep(nanoseconds: 1_000_000) }
    #expect(gate.notes == [])
    journals.open()
    try await asked.value
    try await other.value
    #expect(!recovery.isDone)
    let begun = gate.notes.filter { $0 != "another" }
    #expect(begun.prefix(4).contains("s49"))
    #expect(begun.count <= 5, "four at once, and one after that which was asked for: \(begun)")
    gate.open()
    try await all.value
    #expect(recovery.isDone)
    #expect(Set(gate.notes) == Set(ids + ["another", "finished"]))
    #expect(gate.notes.last == "finished")
  }

  @Test("What cannot be read is said to who waits, and tried again")
  func failure() async throws {
    let (recovery, gate) = (SessionRecovery(), Gate())
    let fails = Atomic(true)
    recovery.begin(["a", "b"]) {
      if fails.load(ordering: .sequentiallyConsistent) { throw Broken() }
      return ["b": Broken()]
    } resume: { id, error in
      gate.note(error.map { "\(id): \($0)" } ?? id)
    } finish: {
    }
    for id in ["a", nil, "another"] {
      let problem = await #expect(throws: ServiceProblem.self) { try await recovery.wait(for: id) }
      #expect(problem?.code == .unavailable)
      #expect(problem?.detail.hasPrefix("what was kept before the start cannot be read now: ") ?? false)
      #expect(problem?.headers.contains { $0.name == "Retry-After" } ?? false)
    }
    fails.store(false, ordering: .sequentiallyConsistent)
    await recovery.wait()
    try await recovery.wait(for: "a")
    try await recovery.wait(for: nil)
    #expect(gate.notes.sorted() == ["a", "b: the disk is on fire"])
  }

  @Test("A service that stops lets nobody wait, and goes on with no further one")
  func stop() async throws {
    let (recovery, gate) = (SessionRecovery(), Gate())
    recovery.begin((0..<50).map { "s\($0)" }) {
      [:]
    } resume: { id, _ in
      gate.note(id)
      await gate.pass()
    } finish: {
      gate.note("finished")
    }
    try await wait("the first have begun") { gate.notes.count == 4 }
    let asked = Task { try await recovery.wait(for: "s49") }
    let all = Task { try await recovery.wait(for: nil) }
    let stopping = Task { await recovery.stop() }
    try await wait("it stops") { recovery.isStopping }
    gate.open()
    await stopping.value
    await #expect(throws: ServiceProblem.self) { try await asked.value }
    await #expect(throws: ServiceProblem.self) { try await all.value }
    await #expect(throws: ServiceProblem.self) { try await recovery.wait(for: nil) }
    #expect(gate.notes.count == 4, "\(gate.notes)")
  }

  @Test("A service answers before its sessions go on, and those of a session when it does")
  func service() async throws {
    let folder = try ScratchFolder()
    let before = try await ServiceHarness(folder)
    let token = try await before.token([.send, .watch])
    let id = try await before.begin(token)
    let path = "/v1/sessions/\(id)/samples"
    let lines = ServiceHarness.heartRates(0..<20)
    #expect(await before.send("POST", path, token, body: lines, type: "application/x-ndjson").status == 200)
    await before.service.close()
    let harness = try await ServiceHarness(folder, waits: false)
    #expect(await harness.send("GET", "/healthz").status == 200)
    let state = await harness.send("GET", "/v1/sessions/\(id)", token)
    #expect(state.status == 200, "\(state.text)")
    let again = await harness.send(
      "POST", path, token, body: ServiceHarness.heartRates(20..<30), type: "application/x-ndjson")
    #expect(again.status == 200, "\(again.text)")
    let list = await harness.send("GET", "/v1/sessions", token)
    #expect(list.json?["sessions"]?.array?.count == 1, "\(list.text)")
    #expect(harness.service.sessions.recovery.isDone)
    await harness.service.close()
  }
}
