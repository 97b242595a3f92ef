internal import ZoneEngine

/// The sensors that a device has beside those of which every silence counts: which of them have fallen silent.
///
/// Only what came regularly is missed. The parts of motion are missed while motion comes: a device without a gyroscope has none to
/// lose, and where all of motion is silent that is reported once. A count of steps, or a cadence, is missed where the device sent it as 0
/// before, thus also of who stands still; others send steps only of who walks, and their silence says nothing.
struct SensorWatch: Sendable {
  private enum Sensor: Int, CaseIterable {
    case accelerometer
    case gyroscope
    case magnetometer
    case steps
    case cadence

    /// In words.
    var name: String {
      switch self {
      case .accelerometer: "accelerometer"
      case .gyroscope: "gyroscope"
      case .magnetometer: "magnetometer"
      case .steps: "step counter"
      case .cadence: "cadence"
      }
    }

    /// Whether it is a part of motion.
    var isOfMotion: Bool {
      switch self {
      case .accelerometer, .gyroscope, .magnetometer: true
      case .steps, .cadence: false
      }
    }

    /// How long it may be silent.
    var limit: SessionTime { isOfMotion ? .seconds(5) : .seconds(60) }
  }

  /// How a sensor was heard.
  private struct Course: Sendable {
    var time: SessionTime
    var clock: Int64
    /// Of the first reading since a silence.
    var first: Int64
    var count = 1
    var hasZero = false
    var isSilent = false

    /// Whether it came so often that its limit is many times its interval.
    func isRegular(_ limit: SessionTime) -> Bool {
      count >= SensorWatch.fewest && (clock - first) / Int64(count - 1) <= limit.nanoseconds / SensorWatch.part
    }
  }

  /// How many readings there are at least of what is regular.
  private static let fewest = 10
  /// Which part of a limit the interval of what is regular is at most.
  private static let part: Int64 = 5

  private var courses = [Course?](repeating: nil, count: Sensor.allCases.count)
  /// The newest motion of whatever sensor.
  private var motion: Int64?

  /// Takes a reading at a time, and at a time of the clock that counts silence; what there is to say.
  mutating func hear(_ reading: Reading, at time: SessionTime, clock: Int64) -> [String] {
    switch reading {
    case .motion(let reading):
      motion = clock
      return (reading.acceleration == nil ? [] : hear(.accelerometer, at: time, clock))
        + (reading.rotationRate == nil ? [] : hear(.gyroscope, at: time, clock))
        + (reading.magneticField == nil ? [] : hear(.magnetometer, at: time, clock))
    case .steps(let count): return hear(.steps, at: time, clock, isZero: count == 0)
    case .cadence(let cadence): return hear(.cadence, at: time, clock, isZero: cadence == 0)
    case .heartRate, .distance, .speed, .location, .rrInterval, .direction, .altitude: return []
    }
  }

  private mutating func hear(
    _ sensor: Sensor, at time: SessionTime, _ clock: Int64, isZero: Bool = false
  ) -> [String] {
    guard var course = courses[sensor.rawValue] else {
      courses[sensor.rawValue] = Course(time: time, clock: clock, first: clock, hasZero: isZero)
      return []
    }
    let said = course.isSilent ? ["\(sensor.name) is back, after \(QuantityText.length(time - course.time))"] : []
    // An interval over the limit is no interval of what is regular.
    if clock - course.clock > sensor.limit.nanoseconds { (course.first, course.count) = (clock, 0) }
    course.time = max(course.time, time)
    course.clock = clock
    course.count += 1
    course.hasZero = course.hasZero || isZero
    course.isSilent = false
    courses[sensor.rawValue] = course
    return said
  }

  /// Takes note that the clock that counts silence has come so far; what there is to say.
  mutating func pass(to clock: Int64) -> [String] {
    var said: [String] = []
    for sensor in Sensor.allCases {
      guard let course = courses[sensor.rawValue], !course.isSilent, course.isRegular(sensor.limit) else { continue }
      // What is missed of motion came while the rest of it did.
      let latest = sensor.isOfMotion ? motion ?? clock : clock
      guard latest - course.clock > sensor.limit.nanoseconds, sensor.isOfMotion || course.hasZero else { continue }
      courses[sensor.rawValue]?.isSilent = true
      said.append("\(sensor.name) is silent since \(QuantityText.clock(course.time))")
    }
    return said
  }
}
