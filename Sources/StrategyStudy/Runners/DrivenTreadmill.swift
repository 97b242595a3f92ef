/// What cues are measured by: a belt that drives the runner to the middle of the target by the true heart rate, without errors
/// of pace and grade.
///
/// It is no optimum: in a short session, or where the target is high, a cue that pushes harder at first may reach more seconds.
///
/// Source: a PI controller of a first-order process by internal model control (Rivera, Morari & Skogestad 1986,
/// 10.1021/i200032a041) for the runner's own gain and time constant, closed loop 60 s, with conditional integration.
package enum DrivenTreadmill {
  /// The start-up that is left out of the later figures.
  package static let startUpSeconds = 300

  private static let closedLoopSeconds = 60.0

  /// Drives a runner for a number of seconds, not more than the day has.
  package static func run(_ runner: VirtualRunner, on day: Disturbances, seconds: Int) -> RunOutcome {
    switch runner.shape {
    case .firstOrder:
      if runner.delaySeconds == 0 {
        run(runner, FirstOrderHeart(runner), on: day, seconds: seconds)
      } else {
        run(runner, LateHeart<FirstOrderHeart>(runner), on: day, seconds: seconds)
      }
    case .secondOrder: run(runner, LateHeart<TwoPhaseHeart>(runner), on: day, seconds: seconds)
    case .saturating: run(runner, LateHeart<SaturatingHeart>(runner), on: day, seconds: seconds)
    case .delayed: run(runner, DelayedHeart(runner), on: day, seconds: seconds)
    case .heat: run(runner, LateHeart<WarmHeart>(runner), on: day, seconds: seconds)
    }
  }

  private static func run<Dynamics: HeartDynamics>(
    _ runner: VirtualRunner, _ standing: Dynamics, on day: Disturbances, seconds: Int
  ) -> RunOutcome {
    let noise = day.heartRate.span
    var tally = OutcomeTally(runner.target, startUpSeconds: startUpSeconds)
    let wanted = runner.target.middle
    let integralGain = 1 / (runner.slope * closedLoopSeconds)
    let gain = runner.traits.timeConstant * integralGain
    var integral = runner.preferredSpeed
    var heart = standing
    for second in 0..<seconds {
      let felt = heart.heartRate + noise[second]
      _ = tally.add(felt)
      let error = wanted - felt
      let asked = integral + gain * error
      let speed = runner.possible(asked)
      if speed == asked { integral += integralGain * error }
      heart.follow(rise: max(0, runner.rise(speed: speed, grade: 0)), at: second, runner)
    }
    return tally.outcome
  }
}
