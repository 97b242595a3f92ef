@testable import CoachService
import Synchronization
import Testing

@Suite("Who begins for a person, and who deletes the person")
struct PersonTurnsTests {
  private struct Broken: Error {}

  /// What was done, in its order.
  private final class Course: Sendable {
    private let steps = Mutex<[String]>([])
    var all: [String] { steps.withLock { $0 } }
    func add(_ step: String) { steps.withLock { $0.append(step) } }

    func wait(for step: String) async throws {
      let deadline = ContinuousClock.now + .seconds(60)
      while !all.contains(step) {
        try #require(ContinuousClock.now < deadline, "not yet: \(step)")
        try await Task.sleep(nanoseconds: 1_000_000)
      }
    }
  }

  @Test("Any number begin at once; a deletion waits for them, and those that come after it wait for the deletion")
  func order() async throws {
    let (turns, course) = (PersonTurns(), Course())
    let gates = (0..<2).map { _ in AsyncStream<Void>.makeStream() }
    let first = Task {
      try await turns.sharing("ann") {
        course.add("first")
        for await _ in gates[0].stream { break }
        course.add("first done")
      }
    }
    try await course.wait(for: "first")
    try await turns.sharing("ann") { course.add("beside") }
    let deletion = Task {
      course.add("deletion comes")
      try await turns.deleting("ann") {
        course.add("deletion")
        for await _ in gates[1].stream { break }
        course.add("deletion done")
      }
    }
    try await course.wait(for: "deletion comes")
    // Others are in nobody's way.
    try await turns.deleting("bob") { course.add("bob") }
    gates[0].continuation.yield()
    try await course.wait(for: "deletion")
    let late = Task { try await turns.sharing("ann") { course.add("late") } }
    try await Task.sleep(nanoseconds: 20_000_000)
    #expect(!course.all.contains("late"))
    gates[1].continuation.yield()
    for task in [first, deletion, late] { try await task.value }
    #expect(
      course.all == [
        "first", "beside", "deletion comes", "bob", "first done", "deletion", "deletion done", "late",
      ])
    #expect(turns.count == 0)
  }

  @Test("What fails gives the turn back")
  func failing() async throws {
    let turns = PersonTurns()
    await #expect(throws: Broken.self) { try await turns.deleting("ann") { throw Broken() } }
    await #expect(throws: Broken.self) { try await turns.sharing("ann") { throw Broken() } }
    #expect(try await turns.deleting("ann") { 1 } == 1)
    #expect(turns.count == 0)
  }
}
