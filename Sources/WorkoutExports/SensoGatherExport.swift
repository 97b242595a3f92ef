internal import Recordings
internal import TextFormats
internal import WorkoutSession

/// Writes a workout in the 22 columns of SensoGather: a row an instant, with what was measured at it. What was not is
/// `N/A`, which the reader of SensoGather files and those of statistics programs take for absence; nothing is repeated
/// from the row before, so that a row stays a measurement.
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
        if case .row(let row, _) = item { isWritten = Self.isWritten(row) }
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
    while let next = try rows.next() {
      guard case .row(let place) = next else { continue }
      write(place.row, place.motion)
      try buffer.spill(to: output)
    }
    try buffer.spill(to: output, above: 0)
  }

  private mutating func write(_ row: RecordedPoint, _ motion: MotionReading?) {
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
    guard moves || isHeld || place != nil, let time = start.adding(nanoseconds: row.time) else { return }
    DecimalFormat.append(seconds: time.nanoseconds, to: &buffer)
    for axes in axes { for value in [axes?.x, axes?.y, axes?.z] { field(value) } }
    field(isHeld ? row.heartRate : nil)
    field(place?.latitude)
    field(place?.longitude)
    field(place?.horizontalAccuracy)
    field(place.map(\.altitude).flatMap { $0 == -1 ? nil : $0 })
    losses.add(.valuesOutOfRange, place?.altitude == -1 ? 1 : 0)
    // Altitude accuracy: not recorded by us.
    field(nil)
    field(place.map(\.speed).flatMap { $0 >= 0 ? $0 : nil })
    // Speed accuracy, course and heading with theirs.
    for _ in 0..<5 { field(nil) }
    buffer.append(UInt8(ascii: "\n"))
  }

  private mutating func field(_ value: Double?) {
    buffer.append(UInt8(ascii: ","))
    guard let value, value.isFinite else { return buffer.append(contentsOf: "N/A".utf8) }
    DecimalFormat.appendShortest(value, to: &buffer)
  }
}
