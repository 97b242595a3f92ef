internal import Recordings
internal import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// Reads a log of our own piece by piece.
struct LogCursor {
  /// A row and where it stands among those of other logs; one without a place stands by the row before it.
  struct Row {
    let input: RecordedInput
    let time: SessionTime
    /// How many rows before it are lost, or cannot be read.
    var lostBefore = 0
  }

  var path: String { place.path }
  let stream: SampleStream
  /// How many rows were taken, and those before them that are lost or cannot be read.
  private(set) var taken = 0
  /// How many bytes are read for now, of a log that somebody still writes; absent for one that is whole.
  private(set) var limit: Int?
  private(set) var warnings: [RecordingWarning] = []

  private let place: StoredPath
  private let file: POSIXFile
  /// What makes text of the bytes of a log in binary.
  private var motion: MotionLogReader?
  private var splitter = LineSplitter()
  private var scan: CSVScan
  private static let chunkSize = 64 << 10
  private var chunk = [UInt8](repeating: 0, count: chunkSize)
  private var offset = 0
  private var rows: [Row] = []
  private var index = 0
  private var newest = SessionTime.zero
  /// How many rows are lost, or cannot be read, behind the last one that can.
  private var lostBehind = 0
  private var isAtEnd = false
  /// How many rows there are in all, once somebody has asked.
  private var total: Int?

  init(path place: StoredPath, stream: SampleStream, isGrowing: Bool = false) throws {
    self.place = place
    self.stream = stream
    limit = isGrowing ? 0 : nil
    file = try POSIXFile(reading: place)
    if place.lastName == SessionFolder.binaryMotion { motion = MotionLogReader(path: place.path, file) }
    scan = CSVScan(path: place.path, form: .lines, person: nil, budget: .ofLogs)
    scan.countsFacts = false
    scan.isOwnLog = true
  }

  /// Takes in how far the log has grown.
  mutating func grow() throws {
    guard limit != nil else { return }
    limit = try file.status().size
  }

  mutating func peek() throws -> Row? {
    while index >= rows.count, !isAtEnd {
      guard try refill() else { break }
    }
    guard index < rows.count else {
      taken += lostBehind
      lostBehind = 0
      return nil
    }
    if rows[index].lostBefore > 0 {
      taken += rows[index].lostBefore
      rows[index].lostBefore = 0
    }
    return rows[index]
  }

  mutating func advance() {
    index += 1
    taken += 1
  }

  /// How many rows are missing of those that were counted when the log was written; none of a log that grows still.
  ///
  /// - Complexity: O(n) of the rows when it is asked first: the log is read once more.
  mutating func missingRows(of counted: Int) throws -> Int {
    guard limit == nil else { return 0 }
    if let total { return max(0, counted - total) }
    var other = try LogCursor(path: place, stream: stream)
    while try other.peek() != nil { other.advance() }
    total = other.taken
    return max(0, counted - other.taken)
  }

  /// Reads the next piece; whether there was one, or the end.
  private mutating func refill() throws -> Bool {
    rows.removeAll(keepingCapacity: true)
    index = 0
    guard let (count, lostRows) = try readText() else { return false }
    isAtEnd = count == 0
    var (splitter, scan, rows, newest) = (splitter, scan, rows, newest)
    var lost = lostBehind + lostRows
    let stream = stream
    do {
      // The speed of a position is a part of it, not a sample of its own.
      let keep = { (sample: Sample) in
        guard sample.reading.stream == stream else { return }
        rows.append(Row(input: .sample(sample), time: sample.time, lostBefore: lost))
        newest = sample.time
        lost = 0
      }
      let consume = { (line: Span<UInt8>, place: TextLine) in
        let (given, unplaced) = (rows.count, scan.unplacedRows)
        try scan.consume(line, place, keep)
        if scan.unplacedRows > unplaced {
          rows.append(Row(input: .unplaced(stream), time: newest, lostBefore: lost))
          lost = 0
        } else if rows.count == given, place.isTerminated, place.number > 1 {
          // What cannot be read was a row where it stands.
          lost += 1
        }
      }
      if isAtEnd {
        try splitter.finish { try consume($0, $1) }
      } else {
        try splitter.feed(chunk.span.extracting(first: count)) {
          try scan.consumeWholeLines($0, &$1, keep)
        } _: {
          try consume($0, $1)
        }
      }
    } catch let error as LineError {
      try scan.stop(at: error)
      isAtEnd = true
    }
    lostBehind = lost
    if isAtEnd {
      noteDamage(&scan)
      try scan.finish()
      warnings = scan.facts.oddities
    }
    (self.splitter, self.scan, self.rows, self.newest) = (splitter, scan, rows, newest)
    return true
  }

  /// Reads the next piece of the text into the chunk: how many bytes, none at the end, and how many rows before them are lost;
  /// `nil` where a log that grows has nothing yet.
  private mutating func readText() throws -> (count: Int, lost: Int)? {
    if motion != nil {
      chunk.removeAll(keepingCapacity: true)
      let lost = try motion?.next(into: &chunk, limit: limit)
      return lost == nil && limit != nil ? nil : (chunk.count, lost ?? 0)
    }
    if let limit {
      guard offset < limit else { return nil }
      let size = min(Self.chunkSize, limit - offset)
      if chunk.count != size { chunk = [UInt8](repeating: 0, count: size) }
    }
    let count = try file.read(into: &chunk)
    offset += count
    return (count, 0)
  }

  /// Takes note of what is wrong with a log in binary.
  private func noteDamage(_ scan: inout CSVScan) {
    guard let motion else { return }
    for damage in motion.damages { scan.note(.unreadableBytes, at: "byte \(damage.byte)", detail: damage.words) }
    if motion.tornBytes > 0 {
      scan.note(.tornLine, at: "byte \(motion.wholeBytes)", detail: "\(motion.tornBytes) bytes")
    }
  }
}
