@testable import LiveCoaching
import Testing
import TextFormats

@Suite("Who waits until a journal has what was appended")
struct JournalWaitersTests {
  private struct Broken: Error {}
  private struct Full: Error {}

  private func session() -> JournaledSession {
    JournaledSession("20261120T070000Z-running-0000000a", in: StoredPath(dataFolder: "/nowhere"))
  }

  private func turn(
    _ seconds: Double = 0, fails: Bool, hasImmediateFolders: Bool = false, mayHold: Bool = true
  ) -> JournalWaiters.Turn {
    JournalWaiters.Turn(
      problem: fails ? Broken() : nil, hasImmediateFolders: hasImmediateFolders, mayHold: mayHold,
      now: Int64(seconds * 1e9))
  }

  private func word(_ outcome: JournalOutcome) -> String {
    switch outcome {
    case .kept: "kept"
    case .unfinished: "unfinished"
    case .waiting(let error): "waiting \(type(of: error))"
    case .lost(let error): "lost \(type(of: error))"
    }
  }

  /// What comes of somebody in one turn.
  private func step(
    _ session: JournaledSession, isFinal: Bool, _ patience: JournalWaiter.Patience, _ turn: JournalWaiters.Turn
  ) async -> String {
    var found = ""
    _ = await withCheckedContinuation { continuation in
      found =
        switch JournalWaiter(session, isFinal: isFinal, patience, .continuation(continuation)).step(turn) {
        case .answer(let outcome): word(outcome)
        case .hold: "hold"
        case .waitForFolder: "folder"
        }
      continuation.resume(returning: .kept)
    }
    return found
  }

  /// The number of the turn that answers somebody whose session is over, and what; the last one answers everybody.
  private func answer(_ patience: JournalWaiter.Patience, _ turns: [JournalWaiters.Turn]) async -> String {
    var number = 0
    let outcome = await withCheckedContinuation { continuation in
      var waiters = JournalWaiters()
      waiters.take([JournalWaiter(session(), isFinal: true, patience, .continuation(continuation))])
      while waiters.hasFinal, number < turns.count {
        waiters.answer(turns[number]) { waiter in
          var answers = JournalAnswers()
          answers.add(waiter, .unfinished)
        }
        number += 1
      }
    }
    return "\(number) \(word(outcome))"
  }

  @Test("What is written is kept; the folder of a session that is over is waited for where another queue writes it")
  func written() async {
    for patience in [JournalWaiter.Patience.unlimited, .long, .limited, .without] {
      #expect(await step(session(), isFinal: false, patience, turn(fails: false)) == "kept")
      #expect(await step(session(), isFinal: true, patience, turn(fails: false)) == "folder")
      let immediate = turn(fails: false, hasImmediateFolders: true)
      #expect(await step(session(), isFinal: true, patience, immediate) == "kept")
    }
  }

  @Test("A disk that fails is waited for by who is patient, while the journal is open")
  func fails() async {
    #expect(await step(session(), isFinal: false, .unlimited, turn(fails: true)) == "hold")
    #expect(await step(session(), isFinal: true, .limited, turn(fails: true)) == "hold")
    #expect(await step(session(), isFinal: false, .without, turn(fails: true)) == "waiting Broken")
    #expect(await step(session(), isFinal: true, .without, turn(fails: true)) == "waiting Broken")
    for patience in [JournalWaiter.Patience.unlimited, .long, .limited, .without] {
      let closing = turn(fails: true, mayHold: false)
      #expect(await step(session(), isFinal: false, patience, closing) == "waiting Broken")
      #expect(await step(session(), isFinal: true, patience, closing) == "lost Broken")
    }
  }

  @Test("What is lost is lost whatever the disk does, and a session whose folder is whole is kept all the same")
  func sessions() async {
    let lost = session()
    lost.failure = Full()
    for fails in [false, true] {
      #expect(await step(lost, isFinal: false, .unlimited, turn(fails: fails)) == "lost Full")
    }
    let finished = session()
    finished.isFinished = true
    #expect(await step(finished, isFinal: false, .unlimited, turn(fails: true)) == "kept")
  }

  @Test("A folder that cannot be written counts where it is written in the same turn, and not where the journal has it")
  func folder() async {
    let session = session()
    session.folderProblem = Full()
    let terminal = turn(fails: false, hasImmediateFolders: true, mayHold: false)
    #expect(await step(session, isFinal: false, .unlimited, terminal) == "waiting Full")
    #expect(await step(session, isFinal: true, .unlimited, terminal) == "lost Full")
    #expect(await step(session, isFinal: false, .unlimited, turn(fails: false)) == "kept")
  }

  @Test("Limited patience ends 5 s after the first turn that failed, a long one 30 s, unlimited not before the journal")
  func patience() async {
    let failing = [1, 5.9, 6, 60].map { turn($0, fails: true) }
    let closing = turn(61, fails: true, mayHold: false)
    #expect(await answer(.limited, failing + [closing]) == "3 waiting Broken")
    #expect(await answer(.long, failing + [closing]) == "4 waiting Broken")
    #expect(await answer(.long, [1, 30.9, 31].map { turn($0, fails: true) } + [closing]) == "3 waiting Broken")
    #expect(await answer(.unlimited, failing + [closing]) == "5 lost Broken")
    #expect(await answer(.without, failing + [closing]) == "1 waiting Broken")
    #expect(await answer(.unlimited, failing + [turn(61, fails: false)]) == "5 unfinished")
    #expect(await answer(.limited, [turn(1, fails: true), turn(2, fails: false)]) == "2 unfinished")
  }
}
