internal import TextFormats
internal import ZoneEngine

/// The numbers that the raw logs hold. A reader of a log takes what is beyond them for damage, so that nothing beyond them may
/// be taken: what was decided by it could not be decided again.
package enum LoggedNumber {
  /// From the smallest to the largest, both of which are held.
  package static let range = -CSVRow.largestMagnitude...CSVRow.largestMagnitude

  /// Whether a log holds a number; it holds none that is not finite.
  fileprivate static func holds(_ value: Double) -> Bool { value.magnitude <= CSVRow.largestMagnitude }

  /// Whether a log holds a number of a column in which what is below 0 says that there is none.
  fileprivate static func holds(notNegative value: Double) -> Bool { value >= 0 && holds(value) }

  /// Whether a log holds a number that may be absent.
  fileprivate static func holds(_ value: Double?) -> Bool { value.map { holds($0) } ?? true }

  /// Whether a log holds three axes that may be absent.
  fileprivate static func holds(_ axes: Axes?) -> Bool {
    axes.map { holds($0.x) && holds($0.y) && holds($0.z) } ?? true
  }

  /// The steps of a row at most, to a reader of a log.
  fileprivate static let stepCounts = 0...1_000_000
}

extension Reading {
  /// Whether its row in the raw log is read as a reading again that decides the same.
  ///
  /// The speed of a position and the values of a direction may be below 0, as devices say that they do not know them: they are
  /// kept as they came, decide nothing, and are absent to a reader.
  package var fitsLog: Bool {
    switch self {
    case .heartRate(let value), .altitude(let value): LoggedNumber.holds(value)
    case .cadence(let value), .distance(let value), .speed(let value), .rrInterval(let value):
      LoggedNumber.holds(notNegative: value)
    case .steps(let count): LoggedNumber.stepCounts.contains(count)
    case .location(let fix):
      LoggedNumber.holds(fix.altitudeMeters) && LoggedNumber.holds(fix.horizontalAccuracyMeters)
        && LoggedNumber.holds(fix.speedMetersPerSecond)
    case .motion(let motion):
      LoggedNumber.holds(motion.acceleration) && LoggedNumber.holds(motion.rotationRate)
        && LoggedNumber.holds(motion.magneticField)
    case .direction(let direction): direction.values.allSatisfy { LoggedNumber.holds($0) }
    }
  }
}
