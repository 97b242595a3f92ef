/// How a virtual runner moves.
package enum Gait: String, CaseIterable, Hashable, Sendable {
  /// Walking.
  case walk
  /// Running.
  case run

  /// Speeds in metres per second that the gait is simulated at. The walking equation is valid to 1.96 m/s; beyond it is
  /// extrapolated.
  package var speeds: ClosedRange<Double> { self == .walk ? 0.7...2.2 : 1.3...5.5 }

  /// Oxygen uptake at a speed in metres per second and a grade (rise over run), in ml/(kg·min), by the equations alone.
  ///
  /// Running: 3.5 + 0.2·S + 0.9·S·G with S in m/min. Source: ACSM's Guidelines, 10th edition, 10.1249/FIT.0000000000000577.
  /// Walking: 1.44 + 1.94·v^0.43 + 0.24·v⁴ in W/kg, at 20.9 J/ml, with ACSM's grade term 1.8·S·G. Source: Looney 2019,
  /// LCDA, 10.1249/mss.0000000000002002.
  package func oxygenUptake(speed: Double, grade: Double) -> Double {
    switch self {
    case .walk: return Self.levelWalking(speed) + 108 * speed * grade
    case .run: return 3.5 + 12 * speed + 54 * speed * grade
    }
  }

  fileprivate static func levelWalking(_ speed: Double) -> Double {
    let square = speed * speed
    return 2.87 * (1.44 + 1.94 * PortableMath.power(speed, 0.43) + 0.24 * square * square)
  }
}

/// The same oxygen uptake as ``Gait/oxygenUptake(speed:grade:)``, fast enough for each second of many runners: walking
/// on the level comes from a table of 1/512 m/s with straight lines between, which is off by at most 2·10⁻⁵ ml/(kg·min).
package struct OxygenCost: Sendable {
  private static let stepsPerMeterPerSecond = 512.0

  private let isRunning: Bool
  private let slowest: Double
  private let walking: [Double]

  /// Makes the table of a gait.
  package init(_ gait: Gait) {
    isRunning = gait == .run
    slowest = gait.speeds.lowerBound
    guard gait == .walk else {
      walking = [0, 0]
      return
    }
    let last = Int((gait.speeds.upperBound - slowest) * Self.stepsPerMeterPerSecond) + 2
    walking = (0...last).map {
      Gait.levelWalking(gait.speeds.lowerBound + Double($0) / Self.stepsPerMeterPerSecond)
    }
  }

  /// Oxygen uptake above rest (3.5) in ml/(kg·min).
  ///
  /// - Precondition: the speed is one of the gait's.
  @inline(__always)
  package func aboveRest(speed: Double, grade: Double) -> Double {
    if isRunning { return speed * (12 + 54 * grade) }
    let place = (speed - slowest) * Self.stepsPerMeterPerSecond
    let index = Int(place)
    let low = walking[index]
    return low + (walking[index + 1] - low) * (place - Double(index)) + 108 * speed * grade - 3.5
  }
}
