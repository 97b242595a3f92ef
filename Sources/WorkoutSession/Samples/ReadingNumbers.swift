internal import ZoneEngine

/// The numbers of a reading as bits that are the same for equal readings of one stream, and only for them.
///
/// A number that is absent has no place among them: `presence` says which are there.
struct ReadingNumbers {
  /// The most numbers that a reading has: three axes of three sensors.
  static let largestCount = 9

  private var bits = InlineArray<9, UInt64>(repeating: 0)
  /// How many there are.
  private(set) var count = 0
  /// Which of the parts are there that a reading of the stream may have or not, a bit each.
  private(set) var presence: UInt8 = 0
  /// Whether one of them is not a number, so that the reading equals none.
  private(set) var hasNaN = false

  /// The numbers of a reading.
  init(_ reading: Reading) {
    switch reading {
    case .heartRate(let value), .cadence(let value), .distance(let value), .speed(let value), .rrInterval(let value),
      .altitude(let value):
      append(value)
    case .steps(let count): append(bits: UInt64(bitPattern: Int64(count)))
    case .location(let fix):
      append(fix.coordinate.latitudeDegrees)
      append(fix.coordinate.longitudeDegrees)
      append(fix.altitudeMeters, part: 0)
      append(fix.horizontalAccuracyMeters, part: 1)
      append(fix.speedMetersPerSecond, part: 2)
    case .motion(let motion):
      append(motion.acceleration, part: 0)
      append(motion.rotationRate, part: 1)
      append(motion.magneticField, part: 2)
    case .direction(let direction):
      for (part, value) in direction.values.enumerated() { append(value, part: UInt8(part)) }
    }
  }

  /// The bits of a number.
  subscript(index: Int) -> UInt64 { bits[index] }

  private mutating func append(bits number: UInt64) {
    bits[count] = number
    count += 1
  }

  private mutating func append(_ value: Double) {
    if value.isNaN { hasNaN = true }
    append(bits: Self.bits(of: value))
  }

  /// The bits of a number; the two zeros are equal.
  static func bits(of value: Double) -> UInt64 { value == 0 ? 0 : value.bitPattern }

  private mutating func append(_ value: Double?, part: UInt8) {
    guard let value else { return }
    presence |= 1 << part
    append(value)
  }

  private mutating func append(_ axes: Axes?, part: UInt8) {
    guard let axes else { return }
    presence |= 1 << part
    append(axes.x)
    append(axes.y)
    append(axes.z)
  }
}
