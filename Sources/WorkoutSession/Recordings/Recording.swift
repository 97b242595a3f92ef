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
/// A CSV, or an array of JSON objects, is read twice and never held. Files of devices are decoded once and held as points, at most 20 million.
package struct Recording: Sendable {
  /// The file.
  package let path: String
  /// What the file holds.
  package let facts: RecordingFacts

  private let content: Content

  private enum Content: Sendable {
    case csv(CSVRecording)
    case decoded(DecodedRecording, origin: Int64)
  }

  /// Opens a file and reads it.
  ///
  /// - Throws: `FileError` when it cannot be read, `RecordingError` when nothing in it can be used.
  package init(path: String) throws { try self.init(path: path, of: nil) }

  /// Opens a file whose rows belong to persons and reads those of one; a file without persons is refused.
  ///
  /// - Throws: as without a person; `RecordingError` too when there is nothing of that person.
  package init(path: String, person: String) throws { try self.init(path: path, of: person) }

  private init(path: String, of person: String?) throws {
    self.path = path
    (content, facts) = try Self.read(path, person)
    guard person == nil || !people.isEmpty else {
      throw RecordingError(path: path, problem: "its rows do not belong to persons")
    }
  }

  /// The persons whose rows the file holds, in the order of their first rows; empty where rows belong to nobody.
  package var people: [String] {
    switch content {
    case .csv(let recording): recording.people
    case .decoded: []
    }
  }

  /// Makes sure that the samples are of one person, or of nobody in particular.
  ///
  /// - Throws: `RecordingError` with the persons when there are several.
  package func requireOnePerson() throws(RecordingError) {
    guard people.count > 1 else { return }
    throw RecordingError(
      path: path, problem: "rows of \(people.count) people: expected those of one (\(CSVPeople.listed(people)))")
  }

  private static func read(_ path: String, _ person: String?) throws -> (Content, RecordingFacts) {
    guard let beginning = try FileSystem.beginning(of: path, count: RecordingFormat.telltaleBytes) else {
      return try csv(path, .lines, person)
    }
    let isPacked = RecordingFormat.isPacked(beginning.span)
    let unpacked = isPacked ? unpackedBeginning(beginning) : beginning
    let format = RecordingFormat(beginning: unpacked.span)
    let again = try POSIXFile(reading: path)
    switch (format, isPacked) {
    case (.csv, false): return try csv(path, .lines, person)
    case (.csv, true): return try packedCSV(again, path, .lines, person)
    case (.sensoGatherJSON, false): return try csv(path, .objects, person)
    case (.sensoGatherJSON, true): return try packedCSV(again, path, .objects, person)
    case (.fit, false): return try decoded(again, FITDecoder(), format, path)
    case (.fit, true): return try decoded(again, GzipStream(FITDecoder(), limits: .standard), format, path)
    case (.gpx, false): return try decoded(again, GPXDecoder(), format, path)
    case (.gpx, true): return try decoded(again, GzipStream(GPXDecoder(), limits: .standard), format, path)
    case (.tcx, false): return try decoded(again, TCXDecoder(), format, path)
    case (.tcx, true): return try decoded(again, GzipStream(TCXDecoder(), limits: .standard), format, path)
    }
  }

  private static func csv(_ path: String, _ form: RowForm, _ person: String?) throws -> (Content, RecordingFacts) {
    let recording = try CSVRecording(path: path, form: form, person: person)
    return (.csv(recording), recording.facts)
  }

  private static func packedCSV(
    _ file: POSIXFile, _ path: String, _ form: RowForm, _ person: String?
  ) throws -> (Content, RecordingFacts) {
    let decoder = CSVTextDecoder(path: path, form: form, person: person)
    let (stream, problem) = try decode(file, GzipStream(decoder, limits: .standard), path) { _ in }
    do {
      let recording = try stream.decoder.recording(endedBy: problem)
      return (.csv(recording), recording.facts)
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
    try forEachInput(of: recording, origin: origin) { input in
      if case .sample(let sample) = input { facts.admit(sample) }
    }
    facts.describe(recording, origin: origin)
    return (.decoded(recording, origin: origin), facts)
  }

  /// Gives every input to `body`: samples in order of time, then of stream, then of the file, and pauses among them.
  ///
  /// - Throws: `RecordingError` when the rows belong to several people, `FileError` when the file cannot be read again,
  ///   or what `body` throws.
  package func forEachInput(_ body: (RecordedInput) throws -> Void) throws {
    try requireOnePerson()
    switch content {
    case .csv(let recording): try recording.forEachSample { try body(.sample($0)) }
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
    var lastTime: Int64?
    for activity in recording.activities {
      guard let first = activity.points.first else { continue }
      if let lastTime, first.time > lastTime {
        try body(.command(.pause, at: time(lastTime)))
        try body(.command(.resume, at: time(first.time)))
      }
      var pauses = activity.pauses[...].drop { $0.until <= first.time }
      var isPaused = false
      var lastSteps: Double?
      for point in activity.points {
        while let pause = pauses.first, isPaused ? point.time >= pause.until : point.time > pause.from {
          try body(.command(isPaused ? .resume : .pause, at: time(isPaused ? pause.until : pause.from)))
          if isPaused { pauses.removeFirst() }
          isPaused.toggle()
        }
        var added: Int?
        if !point.steps.isNaN {
          let last = lastSteps ?? 0
          added = Int(min(1e6, (point.steps >= last ? point.steps - last : point.steps).rounded()))
          lastSteps = point.steps
        }
        let at = time(point.time)
        try point.forEachReading(steps: added) { try body(.sample(Sample($0, at: at))) }
      }
      if isPaused, let pause = pauses.first, let last = activity.points.last {
        try body(.command(.resume, at: max(time(last.time), time(pause.until))))
      }
      lastTime = max(lastTime ?? .min, activity.points.last?.time ?? .min)
    }
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
