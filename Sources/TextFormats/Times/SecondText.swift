/// Writes times of day of which many lie in one second, as the rows of a log do: the text of the last second is kept.
package struct SecondText: Sendable {
  private var second = Int.min
  private var text = InlineArray<19, UInt8>(repeating: 0)

  /// Nothing is written yet.
  package init() {}

  /// Appends a time as ``WallClockTime/appendISO8601(to:)`` does.
  ///
  /// - Parameter row: what gathers on the way into the buffer.
  package mutating func append(_ time: WallClockTime, _ row: inout RowText, to buffer: inout [UInt8]) {
    let (second, nanoseconds) = time.secondAndFraction
    if second != self.second {
      guard let text = WallClockTime.text(ofSecond: second) else {
        row.flush(to: &buffer)
        return time.appendISO8601(to: &buffer)
      }
      self.second = second
      self.text = text
    }
    row.append(text, fractionNanoseconds: nanoseconds, to: &buffer)
    row.append(UInt8(ascii: "Z"), to: &buffer)
  }
}
