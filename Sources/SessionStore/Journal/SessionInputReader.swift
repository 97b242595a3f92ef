package import TextFormats

/// Reads what was taken of a live session from its file, once and in order, some at a time: so memory holds no more than that, however
/// long the session is.
package struct SessionInputReader {
  private let file: POSIXFile
  private let pieceBytes: Int
  private let byteCount: Int
  private var place = 0

  /// Opens the file.
  ///
  /// - Throws: `FileError` when it cannot be opened.
  package init(_ path: StoredPath) throws(FileError) { try self.init(path, pieceBytes: 256 << 10) }

  /// The same with so many bytes that are read at once, four at least; more where a single input has more.
  init(_ path: StoredPath, pieceBytes: Int) throws(FileError) {
    self.pieceBytes = pieceBytes
    file = try POSIXFile(reading: path)
    byteCount = try file.status().size
  }

  /// The next inputs; none when there are no more. What is cut off at the end was never answered, and nothing is behind damage.
  ///
  /// - Throws: `FileError` when they cannot be read.
  package mutating func next() throws(FileError) -> [SessionInput] {
    var wanted = pieceBytes
    while place < byteCount {
      let bytes = try file.read(at: place, count: min(wanted, byteCount - place))
      var inputs: [SessionInput] = []
      let readBytes = SessionInput.forEach(of: bytes.span) { inputs.append($0) }
      place += readBytes
      if readBytes > 0 { return inputs }
      // One that is larger than a piece is read whole; its file says whether it may be that large.
      guard let first = SessionInput.byteCount(ofFirstIn: bytes.span), first > wanted, first <= byteCount - place
      else { break }
      wanted = first
    }
    place = byteCount
    return []
  }
}
