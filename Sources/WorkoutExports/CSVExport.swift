internal import Recordings
internal import SessionStore
internal import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// Writes a workout as a CSV with the columns of the readings that there are. Every number is the shortest that reads
/// back as the same, every time is exact.
///
/// The first column is `time` where the time of day is known, else `at_s`: a reader takes seconds since the start before
/// a time of day, so that a file with both would begin at no known time. The rows of several activities stand together
/// in order of time.
struct CSVExport {
  /// The columns that a row of readings has.
  private enum Column: String, CaseIterable {
    case heartRate = "heart_rate_bpm"
    case steps
    case cadence = "cadence_spm"
    case distance = "distance_m"
    case speed = "speed_m_s"
    case latitude = "latitude_deg"
    case longitude = "longitude_deg"
    case altitude = "altitude_m"
    case accuracy = "horizontal_accuracy_m"
  }

  /// Values beyond this are damage to our reader.
  private static let largestMagnitude = 1e15
  private static let motionColumns =
    "acc_x_g,acc_y_g,acc_z_g,gyro_x_rad_s,gyro_y_rad_s,gyro_z_rad_s,mag_x_ut,mag_y_ut,mag_z_ut"

  private(set) var losses = ExportLosses()

  private let workout: ExportedWorkout
  private let columns: [Column]
  private let hasMotion: Bool
  private let hasDirection: Bool
  private let hasIntervals: Bool
  private var buffer: [UInt8] = []
  /// The labels that begin after the last row, and the one that holds.
  private var labels: ArraySlice<RecordedLabel>
  private var label = ""
  /// The time of the first row, from which relative times count.
  private var begin: Int64?

  /// Looks at a workout.
  ///
  /// - Throws: `FileError` when its rows cannot be read.
  init(_ workout: ExportedWorkout) throws {
    self.workout = workout
    labels = workout.labels[...]
    let activities = workout.activities
    var absent = Column.allCases
    for activity in activities {
      var reader = activity.items.reader
      while !absent.isEmpty, let item = try reader.next() {
        guard case .row(let row, _, _) = item else { continue }
        absent.removeAll { Self.isReadable(Self.value($0, of: row), $0, of: row) }
      }
    }
    columns = Column.allCases.filter { !absent.contains($0) }
    hasMotion = activities.contains { $0.items.motionCount > 0 }
    hasDirection = activities.contains { $0.items.directionCount > 0 }
    hasIntervals = activities.contains { $0.items.intervalCount > 0 }
    losses.add(.activitiesJoined, activities.count > 1 ? activities.count : 0)
    losses.add(.sports, activities.count { $0.sport != nil })
    losses.add(.device, workout.device == nil || workout.isSimulated ? 0 : 1)
    losses.add(.pauses, activities.map(\.pauses.count).reduce(0, +))
    losses.add(.statedDistances, activities.count { $0.statedMeters != nil && $0.statedMeters != $0.countedMeters })
  }

  mutating func write(to output: (Span<UInt8>) throws -> Void) throws {
    buffer.append(contentsOf: (workout.start == nil ? "at_s" : "time").utf8)
    for column in columns { buffer.append(contentsOf: ",\(column.rawValue)".utf8) }
    if hasMotion { buffer.append(contentsOf: ",\(Self.motionColumns)".utf8) }
    if hasDirection { for column in CSVColumns.directionColumns { buffer.append(contentsOf: ",\(column)".utf8) } }
    if workout.isSimulated { buffer.append(contentsOf: ",\(CSVColumns.simulatedMark)".utf8) }
    if !labels.isEmpty { buffer.append(contentsOf: ",label".utf8) }
    if hasIntervals { buffer.append(contentsOf: ",rr_ms".utf8) }
    buffer.append(UInt8(ascii: "\n"))
    var rows = try ExportedRows(workout)
    while let next = try rows.next() {
      switch next {
      case .row(let place): write(place)
      case .interval(let time, let milliseconds): writeInterval(milliseconds, at: time)
      }
      try buffer.spill(to: output)
    }
    try buffer.spill(to: output, above: 0)
  }

  /// Writes a time between two beats, in a row of its own.
  private mutating func writeInterval(_ milliseconds: Double, at time: Int64) {
    append(time: time)
    let count = columns.count + (hasMotion ? 9 : 0) + (hasDirection ? DirectionReading.valueCount : 0)
    buffer.append(contentsOf: repeatElement(UInt8(ascii: ","), count: count))
    endRow(at: time, milliseconds: milliseconds)
  }

  /// Writes the columns that every row has after those of its readings, and ends it.
  private mutating func endRow(at time: Int64, milliseconds: Double?) {
    if workout.isSimulated { buffer.append(contentsOf: ",1".utf8) }
    if !workout.labels.isEmpty {
      while let next = labels.first, next.time.nanoseconds <= time {
        label = next.text
        labels.removeFirst()
      }
      buffer.append(UInt8(ascii: ","))
      SampleRow.quoted(label, &buffer)
    }
    if hasIntervals {
      buffer.append(UInt8(ascii: ","))
      if let milliseconds { DecimalFormat.appendShortest(milliseconds, to: &buffer) }
    }
    buffer.append(UInt8(ascii: "\n"))
  }

  private mutating func append(time: Int64) {
    if let start = workout.start {
      start.adding(nanoseconds: time)?.appendISO8601(to: &buffer)
    } else {
      begin = begin ?? time
      DecimalFormat.append(seconds: time - (begin ?? 0), to: &buffer)
    }
  }

  private mutating func write(_ place: ExportedRows.Place) {
    let (row, steps, motion, direction) = (place.row, place.addedSteps, place.motion, place.direction)
    var fields: [UInt8] = []
    for column in columns {
      fields.append(UInt8(ascii: ","))
      let value = Self.value(column, of: row)
      guard Self.isReadable(value, column, of: row) else { continue }
      DecimalFormat.appendShortest(column == .steps ? steps : value, to: &fields)
    }
    for column in Column.allCases {
      let value = Self.value(column, of: row)
      guard !value.isNaN, !Self.isReadable(value, column, of: row) else { continue }
      losses.add(column == .heartRate ? .heartRatesOutOfRange : .valuesOutOfRange)
    }
    guard motion != nil || direction != nil || fields.count > columns.count else { return }
    append(time: row.time)
    buffer.append(contentsOf: fields)
    if hasMotion {
      for axes in [motion?.acceleration, motion?.rotationRate, motion?.magneticField] {
        for value in [axes?.x, axes?.y, axes?.z] {
          buffer.append(UInt8(ascii: ","))
          if let value, value.isFinite { DecimalFormat.appendShortest(value, to: &buffer) }
        }
      }
    }
    if hasDirection {
      for value in direction?.values ?? DirectionReading.noValues {
        buffer.append(UInt8(ascii: ","))
        guard let value else { continue }
        guard value >= 0, value <= Self.largestMagnitude else {
          losses.add(.valuesOutOfRange)
          continue
        }
        DecimalFormat.appendShortest(value, to: &buffer)
      }
    }
    endRow(at: row.time, milliseconds: nil)
  }

  private static func value(_ column: Column, of row: RecordedPoint) -> Double {
    switch column {
    case .heartRate: row.heartRate
    case .steps: row.steps
    case .cadence: row.cadence
    case .distance: row.distance
    case .speed: row.speed
    case .latitude: row.latitude
    case .longitude: row.longitude
    case .altitude: row.altitude
    case .accuracy: row.horizontalAccuracy
    }
  }

  /// Whether our reader takes a value for what it is.
  private static func isReadable(_ value: Double, _ column: Column, of row: RecordedPoint) -> Bool {
    guard value.magnitude <= largestMagnitude else { return false }
    switch column {
    case .heartRate: return value != -1 && value != 255
    case .cadence, .distance: return value >= 0
    case .speed: return value >= 0 || row.hasPosition
    case .steps, .latitude, .longitude, .altitude, .accuracy: return true
    }
  }
}
