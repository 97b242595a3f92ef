package import TextFormats

/// The beginning of a table of somebody's, up to its header, read as a recording is: lines before the header, how lines end, and how
/// numbers and times are written.
package struct CSVTableStart: Sendable {
  /// How many bytes of a table are looked at.
  package static let longest = CSVLineEnds.longest

  /// What is known of a table once its header is read.
  package struct Table: Sendable {
    /// The columns.
    package let columns: CSVColumns
    /// Their names, as they are written.
    package let names: [String]
    /// What stands between two fields.
    package let delimiter: CSVDelimiter
    /// Whether a comma may stand before decimals.
    package let allowsDecimalComma: Bool
    /// Reads the rows; `nil` without a column for the time.
    package var decoder: CSVRowDecoder?
  }

  private let beginning: CSVBeginning
  private var reader: CSVHeaderReader

  /// Looks at the first bytes of a table, ``longest`` at most; none where they cannot be looked at before it is read.
  package init(_ text: Span<UInt8>) {
    beginning = CSVBeginning(text)
    reader = CSVHeaderReader(hasUnits: beginning.hasUnits)
  }

  /// Whether carriage returns alone end the lines.
  package var hasReturnsOnly: Bool { beginning.hasReturnsOnly }

  /// Takes the next line; what is known of the table when that is its header.
  ///
  /// - Throws: `RecordingError` of `path` when it is none.
  package mutating func take(
    _ line: Span<UInt8>, _ place: TextLine, path: String
  ) throws(RecordingError) -> Table? {
    do throws(CSVHeaderProblem) {
      guard let header = try reader.take(line, place)?.without(beginning.leftOut) else { return nil }
      let style = beginning.style ?? CSVStyle(header.columns, delimiter: header.delimiter)
      return Table(
        columns: header.columns, names: header.columns.names, delimiter: header.delimiter,
        allowsDecimalComma: style.allowsDecimalComma,
        decoder: CSVRowDecoder(
          columns: header.columns, delimiter: header.delimiter, style: style, origin: header.origin))
    } catch {
      throw RecordingError(
        path: path, position: "line \((error.place ?? place).number)", problem: error.problem)
    }
  }
}
