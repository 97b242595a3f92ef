package import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// A row of a heart rate and a speed at most, on the clock of the file; what is absent is not a number.
typealias CSVNarrowRow = (time: Int64, heartRate: Double, speed: Double)

/// Turns the rows of a CSV into readings, without policy: what is not there is absent, and nothing is judged.
package struct CSVRowDecoder: Sendable {
  /// What a row came to.
  package enum Outcome: Hashable, Sendable {
    /// The row had a time; its readings were emitted.
    case read(time: Int64)
    /// The time of an hour, and the steps of each of its minutes.
    case hour(from: Int64, steps: [Int?])
    /// The row cannot be read, and why.
    case unreadable(String)
  }

  let columns: CSVColumns

  private var row: CSVRow
  private var objects: JSONObjectRow?
  private var time: CSVRowTime
  private let plan: CSVRowPlan
  /// Whether the rows are those of a log of our own, whose heart rates are what was recorded, 255 too.
  package var isOfOwnLog = false
  /// The units of motion; our own until something else is said.
  var motionUnits: CSVMotionUnits?
  /// Whether rows hold a heart rate and a speed at most, of nobody in particular.
  let isNarrow: Bool
  /// What is known of such rows, where several can be read at once.
  let narrowTable: NarrowTable?
  private var cumulativeSteps: CumulativeCount?
  /// The column whose quotes were not closed on the line that was decoded last.
  private var openColumn: Int?

  /// Creates a decoder of lines or, for the layout of objects, of JSON objects; `nil` without a column for the time.
  package init?(columns: CSVColumns, delimiter: CSVDelimiter) {
    self.init(columns: columns, delimiter: delimiter, style: CSVStyle(columns, delimiter: delimiter), origin: nil)
  }

  /// Creates a decoder of rows of a style, whose times since a start count from `origin` where that is known, in nanoseconds since
  /// the Unix epoch.
  init?(columns: CSVColumns, delimiter: CSVDelimiter, style: CSVStyle, origin: Int64?) {
    guard let time = columns.time else { return nil }
    self.columns = columns
    objects = columns.layout == .sensoGatherObjects ? JSONObjectRow(columns: columns.names) : nil
    self.time = CSVRowTime(
      time, prefersTimeOfDay: columns.hasOnlySteps || columns.columns[.timeOfDay] == time.column, style: style,
      origin: origin)
    let plan = CSVRowPlan(columns, style)
    self.plan = plan
    isNarrow = objects == nil && plan.isNarrow
    row = CSVRow(delimiter: delimiter)
    row.allowsDecimalComma = style.allowsDecimalComma
    let uses = plan.uses(of: columns, time, style)
    row.prepare(uses)
    narrowTable = isNarrow ? NarrowTable(uses, delimiter: delimiter) : nil
  }

  /// The clock that the times are on; `nil` before the first.
  var clock: CSVClock? { time.clock }

  /// How far the clock of the place is ahead of UTC, where the first time says so.
  var utcOffsetSeconds: Int? { time.utcOffsetSeconds }

  /// Whether a time is one of the day, whatever a row before it has decided.
  func isWall(_ time: Int64) -> Bool { self.time.isWall(time) }

  /// Forgets the clock that a row has decided which is not of the recording.
  mutating func forgetClock() { time.forgetClock() }

  /// The names in objects that are not known, without those reported before.
  mutating func takeUnknownNames() -> [String] { objects?.takeUnknownNames() ?? [] }

  /// The bytes that name the person of the row that was decoded last; `nil` where rows belong to nobody.
  func person(in line: Span<UInt8>) -> Range<Int>? { plan.people.map { row.range(of: $0) } }

  /// The name of that person; empty where rows belong to nobody.
  func personName(in line: Span<UInt8>) -> String { plan.people.map { row.string($0, in: line) } ?? "" }

  /// Whether there is a column of labels, and one of trials.
  var hasLabels: Bool { plan.labels != nil }
  var hasTrials: Bool { plan.trials != nil }

  /// The bytes of the label of the row that was decoded last; `nil` where there is no column of labels.
  func label(in line: Span<UInt8>) -> Range<Int>? { plan.labels.map { row.range(of: $0) } }

  /// That label as text; empty where the field says that there is no value.
  func labelText(in line: Span<UInt8>) -> String {
    plan.labels.flatMap { row.isMissing($0, in: line) ? nil : row.string($0, in: line) } ?? ""
  }

  /// The bytes of the trial of the row that was decoded last; `nil` where there is no column of trials.
  func trial(in line: Span<UInt8>) -> Range<Int>? { plan.trials.map { row.range(of: $0) } }

  /// Whether the line that was decoded last ends within the quotes of a field that nothing is read from.
  var opensText: Bool { openColumn.map { row.uses.indices.contains($0) && row.uses[$0] == .nothing } ?? false }

  /// Decodes a row into its readings, of which those before are gone.
  package mutating func decode(_ line: Span<UInt8>, into readings: inout CSVReadings) -> Outcome {
    let isSimple = objects == nil && row.readNumbers(line)
    if !isSimple, let problem = split(line) { return .unreadable(problem) }
    guard let time = readTime(in: line) else { return .unreadable(noTime) }
    if !isSimple { readings.unreadableValues = readOddNumbers(in: line) }
    if plan.holdsHours { return .hour(from: time, steps: steps(in: line, &readings.unreadableValues)) }
    emit(&readings, at: time)
    return .read(time: time)
  }

  /// Decodes the row that begins at `start` of a text in one go, where that can be done: its time, and the index of the
  /// next row. Otherwise `nil`, and the line has to be found and decoded.
  @inline(__always)
  mutating func decodeSimple(
    _ text: Span<UInt8>, from start: Int, into readings: inout CSVReadings
  ) -> (time: Int64, next: Int)? {
    guard objects == nil, !plan.holdsHours, let next = row.readNumbers(text, from: start), let time = readTime(in: text)
    else { return nil }
    emit(&readings, at: time)
    return (time, next)
  }

  /// Decodes a row of a heart rate and a speed at most as ``decodeSimple(_:from:into:)`` does; what is absent is not a number.
  ///
  /// - Precondition: ``isNarrow``.
  @inline(__always)
  mutating func decodeNarrow(
    _ text: Span<UInt8>, from start: Int
  ) -> (row: CSVNarrowRow, next: Int)? {
    // A speed below 0 is looked at as every other row is.
    guard let next = row.readNumbers(text, from: start), !(number(CSVSlot.speed) < 0), let time = readTime(in: text)
    else { return nil }
    return (narrowRow(time, number(CSVSlot.heartRate), number(CSVSlot.speed)), next)
  }

  /// Judges the numbers of such a row that was read with others; `nil` where it has to be decoded alone.
  @inline(__always)
  mutating func judge(nanoseconds: Int64, heartRate: Double, speed: Double) -> CSVNarrowRow? {
    time.read(nanoseconds: nanoseconds).map { narrowRow($0, heartRate, speed) }
  }

  @inline(__always)
  private mutating func narrowRow(_ time: Int64, _ heartRate: Double, _ speed: Double) -> CSVNarrowRow {
    (time, present(heartRate: heartRate), speed * plan.speedFactor)
  }

  /// A heart rate that was written; not a number where that says that there is none.
  @inline(__always)
  private mutating func present(heartRate: Double) -> Double {
    let isAbsent =
      !isOfOwnLog && (heartRate == -1 || heartRate == 255 || plan.marksAbsenceByMinusOne && heartRate == 0)
    return isAbsent ? .nan : heartRate
  }

  /// Emits the readings of the row whose numbers were read.
  @inline(__always)
  private mutating func emit(_ readings: inout CSVReadings, at time: Int64) {
    readings.heartRate = present(heartRate: number(CSVSlot.heartRate))
    if plan.hasStrides { emitStrides(&readings, at: time) }
    readings.speed = possible(number(CSVSlot.speed), &readings.unreadableValues) * plan.speedFactor
    if plan.hasPlace { readings.fix = fix(speed: Self.present(readings.speed), &readings.unreadableValues) }
    if plan.hasMotion { readings.motion = motion }
    if plan.hasIntervals {
      readings.rrInterval = possible(number(CSVSlot.rrInterval), &readings.unreadableValues) * plan.intervalFactor
    }
    if plan.hasDirection { readings.direction = direction }
    if plan.hasAltitude { readings.altitude = readings.fix == nil ? altitudeMeters ?? .nan : .nan }
  }

  // What is asked once a row is `mutating` or inlined, although it changes nothing: Swift 6.3.1 copies all of a decoder, a kilobyte,
  // for what it calls in the middle of a change and what promises not to change it.

  /// Which way the device moved and pointed: values below 0 mean that the device does not know them.
  private var direction: DirectionReading? {
    @inline(never)
    mutating get {
      var values = [Self.present(Self.notNegative(number(CSVSlot.verticalAccuracy)))]
      for value in 1..<DirectionReading.valueCount {
        values.append(Self.present(Self.notNegative(number(CSVSlot.direction + value - 1))))
      }
      return DirectionReading(values)
    }
  }

  /// Emits steps, cadence and distance.
  private mutating func emitStrides(_ readings: inout CSVReadings, at time: Int64) {
    readings.steps =
      count(number(CSVSlot.steps), &readings.unreadableValues)
      ?? countedUp(number(CSVSlot.cumulativeSteps), at: time, &readings.unreadableValues)
    let written = number(CSVSlot.cadence)
    let cadence = plan.countsStrides ? RecordedSport.stepsPerMinute(written) : written
    let fraction = number(CSVSlot.fractionalCadence)
    readings.cadence = possible(
      fraction.isNaN || cadence < 0 ? cadence : (cadence + fraction) * 2, &readings.unreadableValues)
    readings.distance = possible(number(CSVSlot.distance), &readings.unreadableValues) * plan.distanceFactor
  }

  /// Finds the fields of a row that is not simple; what is wrong with it, or `nil`.
  @inline(never)
  private mutating func split(_ line: Span<UInt8>) -> String? {
    row.plainTime = nil
    openColumn = nil
    guard objects == nil else { return objects?.place(line, into: &row) }
    do throws(CSVRowError) {
      try row.split(line)
      // A delimiter at the end of a row begins no column.
      if !isOfOwnLog { row.dropEmptyEnd(after: columns.names.count) }
      try row.require(columns: columns.names.count)
      return nil
    } catch {
      if case .openQuote(let column) = error { openColumn = column - 1 }
      return "\(error)"
    }
  }

  @inline(__always)
  private mutating func readTime(in line: Span<UInt8>) -> Int64? {
    if let plain = row.plainTime, let read = time.read(plain) { return read }
    return readOddTime(in: line)
  }

  @inline(never)
  private mutating func readOddTime(in line: Span<UInt8>) -> Int64? {
    row.placePlainTime()
    return time.read(row, in: line)
  }

  /// Whether the time of the row that was decoded last is empty, as that of a sample without a place in its session.
  package var hasEmptyTime: Bool {
    row.count == columns.names.count && row.range(of: time.columns.column).isEmpty
  }

  private var noTime: String { "no time that can be read in '\(columns.names[time.columns.column])'" }

  /// Reads the numbers of a row that is not simple; how many are none and not missing.
  @inline(never)
  private mutating func readOddNumbers(in line: Span<UInt8>) -> Int {
    var unreadable = 0
    for (column, use) in row.uses.enumerated() {
      guard case .number(let slot, let groups) = use else { continue }
      if groups.matches(line.extracting(row.range(of: column))) {
        row.numbers[slot] = .nan
        unreadable += 1
      } else {
        row.numbers[slot] = oddNumber(column, in: line, &unreadable)
      }
    }
    return unreadable
  }

  private func oddNumber(_ column: Int, in line: Span<UInt8>, _ unreadable: inout Int) -> Double {
    if let value = row.double(column, in: line), value.magnitude <= CSVRow.largestMagnitude { return value }
    if !row.isMissing(column, in: line) { unreadable += 1 }
    return .nan
  }

  /// The steps of the minutes of an hour.
  private func steps(in line: Span<UInt8>, _ unreadable: inout Int) -> [Int?] {
    var result: [Int?] = []
    for column in 2..<62 { result.append(count(oddNumber(column, in: line, &unreadable), &unreadable)) }
    return result
  }

  @inline(__always)
  private func number(_ slot: Int) -> Double { row.numbers[slot] }

  /// A number that is there; `nil` for not a number.
  @inline(__always)
  private static func present(_ value: Double) -> Double? { value.isNaN ? nil : value }

  @inline(__always)
  private static func notNegative(_ value: Double) -> Double { value >= 0 ? value : .nan }

  /// A number from 0 to a limit; not a number for any other. One beyond the limit is a value that cannot be, and so is one below 0
  /// but for −1, which programs write for what they do not know, and where everything below 0 means that. A log of our own holds
  /// what was recorded.
  @inline(__always)
  private func possible(_ value: Double, upTo limit: Double = .infinity, _ unreadable: inout Int) -> Double {
    if value >= 0, value <= limit { return value }
    let isAbsent = value.isNaN || value == RecordedPoint.absent || value < 0 && plan.marksAbsenceByMinusOne
    if !isAbsent, !isOfOwnLog { unreadable += 1 }
    return .nan
  }

  @inline(__always)
  private func count(_ value: Double, _ unreadable: inout Int) -> Int? {
    Self.present(possible(value, upTo: 1e6, &unreadable)).map { Int($0.rounded()) }
  }

  /// The steps since the row before, of a count since the start; −1 where there is none.
  @inline(__always)
  private mutating func countedUp(_ value: Double, at time: Int64, _ unreadable: inout Int) -> Int {
    guard let value = Self.present(possible(value, upTo: 1e9.nextDown, &unreadable)) else { return -1 }
    var count = cumulativeSteps ?? .steps(from: value)
    let before = count.total
    count.admit(value, at: SessionTime(nanoseconds: time))
    cumulativeSteps = count
    return Int((count.total - before).rounded())
  }

  /// The position; one off the Earth is counted as a value that cannot be.
  private mutating func fix(speed: Double?, _ unreadable: inout Int) -> LocationFix? {
    var (latitude, longitude) = (number(CSVSlot.latitude), number(CSVSlot.longitude))
    if columns.mayHaveSemicircles, latitude.magnitude > 90 || longitude.magnitude > 180 {
      latitude *= 180 / 2_147_483_648
      longitude *= 180 / 2_147_483_648
    }
    let accuracy = number(CSVSlot.horizontalAccuracy)
    if plan.marksAbsenceByMinusOne, latitude == -1 && longitude == -1 || accuracy < 0 { return nil }
    guard let coordinate = Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude) else {
      if latitude.magnitude > 90 || longitude.magnitude > 180 { unreadable += 1 }
      return nil
    }
    return LocationFix(
      coordinate: coordinate, altitudeMeters: altitudeMeters, horizontalAccuracyMeters: Self.present(accuracy),
      speedMetersPerSecond: speed)
  }

  @inline(__always)
  private var altitudeMeters: Double? {
    let meters = number(CSVSlot.altitude)
    guard plan.marksAbsenceByMinusOne else { return Self.present(meters) }
    let accuracy = number(CSVSlot.verticalAccuracy)
    return accuracy < 0 || accuracy.isNaN && meters == -1 ? nil : Self.present(meters)
  }

  private var motion: MotionReading? {
    mutating get {
      let acceleration = plan.hasGravity ? accelerationWithGravity : axes(CSVSlot.acceleration)
      let rotationRate = axes(CSVSlot.rotationRate)
      let magneticField = axes(CSVSlot.magneticField)
      guard acceleration != nil || rotationRate != nil || magneticField != nil else { return nil }
      guard let motionUnits else {
        return MotionReading(acceleration: acceleration, rotationRate: rotationRate, magneticField: magneticField)
      }
      return motionUnits.converted(acceleration: acceleration, rotationRate: rotationRate, magneticField: magneticField)
    }
  }

  /// The acceleration with what was taken from it; none where one of them is missing.
  @inline(__always)
  private var accelerationWithGravity: Axes? {
    guard let user = axes(CSVSlot.acceleration), let gravity = axes(CSVSlot.gravity) else { return nil }
    let sum = SIMD3(user.x, user.y, user.z) + SIMD3(gravity.x, gravity.y, gravity.z) * plan.gravityScale
    return Axes(x: sum.x, y: sum.y, z: sum.z)
  }

  @inline(__always)
  private func axes(_ slot: Int) -> Axes? {
    let (x, y, z) = (number(slot), number(slot + 1), number(slot + 2))
    // A sum with something that is not a number is none.
    guard !(x + y + z).isNaN, !(plan.marksAbsenceByMinusOne && x == -1 && y == -1 && z == -1) else { return nil }
    return Axes(x: x, y: y, z: z)
  }
}
