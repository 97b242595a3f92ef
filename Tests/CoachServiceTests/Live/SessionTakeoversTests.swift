@testable import CoachService
import Synchronization
import Testing

@Suite("Sessions that are taken over, and the history that is brought")
struct SessionTakeoversTests {
  /// What has begun and waits until it may go on.
  private final class Stage: Sendable {
    private struct State {
      var begun: [String] = []
      var done: [String] = []
      var most = 0
      var running: [String: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    var begun: [String] { state.withLock { $0.begun } }
    var done: [String] { state.withLock { $0.done } }
    /// How many were under way at once at most.
    var most: Int { state.withLock { $0.most } }

    func run(_ id: String) async {
      await withCheckedContinuation { continuation in
        state.withLock { state in
          state.begun.append(id)
          state.running[id] = continuation
          state.most = max(state.most, state.running.count)
        }
      }
      state.withLock { $0.done.append(id) }
    }

    /// Lets the one go on that began first; `false` when none waits.
    func release() -> Bool {
      let continuation = state.withLock { state in
        state.begun.first { state.running[$0] != nil }.flatMap { state.running.removeValue(forKey: $0) }
      }
      continuation?.resume()
      return continuation != nil
    }
  }

  private struct Broken: Error {}

  private actor Tries {
    private(set) var value = 0
    func add() { value += 1 }
  }

  private func wait(_ what: String, until isSo: () -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while !isSo() {
      try #require(ContinuousClock.now < deadline, "not yet: \(what)")
      try await Task.sleep(nanoseconds: 1_000_000)
    }
  }

  @Test("Of many that are taken over at once a few are under way, and each is done before others begin")
  func width() async throws {
    let (takeovers, stage) = (SessionTakeovers(width: 3), Stage())
    let ids = (0..<40).map { "s\($0)" }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for id in ids { group.addTask { try await takeovers.run(id) { await stage.run(id) } } }
      for count in 0..<ids.count {
        try await wait("three are under way") { stage.begun.count >= min(count + 3, ids.count) }
        #expect(stage.begun.count == min(count + 3, ids.count))
        #expect(stage.release())
        try await wait("one is done") { stage.done.count == count + 1 }
        #expect(stage.done == Array(stage.begun.prefix(count + 1)))
      }
      try await group.waitForAll()
    }
    #expect(stage.most == 3)
    #expect(stage.begun.sorted() == ids.sorted())
  }

  @Test("One that fails makes way for the next, and can be tried again")
  func failing() async throws {
    let takeovers = SessionTakeovers(width: 1)
    for _ in 0..<3 {
      await #expect(throws: Broken.self) { try await takeovers.run("a") { throw Broken() } }
    }
    let count = Tries()
    for id in ["a", "b", "a"] { try await takeovers.run(id) { await count.add() } }
    #expect(await count.value == 3)
  }

  @Test("Who takes a session for another purpose does so after that, whatever came of it")
  func purposes() async throws {
    let (takeovers, stage, count, finished) = (SessionTakeovers(width: 2), Stage(), Tries(), Tries())
    let first = Task {
      try await takeovers.take("a", to: .goOn) {
        await stage.run("go on")
        throw Broken()
      }
    }
    try await wait("the first is under way") { stage.begun == ["go on"] }
    let others = (0..<4).map { number in
      Task {
        let isDone = try await takeovers.take("a", to: .bring) {
          await count.add()
          await stage.run("bring")
          return number >= 0
        }
        await finished.add()
        return isDone
      }
    }
    try await Task.sleep(nanoseconds: 20_000_000)
    #expect(await count.value == 0, "they wait for the first")
    #expect(stage.release())
    await #expect(throws: Broken.self) { try await first.value }
    try await wait("one of them is under way") { stage.begun == ["go on", "bring"] }
    #expect(stage.most == 1)
    // One that comes when it is done does it anew.
    while await finished.value < others.count {
      _ = stage.release()
      try await Task.sleep(nanoseconds: 1_000_000)
    }
    for other in others { #expect(try await other.value) }
    #expect(await count.value >= 1)
    #expect(stage.most == 1)
    #expect(!takeovers.isPending("a"))
  }

  @Test("A turn of the history waits for the one that runs, and all who come meanwhile share the next one")
  func turns() async throws {
    let (history, stage, answered) = (FleetHistory(), Stage(), Tries())
    #expect(!history.isWhole)
    try await withThrowingTaskGroup(of: Void.self) { group in
      let bring: @Sendable () async throws -> Void = {
        try await history.bring { horizon in
          await stage.run("\(horizon)")
          return horizon + 1
        }
        await answered.add()
      }
      group.addTask(operation: bring)
      try await wait("the first turn is under way") { stage.begun == ["0"] }
      for _ in 0..<20 {
        group.addTask(operation: bring)
        // Together longer than two looks lie apart.
        try await Task.sleep(nanoseconds: 2_000_000)
      }
      #expect(stage.begun == ["0"])
      #expect(!history.isWhole)
      while await answered.value < 21 {
        _ = stage.release()
        try await Task.sleep(nanoseconds: 1_000_000)
      }
      try await group.waitForAll()
    }
    #expect(history.isWhole)
    #expect(stage.most == 1)
    #expect(stage.begun == (0..<stage.begun.count).map { "\($0)" }, "each goes on where the one before came to")
    #expect(stage.begun.count < 21, "\(stage.begun.count)")
  }

  @Test("A turn that fails is reported to who asked, leaves the horizon, and the next one is tried")
  func failedTurn() async throws {
    let history = FleetHistory()
    await #expect(throws: Broken.self) { try await history.bring { _ in throw Broken() } }
    #expect(!history.isWhole)
    try await history.bring { horizon in
      #expect(horizon == 0)
      return 7
    }
    #expect(history.isWhole)
    #expect(!history.isLeftOut("a"))
    history.leaveOut("a")
    #expect(history.isLeftOut("a"))
  }

  @Test("A session that could not be brought is known until it is")
  func lateOnes() {
    let history = FleetHistory()
    #expect(history.late == [])
    for id in ["a", "b", "a"] { history.note(id, isLate: true) }
    #expect(history.late == ["a", "b"])
    for id in ["a", "c"] { history.note(id, isLate: false) }
    #expect(history.late == ["b"])
  }
}

extension SessionTakeovers {
  /// Goes on with a session.
  fileprivate func run(_ id: String, _ body: @escaping @Sendable () async throws -> Void) async throws {
    try await take(id, to: .goOn) {
      try await body()
      return true
    }
  }
}
