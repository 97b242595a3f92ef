@testable import Recordings
import TestSupport
import Testing
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("Stops and starts of the timer whose times are damaged")
struct StrayTimerEventsTests {
  /// A flipped bit: more than half a year.
  private static let flip = 1 << 24

  /// A run of five minutes that pauses from second 100 to 160, with the events in their places among the records.
  private func facts(
    _ events: [(place: Int, second: Int, isStop: Bool)], records: [Range<Int>] = [0..<100, 160..<300]
  ) throws -> RecordingFacts {
    var builder = FITBuilder()
    builder.define(0, message: FIT.record, [FIT.time, FIT.heartRate])
    builder.define(
      1, message: FIT.event, [FIT.time, FITBuilder.Field(0, .enumeration), FITBuilder.Field(1, .enumeration)])
    func write(_ place: Int) {
      for event in events where event.place == place {
        builder.message(1, [.integer(FIT.start + event.second), 0, .integer(event.isStop ? 4 : 0)])
      }
    }
    for second in records.joined() {
      write(second)
      builder.message(0, [.integer(FIT.start + second), .integer(120 + second % 9)])
    }
    write(.max)
    return try Recording(bytes: builder.file(), name: "run.fit").facts
  }

  private func pauses(_ facts: RecordingFacts) -> [[Double]] {
    facts.pauses.map { [$0.from.seconds, $0.until.seconds] }
  }

  @Test(
    "have the times of the records beside them, so that they make no pause of all that follows, and a warning counts them"
  )
  func damaged() throws {
    let clean = try facts([(0, 0, false), (160, 100, true), (160, 160, false), (.max, 300, true)])
    #expect(pauses(clean) == [[100, 160]])
    #expect(clean.warnings.isEmpty)
    for flip in [Self.flip, -Self.flip] {
      let start = try facts([(0, 0, false), (160, 100, true), (160, 160 + flip, false), (.max, 300, true)])
      #expect(pauses(start) == [[100, 160]], "\(flip)")
      // The last record before it is at 99.
      let stop = try facts([(0, 0, false), (160, 100 + flip, true), (160, 160, false), (.max, 300, true)])
      #expect(pauses(stop) == [[99, 160]], "\(flip)")
      for odd in [start, stop] {
        #expect(odd.elapsed == clean.elapsed)
        #expect(odd.heartRate?.statistics == clean.heartRate?.statistics)
        #expect(odd.warnings.map(\.kind) == [.unreadableValue], "\(flip)")
        #expect(odd.warnings.first?.detail == "the time of an event of the timer")
        #expect(odd.warnings.first?.position.hasPrefix("time ") == true)
      }
    }
  }

  @Test("are none that lie hours from each other beside records, at the ends, or behind all records")
  func genuine() throws {
    let hours = try facts(
      [(0, 0, false), (8_000, 100, true), (8_000, 8_000, false), (.max, 8_300 + 20_000, true)],
      records: [0..<100, 8_000..<8_300])
    #expect(pauses(hours) == [[100, 8_000]])
    #expect(hours.warnings.isEmpty)
    let early = try facts([(0, -20_000, false), (160, 100, true), (160, 160, false)])
    #expect(pauses(early) == [[100, 160]])
    #expect(early.warnings.isEmpty)
    // Programs that convert files write all events behind all records.
    let behind = try facts(
      [(.max, 0, false), (.max, 100, true), (.max, 20_000, false)], records: [0..<100, 20_000..<20_200])
    #expect(pauses(behind) == [[100, 20_000]])
    #expect(behind.warnings.isEmpty)
  }

  @Test("stay as they are where there are more than a tenth of the records")
  func many() throws {
    let few = try facts(
      [(0, 0, false), (5, 4 + Self.flip, true), (5, 5, false), (7, 6 + Self.flip, true)], records: [0..<15])
    #expect(few.warnings.allSatisfy { $0.kind != .unreadableValue })
  }
}
