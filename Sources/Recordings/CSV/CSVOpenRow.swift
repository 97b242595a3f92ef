internal import TextFormats

/// A row with a field in quotes that are not closed on its line, and the lines after it that may close them.
struct CSVOpenRow: Sendable {
  /// The most lines after the first.
  private static let mostLines = 100
  /// The most bytes.
  private static let mostBytes = 64 << 10

  /// All lines, with line feeds between them.
  private(set) var bytes: [UInt8]
  private var lines: [(range: Range<Int>, place: TextLine)]

  /// A row of one line so far.
  init(_ line: Span<UInt8>, _ place: TextLine) {
    bytes = line.indices.map { line[$0] }
    lines = [(0..<line.count, place)]
  }

  /// The place of the first line.
  var place: TextLine { lines[0].place }
  /// The number of the last line.
  var lastNumber: Int { lines[lines.count - 1].place.number }
  /// Whether it is longer than any field of a recording, so that its quotes are damage.
  var isTooLong: Bool { lines.count > Self.mostLines || bytes.count > Self.mostBytes }

  /// Takes the next line.
  mutating func append(_ line: Span<UInt8>, _ place: TextLine) {
    bytes.append(UInt8(ascii: "\n"))
    let start = bytes.count
    for index in line.indices { bytes.append(line[index]) }
    lines.append((start..<bytes.count, place))
  }

  /// Gives the lines one by one, as if they were none together.
  func forEachLine(_ body: (Span<UInt8>, TextLine) throws -> Void) rethrows {
    for line in lines { try body(bytes.span.extracting(line.range), line.place) }
  }
}
