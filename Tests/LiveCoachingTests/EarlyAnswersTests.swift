@testable import LiveCoaching
import Testing
import WorkoutSession

@Suite("What came of lines before their session began")
struct EarlyAnswersTests {
  private func answers(_ count: Int, _ name: String) -> [SessionEvent] {
    (0..<count).map {
      .acknowledgement(Acknowledgement(id: "\(name)-\($0)", refusal: .notStarted, isRepeated: false, command: .pause))
    }
  }

  @Test("It is known by the names of the batches, and a batch of which nothing came takes no room")
  func known() {
    var early = EarlyAnswers()
    early.keep(answers(2, "a"), of: 7)
    early.keep([], of: 8)
    early.keep(answers(1, "c"), of: 9)
    #expect(early.events(of: 7) == answers(2, "a"))
    #expect(early.events(of: 8) == [])
    #expect(early.events(of: 9) == answers(1, "c"))
    #expect(early.events(of: 10) == [])
  }

  @Test("What is kept is bounded: the oldest goes first, and of a single batch all is kept")
  func bounded() {
    var early = EarlyAnswers()
    for name in 1...4 as ClosedRange<UInt64> { early.keep(answers(EarlyAnswers.most / 4, "\(name)"), of: name) }
    #expect(early.events(of: 1).count == EarlyAnswers.most / 4)
    early.keep(answers(1, "5"), of: 5)
    #expect(early.events(of: 1) == [])
    #expect(early.events(of: 2).count == EarlyAnswers.most / 4)
    #expect(early.events(of: 5).count == 1)
    early.keep(answers(EarlyAnswers.most + 1, "6"), of: 6)
    for name in 1...5 as ClosedRange<UInt64> { #expect(early.events(of: name) == []) }
    #expect(early.events(of: 6).count == EarlyAnswers.most + 1)
  }
}
