package import ZoneEngine

/// How far the heart rate falls in the first minute of a pause; the largest of a session.
///
/// Source: Cole C.R. et al. (1999), N Engl J Med 341:1351, who measured one minute after the end of exercise. It is known
/// where heart rates go on through a pause of a minute.
package struct HeartRateRecovery: Sendable {
  private static let span = SessionTime.seconds(60)
  /// How old the reading before the pause may be, and how late the one after the minute.
  private static let tolerance = SessionTime.seconds(5)

  /// The largest fall in beats per minute; `nil` when none was measured: a heart rate that rises is no recovery.
  package private(set) var largestFall: Double?
  private var last: (beatsPerMinute: Double, time: SessionTime)?
  private var pause: (beatsPerMinute: Double, from: SessionTime)?

  /// Creates the recovery of a session that begins.
  package init() {}

  /// Takes an accepted heart rate.
  package mutating func admit(heartRate beatsPerMinute: Double, at time: SessionTime) {
    last = (beatsPerMinute, time)
    guard let pause, time >= pause.from + Self.span else { return }
    self.pause = nil
    guard time <= pause.from + Self.span + Self.tolerance else { return }
    let fall = pause.beatsPerMinute - beatsPerMinute
    if fall > largestFall ?? 0 { largestFall = fall }
  }

  /// Takes note of a pause.
  package mutating func pause(at time: SessionTime) {
    guard let last, time - last.time <= Self.tolerance else { return }
    pause = (last.beatsPerMinute, time)
  }

  /// Takes note that the session goes on.
  package mutating func resume() { pause = nil }
}
