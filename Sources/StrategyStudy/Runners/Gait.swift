/// How a virtual runner moves.
package enum Gait: String, CaseIterable, Hashable, Sendable {
  /// Walking.
  case walk
  /// Running.
  case run

  /// Speeds in metres per second that the gait is simulated at. The walking equation is valid to 1.96 m/s; beyond it is
  /// extrapolated.
  package var speeds: ClosedRange<Double> { self == .walk ? 0.7...2.2 : 1.3...5.5 }

  /// Speeds in metres per second of somebody who walks and runs.
  package static let eitherSpeeds = Gait.walk.speeds.lowerBound...Gait.run.speeds.upperBound

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

  /// How much the oxygen uptake rises a m/s, at a speed and a grade, in ml/(kg·min).
  package func uptakeSlope(speed: Double, grade: Double) -> Double {
    switch self {
    case .walk: return Self.levelWalkingSlope(speed) + 108 * grade
    case .run: return 12 + 54 * grade
    }
  }

  fileprivate static func levelWalking(_ speed: Double) -> Double {
    let square = speed * speed
    return 2.87 * (1.44 + 1.94 * PortableMath.power(speed, 0.43) + 0.24 * square * square)
  }

  /// How much the uptake of walking on the level rises a m/s.
  fileprivate static func levelWalkingSlope(_ speed: Double) -> Double {
    2.87 * (1.94 * 0.43 * PortableMath.power(speed, -0.57) + 0.96 * speed * speed * speed)
  }
}

/// The same oxygen uptake as ``Gait/oxygenUptake(speed:grade:)``, fast enough for each second of many runners: walking
/// on the level comes from tangents at steps of 1/512 m/s, which are off by at most 2·10⁻⁵ ml/(kg·min).
package struct OxygenCost: Sendable {
  private struct Tangent {
    let value: Double
    /// How much it rises a step.
    let rise: Double
  }

  private static let stepsPerMeterPerSecond = 512.0
  /// A number that leaves no place for a fraction in a sum, so that the sum is rounded and its low bits are the result.
  private static let rounding = 0x1p52

  /// The speed in m/s from which it is that of running.
  private let runsFrom: Double
  private let slowest: Double
  private let walking: [Tangent]

  /// Makes the table of a gait.
  package init(_ gait: Gait) {
    self.init(slowest: gait.speeds.lowerBound, runsFrom: gait == .run ? -.infinity : .infinity, gait.speeds.upperBound)
  }

  /// Makes the table of somebody who walks or runs, whatever costs less: who is slow walks.
  package static let ofEither = OxygenCost(slowest: Gait.walk.speeds.lowerBound, runsFrom: transition, transition)

  /// That of somebody who walks below a speed in m/s and runs from it on, whatever costs less.
  ///
  /// - Precondition: the speed is one of ``RunnerModel/transitions``.
  package static func changing(at speed: Double) -> OxygenCost {
    precondition(RunnerModel.transitions.values.contains(speed), "somebody changes the gait at a possible speed")
    return OxygenCost(runsFrom: speed, walking: fastWalking)
  }

  /// The table of walking as fast as anybody does who then runs.
  private static let fastWalking = OxygenCost(
    slowest: Gait.walk.speeds.lowerBound, runsFrom: .infinity, RunnerModel.transitions.values.upperBound)

  /// The speed in m/s at which both gaits cost the same on the level, 2.27; people change at about 2 m/s.
  package static let transition: Double = {
    var (walks, runs) = (2.0, 2.6)
    for _ in 0..<40 {
      let middle = (walks + runs) / 2
      if Gait.levelWalking(middle) < 3.5 + 12 * middle { walks = middle } else { runs = middle }
    }
    return walks
  }()

  private init(runsFrom: Double, walking other: OxygenCost) {
    self.runsFrom = runsFrom
    slowest = other.slowest
    walking = other.walking
  }

  private init(slowest: Double, runsFrom: Double, _ fastestWalk: Double) {
    self.slowest = slowest
    self.runsFrom = runsFrom
    guard runsFrom > 0 else {
      walking = []
      return
    }
    let last = Int((fastestWalk - slowest) * Self.stepsPerMeterPerSecond) + 1
    walking = (0...last).map { step in
      let speed = slowest + Double(step) / Self.stepsPerMeterPerSecond
      return Tangent(
        value: Gait.levelWalking(speed) - 3.5, rise: Gait.levelWalkingSlope(speed) / Self.stepsPerMeterPerSecond)
    }
  }

  /// How much the uptake of walking on the level rises a m/s, at a speed in m/s or the fastest at which somebody walks.
  func walkingSlope(at speed: Double) -> Double { Gait.levelWalkingSlope(min(speed, runsFrom)) }

  /// Oxygen uptake above rest (3.5) in ml/(kg·min).
  ///
  /// - Precondition: the speed is one of the gait's.
  @inline(__always)
  package func aboveRest(speed: Double, grade: Double) -> Double {
    if speed >= runsFrom { return speed * (12 + 54 * grade) }
    let place = (speed - slowest) * Self.stepsPerMeterPerSecond
    let rounded = place + Self.rounding
    let tangent = walking[Int(truncatingIfNeeded: rounded.bitPattern & 0xFFFF)]
    return tangent.value + tangent.rise * (place - (rounded - Self.rounding)) + 108 * speed * grade
  }
}
