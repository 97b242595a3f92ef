internal import SessionStore
package import TextFormats
package import WorkoutSession

/// Why a profile cannot be found or take its name. The name is what the user typed.
package enum ProfileStoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is none of the name; another one is written nearly so.
  case missing(String, near: String? = nil)
  /// Nobody of the name has a profile or a session; another one is called nearly so.
  case nobody(String, near: String?)
  /// There is one of the name already.
  case taken(String)

  /// One line that says what is wrong and what was expected.
  package var description: String {
    switch self {
    case .missing(let name, let near):
      "\(name): no such profile: " + (near.map { "did you mean \($0)?" } ?? "expected a name of `coach profile list`")
    case .nobody(let name, let near):
      "\(name): nobody of that name has a profile or a session: "
        + (near.map { "did you mean \($0)?" } ?? "expected a name of `coach history list`")
    case .taken(let name): "\(name): there is a profile of that name: expected another name"
    }
  }
}

/// The profiles of a data folder, a file each. Every change is one rename of a file, under a lock against other processes.
package struct ProfileStore: Sendable {
  /// The data folder.
  package let dataFolder: StoredPath

  /// How long another process that changes profiles is waited for.
  private let busyMilliseconds: Int32

  /// Creates a store; nothing is opened until something is asked.
  package init(dataFolder: StoredPath) {
    self.init(dataFolder: dataFolder, busyMilliseconds: Database.usualBusyMilliseconds)
  }

  /// Creates a store that waits for another process no longer than that.
  init(dataFolder: StoredPath, busyMilliseconds: Int32) {
    self.dataFolder = dataFolder
    self.busyMilliseconds = busyMilliseconds
  }

  /// The folder of the profiles.
  var folder: StoredPath { dataFolder + "/" + ProfileFileName.folder }

  private var renamingFolder: StoredPath { dataFolder + "/renaming" }

  /// The file of a profile.
  package func path(of name: String) -> StoredPath { folder + "/" + ProfileFileName.file(of: name) }

  /// The names, sorted by their bytes.
  ///
  /// - Throws: `FileError` when the folder cannot be listed.
  package func names() throws(FileError) -> [String] { try Self.names(in: folder) }

  private static func names(in folder: StoredPath) throws(FileError) -> [String] {
    try FileSystem.listIfPresent(folder).compactMap(ProfileFileName.name(of:))
  }

  /// The profile of a name.
  ///
  /// - Throws: `ProfileStoreError.missing` when there is none, `FileError` when it cannot be read, `RecordingError` when
  ///   it is not as it should be.
  package func profile(named name: String) throws -> StoredProfile {
    // No other text becomes a part of a path.
    guard ProfileFileName.isStoredName(name) else { throw missing(name) }
    do {
      return try Self.read(path(of: name), name: name)
    } catch let error as FileError where error.isMissing {
      throw missing(name)
    }
  }

  /// Makes sure that the profile of a name is that of somebody who was meant.
  ///
  /// - Throws: as ``profile(named:)``; `ProfileStoreError.missing` also where it is somebody else's.
  func require(_ identity: ProfileIdentity, named name: String) throws {
    guard identity.isOf(try profile(named: name)) else { throw ProfileStoreError.missing(name) }
  }

  private func missing(_ name: String) -> ProfileStoreError {
    .missing(name, near: Spelling.closest(to: name, among: (try? names()) ?? []))
  }

  /// All profiles that can be read, sorted by name, and what is wrong with the others. Names do not stand in that.
  ///
  /// - Throws: `FileError` when the folder cannot be listed.
  package func profiles() throws(FileError) -> (readable: [StoredProfile], problems: [String]) {
    var readable: [StoredProfile] = []
    var problems: [String] = []
    for name in try names() {
      do {
        readable.append(try profile(named: name))
      } catch let error as RecordingError {
        problems.append(error.problem)
      } catch let error as FileError {
        problems.append("\(error.operation.rawValue): \(error.reason)")
      } catch {
        // It was removed between the two looks.
      }
    }
    return (readable, problems)
  }

  private static func read(_ path: StoredPath, name: String?) throws -> StoredProfile {
    let bytes = try POSIXFile(reading: path).readJSON(maximumBytes: StoredProfile.largestBytes)
    do {
      return try StoredProfile(json: bytes.span, name: name ?? JSONValue.parse(bytes.span)["name"]?.string ?? "")
    } catch {
      throw RecordingError(path: path.path, problem: "\(error)")
    }
  }

  // MARK: - Changes

  /// Keeps a new profile.
  ///
  /// - Throws: `ProfileStoreError.taken` when the name is, `ProfileError` when it cannot be kept as it is, `FileError` or
  ///   `DatabaseError` when it cannot be written now.
  package func create(_ profile: StoredProfile) throws {
    let text = try profile.json()
    try locked {
      try requireFree(profile.name, notCounting: nil)
      try write(text, to: path(of: profile.name))
    }
  }

  /// Refuses a name that somebody has, also one that is written with other signs and looks the same: what belongs to one of them
  /// would be looked for at the other. So is one that somebody had whose rename was cut off: what is theirs has the old name still.
  private func requireFree(_ name: String, notCounting own: String?) throws {
    guard try !FileSystem.has(path(of: name)), try !FileSystem.has(staged(of: name)) else {
      throw ProfileStoreError.taken(name)
    }
    let others = try names().filter { other in !(own.map(other.hasBytes) ?? false) }
    guard !others.contains(name) else { throw ProfileStoreError.taken(name) }
  }

  /// The text of the profile of a name; `nil` where there is none.
  ///
  /// - Throws: `FileError` when it cannot be read.
  package func text(named name: String) throws(FileError) -> [UInt8]? {
    do throws(FileError) {
      return try POSIXFile(reading: path(of: name)).readAll(maximumBytes: StoredProfile.largestBytes)
    } catch  where error.isMissing {
      return nil
    }
  }

  /// Keeps the text of a profile as another store has it, instead of what is there.
  ///
  /// - Throws: `FileError` or `DatabaseError` when it cannot be written now.
  package func take(_ text: [UInt8], of name: String) throws {
    precondition(ProfileFileName.isStoredName(name), "a profile has a name")
    try locked { try write(text, to: path(of: name)) }
  }

  /// Changes a profile; one of version 1 gets an identity. What it was keeps standing until the new file is whole.
  ///
  /// - Throws: as for reading and creating it, or what `body` throws.
  package func change(
    _ name: String, id: @autoclosure () -> ProfileID, _ body: (inout StoredProfile) throws -> Void
  ) throws -> StoredProfile {
    try locked {
      var changed = try profile(named: name).identified(by: id())
      try body(&changed)
      try write(changed.json(), to: path(of: name))
      return changed
    }
  }

  /// Gives a person another name. The identity stays, and with it the sessions.
  ///
  /// The new profile is first written to `renaming/`, which decides it: from there on a process that dies is followed by
  /// ``finishRenames(carrying:)`` of the next start.
  /// - Parameter carry: does the same elsewhere, given both names, before anybody can take the old one; again where it was cut off.
  /// - Throws: `ProfileStoreError` when there is no such profile or the new name is taken, else as for changing one, or what `carry`
  ///   throws: then the next start finishes it.
  package func rename(
    _ name: String, to newName: String, id: @autoclosure () -> ProfileID,
    carrying carry: (String, String) throws -> Void
  ) throws {
    precondition(ProfileFileName.isName(newName), "a profile has a name")
    try locked {
      let renamed = try profile(named: name).identified(by: id()).renamed(newName)
      try requireFree(newName, notCounting: name)
      try write(renamed.json(), to: staged(of: name))
      try finishRename(of: name, carry)
    }
  }

  /// Where the profile of a name that gets another one is until all has that.
  private func staged(of name: String) -> StoredPath { renamingFolder + "/" + ProfileFileName.file(of: name) }

  /// Whether there are renames that were cut off.
  package var hasUnfinishedRenames: Bool {
    FileSystem.isLeftOver(renamingFolder) { ProfileFileName.name(of: TemporaryName.final(of: $0) ?? $0) != nil }
  }

  /// Finishes renames that were cut off.
  ///
  /// - Parameter carry: as for a rename.
  /// - Throws: `FileError`, `RecordingError` or `DatabaseError` when they cannot be finished now, or what `carry` throws.
  package func finishRenames(carrying carry: (String, String) throws -> Void) throws {
    guard hasUnfinishedRenames else { return }
    try locked {
      for name in try Self.names(in: renamingFolder) { try finishRename(of: name, carry) }
      if try FileSystem.hasFolder(renamingFolder) { try removeTemporaries(in: renamingFolder) }
      try FileSystem.removeIfEmpty(renamingFolder)
    }
  }

  private func finishRename(of name: String, _ carry: (String, String) throws -> Void) throws {
    let staged = staged(of: name)
    let renamed = try Self.read(staged, name: nil)
    try write(renamed.json(), to: path(of: renamed.name))
    try carry(name, renamed.name)
    try FileSystem.removeIfPresent(path(of: name))
    try FileSystem.syncFolder(folder)
    try MotionFolder.rename(name, to: renamed.name, in: dataFolder)
    try FileSystem.remove(staged)
    try FileSystem.removeIfEmpty(renamingFolder)
  }

  /// Removes the profile of a name; nothing when it is not there. The sessions stay.
  ///
  /// - Parameters:
  ///   - identity: whose it has to be; absent for whoever has the name.
  ///   - keepsName: Whether its sessions go on being called by the name; a profile that cannot be read has none to keep.
  /// - Throws: `FileError` or `DatabaseError` when it cannot be removed now; `ProfileStoreError.missing` where it is not there, or somebody
  ///   else's, and an identity was asked for.
  package func remove(_ name: String, of identity: ProfileIdentity? = nil, keepsName: Bool) throws {
    try locked {
      if let identity { try require(identity, named: name) }
      if keepsName, let profile = try? profile(named: name) {
        var former = FormerPeople(in: dataFolder)
        former.add(profile)
        try former.write(in: dataFolder)
      }
      try FileSystem.removeIfPresent(path(of: name))
      guard try FileSystem.hasFolder(folder) else { return }
      try removeTemporaries(in: folder)
      try FileSystem.syncFolder(folder)
    }
  }

  /// Keeps what people were called whose profiles are gone, as another store says it, in place of what was there.
  ///
  /// - Parameter text: that of `former-people.json`; `nil` when there is nobody.
  /// - Throws: `FileError` or `DatabaseError` when it cannot be written now.
  package func takeFormerPeople(_ text: [UInt8]?) throws {
    try locked { try (text.map { FormerPeople(text: $0) } ?? FormerPeople()).write(in: dataFolder) }
  }

  /// Forgets what people were called whose sessions are gone.
  ///
  /// - Throws: `FileError` or `DatabaseError` when it cannot be written now.
  func forgetNames(of keys: PersonKeys) throws {
    guard try FileSystem.has(FormerPeople.path(in: dataFolder)) else { return }
    try locked {
      var former = FormerPeople(in: dataFolder)
      if former.forget(keys) { try former.write(in: dataFolder) }
    }
  }

  /// Removes what a process that died was writing: it has the name of a profile in its own, and the content of one.
  private func removeTemporaries(in folder: StoredPath) throws(FileError) {
    for file in try FileSystem.list(folder) {
      guard let name = TemporaryName.final(of: file), ProfileFileName.name(of: name) != nil else { continue }
      try FileSystem.remove(folder + "/" + file)
    }
  }

  private func write(_ text: [UInt8], to path: StoredPath) throws(FileError) {
    try FileSystem.createFolder(path.folder)
    try FileSystem.writeAtomically(text.span, to: path)
  }

  private func locked<Value>(_ body: () throws -> Value) throws -> Value {
    try DataFolderMark.make(dataFolder)
    let file = try POSIXFile(writing: dataFolder + "/profiles.lock", .append)
    guard try file.lock(waitingMilliseconds: busyMilliseconds) else {
      throw DatabaseError.busy(folder.path, "another coach changes profiles: try again when it is done")
    }
    let value = try body()
    try file.close()
    return value
  }
}
