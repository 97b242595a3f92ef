@testable import LiveCoaching
import Testing

@Suite("How it stands with what is kept of a session")
struct SessionKeepingTests {
  private struct Broken: Error {}

  /// What a report says of an outcome, in words.
  private func noted(_ keeping: inout SessionKeeping, _ outcome: JournalOutcome, isOver: Bool = false) -> String {
    var report = LiveReport()
    keeping.note(outcome, isOver: isOver, &report)
    let change =
      switch report.recording {
      case .interrupted: "interrupted"
      case .resumed: "resumed"
      case .lost: "lost"
      case nil: ""
      }
    return change + (report.isLost ? ", is lost" : "") + (report.isUnfinished ? ", is unfinished" : "")
  }

  @Test("An interruption is reported once, and its end once")
  func interrupted() {
    var keeping = SessionKeeping.well
    #expect(noted(&keeping, .kept) == "")
    #expect(noted(&keeping, .waiting(Broken())) == "interrupted")
    #expect(keeping == .interrupted)
    #expect(keeping.goesOn)
    #expect(noted(&keeping, .waiting(Broken())) == "")
    #expect(noted(&keeping, .kept) == "resumed")
    #expect(noted(&keeping, .kept) == "")
    #expect(keeping == .well)
    #expect(noted(&keeping, .kept, isOver: true) == "")
    #expect(keeping == .finished)
    #expect(!keeping.goesOn)
  }

  @Test("What is lost stays lost, and each who waits is notified")
  func lost() {
    var keeping = SessionKeeping.interrupted
    #expect(noted(&keeping, .lost(Broken())) == "lost, is lost")
    #expect(keeping == .lost)
    #expect(noted(&keeping, .lost(Broken())) == ", is lost")
    #expect(noted(&keeping, .kept, isOver: true) == "")
    #expect(keeping == .lost)
  }

  @Test("The end of a session whose folder cannot be written now is in the journal, and it is not finished")
  func unfinished() {
    var keeping = SessionKeeping.interrupted
    #expect(noted(&keeping, .unfinished, isOver: true) == "resumed, is unfinished")
    #expect(keeping == .well)
    #expect(noted(&keeping, .unfinished, isOver: true) == ", is unfinished")
    #expect(noted(&keeping, .kept, isOver: true) == "")
    #expect(keeping == .finished)
  }
}
