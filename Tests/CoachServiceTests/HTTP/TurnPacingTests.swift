@testable import CoachService
import Testing

@Suite("The pace of the connections' thread")
struct TurnPacingTests {
  /// How long it rests in all, and how many turns there are, when requests come evenly for a second.
  private func second(of requestsPerSecond: Int, _ pacing: inout TurnPacing, from start: Int64) -> (
    rest: Int64, turns: Int
  ) {
    let between = 1_000_000_000 / Int64(requestsPerSecond)
    var now = start
    var taken = 0
    var rest: Int64 = 0
    var turns = 0
    while taken < requestsPerSecond {
      // The thread waits until the next one has come, and takes all that have.
      now = max(now, start + Int64(taken) * between)
      let come = min(requestsPerSecond, Int((now - start) / between) + 1)
      let begin = now
      now += 20_000
      let pause = pacing.rest(afterTurnWith: come - taken, from: begin, now: now)
      #expect(pause <= TurnPacing.turnNanoseconds)
      now += pause
      rest += pause
      taken = come
      turns += 1
    }
    return (rest, turns)
  }

  @Test("Few requests are each taken at once", arguments: [1, 10, 100, 900])
  func few(requestsPerSecond: Int) {
    var pacing = TurnPacing()
    let (rest, turns) = second(of: requestsPerSecond, &pacing, from: 1_000_000_000)
    #expect(rest == 0)
    #expect(turns == requestsPerSecond)
  }

  @Test("Many are taken together, some each four milliseconds", arguments: [2_000, 9_000, 20_000])
  func many(requestsPerSecond: Int) {
    var pacing = TurnPacing()
    let (rest, turns) = second(of: requestsPerSecond, &pacing, from: 1_000_000_000)
    #expect(rest > 900_000_000)
    #expect(turns < 400)
    // When it is quiet again nobody waits.
    let later = second(of: 100, &pacing, from: 3_000_000_000)
    #expect(later.rest == 0)
  }

  @Test("A turn that only sends is followed by the next at once, and one that took long, too")
  func sending() {
    var pacing = TurnPacing()
    let first = pacing.rest(afterTurnWith: 1_000, from: 0, now: 50_000)
    #expect(first == TurnPacing.turnNanoseconds - 50_000)
    let sending = pacing.rest(afterTurnWith: 0, from: 100_000, now: 150_000)
    #expect(sending == 0)
    let long = pacing.rest(afterTurnWith: 1, from: 200_000, now: 9_000_000)
    #expect(long == 0)
  }
}
