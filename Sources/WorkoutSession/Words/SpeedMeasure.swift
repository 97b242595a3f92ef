internal import ZoneEngine

/// How the speed of an activity is read: on foot as the time for a kilometre, on wheels, skis and water as kilometres an
/// hour.
package enum SpeedMeasure: String, Hashable, Sendable {
  /// Minutes and seconds for a kilometre.
  case pace
  /// Kilometres an hour.
  case speed

  /// What stands before a value, such as `pace`.
  package var title: String { rawValue }

  /// `5:12 /km` or `28.4 km/h`; `nil` when it would take an hour or longer, which is standing still.
  package func text(secondsPerKilometer seconds: Double) -> String? {
    guard let pace = QuantityText.pace(secondsPerKilometer: seconds) else { return nil }
    switch self {
    case .pace: return pace
    case .speed: return QuantityText.number(3_600 / seconds, decimals: 1, unit: " km/h")
    }
  }

  /// The same of a speed; `nil` at a standstill.
  package func text(metersPerSecond speed: Double) -> String? {
    Pace.secondsPerKilometer(metersPerSecond: speed).flatMap { text(secondsPerKilometer: $0) }
  }
}

extension Activity {
  /// How its speed is read.
  package var speedMeasure: SpeedMeasure { isOnWheels ? .speed : .pace }
}
