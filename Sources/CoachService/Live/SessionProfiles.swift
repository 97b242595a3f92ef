internal import FleetStore
internal import SessionStore
internal import TextFormats
internal import WorkoutHistory
internal import WorkoutSession

/// The profiles by which sessions are judged.
extension ServiceSessions {
  /// Brings the profiles of this instance up to date. Nothing is done where a service runs alone.
  ///
  /// - Throws: what the database and the folder throw.
  func bringProfiles() async throws {
    guard let fleet else { return }
    try await fleetProfiles.bring(fleet, into: settings.dataFolder)
  }

  /// Changes a profile where it is kept; one of version 1 gets an identity.
  ///
  /// - Throws: `ProfileStoreError.missing` where there is none, `ProfileError` when it cannot be kept, what `edit` throws, and what
  ///   the store throws.
  func changeProfile(
    _ name: String, _ edit: @escaping @Sendable (inout StoredProfile) throws -> Void
  ) async throws -> StoredProfile {
    guard let fleet else {
      let folder = ProfileStore(dataFolder: settings.dataFolder)
      return try await profileDesk.run { try folder.change(name, id: ProfileID.drawn(), edit) }
    }
    let changed = try await fleet.work { store in
      try store.changeProfile(at: ProfileFileName.path(of: name)) { text in
        var profile = try StoredProfile(json: text.span, name: name).identified(by: ProfileID.drawn())
        try edit(&profile)
        return (text: try profile.json(), value: profile)
      }
    }
    guard let changed else { throw ProfileStoreError.missing(name) }
    return changed
  }
}

extension ProfileID {
  /// An identity that nobody has.
  static func drawn() -> ProfileID {
    var generator = SystemRandomNumberGenerator()
    return ProfileID.random(using: &generator)
  }
}
