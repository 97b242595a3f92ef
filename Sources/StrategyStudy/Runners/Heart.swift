/// The heart of a virtual runner, and the body that moves it, while nothing else happens.
struct Heart {
  /// A heart that does not follow at once and in first order.
  private enum Other {
    case late(LateHeart<FirstOrderHeart>)
    case secondOrder(LateHeart<TwoPhaseHeart>)
    case saturating(LateHeart<SaturatingHeart>)
    case delayed(DelayedHeart)
    case heat(LateHeart<WarmHeart>)
  }

  /// What variability is added to, unless there is another.
  private var usual: FirstOrderHeart
  private var other: Other?
  /// The heart rate of the last second in bpm.
  private(set) var felt: Double
  /// What is counted.
  private(set) var tally: OutcomeTally

  init(_ runner: VirtualRunner) {
    usual = FirstOrderHeart(runner)
    other =
      switch runner.shape {
      case .firstOrder: runner.delaySeconds > 0 ? .late(LateHeart(runner)) : nil
      case .secondOrder: .secondOrder(LateHeart(runner))
      case .saturating: .saturating(LateHeart(runner))
      case .delayed: .delayed(DelayedHeart(runner))
      case .heat: .heat(LateHeart(runner))
      }
    felt = runner.startBPM
    tally = OutcomeTally(runner.target, startUpSeconds: ClosedLoop.startUpSeconds)
  }

  /// Goes on for some seconds in which nothing is said and nothing is decided.
  ///
  /// - Parameters:
  ///   - rest: the share of the correction that is given up.
  ///   - relapse: the part of the correction that is lost each second.
  @inline(__always)
  mutating func beat(
    _ seconds: Range<Int>, _ legs: inout Legs, rest: Double, relapse: Double, _ runner: VirtualRunner,
    _ day: Disturbances, _ isInTarget: inout MutableSpan<Bool>
  ) {
    guard runner.shape == .firstOrder, runner.delaySeconds == 0 else {
      beatOtherwise(seconds, &legs, rest: rest, relapse: relapse, runner, day, &isInTarget)
      return
    }
    var heart = usual
    beat(seconds, &heart, &legs, rest: rest, relapse: relapse, runner, day, &isInTarget)
    usual = heart
  }

  /// The same for hearts that do not follow at once and in first order, out of the way of those that do.
  @inline(never)
  private mutating func beatOtherwise(
    _ seconds: Range<Int>, _ legs: inout Legs, rest: Double, relapse: Double, _ runner: VirtualRunner,
    _ day: Disturbances, _ isInTarget: inout MutableSpan<Bool>
  ) {
    switch other {
    case nil: preconditionFailure("first order has a way of its own")
    case .late(var heart)?:
      beat(seconds, &heart, &legs, rest: rest, relapse: relapse, runner, day, &isInTarget)
      other = .late(heart)
    case .secondOrder(var heart)?:
      beat(seconds, &heart, &legs, rest: rest, relapse: relapse, runner, day, &isInTarget)
      other = .secondOrder(heart)
    case .saturating(var heart)?:
      beat(seconds, &heart, &legs, rest: rest, relapse: relapse, runner, day, &isInTarget)
      other = .saturating(heart)
    case .delayed(var heart)?:
      beat(seconds, &heart, &legs, rest: rest, relapse: relapse, runner, day, &isInTarget)
      other = .delayed(heart)
    case .heat(var heart)?:
      beat(seconds, &heart, &legs, rest: rest, relapse: relapse, runner, day, &isInTarget)
      other = .heat(heart)
    }
  }

  @inline(__always)
  private mutating func beat<Dynamics: HeartDynamics>(
    _ seconds: Range<Int>, _ heart: inout Dynamics, _ legs: inout Legs, rest: Double, relapse: Double,
    _ runner: VirtualRunner, _ day: Disturbances, _ isInTarget: inout MutableSpan<Bool>
  ) {
    let (noise, pace, grade) = (day.heartRate.span, day.pace.span, day.grade.span)
    var (corrected, speed, felt, tally) = (legs.corrected, legs.speed, self.felt, self.tally)
    for second in seconds {
      corrected += (runner.preferredSpeed - corrected) * relapse
      let wanted = corrected + rest * (runner.preferredSpeed - corrected)
      speed += (runner.possible(wanted * (1 + pace[second])) - speed) * runner.speedGain
      heart.follow(rise: max(0, runner.rise(speed: speed, grade: grade[second])), at: second, runner)
      felt = heart.heartRate + noise[second]
      isInTarget[second] = tally.add(felt)
    }
    legs.corrected = corrected
    legs.speed = speed
    self.felt = felt
    self.tally = tally
  }
}
