package import ZoneEngine

/// When a strategy will judge and what counts then, as far as a runner can know it beforehand.
package struct CheckSchedule: Hashable, Sendable {
  /// Seconds between two checks.
  package let every: Double
  /// The seconds before a check that are judged; 0 for an instant.
  package let judged: Double

  /// The schedule of a strategy; `nil` when its moments cannot be foreseen. A strategy whose moments follow from the
  /// heart rate or from chance has none.
  package init?(_ strategy: FeedbackStrategy) {
    guard let every = strategy.every else { return nil }
    self.every = every.seconds
    judged = strategy.window?.seconds ?? 0
  }
}
