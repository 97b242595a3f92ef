@testable import Recordings
import TestSupport
import Testing
@testable import WorkoutTestSupport

@Suite("Heart rates apart from the records of a FIT file")
struct FITHeartRateMessageTests {
  /// A file with records, a session of five seconds, an anchor of the strap's clock at `ticks`, and eight packed heart
  /// rates.
  private func file(recordHeartRate: FITBuilder.Value, ticks: Int = 4_000) -> [UInt8] {
    var builder = FIT.records([recordHeartRate, recordHeartRate])
    builder.define(3, message: FIT.session, [FIT.time, FITBuilder.Field(2, .uint32), FITBuilder.Field(7, .uint32)])
    builder.message(3, [.integer(FIT.start + 9), .integer(FIT.start), 5_000])
    builder.define(
      1, message: FIT.hr,
      [FIT.time, FITBuilder.Field(0, .uint16), FITBuilder.Field(9, .uint32), FITBuilder.Field(6, .uint8)])
    builder.message(1, [.integer(FIT.start), 16_384, .integer(ticks), 90])
    builder.define(2, message: FIT.hr, [FITBuilder.Field(10, .byte, count: 12), FITBuilder.Field(6, .uint8, count: 8)])
    // Half a second apart each.
    let low = (1...8).map { (ticks + 512 * $0) & 0xFFF }
    var packed: [FITBuilder.Value] = []
    for pair in 0..<4 {
      let bits = low[2 * pair] | low[2 * pair + 1] << 12
      packed += [.integer(bits & 0xFF), .integer(bits >> 8 & 0xFF), .integer(bits >> 16)]
    }
    builder.message(2, [.list(packed), [91, 92, 93, 94, 95, 96, 97, nil]])
    return builder.file()
  }

  @Test("they are emitted when no record has one, each at its time", arguments: [4_000, 0xFFFF_FF00])
  func emitted(ticks: Int) {
    let recording = DecodedRecording(finishing: file(recordHeartRate: nil, ticks: ticks))
    let points = recording.activities.flatMap(\.points).filter { !$0.heartRate.isNaN }
    #expect(points.map(\.heartRate) == [90, 91, 92, 93, 94, 95, 96, 97])
    #expect(points.map(\.time) == (0...7).map { FIT.wall(FIT.start) + 500_000_000 + Int64($0) * 500_000_000 })
    #expect(recording.warnings.all.map(\.kind) == [.heartRateFromHrMessages])
    #expect(recording.warnings.all.first?.detail == "8 heart rates")
  }

  @Test("they are emitted when all records have 0")
  func zeros() {
    let recording = DecodedRecording(finishing: file(recordHeartRate: 0))
    #expect(recording.activities.flatMap(\.points).count { !$0.heartRate.isNaN } == 10)
  }

  @Test("they are left out when the records have heart rates")
  func merged() {
    let recording = DecodedRecording(finishing: file(recordHeartRate: 130))
    #expect(recording.activities.flatMap(\.points).map(\.heartRate) == [130, 130])
    #expect(recording.warnings.all == [])
  }

  @Test("without a tie to the time of day they are left out with a warning")
  func noAnchor() {
    var builder = FITBuilder()
    builder.define(2, message: FIT.hr, [FITBuilder.Field(10, .byte, count: 3), FITBuilder.Field(6, .uint8, count: 2)])
    builder.message(2, [[1, 2, 3], [100, 101]])
    let reading = FITReading(builder.file())
    #expect(reading.points.isEmpty)
    #expect(reading.warnings.map { $0.prefix(13) } == ["unreadableRow"])
  }
}
