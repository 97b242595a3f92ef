internal import TextFormats

/// The running totals of steps of a session: what came since the total before.
package struct StepTotals: Hashable, Sendable {
  private struct Total: Hashable, Sendable {
    var steps: Int
    var time: WallClockTime
  }

  /// How many counters are known at most; a recording of a device is one.
  private static let limit = 16
  /// More than so many at once are a counter that begins anew.
  private static let largestStep = 100_000

  private var totals: [String: Total] = [:]

  /// No totals.
  package init() {}

  /// Takes a total on.
  ///
  /// - Returns: the steps since the one before: none for the first, and for a counter that began anew; `nil` for a total
  ///   that is older than the last.
  mutating func take(_ steps: Int, of counter: String, at time: WallClockTime) -> Int? {
    guard let last = totals[counter] else {
      if totals.count >= Self.limit { totals.removeAll() }
      totals[counter] = Total(steps: steps, time: time)
      return 0
    }
    guard time >= last.time else { return nil }
    totals[counter] = Total(steps: steps, time: time)
    let count = steps - last.steps
    return (0...Self.largestStep).contains(count) ? count : 0
  }
}
