/// Why a profile cannot be found or take its name. The name is what the user typed.
package enum ProfileStoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is none of the name.
  case missing(String)
  /// There is one of the name already.
  case taken(String)

  /// One line that says what is wrong and what was expected.
  package var description: String {
    switch self {
    case .missing(let name): "\(name): no such profile: expected a name of `coach profile list`"
    case .taken(let name): "\(name): there is a profile of that name: expected another name"
    }
  }
}

/// The profiles of a data folder, a file each. Every change is one rename of a file, under a lock against other processes.
package struct ProfileStore: Sendable {
  /// The data folder.
  package let dataFolder: String

  /// Creates a store; nothing is opened until something is asked.
  package init(dataFolder: String) { self.dataFolder = dataFolder }

  /// The folder of the profiles.
  var folder: String { dataFolder + "/profiles" }

  private static let suffix = ".json"
  private var renamingFolder: String { dataFolder + "/renaming" }

  /// The file of a profile.
  package func path(of name: String) -> String { folder + "/" + name + Self.suffix }

  /// The names, sorted by their bytes.
  ///
  /// - Throws: `FileError` when the folder cannot be listed.
  package func names() throws(FileError) -> [String] { try Self.names(in: folder) }

  private static func names(in folder: String) throws(FileError) -> [String] {
    guard FileSystem.isFolder(folder) else { return [] }
    return try FileSystem.list(folder).filter { $0.hasSuffix(suffix) }.map { String($0.dropLast(suffix.count)) }
      .filter { StoredProfile.isName($0) }
  }

  /// The profile of a name.
  ///
  /// - Throws: `ProfileStoreError.missing` when there is none, `FileError` when it cannot be read, `RecordingError` when
  ///   it is not as it should be.
  package func profile(named name: String) throws -> StoredProfile {
    do {
      return try Self.read(path(of: name), name: name)
    } catch let error as FileError where error.isMissing {
      throw ProfileStoreError.missing(name)
    }
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

  private static func read(_ path: String, name: String?) throws -> StoredProfile {
    let bytes = try POSIXFile(reading: path).readAll(maximumBytes: StoredProfile.largestBytes)
    do {
      return try StoredProfile(json: bytes.span, name: name ?? JSONValue.parse(bytes.span)["name"]?.string ?? "")
    } catch {
      throw RecordingError(path: path, problem: "\(error)")
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
      guard !FileSystem.exists(path(of: profile.name)) else { throw ProfileStoreError.taken(profile.name) }
      try write(text, to: path(of: profile.name))
    }
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
  /// ``finishRenames()`` of the next start.
  /// - Throws: `ProfileStoreError` when there is no such profile or the new name is taken, else as for changing one.
  package func rename(_ name: String, to newName: String, id: @autoclosure () -> ProfileID) throws {
    precondition(StoredProfile.isName(newName), "a profile has a name")
    try locked {
      let renamed = try profile(named: name).identified(by: id()).renamed(newName)
      guard !FileSystem.exists(path(of: newName)) else { throw ProfileStoreError.taken(newName) }
      try write(renamed.json(), to: renamingFolder + "/" + name + Self.suffix)
      try finishRename(of: name)
    }
  }

  /// Whether there are renames that were cut off.
  package var hasUnfinishedRenames: Bool { FileSystem.isFolder(renamingFolder) }

  /// Finishes renames that were cut off.
  ///
  /// - Throws: `FileError`, `RecordingError` or `DatabaseError` when they cannot be finished now.
  package func finishRenames() throws {
    guard hasUnfinishedRenames else { return }
    try locked {
      for name in try Self.names(in: renamingFolder) { try finishRename(of: name) }
      try FileSystem.removeTree(renamingFolder)
    }
  }

  private func finishRename(of name: String) throws {
    let staged = renamingFolder + "/" + name + Self.suffix
    let renamed = try Self.read(staged, name: nil)
    try write(renamed.json(), to: path(of: renamed.name))
    try removeIfThere(path(of: name))
    try FileSystem.syncFolder(folder)
    try FileSystem.remove(staged)
    if try FileSystem.list(renamingFolder).isEmpty { try FileSystem.removeTree(renamingFolder) }
  }

  /// Removes the profile of a name; nothing when it is not there. The sessions stay.
  ///
  /// - Throws: `FileError` or `DatabaseError` when it cannot be removed now.
  package func remove(_ name: String) throws {
    try locked {
      try removeIfThere(path(of: name))
      guard FileSystem.isFolder(folder) else { return }
      // What a process that died was writing has the name in its own, and the content of a profile.
      for file in try FileSystem.list(folder) where file.hasSuffix(".tmp") {
        try FileSystem.remove(folder + "/" + file)
      }
      try FileSystem.syncFolder(folder)
    }
  }

  private func write(_ text: [UInt8], to path: String) throws(FileError) {
    try FileSystem.createFolder(FileSystem.folder(of: path))
    try FileSystem.writeAtomically(text.span, to: path)
  }

  private func removeIfThere(_ path: String) throws(FileError) {
    do throws(FileError) {
      try FileSystem.remove(path)
    } catch  where error.isMissing {}
  }

  private func locked<Value>(_ body: () throws -> Value) throws -> Value {
    try FileSystem.createFolder(dataFolder)
    let file = try POSIXFile(writing: dataFolder + "/profiles.lock", .append)
    guard try file.lock(waitingMilliseconds: Database.usualBusyMilliseconds) else {
      throw DatabaseError.busy(folder, "another coach changes profiles: try again when it is done")
    }
    let value = try body()
    try file.close()
    return value
  }
}
