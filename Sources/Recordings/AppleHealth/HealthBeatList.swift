internal import TextFormats

/// The beats that stand in a record of the variability of the heart rate: what Apple Health has of the times between beats.
///
/// A beat has a time of day to a hundredth of a second, in words of the phone's language, and beats per minute as a whole number. The
/// record has days and seconds. As a record lasts a minute or so, only minutes and seconds of a beat matter: hours, halves of a day
/// and time zones, all of them whole quarters of an hour, are those of the record.
struct HealthBeatList: Hashable, Sendable {
  /// The most beats of a record that are read.
  static let mostBeats = 10_000
  /// The longest record, in seconds: shorter than a quarter of an hour, so that each beat has one place in it.
  static let longest: UInt32 = 890
  /// Beats per minute that are believed to be some.
  static let believed = 20.0...300.0
  /// How far a beat may lie outside of its record, in milliseconds: starts and ends are whole seconds.
  private static let tolerance = 2_000
  private static let quarter = 900_000

  /// The time between two beats.
  struct Interval: Hashable, Sendable {
    /// When the second of them was, in milliseconds since the start of the record; negative for one just before it.
    let atMilliseconds: Int
    /// How long it was.
    let milliseconds: Double
  }

  /// When the measuring began.
  let start: AppleHealthTime
  /// When it ended; never before `start`.
  let end: AppleHealthTime
  /// How far the clock of the record is ahead of UTC.
  let utcOffsetSeconds: Int
  /// The number of the name of who measured, among the sources.
  let source: Int
  /// The times between beats, in the order of the file.
  private(set) var intervals: [Interval] = []
  /// Whether something in the list cannot be used.
  private(set) var hasUnreadable = false

  init(start: AppleHealthTime, end: AppleHealthTime, utcOffsetSeconds: Int, source: Int) {
    (self.start, self.end, self.utcOffsetSeconds, self.source) = (start, end, utcOffsetSeconds, source)
  }

  /// Takes the next beat.
  ///
  /// The time since the beat before it is the difference of their times where that agrees with its beats per minute, else what these
  /// say: then a beat between the two is missing.
  ///
  /// - Parameters:
  ///   - beatsPerMinute: absent for a text that is no number.
  ///   - time: milliseconds within a quarter of an hour; absent for a text that is no time of day.
  mutating func admit(beatsPerMinute: Double?, time: Int?) {
    guard let beatsPerMinute, Self.believed.contains(beatsPerMinute), let at = time.flatMap(place),
      intervals.count < Self.mostBeats
    else {
      hasUnreadable = true
      return
    }
    let stated = 60_000 / beatsPerMinute
    let since = intervals.last.map { Double(at - $0.atMilliseconds) }
    intervals.append(
      Interval(
        atMilliseconds: at,
        milliseconds: since.flatMap { Self.agrees($0, with: beatsPerMinute) ? $0 : nil } ?? stated))
  }

  /// Whether a difference of two times, each to a hundredth of a second, may be what a whole number of beats per minute says, rounded
  /// or cut.
  private static func agrees(_ milliseconds: Double, with beatsPerMinute: Double) -> Bool {
    guard milliseconds > 10 else { return false }
    return 60_000 / (milliseconds + 10) - 1 <= beatsPerMinute && beatsPerMinute <= 60_000 / (milliseconds - 10) + 1
  }

  /// Milliseconds since the start of the record, for a time within a quarter of an hour; `nil` outside of the record.
  private func place(_ time: Int) -> Int? {
    guard end.seconds - start.seconds <= Self.longest else { return nil }
    var since = time - Int(start.seconds % 900) * 1_000
    if since < 0 { since += Self.quarter }
    if since >= Self.quarter - Self.tolerance { since -= Self.quarter }
    return since <= Int(end.seconds - start.seconds) * 1_000 + Self.tolerance ? since : nil
  }

  /// Milliseconds within a quarter of an hour of a time of day such as `7:03:20.45 AM`, `16:17:18,57` or `4:17:18.57 pm`; what follows
  /// the seconds does not matter. `nil` for anything else.
  static func millisecondsOfQuarter(_ text: Span<UInt8>) -> Int? {
    var place = 0
    func digits(atMost count: Int) -> (value: Int, count: Int)? {
      var (value, read) = (0, 0)
      while place < text.count, read < count, case let digit = text[place] &- UInt8(ascii: "0"), digit < 10 {
        (value, read, place) = (value * 10 + Int(digit), read + 1, place + 1)
      }
      return read > 0 ? (value, read) : nil
    }
    func passes(_ byte: UInt8) -> Bool {
      guard place < text.count, text[place] == byte else { return false }
      place += 1
      return true
    }
    guard let hours = digits(atMost: 2), hours.value < 25, passes(UInt8(ascii: ":")), let minutes = digits(atMost: 2),
      minutes.value < 60, passes(UInt8(ascii: ":")), let seconds = digits(atMost: 2), seconds.value < 61
    else { return nil }
    var milliseconds = 0
    if passes(UInt8(ascii: ".")) || passes(UInt8(ascii: ",")) {
      guard let fraction = digits(atMost: 3) else { return nil }
      milliseconds = fraction.value * [100, 10, 1][fraction.count - 1]
    }
    return (minutes.value % 15 * 60 + seconds.value) * 1_000 + milliseconds
  }
}
