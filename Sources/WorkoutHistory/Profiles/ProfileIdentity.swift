internal import TextFormats
package import WorkoutSession

/// Who was meant by a name when somebody asked: whoever has the name later may be somebody else, and is not taken for them.
package enum ProfileIdentity: Hashable, Sendable {
  /// The profile has an identity, which never changes.
  case numbered(ProfileID)
  /// The profile is of version 1, without one. It gets one under its name when it is changed.
  case unnumbered

  /// The variable of the environment by which a verb knows who was meant, when a service runs it that has looked up a name before.
  package static let variable = "COACH_PROFILE_ID"
  private static let unnumberedText = "none"

  /// Whose profile it is.
  package init(_ profile: StoredProfile) { self = profile.id.map(Self.numbered) ?? .unnumbered }

  /// Reads the value of ``variable``; `nil` for anything else.
  package init?(_ text: String) {
    if text == Self.unnumberedText {
      self = .unnumbered
    } else if let id = ProfileID(text) {
      self = .numbered(id)
    } else {
      return nil
    }
  }

  /// The value of ``variable``.
  package var text: String {
    switch self {
    case .numbered(let id): id.description
    case .unnumbered: Self.unnumberedText
    }
  }

  /// Whether a profile of the name is that of the person still.
  package func isOf(_ profile: StoredProfile) -> Bool {
    switch self {
    case .numbered(let id): profile.id == id
    case .unnumbered: profile.id == nil || profile.recordedAs.map(profile.name.hasBytes) ?? false
    }
  }
}
