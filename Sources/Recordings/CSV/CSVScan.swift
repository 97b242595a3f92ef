internal import ActivityRecognition
package import TextFormats
package import WorkoutSession
internal import ZoneEngine

/// One pass over a CSV file: samples in order of the file, times counted from the first row with a reading.
package struct CSVScan {
  package internal(set) var facts = RecordingFacts(sport: nil)
  /// The times of the rows with a reading.
  var times = CSVRowTimes()
  /// The persons of a file whose rows belong to persons; `nil` of another, and before its header.
  private(set) var people: CSVPeople?
  /// How many rows of a log of our own had no time so far, because their stamps had no place in the session.
  package private(set) var unplacedRows = 0
  /// Whether facts are counted, and samples given.
  package var (countsFacts, givesSamples) = (true, true)
  /// From which time to which rows are read, on the clock of the file; those of other times are stray.
  var span: ClosedRange<Int64>?
  /// Where the samples of each person go instead, when those of several are read at once.
  var sorter: SampleSorter?
  /// The units of motion, where a pass before has found them.
  var motionUnits: CSVMotionUnits?
  /// Whether motion is looked at for its units and none of it is given.
  var measuresMotion = false
  /// What was looked at, and what the first rows had shown.
  private var measured: (rows: MotionLengths, columns: CSVColumns, provisional: CSVMotionUnits)?
  /// Whether the file is a log of our own: its times count from the start of the session, it may hold no row, and a last
  /// line without its end is a torn write.
  package var isOwnLog = false

  /// The file.
  let path: String
  /// The person whose rows are read, where one is given.
  let person: String?

  private let places: RowPlaces
  /// How many rows with a reading there may be.
  let largestRows: Int
  private let needsTimeOfDay: Bool
  private var warnings = RecordingWarnings()
  /// What reads the rows; `nil` before the header.
  var decoder: CSVRowDecoder?
  /// Room for rows that are read at once, while none are.
  var batch: NarrowBatch?
  /// What is asked of the decoder for each row, kept where it is cheap to ask.
  private var (isNarrow, hasLabels, hasTrials) = (false, false, false)
  private var firstProblem: (position: String, problem: String)?
  private var unknownNames: (position: String, names: [String])?
  var readings = CSVReadings()
  private var beginning: CSVBeginning?
  private var headerReader = CSVHeaderReader()
  /// A row whose quotes are open, and the number of the line from which on another may be.
  private var openRow: CSVOpenRow?
  private var closedUntil = 0
  private var trials = CSVTrials()
  /// How far the clock beside times since the start is ahead of UTC, where it says so.
  private var statedOffset: Int?

  /// Creates a pass over rows of a form; where a person is given, only rows of that person are read.
  package init(path: String, form: RowForm, isUnpacked: Bool = false, person: String?, budget: ReadingBudget) {
    self.path = path
    largestRows = budget.rows
    needsTimeOfDay = budget.needsTimeOfDay
    places = RowPlaces(form: form, isUnpacked: isUnpacked)
    self.person = person
    if form == .objects {
      let columns = CSVColumns(CSVLayout.sensoGatherColumns, layout: .sensoGatherObjects)
      decoder = CSVRowDecoder(columns: columns, delimiter: .comma)
      (hasLabels, hasTrials) = (decoder?.hasLabels == true, decoder?.hasTrials == true)
      facts.format = columns.layout.format
    }
  }

  /// Reads a whole text.
  ///
  /// - Throws: `FileError` when it cannot be read, `RecordingError` when nothing in it can be used or there is more than
  ///   the budget allows, or what `body` throws.
  mutating func run(_ source: any ByteSource, _ body: (Sample) throws -> Void) throws {
    var splitter = RowSplitter(form: places.form)
    var piece = [UInt8](repeating: 0, count: POSIXFile.pieceBytes)
    var damage: DecodingProblem?
    func read() throws -> Int {
      guard damage == nil else { return 0 }
      do {
        return try source.read(into: &piece)
      } catch let problem as DecodingProblem {
        damage = problem
        return 0
      }
    }
    // What is looked at does not depend on the pieces in which a source hands out its bytes.
    var beginning: [UInt8] = []
    var hasReturnsOnly = false
    if places.form == .lines {
      while CSVBeginning.needsMore(than: beginning.span), case let count = try read(), count > 0 {
        beginning.append(contentsOf: piece[..<count])
      }
      let looked = CSVBeginning(beginning.span)
      self.beginning = looked
      headerReader = CSVHeaderReader(hasUnits: looked.hasUnits)
      hasReturnsOnly = looked.hasReturnsOnly
      if hasReturnsOnly { CSVLineEnds.putLineFeeds(&beginning, before: beginning.count) }
    }
    do {
      try feed(beginning.span, to: &splitter, body)
      beginning = []
      while case let count = try read(), count > 0 {
        if hasReturnsOnly { CSVLineEnds.putLineFeeds(&piece, before: count) }
        try feed(piece.span.extracting(first: count), to: &splitter, body)
      }
      try splitter.finish { try consume($0, $1, body) }
      try giveOpenLines(body)
    } catch {
      try giveOpenLines(body)
      if damage == nil, source.isUnpacked, error is LineError || error is JSONArrayError {
        do { while try source.read(into: &piece) > 0 {} } catch let problem as DecodingProblem { damage = problem }
      }
      // What is packed and damaged ends anywhere, also within its array.
      if damage == nil || !(error is JSONArrayError) { try stop(at: error) }
    }
    if let damage { try stop(at: damage) }
    do throws(RecordingError) {
      try finish(trailingAt: splitter.trailingOffset)
    } catch {
      guard let damage else { throw error }
      throw RecordingError(path: path, position: damage.position, problem: damage.problem)
    }
    facts.add(source.warnings)
  }

  private mutating func feed(
    _ bytes: Span<UInt8>, to splitter: inout RowSplitter, _ body: (Sample) throws -> Void
  ) throws {
    try splitter.feed(bytes) {
      try consumeWholeLines($0, &$1, body)
    } _: {
      try consume($0, $1, body)
    }
  }

  /// Takes a row, or the header.
  package mutating func consume(_ line: Span<UInt8>, _ place: TextLine, _ body: (Sample) throws -> Void) throws {
    if decoder == nil {
      try header(line, place)
    } else if openRow != nil {
      try closeRow(line, place, body)
    } else {
      try row(line, place, body)
    }
  }

  /// Takes a line while quotes are open: the row that it closes, or the lines one by one where it shows that they are damage. A line
  /// that is a row by itself does.
  private mutating func closeRow(
    _ line: Span<UInt8>, _ place: TextLine, _ body: (Sample) throws -> Void
  ) throws {
    guard var open = openRow else { return }
    open.append(line, place)
    openRow = open
    guard !open.isTooLong else { return try giveOpenLines(body) }
    guard line.indices.contains(where: { line[$0] == UInt8(ascii: "\"") }) else {
      var (decoder, readings) = (decoder, readings)
      if case .read = decoder?.decode(line, into: &readings), !readings.isEmpty { try giveOpenLines(body) }
      return
    }
    // It is looked at before it is read, since what is read leaves traces.
    var (decoder, readings) = (decoder, readings)
    switch decoder?.decode(open.bytes.span, into: &readings) {
    case .read, .hour:
      openRow = nil
      try row(open.bytes.span, open.place, body)
    case .unreadable:
      if decoder?.opensText != true { try giveOpenLines(body) }
    case nil: break
    }
  }

  /// Reads the lines of a row whose quotes nothing closed one by one.
  private mutating func giveOpenLines(_ body: (Sample) throws -> Void) throws {
    guard let open = openRow else { return }
    openRow = nil
    closedUntil = open.lastNumber
    try open.forEachLine { try row($0, $1, body) }
  }

  /// Takes simple rows that stand one after the other in a text, up to the first that is not, and of a log of our own up to the first
  /// without a reading; see ``LineSplitter``.
  package mutating func consumeWholeLines(
    _ text: Span<UInt8>, _ cursor: inout LineCursor, _ body: (Sample) throws -> Void
  ) throws {
    if openRow != nil { return }
    if isNarrow, sorter == nil, span == nil { return try consumeNarrowLines(text, &cursor, body) }
    while cursor.index < text.count,
      let (time, next) = decoder?.decodeSimple(text, from: cursor.index, into: &readings)
    {
      if isOwnLog, readings.isEmpty {
        // It is taken alone, so that whoever counts rows sees it.
        readings.unreadableValues = 0
        return
      }
      if readings.unreadableValues > 0 { noteUnreadableValues(cursor.place) }
      if measuresMotion { measure() }
      if readings.isEmpty {
        forgetClockBeforeFirstReading()
      } else if try people == nil || isWanted(text, cursor.place) {
        if try give(at: continued(time, text, cursor.place), cursor.place, body) { admitLabel(text) }
      }
      cursor.advance(to: next)
    }
  }

  /// Takes note of something odd about what the text was made of.
  package mutating func note(_ kind: RecordingWarning.Kind, at position: String, detail: String) {
    warnings.add(kind, at: position, detail: detail)
  }

  /// Takes note that nothing further can be read.
  ///
  /// - Throws: `RecordingError` when there was nothing before it, and every error that is not about the text.
  package mutating func stop(at error: any Error) throws {
    let position: String
    if let error = error as? LineError {
      position = "line \(error.line)"
    } else if let error = error as? JSONArrayError {
      position = places.position(byte: error.byteOffset)
    } else {
      throw error
    }
    guard !times.isEmpty else { throw RecordingError(path: path, problem: "\(error)") }
    warnings.add(.truncated, at: position, detail: "\(error)")
  }

  /// Takes note that the packed bytes around the text end early.
  ///
  /// - Throws: `RecordingError` when they are more than the budget allows.
  private mutating func stop(at problem: DecodingProblem) throws(RecordingError) {
    guard !problem.isBeyondBudget else {
      throw RecordingError(path: path, position: problem.position, problem: problem.problem)
    }
    warnings.add(.truncated, at: problem.position, detail: problem.problem)
  }

  /// Ends the pass and closes the facts; `trailingAt` is where something follows the rows.
  ///
  /// - Throws: `RecordingError` when nothing could be used.
  package mutating func finish(trailingAt trailing: Int? = nil) throws(RecordingError) {
    guard let decoder else {
      if let problem = headerReader.problem {
        let position = problem.place.map { [places] in places.position($0) }
        throw RecordingError(path: path, position: position, problem: problem.problem)
      }
      throw RecordingError(path: path, problem: "empty: expected a header line with the names of columns")
    }
    guard !times.isEmpty || isOwnLog else {
      if let firstProblem {
        throw RecordingError(path: path, position: firstProblem.position, problem: firstProblem.problem)
      }
      let whose = person.map { " of '\($0.prefix(64))'" } ?? ""
      throw RecordingError(
        path: path, problem: (places.form == .lines ? "no row" : "no object") + " has a reading" + whose)
    }
    if let unknownNames { warnUnknown(unknownNames.names, at: unknownNames.position) }
    if let people, let second = people.secondPosition, person == nil {
      warnings.add(.severalPeople, at: second, count: people.all.count, detail: CSVPeople.listed(people.names))
    }
    let places = places
    if let trailing { warnings.add(.trailingBytes, at: places.position(byte: trailing)) }
    let leftOut = facts.labels.leftOut
    if leftOut > 0 {
      let position = "second \(times.lastSpan / 1_000_000_000)"
      warnings.add(.labelsLeftOut, at: position, count: leftOut, detail: facts.labels.limit)
    }
    if decoder.clock == .wall { facts.start = WallClockTime(nanoseconds: times.first) }
    facts.utcOffsetSeconds = decoder.utcOffsetSeconds ?? statedOffset
    facts.oddities = warnings.all
  }

  private mutating func header(_ line: Span<UInt8>, _ place: TextLine) throws {
    let places = places
    let header: CSVHeader
    do throws(CSVHeaderProblem) {
      guard let found = try headerReader.take(line, place) else { return }
      header = found.without(beginning?.leftOut ?? [])
    } catch {
      throw RecordingError(path: path, position: places.position(error.place ?? place), problem: error.problem)
    }
    let (columns, delimiter, position) = (header.columns, header.delimiter, places.position(header.place ?? place))
    let style = beginning?.style ?? CSVStyle(columns, delimiter: delimiter)
    // The times of a log of our own count from the start of the session.
    let start = isOwnLog ? nil : style.start
    if let summary = columns.summary { throw RecordingError(path: path, position: position, problem: summary) }
    guard
      var decoder = CSVRowDecoder(
        columns: columns, delimiter: delimiter, style: style, origin: header.origin ?? start?.origin)
    else {
      throw RecordingError(path: path, position: position, problem: columns.missingTime)
    }
    guard columns.hasReadings else {
      throw RecordingError(
        path: path, position: position,
        problem: "no column with readings: " + columns.missingReadings)
    }
    let intervals = style.intervalFactor == nil ? columns.columns[.rrInterval].map { [columns.names[$0]] } ?? [] : []
    let unknown = columns.unknown + intervals
    if !unknown.isEmpty { warnUnknown(unknown, at: position) }
    columns.leftOutWarning(at: position).map { warnings.add($0) }
    if columns.personColumn != nil { people = CSVPeople() }
    let units = motionUnits ?? beginning?.motionUnits ?? CSVMotionUnits(columns)
    let guesses = style.guesses + (units.guess.map { [$0] } ?? [])
    if !guesses.isEmpty { warnings.add(.guessedUnit, at: position, detail: guesses.joined(separator: ", ")) }
    if let contradiction = units.contradiction { warnings.add(.contradictedUnit, at: position, detail: contradiction) }
    if let problem = units.problem { warnings.add(.impossibleMotion, at: position, detail: problem) }
    if columns.lacksGravity { warnings.add(.gravityLacking, at: position) }
    measuresMotion = measuresMotion && columns.hasMeasuredMotion
    if measuresMotion { measured = (MotionLengths(columns), columns, units) }
    decoder.motionUnits = measuresMotion ? nil : units
    facts.format = columns.layout.format
    if columns.isSimulated { facts.statedOrigin = .simulated }
    decoder.isOfOwnLog = isOwnLog
    statedOffset = start?.utcOffsetSeconds
    (isNarrow, hasLabels, hasTrials) = (decoder.isNarrow, decoder.hasLabels, decoder.hasTrials)
    self.decoder = decoder
  }

  private mutating func warnUnknown(_ names: [String], at position: String) {
    let listed = names.prefix(20).map { String($0.prefix(40)) }
    warnings.add(.unknownColumns, at: position, count: names.count, detail: listed.joined(separator: ", "))
  }

  private mutating func row(_ line: Span<UInt8>, _ place: TextLine, _ body: (Sample) throws -> Void) throws {
    if line.isEmpty { return }
    let places = places
    if isOwnLog, !place.isTerminated {
      warnings.add(.tornLine, at: places.position(place))
      return
    }
    guard let outcome = decoder?.decode(line, into: &readings) else { return }
    if readings.unreadableValues > 0 { noteUnreadableValues(place) }
    if places.form == .objects { noteUnknownNames(place) }
    switch outcome {
    case .unreadable where isOwnLog && decoder?.hasEmptyTime == true: unplacedRows += 1
    case .unreadable where mayGoOn(place):
      openRow = CSVOpenRow(line, place)
    case .unreadable(let problem):
      let position = places.position(place)
      if place.isTerminated || times.isEmpty {
        warnings.add(.unreadableRow, at: position, detail: problem)
      } else {
        warnings.add(.tornLine, at: position, detail: problem)
      }
      if firstProblem == nil { firstProblem = (position, problem) }
    case .read(let time):
      if measuresMotion { measure() }
      guard !readings.isEmpty else { return forgetClockBeforeFirstReading() }
      if people != nil, try !isWanted(line, place) { return }
      if try give(at: continued(time, line, place), place, body) { admitLabel(line) }
    case .hour(let start, let steps):
      guard try isWanted(line, place) else { return }
      for (minute, count) in steps.enumerated() {
        guard let count else { continue }
        readings.steps = count
        _ = try give(at: start + Int64(minute) * 60_000_000_000, place, body)
      }
    }
  }

  /// Whether the row that was decoded last may go on in the next line, within quotes.
  private func mayGoOn(_ place: TextLine) -> Bool {
    !isOwnLog && place.isTerminated && place.number > closedUntil && decoder?.opensText == true
  }

  /// A row that is none of the recording decides nothing about the clock before the first one that is.
  mutating func forgetClockBeforeFirstReading() {
    if times.isEmpty { decoder?.forgetClock() }
  }

  /// The units that all rows together show, where the first ones show others; `nil` where nothing was looked at.
  var otherMotionUnits: CSVMotionUnits? {
    guard let measured else { return nil }
    let units = CSVMotionUnits(measured.columns, measured.rows)
    return units == measured.provisional ? nil : units
  }

  /// Looks at the motion of the row that was decoded last.
  @inline(never)
  private mutating func measure() {
    if let motion = readings.motion { measured?.rows.admit(motion) }
  }

  /// Takes note of values of a row that cannot be read, or that cannot be.
  @inline(never)
  private mutating func noteUnreadableValues(_ place: TextLine) {
    let position = places.position(place)
    warnings.add(.unreadableValue, at: position, count: readings.unreadableValues)
    readings.unreadableValues = 0
    if firstProblem == nil, person == nil {
      let what = places.form == .lines ? "no row" : "no object"
      firstProblem = (position, what + " has a reading: expected one that can be read")
    }
  }

  /// Gives the readings of a row; whether it has a place in the recording.
  mutating func give(at time: Int64, _ place: TextLine, _ body: (Sample) throws -> Void) throws -> Bool {
    let places = places
    if let wanted = self.span, !wanted.contains(time) {
      let words = StrayTimes.position(of: time, isWall: start(at: wanted.lowerBound) != nil)
      warnings.add(.implausibleTime, at: places.position(place), detail: words)
      forgetClockBeforeFirstReading()
      return false
    }
    guard let span = times.span(to: time, fromZero: isOwnLog) else {
      warnings.add(.unreadableRow, at: places.position(place), detail: "a time of another century")
      return false
    }
    guard times.count < largestRows else {
      throw RecordingError(
        path: path, position: places.position(place), problem: "expected at most \(largestRows) rows with a reading")
    }
    // One or two rows before may be stray.
    if needsTimeOfDay, times.count == StrayTimes.fewest - 1, start(at: max(times.newest, time)) == nil {
      var error = RecordingError(path: path, problem: RecordingError.noTimeOfDay)
      error.lacksTimeOfDay = true
      throw error
    }
    let isLate = people?.isLate(time, at: places.position(place)) ?? (time < times.newest)
    // What came late to a session stays late when it is judged again.
    if isLate, !isOwnLog { warnings.add(.outOfOrder, at: places.position(place)) }
    times.admit(time, span: span)
    let at = SessionTime(nanoseconds: span)
    if countsFacts { countReadings(at: at) }
    if sorter != nil {
      let (person, readings) = (people?.current ?? 0, readings)
      try readings.forEach { try sorter?.append(Sample($0, at: at), of: person) }
    } else if givesSamples {
      try readings.forEach { try body(Sample($0, at: at)) }
    }
    return true
  }

  /// The time of day of a recording that begins at a time on the clock of the file; `nil` where that is none of the day.
  func start(at time: Int64) -> WallClockTime? {
    decoder?.isWall(time) == true ? WallClockTime(nanoseconds: time) : nil
  }

  /// The times of rows that are read where a few stray ones are left out; `nil` where none is. Where the first rows are of
  /// another century than the others, they are.
  var keptSpan: ClosedRange<Int64>? {
    times.otherCenturySpan ?? (isOfOnePerson ? times.spanWithoutStrays : nil)
  }

  /// Whether the rows that are read are of one person, or of nobody in particular.
  var isOfOnePerson: Bool { person != nil || (people?.all.count ?? 0) < 2 }

  /// The time of a row, later by all trials before its own.
  @inline(__always)
  private mutating func continued(_ time: Int64, _ line: Span<UInt8>, _ place: TextLine) -> Int64 {
    guard hasTrials, let range = decoder?.trial(in: line) else { return time }
    let places = places
    let (continued, beginsAnew) = trials.continued(time, line.extracting(range))
    if beginsAnew { warnings.add(.timeBeginsAnew, at: places.position(place)) }
    return continued
  }

  /// Takes note of the label of the row that was given last.
  @inline(__always)
  private mutating func admitLabel(_ line: Span<UInt8>) {
    guard hasLabels, countsFacts, let range = decoder?.label(in: line) else { return }
    let bytes = line.extracting(range)
    guard !facts.labels.repeats(bytes) else { return }
    facts.labels.admit(bytes, decoder?.labelText(in: line) ?? "", at: SessionTime(nanoseconds: times.lastSpan))
  }

  /// Counts the readings of a row.
  @inline(__always)
  private mutating func countReadings(at time: SessionTime) {
    facts.admit(
      heartRate: readings.heartRate, steps: readings.steps >= 0 ? readings.steps : nil, cadence: readings.cadence,
      distance: readings.distance, speed: readings.speed, at: time)
    if let fix = readings.fix { facts.admit(fix, at: time) }
    if readings.motion != nil { facts.admitMotion(at: time) }
    if !readings.rrInterval.isNaN { facts.admit(interval: readings.rrInterval, at: time) }
    if readings.direction != nil { facts.noteSample(at: time) }
    if !readings.altitude.isNaN { facts.admitAltitude(at: time) }
  }

  /// Takes note of whom a row belongs to; whether it is read.
  private mutating func isWanted(_ line: Span<UInt8>, _ place: TextLine) throws(RecordingError) -> Bool {
    guard let decoder, let range = decoder.person(in: line) else { return true }
    let bytes = line.extracting(range)
    let places = places
    let isKnown = people?.enter(bytes, name: decoder.personName(in: line), at: places.position(place)) ?? true
    guard isKnown else {
      throw RecordingError(
        path: path, position: places.position(place), problem: "rows of more than \(CSVPeople.largestCount) people")
    }
    return person == nil || person == people?.currentName
  }

  private mutating func noteUnknownNames(_ place: TextLine) {
    guard let names = decoder?.takeUnknownNames(), !names.isEmpty else { return }
    unknownNames = (unknownNames?.position ?? places.position(place), (unknownNames?.names ?? []) + names)
  }
}
