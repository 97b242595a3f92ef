internal import TextFormats
internal import ZoneEngine

/// Sentences about stamps, for people.
enum CourseWording {
  /// A stamp that has no place in the session.
  static func implausible(_ sent: WallClockTime, _ sample: LiveSample) -> String {
    "\(sample.reading.stream.name) of \(sent): far from the time of the session: kept, and decides nothing (reported once)"
  }

  /// Samples of another time than the start, which are taken for a recording.
  static func recorded(_ first: WallClockTime) -> String {
    "the samples are of \(first), and the session began now: it goes on by their own times"
  }

  /// A clock that was set.
  static func set(by shift: SessionTime, _ sample: LiveSample) -> String {
    let seconds = shift.nanoseconds.magnitude / 1_000_000_000
    let device = sample.source.map { " of '\($0)'" } ?? ""
    return
      "the clock\(device) is \(seconds) s \(shift < .zero ? "behind" : "ahead of") what it was: the session goes on"
  }
}
