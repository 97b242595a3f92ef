internal import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// Rows of the raw logs.
package enum SampleRow {
  /// Appends the row of a reading with its time of day and its time since the start, as far as there are any. An
  /// absent value is an empty field, and so are the seconds of one whose stamp has no place in the session.
  ///
  /// - Parameter seconds: writes the times of day.
  static func append(
    _ reading: Reading, stamp: WallClockTime?, at: SessionTime?, _ seconds: inout SecondText, to buffer: inout [UInt8]
  ) {
    var row = RowText()
    if let stamp { seconds.append(stamp, &row, to: &buffer) }
    row.append(comma, to: &buffer)
    if let at { row.append(seconds: at.nanoseconds, to: &buffer) }
    append(reading, &row, to: &buffer)
    row.append(UInt8(ascii: "\n"), to: &buffer)
    row.flush(to: &buffer)
  }

  private static func append(_ reading: Reading, _ row: inout RowText, to buffer: inout [UInt8]) {
    switch reading {
    case .heartRate(let value), .cadence(let value), .distance(let value), .speed(let value), .rrInterval(let value),
      .altitude(let value):
      field(value, &row, &buffer)
    case .steps(let count):
      row.append(comma, to: &buffer)
      row.flush(to: &buffer)
      DecimalFormat.append(Int64(count), to: &buffer)
    case .location(let fix):
      field(fix.coordinate.latitudeDegrees, &row, &buffer)
      field(fix.coordinate.longitudeDegrees, &row, &buffer)
      field(fix.altitudeMeters, &row, &buffer)
      field(fix.horizontalAccuracyMeters, &row, &buffer)
      field(fix.speedMetersPerSecond, &row, &buffer)
    case .motion(let motion):
      fields(motion.acceleration, &row, &buffer)
      fields(motion.rotationRate, &row, &buffer)
      fields(motion.magneticField, &row, &buffer)
    case .direction(let direction):
      for value in direction.values { field(value, &row, &buffer) }
    }
  }

  /// Appends a row of times and words; the words need no quotes.
  ///
  /// - Parameters:
  ///   - time: absent for what has no place in the session.
  ///   - sent: the stamp, where that is not the time of day of `time`.
  static func append(
    _ words: [String], at time: SessionTime?, start: WallClockTime, sent: WallClockTime? = nil,
    to buffer: inout [UInt8]
  ) {
    if let time {
      appendTimes(time, start: start, sent: sent, to: &buffer)
    } else {
      sent?.appendISO8601(to: &buffer)
      buffer.append(comma)
    }
    for word in words {
      buffer.append(comma)
      quoted(word, &buffer)
    }
    buffer.append(UInt8(ascii: "\n"))
  }

  private static func appendTimes(
    _ time: SessionTime, start: WallClockTime, sent: WallClockTime?, to buffer: inout [UInt8]
  ) {
    (sent ?? start.adding(nanoseconds: time.nanoseconds))?.appendISO8601(to: &buffer)
    buffer.append(comma)
    DecimalFormat.append(seconds: time.nanoseconds, to: &buffer)
  }

  private static let comma = UInt8(ascii: ",")

  private static func fields(_ axes: Axes?, _ row: inout RowText, _ buffer: inout [UInt8]) {
    guard let axes else {
      for _ in 0..<3 { row.append(comma, to: &buffer) }
      return
    }
    field(axes.x, &row, &buffer)
    field(axes.y, &row, &buffer)
    field(axes.z, &row, &buffer)
  }

  /// Not finite readings stay what they were: words that every reader takes for no value.
  private static func field(_ value: Double?, _ row: inout RowText, _ buffer: inout [UInt8]) {
    row.append(comma, to: &buffer)
    guard let value else { return }
    if value.isFinite {
      row.append(shortest: value, to: &buffer)
    } else {
      row.flush(to: &buffer)
      buffer.append(contentsOf: "NaN".utf8)
    }
  }

  /// Appends a word, in quotes where a reader needs them.
  package static func quoted(_ word: String, _ buffer: inout [UInt8]) { CSVRow.append(field: word, to: &buffer) }
}
