/// ISO 8601 of times of which most are of the same second as the one before: what is the same of two is made once.
package struct SecondText: Sendable {
  private var second = Int.min
  private var text = InlineArray<19, UInt8>(repeating: UInt8(ascii: "-"))

  /// Nothing was written yet.
  package init() {}

  /// Appends what `WallClockTime.appendISO8601(to:)` appends.
  package mutating func append(_ time: WallClockTime, to buffer: inout [UInt8]) {
    let (second, fraction) = WallClockTime.floor(Int(time.nanoseconds), by: 1_000_000_000)
    if second != self.second {
      guard let new = time.secondText else { return time.appendISO8601(to: &buffer) }
      (self.second, text) = (second, new)
    }
    buffer.append(span: text.span)
    DecimalFormat.append(fractionNanoseconds: UInt64(fraction), to: &buffer)
    buffer.append(UInt8(ascii: "Z"))
  }
}
