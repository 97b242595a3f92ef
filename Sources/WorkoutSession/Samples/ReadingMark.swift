internal import ZoneEngine

/// What stands for a reading where equal ones are looked for: readings of one stream that are equal have the same.
///
/// Of a reading that is one number it is that number, so that no other has it. Of a reading of several it is a hash of all of them, and
/// of which are there: two that differ in one number alone never have the same, and of others one pair in 2^64.
struct ReadingMark: Hashable {
  /// What stands for a reading that equals none, not even itself.
  static let nothing = ReadingMark(bits: .max)

  /// The mark.
  let bits: UInt64

  init(bits: UInt64) { self.bits = bits }

  /// The mark of a reading; `nil` for one that equals none, because something in it is not a number.
  init?(_ reading: Reading) {
    guard let mark = Self.mark(of: reading) else { return nil }
    self = mark
  }

  /// The same of a reading that is not copied for it, as one that an initialiser gets is.
  static func mark(of reading: Reading) -> ReadingMark? {
    switch reading {
    case .heartRate(let value), .cadence(let value), .distance(let value), .speed(let value), .rrInterval(let value),
      .altitude(let value):
      return value.isNaN ? nil : ReadingMark(bits: bits(of: value))
    case .steps(let count):
      // The halves change places, so that small counts are short, too.
      let number = UInt64(bitPattern: Int64(count))
      return ReadingMark(bits: number << 32 | number >> 32)
    case .location(let fix):
      var hash = MarkHash(
        isThere: (fix.altitudeMeters != nil, fix.horizontalAccuracyMeters != nil, fix.speedMetersPerSecond != nil))
      hash.add(fix.coordinate.latitudeDegrees)
      hash.add(fix.coordinate.longitudeDegrees)
      hash.add(fix.altitudeMeters)
      hash.add(fix.horizontalAccuracyMeters)
      hash.add(fix.speedMetersPerSecond)
      return hash.mark
    case .motion(let motion):
      var hash = MarkHash(
        isThere: (motion.acceleration != nil, motion.rotationRate != nil, motion.magneticField != nil))
      hash.add(motion.acceleration)
      hash.add(motion.rotationRate)
      hash.add(motion.magneticField)
      return hash.mark
    case .direction(let direction):
      let values = direction.values
      var hash = MarkHash(presence: values.reduce(0) { $0 << 1 | ($1 == nil ? 0 : 1) })
      for value in values { hash.add(value) }
      return hash.mark
    }
  }

  /// The bits of a number; the two zeros are equal.
  static func bits(of value: Double) -> UInt64 { value == 0 ? 0 : value.bitPattern }

  /// The upper half, of a mark that has nothing else; `nil` for another one. Numbers with up to 21 binary digits are so.
  var short: UInt32? { bits & 0xFFFF_FFFF == 0 ? UInt32(bits >> 32) : nil }
}

/// A hash of numbers, of which those that are absent have no place: which are there is in it from the beginning.
private struct MarkHash {
  private var bits: UInt64
  private var hasNaN = false

  /// The mark of them; `nil` when one of them is not a number, so that the reading equals none.
  var mark: ReadingMark? { hasNaN ? nil : ReadingMark(bits: bits) }

  init(presence: UInt64) { bits = CounterRandom.mixed(presence &+ 1) }

  init(isThere: (Bool, Bool, Bool)) {
    self.init(presence: (isThere.0 ? 1 : 0) | (isThere.1 ? 2 : 0) | (isThere.2 ? 4 : 0))
  }

  /// Each step can be undone for a given value, so that readings which differ in one number differ in their marks. It is one multiplication,
  /// because the next value waits for it, and a reading of motion has nine.
  mutating func add(_ value: Double) {
    if value.isNaN { hasNaN = true }
    bits = (bits ^ ReadingMark.bits(of: value)) &* 0x9E37_79B9_7F4A_7C15
    bits ^= bits >> 32
  }

  mutating func add(_ value: Double?) {
    if let value { add(value) }
  }

  mutating func add(_ axes: Axes?) {
    guard let axes else { return }
    add(axes.x)
    add(axes.y)
    add(axes.z)
  }
}
