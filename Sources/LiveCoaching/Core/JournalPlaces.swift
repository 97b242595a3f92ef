/// Where a journal has what waits of a session, in the order in which it was written: about seven bytes a place.
///
/// Of each place there stands how many segments it is after the one before, how far behind the end of that, or from the start of its own
/// segment, and how many bytes it has. Seven bits of a number stand in a byte, the lowest first, and one says whether more follow.
struct JournalPlaces: Sendable {
  /// The segment of the first; absent when there is none.
  private(set) var firstSegment: Int?
  /// How many bytes all of them have.
  private(set) var byteCount = 0

  private var code: [UInt8] = []
  private var last = JournalPlace(segment: 0, offset: 0, count: 0)
  /// By how much the memory grows at most.
  private static let step = 512
  /// How much memory three numbers take at most.
  private static let longest = 30

  /// Whether there is none.
  var isEmpty: Bool { firstSegment == nil }

  /// Appends a place.
  mutating func append(_ place: JournalPlace) {
    if code.capacity - code.count < Self.longest {
      code.reserveCapacity(code.count + max(64, min(code.count, Self.step)))
    }
    append(place.segment &- last.segment)
    append(place.offset &- (place.segment == last.segment ? last.offset + last.count : 0))
    append(place.count)
    if firstSegment == nil { firstSegment = place.segment }
    byteCount += place.count
    last = place
  }

  /// Appends places that were written later.
  mutating func append(_ places: JournalPlaces) {
    if isEmpty { self = places } else { places.forEach { append($0) } }
  }

  /// Gives every place to `body`, in order.
  func forEach(_ body: (JournalPlace) throws -> Void) rethrows {
    var position = 0
    func number() -> Int {
      var (bits, shift) = (0 as UInt64, 0 as UInt64)
      while true {
        let byte = code[position]
        position += 1
        bits |= UInt64(byte & 0x7F) << shift
        guard byte >= 0x80 else { return Int(truncatingIfNeeded: bits) }
        shift += 7
      }
    }
    var (segment, end) = (0, 0)
    while position < code.count {
      let further = number()
      if further != 0 { (segment, end) = (segment &+ further, 0) }
      let offset = end &+ number()
      let place = JournalPlace(segment: segment, offset: offset, count: number())
      end = place.offset + place.count
      try body(place)
    }
  }

  private mutating func append(_ number: Int) {
    var rest = UInt64(bitPattern: Int64(number))
    while rest >= 0x80 {
      code.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    code.append(UInt8(truncatingIfNeeded: rest))
  }
}
