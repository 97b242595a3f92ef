/// A heart rate that nobody is to stay above, whatever a strategy says. It is a reminder and no medical judgement.
public struct SafetyCeiling: Hashable, Sendable {
  /// The heart rate, in beats per minute as displayed, above which the time counts.
  public let beatsPerMinute: Int
  /// How long the heart rate has to be above it before a cue is given.
  public let after: SessionTime

  /// Heart rates that can be a ceiling: what a maximum can be, and what is added to it.
  public static let plausible = 60...255
  /// How far above the maximum heart rate the usual ceiling is, in beats per minute.
  public static let aboveMaximum = 5
  /// The usual time above it.
  public static let usualTime = SessionTime.seconds(30)
  /// The time from a cue to the next one while the heart rate stays above.
  public static let reminder = SessionTime.seconds(60)
  /// How long a dip may last that does not end a time above the ceiling.
  public static let longestDip = SessionTime.seconds(5)
  /// How far under the ceiling such a dip may go, in beats per minute.
  static let deepestDip = 1

  /// Creates a ceiling.
  ///
  /// - Throws: ``ZoneError/outOfRange(quantity:value:expected:)`` for a heart rate outside 60…255 bpm or a time outside
  ///   1…600 s.
  public init(beatsPerMinute: Int, after: SessionTime = usualTime) throws(ZoneError) {
    try ZoneError.require(beatsPerMinute, in: Self.plausible, "ceiling")
    guard after >= .seconds(1), after <= .seconds(600) else {
      throw ZoneError.outOfRange(
        quantity: "time above the ceiling in seconds", value: Decimal.text(after.seconds), expected: "1…600")
    }
    self.beatsPerMinute = beatsPerMinute
    self.after = after
  }

  /// The usual ceiling of a person with a maximum: 5 bpm above it, for 30 s.
  public init(above maximum: MaximumHeartRate) {
    beatsPerMinute = maximum.beatsPerMinute + Self.aboveMaximum
    after = Self.usualTime
  }
}

/// Follows for how long the heart rate has been above a ceiling. Times are active time.
///
/// A time above begins with a heart rate over the ceiling. A dip to the ceiling or a beat under it that lasts no longer
/// than ``SafetyCeiling/longestDip`` belongs to it; anything lower, a longer dip, a pause and a lost signal end it. A gap
/// in which the last heart rate is still held belongs to it as well.
struct CeilingWatch: Sendable {
  let ceiling: SafetyCeiling
  /// When to give the next cue, if the heart rate stays where it is; absent while it is not over the ceiling.
  private(set) var due: SessionTime?

  private var since: SessionTime?
  private var dipSince: SessionTime?
  private var lastCue: SessionTime?

  init(_ ceiling: SafetyCeiling) { self.ceiling = ceiling }

  /// Heart rates up to here change nothing, so that they need not be observed.
  var unmovedUpTo: Int { since == nil ? ceiling.beatsPerMinute : .min }

  /// Takes the heart rate of an instant, as displayed.
  mutating func observe(_ bpm: Int, at active: SessionTime) {
    guard bpm > ceiling.beatsPerMinute else {
      due = nil
      guard since != nil else { return }
      guard bpm >= ceiling.beatsPerMinute - SafetyCeiling.deepestDip else { return lose() }
      dipSince = dipSince ?? active
      return
    }
    if let dipSince, active - dipSince > SafetyCeiling.longestDip { lose() }
    dipSince = nil
    let start = since ?? active
    since = start
    due = max(lastCue.map { $0 + SafetyCeiling.reminder } ?? start + ceiling.after, active)
  }

  /// There is no heart rate any more.
  mutating func lose() { self = CeilingWatch(ceiling) }

  /// Whether the heart rate is above the ceiling for long enough that nothing but slowing down is to be said.
  func isSounding(at active: SessionTime) -> Bool {
    guard let since, active - since >= ceiling.after else { return false }
    return dipSince.map { active - $0 <= SafetyCeiling.longestDip } ?? true
  }

  /// A cue is given now; for how long the heart rate has been above.
  mutating func sound(at active: SessionTime) -> SessionTime {
    lastCue = active
    due = active + SafetyCeiling.reminder
    return active - (since ?? active)
  }
}
