internal import Recordings
internal import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// One pass over a CSV that looks at what stands in each row and column.
struct CSVQualityScan {
  private struct Column {
    let stream: Int
    let index: Int
    /// The place among the columns of its stream.
    let place: Int
    /// Whether −1 and 255 are marks for no value in it.
    let hasMarks: Bool
  }

  /// The streams that the columns hold, in the order of ``SampleStream``.
  private(set) var streams: [StreamQuality] = []

  private let place: any FilePlace
  private var path: String { place.path }
  /// The stream of a log of our own, and its name; `nil` for a file of any columns.
  private let log: (stream: SampleStream, file: String)?
  private let expectation: StreamQuality.Expectation
  /// The pauses of the session whose log it is.
  private let pauses: [Range<SessionTime>]
  private var tableStart: CSVTableStart
  private var decoder: CSVRowDecoder?
  private var columns: [Column] = []
  private var readings = CSVReadings()
  private var fields = CSVRow(delimiter: .comma)
  private var missing: [[Bool]] = []
  private var first: Int64?
  private var isTorn = false
  private var unreadable = 0
  private var unplaced = 0

  /// Creates a pass; `beginning` has the first bytes of a file of any columns.
  init(
    path: some FilePlace, log: (stream: SampleStream, file: String)?, beginning: [UInt8] = [],
    _ expectation: StreamQuality.Expectation, pauses: [Range<SessionTime>] = []
  ) {
    place = path
    self.log = log
    self.expectation = expectation
    self.pauses = pauses
    tableStart = CSVTableStart(beginning.span)
  }

  /// After how many rows progress is reported.
  private static let rowsPerReport = 4_096

  /// Reads the file to its end, or to where nothing further can be read; `report` is passed the bytes so far.
  ///
  /// - Throws: `FileError` when it cannot be read, `RecordingError` when it has no header that can be used.
  mutating func run(_ report: (Int) -> Void) throws {
    var bytes = 0
    do {
      let motion = try Self.forEachLine(
        of: place, isBinary: log?.file == SessionFolder.binaryMotion, hasReturnsOnly: tableStart.hasReturnsOnly
      ) { line, place in
        bytes += line.count + 1
        if place.number.isMultiple(of: Self.rowsPerReport) { report(bytes) }
        if decoder == nil {
          try header(line, place)
        } else if !line.isEmpty {
          row(line, place)
        }
      }
      unreadable += motion?.damages.reduce(0) { $0 + $1.rows } ?? 0
      if let motion, motion.tornBytes > 0 { isTorn = true }
    } catch is LineError where decoder != nil {
      unreadable += 1
    } catch let error as LineError {
      throw RecordingError(path: path, problem: "\(error)")
    }
    guard decoder != nil else {
      throw RecordingError(path: path, problem: "empty: expected a header line with the names of columns")
    }
    for index in streams.indices {
      streams[index].unreadableRows = unreadable
      streams[index].unplacedRows = unplaced
      streams[index].tornLines = isTorn ? 1 : 0
    }
  }

  /// Gives the lines to `body`; what read them of a log in binary.
  private static func forEachLine(
    of place: any FilePlace, isBinary: Bool, hasReturnsOnly: Bool, _ body: (Span<UInt8>, TextLine) throws -> Void
  ) throws -> MotionLogReader? {
    guard isBinary else {
      let file = try POSIXFile(reading: place)
      guard hasReturnsOnly else {
        try ByteLineReader.forEachLine(of: file, body)
        return nil
      }
      var splitter = LineSplitter()
      try file.forEachPiece { piece in
        let bytes = CSVLineEnds.withLineFeeds(piece)
        try splitter.feed(bytes.span, body)
      }
      try splitter.finish(body)
      return nil
    }
    return try MotionLogReader.forEachLine(of: place.stored, body)
  }

  private mutating func header(_ line: Span<UInt8>, _ place: TextLine) throws {
    guard let table = try tableStart.take(line, place, path: path) else { return }
    let (known, names) = (table.columns, table.names)
    guard var decoder = table.decoder, known.hasReadings else {
      throw RecordingError(
        path: path, position: "line \(place.number)",
        problem: "no columns for the time and a reading: expected a CSV with a header such as time,heart_rate")
    }
    decoder.isOfOwnLog = log != nil
    self.decoder = decoder
    fields = CSVRow(delimiter: table.delimiter)
    fields.allowsDecimalComma = table.allowsDecimalComma
    let isMarked = known.layout.marksAbsenceByMinusOne
    for stream in SampleStream.allCases {
      let own = known.columns.filter { meaning, _ in
        log.map { $0.stream == stream && !meaning.isTime } ?? (meaning.stream(in: known) == stream)
      }.map { (meaning: $0.key, index: $0.value) }.sorted { $0.index < $1.index }
      guard !own.isEmpty else { continue }
      for (place, column) in own.enumerated() {
        columns.append(
          Column(
            stream: streams.count, index: column.index, place: place,
            hasMarks: log == nil && (column.meaning == .heartRate || isMarked && stream != .motion)))
      }
      missing.append(Array(repeating: false, count: own.count))
      streams.append(
        StreamQuality(stream, file: log?.file, columns: own.map { names[$0.index] }, expectation, pauses: pauses))
    }
  }

  private mutating func row(_ line: Span<UInt8>, _ place: TextLine) {
    guard place.isTerminated || log == nil, let outcome = decoder?.decode(line, into: &readings),
      case .read(let time) = outcome, (try? fields.split(line)) != nil
    else {
      if !place.isTerminated {
        isTorn = true
      } else if log != nil, decoder?.hasEmptyTime == true {
        unplaced += 1
      } else {
        unreadable += 1
      }
      return
    }
    let start = log == nil ? first ?? time : 0
    first = start
    let (span, overflow) = time.subtractingReportingOverflow(start)
    guard !overflow else {
      unreadable += 1
      return
    }
    var hashes = [ContentHash](repeating: ContentHash(), count: streams.count)
    for column in columns {
      let isMissing = fields.isMissing(column.index, in: line) || column.hasMarks && isMark(column.index, line)
      missing[column.stream][column.place] = isMissing
      for index in fields.range(of: column.index) { hashes[column.stream].add(line[index]) }
      hashes[column.stream].add(UInt8(ascii: ","))
    }
    for index in streams.indices {
      streams[index].admitMissing(missing[index])
      guard missing[index].contains(false) else { continue }
      streams[index].admit(
        StreamQuality.RowIdentity(time: SessionTime(nanoseconds: span), content: hashes[index].value))
    }
  }

  /// Whether a value is one of the numbers that devices write for none.
  private func isMark(_ index: Int, _ line: Span<UInt8>) -> Bool {
    guard let value = fields.double(index, in: line) else { return false }
    return value == -1 || value == 255
  }
}

extension CSVColumns.Meaning {
  /// Whether it gives the time.
  fileprivate var isTime: Bool {
    switch self {
    case .time, .timeOfDay, .date, .hour, .minute, .second, .relativeSeconds, .milliseconds: true
    case .heartRate, .steps, .cumulativeSteps, .cadence, .fractionalCadence, .distance, .speed, .latitude, .longitude,
      .altitude, .horizontalAccuracy, .verticalAccuracy, .acceleration, .gravity, .rotationRate, .magneticField, .label,
      .trial, .rrInterval, .direction:
      false
    }
  }

  /// The stream that it is a part of beside other columns; `nil` for the time.
  fileprivate func stream(in columns: CSVColumns) -> SampleStream? {
    switch self {
    case .altitude where columns.columns[.latitude] == nil: .altitude
    case .time, .timeOfDay, .date, .hour, .minute, .second, .relativeSeconds, .milliseconds, .label, .trial: nil
    case .heartRate: .heartRate
    case .steps, .cumulativeSteps: .steps
    case .cadence, .fractionalCadence: .cadence
    case .distance: .distance
    case .speed: .speed
    case .latitude, .longitude, .altitude, .horizontalAccuracy, .verticalAccuracy: .location
    case .acceleration, .gravity, .rotationRate, .magneticField: .motion
    case .rrInterval: .rrInterval
    case .direction: .direction
    }
  }
}
