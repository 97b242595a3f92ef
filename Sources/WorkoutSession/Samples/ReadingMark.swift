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
    switch reading {
    case .heartRate(let value), .cadence(let value), .distance(let value), .speed(let value), .rrInterval(let value),
      .altitude(let value):
      guard !value.isNaN else { return nil }
      bits = ReadingNumbers.bits(of: value)
    case .steps(let count):
      // The halves change places, so that small counts are short, too.
      let number = UInt64(bitPattern: Int64(count))
      bits = number << 32 | number >> 32
    case .location, .motion, .direction:
      let numbers = ReadingNumbers(reading)
      guard !numbers.hasNaN else { return nil }
      var hash = CounterRandom.mixed(UInt64(numbers.presence) &+ 1)
      for index in 0..<numbers.count { hash = CounterRandom.mixed((hash ^ numbers[index]) &+ 1) }
      bits = hash
    }
  }

  /// The upper half, of a mark that has nothing else; `nil` for another one. Numbers with up to 21 binary digits are so.
  var short: UInt32? { bits & 0xFFFF_FFFF == 0 ? UInt32(bits >> 32) : nil }
}
