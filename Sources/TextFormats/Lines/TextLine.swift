/// Where a line stands, and how it ended.
package struct TextLine: Hashable, Sendable {
  /// The number of the line, from 1.
  package let number: Int
  /// The bytes before the line, a byte order mark included.
  package let byteOffset: Int
  /// Whether a line feed followed. Only the last line of a text can lack one: it may be a torn write.
  package let isTerminated: Bool
  /// Whether the line was longer than allowed and only its beginning is there.
  package let isCut: Bool
}

/// Where the next line of a text stands, while somebody takes its lines.
package struct LineCursor: Hashable, Sendable {
  /// The index of its first byte.
  package private(set) var index: Int
  /// The number of the line, from 1.
  package private(set) var number: Int
  /// The bytes before the line, a byte order mark included.
  private(set) var byteOffset: Int

  init(index: Int, number: Int, byteOffset: Int) {
    self.index = index
    self.number = number
    self.byteOffset = byteOffset
  }

  /// The place of the line, which has an end.
  package var place: TextLine { TextLine(number: number, byteOffset: byteOffset, isTerminated: true, isCut: false) }

  /// Goes on to the next line, whose first byte stands at an index.
  @inline(__always)
  package mutating func advance(to next: Int) {
    byteOffset += next - index
    index = next
    number += 1
  }

  /// Goes on by so many lines to the one whose first byte stands at an index.
  package mutating func advance(to next: Int, lines: Int) {
    byteOffset += next - index
    index = next
    number += lines
  }
}
