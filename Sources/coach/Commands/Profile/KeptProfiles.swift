import FleetStore
import SessionStore
import TextFormats
import WorkoutHistory
import WorkoutSession

/// Where the profile verbs find people: in a data folder, or in a database that instances share.
struct KeptProfiles {
  private enum Place {
    case folder(ProfileStore)
    case database(FleetStore)
  }

  private let parsed: ParsedArguments
  private let place: Place

  /// The profiles that a verb is given; the schema of a database is looked at, or brought up to date.
  ///
  /// - Throws: `CommandFailure` when nothing names a place, or `PostgresError`.
  init(_ parsed: ParsedArguments, for purpose: StoreOfService.Purpose) throws {
    self.parsed = parsed
    guard let address = try StoreOfService.database(parsed) else {
      place = .folder(try ProfileRequest.store(parsed))
      return
    }
    try StoreOfService.prepare(address, for: purpose)
    place = .database(FleetStore(address, name: "coach-terminal", url: ""))
  }

  /// Closes what was opened.
  func close() {
    if case .database(let store) = place { store.close() }
  }

  /// Where they are, for who reads a complaint.
  var description: String {
    switch place {
    case .folder(let store): "\(store.dataFolder)"
    case .database: "the database"
    }
  }

  /// Keeps a new profile.
  ///
  /// - Throws: `ProfileStoreError.taken` when the name is, `ProfileError` when it cannot be kept, or what the place throws.
  func create(_ profile: StoredProfile) throws {
    switch place {
    case .folder(let store): try store.create(profile)
    case .database(let store):
      let path = ProfileFileName.path(of: profile.name)
      guard try store.createProfile(profile.json(), at: path, of: profile.name) else {
        throw ProfileStoreError.taken(profile.name)
      }
    }
  }

  /// Changes a profile.
  ///
  /// - Throws: `ProfileStoreError.missing` where there is none, `ProfileError` when it cannot be kept, what `edit` throws, or what the
  ///   place throws.
  func change(_ name: String, _ edit: (inout StoredProfile) throws -> Void) throws -> StoredProfile {
    switch place {
    case .folder(let store): return try store.change(name, id: ProfileRequest.newID(), edit)
    case .database(let store):
      let changed = try store.changeProfile(at: ProfileFileName.path(of: name)) { text in
        var profile = try Self.read(text, of: name).identified(by: ProfileRequest.newID())
        try edit(&profile)
        return (text: try profile.json(), value: profile)
      }
      guard let changed else { throw missing(name, in: store) }
      return changed
    }
  }

  /// The profile of a name.
  ///
  /// - Throws: `ProfileStoreError.missing` where there is none, `RecordingError` when it is not as it should be, or what the place
  ///   throws.
  func profile(named name: String) throws -> StoredProfile {
    switch place {
    case .folder(let store): return try store.profile(named: name)
    case .database(let store):
      guard let text = try store.profile(at: ProfileFileName.path(of: name)) else { throw missing(name, in: store) }
      return try Self.read(text, of: name)
    }
  }

  /// All profiles that can be read, sorted by name, and what is wrong with the others.
  ///
  /// - Throws: what the place throws.
  func profiles() throws -> (readable: [StoredProfile], problems: [String]) {
    switch place {
    case .folder(let store): return try store.profiles()
    case .database(let store):
      var (readable, problems): ([StoredProfile], [String]) = ([], [])
      for name in try names(in: store) {
        // One that has just gone is left out.
        guard let text = try store.profile(at: ProfileFileName.path(of: name)) else { continue }
        do { readable.append(try Self.read(text, of: name)) } catch let error as RecordingError {
          problems.append(error.problem)
        }
      }
      return (readable, problems)
    }
  }

  /// The record of a profile on a day.
  ///
  /// - Throws: what the place throws when the sessions cannot be counted.
  func record(_ profile: StoredProfile, on day: CivilDate) async throws -> ProfileRecord {
    switch place {
    case .folder: try await HistoryRequest.with(parsed) { try await ProfileRequest.record(profile, on: day, in: $0) }
    case .database(let store): ProfileRecord(profile, on: day, sessions: try store.sessionCount(of: profile.name))
    }
  }

  private func names(in store: FleetStore) throws -> [String] {
    (try store.profiles(unless: nil)?.digests.keys.compactMap(ProfileFileName.name(at:)) ?? []).sorted()
  }

  private func missing(_ name: String, in store: FleetStore) -> ProfileStoreError {
    .missing(name, near: Spelling.closest(to: name, among: (try? names(in: store)) ?? []))
  }

  private static func read(_ text: [UInt8], of name: String) throws -> StoredProfile {
    do { return try StoredProfile(json: text.span, name: name) } catch {
      throw RecordingError(path: ProfileFileName.path(of: name).visible, problem: "\(error)")
    }
  }
}
