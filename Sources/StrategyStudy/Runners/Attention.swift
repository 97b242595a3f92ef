internal import ZoneEngine

/// When a runner works who works only for the checks.
struct Attention {
  /// The second from which on the answer may be another one; `Int.max` for never.
  private(set) var nextChange = Int.max

  /// The share of the correction that is given up while the runner does not work.
  private let share: Double
  /// Seconds before a check from which on the runner works.
  private let workSeconds: Double
  private let every: Double
  private var nextCheck = 0.0

  init(_ strategy: FeedbackStrategy, _ behaviour: Behaviour, _ runner: VirtualRunner) {
    let share = behaviour.anticipation.map { $0.share ?? runner.traits.anticipation } ?? 0
    guard let anticipation = behaviour.anticipation, let schedule = strategy.schedule, schedule.isForeseeable, share > 0
    else {
      // Nothing to foresee: always the same.
      self.share = behaviour.anticipation?.unforeseen == .rests ? share : 0
      workSeconds = 0
      every = .infinity
      return
    }
    self.share = share
    workSeconds = (strategy.judgedSpan ?? .zero).seconds + anticipation.leadSeconds
    every = schedule.every.seconds
    nextChange = 0
  }

  /// The share of the correction that is given up in a second; 0 for one in which the runner works.
  ///
  /// - Precondition: it is asked in order of time, and at every change.
  @inline(__always)
  mutating func restingShare(at second: Int) -> Double {
    if nextChange == .max { return share }
    let time = Double(second)
    if time > nextCheck { nextCheck += every }
    let begin = nextCheck - workSeconds
    guard time < begin else {
      nextChange = Int(nextCheck) + 1
      return 0
    }
    nextChange = Int(begin.rounded(.up))
    return share
  }
}
