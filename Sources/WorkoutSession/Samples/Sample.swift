public import ZoneEngine

/// A kind of reading. The order decides between readings of one instant.
public enum SampleStream: Int, CaseIterable, Comparable, Hashable, Sendable {
  /// Heart rate in beats per minute.
  case heartRate
  /// Steps since the previous sample of this stream.
  case steps
  /// Steps per minute as a device reports them.
  case cadence
  /// Metres since the start as a device counts them.
  case distance
  /// Metres per second as a device reports them.
  case speed
  /// Positions.
  case location
  /// Acceleration, rotation rate and magnetic field.
  case motion
  /// The time between two beats, as a strap measures it.
  case rrInterval
  /// Course, heading, and how sure a device is of them, of its altitude and of its speed.
  case direction
  /// Metres above the sea beside no position, as a barometer measures them.
  case altitude

  /// Whether one stream comes before another at the same instant.
  public static func < (left: SampleStream, right: SampleStream) -> Bool { left.rawValue < right.rawValue }

  /// The name in records and options.
  public var name: String {
    switch self {
    case .heartRate: "heartRate"
    case .steps: "steps"
    case .cadence: "cadence"
    case .distance: "distance"
    case .speed: "speed"
    case .location: "location"
    case .motion: "motion"
    case .rrInterval: "rrInterval"
    case .direction: "direction"
    case .altitude: "altitude"
    }
  }

  /// The stream beside which this one is sent, kept and switched off; absent for a stream of its own. What stands beside
  /// another one decides nothing, and equal readings may follow each other.
  package var carrier: SampleStream? {
    switch self {
    case .rrInterval: .heartRate
    case .direction: .location
    case .heartRate, .steps, .cadence, .distance, .speed, .location, .motion, .altitude: nil
    }
  }

  /// The stream with which this one is kept and switched off.
  package var chosenWith: SampleStream { self == .altitude ? .location : carrier ?? self }

  /// The stream with which the lines of this one are recorded in a live session, and switched off: what counts steps with steps, and
  /// what says how far or how fast with positions.
  package var sentWith: SampleStream {
    switch self {
    case .cadence: .steps
    case .distance, .speed: .location
    case .heartRate, .steps, .location, .motion, .rrInterval, .direction, .altitude: chosenWith
    }
  }

  /// The streams that a live session records and that a user can choose.
  package static let recordable: [SampleStream] = [.heartRate, .steps, .location, .motion]
}

/// Three axes of one instant.
public struct Axes: Hashable, Sendable {
  /// Along the x axis.
  public let x: Double
  /// Along the y axis.
  public let y: Double
  /// Along the z axis.
  public let z: Double

  /// Creates three axes.
  public init(x: Double, y: Double, z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }
}

/// One reading of the motion sensors; what a device does not measure is absent.
public struct MotionReading: Hashable, Sendable {
  /// In multiples of standard gravity (g).
  public let acceleration: Axes?
  /// In radians per second.
  public let rotationRate: Axes?
  /// In microtesla.
  public let magneticField: Axes?

  /// Creates a reading.
  public init(acceleration: Axes?, rotationRate: Axes?, magneticField: Axes?) {
    self.acceleration = acceleration
    self.rotationRate = rotationRate
    self.magneticField = magneticField
  }
}

/// Which way a device moves and points, and how sure it is; what it does not give is absent.
public struct DirectionReading: Hashable, Sendable {
  /// How far the altitude may be off, in metres.
  public let verticalAccuracyMeters: Double?
  /// How far the speed may be off, in metres per second.
  public let speedAccuracyMetersPerSecond: Double?
  /// The direction of travel, in degrees clockwise from true north.
  public let courseDegrees: Double?
  /// How far the course may be off, in degrees.
  public let courseAccuracyDegrees: Double?
  /// The direction in which the device points, in degrees clockwise from true north.
  public let headingDegrees: Double?
  /// How far the heading may be off, in degrees.
  public let headingAccuracyDegrees: Double?

  /// How many values there are.
  package static let valueCount = 6
  /// What ``values`` are where there is no reading.
  package static let noValues = [Double?](repeating: nil, count: valueCount)

  /// All values in the order of the columns: vertical and speed accuracy, course and its accuracy, heading and its accuracy.
  package var values: [Double?] {
    [
      verticalAccuracyMeters, speedAccuracyMetersPerSecond, courseDegrees, courseAccuracyDegrees, headingDegrees,
      headingAccuracyDegrees,
    ]
  }

  /// A reading of values in the order of ``values``; `nil` when none of them is there.
  ///
  /// - Precondition: there are ``valueCount`` of them.
  package init?(_ values: [Double?]) {
    precondition(values.count == Self.valueCount, "a direction has every value or says that it is absent")
    guard values.contains(where: { $0 != nil }) else { return nil }
    verticalAccuracyMeters = values[0]
    speedAccuracyMetersPerSecond = values[1]
    courseDegrees = values[2]
    courseAccuracyDegrees = values[3]
    headingDegrees = values[4]
    headingAccuracyDegrees = values[5]
  }
}

/// What a sensor measured. Readings of the motion sensors and of directions are kept elsewhere in memory, so that all others are
/// small.
public enum Reading: Hashable, Sendable {
  /// Beats per minute; zero and implausible values are kept as they came.
  case heartRate(Double)
  /// Steps since the previous steps sample.
  case steps(Int)
  /// Steps per minute.
  case cadence(Double)
  /// Metres since the start.
  case distance(Double)
  /// Metres per second.
  case speed(Double)
  /// A position.
  case location(LocationFix)
  /// A reading of the motion sensors.
  indirect case motion(MotionReading)
  /// Milliseconds between two beats.
  case rrInterval(Double)
  /// Which way a device moves and points.
  indirect case direction(DirectionReading)
  /// Metres above the sea, beside no position.
  case altitude(Double)

  /// The stream that the reading belongs to.
  public var stream: SampleStream {
    switch self {
    case .heartRate: .heartRate
    case .steps: .steps
    case .cadence: .cadence
    case .distance: .distance
    case .speed: .speed
    case .location: .location
    case .motion: .motion
    case .rrInterval: .rrInterval
    case .direction: .direction
    case .altitude: .altitude
    }
  }
}

extension Reading {
  /// The steps that one reading may have.
  static let stepCounts = 0...100_000
}

extension SampleStream {
  /// How far other streams may be ahead of the heart rate before they move a session on.
  static let skewAllowance = SessionTime.seconds(2)
}

/// A reading with its time and, where several devices report the same, its source.
public struct Sample: Hashable, Sendable {
  /// When it was measured.
  public let time: SessionTime
  /// What was measured.
  public let reading: Reading
  /// The name of the device, where it was stated.
  public let source: String?

  /// Creates a sample.
  @inlinable
  public init(_ reading: Reading, at time: SessionTime, source: String? = nil) {
    self.time = time
    self.reading = reading
    self.source = source
  }

  /// Whether one sample comes before another: by time, then by stream; arrival decides between equals, which is why
  /// samples are always sorted stably.
  package static func precedes(_ left: Sample, _ right: Sample) -> Bool {
    if left.time != right.time { return left.time < right.time }
    return left.reading.stream < right.reading.stream
  }
}
