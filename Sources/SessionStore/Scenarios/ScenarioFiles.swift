internal import TextFormats

/// Finds the scenario files that are named.
package enum ScenarioFiles {
  /// The ending of a scenario's file name.
  static let ending = ".json"

  /// The scenario files of a path: the file itself, or those in the folder and the folders in it, sorted by their
  /// bytes. Names that begin with a point, links to folders, which may lead back, and pipes are passed over.
  ///
  /// - Throws: `ScenarioError` when nothing is there, it cannot be looked at, or a folder has no scenario.
  package static func find(at path: String) throws(ScenarioError) -> [String] {
    do throws(FileError) {
      guard try FileSystem.hasFolder(path) else {
        // Opening it gives the reason when it is missing or cannot be read.
        _ = try POSIXFile(reading: path)
        return [path]
      }
      var found: [String] = []
      try collect(in: path, depth: 0, into: &found)
      if !found.isEmpty { return found }
    } catch {
      throw ScenarioError(path: path, .file(error))
    }
    throw ScenarioError(path: path, .noScenarios)
  }

  /// The scenario files of several paths, in the order of the paths.
  ///
  /// - Throws: `ScenarioError` about the first path that has none.
  package static func find(at paths: [String]) throws(ScenarioError) -> [String] {
    var found: [String] = []
    for path in paths { found += try find(at: path) }
    return found
  }

  /// Folders within folders.
  private static let deepest = 16

  private static func collect(in folder: String, depth: Int, into found: inout [String]) throws(FileError) {
    let prefix = folder.hasSuffix("/") ? folder : folder + "/"
    for name in try FileSystem.list(folder) where !name.hasPrefix(".") {
      let path = prefix + name
      if try FileSystem.hasOpenFolder(path) {
        if depth < deepest, !FileSystem.isLink(path) { try collect(in: path, depth: depth + 1, into: &found) }
      } else if name.hasSuffix(ending), try FileSystem.status(path)?.isPipe != true {
        found.append(path)
      }
    }
  }
}
