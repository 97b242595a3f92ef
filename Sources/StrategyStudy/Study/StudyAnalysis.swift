internal import ZoneEngine

/// Makes results of outcomes.
package enum StudyAnalysis {
  /// The results of all courses and behaviours, course by course. The outcomes of one arm are held at a time, and of the
  /// others of its course the seconds in target.
  ///
  /// - Throws: what the outcomes throw where they cannot be read.
  package static func results<Outcomes: StudyOutcomeSource>(
    of outcomes: Outcomes
  ) throws(Outcomes.Failure) -> [StudyResult] {
    var results: [StudyResult] = []
    for course in outcomes.study.courses.indices {
      for behaviour in outcomes.study.behaviours.indices {
        results.append(try result(of: outcomes, course: course, behaviour: behaviour))
      }
    }
    return results
  }

  private static func result<Outcomes: StudyOutcomeSource>(
    of outcomes: Outcomes, course index: Int, behaviour: Int
  ) throws(Outcomes.Failure) -> StudyResult {
    let study = outcomes.study
    let course = study.courses[index]
    let layout = StudyLayout(study)
    var arms: [ArmResult] = []
    var inTarget: [[Int32]] = []
    for (place, arm) in course.arms.enumerated() {
      let sessions = try outcomes.all(layout.arm(place, index, behaviour))
      arms.append(self.arm(arm, sessions))
      inTarget.append(sessions.map(\.secondsInTarget))
    }
    var limits: [LimitResult] = []
    for (place, seconds) in course.durations.enumerated() {
      limits.append(limit(seconds, try outcomes.all(layout.treadmill(index, place))))
    }
    var singleSessions: SingleSessionsResult?
    if let observed = course.observed {
      var singles: [[Double]] = []
      for (place, arm) in course.singleArms.enumerated() {
        singles.append(shares(try outcomes.all(layout.single(place, index, behaviour)), of: course.arms[arm].seconds))
      }
      singleSessions = self.singleSessions(observed, singles)
    }
    return StudyResult(
      study: study, course: index, behaviour: behaviour, arms: arms, contrasts: contrasts(course, inTarget),
      limits: limits, singleSessions: singleSessions,
      suggestions: EqualFrequency.missing(course.arms.map(\.strategy)).map(\.specification))
  }

  private static func shares(_ sessions: [RunOutcome], of seconds: Int) -> [Double] {
    shares(sessions.map(\.secondsInTarget), of: seconds)
  }

  private static func shares(_ inTarget: [Int32], of seconds: Int) -> [Double] {
    inTarget.map { Double($0) / Double(seconds) }
  }

  private static func arm(_ arm: StudyArm, _ sessions: [RunOutcome]) -> ArmResult {
    let later = arm.seconds - ClosedLoop.startUpSeconds
    let reached = sessions.compactMap { $0.secondsToTarget.map { Double($0) } }
    let directional = sessions.reduce(0) { $0 + Int($1.directionalCues) }
    let followed = sessions.reduce(0) { $0 + Int($1.followedCues) }
    func moments(_ value: (RunOutcome) -> Double) -> SampleMoments { SampleMoments(certain: sessions.map(value)) }
    func hourly(_ count: @escaping (RunOutcome) -> Int32) -> SampleMoments {
      moments { Double(count($0)) * 3_600 / Double(arm.seconds) }
    }
    return ArmResult(
      arm: arm, timeInTarget: SampleMoments(certain: shares(sessions, of: arm.seconds)),
      timeInTargetAfterStart: later > 0 ? moments { Double($0.secondsInTargetAfterStart) / Double(later) } : nil,
      rootMeanSquareErrorBPM: SampleMoments(sessions.compactMap(\.error)),
      overshootBPM: moments { Double($0.overshootBPM) }, secondsToTarget: SampleMoments(reached),
      reachedShare: Double(reached.count) / Double(sessions.count), cuesPerHour: hourly(\.cues),
      directionalCuesPerHour: hourly(\.directionalCues),
      followedShare: directional > 0 ? Double(followed) / Double(directional) : nil,
      directionChangesPerHour: hourly(\.directionChanges),
      checkMinusMidway: SampleMoments(sessions.compactMap(\.checkMinusMidway)))
  }

  private static func contrasts(_ course: StudyCourse, _ inTarget: [[Int32]]) -> [ContrastResult] {
    let differences = course.contrasts.map { contrast in
      zip(
        shares(inTarget[contrast.a], of: course.arms[contrast.a].seconds),
        shares(inTarget[contrast.b], of: course.arms[contrast.b].seconds)
      ).map { $0 - $1 }
    }
    let moments = differences.map { SampleMoments(certain: $0) }
    let adjusted = HolmAdjustment.adjusted(moments.map(\.peopleProbability))
    return course.contrasts.indices.map { index in
      let better = differences[index].count { $0 > 0 }
      return ContrastResult(
        contrast: course.contrasts[index], difference: moments[index], adjustedProbability: adjusted[index],
        isOfEqualLength: course.arms[course.contrasts[index].a].seconds
          == course.arms[course.contrasts[index].b].seconds,
        shareBetter: Double(better) / Double(differences[index].count),
        counts: counts(course.contrasts[index], course, inTarget))
    }
  }

  private static func counts(
    _ contrast: StudyContrast, _ course: StudyCourse, _ inTarget: [[Int32]]
  ) -> DifferenceCounts {
    var counts = DifferenceCounts()
    let (a, b) = (course.arms[contrast.a].seconds, course.arms[contrast.b].seconds)
    for (first, second) in zip(inTarget[contrast.a], inTarget[contrast.b]) {
      counts.add((Int(first), a), (Int(second), b))
    }
    return counts
  }

  private static func limit(_ seconds: Int, _ sessions: [RunOutcome]) -> LimitResult {
    let later = seconds - DrivenTreadmill.startUpSeconds
    return LimitResult(
      seconds: seconds, timeInTarget: SampleMoments(certain: shares(sessions, of: seconds)),
      timeInTargetAfterStart: later > 0
        ? SampleMoments(sessions.map { Double($0.secondsInTargetAfterStart) / Double(later) }) : nil,
      rootMeanSquareErrorBPM: SampleMoments(sessions.compactMap(\.error)))
  }

  private static func singleSessions(_ observed: ObservedShares, _ days: [[Double]]) -> SingleSessionsResult {
    let people = days[0].indices
    func share(_ isTrue: (Int) -> Bool) -> Double { Double(people.count(where: isTrue)) / Double(people.count) }
    let difference = SampleMoments(certain: people.map { days[2][$0] - days[1][$0] })
    return SingleSessionsResult(
      observed: observed,
      orderShare: share { days[0][$0] < days[1][$0] && days[1][$0] < days[2][$0] },
      gapShare: share { days[2][$0] - days[1][$0] >= observed.gap }, difference: difference,
      orderShareWithoutDifference: share { days[0][$0] < days[1][$0] && days[1][$0] < days[3][$0] },
      gapShareWithoutDifference: share { days[3][$0] - days[1][$0] >= observed.gap },
      peopleNeeded: SampleSize.people(
        effect: difference.mean, confidence95: difference.peopleInterval, spread: difference.standardDeviation ?? 0,
        power: 0.8, alpha: 0.05))
  }
}

extension RunOutcome {
  /// The distance from the middle of the target as a number to be summed.
  fileprivate var error: Double? { rootMeanSquareErrorBPM.map { Double($0) } }
}

extension SampleMoments {
  /// The moments of values of which there is at least one.
  fileprivate init(certain values: [Double]) {
    guard let moments = SampleMoments(values) else { preconditionFailure("a study has runners") }
    self = moments
  }
}
