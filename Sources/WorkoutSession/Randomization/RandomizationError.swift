package import ZoneEngine

/// Why the strategy of a session cannot be drawn. Names of people never stand in it.
package enum RandomizationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Nobody said whose session it is, so that nothing can be balanced.
  case noPerson
  /// The study has several courses, and the activity is none of theirs.
  case course(activity: String, expected: [String])
  /// A session by an arm is not possible.
  case arm(String, ZoneError)
  /// An earlier session of the person was drawn from another file of that name.
  case studyChanged(study: String, sessionID: String, earlierHash: String, hash: String)

  /// One line that says what is wrong and what was expected.
  package var description: String {
    switch self {
    case .noPerson:
      return "arms are balanced within a person: expected --profile NAME"
    case .course(let activity, let expected):
      let words = expected.map { "--activity \($0)" }.joined(separator: " or ")
      return "the study has no course for '\(activity)': expected \(words)"
    case .arm(let name, let error):
      return "arm '\(name)': \(error)"
    case .studyChanged(let study, let sessionID, let earlier, let hash):
      return
        "the study '\(study)' is not the file that \(sessionID) was drawn from: its SHA-256 is \(hash.prefix(12))…, "
        + "expected \(earlier.prefix(12))…, or another name for another study"
    }
  }
}
