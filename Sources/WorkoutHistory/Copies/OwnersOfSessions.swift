package import TextFormats
package import WorkoutSession

/// Whose the sessions of a data folder are by the names of today, for who takes them to a store that finds them by the name.
package struct OwnersOfSessions: Sendable {
  private let people: People
  private let names: Set<String>

  /// Asks the profiles of a data folder.
  ///
  /// - Throws: `FileError` when they cannot be listed.
  package init(in dataFolder: StoredPath) throws(FileError) {
    let store = ProfileStore(dataFolder: dataFolder)
    people = People(try store.profiles().readable, former: FormerPeople(in: dataFolder))
    names = Set(try store.names())
  }

  /// What the person of a session is called now; `nil` where the profile is gone, since whoever is called so now or later is somebody else.
  /// One that never had a profile is called as on the day, while no profile is.
  package func name(of who: SessionPerson) -> String? {
    if let owner = people.owner(profileID: who.profileID, name: who.name) { return owner.name }
    guard who.profileID == nil, !names.contains(who.name) else { return nil }
    return people.name(profileID: nil, recordedAs: who.name) == who.name ? who.name : nil
  }
}
