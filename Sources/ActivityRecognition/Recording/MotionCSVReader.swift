internal import TextFormats

/// Reads a CSV of motion that comes in pieces of any size: a row a sample, columns known by their names.
///
/// Blank lines and comments before the header are read past, `sep=;` there says what divides the fields, and lines may end with carriage
/// returns alone. A comma may stand before decimals wherever it divides no fields.
/// Rows that cannot be read are left out and counted; when they are more than one in twenty the file is refused. Rows without turning
/// rates are left out too, where they are at most one in twenty of a trial that has them; where they are more, the trial has none.
package struct MotionCSVReader {
  /// The most samples of one file: 24 hours at 100 Hz.
  package static let mostSamples = 8_640_000
  /// The largest value that a sensor can have meant, in any unit.
  private static let largestValue = 1e5
  private static let mostLabels = 256
  /// The most trials of one file, and the most bytes of their names.
  private static let mostTrials = 100_000
  private static let mostNames = 16_777_216

  private let source: String
  private var splitter = LineSplitter()
  private var lineEnds = CSVLineEnds()
  /// What divides the fields, where a line before the header says so.
  private var statedDelimiter: CSVDelimiter?
  /// Whether a comma certainly stood before decimals: till then what could be thousands is no number.
  private var hasDecimalComma = false
  /// Whether units stood in the row below the names.
  private var hasUnits = false
  private var row = CSVRow(delimiter: .comma)
  private var file: MotionFile?
  private var numbers: [String: Int16] = [:]
  private var rows = RowCounts()
  private var trials: [MotionTrialRows] = []
  /// The places of trials among them.
  private var places: [MotionTrialKey: Int] = [:]
  private var namesCount = 0
  /// The trial of the newest row.
  private var current = -1
  /// How many of the file's units of time a second has, once that is known.
  private var timesPerSecond: Double?
  /// What times are, as the first of them is.
  private var times: WrittenTimes?
  private let mostPoints: Int

  /// How the times of a file are written.
  private enum WrittenTimes {
    case numbers
    case dates
    case timesOfDay
  }

  /// What was made of the rows.
  private struct RowCounts {
    var all = 0
    var samples = 0
    var unreadable = 0
    var firstUnreadable = 0
    var incomplete = 0
    var firstIncomplete = 0
    /// Without turning rates, in trials that have them.
    var turnless = 0
    var firstTurnless = 0
    /// Without turning rates, in trials in which too many are so.
    var halfTurning = 0
    var firstHalfTurning = 0
    var longLabels = 0
    var firstLongLabel = 0
  }

  /// A reader at the beginning of a file, which errors call `source`; it may have as many grid points as are read at once.
  package init(source: String) { self.init(source: source, mostPoints: MotionLimits.mostPoints) }

  /// A reader at the beginning of a file, which errors call `source`, of at most so many grid points.
  package init(source: String, mostPoints: Int) {
    self.source = source
    self.mostPoints = mostPoints
  }

  /// Takes the next bytes.
  ///
  /// - Throws: `RecordingError` when the file is none of motion.
  package mutating func feed(_ bytes: Span<UInt8>) throws {
    if lineEnds.areKnown { return try split(bytes) }
    let known = lineEnds.take(bytes)
    try split(known.span)
  }

  private mutating func split(_ bytes: Span<UInt8>) throws {
    var splitter = self.splitter
    do {
      if lineEnds.areReturns {
        let bytes = CSVLineEnds.withLineFeeds(bytes)
        try splitter.feed(bytes.span) { line, place in try take(line, place) }
      } else {
        try splitter.feed(bytes) { line, place in try take(line, place) }
      }
    } catch let error as LineError {
      throw RecordingError(path: source, problem: "\(error)")
    }
    self.splitter = splitter
  }

  /// Ends the bytes: what the file holds.
  ///
  /// - Throws: `RecordingError` when nothing in it can be used, `TooMuchMotion` when it holds more than it may.
  package mutating func finish() throws -> MotionFile {
    let rest = lineEnds.finish()
    try split(rest.span)
    var splitter = self.splitter
    try splitter.finish { line, place in try take(line, place) }
    guard file != nil else { throw problem("line 1", "expected a header with the names of columns, found no line") }
    if rows.unreadable * 20 > rows.all {
      throw problem(
        "line \(rows.firstUnreadable)",
        "\(rows.unreadable) of \(rows.all) rows cannot be read: expected \(file?.columns.count ?? 0) columns with numbers"
      )
    }
    guard rows.samples > 0 else {
      throw problem("line \(max(2, rows.firstIncomplete))", "expected rows with acceleration, found none")
    }
    let assembly = try assemble()
    note("row", rows.unreadable, "cannot be read, left out", line: rows.firstUnreadable)
    note("row", rows.incomplete, "without acceleration, left out", line: rows.firstIncomplete)
    note("row", rows.turnless, "without turning rates, left out", line: rows.firstTurnless)
    note(
      "row", rows.halfTurning,
      "without turning rates, more than one in twenty of a trial, which is read as of a device without a gyroscope",
      line: rows.firstHalfTurning)
    note(
      "row", rows.longLabels,
      "with a label of more than \(ActivityLabel.mostCharacters) characters, which is cut there",
      line: rows.firstLongLabel)
    note("row", assembly.late, "out of order of time, sorted")
    note("row", assembly.repeated, "at the time of one before, of which the first counts")
    note("gap", assembly.gaps, "of more than half a second")
    note(
      "place", assembly.anew.number, "where times begin anew, behind which another stretch begins",
      line: assembly.anew.firstLine)
    note(
      "row", assembly.lonely.number, "without another of the trial within half a second, left out",
      line: assembly.lonely.firstLine)
    note(
      "row", assembly.unusual.number, "of trials at other than 20 to 200 samples a second, left out",
      line: assembly.unusual.firstLine)
    if file?.columns.lacksGravity == true {
      notice(MotionColumns.gravityLacking)
    }
    guard let file else { throw problem(nil, "expected rows") }
    return file
  }

  /// Notes what is odd about so many rows or gaps, where there are any, and the line of the first.
  private mutating func note(_ noun: String, _ number: Int, _ problem: String, line: Int? = nil) {
    guard number > 0 else { return }
    file?.notices.append(
      MotionNotice(
        .init(number: number, noun: noun), problem: problem, position: line.map { ", first in line \($0)" } ?? "",
        source: source))
  }

  private mutating func notice(_ text: String) { file?.notices.append(MotionNotice(text: text, source: source)) }

  private func problem(_ position: String?, _ problem: String) -> RecordingError {
    RecordingError(path: source, position: position, problem: problem)
  }

  private mutating func take(_ line: Span<UInt8>, _ place: TextLine) throws {
    guard !line.isEmpty else { return }
    guard let columns = file?.columns else { return try takeHeader(line, place) }
    if rows.all == 0, !hasUnits, try takeUnits(line, place) { return }
    rows.all += 1
    guard (try? row.split(line)) != nil, row.count == columns.count else { return countUnreadable(place) }
    let key = MotionTrialKey(
      person: columns.person.map { row.string($0, in: line) } ?? "",
      trial: columns.trial.map { row.string($0, in: line) } ?? "")
    if current < 0 || key != trials[current].key { try find(key, place) }
    guard let time = time(columns, in: line) else { return countUnreadable(place) }
    switch axes(columns.acceleration, line) {
    case .unreadable: return countUnreadable(place)
    case .missing:
      if rows.incomplete == 0 { rows.firstIncomplete = place.number }
      rows.incomplete += 1
    case .read(var values):
      if let gravity = columns.gravity {
        guard case .read(let added) = axes(gravity, line) else { return countUnreadable(place) }
        values += columns.gravityScale.map { added * $0 } ?? added
      }
      var turn = SIMD3<Double>.zero
      switch columns.rotationRate.map({ axes in self.axes(axes, line) }) {
      case .unreadable: return countUnreadable(place)
      case .read(let values): turn = values
      case .missing:
        turn = SIMD3(repeating: .nan)
        if trials[current].turnless == 0 { trials[current].firstTurnless = place.number }
        trials[current].turnless += 1
      case nil: break
      }
      try append(time, values, turn, label(columns.label, line, place), place)
    }
  }

  private mutating func countUnreadable(_ place: TextLine) {
    // The last row of a file that was cut off is torn.
    if rows.unreadable == 0 { rows.firstUnreadable = place.number }
    rows.unreadable += 1
  }

  private mutating func takeHeader(_ line: Span<UInt8>, _ place: TextLine) throws {
    if line[0] == UInt8(ascii: "#") { return }
    do throws(CSVDelimiterProblem) {
      if statedDelimiter == nil, let stated = try CSVDelimiter.stated(in: line) {
        statedDelimiter = stated
        return
      }
    } catch {
      throw problem("line \(place.number)", "\(error)")
    }
    row = CSVRow(delimiter: statedDelimiter ?? .detect(header: line))
    row.allowsDecimalComma = true
    do {
      try row.split(line)
    } catch {
      throw problem("line \(place.number)", "\(error)")
    }
    try takeNames(row.strings(in: line), place)
  }

  /// Takes the row below the names, where that has their units.
  ///
  /// - Returns: whether it has.
  private mutating func takeUnits(_ line: Span<UInt8>, _ place: TextLine) throws -> Bool {
    guard let names = file?.header, (try? row.split(line)) != nil,
      let united = CSVUnitsRow.names(names, with: (0..<row.count).map({ row.string($0, in: line) }))
    else { return false }
    hasUnits = true
    try takeNames(united, place)
    return true
  }

  private mutating func takeNames(_ names: [String], _ place: TextLine) throws {
    do throws(MotionColumnsProblem) {
      let columns = try MotionColumns(header: names, file: FileSystem.name(of: source))
      if case .perSecond(let count) = columns.timeUnit { timesPerSecond = count }
      file = MotionFile(source: source, header: names, columns: columns)
      if let text = columns.leftOutText(names) { notice(text) }
    } catch {
      throw problem("line \(place.number)", error.text)
    }
  }

  /// A number of a row. Where a comma may divide its thousands as well as stand before its decimals, as in `1,234`, it is none before
  /// another one has shown that they stand before decimals; with semicolons they always do.
  private mutating func number(_ column: Int, in line: Span<UInt8>) -> Double? {
    guard let value = row.double(column, in: line) else { return nil }
    guard !hasDecimalComma, row.delimiter != .semicolon else { return value }
    let field = line.extracting(row.range(of: column))
    guard field.indices.contains(where: { field[$0] == UInt8(ascii: ",") }) else { return value }
    guard !CSVRow.DigitGroups.commas.matches(field) else { return nil }
    hasDecimalComma = true
    return value
  }

  /// A time of the trial ``current`` in the unit of the file, or in seconds where it is a date or a time of day.
  private mutating func time(_ columns: MotionColumns, in line: Span<UInt8>) -> Double? {
    let column = columns.time
    if times == nil || times == .numbers, let value = number(column, in: line) {
      guard value.magnitude < 1e20 else { return nil }
      times = .numbers
      return value
    }
    if times == nil || times == .dates, let time = row.time(column, in: line) {
      (times, timesPerSecond) = (.dates, 1)
      return Double(time.time.nanoseconds) / 1e9
    }
    guard times == nil || times == .timesOfDay else { return nil }
    let field = line.extracting(row.range(of: columns.timeOfDay ?? column))
    guard let time = trials[current].clock.seconds(field) else { return nil }
    (times, timesPerSecond) = (.timesOfDay, 1)
    return time
  }

  private enum AxesOutcome {
    case read(SIMD3<Double>)
    case missing
    case unreadable
  }

  private mutating func axes(_ axes: MotionColumns.Axes, _ line: Span<UInt8>) -> AxesOutcome {
    var values = SIMD3<Double>.zero
    for axis in 0..<3 {
      let column = axes.columns[axis]
      guard let value = number(column, in: line) else {
        return row.isMissing(column, in: line) ? .missing : .unreadable
      }
      guard value.magnitude < Self.largestValue else { return .unreadable }
      values[axis] = value
    }
    return .read(values)
  }

  private mutating func label(_ column: Int?, _ line: Span<UInt8>, _ place: TextLine) throws -> Int16 {
    guard let column, !row.isMissing(column, in: line) else { return -1 }
    var name = row.string(column, in: line)
    if name.utf8.count > ActivityLabel.mostCharacters, name.count > ActivityLabel.mostCharacters {
      name = String(name.prefix(ActivityLabel.mostCharacters))
      if rows.longLabels == 0 { rows.firstLongLabel = place.number }
      rows.longLabels += 1
    }
    if let number = numbers[name] { return number }
    guard numbers.count < Self.mostLabels else {
      throw problem(nil, "more than \(Self.mostLabels) labels: expected the names of activities")
    }
    let number = Int16(numbers.count)
    numbers[name] = number
    file?.labels.append(name)
    return number
  }

  private mutating func append(
    _ time: Double, _ acceleration: SIMD3<Double>, _ turn: SIMD3<Double>, _ label: Int16, _ place: TextLine
  ) throws {
    guard rows.samples < Self.mostSamples else {
      throw problem(
        "line \(place.number)", "more than \(Self.mostSamples) samples: expected at most 24 hours at 100 Hz")
    }
    rows.samples += 1
    if trials[current].times.isEmpty { trials[current].firstTime = time }
    let (a, g) = (SIMD3<Float>(acceleration), SIMD3<Float>(turn))
    trials[current].times.append(time - trials[current].firstTime)
    trials[current].samples.append(SIMD8(a[0], a[1], a[2], g[0], g[1], g[2], 0, 0))
    trials[current].labels.append(label)
    trials[current].lines.append(UInt32(truncatingIfNeeded: place.number))
  }

  /// Lets the few samples of a trial go that have no turning rate, which the others have.
  ///
  /// - Returns: whether the trial has turning rates.
  private mutating func leaveOutTurnless(_ trial: inout MotionTrialRows) -> Bool {
    guard file?.columns.rotationRate != nil else { return false }
    guard trial.turnless > 0 else { return true }
    let count = trial.samples.count
    guard trial.turnless * 20 <= count else {
      if trial.turnless < count {
        if rows.halfTurning == 0 { rows.firstHalfTurning = trial.firstTurnless }
        rows.halfTurning += trial.turnless
      }
      return false
    }
    if rows.turnless == 0 { rows.firstTurnless = trial.firstTurnless }
    rows.turnless += trial.turnless
    trial.keep(trial.samples.indices.filter { !trial.samples[$0][3].isNaN })
    return true
  }

  /// Goes to the trial of a row, the first or another one than that of the row before.
  private mutating func find(_ key: MotionTrialKey, _ place: TextLine) throws {
    if let known = places[key] {
      current = known
      return
    }
    namesCount += key.person.utf8.count + key.trial.utf8.count
    guard trials.count < Self.mostTrials, namesCount <= Self.mostNames else {
      throw problem(
        "line \(place.number)",
        "more than \(Self.mostTrials) trials, or names of them of more than 16 MiB: expected the names of people and trials"
      )
    }
    current = trials.count
    places[key] = current
    trials.append(MotionTrialRows(key))
  }

  /// Brings what was read onto the grid.
  private mutating func assemble() throws -> MotionAssembly {
    var trials = self.trials
    (self.trials, places) = ([], [:])
    var assembly = MotionAssembly(source: source, mostPoints: mostPoints)
    var hasRotation: [Bool] = []
    for place in trials.indices { hasRotation.append(leaveOutTurnless(&trials[place])) }
    try look(trials)
    let perSecond = try timesPerSecond ?? guessedTimesPerSecond(trials)
    for place in trials.indices {
      // The rows go as soon as they are on the grid.
      let trial = trials[place]
      trials[place] = MotionTrialRows(trial.key)
      try assembly.add(trial, perSecond: perSecond, hasRotationRate: hasRotation[place])
    }
    if assembly.unusual.number * 20 > rows.samples, let (position, text) = assembly.firstProblem {
      throw problem(position, text)
    }
    file?.recordings = assembly.recordings
    guard file?.recordings.isEmpty == false else {
      throw problem(
        assembly.lonely.firstLine.map { "line \($0)" },
        "no two rows of a trial within half a second of each other: expected 20 to 200 samples a second")
    }
    return assembly
  }

  /// Looks at the values beside what the names of the columns say of their units.
  private mutating func look(_ trials: [MotionTrialRows]) throws {
    guard var file else { return }
    self.file = nil
    let line = trials.compactMap(\.lines.first).min() ?? 2
    do throws(MotionLooks.Problem) {
      for text in try file.units.settle(by: trials.map(\.samples)) {
        file.notices.append(MotionNotice(text: text, source: source))
      }
    } catch {
      throw problem("line \(line)", error.text)
    }
    self.file = file
  }

  /// How many of the file's units of time a second has, by what its longest trial, else a shorter one, makes of them.
  private func guessedTimesPerSecond(_ trials: [MotionTrialRows]) throws -> Double {
    let order = trials.indices.sorted { (trials[$1].times.count, $0) < (trials[$0].times.count, $1) }
    for place in order {
      if let step = MotionTrialRows.typicalStep(trials[place].times), let unit = MotionTimeUnit.unit(ofStep: step) {
        return unit.rawValue
      }
    }
    guard let first = order.first, trials[first].times.count > 1 else { return 1 }
    throw problem(
      trials[first].lines.first.map { "line \($0)" }, MotionTimeUnit.problem(trials[first].times, perSecond: nil))
  }
}
