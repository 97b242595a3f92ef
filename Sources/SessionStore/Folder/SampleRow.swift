internal import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// Rows of the raw logs.
package enum SampleRow {
  /// Appends the row of a sample: time of day, seconds since the start, values; an absent value is an empty field.
  ///
  /// - Parameters:
  ///   - sent: its stamp, where that is not the time of day of its time.
  ///   - times: writes the times of day of the rows before and after it, too.
  static func append(
    _ sample: Sample, start: WallClockTime, sent: WallClockTime?, _ times: inout SecondText, to buffer: inout [UInt8]
  ) {
    if let time = sent ?? start.adding(nanoseconds: sample.time.nanoseconds) { times.append(time, to: &buffer) }
    comma(&buffer)
    DecimalFormat.append(seconds: sample.time.nanoseconds, to: &buffer)
    append(sample.reading, to: &buffer)
  }

  /// Appends the row of a reading whose stamp has no place in the session: its seconds since the start are empty.
  static func append(unplaced reading: Reading, sent: WallClockTime, to buffer: inout [UInt8]) {
    append(reading, stamp: sent, at: nil, to: &buffer)
  }

  /// Appends the row of a reading with its time of day and its time since the start, as far as there are any.
  static func append(_ reading: Reading, stamp: WallClockTime?, at: SessionTime?, to buffer: inout [UInt8]) {
    stamp?.appendISO8601(to: &buffer)
    comma(&buffer)
    if let at { DecimalFormat.append(seconds: at.nanoseconds, to: &buffer) }
    append(reading, to: &buffer)
  }

  private static func append(_ reading: Reading, to buffer: inout [UInt8]) {
    switch reading {
    case .heartRate(let value), .cadence(let value), .distance(let value), .speed(let value), .rrInterval(let value),
      .altitude(let value):
      field(value, &buffer)
    case .steps(let count):
      comma(&buffer)
      DecimalFormat.append(Int64(count), to: &buffer)
    case .location(let fix):
      field(fix.coordinate.latitudeDegrees, &buffer)
      field(fix.coordinate.longitudeDegrees, &buffer)
      field(fix.altitudeMeters, &buffer)
      field(fix.horizontalAccuracyMeters, &buffer)
      field(fix.speedMetersPerSecond, &buffer)
    case .motion(let motion):
      fields(motion.acceleration, &buffer)
      fields(motion.rotationRate, &buffer)
      fields(motion.magneticField, &buffer)
    case .direction(let direction):
      for value in direction.values { field(value, &buffer) }
    }
    buffer.append(UInt8(ascii: "\n"))
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
      comma(&buffer)
    }
    for word in words {
      comma(&buffer)
      quoted(word, &buffer)
    }
    buffer.append(UInt8(ascii: "\n"))
  }

  private static func appendTimes(
    _ time: SessionTime, start: WallClockTime, sent: WallClockTime?, to buffer: inout [UInt8]
  ) {
    (sent ?? start.adding(nanoseconds: time.nanoseconds))?.appendISO8601(to: &buffer)
    comma(&buffer)
    DecimalFormat.append(seconds: time.nanoseconds, to: &buffer)
  }

  private static func comma(_ buffer: inout [UInt8]) { buffer.append(UInt8(ascii: ",")) }

  private static func fields(_ axes: Axes?, _ buffer: inout [UInt8]) {
    field(axes?.x, &buffer)
    field(axes?.y, &buffer)
    field(axes?.z, &buffer)
  }

  /// Not finite readings stay what they were: words that every reader takes for no value.
  private static func field(_ value: Double?, _ buffer: inout [UInt8]) {
    comma(&buffer)
    guard let value else { return }
    if value.isFinite {
      DecimalFormat.appendShortest(value, to: &buffer)
    } else {
      buffer.append(contentsOf: "NaN".utf8)
    }
  }

  /// Appends a word, in quotes where a reader needs them.
  package static func quoted(_ word: String, _ buffer: inout [UInt8]) {
    guard word.utf8.contains(where: { $0 == 0x22 || $0 == 0x2C || $0 < 0x20 }) else {
      buffer.append(contentsOf: word.utf8)
      return
    }
    buffer.append(0x22)
    for byte in word.utf8 where byte >= 0x20 {
      if byte == 0x22 { buffer.append(0x22) }
      buffer.append(byte)
    }
    buffer.append(0x22)
  }
}
