/// Follows how far a runner has come in a plan of which a step lasts some metres.
///
/// A step that follows one of some time begins with the metres that were read up to its beginning, those of them included
/// that come a moment later. So beginning and end are the same whatever order the readings of the last moment came in.
struct StepDistance: Hashable, Sendable {
  /// How long after the reading that completes it a step is over.
  ///
  /// Positions and heart rates come from different devices: with these 2 s a position that is reported a moment late ends
  /// its step at the same instant as in the order of time.
  static let settlingTime = SessionTime.seconds(2)

  /// Metres of the active session so far.
  private(set) var total = 0.0
  /// Metres that the step lasts; absent for a step that ends otherwise.
  private(set) var goal: Double?
  /// When the step is over; absent until its metres are covered.
  private(set) var end: SessionTime?
  /// The metres at which the step began.
  private var start = 0.0
  /// When it began, where ``start`` is what was read up to then.
  private var beginning: SessionTime?
  /// Metres of readings that were so long ago that all of their time have come.
  private var settled = 0.0
  /// Later readings, in the order in which they came.
  private var recent: [Reading] = []

  private struct Reading: Hashable {
    let time: SessionTime
    let meters: Double
  }

  /// Begins with a step that lasts `goal` metres, or ends otherwise.
  init(goal: Double?) { self.goal = goal }

  /// Metres that are left of the step; absent for a step that ends otherwise.
  var remaining: Double? { goal.map { max(0, start + $0 - total) } }

  /// Begins another step. What was covered beyond the end of the last one counts for it, so that ten times 400 m are 4 km.
  ///
  /// - Parameter isLap: whether somebody asks for it, so that it begins with all that was read.
  /// - Returns: from when on half of its metres are covered, where that is known already.
  mutating func begin(goal new: Double?, at now: SessionTime, isLap: Bool) -> SessionTime? {
    settle(at: now)
    beginning = nil
    if end != nil {
      start += goal ?? 0
    } else if isLap {
      start = total
    } else {
      start = recent.last { $0.time <= now }?.meters ?? settled
      beginning = now
    }
    (goal, end) = (new, nil)
    guard let new else { return nil }
    end = known(upTo: start + new, at: now)
    return known(upTo: start + new / 2, at: now)
  }

  /// From when on some metres are covered, by what was read; `nil` where they are not.
  private func known(upTo meters: Double, at now: SessionTime) -> SessionTime? {
    settled >= meters ? now : recent.first { $0.meters >= meters }.map { $0.time + Self.settlingTime }
  }

  /// Whether half of the metres are covered.
  private var isHalfCovered: Bool { goal.map { total >= start + $0 / 2 } ?? false }

  private mutating func settle(at now: SessionTime) {
    while let first = recent.first, first.time + Self.settlingTime <= now {
      settled = first.meters
      recent.removeFirst()
    }
  }

  /// Takes the metres of the active session up to a time.
  ///
  /// - Returns: from when on half of the step is covered, where these metres are the first that show it.
  mutating func cover(upTo meters: Double, at time: SessionTime, now: SessionTime) -> SessionTime? {
    settle(at: now)
    let wasHalfCovered = isHalfCovered
    total = meters
    recent.append(Reading(time: time, meters: meters))
    if let beginning, time <= beginning { start = meters }
    if end == nil, remaining == 0 { end = time + Self.settlingTime }
    return isHalfCovered && !wasHalfCovered ? time + Self.settlingTime : nil
  }
}
