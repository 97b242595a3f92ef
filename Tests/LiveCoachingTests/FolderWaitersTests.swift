@testable import LiveCoaching
import Synchronization
import Testing
import TextFormats

@Suite("Who waits for the folder of a session that is over")
struct FolderWaitersTests {
  private struct Broken: Error {}

  /// Whether somebody has the answer by now.
  private final class Answered: Sendable {
    let value = Atomic(false)
  }

  private func session() -> JournaledSession {
    JournaledSession("20261120T070000Z-running-0000000a", in: StoredPath(dataFolder: "/nowhere"))
  }

  /// What somebody is answered, in a word, who waits while `body` runs with their number.
  private func answer(
    _ waiters: FolderWaiters, _ session: JournaledSession, _ body: (_ number: Int, _ isAnswered: () -> Bool) -> Void
  ) async -> String {
    let answered = Answered()
    return await withTaskGroup(of: String.self) { group in
      let numbers = AsyncStream<Int>.makeStream()
      group.addTask {
        let outcome = await withCheckedContinuation { continuation in
          let waiter = JournalWaiter(session, isFinal: true, .unlimited, .continuation(continuation))
          numbers.continuation.yield(waiters.add(waiter))
        }
        answered.value.store(true, ordering: .sequentiallyConsistent)
        return switch outcome {
        case .kept: "kept"
        case .unfinished: "unfinished"
        case .waiting: "waiting"
        case .lost: "lost"
        }
      }
      for await number in numbers.stream {
        body(number) { answered.value.load(ordering: .sequentiallyConsistent) }
        break
      }
      return await group.next() ?? ""
    }
  }

  @Test("Nobody is answered before what they wait for has come to the queue, and while the folder is not whole")
  func finished() async {
    let (waiters, session) = (FolderWaiters(shard: 0), session())
    let found = await answer(waiters, session) { number, isAnswered in
      waiters.answerFinished { _ in false }
      #expect(!isAnswered())
      waiters.reach(number)
      waiters.answerFinished { $0 === session }
      waiters.answerLate()
      #expect(!isAnswered())
      waiters.answerFinished { _ in false }
    }
    #expect(found == "kept")
  }

  @Test("Who waits while all is let go of is answered by what is known then")
  func closing() async {
    for (change, expected) in [
      ({ _ in }, "unfinished"), ({ $0.isFinished = true }, "kept"), ({ $0.failure = Broken() }, "lost"),
    ] as [((JournaledSession) -> Void, String)] {
      let (waiters, session) = (FolderWaiters(shard: 0), session())
      change(session)
      let found = await answer(waiters, session) { _, _ in waiters.answerLate(isClosing: true) }
      #expect(found == expected)
    }
  }

  @Test("Who waits for a folder that nothing can be written to any more has the answer at once")
  func lost() async {
    let (waiters, session) = (FolderWaiters(shard: 0), session())
    session.failure = Broken()
    let found = await answer(waiters, session) { number, _ in
      waiters.reach(number)
      waiters.answerFinished { _ in true }
    }
    #expect(found == "lost")
  }
}
