/// The mark that some editors put in front of a text in UTF-8, which is no part of it.
package enum TextMark {
  private static let bytes: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// A text without the mark.
  package static func dropped(from text: [UInt8]) -> [UInt8] {
    text.starts(with: bytes) ? Array(text.dropFirst(bytes.count)) : text
  }

  /// A text with blanks instead of the mark, so that positions in its bytes are those of the file; for what reads past
  /// blanks.
  package static func blanked(in text: [UInt8]) -> [UInt8] {
    guard text.starts(with: bytes) else { return text }
    return [UInt8](repeating: UInt8(ascii: " "), count: bytes.count) + text.dropFirst(bytes.count)
  }
}

extension POSIXFile {
  /// Reads the rest of a file of JSON that people write, which a mark may stand before.
  ///
  /// - Throws: as `readAll`.
  package func readJSON(maximumBytes: Int) throws(FileError) -> [UInt8] {
    TextMark.blanked(in: try readAll(maximumBytes: maximumBytes))
  }
}
