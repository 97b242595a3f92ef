@testable import Recordings
import TestSupport
import Testing
import TextFormats
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("The clock of a FIT file")
struct FITClockTests {
  private static let seconds = 120

  /// A run of two minutes with a pause and a lap, whose records have the given timestamps.
  private func run(_ timestamps: [Int], stop: Int? = FIT.start + 40, trailing: Int = 0) -> [UInt8] {
    var builder = FITBuilder()
    builder.define(0, message: FIT.record, [FIT.time, FIT.heartRate])
    builder.define(
      1, message: FIT.event, [FIT.time, FITBuilder.Field(0, .enumeration), FITBuilder.Field(1, .enumeration)])
    builder.define(2, message: FIT.lap, [FIT.time])
    for (index, timestamp) in timestamps.enumerated() {
      builder.message(0, [.integer(timestamp), .integer(120 + index % 7)])
    }
    if let stop {
      builder.message(1, [.integer(stop), 0, 4])
      builder.message(1, [.integer(stop + 10), 0, 0])
    }
    builder.message(2, [.integer((stop ?? FIT.start) + 60)])
    return builder.file() + [UInt8](repeating: 0, count: trailing)
  }

  private func recording(_ bytes: [UInt8]) throws -> Recording { try Recording(bytes: bytes, name: "run.fit") }

  private func pauses(_ facts: RecordingFacts) -> [[Double]] {
    facts.pauses.map { [$0.from.seconds, $0.until.seconds] }
  }

  private func warnings(_ facts: RecordingFacts) -> [String] {
    facts.warnings.map { "\($0.kind) \($0.position) \($0.count)" }
  }

  @Test(
    "is not changed by one or two records with a damaged time, wherever they stand",
    arguments: [[0], [60], [118], [119], [0, 1], [30, 90], [118, 119]], [0, 12_345])
  func strays(places: [Int], stray: Int) throws {
    var timestamps = (0..<Self.seconds).map { FIT.start + $0 }
    for place in places { timestamps[place] = stray + place }
    let bytes = run(timestamps)
    let facts = try recording(bytes).facts
    let (first, last) = (timestamps.filter { $0 >= FIT.start }.min(), timestamps.max())
    #expect(facts.start?.nanoseconds == first.map(FIT.wall))
    #expect(facts.elapsed == .seconds((last ?? 0) - (first ?? 0)))
    #expect(facts.heartRate?.statistics.count == Self.seconds - places.count)
    let from = Double(FIT.start + 40 - (first ?? 0))
    #expect(pauses(facts) == [[from, from + 10]])
    #expect(warnings(facts) == ["implausibleTime second \(stray + places[0]) \(places.count)"])
    #expect(FITReading(bytes).emitted.last == "lap \(FIT.start + FIT.epoch + 100)", "what follows is on the same clock")
  }

  @Test("is not changed by a tail of zeros, which is read as records of the instant 0", arguments: [6, 60, 6_000])
  func zeroTail(count: Int) throws {
    var builder = FIT.records((0..<60).map { .integer(120 + $0 % 7) })
    builder.raw([UInt8](repeating: 0, count: count))
    let facts = try recording(builder.file()).facts
    #expect(facts.start?.nanoseconds == FIT.wall(FIT.start))
    #expect(facts.elapsed == .seconds(59))
    #expect(warnings(facts) == ["implausibleTime second 0 \(count / 6)"])
  }

  @Test("of records since the device was switched on is placed before the first time of the day")
  func setLate() throws {
    let early = (0..<60).map { 5_000 + $0 }
    let bytes = run(early + (60..<Self.seconds).map { FIT.start + $0 }, stop: 5_020)
    // Such an event after records of the day has no place: here it stands behind them.
    #expect(try recording(bytes).facts.pauses.isEmpty)
    var builder = FITBuilder()
    builder.define(
      1, message: FIT.event, [FIT.time, FITBuilder.Field(0, .enumeration), FITBuilder.Field(1, .enumeration)])
    builder.define(0, message: FIT.record, [FIT.time, FIT.heartRate])
    builder.message(1, [.integer(4_999), 0, 0])
    for (index, timestamp) in (early + (60..<Self.seconds).map { FIT.start + $0 }).enumerated() {
      if index == 21 { builder.message(1, [5_020, 0, 4]) }
      if index == 30 { builder.message(1, [5_030, 0, 0]) }
      builder.message(0, [.integer(timestamp), .integer(120 + index % 7)])
    }
    let facts = try recording(builder.file()).facts
    #expect(facts.start?.nanoseconds == FIT.wall(FIT.start))
    #expect(facts.elapsed == .seconds(Self.seconds - 1))
    #expect(facts.heartRate?.statistics.count == Self.seconds)
    #expect(pauses(facts) == [[20, 30]])
    let set = WallClockTime(nanoseconds: FIT.wall(FIT.start + 60))
    #expect(warnings(facts) == ["clockSetLate time \(set) 60"])
  }

  @Test("that was never set stays so where one or two records have a damaged time")
  func neverSet() throws {
    for places in [[0], [60], [119], [30, 90]] {
      var timestamps = (0..<Self.seconds).map { 5_000 + $0 }
      for place in places { timestamps[place] = FIT.start + 3 * place }
      let bytes = run(timestamps, stop: 5_040)
      let facts = try recording(bytes).facts
      #expect(facts.start == nil, "\(places)")
      let kept = timestamps.filter { $0 < FIT.start }
      #expect(facts.elapsed == .seconds((kept.max() ?? 0) - (kept.min() ?? 0)), "\(places)")
      #expect(facts.heartRate?.statistics.count == Self.seconds - places.count, "\(places)")
      #expect(facts.pauses.count == 1, "\(places)")
      #expect(facts.warnings.map(\.kind) == [.clockNeverSet, .implausibleTime], "\(places)")
      #expect(FITReading(bytes).emitted.contains("lap 5100"), "\(places)")
    }
  }

  @Test("is that of each of several files in a row", arguments: [false, true])
  func chained(isRelativeFirst: Bool) throws {
    let wall = run((0..<Self.seconds).map { FIT.start + $0 })
    let relative = run((0..<60).map { 5_000 + $0 }, stop: nil)
    let chain = try recording(isRelativeFirst ? relative + wall : wall + relative)
    #expect(chain.facts.start?.nanoseconds == FIT.wall(FIT.start))
    #expect(chain.facts.elapsed == .seconds(Self.seconds - 1 + 60))
    #expect(chain.facts.heartRate?.statistics.count == Self.seconds + 60)
    #expect(pauses(chain.facts) == [[40, 50], [119, 120]])
    #expect(chain.activities.map(\.startTime) == [WallClockTime(nanoseconds: FIT.wall(FIT.start)), nil])
    #expect(chain.activities.map(\.start) == [.zero, .seconds(Self.seconds)])
    var starts: [WallClockTime?] = []
    try chain.forEachActivity(chain.activities) { activity, alone in
      starts.append(alone.facts.start)
      #expect(alone.facts.elapsed == .seconds(activity.number == 1 ? Self.seconds - 1 : 59))
    }
    #expect(starts == [chain.facts.start, nil])
    #expect(chain.facts.warnings.contains { $0.kind == .clockNeverSet })
  }

  /// A run whose records have compressed timestamps, but for the seconds given, whose full ones are off by so many seconds.
  private func run(compressedBut full: [Int: Int]) -> [UInt8] {
    var builder = FITBuilder()
    builder.define(0, message: FIT.record, [FIT.time, FIT.heartRate])
    builder.define(1, message: FIT.record, [FIT.heartRate])
    for second in 0..<100 {
      if let shift = full[second] {
        builder.message(0, [.integer(FIT.start + second + shift), .integer(120 + second % 7)])
      } else {
        builder.message(1, timeOffset: (FIT.start + second) & 31, [.integer(120 + second % 7)])
      }
    }
    return builder.file()
  }

  @Test("of compressed timestamps behind a damaged one is that of the times before, once a later one is back there")
  func compressedBehindDamage() throws {
    let seconds = (0..<100).map { FIT.wall(FIT.start + $0) }
    for flip in [1 << 12, -(1 << 12), 1 << 24, -(1 << 24)] {
      let recording = DecodedRecording(finishing: run(compressedBut: [0: 0, 30: flip, 60: 0]))
      #expect(recording.activities.flatMap(\.points).map(\.time) == seconds, "\(flip)")
      #expect(recording.warnings.all.map(\.kind) == [.unreadableValue], "\(flip)")
      #expect(recording.warnings.all.first?.detail == "a time that others go on from")
      let again = DecodedRecording(finishing: run(compressedBut: [0: 0, 20: flip, 40: 0, 60: flip, 80: 0]))
      #expect(again.activities.flatMap(\.points).map(\.time) == seconds, "\(flip)")
    }
    // Where nothing is back, a time far from the others may be the time of the day, as behind a pause.
    let pause = DecodedRecording(finishing: run(compressedBut: [0: 0, 30: 7_200, 60: 7_200]))
    let expected = (0..<100).map { FIT.wall(FIT.start + $0 + ($0 < 30 ? 0 : 7_200)) }
    #expect(pause.activities.flatMap(\.points).map(\.time) == expected)
    #expect(pause.warnings.all.isEmpty)
    let toTheEnd = DecodedRecording(finishing: run(compressedBut: [0: 0, 30: 7_200]))
    #expect(toTheEnd.activities.flatMap(\.points).map(\.time) == expected)
  }

  @Test("of compressed timestamps goes on from the last one that is of the file")
  func compressed() {
    var builder = FITBuilder()
    builder.define(0, message: FIT.record, [FIT.time, FIT.heartRate])
    builder.define(1, message: FIT.record, [FIT.heartRate])
    for second in 0..<4 { builder.message(0, [.integer(FIT.start + second), 120]) }
    builder.message(0, [77, 121])
    builder.message(1, timeOffset: (FIT.start + 5) & 31, [122])
    let reading = FITReading(builder.file())
    #expect(reading.points.last?.time == FIT.wall(FIT.start + 5))
  }
}
