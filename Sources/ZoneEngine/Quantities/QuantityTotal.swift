/// For how long a quantity that is no heart rate was held while it was asked for, and for how much of that in the target.
/// Times are active time; what is held now is counted up to the time that is asked about.
struct QuantityTotal: Sendable {
  private var earlierCovered = SessionTime.zero
  private var earlierInTarget = SessionTime.zero
  private var from = SessionTime.zero
  private var until = SessionTime.zero
  private var isInTarget = false

  /// A value is held from a time on, until another one if none comes before.
  mutating func hold(from start: SessionTime, until end: SessionTime, isInTarget new: Bool) {
    release(at: start)
    (from, until, isInTarget) = (start, max(start, end), new)
  }

  /// Nothing is held, or asked for, from a time on.
  mutating func release(at time: SessionTime) {
    earlierCovered = covered(at: time)
    earlierInTarget = inTarget(at: time)
    (from, until, isInTarget) = (time, time, false)
  }

  /// Covered active time up to a time.
  func covered(at time: SessionTime) -> SessionTime { earlierCovered + max(.zero, min(until, time) - from) }

  /// Active time in the target up to a time.
  func inTarget(at time: SessionTime) -> SessionTime {
    isInTarget ? earlierInTarget + max(.zero, min(until, time) - from) : earlierInTarget
  }
}
