/// Words that a reader of plain text knows, such as the members of an object, by which place of the text is one of them.
package struct PlainWords: Sendable {
  /// The first eight bytes of each word, of a shorter one with zeros behind it, and how many bytes it has.
  private let heads: [UInt64]
  private let counts: [Int]
  private let spellings: [[UInt8]]

  /// Some words, none of them empty.
  package init(_ words: [String]) {
    spellings = words.map { Array($0.utf8) }
    counts = spellings.map(\.count)
    heads = spellings.map { Self.head($0.span, 0..<$0.count) }
  }

  /// Which of the words stands at a place; `nil` for one that is not known.
  ///
  /// - Precondition: the place is inside the bytes.
  package func index(of place: Range<Int>, _ bytes: Span<UInt8>) -> Int? {
    let (head, count) = (Self.head(bytes, place), place.count)
    for index in heads.indices where heads[index] == head {
      if counts[index] == count, count <= 8 || isEqual(spellings[index], bytes, place) { return index }
    }
    return nil
  }

  @inline(__always)
  private static func head(_ bytes: Span<UInt8>, _ place: Range<Int>) -> UInt64 {
    let word = bytes.word(at: place.lowerBound)
    return place.count < 8 ? word & (1 << UInt64(8 * place.count) - 1) : word
  }

  private func isEqual(_ spelling: [UInt8], _ bytes: Span<UInt8>, _ place: Range<Int>) -> Bool {
    for index in 8..<place.count where spelling[index] != bytes[place.lowerBound + index] { return false }
    return true
  }
}
