internal import FleetStore
internal import SessionStore
internal import Synchronization
internal import TextFormats
internal import WorkoutHistory

/// How far the profiles in the data folder of an instance are those of all.
final class FleetProfileCache: Sendable {
  private struct State {
    /// The number of the database that the folder is of; absent before the first look.
    var number: Int64?
    /// What was written to the folder.
    var digests: [String: [UInt8]] = [:]
    var problem: (any Error)?
  }

  private let looks = SharedLook()
  private let state = Mutex(State())

  /// Brings the profiles of the database into the folder. Those that come at the same time share one turn, which began after all of
  /// them came.
  ///
  /// - Throws: what the database and the folder throw.
  func bring(_ fleet: ServiceFleet, into dataFolder: StoredPath) async throws {
    await looks.take { [self] in
      do {
        let known = state.withLock { $0.number }
        try await fleet.work { [self] store in
          if let profiles = try store.profiles(unless: known) { try take(profiles, of: store, into: dataFolder) }
        }
        state.withLock { $0.problem = nil }
      } catch {
        state.withLock { $0.problem = error }
      }
    }
    if let problem = state.withLock({ $0.problem }) { throw problem }
  }

  private func take(_ profiles: FleetStore.Profiles, of store: FleetStore, into dataFolder: StoredPath) throws {
    let folder = ProfileStore(dataFolder: dataFolder)
    var written = state.withLock { $0.digests }
    for (path, digest) in profiles.digests {
      guard let name = ProfileFileName.name(at: path) else { continue }
      if written[name] == nil, let text = try folder.text(named: name) {
        // What the folder has from before it was opened.
        written[name] = SHA256.digest(of: text.span)
      }
      if written[name] == digest, try FileSystem.has(folder.path(of: name)) { continue }
      // One that has just gone is left out of the next list.
      guard let text = try store.profile(at: path) else { continue }
      try folder.take(text, of: name)
      written[name] = SHA256.digest(of: text.span)
    }
    let former = DataFolderMark.formerPeople
    if try profiles.digests[former] != nil || FileSystem.has(dataFolder + "/" + former) {
      let text = profiles.digests[former] == nil ? nil : try store.profile(at: former)
      try folder.takeFormerPeople(text)
    }
    let names = Set(profiles.digests.keys.compactMap(ProfileFileName.name(at:)))
    for name in try folder.names() where !names.contains(name) {
      try folder.remove(name, keepsName: false)
      written[name] = nil
    }
    let now = written
    state.withLock { state in
      state.digests = now
      state.number = profiles.number
    }
  }
}
