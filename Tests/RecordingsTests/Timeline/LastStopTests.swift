@testable import Recordings
import TestSupport
import Testing
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("A stop of the timer that no start follows")
struct LastStopTests {
  private enum Item {
    case records(Range<Int>, each: Int = 1)
    case stop(Int, type: Int = 4)
    case start(Int)
    case session(elapsed: Int, timer: Int)
    case lap(from: Int, elapsed: Int, timer: Int)
  }

  /// The facts of a file whose messages stand in this order.
  private func facts(_ items: [Item]) throws -> RecordingFacts {
    var builder = FITBuilder()
    builder.define(0, message: FIT.record, [FIT.time, FIT.heartRate])
    builder.define(
      1, message: FIT.event, [FIT.time, FITBuilder.Field(0, .enumeration), FITBuilder.Field(1, .enumeration)])
    let timing = [FIT.time, FITBuilder.Field(2, .uint32), FITBuilder.Field(7, .uint32), FITBuilder.Field(8, .uint32)]
    builder.define(2, message: FIT.session, timing)
    builder.define(3, message: FIT.lap, timing)
    func state(_ local: Int, _ from: Int, _ elapsed: Int, _ timer: Int) {
      builder.message(
        local,
        [
          .integer(FIT.start + from + elapsed), .integer(FIT.start + from), .integer(elapsed * 1_000),
          .integer(timer * 1_000),
        ])
    }
    for item in items {
      switch item {
      case .records(let seconds, let step):
        for second in stride(from: seconds.lowerBound, to: seconds.upperBound, by: step) {
          builder.message(0, [.integer(FIT.start + second), .integer(second < 100 ? 130 : 90)])
        }
      case .stop(let second, let type): builder.message(1, [.integer(FIT.start + second), 0, .integer(type)])
      case .start(let second): builder.message(1, [.integer(FIT.start + second), 0, 0])
      case .session(let elapsed, let timer): state(2, 0, elapsed, timer)
      case .lap(let from, let elapsed, let timer): state(3, from, elapsed, timer)
      }
    }
    return try Recording(bytes: builder.file(), name: "run.fit").facts
  }

  private func pauses(_ items: [Item]) throws -> [[Double]] {
    try facts(items).pauses.map { [$0.from.seconds, $0.until.seconds] }
  }

  @Test("ends the active time, as the file states it or where it states nothing")
  func ends() throws {
    let run: [Item] = [.start(0), .records(0..<100), .stop(100), .records(101..<200)]
    #expect(try pauses(run) == [[100, 199]])
    #expect(try pauses(run + [.session(elapsed: 100, timer: 100)]) == [[100, 199]])
    #expect(try pauses(run + [.session(elapsed: 199, timer: 100)]) == [[100, 199]])
    #expect(try pauses(run + [.lap(from: 0, elapsed: 100, timer: 100)]) == [[100, 199]])
    #expect(try facts(run).elapsed == .seconds(199), "nothing is left out")
    #expect(try facts(run).heartRate?.statistics.count == 199)
  }

  @Test("is the first of several, as where a device pauses by itself before it is stopped")
  func autoPause() throws {
    let run: [Item] = [.start(0), .records(0..<100), .stop(100, type: 1), .records(101..<160), .stop(160), .stop(161)]
    #expect(try pauses(run) == [[100, 159]])
    #expect(try pauses(run + [.session(elapsed: 160, timer: 100)]) == [[100, 159]])
  }

  @Test("comes after pauses that were ended")
  func afterPauses() throws {
    let run: [Item] = [
      .start(0), .records(0..<40), .stop(40), .start(60), .records(60..<100), .stop(100), .records(101..<130),
      .session(elapsed: 100, timer: 80),
    ]
    #expect(try pauses(run) == [[40, 60], [100, 129]])
  }

  @Test("at the end, or two seconds before it, is no pause")
  func atTheEnd() throws {
    #expect(try pauses([.start(0), .records(0..<101), .stop(100)]) == [])
    #expect(try pauses([.start(0), .records(0..<101), .stop(105)]) == [])
    #expect(try pauses([.start(0), .records(0..<101), .stop(98)]) == [])
    #expect(try pauses([.start(0), .records(0..<101), .stop(97)]) == [[97, 100]])
  }

  @Test("whose start is lost ends nothing where the file states that the timer went on")
  func lostStart() throws {
    let gap: [Item] = [.start(0), .records(0..<100), .stop(100), .records(130..<300), .stop(300)]
    #expect(try pauses(gap + [.session(elapsed: 300, timer: 270)]) == [[100, 130]])
    #expect(
      try pauses(gap + [.lap(from: 0, elapsed: 100, timer: 100), .lap(from: 100, elapsed: 200, timer: 170)])
        == [[100, 130]])
    #expect(try pauses(gap) == [[100, 130]], "nothing states it, but the records begin again")
    let even: [Item] = [.start(0), .records(0..<100), .stop(100), .records(100..<300)]
    #expect(try pauses(even + [.session(elapsed: 300, timer: 299)]) == [])
    let sparse: [Item] = [.start(0), .records(0..<100, each: 10), .stop(95), .records(100..<300, each: 10)]
    #expect(try pauses(sparse) == [[95, 290]], "a gap as there are others shows no pause")
  }

  @Test("before the first record ends nothing")
  func beforeAll() throws {
    #expect(try pauses([.stop(-5), .records(0..<60)]) == [])
    #expect(try pauses([.stop(0), .records(0..<60)]) == [])
  }
}
