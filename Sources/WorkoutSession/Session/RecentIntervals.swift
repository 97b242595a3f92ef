internal import ZoneEngine

/// The intervals between beats that came with the newest heart rates, so that a line that was sent again is known from another one of the
/// same second: two readings of a strap with one stamp and one heart rate have beats of their own.
struct RecentIntervals: Sendable {
  /// As many as heart rates are remembered.
  private static let capacity = RecentSamples.capacity

  private var lines: [(time: SessionTime, hash: UInt64)] = []
  private var next = 0

  /// Takes what came beside a heart rate; whether it did before, at the same time.
  mutating func isRepeated(_ readings: [Reading], at time: SessionTime) -> Bool {
    guard !readings.isEmpty else { return false }
    // FNV-1a of the bits, by words.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for case .rrInterval(let milliseconds) in readings {
      hash = (hash ^ milliseconds.bitPattern) &* 0x100_0000_01B3
    }
    if lines.contains(where: { $0.time == time && $0.hash == hash }) { return true }
    if lines.count < Self.capacity { lines.append((time, hash)) } else { lines[next] = (time, hash) }
    next = (next + 1) % Self.capacity
    return false
  }
}
