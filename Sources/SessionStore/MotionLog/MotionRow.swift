internal import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// A row of the log of motion: all that its text says.
struct MotionRow: Hashable {
  /// The time of day in nanoseconds; absent where the session is so far away that there is none.
  let stamp: Int64?
  /// Since the start of the session in nanoseconds; absent where the stamp had no place in it.
  let at: Int64?
  /// What was measured.
  let reading: MotionReading

  /// Appends the row as `motion.csv` has it.
  func append(_ seconds: inout SecondText, to text: inout [UInt8]) {
    SampleRow.append(
      .motion(reading), stamp: stamp.map { WallClockTime(nanoseconds: $0) },
      at: at.map { SessionTime(nanoseconds: $0) }, &seconds, to: &text)
  }
}

/// How the rows of a block follow from each other; the same on both sides.
struct MotionRowCode {
  /// Which of its parts a row has.
  private struct Shape: Hashable {
    var hasStamp = false
    var hasTime = false
    /// Acceleration, turning rate and field, a bit each.
    var sensors: UInt8 = 0
    /// Those of the nine values that are no numbers, a bit each.
    var missing: UInt16 = 0
  }

  private var shape = Shape()
  private var time = TimeChannel(isSteady: true)
  /// The stamp, less the time since the start.
  private var offset = TimeChannel(isSteady: false)
  private var lastTime: Int64 = 0
  private var values = InlineArray<9, ValueChannel>(repeating: ValueChannel())

  /// Appends a row.
  mutating func write(_ row: MotionRow, to bits: inout BitWriter) {
    let axes = row.reading.parts
    let shape = Self.shape(of: row, axes)
    bits.write(shape == self.shape)
    if shape != self.shape { Self.write(shape, to: &bits) }
    self.shape = shape
    if let at = row.at {
      time.write(at, to: &bits)
      lastTime = at
    }
    if let stamp = row.stamp { offset.write(stamp &- lastTime, to: &bits) }
    for sensor in 0..<3 {
      guard let axes = axes[sensor] else { continue }
      for axis in 0..<3 where shape.missing >> (3 * sensor + axis) & 1 == 0 {
        values[3 * sensor + axis].write(axes[axis], to: &bits)
      }
    }
  }

  /// Reads a row; `nil` where none was written.
  mutating func read(from bits: inout BitReader) -> MotionRow? {
    if !bits.readBit() { shape = Self.shape(from: &bits) }
    var (stamp, at): (Int64?, Int64?)
    if shape.hasTime {
      guard let time = time.read(from: &bits) else { return nil }
      at = time
      lastTime = time
    }
    if shape.hasStamp {
      guard let offset = offset.read(from: &bits) else { return nil }
      stamp = offset &+ lastTime
    }
    var axes = InlineArray<3, SIMD3<Double>?>(repeating: nil)
    for sensor in 0..<3 where shape.sensors >> sensor & 1 == 1 {
      var read = SIMD3<Double>(repeating: .nan)
      for axis in 0..<3 where shape.missing >> (3 * sensor + axis) & 1 == 0 {
        guard let value = values[3 * sensor + axis].read(from: &bits) else { return nil }
        read[axis] = value
      }
      axes[sensor] = read
    }
    guard !bits.isExhausted else { return nil }
    return MotionRow(stamp: stamp, at: at, reading: MotionReading(parts: axes))
  }

  private static func shape(of row: MotionRow, _ axes: InlineArray<3, SIMD3<Double>?>) -> Shape {
    var shape = Shape(hasStamp: row.stamp != nil, hasTime: row.at != nil)
    for sensor in 0..<3 {
      guard let axes = axes[sensor] else { continue }
      shape.sensors |= 1 << sensor
      for axis in 0..<3 where !axes[axis].isFinite { shape.missing |= 1 << (3 * sensor + axis) }
    }
    return shape
  }

  private static func write(_ shape: Shape, to bits: inout BitWriter) {
    bits.write(shape.hasStamp)
    bits.write(shape.hasTime)
    bits.write(UInt64(shape.sensors), 3)
    bits.write(shape.missing != 0)
    if shape.missing != 0 { bits.write(UInt64(shape.missing), 9) }
  }

  private static func shape(from bits: inout BitReader) -> Shape {
    var shape = Shape(hasStamp: bits.readBit(), hasTime: bits.readBit())
    shape.sensors = UInt8(bits.read(3))
    if bits.readBit() { shape.missing = UInt16(bits.read(9)) }
    return shape
  }
}

extension MotionReading {
  /// Acceleration, turning rate and field.
  fileprivate var parts: InlineArray<3, SIMD3<Double>?> {
    func vector(_ axes: Axes?) -> SIMD3<Double>? { axes.map { SIMD3($0.x, $0.y, $0.z) } }
    return [vector(acceleration), vector(rotationRate), vector(magneticField)]
  }

  fileprivate init(parts: InlineArray<3, SIMD3<Double>?>) {
    func axes(_ vector: SIMD3<Double>?) -> Axes? { vector.map { Axes(x: $0.x, y: $0.y, z: $0.z) } }
    self.init(acceleration: axes(parts[0]), rotationRate: axes(parts[1]), magneticField: axes(parts[2]))
  }
}
