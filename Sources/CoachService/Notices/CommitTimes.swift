/// How long commits took, for a histogram.
struct CommitTimes: Sendable {
  /// The upper bounds of the buckets.
  static let bounds: [(nanoseconds: Int64, text: String)] = [
    (1_000_000, "0.001"), (2_500_000, "0.0025"), (5_000_000, "0.005"), (10_000_000, "0.01"), (25_000_000, "0.025"),
    (50_000_000, "0.05"), (100_000_000, "0.1"), (250_000_000, "0.25"), (1_000_000_000, "1"),
  ]

  /// How many took no longer than each bound.
  private(set) var counts = bounds.map { _ in 0 }
  /// How many there were.
  private(set) var count = 0
  /// How long they took together.
  private(set) var nanoseconds: Int64 = 0

  mutating func add(_ time: Int64) {
    count += 1
    nanoseconds &+= time
    for (index, bound) in Self.bounds.enumerated() where time <= bound.nanoseconds { counts[index] += 1 }
  }
}
