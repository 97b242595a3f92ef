/// How the lines of a CSV end, found in its first bytes, which are held till then: where there is no line feed among them, carriage
/// returns alone end them, as on old Macs.
package struct CSVLineEnds: Sendable {
  /// How many bytes are looked at.
  package static let longest = 64 << 10

  private var held: [UInt8] = []
  /// Whether it is known how they end.
  package private(set) var areKnown = false
  /// Whether carriage returns alone end them.
  package private(set) var areReturns = false

  /// Nothing seen yet.
  package init() {}

  /// Takes the next bytes; those from the beginning on once it is known how lines end, and none before.
  package mutating func take(_ bytes: Span<UInt8>) -> [UInt8] {
    held.append(span: bytes)
    guard held.count >= Self.longest || held.contains(UInt8(ascii: "\n")) else { return [] }
    return finish()
  }

  /// Decides by what is there: the bytes that were held.
  package mutating func finish() -> [UInt8] {
    guard !areKnown else { return [] }
    areKnown = true
    areReturns = Self.areReturns(held.span)
    defer { held = [] }
    return held
  }

  /// Whether there is no line feed in the first bytes of a text, but a carriage return before the last of them.
  package static func areReturns(_ text: Span<UInt8>) -> Bool {
    let text = text.extracting(first: min(text.count, longest))
    return !text.indices.contains { text[$0] == UInt8(ascii: "\n") }
      && text.indices.dropLast().contains { text[$0] == UInt8(ascii: "\r") }
  }

  /// A piece of a text whose lines end with carriage returns, with line feeds instead.
  package static func withLineFeeds(_ text: Span<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(span: text)
    putLineFeeds(&bytes, before: bytes.count)
    return bytes
  }

  /// Puts line feeds in the place of the carriage returns before an index.
  ///
  /// - Precondition: `end` is in 0...bytes.count.
  package static func putLineFeeds(_ bytes: inout [UInt8], before end: Int) {
    for index in 0..<end where bytes[index] == UInt8(ascii: "\r") { bytes[index] = UInt8(ascii: "\n") }
  }
}
