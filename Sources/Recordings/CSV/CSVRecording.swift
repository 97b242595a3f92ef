internal import TextFormats
package import WorkoutSession
internal import ZoneEngine

/// A recording in a CSV file, our own columns or any whose header can be recognised, or in an array of JSON objects.
///
/// The text is read twice and never held whole, be it packed or not: once to find its facts and whether its rows are in
/// order of time, once to give its samples. Rows out of order, and those of a pipe, which can be read only once, are sorted
/// by a ``SampleSorter``.
package struct CSVRecording: Sendable {
  /// The file.
  package let path: String
  /// What the file holds.
  package let facts: RecordingFacts
  /// The persons of a file whose rows belong to persons, in the order of their first rows; else empty. Only the one
  /// that was chosen, where one was.
  package let people: [String]

  private let samples: Samples
  /// The text; `nil` for one that can be read only once.
  private let text: RowText?

  /// Where the samples are.
  private enum Samples: Sendable {
    /// In the text, in order.
    case text(RowText)
    /// Sorted, with times from the first row of the file on, which is `shift` later than the earliest.
    case sorted(SortedSamples, shift: SessionTime)
  }

  /// Opens a file and reads it once.
  ///
  /// - Throws: `FileError` when it cannot be read, `RecordingError` when nothing in it can be used.
  package init(path: String, budget: ReadingBudget = .standard) throws {
    let text = RowText(
      source: RecordingSource(path: path), isPacked: false, form: .lines, person: nil, budget: budget)
    try self.init(text)
  }

  /// Opens a text and reads it once.
  init(_ text: RowText) throws {
    var scan = text.scan
    let source = try text.open()
    guard (source as? POSIXFile)?.isSeekable != false else {
      self = try Self.readingOnce(source, &scan, text.budget)
      return
    }
    scan.givesSamples = false
    scan.measuresMotion = text.motionUnits == nil
    try scan.run(source) { _ in }
    if text.motionUnits == nil, let units = scan.otherMotionUnits {
      try self.init(text.measured(in: units))
      return
    }
    if text.span == nil, let kept = scan.keptSpan {
      try self.init(text.only(kept))
      return
    }
    guard !scan.times.isOrdered else {
      self.init(text.path, scan, facts: scan.facts, .text(text), text)
      return
    }
    var sorter = SampleSorter(holding: text.budget.sortedBytes, tie: .arrival)
    var again = text.scan
    again.countsFacts = false
    try again.run(text.open()) { try sorter.append($0) }
    let sorted = try sorter.finish()
    if text.span == nil, scan.isOfOnePerson, let kept = try sorted.keptTimes() {
      let (from, until) = (
        kept.lowerBound.nanoseconds + scan.times.first, kept.upperBound.nanoseconds + scan.times.first
      )
      try self.init(text.only(from...until))
      return
    }
    try self.init(text.path, scan, sorted: sorted, text)
  }

  /// Reads a text that can be read only once; where a person is given, only rows of that person.
  ///
  /// - Throws: As for a file.
  package init(
    path: String, form: RowForm, person: String?, once source: any ByteSource, budget: ReadingBudget = .standard
  ) throws {
    var scan = CSVScan(path: path, form: form, isUnpacked: source.isUnpacked, person: person, budget: budget)
    self = try Self.readingOnce(source, &scan, budget)
  }

  private static func readingOnce(
    _ source: any ByteSource, _ scan: inout CSVScan, _ budget: ReadingBudget
  ) throws -> CSVRecording {
    var sorter = SampleSorter(holding: budget.sortedBytes, tie: .arrival)
    try scan.run(source) { try sorter.append($0) }
    return try CSVRecording(scan.path, scan, sorted: sorter.finish(), nil)
  }

  /// Gathers the facts of sorted samples. Their times were counted from the first row; the earliest row is the start.
  private init(_ path: String, _ scan: CSVScan, sorted: SortedSamples, _ text: RowText?) throws {
    var shift = SessionTime(nanoseconds: scan.times.first - scan.times.earliest)
    var sorted = sorted
    var leftOut: RecordingWarning?
    if text?.span == nil, scan.isOfOnePerson {
      leftOut = try Self.leaveOutStrays(of: &sorted, &shift, scan)
    }
    var facts = RecordingFacts(sport: nil)
    try sorted.forEach(shiftedBy: shift) { facts.admit($0) }
    facts.format = scan.facts.format
    facts.statedOrigin = scan.facts.statedOrigin
    facts.start = scan.start(at: scan.times.first - shift.nanoseconds)
    facts.utcOffsetSeconds = scan.facts.utcOffsetSeconds
    facts.oddities = scan.facts.oddities
    facts.add(leftOut.map { [$0] } ?? [])
    facts.labels = scan.facts.labels
    facts.labels.order(shiftedBy: shift)
    if leftOut != nil { facts.labels.cut(until: facts.elapsed) }
    self.init(path, scan, facts: facts, .sorted(sorted, shift: shift), text)
  }

  private init(_ path: String, _ scan: CSVScan, facts: RecordingFacts, _ samples: Samples, _ text: RowText?) {
    self.path = path
    self.facts = facts
    self.samples = samples
    self.text = text
    people = scan.people.map { people in scan.person.map { [$0] } ?? people.names } ?? []
  }

  /// The rows of one of several persons, which were read at once.
  private init(_ person: CSVPeople.Person, from earliest: Int64, _ sorted: SortedSamples, _ scan: CSVScan) throws {
    path = scan.path
    people = [person.name]
    text = nil
    var shift = SessionTime(nanoseconds: scan.times.first - earliest)
    var sorted = sorted
    let leftOut = try Self.leaveOutStrays(of: &sorted, &shift, scan)
    samples = .sorted(sorted, shift: shift)
    var facts = RecordingFacts(sport: nil)
    try sorted.forEach(shiftedBy: shift) { facts.admit($0) }
    facts.format = scan.facts.format
    facts.statedOrigin = scan.facts.statedOrigin
    facts.start = scan.start(at: scan.times.first - shift.nanoseconds)
    facts.utcOffsetSeconds = scan.facts.utcOffsetSeconds
    facts.oddities = scan.facts.oddities.filter { ![.outOfOrder, .severalPeople].contains($0.kind) }
    if let position = person.firstLatePosition {
      facts.add([RecordingWarning(kind: .outOfOrder, position: position, count: person.lateRows, detail: nil)])
    }
    facts.add(leftOut.map { [$0] } ?? [])
    self.facts = facts
  }

  /// Leaves out samples at both ends whose times are not of the recording, and counts from the first that is; what to say of
  /// it.
  private static func leaveOutStrays(
    of sorted: inout SortedSamples, _ shift: inout SessionTime, _ scan: CSVScan
  ) throws -> RecordingWarning? {
    guard let kept = try sorted.keptTimes() else { return nil }
    var (count, first): (Int, Int64?) = (0, nil)
    try sorted.forEach(shiftedBy: .zero) { sample in
      guard !kept.contains(sample.time) else { return }
      count += 1
      if first == nil { first = sample.time.nanoseconds }
    }
    sorted.kept = kept
    shift = SessionTime.zero - kept.lowerBound
    let isWall = scan.start(at: kept.lowerBound.nanoseconds + scan.times.first) != nil
    let position = StrayTimes.position(of: (first ?? 0) + scan.times.first, isWall: isWall)
    return RecordingWarning(kind: .implausibleTime, position: position, count: count, detail: nil)
  }

  /// What was odd about the archive around the text.
  var archiveWarnings: [RecordingWarning] { text?.source.archive?.warnings ?? [] }

  /// Gives every person with a reading to `body` as a recording of their own, in the order of their first rows; the text is
  /// read once for all of them.
  ///
  /// - Throws: `RecordingError` for a text that can be read only once, `FileError` when the file cannot be read again, or
  ///   what `body` throws.
  func forEachPerson(_ body: (CSVRecording) throws -> Void) throws {
    guard let text else {
      throw RecordingError(
        path: path, problem: "rows of \(people.count) people, and it can be read only once: expected a file")
    }
    var scan = text.scan
    scan.countsFacts = false
    scan.sorter = SampleSorter(holding: text.budget.sortedBytes, tie: .arrival)
    try scan.run(text.open()) { _ in }
    guard let people = scan.people?.all, let sorted = try scan.sorter?.finish(people: people.count) else { return }
    scan.sorter = nil
    for (person, samples) in zip(people, sorted) {
      guard let earliest = person.earliest else { continue }
      try body(CSVRecording(person, from: earliest, samples, scan))
    }
  }

  /// Gives every sample to `body`, in order of time, at one instant in that of the file.
  ///
  /// - Precondition: The rows are of one person, or of nobody in particular.
  /// - Throws: `FileError` when the file cannot be read again, or what `body` throws.
  package func forEachSample(_ body: (Sample) throws -> Void) throws {
    precondition(people.count <= 1, "the samples of several people are never mixed")
    switch samples {
    case .sorted(let sorted, let shift): try sorted.forEach(shiftedBy: shift, body)
    case .text(let text):
      var scan = text.scan
      scan.countsFacts = false
      try scan.run(text.open(), body)
    }
  }
}

/// A text of rows that can be read as often as needed, be it packed, in an archive, both, or neither.
struct RowText: Sendable {
  let source: RecordingSource
  let isPacked: Bool
  let form: RowForm
  let person: String?
  let budget: ReadingBudget
  /// The times of the rows that are read, where stray ones are left out.
  private(set) var span: ClosedRange<Int64>?
  /// The units of motion, where all rows show others than the first ones.
  private(set) var motionUnits: CSVMotionUnits?

  init(source: RecordingSource, isPacked: Bool, form: RowForm, person: String?, budget: ReadingBudget) {
    (self.source, self.isPacked, self.form, self.person, self.budget) = (source, isPacked, form, person, budget)
  }

  /// The same with rows of some times alone.
  func only(_ span: ClosedRange<Int64>) -> RowText {
    var text = self
    text.span = span
    return text
  }

  /// The same with motion in some units.
  func measured(in units: CSVMotionUnits) -> RowText {
    var text = self
    text.motionUnits = units
    return text
  }

  var path: String { source.path }

  /// A pass at its beginning.
  var scan: CSVScan {
    var scan = CSVScan(
      path: path, form: form, isUnpacked: isPacked || source.isInArchive, person: person, budget: budget)
    scan.span = span
    scan.motionUnits = motionUnits
    return scan
  }

  /// Begins to read it.
  ///
  /// - Throws: `FileError` when the file cannot be read, `RecordingError` when an entry of an archive cannot be unpacked.
  func open() throws -> any ByteSource {
    let file = try source.open()
    return isPacked ? GzipSource(file, limits: budget.unpacked) : file
  }
}
