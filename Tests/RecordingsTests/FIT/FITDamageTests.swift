@testable import Recordings
import TestSupport
import Testing
@testable import WorkoutTestSupport

@Suite("Damaged FIT files")
struct FITDamageTests {
  /// Two files in a row with everything that the decoder knows.
  static let rich: [UInt8] = {
    var builder = FITBuilder()
    builder.define(
      3, message: FIT.fileID,
      [FITBuilder.Field(1, .uint16), FITBuilder.Field(2, .uint16), FITBuilder.Field(8, .string, count: 12)])
    builder.message(3, [1, 2_697, nil])
    builder.define(
      4, message: FIT.fieldDescription,
      [
        FITBuilder.Field(0, .uint8), FITBuilder.Field(1, .uint8), FITBuilder.Field(2, .uint8),
        FITBuilder.Field(14, .uint16), FITBuilder.Field(15, .uint8),
      ])
    builder.message(4, [0, 1, 2, 20, 3])
    builder.define(
      1, message: FIT.event, [FIT.time, FITBuilder.Field(0, .enumeration), FITBuilder.Field(1, .enumeration)])
    builder.message(1, [.integer(FIT.start), 0, 0])
    builder.define(
      0, message: FIT.record, isBigEndian: true,
      [
        FIT.time, FITBuilder.Field(0, .sint32), FITBuilder.Field(1, .sint32), FITBuilder.Field(5, .uint32),
        FIT.heartRate,
        FITBuilder.Field(4, .uint8), FITBuilder.Field(78, .uint32), FITBuilder.Field(1, .uint8, developer: 0),
      ])
    builder.define(2, message: FIT.record, [FIT.heartRate, FITBuilder.Field(8, .byte, count: 3)])
    for index in 0..<8 {
      builder.message(
        0,
        [
          .integer(FIT.start + 2 * index), 600_000_000, 100_000_000, .integer(500 * index), index % 3 == 0 ? nil : 120,
          80, 3_000, 125,
        ])
      builder.message(2, timeOffset: (FIT.start + 2 * index + 1) & 31, [130, [1, 2, .integer(index)]])
    }
    builder.define(5, message: FIT.hr, [FIT.time, FITBuilder.Field(9, .uint32), FITBuilder.Field(6, .uint8)])
    builder.message(5, [.integer(FIT.start), 1_000, 90])
    builder.define(6, message: FIT.lap, [FIT.time])
    builder.message(6, [.integer(FIT.start + 20)])
    builder.define(
      7, message: FIT.session, [FIT.time, FITBuilder.Field(5, .enumeration), FITBuilder.Field(9, .uint32)])
    builder.message(7, [.integer(FIT.start + 20), 1, 4_000])
    return builder.file() + FIT.records([140, 141], from: FIT.start + 500).file(.short)
  }()

  @Test("a file cut at any byte gives everything before the cut")
  func truncation() {
    let whole = FITReading(Self.rich).points.map(\.time)
    #expect(FITReading(Self.rich).warnings == [])
    var most = 0
    for count in 0..<Self.rich.count {
      let reading = FITReading(Array(Self.rich[0..<count]))
      guard count >= 12 else {
        #expect(reading.problem != nil, "cut at \(count)")
        continue
      }
      #expect(reading.problem == nil, "cut at \(count)")
      let times = reading.points.map(\.time)
      #expect(times == Array(whole.prefix(times.count)), "cut at \(count)")
      #expect(times.count >= most, "cut at \(count)")
      most = max(most, times.count)
      let firstFile = Self.rich.count - (FIT.records([140, 141]).data.count + 14)
      if count < firstFile || count >= firstFile + 12 {
        #expect(reading.warnings.contains("truncated byte \(count)"), "cut at \(count)")
      } else if count > firstFile {
        #expect(reading.warnings == ["unreadableBytes byte \(firstFile)"], "cut at \(count)")
      }
    }
    #expect(most == whole.count)
  }

  @Test("the pieces in which bytes come do not matter, also of damaged files", arguments: [1, 2, 3, 7, 13, 100])
  func pieces(size: Int) {
    #expect(FITReading(Self.rich, pieces: size).difference(from: FITReading(Self.rich)) == nil)
    for seed in 0..<200 {
      let bytes = damaged(seed: UInt64(seed))
      #expect(FITReading(bytes, pieces: size).difference(from: FITReading(bytes)) == nil, "seed \(seed)")
    }
  }

  @Test("thousands of changed files are read to their end")
  func flips() {
    for seed in 0..<6_000 {
      let bytes = damaged(seed: UInt64(seed))
      let reading = FITReading(bytes, pieces: 1 + seed % 300)
      // Whatever is damaged, no more is emitted than the bytes can hold, and every time can be written.
      #expect(reading.items.count <= 2 * bytes.count, "seed \(seed)")
      #expect(reading.points.allSatisfy { $0.time >= 0 }, "seed \(seed)")
    }
  }

  @Test("bytes in the middle that are no message cost only themselves")
  func resynchronised() {
    for junk in [[0x0F, 1, 2, 3], [0x05], [UInt8](repeating: 0x0B, count: 50), [0x4F, 0, 9, 9, 9, 9]] as [[UInt8]] {
      var builder = FIT.records([100, 101, 102])
      builder.raw(junk)
      builder.message(0, [.integer(FIT.start + 3), 103])
      builder.message(0, [.integer(FIT.start + 4), 104])
      let reading = FITReading(builder.file())
      #expect(reading.heartRates == [100, 101, 102, 103, 104], "\(junk)")
      #expect(reading.warnings == ["unreadableBytes byte \(14 + 12 + 18)"], "\(junk)")
    }
  }

  @Test("behind lost messages a new definition is found")
  func newDefinition() {
    var builder = FITBuilder()
    builder.raw([0x03, 7, 7, 7, 7])
    builder.define(0, message: FIT.record, [FIT.time, FIT.heartRate])
    builder.message(0, [.integer(FIT.start), 103])
    let reading = FITReading(builder.file())
    #expect(reading.heartRates == [103])
    #expect(reading.warnings == ["unreadableBytes byte 14"])
  }

  @Test("a file that is cut short before another one costs nothing of the other")
  func cutBeforeAnother() {
    let first = FIT.records([100, 101, 102]).file()
    let second = FIT.records([110, 111]).file()
    let reading = FITReading(Array(first.dropLast(5)) + second)
    #expect(reading.heartRates.suffix(2) == [110, 111])
    #expect(reading.heartRates.prefix(2) == [100, 101])
  }

  /// The rich file with a few bytes or bits changed, left out or put in.
  private func damaged(seed: UInt64) -> [UInt8] {
    var random = SplitMix64(seed: seed)
    var bytes = Self.rich
    for _ in 0..<random.int(1...4) {
      let index = random.int(0...bytes.count - 1)
      switch random.int(0...4) {
      case 0: bytes.remove(at: index)
      case 1: bytes.insert(UInt8(random.int(0...255)), at: index)
      case 2: bytes[index] = UInt8(random.int(0...255))
      default: bytes[index] ^= 1 << UInt8(random.int(0...7))
      }
    }
    return bytes
  }
}
