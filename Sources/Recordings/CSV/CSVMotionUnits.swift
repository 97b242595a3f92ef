internal import ActivityRecognition
internal import TextFormats
internal import WorkoutSession

/// In which units a CSV writes motion: what its names say, else what its first rows look like beside ``MotionLimits``. A row or two that
/// glitch decide nothing.
struct CSVMotionUnits: Sendable {
  /// Multiples of standard gravity in one unit of each axis of acceleration.
  private(set) var acceleration = SIMD3<Double>.one
  /// Radians in one unit of each axis of rotation.
  private(set) var rotationRate = SIMD3<Double>.one
  /// What was guessed, in words; `nil` when the names say it all.
  private(set) var guess: String?

  /// The units of columns; `rows` is the text behind the header, as far as it is there, and `style` how it is written.
  init(_ columns: CSVColumns, delimiter: CSVDelimiter, rows: Span<UInt8>?, style: CSVStyle? = nil) {
    let acceleration = columns.axes { .acceleration(axis: $0) }.map { Self.stated($0.x, $0.y, $0.z, columns) }
    let rotationRate = columns.axes { .rotationRate(axis: $0) }.map { Self.stated($0.x, $0.y, $0.z, columns) }
    self.acceleration = (acceleration ?? .one) ?? .one
    self.rotationRate = (rotationRate ?? .one) ?? .one
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
      if isMetric { self.acceleration = SIMD3(repeating: MotionColumnName.gravitiesPerMeter) }
      guesses.append("acceleration in \(isMetric ? "m/s²" : "g")")
    }
    if let rotationRate, rotationRate == nil {
      let isInDegrees = seen.fastestTurn > MotionLimits.fastestTurn
      if isInDegrees { self.rotationRate = SIMD3(repeating: MotionColumnName.radiansPerDegree) }
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

  private static func scaled(_ axes: Axes, by factors: SIMD3<Double>) -> Axes {
    factors == .one ? axes : Axes(x: axes.x * factors[0], y: axes.y * factors[1], z: axes.z * factors[2])
  }

  /// What the names of three columns say.
  private static func stated(_ x: Int, _ y: Int, _ z: Int, _ columns: CSVColumns) -> SIMD3<Double>? {
    MotionColumnName.factors(columns.motionFactors[x], columns.motionFactors[y], columns.motionFactors[z])
  }

  /// The mean length of the accelerations and the fastest turn in some rows, glitches left out: accelerations over twenty times the
  /// median, and turns that not three samples in a row have, where there are so many.
  private static func sizes(
    _ columns: CSVColumns, _ delimiter: CSVDelimiter, _ rows: Span<UInt8>, _ style: CSVStyle?
  ) -> (meanAcceleration: Double, fastestTurn: Double) {
    let style = style ?? CSVStyle(columns, delimiter: delimiter)
    guard var decoder = CSVRowDecoder(columns: columns, delimiter: delimiter, style: style, origin: nil) else {
      return (0, 0)
    }
    var readings = CSVReadings()
    var (lengths, turns): ([Double], [Double]) = ([], [])
    var start = 0
    while let end = (start..<rows.count).first(where: { rows[$0] == UInt8(ascii: "\n") }) {
      if end > start, case .read = decoder.decode(rows.extracting(start..<end), into: &readings),
        let motion = readings.motion
      {
        if let axes = motion.acceleration { lengths.append(length(axes)) }
        if let axes = motion.rotationRate { turns.append(length(axes)) }
      }
      start = end + 1
    }
    let needed = min(MotionLimits.fastInRow, turns.count)
    let fastest = turns.indices.dropLast(max(0, needed - 1)).map { turns[$0..<$0 + needed].min() ?? 0 }.max() ?? 0
    let median = lengths.sorted().dropFirst(lengths.count / 2).first ?? 0
    let near = lengths.filter { median == 0 || $0 <= MotionLimits.largestShare * median }
    return (near.isEmpty ? 0 : near.reduce(0, +) / Double(near.count), fastest)
  }

  private static func length(_ axes: Axes) -> Double {
    (axes.x * axes.x + axes.y * axes.y + axes.z * axes.z).squareRoot()
  }
}
