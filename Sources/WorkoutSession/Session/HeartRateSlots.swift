/// Sums and counts of heart rates, one after another.
///
/// As straps send them they are whole and few, and take four bytes; the first that is not gives all of them sixteen.
struct HeartRateSlots: Sendable {
  /// Sum and count of one.
  struct Slot: Hashable, Sendable {
    var sum = 0.0
    var count = 0
  }

  /// A sum in the upper 22 bits, and a count in the lower ten.
  private var short: [UInt32] = []
  /// Sums and counts that are not short, and then none is.
  private var long: [Slot] = []
  private var isShort = true

  /// How many there are.
  var count: Int { isShort ? short.count : long.count }

  /// For how many there is memory.
  var capacity: Int { isShort ? short.capacity : long.capacity }

  /// How many bytes of memory they take.
  var byteCount: Int { short.capacity * 4 + long.capacity * MemoryLayout<Slot>.stride }

  /// One of them.
  subscript(index: Int) -> Slot {
    get { isShort ? Self.slot(short[index]) : long[index] }
    set {
      if isShort, let short = Self.short(newValue) {
        self.short[index] = short
      } else {
        if isShort { widen() }
        long[index] = newValue
      }
    }
  }

  /// The place of the last with a heart rate; `nil` where none has.
  var lastUsed: Int? { isShort ? short.lastIndex { $0 & 0x3FF > 0 } : long.lastIndex { $0.count > 0 } }

  /// Makes memory for so many.
  mutating func reserveCapacity(_ count: Int) {
    if isShort { short.reserveCapacity(count) } else { long.reserveCapacity(count) }
  }

  /// Adds so many without heart rates.
  mutating func append(_ more: Int) {
    if isShort {
      short.append(contentsOf: repeatElement(0, count: more))
    } else {
      long.append(contentsOf: repeatElement(Slot(), count: more))
    }
  }

  /// Leaves only the first.
  mutating func keep(_ first: Int) {
    if isShort { short.removeSubrange(first...) } else { long.removeSubrange(first...) }
  }

  private mutating func widen() {
    long.reserveCapacity(short.capacity)
    for slot in short { long.append(Self.slot(slot)) }
    short = []
    isShort = false
  }

  private static func slot(_ short: UInt32) -> Slot { Slot(sum: Double(short >> 10), count: Int(short & 0x3FF)) }

  private static func short(_ slot: Slot) -> UInt32? {
    guard slot.count < 1 << 10, slot.sum >= 0, slot.sum < Double(1 << 22) else { return nil }
    let sum = UInt32(slot.sum)
    // A zero with a sign is no whole number here.
    guard Double(sum).bitPattern == slot.sum.bitPattern else { return nil }
    return sum << 10 | UInt32(slot.count)
  }
}
