package import ZoneEngine

/// Something that moved a session when it was recorded.
package enum RecordedInput: Hashable, Sendable {
  /// A sample.
  case sample(Sample)
  /// A command that was carried out.
  case command(SessionCommand, at: SessionTime)
}

/// A recording in a file of any format that is known, told by its content; gzip around it is unpacked.
///
/// A CSV is read twice and never held. Files of devices are decoded once and held as points, at most 20 million.
package struct Recording: Sendable {
  /// The file.
  package let path: String
  /// What the file holds.
  package let facts: RecordingFacts

  private let content: Content

  private enum Content: Sendable {
    case csv(CSVRecording)
    case samples([Sample])
    case decoded(DecodedRecording, origin: Int64)
  }

  /// Opens a file and reads it.
  ///
  /// - Throws: `FileError` when it cannot be read, `RecordingError` when nothing in it can be used.
  package init(path: String) throws {
    self.path = path
    (content, facts) = try Self.read(path)
  }

  private static func read(_ path: String) throws -> (Content, RecordingFacts) {
    guard let beginning = try FileSystem.beginning(of: path, count: RecordingFormat.telltaleBytes) else {
      return try csv(path)
    }
    let isPacked = RecordingFormat.isPacked(beginning.span)
    let unpacked = isPacked ? unpackedBeginning(beginning) : beginning
    let format = RecordingFormat(beginning: unpacked.span)
    let again = try POSIXFile(reading: path)
    switch (format, isPacked) {
    case (.csv, false): return try csv(path)
    case (.csv, true): return try packedCSV(again, path)
    case (.fit, false): return try decoded(again, FITDecoder(), format, path)
    case (.fit, true): return try decoded(again, GzipStream(FITDecoder(), limits: .standard), format, path)
    case (.gpx, false): return try decoded(again, GPXDecoder(), format, path)
    case (.gpx, true): return try decoded(again, GzipStream(GPXDecoder(), limits: .standard), format, path)
    case (.tcx, false): return try decoded(again, TCXDecoder(), format, path)
    case (.tcx, true): return try decoded(again, GzipStream(TCXDecoder(), limits: .standard), format, path)
    }
  }

  private static func csv(_ path: String) throws -> (Content, RecordingFacts) {
    let recording = try CSVRecording(path: path)
    return (.csv(recording), recording.facts)
  }

  private static func packedCSV(_ file: POSIXFile, _ path: String) throws -> (Content, RecordingFacts) {
    let (stream, problem) = try decode(file, GzipStream(CSVTextDecoder(path: path), limits: .standard), path) { _ in }
    do {
      var (samples, facts) = try stream.decoder.recording()
      if let problem {
        var oddities = RecordingWarnings(facts.oddities)
        oddities.add(.truncated, at: problem.position, detail: problem.problem)
        facts.oddities = oddities.all
      }
      return (.samples(samples), facts)
    } catch {
      guard let problem else { throw error }
      throw RecordingError(path: path, position: problem.position, problem: problem.problem)
    }
  }

  private static func decoded(
    _ file: POSIXFile, _ decoder: some RecordingDecoder, _ format: RecordingFormat, _ path: String
  ) throws -> (Content, RecordingFacts) {
    var recording = DecodedRecording()
    if let problem = try decode(file, decoder, path, { recording.admit($0) }).problem {
      guard recording.count > 0 else {
        throw RecordingError(path: path, position: problem.position, problem: problem.problem)
      }
      recording.stop(at: problem)
    }
    recording.finish()
    guard let origin = recording.activities.first?.points.first?.time else {
      throw RecordingError(path: path, problem: "no point has a time: expected a recorded activity")
    }
    var facts = RecordingFacts()
    facts.format = format.rawValue
    try forEachInput(of: recording, origin: origin) { facts.admit($0) }
    facts.describe(recording, origin: origin)
    return (.decoded(recording, origin: origin), facts)
  }

  /// Gives every input to `body`: samples in order of time, at one instant in that of the file, and pauses
  /// among them.
  ///
  /// - Throws: `FileError` when the file cannot be read again, or what `body` throws.
  package func forEachInput(_ body: (RecordedInput) throws -> Void) throws {
    switch content {
    case .csv(let recording): try recording.forEachSample { try body(.sample($0)) }
    case .samples(let samples): for sample in samples { try body(.sample(sample)) }
    case .decoded(let recording, let origin): try Self.forEachInput(of: recording, origin: origin, body)
    }
  }

  /// Feeds a file to a decoder; the decoder at its end, and why it could not go on, where it could not.
  private static func decode<Decoder: RecordingDecoder>(
    _ file: POSIXFile, _ decoder: Decoder, _ path: String, _ sink: (DecodedItem) -> Void
  ) throws -> (decoder: Decoder, problem: DecodingProblem?) {
    var decoder = decoder
    var count = 0
    var chunk = [UInt8](repeating: 0, count: 256 << 10)
    let counting: (DecodedItem) -> Void = { item in
      if case .point = item { count += 1 }
      sink(item)
    }
    do {
      while true {
        let read = try file.read(into: &chunk)
        guard read > 0 else { break }
        try decoder.feed(chunk.span.extracting(first: read), counting)
        guard count <= DecodedRecording.largestCount else {
          throw RecordingError(path: path, problem: "more than \(DecodedRecording.largestCount) points")
        }
      }
      try decoder.finish(counting)
    } catch let problem as DecodingProblem {
      return (decoder, problem)
    }
    return (decoder, nil)
  }

  /// The first bytes of what is packed in a file that begins with `bytes`.
  private static func unpackedBeginning(_ bytes: [UInt8]) -> [UInt8] {
    let stream = GzipStream(BeginningDecoder(), limits: .standard)
    // A piece of a gzip file is no whole one; what it gives is enough to look at.
    try? stream.feed(bytes.span) { _ in }
    return stream.decoder.beginning
  }

  private static func forEachInput(
    of recording: DecodedRecording, origin: Int64, _ body: (RecordedInput) throws -> Void
  ) throws {
    func time(_ clock: Int64) -> SessionTime {
      SessionTime(nanoseconds: clock) - SessionTime(nanoseconds: origin)
    }
    let timeline = RecordedTimeline(recording.activities)
    var stops = timeline.stops[...]
    var isPaused = false
    var lastSteps = [Double](repeating: 0, count: recording.activities.count)
    try timeline.forEachPoint { activity, point in
      while let stop = stops.first, isPaused ? point.time >= stop.until : point.time > stop.from {
        try body(.command(isPaused ? .resume : .pause, at: time(isPaused ? stop.until : stop.from)))
        if isPaused { stops.removeFirst() }
        isPaused.toggle()
      }
      var added: Int?
      if !point.steps.isNaN {
        let last = lastSteps[activity]
        added = Int(min(1e6, (point.steps >= last ? point.steps - last : point.steps).rounded()))
        lastSteps[activity] = point.steps
      }
      let at = time(point.time)
      try point.forEachReading(steps: added) { try body(.sample(Sample($0, at: at))) }
    }
    if isPaused, let stop = stops.first { try body(.command(.resume, at: time(stop.until))) }
  }
}

/// Keeps the beginning of a text, to look at it.
struct BeginningDecoder: RecordingDecoder {
  private(set) var beginning: [UInt8] = []

  mutating func feed(_ bytes: Span<UInt8>, _ sink: (DecodedItem) -> Void) throws(DecodingProblem) {
    let room = RecordingFormat.telltaleBytes - beginning.count
    for index in bytes.indices.prefix(max(0, room)) { beginning.append(bytes[index]) }
  }

  mutating func finish(_ sink: (DecodedItem) -> Void) throws(DecodingProblem) {}
}

/// Reads the lines of a CSV that comes unpacked in pieces; its samples are held.
package struct CSVTextDecoder: RecordingDecoder {
  private let path: String
  private var splitter = LineSplitter()
  private var scan: CSVScan
  private var samples: [Sample] = []
  private var failure: (any Error)?

  /// Creates a decoder at the beginning of a text; the path is for messages.
  package init(path: String) {
    self.path = path
    scan = CSVScan(path: path)
  }

  /// Takes the next bytes. What cannot be read is told by ``recording()``.
  package mutating func feed(_ bytes: Span<UInt8>, _ sink: (DecodedItem) -> Void) throws(DecodingProblem) {
    guard failure == nil else { return }
    var (splitter, scan, samples) = (splitter, scan, samples)
    self.samples = []
    do {
      try splitter.feed(bytes) { line, place in try scan.consume(line, place) { samples.append($0) } }
    } catch {
      failure = error
    }
    (self.splitter, self.scan, self.samples) = (splitter, scan, samples)
  }

  /// Ends the bytes.
  package mutating func finish(_ sink: (DecodedItem) -> Void) throws(DecodingProblem) {
    guard failure == nil else { return }
    var (splitter, scan, samples) = (splitter, scan, samples)
    self.samples = []
    do {
      try splitter.finish { line, place in try scan.consume(line, place) { samples.append($0) } }
    } catch {
      failure = error
    }
    (self.splitter, self.scan, self.samples) = (splitter, scan, samples)
  }

  /// The samples in order and their facts.
  ///
  /// - Throws: `RecordingError` when nothing could be used.
  package func recording() throws -> (samples: [Sample], facts: RecordingFacts) {
    var scan = scan
    if let error = failure as? LineError {
      try scan.stop(at: error)
    } else if let failure {
      throw failure
    }
    try scan.finish()
    return CSVRecording.ordered(samples, scan)
  }
}
