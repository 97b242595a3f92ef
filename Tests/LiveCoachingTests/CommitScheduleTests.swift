@testable import LiveCoaching
import Testing

@Suite("When a journal is written and committed")
struct CommitScheduleTests {
  private struct Broken: Error {}
  private static let millisecond: Int64 = 1_000_000

  @Test("A service commits once in 35 ms: what comes at once waits for the rest of them, what comes later does not")
  func service() {
    var schedule = CommitSchedule(.service)
    #expect(schedule.wait(at: 7) == 0)
    schedule.noteCommit(at: 1_000 * Self.millisecond)
    #expect(schedule.wait(at: 1_000 * Self.millisecond) == 35 * Self.millisecond)
    #expect(schedule.wait(at: 1_030 * Self.millisecond) == 5 * Self.millisecond)
    #expect(schedule.wait(at: 1_035 * Self.millisecond) <= 0)
    // A turn that comes answers, and an answer says that it is on the disk.
    #expect(schedule.isCommitDue(at: 1_001 * Self.millisecond))
  }

  @Test("The time between two commits of a service is no longer than 50 ms, that of a terminal a second")
  func policies() {
    var (service, terminal) = (CommitSchedule(.service), CommitSchedule(.terminal))
    service.noteCommit(at: 0)
    terminal.noteCommit(at: 0)
    #expect(service.waitForTimer(at: 0) <= 50 * Self.millisecond)
    #expect(terminal.waitForTimer(at: 0) == 1_000 * Self.millisecond)
  }

  @Test("A terminal writes at once, and commits a second after the last commit")
  func terminal() {
    var schedule = CommitSchedule(.terminal)
    #expect(schedule.isCommitDue(at: 0))
    schedule.noteCommit(at: 0)
    #expect(schedule.wait(at: 1) == 0)
    #expect(!schedule.isCommitDue(at: 999 * Self.millisecond))
    #expect(schedule.waitForTimer(at: 400 * Self.millisecond) == 600 * Self.millisecond)
    #expect(schedule.isCommitDue(at: 1_000 * Self.millisecond))
    #expect(schedule.waitForTimer(at: 1_700 * Self.millisecond) == 0)
  }

  @Test("After a failure one try a second follows, and one for the last answer of a terminal")
  func failure() {
    for policy in [JournalPolicy.service, .terminal] {
      var schedule = CommitSchedule(policy)
      #expect(schedule.isTried(at: 0, isAskedFinally: false))
      schedule.noteFailure(Broken(), at: 500 * Self.millisecond)
      #expect(schedule.problem is Broken)
      #expect(!schedule.isTried(at: 1_499 * Self.millisecond, isAskedFinally: false))
      #expect(schedule.isTried(at: 1_499 * Self.millisecond, isAskedFinally: true) == !policy.answersAfterCommit)
      #expect(schedule.waitForTimer(at: 600 * Self.millisecond) == 900 * Self.millisecond)
      #expect(schedule.isTried(at: 1_500 * Self.millisecond, isAskedFinally: false))
      schedule.noteSuccess()
      #expect(schedule.problem == nil)
      #expect(schedule.isTried(at: 1_501 * Self.millisecond, isAskedFinally: false))
    }
  }

  @Test("A disk that works again is committed to at once")
  func again() {
    var schedule = CommitSchedule(.terminal)
    schedule.noteCommit(at: 0)
    schedule.noteFailure(Broken(), at: 10 * Self.millisecond)
    #expect(schedule.isCommitDue(at: 20 * Self.millisecond))
    schedule.noteSuccess()
    #expect(!schedule.isCommitDue(at: 20 * Self.millisecond))
  }
}
