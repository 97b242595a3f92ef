internal import ZoneEngine

/// The highest mean of the heart rate over some seconds that follow each other.
///
/// It is of the displayed heart rates that are held at each whole second of the session: the newest accepted one, at most
/// ``longestHeld`` old, and none in a pause. A window counts when at least ``leastCovered`` of its seconds have one; the mean is
/// over those. A second that has none is a second all the same, so that rest does not join two efforts.
struct HeartRateWindow: Sendable {
  /// How long a heart rate is held.
  static let longestHeld = SessionTime.seconds(15)
  /// The smallest part of a window that must be covered.
  static let leastCovered = 0.95

  private let length: Int
  /// The last seconds, 0 for none; a ring when it is full.
  private var ring: [UInt8] = []
  private var oldest = 0
  /// How many seconds there were.
  private var seconds: Int64 = 0
  private var sum = 0
  private var covered = 0
  private var held: (beatsPerMinute: UInt8, time: SessionTime)?
  private var best: (mean: Double, from: Int64)?

  /// A window of so many seconds over a session that begins.
  init(seconds length: Int) { self.length = length }

  /// The best window; `nil` when there is none.
  var effort: BestEffort? {
    best.map { BestEffort(.heartRate(seconds: length), thousandthsOf: $0.mean, at: Double($0.from)) }
  }

  /// Takes an accepted heart rate of the active session.
  mutating func admit(heartRate beatsPerMinute: Double, at time: SessionTime) {
    fill(until: time)
    held = (UInt8(clamping: Int((beatsPerMinute + 0.5).rounded(.down))), time)
  }

  /// Nothing is held from now on: a pause, or the end.
  mutating func interrupt(at time: SessionTime) {
    fill(until: time)
    held = nil
  }

  /// Takes the whole seconds before a time that were not taken yet.
  private mutating func fill(until time: SessionTime) {
    let end = (time.nanoseconds + 999_999_999) / 1_000_000_000
    let heldUntil = held.map { ($0.time + Self.longestHeld).nanoseconds } ?? 0
    while seconds < end {
      let isHeld = seconds * 1_000_000_000 < heldUntil
      if !isHeld, covered == 0, end - seconds >= Int64(length) {
        // A silence of a whole window.
        ring = Array(repeating: 0, count: length)
        seconds = end
      } else {
        append(isHeld ? held?.beatsPerMinute ?? 0 : 0)
      }
    }
  }

  private mutating func append(_ value: UInt8) {
    if ring.count == length {
      let old = ring[oldest]
      sum -= Int(old)
      if old > 0 { covered -= 1 }
      ring[oldest] = value
      oldest = (oldest + 1) % length
    } else {
      // Not more than the window, where doubling would take it.
      if ring.count == ring.capacity, 2 * ring.count > length { ring.reserveCapacity(length) }
      ring.append(value)
    }
    sum += Int(value)
    if value > 0 { covered += 1 }
    seconds += 1
    guard ring.count == length, Double(covered) >= Self.leastCovered * Double(length) else { return }
    let mean = Double(sum) / Double(covered)
    if best.map({ mean > $0.mean }) ?? true { best = (mean, seconds - Int64(length)) }
  }
}
