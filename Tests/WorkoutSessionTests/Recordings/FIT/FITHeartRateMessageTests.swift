import TestSupport
import Testing
import WorkoutSession

@Suite("Heart rates apart from the records of a FIT file")
struct FITHeartRateMessageTests {
  /// A file with records, an anchor of the strap's clock at `ticks`, and eight packed heart rates.
  private func file(recordHeartRate: FITBuilder.Value, ticks: Int = 4_000) -> [UInt8] {
    var builder = FIT.records([recordHeartRate, recordHeartRate])
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

  @Test("they are told when no record has one, each at its time", arguments: [4_000, 0xFFFF_FF00])
  func told(ticks: Int) {
    let reading = FITReading(file(recordHeartRate: nil, ticks: ticks))
    #expect(reading.heartRates == [90, 91, 92, 93, 94, 95, 96, 97])
    let times = reading.points.filter { !$0.heartRate.isNaN }.map(\.time)
    #expect(times == (0...7).map { FIT.wall(FIT.start) + 500_000_000 + Int64($0) * 500_000_000 })
    #expect(reading.warnings.map { $0.prefix(23) } == ["heartRateFromHrMessages"])
  }

  @Test("they are told when all records have 0")
  func zeros() { #expect(FITReading(file(recordHeartRate: 0)).heartRates.count == 10) }

  @Test("they are left out when the records have heart rates")
  func merged() {
    let reading = FITReading(file(recordHeartRate: 130))
    #expect(reading.heartRates == [130, 130])
    #expect(reading.warnings == [])
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
