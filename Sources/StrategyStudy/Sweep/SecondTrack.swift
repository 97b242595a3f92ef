internal import ZoneEngine

/// The heart rates of a session at whole seconds, a byte a second: what a sweep over a cohort reads.
///
/// There is at most one heart rate a second, a whole number, and the session has no pause. Seconds may be without one, so
/// a watch that reports a heart rate every few seconds qualifies as well.
package struct SecondTrack: Hashable, Sendable {
  /// The longest session that is taken, 23 days: what is counted of a second takes 16 bytes.
  package static let longestSeconds = 2_000_000
  /// Stands for a reading that the filter never believes, whichever it is.
  static let unbelievable: UInt8 = 255

  /// What was measured at each second from the start to the end, both included; 0 where nothing was.
  package let readings: [UInt8]

  /// When the session ends, in seconds.
  package var endSeconds: Int { readings.count - 1 }

  /// Creates a track of what was measured at each second, 0 where nothing was; `nil` for a session that ends before its
  /// last reading or is too long.
  ///
  /// - Parameter endSeconds: when the session ends; a reading at this very second counts, but not held for any time.
  package init?(_ readings: [UInt8], endSeconds: Int) {
    guard endSeconds >= 0, endSeconds <= Self.longestSeconds, readings.count <= endSeconds + 1 else { return nil }
    self.readings = readings + [UInt8](repeating: 0, count: endSeconds + 1 - readings.count)
  }

  /// The same readings as in a track; `nil` when one is between two whole seconds or two whole beats per minute, when two
  /// share a second, when another stream is ahead of one, or when there is a pause.
  package init?(_ track: HeartRateTrack) {
    guard let end = track.end.wholeSeconds, end >= 0, end <= Self.longestSeconds else { return nil }
    for turn in track.turns {
      // A lap changes nothing where no plan waits for it, unless it comes before a reading that is older.
      guard turn.turn == .lap, turn.index == track.count || turn.time <= track.times[turn.index] else { return nil }
    }
    var readings = [UInt8](repeating: 0, count: end + 1)
    for (time, beatsPerMinute) in zip(track.times, track.beatsPerMinute) {
      guard let second = time.wholeSeconds, readings.indices.contains(second), readings[second] == 0 else { return nil }
      guard SignalFilter.plausible.contains(beatsPerMinute) else {
        readings[second] = Self.unbelievable
        continue
      }
      guard let whole = UInt8(exactly: beatsPerMinute) else { return nil }
      readings[second] = whole
    }
    self.readings = readings
  }
}

extension SessionTime {
  /// The same time in seconds where it is a whole number of them.
  var wholeSeconds: Int? {
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return rest == 0 ? Int(seconds) : nil
  }
}
