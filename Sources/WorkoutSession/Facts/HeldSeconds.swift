internal import ZoneEngine

/// The displayed heart rate that is held at each whole second of a session, a byte each, for what is said of its steps.
struct HeldSeconds: Sendable {
  /// No heart rate at that second.
  static let none: UInt8 = 0
  /// The session was paused at that second.
  static let paused: UInt8 = 255
  /// How many seconds are kept: two days. What comes later is not looked at.
  static let most = 172_800

  /// The seconds from the start.
  private(set) var values: [UInt8] = []
  private var held: (beatsPerMinute: UInt8, until: Int64)?
  private var isRunning = true

  /// Takes an accepted heart rate of the active session.
  mutating func admit(heartRate beatsPerMinute: Double, at time: SessionTime) {
    fill(until: time)
    let displayed = Int((beatsPerMinute + 0.5).rounded(.down))
    held = (UInt8(clamping: min(displayed, 254)), (time + HeartRateWindow.longestHeld).nanoseconds)
  }

  /// The session is paused, goes on or ends.
  mutating func run(_ isRunning: Bool, at time: SessionTime) {
    fill(until: time)
    held = nil
    self.isRunning = isRunning
  }

  /// Takes the whole seconds before a time that were not taken yet.
  private mutating func fill(until time: SessionTime) {
    let end = Int(min((time.nanoseconds + 999_999_999) / 1_000_000_000, Int64(Self.most)))
    while values.count < end {
      let isHeld = held.map { Int64(values.count) * 1_000_000_000 < $0.until } ?? false
      values.append(isHeld ? held?.beatsPerMinute ?? Self.none : isRunning ? Self.none : Self.paused)
    }
  }
}
