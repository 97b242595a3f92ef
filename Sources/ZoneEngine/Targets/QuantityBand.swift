/// Between which two values a quantity is to stay. Both belong to it.
public struct QuantityBand: Hashable, Sendable {
  /// What is asked for.
  public let quantity: TargetQuantity
  /// How it is written, shown and compared.
  public let unit: QuantityUnit
  /// The smaller number, as shown; of a pace the faster limit.
  public let lower: Int
  /// The larger number, as shown; of a pace the slower limit.
  public let upper: Int

  /// How far a single value reaches to both sides, as a share of it: 3 %, so that `5:30/km` is 5:20 to 5:40.
  ///
  /// Source: eight watches measured a distance with mean errors of 3.2 to 6.1 % (Gilgen-Ammann, Schweizer & Wyss 2020,
  /// 10.2196/17118, three courses, walking and running): what is narrower would coach the receiver.
  public static let tolerance = 0.03

  /// Numbers, as shown, that a target may ask for: paces that somebody walks or runs, speeds up to that of a bicycle.
  package static func plausible(_ unit: QuantityUnit) -> ClosedRange<Int> {
    switch unit {
    case .secondsPerKilometer: return 60...3_599
    case .secondsPerMile: return 90...3_599
    case .kilometersPerHour: return 10...1_000
    case .milesPerHour: return 6...600
    case .metersPerSecond: return 30...3_000
    case .stepsPerMinute: return 30...300
    case .alpha1: return 20...200
    }
  }

  /// Creates a band of two numbers as shown, in either order.
  ///
  /// - Throws: ``ZoneError/outOfRange(quantity:value:expected:)`` for a number that nobody moves at.
  public init(_ quantity: TargetQuantity, _ unit: QuantityUnit, _ first: Int, _ second: Int) throws(ZoneError) {
    let plausible = Self.plausible(unit)
    for number in [first, second] where !plausible.contains(number) {
      throw ZoneError.outOfRange(
        quantity: "\(Self.word(quantity)) of the target",
        value: Self.number(number, unit),
        expected: "\(Self.number(plausible.lowerBound, unit))…\(Self.number(plausible.upperBound, unit))")
    }
    self.init(unchecked: quantity, unit, min(first, second), max(first, second))
  }

  /// Creates the band around a single number as shown: ``tolerance`` to both sides, at least one.
  ///
  /// - Throws: as the other initializer.
  public init(_ quantity: TargetQuantity, _ unit: QuantityUnit, around number: Int) throws(ZoneError) {
    _ = try QuantityBand(quantity, unit, number, number)
    let width = max(1, Int((Double(number) * Self.tolerance).rounded()))
    self.init(unchecked: quantity, unit, number - width, number + width)
  }

  private static func word(_ quantity: TargetQuantity) -> String {
    switch quantity {
    case .pace, .speed, .cadence: return quantity.rawValue
    case .gradeAdjustedPace: return "grade-adjusted pace"
    case .alpha1: return "α1"
    }
  }

  private init(unchecked quantity: TargetQuantity, _ unit: QuantityUnit, _ lower: Int, _ upper: Int) {
    (self.quantity, self.unit, self.lower, self.upper) = (quantity, unit, lower, upper)
  }

  /// The limit that is slower, in metres per second, steps a minute or the inverse of α1.
  package var slowest: Double { unit.value(ofShown: unit.isInverse ? upper : lower) }
  /// The limit that is faster.
  package var fastest: Double { unit.value(ofShown: unit.isInverse ? lower : upper) }
  /// The value in the middle, of which shares are taken.
  package var middle: Double { (slowest + fastest) / 2 }

  /// Where a measured value lies, metres per second, steps a minute or the inverse of α1. It is compared as it is shown.
  public func side(of value: Double) -> TargetSide {
    let shown = unit.shown(value)
    if shown < lower { return unit.isInverse ? .over : .under }
    if shown > upper { return unit.isInverse ? .under : .over }
    return .inside
  }

  /// The same where the band is left beyond a share of its limit only.
  func side(of value: Double, margin share: Double) -> TargetSide {
    let plain = side(of: value)
    switch plain {
    case .inside: return plain
    case .under: return side(of: value * (1 + share)) == .under ? .under : .inside
    case .over: return side(of: value / (1 + share)) == .over ? .over : .inside
    }
  }

  /// The band moved by a usual step: 5 s for a kilometre or mile, half a kilometre or mile an hour, 5 steps a minute, 0.05 of
  /// α1; `up` is faster, of α1 harder. It keeps its width; `nil` where it would ask for what nobody moves at.
  func moved(_ direction: TargetDirection) -> QuantityBand? {
    let size: Int
    switch unit {
    case .secondsPerKilometer, .secondsPerMile, .kilometersPerHour, .milesPerHour, .stepsPerMinute, .alpha1: size = 5
    case .metersPerSecond: size = 10
    }
    let step = (direction == .up) == unit.isInverse ? -size : size
    let plausible = Self.plausible(unit)
    guard plausible.contains(lower + step), plausible.contains(upper + step) else { return nil }
    return QuantityBand(unchecked: quantity, unit, lower + step, upper + step)
  }

  /// A number as people write it: `5:20`, `10.5`, `170`.
  public static func number(_ shown: Int, _ unit: QuantityUnit) -> String {
    switch unit {
    case .secondsPerKilometer, .secondsPerMile:
      return "\(shown / 60):\(shown % 60 < 10 ? "0" : "")\(shown % 60)"
    case .kilometersPerHour, .milesPerHour:
      return shown % 10 == 0 ? "\(shown / 10)" : "\(shown / 10).\(shown % 10)"
    case .metersPerSecond:
      let rest = shown % 100
      return rest == 0 ? "\(shown / 100)" : "\(shown / 100).\(rest < 10 ? "0" : "")\(rest)"
    case .stepsPerMinute: return "\(shown)"
    case .alpha1: return "\(shown / 100).\(shown % 100 < 10 ? "0" : "")\(shown % 100)"
    }
  }

  /// What stands before the numbers: `a1:`, else nothing.
  public var prefix: String { unit == .alpha1 ? "a1:" : "" }

  /// What stands behind a number: `/km`, `km/h`, `spm`, `/km-gap`; nothing for α1.
  public var suffix: String {
    let suffix: String
    switch unit {
    case .secondsPerKilometer: suffix = "/km"
    case .secondsPerMile: suffix = "/mi"
    case .kilometersPerHour: suffix = "km/h"
    case .milesPerHour: suffix = "mph"
    case .metersPerSecond: suffix = "m/s"
    case .stepsPerMinute: suffix = "spm"
    case .alpha1: suffix = ""
    }
    return suffix + (quantity == .gradeAdjustedPace ? "-gap" : "")
  }
}

extension QuantityBand: CustomStringConvertible {
  /// As it is read again: `5:20-5:40/km`, `10-12km/h`, `170-180spm`, `a1:0.75-1.00`.
  public var description: String {
    prefix + Self.number(lower, unit) + "-" + Self.number(upper, unit) + suffix
  }
}
