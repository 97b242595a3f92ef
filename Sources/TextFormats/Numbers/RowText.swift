/// The text of a row, gathered before it goes into a buffer: the buffer has to make room once, and not for each digit.
///
/// Numbers of few digits stand in it, which most are; what does not fit goes into the buffer as other text does, behind what has
/// gathered. It comes to what ``DecimalFormat`` writes, byte by byte.
package struct RowText {
  /// How many bytes gather at most.
  private static let room = 160
  /// Below this a number has at most nine digits before its point, and 15 with six behind it.
  private static let limit = 1e9

  private var bytes = InlineArray<160, UInt8>(repeating: 0)
  private var count = 0

  /// Nothing has gathered.
  package init() {}

  /// Appends what has gathered to the buffer.
  package mutating func flush(to buffer: inout [UInt8]) {
    buffer.append(span: bytes.span.extracting(0..<count))
    count = 0
  }

  /// Appends a character of one byte.
  package mutating func append(_ byte: UInt8, to buffer: inout [UInt8]) {
    if count == Self.room { flush(to: &buffer) }
    bytes[count] = byte
    count += 1
  }

  /// Appends a number as ``DecimalFormat/appendShortest(_:to:alwaysPlain:)`` does.
  ///
  /// - Precondition: `value` is finite.
  package mutating func append(shortest value: Double, to buffer: inout [UInt8]) {
    let magnitude = value.magnitude
    let millionths = magnitude < Self.limit ? UInt64(magnitude * 1e6 + 0.5) : 0
    // Different decimals of up to 15 digits are different doubles, so that no shorter text reads back as the same.
    guard magnitude < Self.limit, Double(millionths) / 1e6 == magnitude, millionths >= 100 || millionths == 0 else {
      flush(to: &buffer)
      return DecimalFormat.appendShortest(value, to: &buffer)
    }
    makeRoom(in: &buffer)
    if value < 0 { put(UInt8(ascii: "-")) }
    put(whole: millionths / 1_000_000)
    put(decimals: millionths % 1_000_000, places: 6)
  }

  /// Appends nanoseconds as ``DecimalFormat/append(seconds:to:)`` does.
  package mutating func append(seconds nanoseconds: Int64, to buffer: inout [UInt8]) {
    makeRoom(in: &buffer)
    if nanoseconds < 0 { put(UInt8(ascii: "-")) }
    let (whole, fraction) = nanoseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
    put(whole: whole)
    put(decimals: fraction, places: 9)
  }

  /// Appends 19 bytes and the decimals of a part of a second.
  mutating func append(
    _ text: borrowing InlineArray<19, UInt8>, fractionNanoseconds: UInt64, to buffer: inout [UInt8]
  ) {
    makeRoom(in: &buffer)
    for index in text.indices { bytes[count + index] = text[index] }
    count += text.count
    put(decimals: fractionNanoseconds, places: 9)
  }

  /// Makes room for a time of day, a time or a number.
  private mutating func makeRoom(in buffer: inout [UInt8]) {
    if count > Self.room - 40 { flush(to: &buffer) }
  }

  private mutating func put(_ byte: UInt8) {
    bytes[count] = byte
    count += 1
  }

  private mutating func put(whole: UInt64) {
    if whole < 10 { return put(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: whole)) }
    var limit: UInt64 = 100
    var digits = 2
    while whole >= limit, digits < 19 {
      limit *= 10
      digits += 1
    }
    put(digits: whole, digits)
  }

  /// Puts the point and decimals without zeros behind them; nothing for 0.
  private mutating func put(decimals: UInt64, places: Int) {
    guard decimals != 0 else { return }
    var (rest, places) = (decimals, places)
    while rest % 1_000 == 0 {
      rest /= 1_000
      places -= 3
    }
    while rest % 10 == 0 {
      rest /= 10
      places -= 1
    }
    put(UInt8(ascii: "."))
    put(digits: rest, places)
  }

  /// Puts a number of so many digits, with zeros in front where it has fewer.
  private mutating func put(digits number: UInt64, _ digits: Int) {
    var rest = number
    for place in stride(from: count + digits - 1, through: count, by: -1) {
      bytes[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    count += digits
  }
}
