internal import FleetStore
internal import SessionStore
internal import TextFormats
internal import WorkoutHistory
internal import WorkoutSession

/// The profiles of a service: files of its data folder. Where instances share a database they are those of the database, where every
/// change is made, and each instance has them in its folder before it uses one.
struct ServiceProfiles: Sendable {
  let service: Service

  private var folder: ProfileStore { ProfileStore(dataFolder: service.settings.dataFolder) }

  /// The profiles, as they are now.
  ///
  /// - Throws: what the store throws that instances share.
  func current() async throws -> ProfileStore {
    try await service.sessions.bringProfiles()
    return folder
  }

  /// The profile of a name, as it is now.
  ///
  /// - Throws: `ProfileStoreError.missing` where there is none, and what the store throws.
  func profile(named name: String) async throws -> StoredProfile {
    let profiles = try await current()
    return try await service.files.run { try profiles.profile(named: name) }
  }

  /// Keeps a new profile.
  ///
  /// - Throws: `ProfileStoreError.taken` when the name is, `ProfileError` when it cannot be kept, and what the store throws.
  func create(_ profile: StoredProfile) async throws {
    guard let fleet = service.settings.fleet else {
      let folder = folder
      return try await service.files.run { try folder.create(profile) }
    }
    let (text, path) = (try profile.json(), ProfileFileName.path(of: profile.name))
    // One that is written with other signs and looks the same; the database knows of the very same.
    guard try await !current().names().contains(where: { $0 == profile.name && !$0.hasBytes(of: profile.name) }) else {
      throw ProfileStoreError.taken(profile.name)
    }
    guard try await fleet.work({ store in try store.createProfile(text, at: path, of: profile.name) }) else {
      throw ProfileStoreError.taken(profile.name)
    }
    try await service.sessions.bringProfiles()
  }

  /// Changes a profile; one of version 1 gets an identity.
  ///
  /// - Parameter known: the profile as it was when somebody asked. Whoever has the name by now may be somebody else, of whom nothing is
  ///   changed.
  /// - Throws: `ProfileStoreError.missing` where there is none any more, `ProfileError` when it cannot be kept, what `edit` throws, and what
  ///   the store throws.
  func change(
    _ known: StoredProfile, _ edit: @escaping @Sendable (inout StoredProfile) throws -> Void
  ) async throws -> StoredProfile {
    let (name, id) = (known.name, known.id)
    let changed = try await service.sessions.changeProfile(name) { profile in
      if let id, profile.id != id { throw ProfileStoreError.missing(name) }
      try edit(&profile)
    }
    if service.settings.fleet != nil { try await service.sessions.bringProfiles() }
    return changed
  }

  /// Removes a profile; the sessions stay.
  ///
  /// - Parameter known: the profile as it was when somebody asked. Of whoever has the name by now nothing is removed in a folder.
  /// - Throws: `ProfileStoreError.missing` where it is not there any more, and what the store throws.
  func remove(_ known: StoredProfile) async throws {
    let name = known.name
    guard let fleet = service.settings.fleet else {
      let folder = folder
      return try await service.files.run { try folder.remove(name, of: ProfileIdentity(known), keepsName: true) }
    }
    try await fleet.work { store in try store.removeProfile(at: ProfileFileName.path(of: name)) }
    try await service.sessions.bringProfiles()
  }
}
