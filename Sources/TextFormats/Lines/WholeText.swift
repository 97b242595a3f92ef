extension LineSplitter {
  /// Gives every line of a text that is there whole to `body`, as a splitter does that cuts long lines and refuses nothing; nothing is
  /// copied.
  ///
  /// - Precondition: `maximumLineBytes` is above 2.
  package static func forEachLine(
    ofWhole text: Span<UInt8>, maximumLineBytes: Int, _ body: (Span<UInt8>, TextLine) -> Void
  ) {
    precondition(maximumLineBytes > 2, "a line has room for more than two bytes")
    let hasMark = text.count >= 3 && text[0] == 0xEF && text[1] == 0xBB && text[2] == 0xBF
    var (start, number) = (hasMark ? 3 : 0, 1)
    while start < text.count {
      let lineFeed = text.firstIndex(of: UInt8(ascii: "\n"), from: start)
      let end = lineFeed ?? text.count
      var count = end - start
      if count > 0, text[end - 1] == UInt8(ascii: "\r") { count -= 1 }
      body(
        text.extracting(start..<start + min(count, maximumLineBytes)),
        TextLine(
          number: number, byteOffset: start, isTerminated: lineFeed != nil, isCut: count > maximumLineBytes))
      number += 1
      start = end + 1
    }
  }
}
