internal import ZoneEngine

/// Makes results of outcomes.
package enum StudyAnalysis {
  /// The results of all courses and behaviours, course by course.
  package static func results(of outcomes: StudyOutcomes) -> [StudyResult] {
    let study = outcomes.study
    return study.courses.indices.flatMap { course in
      study.behaviours.indices.map { result(of: outcomes, course: course, behaviour: $0) }
    }
  }

  private static func result(of outcomes: StudyOutcomes, course index: Int, behaviour: Int) -> StudyResult {
    let study = outcomes.study
    let course = study.courses[index]
    let layout = StudyLayout(study)
    let sessions = course.arms.indices.map { outcomes.all(layout.arm($0, index, behaviour)) }
    return StudyResult(
      study: study, course: index, behaviour: behaviour,
      arms: zip(course.arms, sessions).map { arm($0, $1) },
      contrasts: contrasts(course, sessions),
      limits: course.durations.enumerated().map { place, seconds in
        limit(seconds, outcomes.all(layout.treadmill(index, place)))
      },
      singleSessions: course.observed.map { observed in
        let singles = course.singleArms.enumerated().map { place, arm in
          shares(outcomes.all(layout.single(place, index, behaviour)), of: course.arms[arm].seconds)
        }
        return singleSessions(observed, singles)
      },
      suggestions: EqualFrequency.missing(course.arms.map(\.strategy)).map(\.specification))
  }

  private static func shares(_ sessions: [RunOutcome], of seconds: Int) -> [Double] {
    sessions.map { Double($0.secondsInTarget) / Double(seconds) }
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
      rootMeanSquareErrorBPM: later > 0 ? moments { Double($0.rootMeanSquareErrorBPM) } : nil,
      overshootBPM: moments { Double($0.overshootBPM) }, secondsToTarget: SampleMoments(reached),
      reachedShare: Double(reached.count) / Double(sessions.count), cuesPerHour: hourly(\.cues),
      directionalCuesPerHour: hourly(\.directionalCues),
      followedShare: directional > 0 ? Double(followed) / Double(directional) : nil,
      directionChangesPerHour: hourly(\.directionChanges),
      checkMinusMidway: SampleMoments(sessions.compactMap(\.checkMinusMidway)))
  }

  private static func contrasts(_ course: StudyCourse, _ sessions: [[RunOutcome]]) -> [ContrastResult] {
    let differences = course.contrasts.map { contrast in
      zip(
        shares(sessions[contrast.a], of: course.arms[contrast.a].seconds),
        shares(sessions[contrast.b], of: course.arms[contrast.b].seconds)
      ).map { $0 - $1 }
    }
    let moments = differences.map { SampleMoments(certain: $0) }
    let adjusted = HolmAdjustment.adjusted(moments.map(\.probabilityOfZero))
    return course.contrasts.indices.map { index in
      let better = differences[index].count { $0 > 0 }
      return ContrastResult(
        contrast: course.contrasts[index], difference: moments[index], adjustedProbability: adjusted[index],
        isOfEqualLength: course.arms[course.contrasts[index].a].seconds
          == course.arms[course.contrasts[index].b].seconds,
        shareBetter: Double(better) / Double(differences[index].count),
        counts: counts(course.contrasts[index], course, sessions))
    }
  }

  private static func counts(
    _ contrast: StudyContrast, _ course: StudyCourse, _ sessions: [[RunOutcome]]
  ) -> DifferenceCounts {
    var counts = DifferenceCounts()
    let (a, b) = (course.arms[contrast.a].seconds, course.arms[contrast.b].seconds)
    for (first, second) in zip(sessions[contrast.a], sessions[contrast.b]) {
      counts.add((Int(first.secondsInTarget), a), (Int(second.secondsInTarget), b))
    }
    return counts
  }

  private static func limit(_ seconds: Int, _ sessions: [RunOutcome]) -> LimitResult {
    let later = seconds - DrivenTreadmill.startUpSeconds
    return LimitResult(
      seconds: seconds, timeInTarget: SampleMoments(certain: shares(sessions, of: seconds)),
      timeInTargetAfterStart: later > 0
        ? SampleMoments(sessions.map { Double($0.secondsInTargetAfterStart) / Double(later) }) : nil,
      rootMeanSquareErrorBPM: later > 0
        ? SampleMoments(sessions.map { Double($0.rootMeanSquareErrorBPM) }) : nil)
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
        effect: difference.mean, confidence95: difference.confidence95, spread: difference.standardDeviation ?? 0,
        power: 0.8, alpha: 0.05))
  }
}

extension SampleMoments {
  /// The moments of values of which there is at least one.
  fileprivate init(certain values: [Double]) {
    guard let moments = SampleMoments(values) else { preconditionFailure("a study has runners") }
    self = moments
  }
}
