internal import ZoneEngine

/// A recording in a CSV file: our own columns or any whose header can be recognised.
///
/// The file is read twice and never held whole: once to tell its facts and whether its rows are in order of time, once
/// to give its samples. Only a file whose rows are out of order is held, to be sorted.
package struct CSVRecording: Sendable {
  /// The most samples that a file out of order may have.
  static let largestUnordered = 20_000_000

  /// The file.
  package let path: String
  /// What the file holds.
  package let facts: RecordingFacts

  /// The samples of a file that cannot be read twice or is out of order.
  private let held: [Sample]?

  /// Opens a file and reads it once.
  ///
  /// - Throws: `FileError` when it cannot be read, `RecordingError` when nothing in it can be used.
  package init(path: String) throws {
    self.path = path
    var scan = CSVScan(path: path)
    let file = try POSIXFile(reading: path)
    let isSeekable = file.isSeekable
    var kept: [Sample] = []
    try scan.run(file) { if !isSeekable { kept.append($0) } }
    if scan.isOrdered, isSeekable {
      held = nil
      facts = scan.facts
      return
    }
    if isSeekable {
      guard scan.facts.samples <= Self.largestUnordered else {
        throw RecordingError(
          path: path, position: scan.firstDisorder,
          problem: "out of order, and more than \(Self.largestUnordered) samples to put in order")
      }
      kept.reserveCapacity(scan.facts.samples)
      var again = CSVScan(path: path)
      try again.run(POSIXFile(reading: path)) { kept.append($0) }
    }
    let (samples, facts) = Self.ordered(kept, scan)
    self.facts = facts
    held = samples
  }

  /// Gives every sample to `body`, in order of time, at one instant in that of the file.
  ///
  /// - Throws: `FileError` when the file cannot be read again, or what `body` throws.
  package func forEachSample(_ body: (Sample) throws -> Void) throws {
    if let held {
      for sample in held { try body(sample) }
      return
    }
    var scan = CSVScan(path: path)
    scan.countsFacts = false
    try scan.run(POSIXFile(reading: path), body)
  }

  /// The samples of a whole pass, put in order, with their facts.
  static func ordered(_ samples: [Sample], _ scan: CSVScan) -> (samples: [Sample], facts: RecordingFacts) {
    // Times were counted from the first row; the earliest row is the start.
    let shift = SessionTime(nanoseconds: scan.first - scan.earliest)
    let samples = sorted(samples.map { Sample($0.reading, at: $0.time + shift, source: $0.source) })
    var facts = RecordingFacts()
    for sample in samples { facts.admit(sample) }
    facts.start = scan.facts.start?.adding(nanoseconds: -shift.nanoseconds)
    facts.oddities = scan.facts.oddities
    return (samples, facts)
  }

  /// The samples in order of time, at one instant as they stand.
  static func sorted(_ samples: [Sample]) -> [Sample] {
    samples.enumerated()
      .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
      .map(\.element)
  }
}

/// One pass over a CSV file: samples in order of the file, times counted from the first row with a reading.
struct CSVScan {
  private(set) var facts = RecordingFacts()
  /// The time of the first row with a reading, and the earliest, on the clock of the file.
  private(set) var first: Int64 = 0
  private(set) var earliest: Int64 = 0
  private(set) var isOrdered = true
  private(set) var firstDisorder: String?
  /// Whether facts are counted; a second pass needs none.
  var countsFacts = true
  /// Whether the file is a log of our own: its times count from the start of the session, it may hold no row, and a last
  /// line without its end is a torn write.
  var isOwnLog = false

  /// How far a row may be from the first, in nanoseconds: 100 years, so that no span of a file overflows.
  private static let longestSpan: UInt64 = 100 * 31_557_600 * 1_000_000_000

  private let path: String
  private var warnings = RecordingWarnings()
  private var decoder: CSVRowDecoder?
  private var columns: CSVColumns?
  private var hasFirst = false
  private var newest = Int64.min
  private var rows = 0
  private var firstProblem: (position: String, problem: String)?
  private var readings: [Reading] = []

  init(path: String) { self.path = path }

  /// Reads a whole file.
  mutating func run(_ file: POSIXFile, _ body: (Sample) throws -> Void) throws {
    do {
      try ByteLineReader.forEachLine(of: file) { try consume($0, $1, body) }
    } catch let error as LineError {
      try stop(at: error)
    }
    try finish()
  }

  /// Takes a line.
  mutating func consume(_ line: Span<UInt8>, _ place: TextLine, _ body: (Sample) throws -> Void) throws {
    if decoder == nil {
      try header(line, place)
    } else {
      try row(line, place, body)
    }
  }

  /// Takes note that nothing further can be read.
  ///
  /// - Throws: `RecordingError` when there was nothing before it.
  mutating func stop(at error: LineError) throws(RecordingError) {
    guard hasFirst else { throw RecordingError(path: path, problem: "\(error)") }
    warnings.add(.truncated, at: "line \(error.line)", detail: "\(error)")
  }

  /// Ends the pass and closes the facts.
  ///
  /// - Throws: `RecordingError` when nothing could be used.
  mutating func finish() throws(RecordingError) {
    guard decoder != nil else {
      throw RecordingError(path: path, problem: "empty: expected a header line with the names of columns")
    }
    guard hasFirst || isOwnLog else {
      if let firstProblem {
        throw RecordingError(path: path, position: firstProblem.position, problem: firstProblem.problem)
      }
      throw RecordingError(path: path, problem: "no row has a reading")
    }
    if let decoder, decoder.unreadableValues > 0 {
      warnings.add(.unreadableValue, at: "line \(firstBadValueLine)", count: decoder.unreadableValues)
    }
    if decoder?.clock == .wall { facts.start = WallClockTime(nanoseconds: first) }
    facts.oddities = warnings.all
  }

  private var firstBadValueLine = 0

  private mutating func header(_ line: Span<UInt8>, _ place: TextLine) throws {
    // Blank lines and comments may stand before the header.
    if line.isEmpty || line[0] == UInt8(ascii: "#") { return }
    let delimiter = CSVDelimiter.detect(header: line)
    var row = CSVRow(delimiter: delimiter)
    do throws(CSVRowError) {
      try row.split(line)
    } catch {
      throw RecordingError(path: path, position: "line \(place.number)", problem: "\(error)")
    }
    let columns = CSVColumns(header: (0..<row.count).map { row.string($0, in: line) })
    let position = "line \(place.number)"
    guard let decoder = CSVRowDecoder(columns: columns, delimiter: delimiter) else {
      throw RecordingError(
        path: path, position: position,
        problem: "no column for the time: expected a CSV with a header such as time,heart_rate")
    }
    guard columns.hasReadings else {
      throw RecordingError(
        path: path, position: position,
        problem: "no column with readings: expected one of heart_rate, steps, cadence, distance, speed, latitude")
    }
    if !columns.unknown.isEmpty {
      let names = columns.unknown.prefix(20).map { String($0.prefix(40)) }
      warnings.add(
        .unknownColumns, at: position, count: columns.unknown.count, detail: names.joined(separator: ", "))
    }
    self.columns = columns
    self.decoder = decoder
  }

  private mutating func row(_ line: Span<UInt8>, _ place: TextLine, _ body: (Sample) throws -> Void) throws {
    if line.isEmpty { return }
    if isOwnLog, !place.isTerminated {
      warnings.add(.tornLine, at: "line \(place.number)")
      return
    }
    readings.removeAll(keepingCapacity: true)
    let badBefore = decoder?.unreadableValues ?? 0
    guard let outcome = decoder?.decode(line, into: &readings) else { return }
    if firstBadValueLine == 0, let bad = decoder?.unreadableValues, bad > badBefore {
      firstBadValueLine = place.number
    }
    switch outcome {
    case .unreadable(let problem):
      let position = "line \(place.number)"
      if place.isTerminated || rows == 0 {
        warnings.add(.unreadableRow, at: position, detail: problem)
      } else {
        warnings.add(.tornLine, at: position, detail: problem)
      }
      if firstProblem == nil { firstProblem = (position, problem) }
    case .read(let time):
      guard !readings.isEmpty else { return }
      let (span, overflow) = time.subtractingReportingOverflow(hasFirst || isOwnLog ? first : time)
      guard !overflow, span.magnitude <= Self.longestSpan else {
        warnings.add(.unreadableRow, at: "line \(place.number)", detail: "a time of another century")
        return
      }
      rows += 1
      if !hasFirst {
        hasFirst = true
        first = isOwnLog ? 0 : time
        earliest = time
      }
      if time < newest {
        isOrdered = false
        let position = "line \(place.number)"
        if firstDisorder == nil { firstDisorder = position }
        // What came late to a session stays late when it is judged again.
        if !isOwnLog { warnings.add(.outOfOrder, at: position) }
      }
      newest = max(newest, time)
      earliest = min(earliest, time)
      for reading in readings {
        let sample = Sample(reading, at: SessionTime(nanoseconds: span))
        if countsFacts { facts.admit(sample) }
        try body(sample)
      }
    }
  }
}
