internal import Recordings
internal import TextFormats
internal import WorkoutSession

/// Writes a workout in the 22 columns of SensoGather: a row an instant, with what was measured at it. What was not is
/// `N/A`, which the reader of SensoGather files and those of statistics programs take for absence; nothing is repeated
/// from the row before, so that a row stays a measurement, unless ``RowSampling`` asks for it or for even rows.
struct SensoGatherExport {
  private(set) var losses = ExportLosses()

  private let workout: ExportedWorkout
  private let start: WallClockTime
  private var buffer: [UInt8] = []

  /// Looks at a workout.
  ///
  /// - Throws: `ExportError` when its time of day is not known, or when it has nothing that the columns hold; `FileError`
  ///   when its rows cannot be read.
  init(_ workout: ExportedWorkout) throws {
    start = try workout.timeOfDay(for: .sensoGatherCSV)
    self.workout = workout
    let activities = workout.activities
    var isWritten = activities.contains { $0.items.motionCount > 0 }
    for activity in activities {
      var reader = activity.items.reader
      while !isWritten, let item = try reader.next() {
        if case .row(let row, _, _) = item { isWritten = Self.isWritten(row) }
      }
    }
    guard isWritten else {
      throw ExportError("no heart rate, position or motion, and the columns of SensoGather hold nothing else")
    }
    losses.add(.activitiesJoined, activities.count > 1 ? activities.count : 0)
    losses.add(.sports, activities.count { $0.sport != nil })
    losses.add(workout.isSimulated ? .simulatedMark : .device, workout.device == nil ? 0 : 1)
    losses.add(.pauses, activities.map(\.pauses.count).reduce(0, +))
    losses.add(.statedDistances, activities.count { $0.statedMeters != nil })
  }

  /// Whether a heart rate is not one of those by which the files mark absence.
  private static func isHeld(heartRate: Double) -> Bool {
    heartRate.isFinite && heartRate != -1 && heartRate != 0 && heartRate != 255
  }

  /// Whether a position is not one that the files declare absent, by −1 or by its own accuracy.
  private static func isHeld(position row: RecordedPoint) -> Bool {
    row.hasPosition && !(row.horizontalAccuracy < 0) && (row.latitude, row.longitude) != (-1, -1)
  }

  /// Axes unless they are marked as absent: by −1 in all three, or for lack of a number in one.
  private static func held(_ axes: Axes?) -> Axes? {
    guard let axes, (axes.x, axes.y, axes.z) != (-1, -1, -1) else { return nil }
    return axes.x.isFinite && axes.y.isFinite && axes.z.isFinite ? axes : nil
  }

  private static func isWritten(_ row: RecordedPoint) -> Bool {
    isHeld(position: row) || isHeld(heartRate: row.heartRate)
  }

  mutating func write(to output: (Span<UInt8>) throws -> Void) throws {
    buffer.append(contentsOf: CSVLayout.sensoGatherColumns.joined(separator: ",").utf8)
    buffer.append(UInt8(ascii: "\n"))
    var rows = try ExportedRows(workout)
    var grid = RowGrid(workout.sampling)
    while let next = try rows.next() {
      guard case .row(let place) = next, let row = measured(place) else { continue }
      try grid.take(row) { try write($0, to: output) }
    }
    try grid.finish { try write($0, to: output) }
    try buffer.spill(to: output, above: 0)
    losses.add(.motionsResampled, grid.resampledMotions)
    losses.add(.valuesFilled, grid.filledValues)
  }

  private mutating func write(_ row: MeasuredRow, to output: (Span<UInt8>) throws -> Void) throws {
    guard let time = start.adding(nanoseconds: row.time) else { return }
    DecimalFormat.append(seconds: time.nanoseconds, to: &buffer)
    for value in row.values { field(value) }
    buffer.append(UInt8(ascii: "\n"))
    try buffer.spill(to: output)
  }

  /// What the columns hold of a row; `nil` when that is nothing. What they do not hold is counted.
  private mutating func measured(_ one: ExportedRows.Place) -> MeasuredRow? {
    let (row, motion) = (one.row, one.motion)
    losses.add(.steps, row.steps.isNaN ? 0 : 1)
    losses.add(.cadences, row.cadence.isNaN ? 0 : 1)
    losses.add(.distances, row.distance.isNaN ? 0 : 1)
    losses.add(.speedsWithoutPosition, !row.hasPosition && !row.speed.isNaN ? 1 : 0)
    let isHeld = Self.isHeld(heartRate: row.heartRate)
    losses.add(.heartRatesOutOfRange, !row.heartRate.isNaN && !isHeld ? 1 : 0)
    let place = Self.isHeld(position: row) ? row : nil
    losses.add(.invalidPositions, row.hasPosition && place == nil ? 1 : 0)
    let axes = [motion?.acceleration, motion?.rotationRate, motion?.magneticField].map(Self.held)
    let moves = axes.contains { $0 != nil }
    losses.add(.motions, motion != nil && !moves ? 1 : 0)
    losses.add(.directionsWithoutPosition, one.direction != nil && place == nil ? 1 : 0)
    let altitude = place?.altitude ?? (row.hasPosition ? .nan : row.altitude)
    guard moves || isHeld || place != nil || altitude.isFinite else { return nil }
    losses.add(.valuesOutOfRange, altitude == -1 ? 1 : 0)
    var values = axes.flatMap { [$0?.x, $0?.y, $0?.z] }
    values.append(isHeld ? row.heartRate : nil)
    values += [place?.latitude, place?.longitude, place?.horizontalAccuracy]
    let direction = place.flatMap { _ in one.direction?.values } ?? DirectionReading.noValues
    let known = direction.map { $0.flatMap { $0 >= 0 ? $0 : nil } }
    losses.add(.valuesOutOfRange, zip(direction, known).count { $0 != nil && $1 == nil })
    values += [altitude == -1 ? nil : altitude, known[0]]
    values += [place.map(\.speed).flatMap { $0 >= 0 ? $0 : nil }] + known.dropFirst()
    return MeasuredRow(time: row.time, values: values.map { $0.flatMap { $0.isFinite ? $0 : nil } })
  }

  private mutating func field(_ value: Double?) {
    buffer.append(UInt8(ascii: ","))
    guard let value, value.isFinite else { return buffer.append(contentsOf: "N/A".utf8) }
    DecimalFormat.appendShortest(value, to: &buffer)
  }
}
