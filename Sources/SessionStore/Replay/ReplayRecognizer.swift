package import WorkoutSession
package import ZoneEngine

/// Recognises activities in what is replayed.
///
/// A session that was recorded with the same model has all that was found in its log, each at its place among the samples, so that
/// these are followed and what is found now is only held against them. Anything else is recognised anew: what is found takes
/// the place of what the log has.
package struct ReplayRecognizer: Sendable {
  private var recognizer: SessionRecognizer
  private let isCheck: Bool
  private var recorded: [RecognizedActivity] = []
  private var found: [RecognizedActivity] = []

  /// Prepares for a recording.
  ///
  /// - Parameter recorded: with what the session was recorded; absent where nothing was recognised in it.
  package init(_ settings: RecognitionSettings, plan: TrainingPlan, recorded: RecognitionFacts?) {
    recognizer = SessionRecognizer(settings, plan: plan)
    isCheck =
      recorded.map { $0.sha256 == settings.facts.sha256 && $0.pausesWhenStill == settings.pausesWhenStill } ?? false
  }

  /// Whether what is found now is not what the log has, although the model is the same.
  package var contradictsLog: Bool { isCheck && recorded != found }

  /// What people want to know.
  package mutating func takeNotices() -> [String] { recognizer.takeNotices() }

  /// Takes what the log has; whether what is found anew stands in its place.
  mutating func isInstead(of logged: Recognition) -> Bool {
    if case .activity(let activity) = logged { recorded.append(activity) }
    return !isCheck
  }

  /// What was not reported yet at the end, where that does not stand in the log.
  mutating func finish() -> [Recognition] {
    let rest = recognizer.finish()
    return isCheck ? [] : rest
  }

  /// Takes a sample; what it shows, where that does not stand in the log.
  mutating func take(_ sample: Sample, in place: SessionRecognizer.Place) -> [Recognition] {
    let shown = recognizer.take(sample, in: place)
    for case .activity(let activity) in shown { found.append(activity) }
    return isCheck ? [] : shown
  }
}
