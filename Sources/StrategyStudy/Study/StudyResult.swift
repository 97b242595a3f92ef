/// What a study found on one course under one behaviour: a value that a table, a record or a page is made of.
package struct StudyResult: Hashable, Sendable {
  /// The study.
  package let study: Study
  /// Which of its courses.
  package let course: Int
  /// Which of its behaviours.
  package let behaviour: Int
  /// The arms, in the order of the course.
  package let arms: [ArmResult]
  /// The planned contrasts.
  package let contrasts: [ContrastResult]
  /// What a driven treadmill reaches, for each length of session, the longest first; never empty.
  package let limits: [LimitResult]
  /// What single sessions would have shown; absent when nothing was observed in people.
  package let singleSessions: SingleSessionsResult?
  /// Arms that would make a comparison fair, as specifications; empty when nothing is missing.
  package let suggestions: [String]
}

extension StudyResult {
  /// What a driven treadmill reaches in the longest session.
  package var limit: LimitResult { limits[0] }
}

/// What came of an arm.
package struct ArmResult: Hashable, Sendable {
  /// The arm.
  package let arm: StudyArm
  /// Share of the session in target, per runner.
  package let timeInTarget: SampleMoments
  /// The same after the first 3 min; absent for a session that is not longer.
  package let timeInTargetAfterStart: SampleMoments?
  /// Root of the mean squared distance from the middle of the target after 3 min, in bpm.
  package let rootMeanSquareErrorBPM: SampleMoments?
  /// Farthest over the upper limit, in bpm.
  package let overshootBPM: SampleMoments
  /// Seconds to the target, of those who reached it.
  package let secondsToTarget: SampleMoments?
  /// The share of runners who reached it.
  package let reachedShare: Double
  /// Cues an hour, `hold` too.
  package let cuesPerHour: SampleMoments
  /// Cues an hour to go faster or slower.
  package let directionalCuesPerHour: SampleMoments
  /// The share of directional cues that were followed; absent when there were none.
  package let followedShare: Double?
  /// Directional cues an hour against the one before.
  package let directionChangesPerHour: SampleMoments
  /// P(in target at a check) − P(in target midway between checks), per runner; absent without checks.
  package let checkMinusMidway: SampleMoments?
}

/// Two arms compared, runner by runner.
package struct ContrastResult: Hashable, Sendable {
  /// Which arms: `a` less `b`.
  package let contrast: StudyContrast
  /// Difference of the shares of time in target.
  package let difference: SampleMoments
  /// The probability of such a difference without a true one, adjusted over all contrasts.
  package let adjustedProbability: Double?
  /// Whether both arms last equally long: a start weighs less in a longer session.
  package let isOfEqualLength: Bool
  /// The share of runners who do better in `a`.
  package let shareBetter: Double
  /// How the differences are distributed among the runners.
  package let counts: DifferenceCounts
}

/// What a driven treadmill reaches.
package struct LimitResult: Hashable, Sendable {
  /// How long the session lasts, in seconds.
  package let seconds: Int
  /// Share of the session in target.
  package let timeInTarget: SampleMoments
  /// The same after 5 min; absent for a session that is not longer.
  package let timeInTargetAfterStart: SampleMoments?
  /// Root of the mean squared distance from the middle of the target after 5 min, in bpm.
  package let rootMeanSquareErrorBPM: SampleMoments?
}

/// What somebody would have seen who gave each person each of three arms once, on different days.
package struct SingleSessionsResult: Hashable, Sendable {
  /// What was observed in people.
  package let observed: ObservedShares
  /// Share of persons whose sessions stand in the order that was claimed.
  package let orderShare: Double
  /// Share of persons whose third session is better than the second by at least what was observed.
  package let gapShare: Double
  /// Third less second session.
  package let difference: SampleMoments
  /// The same two shares if the third arm did what the second does.
  package let orderShareWithoutDifference: Double
  /// The same for the gap.
  package let gapShareWithoutDifference: Double
  /// People who are needed to find that difference, one session an arm, power 0.8, alpha 0.05.
  package let peopleNeeded: PeopleNeeded
}
