package import TextFormats

/// Labelled recordings of motion that are kept to learn from, in the folder `motion` of a data folder: a folder a person, a file a
/// recording, named by its label.
package enum MotionFolder {
  /// The name of the folder.
  package static let name = "motion"
  private static let ending = ".csv"

  /// The recordings of somebody under a label, in the order of their names; none where there is no folder.
  ///
  /// - Throws: `FileError` when the folder cannot be listed.
  package static func recordings(
    of person: String, _ label: String, in dataFolder: StoredPath
  ) throws(FileError) -> [StoredPath] {
    let folder = folder(of: person, in: dataFolder)
    let beginning = part(label) + "-"
    return try FileSystem.listIfPresent(folder).filter { name in
      guard name.hasPrefix(beginning), name.hasSuffix(ending) else { return false }
      let digits = name.dropFirst(beginning.count).dropLast(ending.count)
      return !digits.isEmpty && digits.allSatisfy { $0.isASCII && ($0.isNumber || $0 == "T" || $0 == "Z" || $0 == "_") }
    }.map { folder + "/" + $0 }
  }

  /// Writes a recording, and then removes those that it replaces.
  ///
  /// - Throws: `FileError` when it cannot be written, and then nothing is removed, or when an earlier one cannot be.
  package static func keep(
    _ text: [UInt8], of person: String, _ label: String, at now: WallClockTime, replacing earlier: [StoredPath],
    in dataFolder: StoredPath
  ) throws(FileError) -> StoredPath {
    try DataFolderMark.make(dataFolder)
    try FileSystem.createFolder(dataFolder + "/" + name)
    let folder = folder(of: person, in: dataFolder)
    try FileSystem.createFolder(folder)
    var (path, number) = (folder + "/" + (part(label) + "-\(now.compactDescription)" + ending), 2)
    while FileSystem.exists(path) {
      path = folder + "/" + (part(label) + "-\(now.compactDescription)_\(number)" + ending)
      number += 1
    }
    try FileSystem.writeAtomically(text.span, to: path)
    for place in earlier { try FileSystem.removeIfPresent(place) }
    return path
  }

  private static func folder(of person: String, in dataFolder: StoredPath) -> StoredPath {
    dataFolder + "/" + name + "/" + part(person)
  }

  /// A name as part of one of a file; no other name has the same, because none has a hyphen.
  private static func part(_ text: String) -> String { String(text.map { $0 == " " ? "-" : $0 }) }
}
