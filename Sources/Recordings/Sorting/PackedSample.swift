package import WorkoutSession
package import ZoneEngine

/// A sample as bytes: its time, its stream, which of its numbers are there, and those.
package enum PackedSample {
  /// The most bytes of a sample.
  static let largestSize = headBytes + 9 * 8

  /// The time, the stream, and a bit for each optional part.
  private static let headBytes = 8 + 1 + 1

  /// Appends a sample, without its source.
  static func append(_ sample: Sample, to bytes: inout [UInt8]) {
    append(UInt64(bitPattern: sample.time.nanoseconds), to: &bytes)
    bytes.append(UInt8(sample.reading.stream.rawValue))
    let parts = bytes.count
    bytes.append(0)
    func add(_ part: UInt8, _ values: Double...) {
      bytes[parts] |= part
      for value in values { append(value.bitPattern, to: &bytes) }
    }
    switch sample.reading {
    case .heartRate(let value), .cadence(let value), .distance(let value), .speed(let value), .rrInterval(let value),
      .altitude(let value):
      append(value.bitPattern, to: &bytes)
    case .steps(let count): append(UInt64(bitPattern: Int64(count)), to: &bytes)
    case .location(let fix):
      append(fix.coordinate.latitudeDegrees.bitPattern, to: &bytes)
      append(fix.coordinate.longitudeDegrees.bitPattern, to: &bytes)
      if let altitude = fix.altitudeMeters { add(1, altitude) }
      if let accuracy = fix.horizontalAccuracyMeters { add(2, accuracy) }
      if let speed = fix.speedMetersPerSecond { add(4, speed) }
    case .motion(let motion):
      if let axes = motion.acceleration { add(1, axes.x, axes.y, axes.z) }
      if let axes = motion.rotationRate { add(2, axes.x, axes.y, axes.z) }
      if let axes = motion.magneticField { add(4, axes.x, axes.y, axes.z) }
    case .direction(let direction):
      for (part, value) in direction.values.enumerated() { if let value { add(1 << UInt8(part), value) } }
    }
  }

  /// The time of the sample at an offset, in nanoseconds.
  static func time(of bytes: [UInt8], at offset: Int) -> Int64 { Int64(bitPattern: word(bytes, offset)) }

  /// The bytes of the sample at an offset.
  static func size(of bytes: [UInt8], at offset: Int) -> Int {
    let parts = bytes[offset + 9].nonzeroBitCount
    switch stream(bytes, offset) {
    case .heartRate, .steps, .cadence, .distance, .speed, .rrInterval, .altitude: return headBytes + 8
    case .location: return headBytes + 16 + 8 * parts
    case .motion: return headBytes + 24 * parts
    case .direction: return headBytes + 8 * parts
    }
  }

  /// The sample at an offset, later by `shift`.
  package static func sample(in bytes: [UInt8], at offset: Int, shiftedBy shift: SessionTime) -> Sample {
    let time = SessionTime(nanoseconds: time(of: bytes, at: offset)) + shift
    let parts = bytes[offset + 9]
    var next = offset + headBytes
    func number() -> Double {
      defer { next += 8 }
      return Double(bitPattern: word(bytes, next))
    }
    func optional(_ part: UInt8) -> Double? { parts & part == 0 ? nil : number() }
    func axes(_ part: UInt8) -> Axes? { parts & part == 0 ? nil : Axes(x: number(), y: number(), z: number()) }
    switch stream(bytes, offset) {
    case .heartRate: return Sample(.heartRate(number()), at: time)
    case .steps: return Sample(.steps(Int(Int64(bitPattern: word(bytes, next)))), at: time)
    case .cadence: return Sample(.cadence(number()), at: time)
    case .distance: return Sample(.distance(number()), at: time)
    case .speed: return Sample(.speed(number()), at: time)
    case .rrInterval: return Sample(.rrInterval(number()), at: time)
    case .altitude: return Sample(.altitude(number()), at: time)
    case .location:
      let coordinate = Coordinate(packedLatitude: number(), longitude: number())
      return Sample(
        .location(
          LocationFix(
            coordinate: coordinate, altitudeMeters: optional(1), horizontalAccuracyMeters: optional(2),
            speedMetersPerSecond: optional(4))), at: time)
    case .direction:
      guard let direction = DirectionReading((0..<DirectionReading.valueCount).map { optional(1 << UInt8($0)) }) else {
        preconditionFailure("a direction was packed with a value")
      }
      return Sample(.direction(direction), at: time)
    case .motion:
      return Sample(
        .motion(MotionReading(acceleration: axes(1), rotationRate: axes(2), magneticField: axes(4))), at: time)
    }
  }

  /// The stream of the sample at an offset.
  static func stream(_ bytes: [UInt8], _ offset: Int) -> SampleStream {
    guard let stream = SampleStream(rawValue: Int(bytes[offset + 8])) else {
      preconditionFailure("a sample was packed with its stream")
    }
    return stream
  }

  /// Appends eight bytes.
  @inline(__always)
  package static func append(_ word: UInt64, to bytes: inout [UInt8]) {
    unsafe withUnsafeBytes(of: word.littleEndian) { unsafe bytes.append(contentsOf: $0) }
  }

  /// The eight bytes at an offset.
  @inline(__always)
  package static func word(_ bytes: [UInt8], _ offset: Int) -> UInt64 {
    UInt64(littleEndian: unsafe bytes.span.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
}

extension Coordinate {
  /// The coordinate that was packed.
  fileprivate init(packedLatitude latitude: Double, longitude: Double) {
    guard let coordinate = Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude) else {
      preconditionFailure("a coordinate was packed that was one")
    }
    self = coordinate
  }
}
