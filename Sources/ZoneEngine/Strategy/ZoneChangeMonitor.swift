/// Follows on which side of the target the heart rate is, for the strategy that speaks when that changes. Times are
/// active time.
struct ZoneChangeMonitor: Sendable {
  /// The time that decides whether a heart rate is returning.
  static let returningWindow = SessionTime.seconds(20)

  let strategy: ZoneChangeStrategy
  /// The side now, with the margin; absent while there is no heart rate, or nothing is asked for.
  private(set) var side: TargetSide?
  /// Since when the heart rate has been there.
  private(set) var since = SessionTime.zero

  /// The side that was cued last; being in the target from the beginning needs no cue.
  private var cued: TargetSide?
  private var judgedAt = SessionTime.zero
  /// Nothing is judged before.
  private var silentUntil = SessionTime.zero

  /// The time between two reminders; a short step of a plan makes it shorter.
  private var reminder: SessionTime

  /// A monitor that has seen nothing, in a step with a longest silence.
  init(_ strategy: ZoneChangeStrategy, longestSilence: SessionTime? = nil) {
    self.strategy = strategy
    reminder = strategy.reminder.atMost(longestSilence)
  }

  /// When to judge, if the heart rate stays where it is.
  var nextCheck: SessionTime? {
    guard let side else { return nil }
    if side != cued { return max(since + strategy.dwell, silentUntil) }
    guard side != .inside, reminder > .zero else { return nil }
    return max(judgedAt + reminder, silentUntil)
  }

  /// Whether the side was cued already, so that a judgement now is a reminder.
  var isReminder: Bool { side != nil && side == cued }

  /// Takes the heart rate of an instant, as displayed.
  mutating func observe(_ bpm: Int, target: ResolvedTarget?, at active: SessionTime) {
    guard let target else { return lose() }
    begin(side(of: bpm, target), at: active)
  }

  /// Takes a value of another quantity, whose margin is a share of its limit.
  mutating func observe(_ value: Double, in band: QuantityBand, at active: SessionTime) {
    let margin = Double(strategy.marginBPM) * QuantityInstant.marginShare
    begin(side == .inside || side == nil ? band.side(of: value, margin: margin) : band.side(of: value), at: active)
  }

  private mutating func begin(_ new: TargetSide, at active: SessionTime) {
    guard new != side else { return }
    side = new
    since = active
    guard new == .inside else { return }
    if cued == nil || !strategy.saysHold { cued = .inside }
  }

  /// The heart rates that leave the side what it is, as ``observe(_:target:at:)`` has it; `nil` when there is no side.
  func sameSide(of target: ResolvedTarget?) -> (lower: Int, upper: Int)? {
    guard let target, let side else { return nil }
    let (lower, upper) = ResolvedTarget.limits(of: target)
    switch side {
    case .under: return (lower: .min, upper: lower - 1)
    case .inside:
      let margin = strategy.marginBPM
      return (lower: lower - margin, upper: upper.addingReportingOverflow(margin).overflow ? .max : upper + margin)
    case .over: return (lower: upper + 1, upper: .max)
    }
  }

  private func side(of bpm: Int, _ target: ResolvedTarget) -> TargetSide {
    let plain = target.side(ofDisplayedBPM: bpm)
    guard plain != .inside, side == .inside || side == nil else { return plain }
    // The target is left beyond the margin only.
    if plain == .under, let lower = target.lowerBPM, bpm >= lower - strategy.marginBPM { return .inside }
    if plain == .over, let upper = target.upperBPM, bpm <= upper + strategy.marginBPM { return .inside }
    return plain
  }

  /// There is no heart rate any more.
  mutating func lose() { side = nil }

  /// Begins anew after a pause, or with another target: what was cued before does not count. In a step with a longest
  /// silence, nothing of it is longer.
  mutating func restart(at active: SessionTime, longestSilence: SessionTime? = nil) {
    side = nil
    cued = nil
    silentUntil = active + strategy.grace.atMost(longestSilence)
    reminder = strategy.reminder.atMost(longestSilence)
  }

  /// From a time on nothing is kept silent.
  mutating func endSilence(at active: SessionTime) { silentUntil = min(silentUntil, active) }

  /// A judgement was made; `retry` is when one that was withheld may be made again.
  mutating func judge(_ outcome: Decision.Outcome, at active: SessionTime, retry: SessionTime?) {
    judgedAt = active
    if let retry { silentUntil = max(silentUntil, retry) }
    if case .cue = outcome { cued = side }
  }
}
