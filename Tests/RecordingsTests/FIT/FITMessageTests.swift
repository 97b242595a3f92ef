import Recordings
import TestSupport
import Testing
@testable import WorkoutTestSupport

@Suite("What FIT messages hold")
struct FITMessageTests {
  /// One record of fields with values, decoded.
  private func record(
    _ fields: [(FITBuilder.Field, FITBuilder.Value)], isBigEndian: Bool = false
  ) throws -> RecordedPoint {
    var builder = FITBuilder()
    builder.define(0, message: FIT.record, isBigEndian: isBigEndian, [FIT.time] + fields.map(\.0))
    builder.message(0, [.integer(FIT.start)] + fields.map(\.1))
    let reading = FITReading(builder.file())
    #expect(reading.warnings == [])
    return try #require(reading.points.first)
  }

  @Test("a record holds everything that was measured, in either order of bytes", arguments: [false, true])
  func everything(isBigEndian: Bool) throws {
    let point = try record(
      [
        (FITBuilder.Field(0, .sint32), 536_870_912), (FITBuilder.Field(1, .sint32), -1_073_741_824),
        (FITBuilder.Field(2, .uint16), 2_555), (FITBuilder.Field(3, .uint8), 142), (FITBuilder.Field(4, .uint8), 85),
        (FITBuilder.Field(53, .uint8), 64), (FITBuilder.Field(5, .uint32), 123_456),
        (FITBuilder.Field(6, .uint16), 3_250),
        (FITBuilder.Field(31, .uint8), 4), (FITBuilder.Field(19, .uint32), 1_000),
      ], isBigEndian: isBigEndian)
    #expect(point.time == FIT.wall(FIT.start))
    #expect(point.latitude == 45)
    #expect(point.longitude == -90)
    #expect(point.altitude == 11)
    #expect(point.heartRate == 142)
    #expect(point.cadence == 171)
    #expect(point.distance == 1_234.56)
    #expect(point.speed == 3.25)
    #expect(point.horizontalAccuracy == 4)
    #expect(point.steps == 2_000)
  }

  @Test("an enhanced field wins over the plain one, unless it has no value")
  func enhanced() throws {
    let fields = [
      FITBuilder.Field(2, .uint16), FITBuilder.Field(78, .uint32), FITBuilder.Field(6, .uint16),
      FITBuilder.Field(73, .uint32),
    ]
    let both = try record(Array(zip(fields, [2_500, 3_000, 1_000, 70_000])))
    #expect(both.altitude == 100)
    #expect(both.speed == 70)
    let plain = try record(Array(zip(fields, [2_600, nil, 1_500, nil])))
    #expect(plain.altitude == 20)
    #expect(plain.speed == 1.5)
  }

  @Test("the mark for no value is absence; 0 beats a minute stay 0")
  func absence() throws {
    let none = try record([
      (FIT.heartRate, nil), (FITBuilder.Field(0, .sint32), nil), (FITBuilder.Field(4, .uint8), nil),
      (FITBuilder.Field(5, .uint32), nil), (FITBuilder.Field(6, .uint16), nil), (FITBuilder.Field(31, .uint8), nil),
      (FITBuilder.Field(2, .uint16), nil),
    ])
    #expect(none.heartRate.isNaN)
    #expect(none.latitude.isNaN)
    #expect(none.cadence.isNaN)
    #expect(none.distance.isNaN)
    #expect(none.speed.isNaN)
    #expect(none.altitude.isNaN)
    #expect(none.horizontalAccuracy.isNaN)
    #expect(none.steps.isNaN)
    #expect(try record([(FIT.heartRate, 0)]).heartRate == 0)
  }

  @Test("a number may come in any base type", arguments: FITBuilder.BaseType.allCases, [false, true])
  func baseTypes(type: FITBuilder.BaseType, isBigEndian: Bool) throws {
    let field = FITBuilder.Field(3, type, count: type == .string ? 4 : 2)
    let present = try record([(field, type == .string ? "120" : [120, 121])], isBigEndian: isBigEndian)
    if type == .string { #expect(present.heartRate.isNaN) } else { #expect(present.heartRate == 120) }
    #expect(try record([(field, nil)], isBigEndian: isBigEndian).heartRate.isNaN)
  }

  @Test(
    "negative numbers keep their sign", arguments: [FITBuilder.BaseType.sint8, .sint16, .sint32, .sint64, .float32])
  func signs(type: FITBuilder.BaseType) throws {
    #expect(try record([(FITBuilder.Field(0, type), -64)], isBigEndian: true).latitude == -64.0 * 180 / 2_147_483_648)
  }

  @Test("compressed speed and distance go on where the twelve bits go round")
  func compressedDistance() {
    var builder = FITBuilder()
    builder.define(0, message: FIT.record, [FIT.time, FITBuilder.Field(8, .byte, count: 3)])
    // 2.5 m/s; 250 m, then 3 m further, which is 253 - 0, then round to 260 m.
    for (index, sixteenths) in [4_000, 4_048, 64].enumerated() {
      let bits = 250 | sixteenths << 12
      builder.message(
        0, [.integer(FIT.start + index), [.integer(bits & 0xFF), .integer(bits >> 8 & 0xFF), .integer(bits >> 16)]])
    }
    builder.message(0, [.integer(FIT.start + 3), nil])
    let points = FITReading(builder.file()).points
    #expect(points.prefix(3).map(\.distance) == [250, 253, 260])
    #expect(points.first?.speed == 2.5)
    #expect(points.last?.distance.isNaN == true)
  }

  @Test("the eight bits of cycles are added up to steps")
  func cycles() {
    var builder = FITBuilder()
    builder.define(0, message: FIT.record, [FIT.time, FITBuilder.Field(18, .uint8)])
    for (index, cycles) in [10, 250, 4].enumerated() {
      builder.message(0, [.integer(FIT.start + index), .integer(cycles)])
    }
    #expect(FITReading(builder.file()).points.map(\.steps) == [20, 500, 520])
  }

  @Test("compressed timestamps go on from the last time, also where they go round")
  func compressedTimestamps() {
    var builder = FITBuilder()
    builder.define(0, message: FIT.record, [FIT.time, FIT.heartRate])
    builder.define(1, message: FIT.record, [FIT.heartRate])
    let start = FIT.start - FIT.start % 32
    builder.message(0, [.integer(start + 30), 100])
    builder.message(1, timeOffset: 31, [101])
    builder.message(1, timeOffset: 1, [102])
    builder.message(1, timeOffset: 1, [103])
    builder.message(1, timeOffset: 0, [104])
    let times = FITReading(builder.file()).points.map(\.time)
    #expect(times == [30, 31, 33, 33, 64].map { FIT.wall(start + $0) })
  }

  @Test("a record without any time is left out with a warning")
  func noTime() {
    var builder = FITBuilder()
    builder.define(1, message: FIT.record, [FIT.heartRate])
    builder.message(1, timeOffset: 4, [100])
    builder.message(1, [100])
    let reading = FITReading(builder.file())
    #expect(reading.points.isEmpty)
    #expect(reading.warnings == ["unreadableRow byte 23", "unreadableRow byte 25"])
  }

  @Test("unknown messages, unknown fields and developer fields are read past exactly")
  func readPast() {
    var builder = FITBuilder()
    builder.define(
      0, message: 0xFF00, [FITBuilder.Field(7, .uint64, count: 31), FITBuilder.Field(9, .string, count: 200)])
    builder.define(
      1, message: FIT.record,
      [
        FITBuilder.Field(200, .float64, count: 3), FIT.time, FITBuilder.Field(9, .string, count: 17), FIT.heartRate,
        FITBuilder.Field(3, .uint32, developer: 0), FITBuilder.Field(250, .byte, count: 255, developer: 7),
      ])
    for index in 0..<5 {
      builder.message(0, [])
      builder.message(1, [[1.5, 2.5, 3.5], .integer(FIT.start + index), "hello", .integer(100 + index), 4_000, nil])
    }
    let reading = FITReading(builder.file())
    #expect(reading.heartRates == [100, 101, 102, 103, 104])
    #expect(reading.warnings == [])
  }

  /// A record with a cue and a lap with a step, both in fields of a developer with index 3 that calls itself so.
  private func marked(by application: String) -> FITReading {
    var builder = FITBuilder()
    builder.define(0, message: 207, [FITBuilder.Field(1, .byte, count: 16), FITBuilder.Field(3, .uint8)])
    builder.message(0, [.list(application.utf8.map { .integer(Int($0)) }), 3])
    builder.define(
      1, message: FIT.fieldDescription,
      [FITBuilder.Field(0, .uint8), FITBuilder.Field(1, .uint8), FITBuilder.Field(3, .string, count: 16)])
    builder.message(1, [3, 0, "coach_cue"])
    builder.define(
      2, message: FIT.record,
      [
        FIT.time, FIT.heartRate, FITBuilder.Field(0, .sint8, developer: 3),
        FITBuilder.Field(1, .string, count: 8, developer: 3),
      ])
    builder.message(2, [.integer(FIT.start), 120, 1, "Faster."])
    builder.message(2, [.integer(FIT.start + 1), 121, 5, "No cue."])
    builder.message(2, [.integer(FIT.start + 2), 122, nil, nil])
    builder.define(
      3, message: FIT.lap,
      [
        FIT.time, FITBuilder.Field(2, .uint32), FITBuilder.Field(23, .enumeration), FITBuilder.Field(24, .enumeration),
        FITBuilder.Field(2, .string, count: 12, developer: 3),
      ])
    builder.message(3, [.integer(FIT.start + 2), .integer(FIT.start), 1, 2, "rest 1 of 2"])
    return FITReading(builder.file())
  }

  @Test("cues and steps are read from the fields of coach, whatever their index, and from those of nobody else")
  func marks() {
    let own = marked(by: "coach-fit-fields")
    let cues = own.items.compactMap { item -> String? in
      guard case .cue(let action, let message, let time) = item else { return nil }
      return "\(action) \(message) \(time - FIT.wall(FIT.start))"
    }
    #expect(cues == ["speedUp Faster. 0"])
    let steps = own.items.compactMap { item -> StatedStep? in
      guard case .timed(let span) = item else { return nil }
      return span.step
    }
    #expect(steps.map(\.name) == ["rest 1 of 2"])
    #expect(steps.map(\.kind) == ["rest"])
    #expect(steps.map(\.end) == [.distance])
    #expect(own.points.count == 3)
    #expect(!own.items.contains { if case .unreadField = $0 { true } else { false } })
    let others = marked(by: "other-fit-fields")
    #expect(
      !others.items.contains {
        switch $0 {
        case .cue: true
        case .timed(let span): span.step != nil
        default: false
        }
      })
    #expect(others.items.contains { if case .unreadField("coach_cue") = $0 { true } else { false } })
  }

  @Test("a developer's heart rate counts where the device has none", arguments: [false, true])
  func developerHeartRate(isDescribedLate: Bool) {
    var builder = FITBuilder()
    func describe(_ number: Int, _ field: Int) {
      builder.define(
        2, message: FIT.fieldDescription,
        [
          FITBuilder.Field(0, .uint8), FITBuilder.Field(1, .uint8), FITBuilder.Field(2, .uint8),
          FITBuilder.Field(3, .string, count: 8), FITBuilder.Field(14, .uint16), FITBuilder.Field(15, .uint8),
        ])
      builder.message(2, [1, .integer(number), 0x84, "Pulse", .integer(FIT.record), .integer(field)])
    }
    func define() {
      builder.define(
        0, message: FIT.record, isBigEndian: true,
        [
          FIT.time, FIT.heartRate, FITBuilder.Field(4, .uint16, developer: 1),
          FITBuilder.Field(5, .uint16, developer: 1),
        ])
    }
    if isDescribedLate { define() }
    describe(4, 7)
    describe(5, 3)
    if !isDescribedLate { define() }
    builder.message(0, [.integer(FIT.start), nil, 250, 121])
    builder.message(0, [.integer(FIT.start + 1), 122, 250, 99])
    builder.message(0, [.integer(FIT.start + 2), nil, 250, nil])
    #expect(FITReading(builder.file()).heartRates == [121, 122])
  }

  @Test(
    "a developer's heart rate has the scale and the offset of its description",
    arguments: [(10, 0, 120), (nil, nil, 1_200), (0, nil, 1_200), (4, 20, 280), (10, -5, 125), (255, nil, 1_200)]
      as [(Int?, Int?, Double)])
  func developerScale(scale: Int?, offset: Int?, expected: Double) {
    var builder = FITBuilder()
    builder.define(
      2, message: FIT.fieldDescription,
      [
        FITBuilder.Field(0, .uint8), FITBuilder.Field(1, .uint8), FITBuilder.Field(2, .uint8),
        FITBuilder.Field(6, .uint8), FITBuilder.Field(7, .sint8), FITBuilder.Field(14, .uint16),
        FITBuilder.Field(15, .uint8),
      ])
    builder.message(
      2,
      [
        1, 5, 0x84, scale.map { .integer($0) } ?? nil, offset.map { .integer($0) } ?? nil, .integer(FIT.record), 3,
      ])
    builder.define(0, message: FIT.record, [FIT.time, FIT.heartRate, FITBuilder.Field(5, .uint16, developer: 1)])
    builder.message(0, [.integer(FIT.start), nil, 1_200])
    builder.message(0, [.integer(FIT.start + 1), 131, 1_200])
    #expect(FITReading(builder.file()).heartRates == [expected, 131])
  }

  /// A record of which a developer alone has the values, with the units in which he says that they are.
  private func developed(units: [String?], beside own: [FITBuilder.Field] = [], _ values: [FITBuilder.Value] = [])
    -> FITReading
  {
    let natives: [(field: Int, type: Int, value: FITBuilder.Value)] = [
      (5, 0x88, 250.5), (73, 0x88, 2.5), (4, 0x84, 84), (78, 0x83, 300),
    ]
    var builder = FITBuilder()
    for (number, (native, unit)) in zip(natives, units).enumerated() {
      builder.define(
        2, message: FIT.fieldDescription,
        [
          FITBuilder.Field(0, .uint8), FITBuilder.Field(1, .uint8), FITBuilder.Field(2, .uint8),
          FITBuilder.Field(3, .string, count: 8), FITBuilder.Field(8, .string, count: 12),
          FITBuilder.Field(14, .uint16), FITBuilder.Field(15, .uint8),
        ])
      builder.message(
        2,
        [
          1, .integer(number), .integer(native.type), .text("Own\(number)"),
          unit.map(FITBuilder.Value.text) ?? nil,
          .integer(FIT.record), .integer(native.field),
        ])
    }
    builder.define(
      0, message: FIT.record,
      [FIT.time] + own + [
        FITBuilder.Field(0, .float32, developer: 1), FITBuilder.Field(1, .float32, developer: 1),
        FITBuilder.Field(2, .uint16, developer: 1), FITBuilder.Field(3, .sint16, developer: 1),
      ])
    builder.message(0, [.integer(FIT.start)] + values + natives.map { $0.value })
    return FITReading(builder.file())
  }

  @Test(
    "a developer's distance, speed, cadence and altitude count where the device has none",
    arguments: [[nil, nil, nil, nil], ["m", "m/s", "rpm", "m"], ["Meters", "M/S", "RPM", "meters"]] as [[String?]])
  func developerValues(units: [String?]) throws {
    let reading = developed(units: units)
    let point = try #require(reading.points.first)
    #expect((point.distance, point.speed, point.cadence, point.altitude) == (250.5, 2.5, 168, 300))
    #expect(!reading.items.contains { if case .unreadField = $0 { true } else { false } })
    let own = [FITBuilder.Field(5, .uint32), FITBuilder.Field(4, .uint8)]
    let both = try #require(developed(units: units, beside: own, [20_000, 80]).points.first)
    #expect((both.distance, both.speed, both.cadence, both.altitude) == (200, 2.5, 160, 300))
  }

  @Test("a developer's values in units that the profile does not have are read past and named")
  func developerUnits() throws {
    let reading = developed(units: ["km", "km/h", "spm", "ft"])
    let point = try #require(reading.points.first)
    for value in [point.distance, point.speed, point.cadence, point.altitude] { #expect(value.isNaN) }
    let unread = reading.items.compactMap { if case .unreadField(let name) = $0 { name } else { nil } }
    #expect(unread == ["Own0", "Own1", "Own2", "Own3"])
  }

  @Test("a course has no points, unless they have a heart rate", arguments: [4, 6], [false, true])
  func course(type: Int, hasHeartRate: Bool) {
    var builder = FITBuilder()
    builder.define(1, message: FIT.fileID, [FITBuilder.Field(0, .enumeration)])
    builder.message(1, [.integer(type)])
    builder.define(
      0, message: FIT.record, [FIT.time, FITBuilder.Field(5, .uint32)] + (hasHeartRate ? [FIT.heartRate] : []))
    for second in 0..<3 {
      builder.message(0, [.integer(FIT.start + second), .integer(300 * second)] + (hasHeartRate ? [120] : []))
    }
    // A second file is one of its own.
    let reading = FITReading(builder.file())
    #expect(reading.points.count == (type == 6 && !hasHeartRate ? 0 : 3))
    #expect(FITReading(builder.file() + FIT.records([100, 101]).file()).heartRates.suffix(2) == [100, 101])
  }

  @Test("a local number can be defined anew")
  func redefinition() {
    var builder = FIT.records([100, 101])
    builder.define(0, message: FIT.record, isBigEndian: true, [FIT.heartRate, FIT.time])
    builder.message(0, [102, .integer(FIT.start + 2)])
    #expect(FITReading(builder.file()).heartRates == [100, 101, 102])
  }

  @Test("a field whose size does not fit its type is read past with a warning")
  func oddSize() {
    var builder = FITBuilder()
    builder.define(
      0, message: FIT.record,
      [FIT.time, FITBuilder.Field(5, .uint32, size: 1), FITBuilder.Field(0, .sint32, size: 7), FIT.heartRate])
    builder.message(0, [.integer(FIT.start), nil, nil, 130])
    let reading = FITReading(builder.file())
    #expect(reading.heartRates == [130])
    #expect(reading.points.allSatisfy { $0.distance.isNaN && $0.latitude.isNaN })
    #expect(reading.warnings == ["oddFieldSize byte 14"])
  }

  @Test("a clock that was never set is a relative one")
  func relativeClock() {
    let reading = FITReading(FIT.records([100, 101], from: 5_000).file())
    #expect(reading.points.map(\.time) == [5_000_000_000_000, 5_001_000_000_000])
    #expect(reading.emitted == ["activity ?", "clock relative", "clockNeverSet byte 26"])
  }
}
