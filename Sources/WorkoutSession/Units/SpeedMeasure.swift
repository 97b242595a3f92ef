/// How the speed of an activity is read: on foot as the time for a kilometre, on wheels, skis and water as kilometres an
/// hour.
package enum SpeedMeasure: String, Hashable, Sendable {
  /// Minutes and seconds for a kilometre.
  case pace
  /// Kilometres an hour.
  case speed

  /// What stands before a value, such as `pace`.
  package var title: String { rawValue }
}
