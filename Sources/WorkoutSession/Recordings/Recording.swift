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
/// A CSV, an array of JSON objects and an export of Apple Health are read twice and never held. Files of devices are decoded
/// once and held as points, at most 20 million. A zip archive is opened where it holds an export of Apple Health or one
/// recording.
package struct Recording: Sendable {
  /// The file.
  package let path: String
  /// What the file holds.
  package let facts: RecordingFacts

  private let content: Content
  /// What the file was unpacked into, where it is no file of its own.
  private var unpacked: UnpackedEntry?

  private enum Content: Sendable {
    case csv(CSVRecording)
    case inputs([RecordedInput])
    case decoded(DecodedRecording, origin: Int64)
    case appleHealth(AppleHealthRecording)
  }

  private init(path: String, _ content: Content, _ facts: RecordingFacts) {
    self.path = path
    self.content = content
    self.facts = facts
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

  /// Opens a file that is known by another name, such as an entry of an archive.
  ///
  /// - Throws: as under its own name.
  init(path: String, shownAs name: String, unpacked: UnpackedEntry?) throws {
    do {
      var (content, facts) = try Self.read(path, nil)
      facts.add(unpacked?.warnings ?? [])
      if let problem = unpacked?.problem {
        facts.add(.truncated, at: problem.position, problem.problem)
      }
      self.init(path: name, content, facts)
      self.unpacked = unpacked
    } catch {
      guard let problem = unpacked?.problem else { throw Self.error(error, at: path, shownAs: name) }
      throw RecordingError(path: name, position: problem.position, problem: problem.problem)
    }
  }

  /// An error about a file that is known by another name, with that name.
  static func error(_ error: any Error, at path: String, shownAs name: String) -> any Error {
    switch error {
    case var error as RecordingError where error.path == path:
      error.path = name
      return error
    case let error as FileError where error.path == path: return FileError(error.operation, name, code: error.code)
    default: return error
    }
  }

  /// The persons whose rows the file holds, in the order of their first rows; empty where rows belong to nobody.
  package var people: [String] {
    switch content {
    case .csv(let recording): recording.people
    case .inputs, .decoded, .appleHealth: []
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
      return try csvFromPipe(path, person)
    }
    guard ZipArchive.isArchive(beginning.span) else { return try read(RecordingSource(path: path), beginning, person) }
    let source = try RecordingSource(archive: path)
    return try read(source, source.beginning(), person)
  }

  private static func read(
    _ source: RecordingSource, _ beginning: [UInt8], _ person: String?
  ) throws -> (Content, RecordingFacts) {
    let path = source.path
    let isPacked = RecordingFormat.isPacked(beginning.span)
    let unpacked = RecordingFormat.unpackedBeginning(beginning)
    guard !RecordingFormat.isClinicalDocument(unpacked.span) else {
      throw RecordingError(
        path: path, problem: "a clinical document: expected the export.xml that Apple Health writes beside it")
    }
    let format = RecordingFormat(beginning: unpacked.span)
    func again() throws -> any ByteSource { try source.open() }
    func packed<Decoder: RecordingDecoder>(_ decoder: Decoder) -> GzipStream<Decoder> {
      GzipStream(decoder, limits: .standard)
    }
    func rows(_ form: RowForm) throws -> (Content, RecordingFacts) {
      let decoder = CSVTextDecoder(path: path, form: form, person: person)
      if isPacked { return try heldCSV(again(), packed(decoder), path) { $0.decoder } }
      return try source.isInArchive ? heldCSV(again(), decoder, path) { $0 } : csv(path, form, person)
    }
    var (content, facts) =
      switch (format, isPacked) {
      case (.csv, _): try rows(.lines)
      case (.sensoGatherJSON, _): try rows(.objects)
      case (.fit, false): try decoded(again(), FITDecoder(), format, path)
      case (.fit, true): try decoded(again(), packed(FITDecoder()), format, path)
      case (.gpx, false): try decoded(again(), GPXDecoder(), format, path)
      case (.gpx, true): try decoded(again(), packed(GPXDecoder()), format, path)
      case (.tcx, false): try decoded(again(), TCXDecoder(), format, path)
      case (.tcx, true): try decoded(again(), packed(TCXDecoder()), format, path)
      case (.appleHealth, _): try appleHealth(source, isPacked: isPacked)
      }
    facts.add(source.archive?.warnings ?? [])
    return (content, facts)
  }

  private static func appleHealth(_ source: RecordingSource, isPacked: Bool) throws -> (Content, RecordingFacts) {
    let recording = try AppleHealthRecording(source, isPacked: isPacked)
    return (.appleHealth(recording), recording.facts)
  }

  /// What can be read only once can only be a CSV: everything else is looked at first, or read twice.
  private static func csvFromPipe(_ path: String, _ person: String?) throws -> (Content, RecordingFacts) {
    do {
      return try csv(path, .lines, person)
    } catch let error as RecordingError {
      throw RecordingError(
        path: path, position: error.position, problem: error.problem + "; only a CSV can come through a pipe")
    }
  }

  private static func csv(_ path: String, _ form: RowForm, _ person: String?) throws -> (Content, RecordingFacts) {
    let recording = try CSVRecording(path: path, form: form, person: person)
    return (.csv(recording), recording.facts)
  }

  private static func heldCSV<Decoder: RecordingDecoder>(
    _ file: any ByteSource, _ decoder: Decoder, _ path: String, _ text: (Decoder) -> CSVTextDecoder
  ) throws -> (Content, RecordingFacts) {
    var oddities: [RecordingWarning] = []
    let (ended, problem) = try decode(file, decoder, path) { item in
      guard case .warning(let kind, let position, let detail) = item else { return }
      oddities.append(RecordingWarning(kind: kind, position: position, count: 1, detail: detail))
    }
    do {
      let recording = try text(ended).recording(endedBy: problem)
      var facts = recording.facts
      facts.add(oddities)
      return (.csv(recording), facts)
    } catch {
      guard let problem else { throw error }
      throw RecordingError(path: path, position: problem.position, problem: problem.problem)
    }
  }

  private static func decoded(
    _ file: any ByteSource, _ decoder: some RecordingDecoder, _ format: RecordingFormat, _ path: String
  ) throws -> (Content, RecordingFacts) {
    var recording = DecodedRecording()
    let (_, problem) = try decode(file, decoder, path, hasTooMany: { recording.hasTooMany }) { recording.admit($0) }
    if let problem {
      guard recording.count > 0 else {
        throw RecordingError(path: path, position: problem.position, problem: problem.problem)
      }
      recording.stop(at: problem)
    }
    recording.finish()
    guard let origin = recording.activities.first?.points.first?.time else {
      var error = RecordingError(path: path, problem: "no point has a time: expected a recorded activity")
      error.lacksActivity = !recording.warnings.all.contains { [.truncated, .unreadableBytes].contains($0.kind) }
      throw error
    }
    return (.decoded(recording, origin: origin), recording.facts(format: format.rawValue, origin: origin))
  }

  /// Gives every input to `body`: samples in order of time, at one instant in that of the file, and pauses
  /// among them.
  ///
  /// - Throws: `RecordingError` when the rows belong to several people, `FileError` when the file cannot be read again,
  ///   or what `body` throws.
  package func forEachInput(_ body: (RecordedInput) throws -> Void) throws {
    try requireOnePerson()
    switch content {
    case .csv(let recording): try recording.forEachSample { try body(.sample($0)) }
    case .inputs(let inputs): for input in inputs { try body(input) }
    case .decoded(let recording, let origin): try recording.forEachInput(origin: origin, body)
    case .appleHealth(let recording): try recording.forEachInput(activity: nil, body)
    }
  }

  // MARK: - Activities

  /// The activities that the recording knows of, in order of their numbers; none for one that tells of a single session,
  /// such as a CSV.
  package var activities: [RecordedActivity] {
    switch content {
    case .csv, .inputs: []
    case .decoded(let recording, let origin): RecordedActivity.list(recording, origin: origin)
    case .appleHealth(let recording): recording.activities
    }
  }

  /// Gives each of some activities to `body` as a recording of its own, whose times count from its start.
  ///
  /// - Precondition: `wanted` are of ``activities``.
  /// - Throws: `FileError` or `RecordingError` when the file cannot be read again, or what `body` throws.
  package func forEachActivity(
    _ wanted: [RecordedActivity], _ body: (RecordedActivity, Recording) throws -> Void
  ) throws {
    switch content {
    case .csv, .inputs: precondition(wanted.isEmpty, "a recording gives the activities that it has")
    case .decoded(let recording, _):
      for activity in wanted {
        let alone = recording.only(activity.number - 1)
        guard let origin = alone.activities.first?.points.first?.time else { continue }
        try body(
          activity,
          Recording(
            path: path, .decoded(alone, origin: origin), alone.facts(format: facts.format, origin: origin)))
      }
    case .appleHealth(let recording):
      try recording.forEachActivity(wanted) { activity, inputs, facts in
        try body(activity, Recording(path: path, .inputs(inputs), facts))
      }
    }
  }

  /// Feeds bytes to a decoder; the decoder at its end, and why it could not go on, where it could not.
  ///
  /// - Parameter hasTooMany: is asked after every piece whether there are more points than a file may have.
  static func decode<Decoder: RecordingDecoder>(
    _ file: any ByteSource, _ decoder: Decoder, _ path: String, hasTooMany: () -> Bool = { false },
    _ sink: (DecodedItem) -> Void
  ) throws -> (decoder: Decoder, problem: DecodingProblem?) {
    var decoder = decoder
    var chunk = [UInt8](repeating: 0, count: POSIXFile.pieceBytes)
    let isUnpacked = file.isUnpacked
    let telling: (DecodedItem) -> Void = { if isUnpacked { sink($0.unpacked) } else { sink($0) } }
    do {
      while true {
        let read: Int
        do {
          read = try file.read(into: &chunk)
        } catch let damage as DecodingProblem {
          // A decoder may keep back the last of what it was given.
          try? decoder.finish(telling)
          return (decoder, damage)
        }
        guard read > 0 else { break }
        try decoder.feed(chunk.span.extracting(first: read), telling)
        guard !hasTooMany() else {
          throw RecordingError(path: path, problem: "more than \(DecodedRecording.largestCount) points")
        }
      }
      try decoder.finish(telling)
    } catch let problem as DecodingProblem {
      return (decoder, isUnpacked ? problem.unpacked : problem)
    }
    for odd in file.warnings { sink(.warning(odd.kind, position: odd.position, detail: odd.detail)) }
    return (decoder, nil)
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
