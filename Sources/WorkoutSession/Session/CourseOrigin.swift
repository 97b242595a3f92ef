internal import ZoneEngine

/// What a ``TimeCourse`` knows of one origin: where its clock stands beside the session, and what it sent when.
struct CourseOrigin: Sendable {
  /// How many usual intervals long a silence is at least.
  private static let intervalsOfSilence: Int64 = 3
  /// How many silences are remembered.
  private static let rememberedSilences = 16

  let id: StampOrigin
  /// What the clock is ahead of the session.
  var shift: SessionTime
  /// The newest time.
  private(set) var newest: SessionTime?
  /// The last two intervals.
  private(set) var intervals: (SessionTime, SessionTime)?
  private var lastInterval: SessionTime?
  /// Spans in which it sent nothing, the newest last.
  private var silences: [(from: SessionTime, until: SessionTime)] = []
  /// Whether its newest silence ended with its newest stamp, so that nothing has confirmed it yet.
  private var hasJustSpoken = false
  /// Its stamps that have no place.
  var stray = StrayRow()
  /// When it was last heard, as a count of stamps.
  var heard = 0
  /// The same of its newest stamp that had a place.
  var placed = 0
  /// How far its times are ahead of the machine's clock, where the session follows that.
  var lead: ClockLead?
  /// Its stamps in a row that have a place far behind the session, and whether it was on time before.
  var lag: StampPace?
  var wasOnTime = false
  /// How far those are behind, where they keep pace with it.
  var steadyLag: SessionTime?
  /// Whether its clock is slow, so that its next stamp has to be brought to where the session is.
  var isSlow = false

  /// An origin of which nothing is known.
  init(_ id: StampOrigin, shift: SessionTime = .zero) { (self.id, self.shift) = (id, shift) }

  /// The longer one of the last two intervals.
  var longestInterval: SessionTime? { intervals.map { max($0.0, $0.1) } }

  /// Takes a time that goes on; the span before it is a silence, unless a clock may have been set in it.
  mutating func accept(_ time: SessionTime, isSilenceKnown: Bool = true) {
    stray.end()
    if let newest, time > newest {
      let interval = min(time - newest, TimeCourse.longestPause)
      let usual = lastInterval.map { $0.nanoseconds * Self.intervalsOfSilence } ?? .max
      hasJustSpoken = isSilenceKnown && interval.nanoseconds >= min(usual, TimeCourse.longestReturn.nanoseconds)
      if hasJustSpoken {
        if silences.count == Self.rememberedSilences { silences.removeFirst() }
        silences.append((from: newest, until: time))
      }
      intervals = lastInterval.map { ($0, interval) }
      lastInterval = interval
    }
    newest = max(newest ?? time, time)
  }

  /// Forgets how far its stamps are apart: its clock was set.
  mutating func forgetIntervals() { (intervals, lastInterval) = (nil, nil) }

  /// Whether a time lies in a silence; the newest one counts only where something else confirms it, while one stamp alone shows it.
  func isSilent(at time: SessionTime, newestCounts: Bool) -> Bool {
    let known = hasJustSpoken && !newestCounts ? silences.dropLast() : silences[...]
    return known.contains { $0.from < time && time < $0.until }
  }

  /// Whether it sent something shortly before a time.
  func isNear(_ time: SessionTime) -> Bool { newest.map { time - $0 <= TimeCourse.longestReturn } ?? false }
}
