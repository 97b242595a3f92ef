package import WorkoutSession
internal import ZoneEngine

/// The readings of a row, flat so that one value serves all rows. What is absent is not a number, below 0 or `nil`.
package struct CSVReadings: Sendable {
  /// Beats per minute.
  var heartRate = Double.nan
  /// Steps since the last row.
  var steps = -1
  /// Steps of both feet per minute.
  var cadence = Double.nan
  /// Metres since the start.
  var distance = Double.nan
  /// Metres per second.
  var speed = Double.nan
  /// The position.
  var fix: LocationFix?
  /// What the motion sensors measured.
  var motion: MotionReading?
  /// Milliseconds between two beats.
  package var rrInterval = Double.nan
  /// Which way the device moved and pointed.
  var direction: DirectionReading?
  /// Metres above the sea beside no position.
  var altitude = Double.nan

  /// How many values cannot be read, or cannot be; they are absent.
  var unreadableValues = 0

  /// Readings of nothing yet.
  package init() {}

  /// Whether there is none.
  @inline(__always)
  var isEmpty: Bool {
    heartRate.isNaN && steps < 0 && cadence.isNaN && distance.isNaN && speed.isNaN && fix == nil && motion == nil
      && rrInterval.isNaN && direction == nil && altitude.isNaN
  }

  /// Gives the readings to `body` in the order of their streams.
  @inline(__always)
  package func forEach(_ body: (Reading) throws -> Void) rethrows {
    if !heartRate.isNaN { try body(.heartRate(heartRate)) }
    if steps >= 0 { try body(.steps(steps)) }
    if !cadence.isNaN { try body(.cadence(cadence)) }
    if !distance.isNaN { try body(.distance(distance)) }
    if !speed.isNaN { try body(.speed(speed)) }
    if let fix { try body(.location(fix)) }
    if let motion { try body(.motion(motion)) }
    if !rrInterval.isNaN { try body(.rrInterval(rrInterval)) }
    if let direction { try body(.direction(direction)) }
    if !altitude.isNaN { try body(.altitude(altitude)) }
  }
}
