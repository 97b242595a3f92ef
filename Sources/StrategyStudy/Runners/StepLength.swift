/// How long the steps of a simulated runner are: longer the faster one goes.
///
/// Source: none, an assumption; walkers and runners of middle size take 0.7 m at 1.4 m/s and 1.1 m at 3 m/s.
enum StepLength {
  /// Metres of a step at a speed.
  static func meters(atMetersPerSecond speed: Double) -> Double { 0.35 + 0.25 * speed }

  /// The speed in metres per second at which so many steps are taken; at most 6 m/s, because beyond no speed has so many.
  static func metersPerSecond(stepsPerSecond: Double) -> Double {
    let share = 1 - 0.25 * stepsPerSecond
    return share > 0 ? min(6, 0.35 * stepsPerSecond / share) : 6
  }
}
