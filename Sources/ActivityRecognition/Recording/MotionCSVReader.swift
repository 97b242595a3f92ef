internal import TextFormats

/// Reads a CSV of motion that comes in pieces of any size: a row a sample, columns known by their names.
///
/// Rows that cannot be read are left out and counted; when they are more than one in twenty the file is refused. Rows without turning
/// rates are left out too, where they are at most one in twenty of a trial that has them; where they are more, the trial has none.
package struct MotionCSVReader {
  /// The most samples of one file: 24 hours at 100 Hz.
  package static let mostSamples = 8_640_000
  /// The largest value that a sensor can have meant, in any unit.
  private static let largestValue = 1e5
  private static let mostLabels = 256

  private let source: String
  private var splitter = LineSplitter()
  private var row = CSVRow(delimiter: .comma)
  private var file: MotionFile?
  private var numbers: [String: Int16] = [:]
  private var rows = RowCounts()
  private var trial = Trial()
  private var key = TrialKey()
  /// How many of the file's units of time a second has, once that is known.
  private var timesPerSecond: Double?

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
    var late = 0
    var repeated = 0
    var gaps = 0
  }

  /// The samples of a trial, as they stand in the file; a turning rate that is missing is no number.
  private struct Trial {
    /// Times in the unit of the file, since the first.
    var times: [Double] = []
    var samples: [SIMD8<Float>] = []
    var labels: [Int16] = []
    var firstTime: Double?
    /// How many samples have no turning rate, and the line of the first.
    var turnless = 0
    var firstTurnless = 0
  }

  /// What distinguishes one trial from the next.
  private struct TrialKey: Hashable {
    var person = ""
    var trial = ""
  }

  /// A reader at the beginning of a file, which errors call `source`.
  package init(source: String) { self.source = source }

  /// Takes the next bytes.
  ///
  /// - Throws: `RecordingError` when the file is none of motion.
  package mutating func feed(_ bytes: Span<UInt8>) throws {
    var splitter = self.splitter
    do {
      try splitter.feed(bytes) { line, place in try take(line, place) }
    } catch let error as LineError {
      throw RecordingError(path: source, problem: "\(error)")
    }
    self.splitter = splitter
  }

  /// Ends the bytes: what the file holds.
  ///
  /// - Throws: `RecordingError` when nothing in it can be used.
  package mutating func finish() throws -> MotionFile {
    var splitter = self.splitter
    try splitter.finish { line, place in try take(line, place) }
    guard file != nil else { throw problem("line 1", "expected a header with the names of columns, found no line") }
    try endTrial()
    if rows.unreadable * 20 > rows.all {
      throw problem(
        "line \(rows.firstUnreadable)",
        "\(rows.unreadable) of \(rows.all) rows cannot be read: expected \(file?.columns.count ?? 0) columns with numbers"
      )
    }
    guard rows.samples > 0 else {
      throw problem("line \(max(2, rows.firstIncomplete))", "expected rows with acceleration, found none")
    }
    note("row", rows.unreadable, "cannot be read, left out", line: rows.firstUnreadable)
    note("row", rows.incomplete, "without acceleration, left out", line: rows.firstIncomplete)
    note("row", rows.turnless, "without turning rates, left out", line: rows.firstTurnless)
    note(
      "row", rows.halfTurning,
      "without turning rates, more than one in twenty of a trial, which is read as of a device without a gyroscope",
      line: rows.firstHalfTurning)
    note("row", rows.late, "out of order of time, sorted")
    note("row", rows.repeated, "at the time of one before, of which the first counts")
    note("gap", rows.gaps, "of more than half a second")
    if file?.columns.lacksGravity == true {
      notice("the acceleration has no gravity in it, which most of what is looked at needs")
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
    rows.all += 1
    guard (try? row.split(line)) != nil, row.count == columns.count else { return countUnreadable(place) }
    let key = TrialKey(
      person: columns.person.map { row.string($0, in: line) } ?? "",
      trial: columns.trial.map { row.string($0, in: line) } ?? "")
    if key != self.key {
      try endTrial()
      self.key = key
    }
    guard let time = time(columns.time, in: line) else { return countUnreadable(place) }
    switch axes(columns.acceleration, line) {
    case .unreadable: return countUnreadable(place)
    case .missing:
      if rows.incomplete == 0 { rows.firstIncomplete = place.number }
      rows.incomplete += 1
    case .read(var values):
      if let gravity = columns.gravity {
        guard case .read(let added) = axes(gravity, line) else { return countUnreadable(place) }
        values += added
      }
      var turn = SIMD3<Double>.zero
      switch columns.rotationRate.map({ axes($0, line) }) {
      case .unreadable: return countUnreadable(place)
      case .read(let values): turn = values
      case .missing:
        turn = SIMD3(repeating: .nan)
        if trial.turnless == 0 { trial.firstTurnless = place.number }
        trial.turnless += 1
      case nil: break
      }
      try append(time, values, turn, label(columns.label, line), place)
    }
  }

  private mutating func countUnreadable(_ place: TextLine) {
    // The last row of a file that was cut off is torn.
    if rows.unreadable == 0 { rows.firstUnreadable = place.number }
    rows.unreadable += 1
  }

  private mutating func takeHeader(_ line: Span<UInt8>, _ place: TextLine) throws {
    row = CSVRow(delimiter: .detect(header: line))
    do {
      try row.split(line)
    } catch {
      throw problem("line \(place.number)", "\(error)")
    }
    let names = (0..<row.count).map { row.string($0, in: line) }
    do throws(MotionColumnsProblem) {
      let columns = try MotionColumns(header: names)
      if case .perSecond(let count) = columns.timeUnit { timesPerSecond = count }
      file = MotionFile(source: source, header: names, columns: columns)
    } catch {
      throw problem("line \(place.number)", error.text)
    }
  }

  /// A time in the unit of the file, or in seconds where it is a date.
  private mutating func time(_ column: Int, in line: Span<UInt8>) -> Double? {
    if let value = row.double(column, in: line) { return value.magnitude < 1e20 ? value : nil }
    guard let time = row.time(column, in: line) else { return nil }
    timesPerSecond = 1
    return Double(time.time.nanoseconds) / 1e9
  }

  private enum AxesOutcome {
    case read(SIMD3<Double>)
    case missing
    case unreadable
  }

  private func axes(_ axes: MotionColumns.Axes, _ line: Span<UInt8>) -> AxesOutcome {
    var values = SIMD3<Double>.zero
    for axis in 0..<3 {
      let column = axes.columns[axis]
      guard let value = row.double(column, in: line) else {
        return row.isMissing(column, in: line) ? .missing : .unreadable
      }
      guard value.magnitude < Self.largestValue else { return .unreadable }
      values[axis] = value
    }
    return .read(values)
  }

  private mutating func label(_ column: Int?, _ line: Span<UInt8>) throws -> Int16 {
    guard let column, !row.isMissing(column, in: line) else { return -1 }
    let name = row.string(column, in: line)
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
    let turned = (turn * turn).sum().squareRoot()
    file?.accelerationSum += (acceleration * acceleration).sum().squareRoot()
    file?.accelerationCount += 1
    if let fastest = file?.fastestTurn, turned > fastest { file?.fastestTurn = turned }
    let first = trial.firstTime ?? time
    trial.firstTime = first
    let (a, g) = (SIMD3<Float>(acceleration), SIMD3<Float>(turn))
    trial.times.append(time - first)
    trial.samples.append(SIMD8(a[0], a[1], a[2], g[0], g[1], g[2], 0, 0))
    trial.labels.append(label)
  }

  /// Lets the few samples of a trial go that have no turning rate, which the others have.
  ///
  /// - Returns: whether the trial has turning rates.
  private mutating func leaveOutTurnless(_ trial: inout Trial) -> Bool {
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
    let kept = trial.samples.indices.filter { !trial.samples[$0][3].isNaN }
    trial.times = kept.map { trial.times[$0] }
    trial.labels = kept.map { trial.labels[$0] }
    trial.samples = kept.map { trial.samples[$0] }
    return true
  }

  /// Brings what was read of a trial onto the grid.
  private mutating func endTrial() throws {
    var trial = self.trial
    self.trial = Trial()
    let hasRotation = leaveOutTurnless(&trial)
    guard trial.samples.count > 1 else { return }
    let perSecond = try timesPerSecond ?? guessedTimesPerSecond(trial.times)
    timesPerSecond = perSecond
    let nanoseconds = trial.times.map { ($0 / perSecond * 1e9).rounded() }
    guard nanoseconds.allSatisfy({ $0.magnitude < 1e18 }) else {
      throw problem(nil, "times: expected a trial of less than 30 years")
    }
    var timed = MotionTrack(times: nanoseconds.map { Int64($0) }, samples: trial.samples, labels: trial.labels)
    rows.late += timed.lateCount
    timed = timed.inOrder
    rows.repeated += timed.repeatedCount
    let rate = Self.typicalStep(nanoseconds).map { 1e9 / $0 } ?? 0
    guard MotionLimits.sampleRates.contains(rate) else {
      let text = rate < 1000 ? "\((rate * 10).rounded() / 10)" : "more than 1000"
      throw problem(nil, "\(text) samples a second: expected 20 to 200")
    }
    let pieces = timed.pieces
    rows.gaps += pieces.count - 1
    for piece in pieces where piece.count > 1 {
      var grid = timed.gridded(piece)
      guard !grid.samples.isEmpty else { continue }
      if !hasRotation {
        for index in grid.samples.indices { grid.samples[index] = grid.samples[index].withoutRotation }
      }
      file?.recordings.append(
        MotionRecording(
          source: source, statedPerson: key.person, trial: key.trial,
          startSeconds: Double(timed.times[piece.lowerBound] - timed.times[0]) / 1e9, sampledHz: rate,
          hasRotationRate: hasRotation, samples: grid.samples,
          labels: grid.labels))
    }
  }

  /// How many of the file's units a second has, by which of the usual ones gives 20 to 200 samples a second.
  private func guessedTimesPerSecond(_ times: [Double]) throws -> Double {
    if let step = Self.typicalStep(times) {
      for unit in [1, 1e3, 1e6, 1e9] where MotionLimits.sampleRates.contains(unit / step) { return unit }
    }
    throw problem(nil, "the unit of the times is not known: expected 20 to 200 samples a second")
  }

  /// The median of the steps between times, whichever way they go, those of 0 left out.
  private static func typicalStep(_ times: [Double]) -> Double? {
    let steps = zip(times, times.dropFirst()).map { ($1 - $0).magnitude }.filter { $0 > 0 }.sorted()
    return steps.isEmpty ? nil : steps[steps.count / 2]
  }
}
