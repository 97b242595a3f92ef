/// For how much of a session something was asked for, and how much of that a heart rate was held.
///
/// Time with another quantity than the heart rate is counted by ``QuantityTotal``. It is notified when targets begin, not as time passes: the time since is the difference to totals that are counted
/// anyway.
struct TargetTotal: Sendable {
  private var isAsked: Bool
  private var isOfHeart: Bool
  private var activeAtBegin = SessionTime.zero
  private var coveredAtBegin = SessionTime.zero
  private var earlierActive = SessionTime.zero
  private var earlierCovered = SessionTime.zero

  /// Begins with the session and its first target.
  init(_ target: ResolvedTarget?) {
    isAsked = target != nil
    isOfHeart = target.map { $0.quantity == nil } ?? false
  }

  /// Something else, or nothing, is asked for from now on; `active` and `covered` are the totals of the session.
  mutating func begin(_ new: ResolvedTarget?, active: SessionTime, covered: SessionTime) {
    earlierActive = self.active(at: active)
    earlierCovered = self.covered(ofAll: covered)
    activeAtBegin = active
    coveredAtBegin = covered
    isAsked = new != nil
    isOfHeart = new.map { $0.quantity == nil } ?? false
  }

  /// Active time in which there was a target, given the active time of the session.
  func active(at active: SessionTime) -> SessionTime {
    isAsked ? earlierActive + (active - activeAtBegin) : earlierActive
  }

  /// Active time with a heart rate as a target in which one was held, given all time in which one was.
  func covered(ofAll covered: SessionTime) -> SessionTime {
    isOfHeart ? earlierCovered + (covered - coveredAtBegin) : earlierCovered
  }
}
