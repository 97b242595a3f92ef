/// What running up and down costs, and the speed on level ground that costs as much.
///
/// Source: Minetti, Moia, Roi, Susta & Ferretti 2002, 10.1152/japplphysiol.01177.2001, the polynomial of the cost of running:
/// ten men who race in mountains, on a treadmill, gradients from −0.45 to 0.45. It knows neither the ground nor the technique
/// of who runs down, so that a steep descent of somebody else may cost more.
public enum RunningCost {
  /// Gradients that were measured, as metres up for each metre forward.
  public static let measured = -0.45...0.45

  /// Joules for a kilogram and a metre at a gradient; beyond the measured ones, that of the nearest.
  public static func joulesPerKilogramMeter(gradient: Double) -> Double {
    let i = min(max(gradient, measured.lowerBound), measured.upperBound)
    return ((((155.4 * i - 30.4) * i - 43.3) * i + 46.3) * i + 19.5) * i + 3.6
  }

  /// The speed on level ground that costs as much energy each second, in metres per second.
  public static func levelSpeed(_ metersPerSecond: Double, gradient: Double) -> Double {
    metersPerSecond * joulesPerKilogramMeter(gradient: gradient) / joulesPerKilogramMeter(gradient: 0)
  }
}
