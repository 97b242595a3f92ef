/// One of the nine values of a reading, from row to row, as differences of whole numbers: from the row before, or from where the
/// last two rows lead.
///
/// Its unit is what the numbers count: units of the 0th to 15th decimal, or, where a value has more decimals, the numbers of
/// 32 bits or of 64 bits in their order. A block begins with whole units; a value that the unit does not have changes it to
/// the first of the later ones that has it.
struct ValueChannel {
  private static let single = 16
  private static let double = 17
  private static let powers: InlineArray<16, Double> = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
  ]
  /// Beyond it not every whole number is a double.
  private static let largest = 9_007_199_254_740_992.0

  private var code = ResidualCode()
  private var unit = 0
  private var value = 0.0
  private var number: Int64 = 0
  private var course = Course()

  /// Whether the numbers go on by about the same step, or stay about where they are: by the last thirty-two or so.
  private struct Course {
    private(set) var step: Int64 = 0
    private var (plain, steady): (UInt64, UInt64) = (0, 0)
    private static let largest: UInt64 = 1 << 57

    /// By how much the next number is expected to differ.
    var expected: Int64 { steady < plain ? step : 0 }

    mutating func admit(_ next: Int64) {
      plain = plain - plain >> 5 + min(next.magnitude, Self.largest)
      steady = steady - steady >> 5 + min((next &- step).magnitude, Self.largest)
      step = next
    }
  }

  /// Appends a value, which is finite.
  mutating func write(_ value: Double, to bits: inout BitWriter) {
    defer { self.value = value }
    if let number = Self.number(of: value, in: unit) {
      let difference = number &- self.number
      code.write(difference &- course.expected, to: &bits)
      admit(difference)
      return
    }
    for unit in (unit + 1)...Self.double {
      guard let number = Self.number(of: value, in: unit) else { continue }
      begin(unit)
      let difference = number &- self.number
      code.write(difference, in: unit, to: &bits)
      admit(difference)
      return
    }
  }

  /// Reads a value; `nil` where nothing of the kind was written.
  mutating func read(from bits: inout BitReader) -> Double? {
    var item = code.read(from: &bits)
    if case .change(let unit) = item {
      guard unit > self.unit, unit <= Self.double else { return nil }
      begin(unit)
      item = code.read(from: &bits)
    }
    guard case .number(let rest) = item else { return nil }
    admit(rest &+ course.expected)
    value = Self.value(of: number, in: unit)
    return value
  }

  private mutating func begin(_ unit: Int) {
    self.unit = unit
    number = Self.number(of: value, in: unit) ?? 0
    course = Course()
  }

  private mutating func admit(_ difference: Int64) {
    course.admit(difference)
    number = number &+ difference
  }

  /// A value as a number of units; `nil` where that would be another value.
  private static func number(of value: Double, in unit: Int) -> Int64? {
    switch unit {
    case double: return ordered(value.bitPattern)
    case single:
      let single = Float(value)
      return Double(single).bitPattern == value.bitPattern ? Int64(ordered(single.bitPattern)) : nil
    default:
      let power = powers[unit]
      let scaled = (value * power).rounded()
      guard scaled.magnitude < largest else { return nil }
      let number = Int64(scaled)
      return (Double(number) / power).bitPattern == value.bitPattern ? number : nil
    }
  }

  private static func value(of number: Int64, in unit: Int) -> Double {
    switch unit {
    case double: Double(bitPattern: bits(UInt64.self, number))
    case single: Double(Float(bitPattern: bits(UInt32.self, Int64(Int32(truncatingIfNeeded: number)))))
    default: Double(number) / powers[unit]
    }
  }

  /// The bits of a number with a sign as a whole number that grows with it.
  private static func ordered(_ bits: UInt64) -> Int64 {
    bits >> 63 == 0 ? Int64(bitPattern: bits) : -1 - Int64(bitPattern: bits & .max >> 1)
  }

  private static func ordered(_ bits: UInt32) -> Int32 {
    bits >> 31 == 0 ? Int32(bitPattern: bits) : -1 - Int32(bitPattern: bits & .max >> 1)
  }

  /// The other way round.
  private static func bits<Bits: FixedWidthInteger & UnsignedInteger>(_ type: Bits.Type, _ number: Int64) -> Bits {
    let magnitude = Bits(truncatingIfNeeded: number < 0 ? -1 - number : number)
    return number < 0 ? magnitude | 1 << Bits(Bits.bitWidth - 1) : magnitude
  }
}

/// A time in nanoseconds from row to row: what it differs from the row before, or what that difference has changed by.
///
/// A block begins with units of a second; a time that is no multiple changes them to the first tenth, hundredth, … that it is
/// a multiple of.
struct TimeChannel {
  private static let units: InlineArray<10, Int64> = [
    1_000_000_000, 100_000_000, 10_000_000, 1_000_000, 100_000, 10_000, 1_000, 100, 10, 1,
  ]

  private var code = ResidualCode()
  private var unit = 0
  private var time: Int64 = 0
  private var step: Int64 = 0
  /// Whether the last difference is expected again.
  private let isSteady: Bool

  /// A time that goes on as it did, or one that stays as it is.
  init(isSteady: Bool) { self.isSteady = isSteady }

  /// Appends a time.
  mutating func write(_ time: Int64, to bits: inout BitWriter) {
    let difference = time &- (self.time &+ step)
    if difference == 0 {
      code.write(0, to: &bits)
    } else if difference % Self.units[unit] == 0 {
      code.write(difference / Self.units[unit], to: &bits)
    } else {
      while difference % Self.units[unit] != 0 { unit += 1 }
      code.write(difference / Self.units[unit], in: unit, to: &bits)
    }
    admit(time)
  }

  /// Reads a time; `nil` where nothing of the kind was written.
  mutating func read(from bits: inout BitReader) -> Int64? {
    var item = code.read(from: &bits)
    if case .change(let unit) = item {
      guard unit > self.unit, unit < Self.units.count else { return nil }
      self.unit = unit
      item = code.read(from: &bits)
    }
    guard case .number(let difference) = item else { return nil }
    admit(time &+ step &+ difference &* Self.units[unit])
    return time
  }

  private mutating func admit(_ time: Int64) {
    if isSteady { step = time &- self.time }
    self.time = time
  }
}
