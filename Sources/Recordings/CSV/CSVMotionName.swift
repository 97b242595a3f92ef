/// What the name of a column of the motion sensors says: what it measures, along which axis, in which unit.
///
/// Programs write `acc_x_g`, `x_acc`, `accelX`, `userAcceleration.x`, `Acceleration x (m/s^2)` and more; compared are the
/// words without case and without what joins them.
struct CSVMotionName: Hashable, Sendable {
  /// What is measured.
  enum Quantity: Hashable, Sendable {
    case acceleration, rotationRate, magneticField
  }

  /// What is measured.
  let quantity: Quantity
  /// 0 for x, 1 for y, 2 for z.
  let axis: Int
  /// How many of our units (g, radians a second, microtesla) one of the column's is; `nil` where the name has none.
  let factor: Double?

  /// Takes a name apart; `nil` for one that names something else.
  init?(_ name: String) {
    let lower = name.lowercased()
    let outside = Self.words(String(lower.prefix { $0 != "(" && $0 != "[" }))
    let bracket = lower.drop { $0 != "(" && $0 != "[" }.dropFirst().prefix { $0 != ")" && $0 != "]" }
    guard let (quantity, axis, rest) = Self.parts(outside) else { return nil }
    self.quantity = quantity
    self.axis = axis
    let unit = bracket.isEmpty ? rest.joined() : Self.words(String(bracket)).joined()
    factor = quantity == .magneticField ? 1 : Self.factor(unit, quantity)
  }

  private static func words(_ text: String) -> [String] {
    text.split { !$0.isLetter && !$0.isNumber && $0 != "°" }
      .map { String($0.map { $0 == "²" ? "2" : $0 }) }
  }

  /// The quantity and the axis of words, and the words behind them.
  private static func parts(_ words: [String]) -> (Quantity, Int, [String])? {
    guard let first = words.first else { return nil }
    // The axis stands first: x_acc.
    if let axis = axes[first], words.count > 1, let quantity = names[words[1]] {
      return (quantity, axis, Array(words.dropFirst(2)))
    }
    // A word of its own, or the end of the last: acc_x, accelX, linear_acceleration_x.
    for count in 1...min(3, words.count) {
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
    case .acceleration:
      switch unit {
      case "g", "gs", "gforce": return 1
      case "mg": return 0.001
      case "ms2", "mps2", "mss", "ms\u{207B}2", "mpers2", "meterspersecondsquared": return gravitiesPerMeter
      default: return nil
      }
    case .rotationRate:
      switch unit {
      case "rads", "rads1", "radps", "radiansps", "radianspersecond", "rad": return 1
      case "degs", "degs1", "dps", "degps", "degreespersecond", "deg", "°s": return radiansPerDegree
      default: return nil
      }
    case .magneticField: return 1
    }
  }

  /// One metre per second squared in multiples of standard gravity.
  static let gravitiesPerMeter = 1 / 9.80665
  /// One degree in radians.
  static let radiansPerDegree = Double.pi / 180

  private static let axes = ["x": 0, "y": 1, "z": 2]

  private static let names: [String: Quantity] = {
    var names: [String: Quantity] = [:]
    for name in [
      "acceleration", "accel", "acc", "accelerometer", "accelerometeracceleration", "useracceleration",
      "linearacceleration", "linearaccel", "linearacc", "linacc", "bodyacc", "totalacc", "rawacceleration",
      "motionuseracceleration",
    ] { names[name] = .acceleration }
    for name in [
      "rotationrate", "gyroscope", "gyro", "gyr", "gyrorotation", "gyroscoperotation", "angularvelocity", "rotation",
      "motionrotationrate", "gyroscoperate",
    ] { names[name] = .rotationRate }
    // As loggers of small boards write it: ax, gx, mx.
    (names["a"], names["g"], names["m"]) = (.acceleration, .rotationRate, .magneticField)
    // As Physics Toolbox writes it: gFx, wx.
    (names["gf"], names["gforce"], names["w"]) = (.acceleration, .acceleration, .rotationRate)
    for name in ["magneticfield", "magnetometer", "mag", "magn", "magnetic"] { names[name] = .magneticField }
    return names
  }()
}
