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

  /// The units of columns of whose rows nothing is known.
  init(_ columns: CSVColumns) { self.init(columns, MotionRows()) }

  /// The units of columns by the text behind the header, as far as it is there.
  ///
  /// - Parameters:
  ///   - style: how the rows are written.
  ///   - isWhole: whether nothing follows, so that the last row needs no end.
  init(_ columns: CSVColumns, delimiter: CSVDelimiter, rows: Span<UInt8>, style: CSVStyle, isWhole: Bool) {
    var seen = MotionRows()
    if columns.hasMeasuredMotion { seen = Self.motion(columns, delimiter, rows, style, isWhole: isWhole) }
    self.init(columns, seen)
  }

  /// The units of columns by some of their rows, or by all.
  init(_ columns: CSVColumns, _ seen: MotionRows) {
    let acceleration = columns.axes { .acceleration(axis: $0) }.map { columns.statedFactors($0) }
    let rotationRate = columns.axes { .rotationRate(axis: $0) }.map { columns.statedFactors($0) }
    self.acceleration = (acceleration ?? .one) ?? .one
    self.rotationRate = (rotationRate ?? .one) ?? .one
    // The layout of SensoGather is that of a phone: g and radians.
    guard columns.hasMeasuredMotion else { return }
    let units = MotionRecordingUnits(acceleration: acceleration, rotationRate: rotationRate, samples: seen.samples)
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

  /// The motion in some rows.
  private static func motion(
    _ columns: CSVColumns, _ delimiter: CSVDelimiter, _ rows: Span<UInt8>, _ style: CSVStyle, isWhole: Bool
  ) -> MotionRows {
    var seen = MotionRows()
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

/// What the motion sensors measured in rows of a CSV, in the units of the file.
struct MotionRows: Sendable {
  /// The most rows that are kept, the first ones: three hours at 100 Hz, and 32 MB.
  static let most = 1_000_000

  /// Accelerations and turning rates beside each other, each without the rows that have none of it, as ``MotionRecordingUnits`` takes them.
  /// Without any acceleration it is 0.
  private(set) var samples: [SIMD8<Float>] = []
  private var accelerationCount = 0
  private var turnCount = 0

  /// None.
  init() {}

  /// Takes what a row measured.
  @inline(__always)
  mutating func admit(_ motion: MotionReading) {
    if let axes = motion.acceleration, accelerationCount < Self.most {
      if accelerationCount == 0 { forgetZeros() }
      makeRoom(for: accelerationCount, acceleration: .nan)
      samples[accelerationCount][0] = Float(axes.x)
      samples[accelerationCount][1] = Float(axes.y)
      samples[accelerationCount][2] = Float(axes.z)
      accelerationCount += 1
    }
    if let axes = motion.rotationRate, turnCount < Self.most {
      makeRoom(for: turnCount, acceleration: accelerationCount == 0 ? 0 : .nan)
      samples[turnCount][3] = Float(axes.x)
      samples[turnCount][4] = Float(axes.y)
      samples[turnCount][5] = Float(axes.z)
      turnCount += 1
    }
  }

  @inline(__always)
  private mutating func makeRoom(for index: Int, acceleration: Float) {
    guard index == samples.count else { return }
    samples.append(SIMD8(acceleration, acceleration, acceleration, .nan, .nan, .nan, 0, 0))
  }

  /// What came before the first acceleration had none of a recording that has some.
  private mutating func forgetZeros() {
    for index in samples.indices {
      for axis in 0..<3 { samples[index][axis] = .nan }
    }
  }
}
