internal import ActivityRecognition
internal import TextFormats
internal import WorkoutSession

/// In which units a CSV writes motion: what its names say, else what its first rows look like beside ``MotionLimits``.
struct CSVMotionUnits: Sendable {
  /// Multiples of standard gravity in one unit of acceleration.
  private(set) var acceleration = 1.0
  /// Radians in one unit of rotation.
  private(set) var rotationRate = 1.0
  /// What was guessed, in words; `nil` when the names say it all.
  private(set) var guess: String?

  /// The units of columns; `rows` is the text behind the header, as far as it is there, and `style` how it is written.
  init(_ columns: CSVColumns, delimiter: CSVDelimiter, rows: Span<UInt8>?, style: CSVStyle? = nil) {
    let acceleration = columns.axes { .acceleration(axis: $0) }.map { columns.motionFactors[$0.x] }
    let rotationRate = columns.axes { .rotationRate(axis: $0) }.map { columns.motionFactors[$0.x] }
    self.acceleration = (acceleration ?? 1) ?? 1
    self.rotationRate = (rotationRate ?? 1) ?? 1
    // The layout of SensoGather is that of a phone: g and radians.
    guard !columns.layout.marksAbsenceByMinusOne else { return }
    var guesses: [String] = []
    var seen = (meanAcceleration: 0.0, fastestTurn: 0.0)
    // Rows are looked at only where they decide something: most files have no motion, or names that say it all.
    if let rows, acceleration == .some(nil) || rotationRate == .some(nil) {
      seen = Self.sizes(columns, delimiter, rows, style)
    }
    if let acceleration, acceleration == nil {
      let isMetric = seen.meanAcceleration > MotionLimits.largestMean
      if isMetric { self.acceleration = MotionColumnName.gravitiesPerMeter }
      guesses.append("acceleration in \(isMetric ? "m/s²" : "g")")
    }
    if let rotationRate, rotationRate == nil {
      let isInDegrees = seen.fastestTurn > MotionLimits.fastestTurn
      if isInDegrees { self.rotationRate = MotionColumnName.radiansPerDegree }
      guesses.append("rotation in \(isInDegrees ? "°/s" : "rad/s")")
    }
    guess = guesses.isEmpty ? nil : guesses.joined(separator: ", ")
  }

  /// A reading in g, radians a second and microtesla.
  @inline(__always)
  func converted(acceleration: Axes?, rotationRate: Axes?, magneticField: Axes?) -> MotionReading {
    MotionReading(
      acceleration: acceleration.map { Self.scaled($0, by: self.acceleration) },
      rotationRate: rotationRate.map { Self.scaled($0, by: self.rotationRate) }, magneticField: magneticField)
  }

  private static func scaled(_ axes: Axes, by factor: Double) -> Axes {
    factor == 1 ? axes : Axes(x: axes.x * factor, y: axes.y * factor, z: axes.z * factor)
  }

  /// The mean length of the accelerations and the fastest turn in some rows.
  private static func sizes(
    _ columns: CSVColumns, _ delimiter: CSVDelimiter, _ rows: Span<UInt8>, _ style: CSVStyle?
  ) -> (meanAcceleration: Double, fastestTurn: Double) {
    let style = style ?? CSVStyle(columns, delimiter: delimiter)
    guard var decoder = CSVRowDecoder(columns: columns, delimiter: delimiter, style: style, origin: nil) else {
      return (0, 0)
    }
    var readings = CSVReadings()
    var (sum, count, fastest) = (0.0, 0, 0.0)
    var start = 0
    while let end = (start..<rows.count).first(where: { rows[$0] == UInt8(ascii: "\n") }) {
      if end > start, case .read = decoder.decode(rows.extracting(start..<end), into: &readings),
        let motion = readings.motion
      {
        if let axes = motion.acceleration {
          sum += length(axes)
          count += 1
        }
        if let axes = motion.rotationRate { fastest = max(fastest, length(axes)) }
      }
      start = end + 1
    }
    return (count > 0 ? sum / Double(count) : 0, fastest)
  }

  private static func length(_ axes: Axes) -> Double {
    (axes.x * axes.x + axes.y * axes.y + axes.z * axes.z).squareRoot()
  }
}
