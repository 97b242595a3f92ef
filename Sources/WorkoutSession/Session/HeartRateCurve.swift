package import ZoneEngine

/// The course of the heart rate in a fixed number of slots, whatever the length of the session.
///
/// Each slot keeps count and sum of the readings of an equal span; when a reading falls beyond the last slot, spans
/// double and neighbours are joined. Memory is taken for the slots up to the last with a reading, four bytes for each while
/// heart rates are whole numbers.
package struct HeartRateCurve: Sendable {
  /// How many slots there are.
  package static let slotCount = 512

  private typealias Slot = HeartRateSlots.Slot

  private var slots = HeartRateSlots()
  private var span = SessionTime.seconds(1)
  private var last = SessionTime.zero

  /// Creates an empty curve.
  package init() {}

  /// Takes an accepted reading.
  ///
  /// - Precondition: `time` is not negative.
  /// - Complexity: O(1), amortised.
  package mutating func admit(_ beatsPerMinute: Double, at time: SessionTime) {
    last = max(last, time)
    while time.nanoseconds / span.nanoseconds >= Int64(Self.slotCount) { double() }
    let index = Int(time.nanoseconds / span.nanoseconds)
    makeRoom(for: index)
    let slot = slots[index]
    slots[index] = Slot(sum: slot.sum + beatsPerMinute, count: slot.count + 1)
  }

  /// Mean heart rates of `columns` equal spans from the start to `end`; `nil` where there was no reading.
  ///
  /// - Precondition: `columns` is positive.
  package func means(columns: Int, until end: SessionTime) -> [Double?] {
    precondition(columns > 0, "a curve has columns")
    let end = max(end, .seconds(1))
    var sums = [Double](repeating: 0, count: columns)
    var counts = [Int](repeating: 0, count: columns)
    for index in 0..<slots.count {
      let slot = slots[index]
      guard slot.count > 0 else { continue }
      // The middle of the slot decides its column; a slot wider than a column leaves holes, which are filled below.
      let middle = (Double(index) + 0.5) * span.seconds / end.seconds
      let column = min(columns - 1, Int(middle * Double(columns)))
      sums[column] += slot.sum
      counts[column] += slot.count
    }
    var means = zip(sums, counts).map { $1 > 0 ? $0 / Double($1) : nil }
    let widest = Int((span.seconds / end.seconds * Double(columns)).rounded(.up)) + 1
    var lastFilled: Int?
    for column in 0..<columns where means[column] != nil {
      if let from = lastFilled, column - from > 1, column - from <= widest {
        for hole in (from + 1)..<column { means[hole] = means[from] }
      }
      lastFilled = column
    }
    return means
  }

  /// The curve as bytes: the span of a slot in nanoseconds, then sum and count of each slot up to the last with a
  /// reading, in 64, 64 and 32 bits of little-endian order.
  package var bytes: [UInt8] {
    let used = (slots.lastUsed ?? -1) + 1
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.headBytes + used * Self.slotBytes)
    Self.append(span.nanoseconds, to: &bytes)
    for index in 0..<used {
      let slot = slots[index]
      Self.append(slot.sum.bitPattern, to: &bytes)
      Self.append(UInt32(clamping: slot.count), to: &bytes)
    }
    return bytes
  }

  /// Reads what ``bytes`` has written; `nil` for anything else.
  package init?(bytes: [UInt8]) {
    let (used, rest) = (bytes.count - Self.headBytes).quotientAndRemainder(dividingBy: Self.slotBytes)
    guard bytes.count >= Self.headBytes, rest == 0, used <= Self.slotCount else { return nil }
    func number(at start: Int, count: Int) -> UInt64 {
      (0..<count).reduce(0) { $0 | UInt64(bytes[start + $1]) << UInt64(8 * $1) }
    }
    span = SessionTime(nanoseconds: Int64(bitPattern: number(at: 0, count: Self.headBytes)))
    guard span >= .seconds(1) else { return nil }
    makeRoom(for: used - 1)
    for index in 0..<used {
      let start = Self.headBytes + index * Self.slotBytes
      slots[index] = Slot(
        sum: Double(bitPattern: number(at: start, count: 8)), count: Int(number(at: start + 8, count: 4)))
    }
  }

  private static let headBytes = 8
  private static let slotBytes = 12

  private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
    for shift in stride(from: 0, to: number.bitWidth, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }

  /// Makes all slots up to one, with room for as many again.
  private mutating func makeRoom(for index: Int) {
    guard index >= slots.count else { return }
    if index >= slots.capacity { slots.reserveCapacity(min(Self.slotCount, max(16, 2 * slots.capacity, index + 1))) }
    slots.append(index + 1 - slots.count)
  }

  private mutating func double() {
    let joined = (slots.count + 1) / 2
    for index in 0..<joined {
      let left = slots[index * 2]
      let right = index * 2 + 1 < slots.count ? slots[index * 2 + 1] : Slot()
      slots[index] = Slot(sum: left.sum + right.sum, count: left.count + right.count)
    }
    slots.keep(joined)
    span = span + span
  }
}
