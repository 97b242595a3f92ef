internal import TextFormats
package import ZoneEngine

/// What the motion sensors say that somebody does, from some time on.
package struct RecognizedActivity: Hashable, Sendable {
  /// The name of nothing that is known.
  package static let unknown = "unknown"

  /// What is done: `sitting`, `standing`, `lying`, `still`, `walking`, `running`, else a label of the model, or ``unknown``.
  package let name: String
  /// Since when.
  package let since: SessionTime
  /// The mean probability of the windows that decided, in thousandths; absent where none came.
  package let perMille: Int?

  /// An activity.
  package init(name: String, since: SessionTime, perMille: Int?) {
    self.name = name
    self.since = since
    self.perMille = perMille
  }
}

/// What a recogniser finds in the motion of a session. It is logged like a command, so that a replay needs no model.
package enum Recognition: Hashable, Sendable {
  /// Another activity.
  case activity(RecognizedActivity)
  /// Somebody has stood still for long enough that the session is paused.
  case pause
  /// Somebody goes on after such a pause.
  case resume
  /// Somebody does something else than the step of the plan asks for.
  case differs(StepActivity)
  /// So many further steps were made while walking or running.
  case steps(Int)

  /// The name, as it is logged.
  package var word: String {
    switch self {
    case .activity: "activity"
    case .pause: "autoPause"
    case .resume: "autoResume"
    case .differs: "activityDiffers"
    case .steps: "motionSteps"
    }
  }

  /// What there is to know beside the name, as text: of an activity since when, how probable and what, `12.5 981 walking`.
  package var value: String? {
    switch self {
    case .activity(let activity):
      var bytes: [UInt8] = []
      DecimalFormat.append(seconds: activity.since.nanoseconds, to: &bytes)
      let since = String(decoding: bytes, as: UTF8.self)
      return "\(since) \(activity.perMille.map(String.init) ?? "-") \(activity.name)"
    case .differs(let asked): return asked.rawValue
    case .steps(let count): return "\(count)"
    case .pause, .resume: return nil
    }
  }

  /// What is logged by a name and a text; `nil` for anything else.
  package init?(word: String, value: String?) {
    switch (word, value) {
    case ("autoPause", nil): self = .pause
    case ("autoResume", nil): self = .resume
    case ("motionSteps", let text?):
      guard let count = Int(text), Reading.stepCounts.contains(count) else { return nil }
      self = .steps(count)
    case ("activityDiffers", let text?):
      guard let asked = StepActivity(rawValue: text) else { return nil }
      self = .differs(asked)
    case ("activity", let text?):
      let parts = text.split(separator: " ", maxSplits: 2).map(String.init)
      guard parts.count == 3, let seconds = Double(parts[0]), let since = SessionTime(seconds: seconds) else {
        return nil
      }
      let perMille = Int(parts[1])
      guard parts[1] == "-" || perMille.map({ (0...1_000).contains($0) }) == true else { return nil }
      self = .activity(RecognizedActivity(name: parts[2], since: since, perMille: perMille))
    default: return nil
    }
  }
}
