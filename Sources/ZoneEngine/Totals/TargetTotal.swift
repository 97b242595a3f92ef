/// For how much of a session something was asked for, and how much of that a heart rate was held.
///
/// It is notified when targets begin, not as time passes: the time since is the difference to totals that are counted
/// anyway.
struct TargetTotal: Sendable {
  private var isAsked: Bool
  private var activeAtBegin = SessionTime.zero
  private var coveredAtBegin = SessionTime.zero
  private var earlierActive = SessionTime.zero
  private var earlierCovered = SessionTime.zero

  /// Begins with the session.
  init(isAsked: Bool) { self.isAsked = isAsked }

  /// Something else, or nothing, is asked for from now on; `active` and `covered` are the totals of the session.
  mutating func begin(isAsked new: Bool, active: SessionTime, covered: SessionTime) {
    earlierActive = self.active(at: active)
    earlierCovered = self.covered(ofAll: covered)
    activeAtBegin = active
    coveredAtBegin = covered
    isAsked = new
  }

  /// Active time in which there was a target, given the active time of the session.
  func active(at active: SessionTime) -> SessionTime {
    isAsked ? earlierActive + (active - activeAtBegin) : earlierActive
  }

  /// Active time with a target in which a heart rate was held, given all time in which one was.
  func covered(ofAll covered: SessionTime) -> SessionTime {
    isAsked ? earlierCovered + (covered - coveredAtBegin) : earlierCovered
  }
}
