internal import TextFormats
package import WorkoutHistory
package import WorkoutSession

/// Another name of a person, where a service may ever have run: what was given to them there is theirs under the new name before
/// anybody else can have the old one, also when that is cut off.
extension ProfileStore {
  /// Gives a person another name, and what the service keeps of them too.
  ///
  /// - Throws: as ``rename(_:to:id:carrying:)``, `DatabaseError` when the service's part cannot be written now: then the next start
  ///   finishes all of it.
  package func renameEverywhere(_ name: String, to newName: String, id: @autoclosure () -> ProfileID) throws {
    try rename(name, to: newName, id: id()) { try ServiceStore.rename($0, to: $1, in: dataFolder) }
  }

  /// Finishes renames that were cut off, and what the service keeps of the people.
  ///
  /// - Throws: as ``finishRenames(carrying:)``, and as for another name.
  package func finishRenamesEverywhere() throws {
    try finishRenames { try ServiceStore.rename($0, to: $1, in: dataFolder) }
  }
}

extension ServiceStore {
  /// Goes on with what is somebody's under another name, where a service ever ran. A server that runs sees that within a second.
  ///
  /// - Throws: `DatabaseError` when it cannot be written, `ServiceStoreError` when it is of a newer version.
  static func rename(_ old: String, to new: String, in dataFolder: StoredPath) throws {
    let place = dataFolder + "/" + fileName
    guard try FileSystem.has(place) else { return }
    let database = try Database(path: place)
    defer { database.close() }
    try ServiceSchema.make(in: database)
    let tables = ServiceTables.embedded(database)
    try tables.transaction(.changing) { try rename(old, to: new, in: tables) }
  }
}
