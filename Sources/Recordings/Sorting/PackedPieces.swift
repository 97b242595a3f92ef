package import TextFormats

/// Packed bytes that are read from front to back, in memory or in a temporary file, of which a piece is held.
package struct PackedPieces {
  /// The bytes that are at hand.
  package private(set) var piece: [UInt8]
  /// Where in them the next value begins.
  package private(set) var offset = 0

  private let file: TemporaryFile?
  private var rest: Range<Int>

  /// Bytes in memory.
  package init(_ bytes: [UInt8]) {
    piece = bytes
    file = nil
    rest = 0..<0
  }

  /// Bytes of a file.
  package init(_ file: TemporaryFile, _ range: Range<Int>) {
    piece = []
    self.file = file
    rest = range
  }

  /// Goes on by some bytes; whether a value begins there, which then is at hand whole.
  ///
  /// - Parameter largestSize: the most bytes that a value has.
  /// - Throws: `FileError` when the file cannot be read.
  package mutating func advance(by count: Int, holding largestSize: Int) throws(FileError) -> Bool {
    offset += count
    if let file, piece.count - offset < largestSize, !rest.isEmpty {
      let count = min(TemporaryFile.pieceBytes, rest.count)
      piece = Array(piece[offset...]) + (try file.read(at: rest.lowerBound, count: count))
      rest = rest.lowerBound + count..<rest.upperBound
      offset = 0
    }
    return offset < piece.count
  }
}
