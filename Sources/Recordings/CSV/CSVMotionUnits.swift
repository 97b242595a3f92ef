internal import ActivityRecognition
internal import TextFormats
internal import WorkoutSession

/// In which units a CSV writes motion: what its names say, else what its first rows look like, and those too where they contradict the
/// names. What they look like is decided as for the files of `coach motion`, in ``MotionRecordingUnits``.
struct CSVMotionUnits: Sendable {
  /// Multiples of standard gravity in one unit of each axis of acceleration.
  private(set) var acceleration = SIMD3<Double>.one
  /// Radians in one unit of each axis of rotation.
  private(set) var rotationRate = SIMD3<Double>.one
  /// What was guessed, in words; `nil` when the names say it all.
  private(set) var guess: String?
  /// What contradicts the names, in words.
  private(set) var contradiction: String?

  /// The units of columns; `rows` is the text behind the header, as far as it is there, and `style` how it is written.
  init(_ columns: CSVColumns, delimiter: CSVDelimiter, rows: Span<UInt8>?, style: CSVStyle? = nil) {
    let acceleration = columns.axes { .acceleration(axis: $0) }.map { columns.statedFactors($0) }
    let rotationRate = columns.axes { .rotationRate(axis: $0) }.map { columns.statedFactors($0) }
    self.acceleration = (acceleration ?? .one) ?? .one
    self.rotationRate = (rotationRate ?? .one) ?? .one
    // The layout of SensoGather is that of a phone: g and radians.
    guard columns.hasMeasuredMotion else { return }
    var seen: [(acceleration: SIMD3<Double>, rotationRate: SIMD3<Double>)] = []
    if let rows { seen = Self.motion(columns, delimiter, rows, style) }
    let units = MotionRecordingUnits(acceleration: acceleration, rotationRate: rotationRate, rows: seen)
    self.acceleration = units.acceleration
    self.rotationRate = units.rotationRate
    guess = units.guesses.isEmpty ? nil : units.guesses.joined(separator: ", ")
    contradiction = units.contradictions.isEmpty ? nil : units.contradictions.joined(separator: "; ")
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

  /// Acceleration and turning rates in some rows, each without those that have none of it. Without any acceleration it is 0.
  private static func motion(
    _ columns: CSVColumns, _ delimiter: CSVDelimiter, _ rows: Span<UInt8>, _ style: CSVStyle?
  ) -> [(acceleration: SIMD3<Double>, rotationRate: SIMD3<Double>)] {
    let style = style ?? CSVStyle(columns, delimiter: delimiter)
    guard var decoder = CSVRowDecoder(columns: columns, delimiter: delimiter, style: style, origin: nil) else {
      return []
    }
    var readings = CSVReadings()
    var (accelerations, turns): ([SIMD3<Double>], [SIMD3<Double>]) = ([], [])
    var start = 0
    while let end = rows.firstIndex(of: UInt8(ascii: "\n"), from: start) {
      if end > start, case .read = decoder.decode(rows.extracting(start..<end), into: &readings),
        let motion = readings.motion
      {
        if let axes = motion.acceleration { accelerations.append(SIMD3(axes.x, axes.y, axes.z)) }
        if let axes = motion.rotationRate { turns.append(SIMD3(axes.x, axes.y, axes.z)) }
      }
      start = end + 1
    }
    let noNumber = SIMD3(repeating: Double.nan)
    let missing = accelerations.isEmpty ? .zero : noNumber
    return (0..<max(accelerations.count, turns.count)).map { row in
      (
        accelerations.indices.contains(row) ? accelerations[row] : missing,
        turns.indices.contains(row) ? turns[row] : noNumber
      )
    }
  }
}
