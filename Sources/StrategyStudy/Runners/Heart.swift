/// The heart of a virtual runner, and the body that moves it, while nothing else happens.
struct Heart {
  /// The heart rate in bpm that variability is added to.
  private var course: Double
  /// The heart rate of the last second in bpm.
  private(set) var felt: Double
  /// What is counted.
  private(set) var tally: OutcomeTally

  init(_ runner: VirtualRunner) {
    course = runner.startBPM
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
    let (noise, pace, grade) = (day.heartRate.span, day.pace.span, day.grade.span)
    var (corrected, speed, heartRate, felt, tally) = (legs.corrected, legs.speed, course, self.felt, self.tally)
    for second in seconds {
      corrected += (runner.preferredSpeed - corrected) * relapse
      let wanted = corrected + rest * (runner.preferredSpeed - corrected)
      speed += (runner.possible(wanted * (1 + pace[second])) - speed) * runner.speedGain
      heartRate = runner.heartRate(
        after: heartRate, speed: speed, grade: grade[second],
        drift: runner.traits.driftPerSecond * Double(second))
      felt = heartRate + noise[second]
      isInTarget[second] = tally.add(felt)
    }
    legs.corrected = corrected
    legs.speed = speed
    course = heartRate
    self.felt = felt
    self.tally = tally
  }
}
