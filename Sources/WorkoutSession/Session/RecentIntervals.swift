internal import TextFormats
internal import ZoneEngine

/// The intervals between beats that came with the newest heart rates, so that a line that was sent again is known from another one of the
/// same second: two readings of a strap with one stamp and one heart rate have beats of their own.
struct RecentIntervals: Sendable {
  /// As many as heart rates are remembered.
  private static let capacity = RecentSamples.capacity

  private var lines: [(time: SessionTime, hash: UInt64)] = []
  private var next = 0

  /// Takes what came beside a heart rate; whether what became of that leaves it unused: of a line that came again it was there, and of a
  /// late heart rate later ones were.
  mutating func areUnused(_ readings: [Reading], at time: SessionTime, by admission: Admission) -> Bool {
    guard !readings.isEmpty else { return false }
    var hash = ContentHash()
    for case .rrInterval(let milliseconds) in readings { hash.add(word: milliseconds.bitPattern) }
    let line = (time: time, hash: hash.value)
    if admission == .duplicate, lines.contains(where: { $0 == line }) { return true }
    if lines.count < Self.capacity { lines.append(line) } else { lines[next] = line }
    next = (next + 1) % Self.capacity
    return admission == .late
  }
}
