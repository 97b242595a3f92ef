internal import ActivityRecognition
internal import TextFormats
internal import WorkoutSession

/// In which units a CSV writes motion: what its names say, else what its rows look like, and those too where they contradict the
/// names: all rows of what can be read again, the first ones of what comes once. What they look like is decided as for the files of `coach motion`, in ``MotionRecordingUnits``.
struct CSVMotionUnits: Hashable, Sendable {
  /// Multiples of standard gravity in one unit of each axis of acceleration.
  private(set) var acceleration = SIMD3<Double>.one
  /// Radians in one unit of each axis of rotation.
  private(set) var rotationRate = SIMD3<Double>.one
  /// What was guessed, in words; `nil` when the names say it all.
  private(set) var guess: String?
  /// What contradicts the names, in words.
  private(set) var contradiction: String?
  /// Which columns have accelerations that are in no unit those of a person, and why; `nil` where they can be used.
  private(set) var problem: String?

  /// The units of columns of whose rows nothing is known.
  init(_ columns: CSVColumns) { self.init(columns, MotionLengths(columns)) }

  /// The units of columns by the text behind the header, as far as it is there.
  ///
  /// - Parameters:
  ///   - style: how the rows are written.
  ///   - isWhole: whether nothing follows, so that the last row needs no end.
  init(_ columns: CSVColumns, delimiter: CSVDelimiter, rows: Span<UInt8>, style: CSVStyle, isWhole: Bool) {
    var seen = MotionLengths(columns)
    if columns.hasMeasuredMotion { seen = Self.motion(columns, delimiter, rows, style, isWhole: isWhole) }
    self.init(columns, seen)
  }

  /// The units of columns by some of their rows, or by all.
  init(_ columns: CSVColumns, _ seen: MotionLengths) {
    acceleration = (seen.acceleration ?? .one) ?? .one
    rotationRate = (seen.rotationRate ?? .one) ?? .one
    // The layout of SensoGather is that of a phone: g and radians.
    guard columns.hasMeasuredMotion else { return }
    let units = MotionRecordingUnits(seen)
    acceleration = units.acceleration
    rotationRate = units.rotationRate
    guess = units.guesses.isEmpty ? nil : units.guesses.joined(separator: ", ")
    contradiction = units.contradictions.isEmpty ? nil : units.contradictions.joined(separator: "; ")
    problem = units.problem.map { problem in
      let names = (0..<3).compactMap { columns.columns[.acceleration(axis: $0)].map { columns.names[$0] } }
      return (names.isEmpty ? "" : names.joined(separator: ", ") + ": ") + problem
    }
  }

  /// A reading in g, radians a second and microtesla, without accelerations that cannot be used; `nil` where nothing is left.
  @inline(__always)
  func converted(acceleration: Axes?, rotationRate: Axes?, magneticField: Axes?) -> MotionReading? {
    let acceleration = problem == nil ? acceleration : nil
    guard acceleration != nil || rotationRate != nil || magneticField != nil else { return nil }
    return MotionReading(
      acceleration: acceleration.map { Self.scaled($0, by: self.acceleration) },
      rotationRate: rotationRate.map { Self.scaled($0, by: self.rotationRate) }, magneticField: magneticField)
  }

  private static func scaled(_ axes: Axes, by factors: SIMD3<Double>) -> Axes {
    factors == .one ? axes : Axes(x: axes.x * factors[0], y: axes.y * factors[1], z: axes.z * factors[2])
  }

  /// The motion in some rows.
  private static func motion(
    _ columns: CSVColumns, _ delimiter: CSVDelimiter, _ rows: Span<UInt8>, _ style: CSVStyle, isWhole: Bool
  ) -> MotionLengths {
    var seen = MotionLengths(columns)
    guard var decoder = CSVRowDecoder(columns: columns, delimiter: delimiter, style: style, origin: nil) else {
      return seen
    }
    var readings = CSVReadings()
    LineSplitter.forEachLine(ofWhole: rows, maximumLineBytes: .max) { line, place in
      guard !line.isEmpty, place.isTerminated || isWhole, case .read = decoder.decode(line, into: &readings) else {
        return
      }
      if let motion = readings.motion { seen.admit(motion) }
    }
    return seen
  }
}

extension MotionLengths {
  /// Of no rows yet of columns.
  init(_ columns: CSVColumns) {
    self.init(
      acceleration: columns.axes { .acceleration(axis: $0) }.map { columns.statedFactors($0) },
      rotationRate: columns.axes { .rotationRate(axis: $0) }.map { columns.statedFactors($0) })
  }

  /// Takes what a row measured, in the units of the file.
  mutating func admit(_ motion: MotionReading) {
    if let axes = motion.acceleration { admit(acceleration: SIMD3(Float(axes.x), Float(axes.y), Float(axes.z))) }
    if let axes = motion.rotationRate { admit(rotationRate: SIMD3(Float(axes.x), Float(axes.y), Float(axes.z))) }
  }
}
