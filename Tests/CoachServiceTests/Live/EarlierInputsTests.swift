@testable import CoachService
import SessionStore
import Testing
import TextFormats
import WorkoutSession
@testable import WorkoutTestSupport

@Suite("What was taken of a session before it goes on")
struct EarlierInputsTests {
  private func lines(_ feed: LiveFeed, _ text: String = "a\nb\n", nextLine: Int? = nil) -> SessionInput {
    SessionInput(
      .lines(Array(text.utf8), feed, batch: 7, nextLine: nextLine), arrival: WallClockTime(nanoseconds: 5),
      timeBefore: nil)
  }

  @Test("The feeds of those who sent come once each, in the order in which they began")
  func feeds() {
    let order = [LiveFeed(source: 0, connection: 9), LiveFeed(source: 1), LiveFeed(source: 0, connection: 9)]
    for pieces in [[order.map { lines($0) }], order.map { [lines($0)] }] {
      var earlier = EarlierInputs()
      for piece in pieces { earlier.note(piece) }
      #expect(earlier.feeds == Array(order.prefix(2)))
    }
    var nothing = EarlierInputs()
    nothing.note([])
    nothing.note([SessionInput(.time, arrival: .morning(), timeBefore: nil)])
    #expect(nothing.feeds == [])
  }

  @Test("Silence counts from the last lines, by the clock of the session, whatever the clock of the machine was set to")
  func silence() {
    let second: Int64 = 1_000_000_000
    func silence(_ inputs: [SessionInput], at now: Double) -> Int64 {
      var earlier = EarlierInputs()
      earlier.note(inputs)
      return earlier.silence(at: .morning(now), since: .morning(0)) / second
    }
    func input(_ content: SessionInput.Content, _ time: Double) -> SessionInput {
      SessionInput(content, arrival: .morning(time), timeBefore: nil)
    }
    let content = SessionInput.Content.lines(Array("a\n".utf8), LiveFeed(source: 0), batch: 0, nextLine: nil)
    let sample = input(content, 100)
    // Before anything has come it counts from the request to begin; time alone is no sample.
    #expect(silence([], at: 50) == 50)
    #expect(silence([input(.time, 40)], at: 50) == 50)
    #expect(silence([sample], at: 400) == 300)
    #expect(silence([sample, input(.time, 300)], at: 400) == 300)
    // The clock was set back while nobody had the session: as much has passed as is known.
    #expect(silence([sample], at: -3_600) == 0)
    #expect(silence([sample, input(.time, 300)], at: -3_600) == 200)
    // It was set while somebody had it, forward and back.
    #expect(silence([sample, input(.setClock(by: 3_600 * second), 110)], at: 3_720) == 20)
    #expect(silence([sample, input(.setClock(by: -3_600 * second), 110)], at: -3_480) == 20)
    let far = EarlierInputs()
    #expect(far.silence(at: WallClockTime(nanoseconds: .max), since: WallClockTime(nanoseconds: .min)) == 0)
  }

  @Test("Totals of steps go on from the lines that were taken, where they are counted")
  func steps() {
    func total(_ steps: Int) -> String {
      #"{"type":"steps","time":"2026-11-20T07:00:00Z","count":1,"total":\#(steps),"counter":"a"}"# + "\n"
    }
    var expected = StepTotals()
    expected.take(lines: Array(total(5).utf8), before: nil)
    expected.take(lines: Array(total(8).utf8), before: nil)
    let feed = LiveFeed(source: 0)
    var (earlier, uncounted) = (EarlierInputs(countsSteps: true), EarlierInputs(countsSteps: false))
    // The last line was not taken.
    for input in [lines(feed, total(5)), lines(feed, total(8) + total(90), nextLine: 2)] {
      earlier.note([input])
      uncounted.note([input])
    }
    #expect(earlier.steps == expected)
    #expect(uncounted.steps == StepTotals())
  }
}
