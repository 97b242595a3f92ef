/// Follows how far a runner has come in a plan of which a step lasts some metres.
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

  /// Begins with a step that lasts `goal` metres, or ends otherwise.
  init(goal: Double?) { self.goal = goal }

  /// Metres that are left of the step; absent for a step that ends otherwise.
  var remaining: Double? { goal.map { max(0, start + $0 - total) } }

  /// Begins another step. What was covered beyond the end of the last one counts for it, so that ten times 400 m are 4 km.
  mutating func begin(goal new: Double?) {
    start = end == nil ? total : start + (goal ?? 0)
    goal = new
    if remaining != 0 { end = nil }
  }

  /// Takes the metres of the active session up to a time.
  mutating func cover(upTo meters: Double, at time: SessionTime) {
    total = meters
    if end == nil, remaining == 0 { end = time + Self.settlingTime }
  }
}
