internal import TestSupport

/// Small FIT files that use what the protocol has.
enum FITSeeds {
  typealias Field = FITBuilder.Field

  static let all = [
    InputCheck.Seed("plain", records().file()),
    InputCheck.Seed("short-header", records().file(.short)),
    InputCheck.Seed("header-without-checksum", records().file(.longWithoutChecksum)),
    InputCheck.Seed("wrong-checksums", records().file(.longWithWrongChecksum, checksum: 1)),
    InputCheck.Seed("cut-short", Array(records().file().dropLast(9))),
    InputCheck.Seed("size-not-known", records().file(dataSize: 0)),
    InputCheck.Seed("two-files", records().file() + records(from: 1_100_000_600).file(.short)),
    InputCheck.Seed("two-files-that-overlap", records().file() + records(from: 1_100_000_002).file()),
    InputCheck.Seed("big-endian", records(isBigEndian: true).file()),
    InputCheck.Seed("compressed-timestamps", compressed.file()),
    InputCheck.Seed("all-base-types", baseTypes.file()),
    InputCheck.Seed("developer-fields", developer.file()),
    InputCheck.Seed("activity", activity.file()),
    InputCheck.Seed("heart-rates-apart", heartRatesApart.file()),
    InputCheck.Seed("clock-never-set", records(from: 90).file()),
    InputCheck.Seed("damage-in-the-middle", damaged.file()),
  ]

  private static let start = 1_100_000_000
  private static let time = Field(253, .uint32)

  private static func records(from start: Int = start, isBigEndian: Bool = false) -> FITBuilder {
    var file = FITBuilder()
    file.define(
      0, message: 20, isBigEndian: isBigEndian,
      [
        time, Field(0, .sint32), Field(1, .sint32), Field(2, .uint16), Field(3, .uint8), Field(4, .uint8),
        Field(5, .uint32), Field(6, .uint16), Field(53, .uint8), Field(73, .uint32), Field(78, .uint32),
      ])
    for second in 0..<4 {
      file.message(
        0,
        [
          .integer(start + second), .integer(558_000_000 + 400 * second), 281_000_000, 2_600, .integer(120 + second),
          84,
          .integer(280 * second), 2_800, 32, 2_801, 2_601,
        ])
    }
    return file
  }

  private static var compressed: FITBuilder {
    var file = FITBuilder()
    file.define(1, message: 20, [time, Field(3, .uint8)])
    file.define(2, message: 20, [Field(3, .uint8), Field(5, .uint32)])
    file.message(1, [.integer(start), 118])
    for second in stride(from: 1, to: 90, by: 13) {
      file.message(2, timeOffset: (start + second) & 31, [.integer(119 + second % 7), .integer(270 * second)])
    }
    return file
  }

  private static var baseTypes: FITBuilder {
    var file = FITBuilder()
    let types = FITBuilder.BaseType.allCases
    let fields = types.enumerated().map { Field(UInt8(100 + $0.offset), $0.element, count: 2) }
    for (local, isBigEndian) in [false, true].enumerated() {
      file.define(local, message: 20, isBigEndian: isBigEndian, [time, Field(3, .uint16)] + fields)
      file.message(local, [.integer(start + local), 131])
      file.message(local, [.integer(start + local + 1), 132] + types.map { _ in [7, 8] })
    }
    return file
  }

  private static var developer: FITBuilder {
    var file = FITBuilder()
    file.define(0, message: 207, [Field(1, .byte, count: 16), Field(3, .uint8)])
    file.message(0, [[1, 2, 3], 0])
    file.define(
      1, message: 206,
      [
        Field(0, .uint8), Field(1, .uint8), Field(2, .uint8), Field(3, .string, count: 12), Field(6, .uint8),
        Field(14, .uint16), Field(15, .uint8),
      ])
    file.message(1, [0, 5, 2, "Heart Rate", nil, 20, 3])
    file.define(2, message: 20, [time, Field(5, .uint8, developer: 0), Field(9, .uint16, developer: 1)])
    for second in 0..<3 { file.message(2, [.integer(start + second), .integer(140 + second), 9]) }
    return file
  }

  /// File, device, sport, timer, laps, session and activity, with a pause and steps.
  private static var activity: FITBuilder {
    var file = FITBuilder()
    file.define(
      0, message: 0, [Field(0, .enumeration), Field(1, .uint16), Field(2, .uint16), Field(8, .string, count: 8)])
    file.message(0, [4, 1, 3_113, "Run"])
    file.define(
      1, message: 23, [time, Field(0, .uint8), Field(2, .uint16), Field(4, .uint16), Field(27, .string, count: 6)])
    file.message(1, [.integer(start), 0, 1, 3_113, "Watch"])
    file.define(2, message: 12, [Field(0, .enumeration), Field(1, .enumeration), Field(3, .string, count: 6)])
    file.message(2, [1, 0, "Run"])
    file.define(3, message: 21, [time, Field(0, .enumeration), Field(1, .enumeration)])
    file.define(4, message: 20, [time, Field(3, .uint8), Field(4, .uint8), Field(5, .uint32), Field(47, .uint32)])
    for (second, event) in [(0, 0), (40, 4), (70, 0), (90, 4)] {
      file.message(3, [.integer(start + second), 0, .integer(event)])
      file.message(4, [.integer(start + second), .integer(125 + second / 10), 80, .integer(300 * second), 50])
    }
    file.define(5, message: 19, [time, Field(2, .uint32), Field(7, .uint32), Field(9, .uint32)])
    file.message(5, [.integer(start + 90), .integer(start), 90_000, 27_000])
    file.define(
      6, message: 18,
      [time, Field(2, .uint32), Field(5, .enumeration), Field(8, .uint32), Field(9, .uint32), Field(10, .uint32)])
    file.message(6, [.integer(start + 90), .integer(start), 1, 60_000, 27_000, 120])
    file.define(7, message: 34, [time, Field(1, .uint16)])
    file.message(7, [.integer(start + 90), 1])
    return file
  }

  /// Records without a heart rate, and packed event times with one.
  private static var heartRatesApart: FITBuilder {
    var file = FITBuilder()
    file.define(0, message: 20, [time, Field(5, .uint32)])
    for second in 0..<3 { file.message(0, [.integer(start + second), .integer(300 * second)]) }
    file.define(1, message: 132, [time, Field(0, .uint16), Field(6, .uint8), Field(9, .uint32)])
    file.message(1, [.integer(start), 0, 90, 1_024])
    file.define(2, message: 132, [Field(6, .uint8, count: 8), Field(10, .byte, count: 12)])
    file.message(2, [[91, 92, 93, 94, 95, 96, 97, 98], [0, 0x84, 0x10, 0, 0x86, 0x20, 0, 0x88, 0x30, 0, 0x8A, 0x40]])
    return file
  }

  private static var damaged: FITBuilder {
    var file = records()
    file.raw([0x0F, 1, 2, 3])
    file.message(0, [.integer(start + 4), 558_000_000, 281_000_000, 2_600, 124])
    file.raw([0x42])
    file.define(3, message: 20, [time, Field(3, .uint8)])
    file.message(3, [.integer(start + 5), 125])
    return file
  }
}
