internal import ZoneEngine

/// When a runner works who works only for the checks.
struct Attention {
  /// The share of the correction that is given up while the runner does not work.
  private let share: Double
  /// Seconds before a check from which on the runner works; negative for never.
  private let workSeconds: Double
  private let every: Double
  private var nextCheck = 0.0

  init(_ strategy: FeedbackStrategy, _ behaviour: Behaviour, _ runner: VirtualRunner) {
    guard let anticipation = behaviour.anticipation, strategy != .none else {
      self.init(share: 0, workSeconds: 0, every: .infinity)
      return
    }
    let share = anticipation.share ?? runner.traits.anticipation
    if let schedule = CheckSchedule(strategy) {
      self.init(share: share, workSeconds: schedule.judged + anticipation.leadSeconds, every: schedule.every)
    } else {
      self.init(share: anticipation.unforeseen == .works ? 0 : share, workSeconds: -1, every: .infinity)
    }
  }

  private init(share: Double, workSeconds: Double, every: Double) {
    self.share = share
    self.workSeconds = workSeconds
    self.every = every
    nextCheck = every == .infinity ? every : 0
  }

  /// The share of the correction that is given up in a second; 0 for one in which the runner works.
  ///
  /// - Precondition: it is asked each second from 0 on.
  @inline(__always)
  mutating func restingShare(at second: Int) -> Double {
    guard share > 0 else { return 0 }
    let time = Double(second)
    if time > nextCheck { nextCheck += every }
    return time >= nextCheck - workSeconds ? 0 : share
  }
}
