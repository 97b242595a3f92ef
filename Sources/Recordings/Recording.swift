package import TextFormats
public import WorkoutSession

/// A recording in a file of any format that is known, recognised by its content; gzip around it is unpacked.
///
/// A CSV, an array of JSON objects and an export of Apple Health are read twice and never held. Files of devices are decoded
/// once and held as points. A ``ReadingBudget`` says how much any of them may hold. A zip archive is opened where it holds an
/// export of Apple Health or one recording; tables beside that are left out, with a warning where they are recordings themselves.
public struct Recording: Sendable {
  /// The file, or the name of the bytes, as errors show it.
  public let path: String
  /// What the file holds.
  public let facts: RecordingFacts

  private let content: Content
  /// What holds the bytes, where they are no file of their own.
  private var holder: (any AnyObject & Sendable)?
  private let budget: ReadingBudget

  private enum Content: Sendable {
    case csv(CSVRecording)
    case inputs([RecordedInput])
    case decoded(DecodedRecording, origin: Int64)
    case appleHealth(AppleHealthRecording)
  }

  private init(path: String, _ content: Content, _ facts: RecordingFacts, _ budget: ReadingBudget) {
    self.path = path
    self.content = content
    self.facts = facts
    self.budget = budget
  }

  /// Opens a file and reads it.
  ///
  /// A file that is cut short or damaged gives everything that can be read, with a warning in ``facts``.
  ///
  /// - Throws: `FileError` when it cannot be read; `RecordingError` when nothing in it can be used, or when it holds more than
  ///   the budget allows.
  /// - Complexity: O(n) of the bytes of the file.
  public init(path: String, budget: ReadingBudget = .standard) throws {
    try self.init(path: path, of: nil, budget)
  }

  /// Opens a file whose rows belong to persons and reads those of one; a file without persons is refused.
  ///
  /// - Throws: as without a person; `RecordingError` too when there is nothing of that person.
  public init(path: String, person: String, budget: ReadingBudget = .standard) throws {
    try self.init(path: path, of: person, budget)
  }

  /// Reads the bytes of a file that are in memory, as ``init(path:budget:)`` reads a file.
  ///
  /// As long as the recording lives, the bytes are in a file without a name in the folder that `TMPDIR` names, else in `/tmp`.
  ///
  /// - Parameters:
  ///   - bytes: The content of the file.
  ///   - name: What errors call it, such as the name under which it was sent.
  ///   - budget: How much the recording may hold.
  /// - Throws: as for a file; `FileError` too when there is no room for the bytes.
  public init(bytes: [UInt8], name: String, budget: ReadingBudget = .standard) throws {
    let file = try TemporaryFile(to: "hold the recording")
    try file.append(bytes.span)
    do {
      let (content, facts) = try Self.read(file.path, nil, budget)
      self.init(path: name, content, facts, budget)
      holder = file
    } catch {
      throw Self.error(error, at: file.path, shownAs: name)
    }
  }

  private init(path: String, of person: String?, _ budget: ReadingBudget) throws {
    self.path = path
    self.budget = budget
    (content, facts) = try Self.read(path, person, budget)
    guard person == nil || !people.isEmpty else {
      throw RecordingError(path: path, problem: "its rows do not belong to persons")
    }
  }

  /// Where a session that is made from it comes from: a file says so itself when no person was measured.
  public var origin: SessionOrigin { facts.origin ?? .imported }

  /// Opens a file that is known by another name, such as an entry of an archive.
  ///
  /// - Throws: as under its own name.
  package init(
    path: String, shownAs name: String, unpacked: UnpackedEntry?, budget: ReadingBudget = .standard
  ) throws {
    do {
      var (content, facts) = try Self.read(path, nil, budget)
      facts.add(unpacked?.warnings ?? [])
      if let problem = unpacked?.problem {
        facts.add(.truncated, at: problem.position, problem.problem)
      }
      self.init(path: name, content, facts, budget)
      holder = unpacked
    } catch {
      guard let problem = unpacked?.problem else { throw Self.error(error, at: path, shownAs: name) }
      throw RecordingError(path: name, position: problem.position, problem: problem.problem)
    }
  }

  /// Where it can be opened again; `nil` for bytes that were in memory, and for what came through a pipe.
  package var place: RecordingPlace? {
    guard let holder else {
      guard let status = try? FileSystem.status(path), status.isRegular else { return nil }
      return RecordingPlace(file: path, steps: [], name: path)
    }
    return (holder as? UnpackedEntry)?.place.named(path)
  }

  /// An error about a file that is known by another name, with that name.
  package static func error(_ error: any Error, at path: String, shownAs name: String) -> any Error {
    switch error {
    case var error as RecordingError where error.path == path:
      error.path = name
      return error
    case let error as FileError where error.path == path: return error.named(name)
    default: return error
    }
  }

  /// The persons whose rows the file holds, in the order of their first rows; empty where rows belong to nobody.
  public var people: [String] {
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

  private static func read(
    _ path: String, _ person: String?, _ budget: ReadingBudget
  ) throws -> (Content, RecordingFacts) {
    guard let beginning = try FileSystem.beginning(of: path, count: RecordingFormat.beginningBytes) else {
      return try csvFromPipe(path, person, budget)
    }
    if let size = try FileSystem.status(path)?.size, size > budget.bytes {
      throw RecordingError(
        path: path, position: "byte \(budget.bytes)", problem: "expected at most \(budget.bytes) bytes, found \(size)")
    }
    guard ZipArchive.isArchive(beginning.span) else {
      return try read(RecordingSource(path: path), beginning, person, budget)
    }
    let source = try RecordingSource(archive: path)
    return try read(source, source.beginning(), person, budget)
  }

  private static func read(
    _ source: RecordingSource, _ beginning: [UInt8], _ person: String?, _ budget: ReadingBudget
  ) throws -> (Content, RecordingFacts) {
    let path = source.path
    let isPacked = RecordingFormat.isPacked(beginning.span)
    let unpacked = RecordingFormat.unpackedBeginning(beginning)
    guard !RecordingFormat.isClinicalDocument(unpacked.span) else {
      throw RecordingError(
        path: path, problem: "a clinical document: expected the export.xml that Apple Health writes beside it")
    }
    let format = RecordingFormat(beginning: unpacked.span)
    if format == .csv, let foreign = ForeignFormat.error(path, beginning: unpacked.span) { throw foreign }
    func decoded(_ decoder: some RecordingDecoder) throws -> (Content, RecordingFacts) {
      let file = try source.open()
      guard isPacked else { return try Self.decoded(file, decoder, format, path) }
      return try Self.decoded(file, GzipStream(decoder, limits: budget.unpacked), format, path)
    }
    func rows(_ form: RowForm) throws -> (Content, RecordingFacts) {
      let recording = try CSVRecording(
        RowText(source: source, isPacked: isPacked, form: form, person: person, budget: budget))
      return (.csv(recording), recording.facts)
    }
    func objects() throws -> (Content, RecordingFacts) {
      do {
        return try rows(.objects)
      } catch let error as RecordingError {
        throw ForeignFormat.arrayError(path, beginning: unpacked.span) ?? error
      }
    }
    var (content, facts) =
      switch format {
      case .csv: try rows(.lines)
      case .sensoGatherJSON: try objects()
      case .fit: try decoded(FITDecoder(budget: budget))
      case .gpx: try decoded(GPXDecoder(budget: budget))
      case .tcx: try decoded(TCXDecoder(budget: budget))
      case .healthAutoExport: try decoded(HealthAutoExportDecoder(budget: budget))
      case .polarHRM: try decoded(PolarHRMDecoder(budget: budget))
      case .intervalList:
        try decoded(
          IntervalListDecoder(
            unit: IntervalListDecoder.unit(beginning: unpacked.span) ?? .milliseconds, budget: budget))
      case .appleHealth: try appleHealth(source, isPacked: isPacked, budget)
      }
    facts.add(source.archive?.warnings ?? [])
    if let others = try ArchivedRecordings.leftOut(of: source) { facts.add([others]) }
    return (content, facts)
  }

  private static func appleHealth(
    _ source: RecordingSource, isPacked: Bool, _ budget: ReadingBudget
  ) throws -> (Content, RecordingFacts) {
    let recording = try AppleHealthRecording(source, isPacked: isPacked, budget)
    return (.appleHealth(recording), recording.facts)
  }

  /// What can be read only once can only be a CSV: everything else is looked at first, or read twice.
  private static func csvFromPipe(
    _ path: String, _ person: String?, _ budget: ReadingBudget
  ) throws -> (Content, RecordingFacts) {
    do {
      let recording = try CSVRecording(
        RowText(
          source: RecordingSource(path: path), isPacked: false, form: .lines, person: person, budget: budget))
      return (.csv(recording), recording.facts)
    } catch let error as RecordingError where !error.lacksTimeOfDay {
      throw RecordingError(
        path: path, position: error.position, problem: error.problem + "; only a CSV can come through a pipe")
    }
  }

  private static func decoded(
    _ file: any ByteSource, _ decoder: some RecordingDecoder, _ format: RecordingFormat, _ path: String
  ) throws -> (Content, RecordingFacts) {
    var recording = DecodedRecording()
    let (_, problem) = try decoder.decoded(file, path) { recording.admit($0) }
    if let problem {
      guard recording.count > 0 else {
        throw RecordingError(path: path, position: problem.position, problem: problem.problem)
      }
      recording.stop(at: problem)
    }
    recording.finish()
    guard let origin = recording.activities.first?.points.first?.time else {
      if let error = Self.nothingReadable(recording.warnings.all, path) { throw error }
      let workouts = recording.warnings.all.first { $0.kind == .workoutsNotRead }
      let untimed = recording.warnings.all.first { $0.kind == .pointWithoutTime }
      let what = untimed == nil ? "no point of an activity" : "no point has a time that can be read"
      var error = RecordingError(
        path: path, position: untimed?.position, problem: "\(what): expected a recorded activity, no route or course")
      if let workouts {
        let found = workouts.count == 1 ? "a workout" : "\(workouts.count) workouts"
        error = RecordingError(
          path: path, position: workouts.position,
          problem: "passed over \(found), because only metrics are read: expected heart_rate or step_count among these")
      }
      error.lacksActivity = !recording.warnings.all.contains { [.truncated, .unreadableBytes].contains($0.kind) }
      throw error
    }
    let facts = recording.facts(format: format.rawValue, origin: origin)
    if facts.sampleCount == 0, let error = Self.nothingReadable(recording.warnings.all, path) { throw error }
    return (.decoded(recording, origin: origin), facts)
  }

  /// Why nothing of a file can be used whose readings are all damaged or cannot be, with the place of the first; `nil` where none
  /// is.
  private static func nothingReadable(_ warnings: [RecordingWarning], _ path: String) -> RecordingError? {
    guard let first = warnings.first(where: { $0.kind == .unreadableValue }) else { return nil }
    let found = first.detail.map { ", found \($0)" } ?? ""
    return RecordingError(
      path: path, position: first.position, problem: "no stream has a reading: expected one that can be read" + found)
  }

  /// Gives every sample to `body`, in order of time, at one instant in the order of the file.
  ///
  /// Where the timer stood still is in ``RecordingFacts/pauses``; samples in a pause are given too.
  ///
  /// - Throws: `RecordingError` when the rows belong to several people or go on for too long, `FileError` when the file cannot be
  ///   read again, or what `body` throws.
  /// - Complexity: O(n) of the samples; those of a CSV and of an export of Apple Health are read from the file once more.
  public func forEachSample(_ body: (Sample) throws -> Void) throws {
    try forEachInput { input in
      if case .sample(let sample) = input { try body(sample) }
    }
  }

  /// Gives every input to `body`: samples in order of time, at one instant in that of the file, and pauses
  /// among them.
  ///
  /// - Throws: `RecordingError` when the rows belong to several people or go on for too long, `FileError` when the file cannot be read again,
  ///   or what `body` throws.
  package func forEachInput(_ body: (RecordedInput) throws -> Void) throws {
    try requireOnePerson()
    try facts.requireRunningTime(within: budget, of: path)
    switch content {
    case .csv(let recording): try recording.forEachSample { try body(.sample($0)) }
    case .inputs(let inputs): for input in inputs { try body(input) }
    case .decoded(let recording, let origin): try recording.forEachInput(origin: origin, body)
    case .appleHealth(let recording): try recording.forEachInput(activity: nil, body)
    }
  }

  // MARK: - People and activities

  /// Gives each of several people to `body` as a recording of their own, whose times count from their start, in the order of
  /// their first rows; those without a reading are left out. The file is read once more for all of them.
  ///
  /// - Precondition: Its rows belong to ``people``.
  /// - Throws: `FileError` or `RecordingError` when the file cannot be read again, or what `body` throws.
  package func forEachPerson(_ body: (String, Recording) throws -> Void) throws {
    guard case .csv(let recording) = content, !people.isEmpty else {
      preconditionFailure("a recording gives the people that it has")
    }
    try recording.forEachPerson { alone in
      var facts = alone.facts
      facts.add(recording.archiveWarnings)
      try body(alone.people[0], Recording(path: path, .csv(alone), facts, budget))
    }
  }

  /// The activities that the recording knows of, in order of their numbers; empty for one of a single session, such as a
  /// CSV.
  public var activities: [RecordedActivity] {
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
  public func forEachActivity(
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
            path: path, .decoded(alone, origin: origin), alone.facts(format: facts.format, origin: origin), budget))
      }
    case .appleHealth(let recording):
      try recording.forEachActivity(wanted) { activity, inputs, facts in
        try body(activity, Recording(path: path, .inputs(inputs), facts, budget))
      }
    }
  }
}
