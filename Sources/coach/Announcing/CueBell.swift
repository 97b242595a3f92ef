import Glibc
import LiveCoaching
import WorkoutSession
import ZoneEngine

/// Rings the bell of the terminal, in a pattern for each cue: once to hold, twice to speed up, three times to slow down.
///
/// A bell has neither length nor pitch, so that the count distinguishes them.
final class CueBell {
  /// Rings follow each other this far apart, in nanoseconds: terminals take closer ones for one.
  static let spacing: Int64 = 300_000_000

  private let ring: () -> Void
  private var left = 0
  /// When the next ring is due, in nanoseconds of the monotonic clock; `nil` for never.
  private(set) var turn: Int64?

  /// A bell that sounds by what `ring` does.
  init(ring: @escaping () -> Void = CueBell.ringTerminal) { self.ring = ring }

  /// How often it rings for a cue.
  static func count(_ action: CueAction) -> Int {
    switch action {
    case .hold: 1
    case .speedUp: 2
    case .slowDown: 3
    }
  }

  /// Rings for a cue, the first time at once; a cue that comes meanwhile takes the place of the one before.
  func ring(for action: CueAction, now: Int64) {
    left = Self.count(action)
    advance(now: now, isDue: true)
  }

  /// Rings for the cues among what is said, and once for each of the last seconds of a step.
  func ring(for announcements: [Announcement], now: Int64) {
    for announcement in announcements {
      if let cue = announcement.cue {
        ring(for: cue.action, now: now)
      } else if case .countdown = announcement.phrase, left == 0 {
        ring()
      }
    }
  }

  /// Rings when it is time.
  func advance(now: Int64) { advance(now: now, isDue: turn.map { now >= $0 } ?? false) }

  private func advance(now: Int64, isDue: Bool) {
    guard isDue, left > 0 else { return }
    ring()
    left -= 1
    turn = left > 0 ? now + Self.spacing : nil
  }

  /// Rings the terminal at standard output; one that is gone is no reason to stop.
  static func ringTerminal() {
    var bell: UInt8 = 0x07
    _ = unsafe write(1, &bell, 1)
  }
}
