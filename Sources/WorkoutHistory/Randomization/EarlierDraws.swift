internal import SessionStore
internal import TextFormats
internal import WorkoutSession

/// What was drawn for a person before, read from the folders of the sessions, so that no
/// index is needed.
enum EarlierDraws {
  /// How often each arm of a design was drawn for a person, sessions that are being recorded included. A session whose
  /// deletion is decided does not count.
  ///
  /// - Throws: `RandomizationError.studyChanged` when a session of the person was drawn from another file of that name;
  ///   `FileError` or `RecordingError` when a manifest that records a draw cannot be read.
  static func counts(of person: SessionPerson, in design: RandomizedDesign, dataFolder: StoredPath) throws -> [Int] {
    let owner = try People(ProfileStore(dataFolder: dataFolder).profiles().readable, former: FormerPeople())
      .owner(profileID: person.profileID, name: person.name)
    let keys =
      owner.map { PersonKeys($0) } ?? PersonKeys([SessionPerson.key(profileID: person.profileID, name: person.name)])
    var counts = design.arms.map { _ in 0 }
    let sessions = dataFolder + "/" + SessionFolder.sessions
    for name in try FileSystem.listIfPresent(sessions) {
      guard let (manifest, drawn) = try draw(of: SessionFolder.path(of: name, in: dataFolder)),
        drawn.design.study == design.study,
        keys.contain(profileID: manifest.who?.profileID, name: manifest.person)
      else { continue }
      guard drawn.design.studyHash == design.studyHash else {
        throw RandomizationError.studyChanged(
          study: design.study, sessionID: manifest.sessionID, earlierHash: drawn.design.studyHash,
          hash: design.studyHash)
      }
      guard drawn.design.course == design.course,
        let arm = design.arms.firstIndex(where: { $0.name == drawn.drawnArm.name })
      else { continue }
      counts[arm] += 1
    }
    return counts
  }

  /// The manifest in a folder and the draw that it records; `nil` when it records none.
  private static func draw(of folder: StoredPath) throws -> (SessionManifest, Randomization)? {
    let path = folder + "/" + SessionFolder.manifest
    // Most sessions were not drawn, and reading one is work.
    guard let bytes = try content(of: path), bytes.contains(Array("\"randomization\"".utf8)) else { return nil }
    do {
      let manifest = try SessionManifest(json: bytes.span)
      return manifest.randomization.map { (manifest, $0) }
    } catch {
      throw RecordingError(path: path.path, problem: "\(error)")
    }
  }

  /// The bytes of a file; `nil` when there is none, such as in a folder that is no session, or has just been deleted.
  private static func content(of path: StoredPath) throws(FileError) -> [UInt8]? {
    do throws(FileError) {
      return try POSIXFile(reading: path).readAll(maximumBytes: 1 << 20)
    } catch  where error.isMissing {
      return nil
    }
  }
}

extension [UInt8] {
  /// Whether bytes stand somewhere in the array, one behind the other; true for none.
  fileprivate func contains(_ word: [UInt8]) -> Bool {
    guard let first = word.first else { return true }
    var rest = self[...]
    while let start = rest.firstIndex(of: first) {
      rest = rest[start...]
      if rest.starts(with: word) { return true }
      rest.removeFirst()
    }
    return false
  }
}
