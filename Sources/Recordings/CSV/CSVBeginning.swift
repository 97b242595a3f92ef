internal import TextFormats

/// The beginning of a text of lines, which is looked at before the text is read, for what its header does not state: the units
/// of motion.
struct CSVBeginning {
  /// How many bytes of a text are looked at before it is read.
  static let longest = 64 << 10

  /// The columns of the header, none where it cannot be split; its delimiter, and where its line ends.
  typealias Header = (columns: CSVColumns?, delimiter: CSVDelimiter, end: Int)

  /// Whether more than these bytes has to be looked at: they have no header yet, or one that does not name the units of
  /// motion. Nothing is waited for that decides nothing, since the sender of a pipe may want to be refused first.
  static func needsMore(than text: Span<UInt8>) -> Bool {
    guard text.count < longest else { return false }
    guard let header = header(of: text) else { return true }
    return header.columns.map { CSVMotionUnits($0, delimiter: header.delimiter, rows: nil).guess != nil } ?? false
  }

  /// The units of motion that the header and the rows after it show; `nil` where there is no header that can be split.
  /// Bytes beyond ``longest`` change nothing.
  static func motionUnits(_ text: Span<UInt8>) -> CSVMotionUnits? {
    let piece = text.extracting(first: longest)
    guard let header = header(of: piece), let columns = header.columns else { return nil }
    return CSVMotionUnits(columns, delimiter: header.delimiter, rows: piece.extracting(header.end..<piece.count))
  }

  /// The header; `nil` when there is no whole one.
  private static func header(of text: Span<UInt8>) -> Header? {
    var start = 0
    while let end = (start..<text.count).first(where: { text[$0] == UInt8(ascii: "\n") }) {
      let line = text.extracting(start..<end)
      start = end + 1
      if line.isEmpty || line[0] == UInt8(ascii: "#") { continue }
      let delimiter = CSVDelimiter.detect(header: line)
      var row = CSVRow(delimiter: delimiter)
      guard (try? row.split(line)) != nil else { return (nil, delimiter, start) }
      return (CSVColumns(header: (0..<row.count).map { row.string($0, in: line) }), delimiter, start)
    }
    return nil
  }
}
