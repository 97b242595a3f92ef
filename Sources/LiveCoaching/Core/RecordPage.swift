internal import SessionStore
internal import TextFormats

/// Some records of a live session that are on the disk, one after another, and a reader of those that are decided from now on.
package struct RecordPage: Sendable {
  /// How many bytes of records a page has at most, but for a single one: 34,000 records, as a session of nine hours that is judged
  /// each second makes.
  package static let mostBytes = 8 << 20

  /// The records.
  package private(set) var known: [LiveRecord] = []
  /// Gets what is decided after the page was asked for.
  package let reader: EventReader
  /// Whether it ends because it is full, so that more can be read at once.
  package private(set) var isFull = false

  private let last: Int
  private let end: Int
  private var byteCount = 0
  private var count = 0

  init(_ reader: EventReader, after last: Int, through end: Int) {
    self.reader = reader
    self.last = last
    self.end = end
  }

  /// Whether it has all that were decided when it was asked for: else they are not on the disk yet, or it is full.
  package var isWhole: Bool { !isFull && count >= end }

  /// Reads the records of a file, and of what a journal has of it that the file may lack.
  ///
  /// - Parameter lacking: pieces of files of the session, in order.
  /// - Throws: `FileError` when the file cannot be read.
  mutating func read(_ path: StoredPath, _ lacking: [UInt8]) throws {
    // From which byte of the file on they are.
    var begin = Int.max
    var rest: [UInt8] = []
    SessionFileChunks.forEach(of: lacking.span) { chunk in
      guard chunk.file == .decisions else { return }
      if begin == .max { begin = chunk.offset }
      let place = chunk.offset - begin
      guard (0...rest.count).contains(place) else { return }
      rest.replaceSubrange(place..<min(rest.count, place + chunk.bytes.count), with: lacking[chunk.bytes])
    }
    if try FileSystem.has(path) {
      try ByteLineReader.forEachLine(of: POSIXFile(reading: path)) { line, number in
        if number.isTerminated, number.byteOffset < begin { add(line) }
      }
    }
    LineSplitter.forEachLine(ofWhole: rest.span, maximumLineBytes: .max) { line, number in
      if number.isTerminated { add(line) }
    }
  }

  private mutating func add(_ line: Span<UInt8>) {
    count += 1
    guard count > last, count <= end, !isFull else { return }
    guard known.isEmpty || byteCount + line.count < Self.mostBytes else {
      isFull = true
      return
    }
    byteCount += line.count + 1
    var bytes: [UInt8] = []
    bytes.append(span: line)
    bytes.append(UInt8(ascii: "\n"))
    known.append(LiveRecord(number: count, line: bytes[...]))
  }
}
