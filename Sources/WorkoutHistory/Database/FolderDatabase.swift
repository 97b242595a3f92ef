package import TextFormats

/// Databases in a data folder, where that may be one in which nothing can be written.
extension Database {
  /// Opens a database of a data folder, and says of the folder or its disk what SQLite has the words of many other things for.
  ///
  /// - Throws: what `opening` throws, but `FileError` with `keepData` where the folder cannot be written.
  package static func opened(in dataFolder: StoredPath, _ opening: () throws -> Database) throws -> Database {
    do {
      return try opening()
    } catch let error as DatabaseError where error.isOfWriting {
      if let problem = FileSystem.problemOfChanging(dataFolder) {
        throw FileError(.keepData, dataFolder.path, code: problem)
      }
      throw FileSystem.isFull(dataFolder) ? error.onFullDisk : error
    }
  }

  /// Opens a database of a data folder for who only reads it: as it is, where the folder cannot be written or the disk is full.
  ///
  /// - Parameters:
  ///   - opening: how it is opened where the folder can be written; see ``opened(in:_:)``.
  ///   - asItIs: how it is opened where nothing can be written.
  /// - Returns: also whether it may stay open: not where the disk is full, since somebody may make room and change the file.
  /// - Throws: what `opening` and `asItIs` throw.
  package static func openedToRead(
    at place: StoredPath, in dataFolder: StoredPath, opening: () throws -> Database, asItIs: () throws -> Database
  ) throws -> (database: Database, isLasting: Bool) {
    do {
      let database = try opening()
      try database.refuseChanges()
      return (database, true)
    } catch let error as FileError where error.operation == .keepData {
      guard try FileSystem.has(place) else { throw error }
      return (try asItIs(), true)
    } catch let error as DatabaseError where error.mayBeOfSpace && FileSystem.isFull(dataFolder) {
      guard try FileSystem.has(place) else { throw error.onFullDisk }
      return (try asItIs(), false)
    }
  }
}
