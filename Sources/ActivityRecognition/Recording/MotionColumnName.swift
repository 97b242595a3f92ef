/// What the name of a column of a motion recording says: what it measures, along which axis, in which unit.
///
/// Programs write `acc_x_g`, `x_acc`, `accelX`, `userAcceleration.x`, `Acceleration x (m/s^2)` and more; compared are the
/// words without case and without what joins them.
package struct MotionColumnName: Hashable, Sendable {
  /// What is measured.
  package enum Quantity: Hashable, Sendable, CaseIterable {
    /// Acceleration with gravity in it.
    case acceleration
    /// Acceleration from which gravity was taken.
    case userAcceleration
    /// Gravity alone.
    case gravity
    /// Turning rate.
    case rotationRate
    /// The magnetic field.
    case magneticField
  }

  /// What is measured.
  package let quantity: Quantity
  /// 0 for x, 1 for y, 2 for z.
  package let axis: Int
  /// How many of our units (g, radians a second, microtesla) one of the column's is; `nil` where the name has none, and 1 for a
  /// magnetic field without one.
  package let factor: Double?

  /// One metre per second squared in multiples of standard gravity.
  package static let gravitiesPerMeter = 1 / 9.80665
  /// One degree in radians.
  package static let radiansPerDegree = Double.pi / 180

  /// The factors of three axes, of which one whose name has no unit is in that of the others; `nil` where none has.
  package static func factors(_ x: Double?, _ y: Double?, _ z: Double?) -> SIMD3<Double>? {
    (x ?? y ?? z).map { SIMD3(x ?? $0, y ?? $0, z ?? $0) }
  }

  /// Takes a name apart; `nil` for one that names something else.
  package init?(_ name: String) {
    let outside = Self.words(String(name.prefix { $0 != "(" && $0 != "[" }))
    let bracket = name.drop { $0 != "(" && $0 != "[" }.dropFirst().prefix { $0 != ")" && $0 != "]" }
    guard let (quantity, axis, rest) = Self.parts(outside) else { return nil }
    let unit = bracket.isEmpty ? rest.joined() : Self.words(String(bracket)).joined()
    if let factor = Self.factor(unit, quantity) {
      self.factor = factor
    } else {
      guard unit.isEmpty || !bracket.isEmpty || rest.allSatisfy({ Self.fillers.contains($0) }) else { return nil }
      factor = nil
    }
    self.quantity = quantity
    self.axis = axis
  }

  static func words(_ text: String) -> [String] {
    text.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "°" }
      .map { String($0.map { $0 == "²" ? "2" : $0 }) }
  }

  /// The quantity and the axis of words, and the words behind them.
  private static func parts(_ words: [String]) -> (Quantity, Int, [String])? {
    guard let first = words.first else { return nil }
    // The axis stands first: x_acc.
    if let axis = axes[first] {
      for count in stride(from: min(3, words.count - 1), to: 0, by: -1) {
        if let quantity = names[words[1...count].joined()] {
          return (quantity, axis, Array(words.dropFirst(count + 1)))
        }
      }
    }
    // A word of its own, or the end of the last: acc_x, accelX, linear_acceleration_x.
    for count in 1...min(4, words.count) {
      let joined = words.prefix(count).joined()
      if let axis = words.dropFirst(count).first.flatMap({ axes[$0] }), let quantity = names[joined] {
        return (quantity, axis, Array(words.dropFirst(count + 1)))
      }
      if let axis = joined.last.flatMap({ axes[String($0)] }), let quantity = names[String(joined.dropLast())] {
        return (quantity, axis, Array(words.dropFirst(count)))
      }
    }
    return nil
  }

  /// The factor of a unit; `nil` for one that is not known, or none.
  private static func factor(_ unit: String, _ quantity: Quantity) -> Double? {
    switch quantity {
    case .acceleration, .userAcceleration, .gravity:
      switch unit {
      case "g", "gs", "gforce": 1
      case "mg": 0.001
      case "ms2", "mps2", "mss", "ms\u{207B}2", "mpers2", "meterspersecondsquared": gravitiesPerMeter
      default: nil
      }
    case .rotationRate:
      switch unit {
      case "rads", "rads1", "radps", "radpers", "radiansps", "radianspersecond", "rad": 1
      case "degs", "degs1", "dps", "degps", "degreespersecond", "deg", "°s": radiansPerDegree
      default: nil
      }
    case .magneticField: 1
    }
  }

  private static let axes = ["x": 0, "y": 1, "z": 2]
  /// Words behind the axis that say nothing.
  private static let fillers: Set = [
    "value", "raw", "axis", "sw", "sp", "watch", "phone", "calibrated", "uncalibrated", "corrected",
  ]

  private static let names: [String: Quantity] = {
    var names: [String: Quantity] = [:]
    for name in [
      "acceleration", "accel", "acc", "accelerometer", "accelerometeracceleration", "totalacc", "totalacceleration",
      "rawacceleration", "rawacc", "accelerationincludinggravity", "a", "gf", "gforce",
      "beschleunigung", "beschl",
    ] { names[name] = .acceleration }
    for name in [
      "useracceleration", "linearacceleration", "linearaccel", "linearacc", "linacc", "bodyacc", "useracc",
      "motionuseracceleration", "bodyacceleration",
      "linearebeschleunigung", "beschleunigungohneg",
    ] { names[name] = .userAcceleration }
    for name in ["gravity", "grav", "motiongravity", "schwerkraft", "gravitation"] { names[name] = .gravity }
    for name in [
      "rotationrate", "gyroscope", "gyro", "gyr", "gyrorotation", "gyroscoperotation", "angularvelocity", "rotation",
      "motionrotationrate", "gyroscoperate", "g", "angvel", "w", "bodygyro",
      "gyroskop", "drehrate", "winkelgeschwindigkeit",
    ] { names[name] = .rotationRate }
    for name in ["magneticfield", "magnetometer", "mag", "magn", "magnetic", "m", "magnetfeld"] {
      names[name] = .magneticField
    }
    return names
  }()
}
