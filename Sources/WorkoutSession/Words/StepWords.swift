package import ZoneEngine

extension StepActivity {
  /// The words that a plan has for it, each in small letters.
  package var words: [String] {
    switch self {
    case .walking: ["walk", "walking"]
    case .running: ["run", "running", "jog", "jogging"]
    }
  }
}

extension TrainingPlan.Step {
  /// What is to be done, to be put beside the name; `nil` where nothing is asked, and where the name says it already, as `easy run`
  /// does.
  package var activityBesideName: StepActivity? {
    guard let activity, let name else { return activity }
    let words = name.lowercased().split { !$0.isLetter }
    return words.contains { activity.words.contains(String($0)) } ? nil : activity
  }
}
