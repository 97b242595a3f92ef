import HeartRateStrap
import TestSupport
import Testing

@Suite("Heart Rate Measurement, characteristic 0x2A37")
struct HeartRateMeasurementTests {
  typealias Problem = HeartRateMeasurement.Problem

  struct Vector: Sendable {
    let bytes: [UInt8]
    let beatsPerMinute: Int
    var contact = HeartRateMeasurement.Contact.notSupported
    var energyKilojoules: Int?
    var rrIntervals: [Int] = []
    var usable: Int?
  }

  /// Each flag of the specification alone and together; the values are little-endian.
  static let vectors = [
    Vector(bytes: [0x00, 0x48], beatsPerMinute: 72, usable: 72),
    Vector(bytes: [0x00, 0xFF], beatsPerMinute: 255, usable: 255),
    Vector(bytes: [0x00, 0x00], beatsPerMinute: 0),
    Vector(bytes: [0x01, 0x48, 0x00], beatsPerMinute: 72, usable: 72),
    Vector(bytes: [0x01, 0x2C, 0x01], beatsPerMinute: 300, usable: 300),
    // Two bits for the contact: 0 and 1 are not supported, 2 is lost, 3 is detected.
    Vector(bytes: [0x02, 0x48], beatsPerMinute: 72, usable: 72),
    Vector(bytes: [0x04, 0x48], beatsPerMinute: 72, contact: .lost),
    Vector(bytes: [0x06, 0x48], beatsPerMinute: 72, contact: .detected, usable: 72),
    Vector(bytes: [0x05, 0x48, 0x00], beatsPerMinute: 72, contact: .lost),
    Vector(bytes: [0x08, 0x48, 0x10, 0x27], beatsPerMinute: 72, energyKilojoules: 10_000, usable: 72),
    Vector(bytes: [0x10, 0x48, 0x00, 0x04], beatsPerMinute: 72, rrIntervals: [1_024], usable: 72),
    Vector(
      bytes: [0x16, 0x42, 0x18, 0x04, 0x70, 0x01], beatsPerMinute: 66, contact: .detected, rrIntervals: [1_048, 368],
      usable: 66),
    Vector(
      bytes: [0x1F, 0x96, 0x00, 0x34, 0x12, 0x99, 0x01, 0x9A, 0x01], beatsPerMinute: 150, contact: .detected,
      energyKilojoules: 0x1234, rrIntervals: [0x199, 0x19A], usable: 150),
    // The flag of intervals with none behind it.
    Vector(bytes: [0x10, 0x48], beatsPerMinute: 72, usable: 72),
  ]

  @Test("Every form of the specification is read", arguments: vectors)
  func forms(vector: Vector) throws {
    let measurement = try HeartRateMeasurement(vector.bytes)
    #expect(measurement.beatsPerMinute == vector.beatsPerMinute)
    #expect(measurement.contact == vector.contact)
    #expect(measurement.energyKilojoules == vector.energyKilojoules)
    #expect(measurement.rrIntervals == vector.rrIntervals)
    #expect(measurement.usableBeatsPerMinute == vector.usable)
  }

  @Test(
    "What is cut short, reserved or too long is refused with the reason",
    arguments: [
      ([], Problem.truncated(field: "flags")), ([0x00], .truncated(field: "heart rate")),
      ([0x01, 0x48], .truncated(field: "heart rate")), ([0x08, 0x48], .truncated(field: "energy")),
      ([0x08, 0x48, 0x10], .truncated(field: "energy")), ([0x10, 0x48, 0x10], .truncated(field: "RR intervals")),
      ([0x18, 0x48, 0x10, 0x27, 0x00, 0x04, 0x00], .truncated(field: "RR intervals")),
      ([0x20, 0x48], .reservedFlags(0x20)), ([0x40, 0x48], .reservedFlags(0x40)), ([0x86, 0x48], .reservedFlags(0x80)),
      ([0x00, 0x48, 0x00], .surplus(count: 1)), ([0x09, 0x48, 0x00, 0x10, 0x27, 0x01, 0x02], .surplus(count: 2)),
    ] as [([UInt8], Problem)])
  func refused(bytes: [UInt8], problem: Problem) {
    #expect(throws: problem) { try HeartRateMeasurement(bytes) }
    #expect(!"\(problem)".isEmpty)
    #expect(!"\(problem)".contains("Problem"))
  }

  @Test("Whatever is written is read back, and no byte less of it", arguments: 0..<200)
  func roundTrip(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let isWide = random.chance(0.5)
    let beats = random.int(0...(isWide ? 65_535 : 255))
    let contact = random.int(0...3)
    let energy = random.chance(0.5) ? random.int(0...65_535) : nil
    let intervals = (0..<random.int(0...8)).map { _ in random.int(0...65_535) }
    func word(_ value: Int) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8)] }
    var flags = UInt8(contact << 1) | (isWide ? 1 : 0)
    if energy != nil { flags |= 8 }
    if !intervals.isEmpty { flags |= 16 }
    let head = [flags] + (isWide ? word(beats) : [UInt8(beats)]) + (energy.map(word) ?? [])
    let bytes = head + intervals.flatMap(word)
    let measurement = try HeartRateMeasurement(bytes)
    #expect(measurement.beatsPerMinute == beats, "seed \(seed)")
    #expect(measurement.energyKilojoules == energy, "seed \(seed)")
    #expect(measurement.rrIntervals == intervals, "seed \(seed)")
    let expected: HeartRateMeasurement.Contact = contact < 2 ? .notSupported : contact == 2 ? .lost : .detected
    #expect(measurement.contact == expected, "seed \(seed)")
    // Only between two intervals can it be cut without anybody noticing.
    for count in bytes.indices {
      let isWhole = !intervals.isEmpty && count >= head.count && (count - head.count).isMultiple(of: 2)
      #expect(((try? HeartRateMeasurement(Array(bytes[..<count]))) != nil) == isWhole, "seed \(seed), \(count) bytes")
    }
  }
}
