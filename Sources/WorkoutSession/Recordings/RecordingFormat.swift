/// The formats of recordings, told by their content.
package enum RecordingFormat: String, CaseIterable, Hashable, Sendable {
  /// Flexible and Interoperable Data Transfer, of watches and bicycle computers.
  case fit
  /// GPS Exchange Format.
  case gpx
  /// Training Center XML.
  case tcx
  /// Columns of text.
  case csv

  /// How many bytes from the beginning tell the format.
  static let telltaleBytes = 16 << 10

  /// The format that begins with these bytes; a CSV when nothing else does.
  init(beginning bytes: Span<UInt8>) {
    if Self.isUTF16(bytes) {
      // Of the letters that tell, one byte of two is 0.
      var letters: [UInt8] = []
      for index in bytes.indices.dropFirst(2) where bytes[index] != 0 { letters.append(bytes[index]) }
      self.init(beginning: letters.span)
    } else if bytes.count >= 12, (8..<12).allSatisfy({ bytes[$0] == Array(".FIT".utf8)[$0 - 8] }) {
      self = .fit
    } else if Self.contains("<gpx", in: bytes) {
      self = .gpx
    } else if Self.contains("TrainingCenterDatabase", in: bytes) {
      self = .tcx
    } else {
      self = .csv
    }
  }

  /// Whether bytes begin a gzip file.
  static func isPacked(_ bytes: Span<UInt8>) -> Bool { bytes.count >= 2 && bytes[0] == 0x1F && bytes[1] == 0x8B }

  /// Whether a text begins with a byte order mark of UTF-16, as some XML does.
  private static func isUTF16(_ bytes: Span<UInt8>) -> Bool {
    bytes.count >= 2 && (bytes[0] == 0xFF && bytes[1] == 0xFE || bytes[0] == 0xFE && bytes[1] == 0xFF)
  }

  /// Whether a text that begins like XML contains a word.
  private static func contains(_ word: String, in bytes: Span<UInt8>) -> Bool {
    var start = 0
    if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { start = 3 }
    while start < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[start]) { start += 1 }
    guard start < bytes.count, bytes[start] == UInt8(ascii: "<") else { return false }
    let letters = Array(word.utf8)
    guard bytes.count >= start + letters.count else { return false }
    for offset in start...(bytes.count - letters.count)
    where letters.indices.allSatisfy({ bytes[offset + $0] == letters[$0] }) {
      return true
    }
    return false
  }
}
