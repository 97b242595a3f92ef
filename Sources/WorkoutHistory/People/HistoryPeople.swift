internal import SessionStore
internal import TextFormats
internal import WorkoutSession

extension HistoryWorker {
  /// What the sessions of a person say: of the one with a profile of that name, else of those who were called so last and whose
  /// profile is gone.
  ///
  /// - Throws: `FileError`, `RecordingError` or `DatabaseError` when that cannot be found out.
  func keys(ofPersonNamed name: String) throws -> PersonKeys {
    let store = ProfileStore(dataFolder: dataFolder)
    if ProfileFileName.isStoredName(name), try FileSystem.has(store.path(of: name)) {
      return PersonKeys(try store.profile(named: name))
    }
    let (people, former) = (try people(), FormerPeople(in: dataFolder))
    let known = Set(people.keys.texts)
    let said = try read(
      "SELECT DISTINCT \(PersonKeys.column) FROM session WHERE person = ?1", [.text(name)]
    ) { $0.text(0) }
    // Who was called otherwise later is no more meant by the name of the day.
    let others = former.names.filter { $0.value != name }
    let candidates = said + former.keys(ofPeopleNamed: name) + [SessionPerson.key(profileID: nil, name: name)]
    return PersonKeys(candidates.filter { !known.contains($0) && others[$0] == nil })
  }

  /// Refuses a name that nobody has: neither a profile nor the person of a session.
  ///
  /// - Throws: `ProfileStoreError.nobody`; `FileError` or `DatabaseError` when that cannot be found out.
  func requirePerson(named name: String) throws {
    let profiles = try ProfileStore(dataFolder: dataFolder).names()
    guard !profiles.contains(name) else { return }
    let people = try people()
    let said = try read("SELECT DISTINCT profile, person FROM session WHERE person IS NOT NULL", []) {
      people.name(profileID: $0.optionalText(0).flatMap { ProfileID($0) }, recordedAs: $0.optionalText(1))
    }.compactMap(\.self)
    guard !said.contains(name) else { return }
    throw ProfileStoreError.nobody(name, near: Spelling.closest(to: name, among: profiles + Set(said).sorted()))
  }

  /// The keys as the third value of ``Filter/condition``; null for everybody.
  func keysValue(ofPersonNamed name: String?) throws -> DatabaseValue {
    guard let name else { return .null }
    return try keys(ofPersonNamed: name).value
  }

  /// Calls the people of sessions by the names that they have now.
  func named(_ entries: [SessionEntry]) throws -> [SessionEntry] {
    guard entries.contains(where: { $0.person != nil }) else { return entries }
    let people = try people()
    return entries.map { entry in
      var entry = entry
      entry.person = people.name(profileID: entry.profileID, recordedAs: entry.person)
      return entry
    }
  }

  /// What distinguishes people of one name in tables.
  ///
  /// - Throws: `DatabaseError` when the index cannot be used.
  /// - Complexity: O(sessions) of an index, and a row of each person whose profile is gone.
  func labels(of people: People) throws -> PersonLabels {
    let keys = try read(
      "SELECT DISTINCT \(PersonKeys.column) FROM session WHERE \(PersonKeys.column) IS NOT NULL", []
    ) { $0.text(0) }
    let gone = try keys.filter { !people.hasProfile(ofKey: $0) }.flatMap { key in
      try read(
        "SELECT profile, person FROM session WHERE \(PersonKeys.column) = ?1 ORDER BY start_ns DESC LIMIT 1",
        [.text(key)]
      ) { SaidPerson(profileID: $0.optionalText(0).flatMap { ProfileID($0) }, name: $0.optionalText(1)) }
    }
    return PersonLabels(people, gone: gone)
  }

  /// The people whose profiles can be read.
  func people() throws(FileError) -> People {
    People(try ProfileStore(dataFolder: dataFolder).profiles().readable, former: FormerPeople(in: dataFolder))
  }

  /// The sessions of a person by what the folders say, and by what the index says of folders that cannot be read.
  ///
  /// - Throws: `FileError` or `DatabaseError` when they cannot be looked at.
  func sessionNames(of keys: PersonKeys) throws -> [String] {
    let known = try Set(
      read("SELECT id FROM session WHERE \(PersonKeys.column) IN (SELECT value FROM json_each(?1))", [keys.value]) {
        $0.text(0)
      })
    var names = known
    for name in try folders() {
      let folder = SessionFolder.path(of: name, in: dataFolder)
      let manifest: SessionManifest
      do {
        manifest = try SessionFolderRecording(path: folder).manifest
      } catch let error as FileError where error.isOfMachine {
        throw error
      } catch {
        continue
      }
      if keys.contain(profileID: manifest.who?.profileID, name: manifest.person) {
        names.insert(name)
      } else {
        names.remove(name)
      }
    }
    return names.sorted()
  }
}
