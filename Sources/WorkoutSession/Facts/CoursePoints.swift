/// The points of a distance course, each a time and a length, in about three bytes.
///
/// What is kept of a point is how it differs from the one before: how much longer or shorter than the last interval it took, in a
/// signed byte, and how far it is, in two. What does not fit has a mark there and four bytes behind:
///
/// ```
/// interval  Int8    milliseconds more than the last interval; -128: the interval follows, UInt32
/// length    UInt16  tenths of a millimetre since the point before; 65535: UInt32 follows
/// ```
struct CoursePoints: Sendable {
  /// A point.
  struct Point: Hashable, Sendable {
    /// The time, in milliseconds.
    let milliseconds: UInt32
    /// The length, in tenths of a millimetre.
    let tenthMillimeters: UInt64
  }

  private static let intervalMark = UInt8(bitPattern: -128)
  private static let lengthMark = UInt16.max
  /// By how much the memory grows.
  private static let step = 1_024

  /// How many points there are.
  private(set) var count = 0
  /// The last point; `nil` when there is none.
  private(set) var last: Point?

  private var bytes: [UInt8] = []
  private var lastInterval: UInt32 = 0

  /// Appends a point; one that lies before the last is taken for one there.
  mutating func append(_ point: Point) {
    let interval = point.milliseconds.saturatingSubtraction(last?.milliseconds ?? 0)
    let length = UInt32(clamping: point.tenthMillimeters.saturatingSubtraction(last?.tenthMillimeters ?? 0))
    if bytes.capacity - bytes.count < 11 { bytes.reserveCapacity(max(64, bytes.count + min(bytes.count, Self.step))) }
    if let more = Int8(exactly: Int64(interval) - Int64(lastInterval)), more != .min {
      bytes.append(UInt8(bitPattern: more))
    } else {
      bytes.append(Self.intervalMark)
      append(interval)
    }
    if length < UInt32(Self.lengthMark) {
      append(UInt16(length))
    } else {
      append(Self.lengthMark)
      append(length)
    }
    lastInterval = interval
    last = Point(
      milliseconds: (last?.milliseconds ?? 0) + interval,
      tenthMillimeters: (last?.tenthMillimeters ?? 0) + UInt64(length))
    count += 1
  }

  /// Gives every point to `body`, in order.
  func forEach(_ body: (Point) -> Void) {
    var place = 0
    func number<Number: FixedWidthInteger>(_: Number.Type) -> Number {
      var number: Number = 0
      for index in 0..<Number.bitWidth / 8 { number |= Number(bytes[place + index]) << (8 * index) }
      place += Number.bitWidth / 8
      return number
    }
    var milliseconds: UInt32 = 0
    var interval: UInt32 = 0
    var length: UInt64 = 0
    while place < bytes.count {
      let first = number(UInt8.self)
      interval =
        first == Self.intervalMark
        ? number(UInt32.self) : UInt32(truncatingIfNeeded: Int64(interval) + Int64(Int8(bitPattern: first)))
      let short = number(UInt16.self)
      length += short == Self.lengthMark ? UInt64(number(UInt32.self)) : UInt64(short)
      milliseconds += interval
      body(Point(milliseconds: milliseconds, tenthMillimeters: length))
    }
  }

  private mutating func append(_ number: some FixedWidthInteger & UnsignedInteger) {
    for shift in stride(from: 0, to: number.bitWidth, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}

extension UnsignedInteger where Self: FixedWidthInteger {
  /// The difference, or 0 where it is negative.
  fileprivate func saturatingSubtraction(_ other: Self) -> Self { self > other ? self - other : 0 }
}
