package import TextFormats

/// Labelled recordings of motion that are kept to learn from, in the folder `motion` of a data folder: a folder a person, a file a
/// recording, named by its label.
package enum MotionFolder {
  /// The name of the folder.
  package static let name = "motion"
  private static let ending = ".csv"

  /// The most characters and bytes of a name that stands in that of a file as it is.
  private static let mostCharacters = 40
  private static let mostBytes = 160
  /// The digits of the hash that distinguishes other names.
  private static let hashDigits = 16

  /// Whether a text can be the person of a recording that is made now: the name of a profile, or one with spaces. One
  /// without a letter or digit is none: a table has nothing, or no value, in its place.
  package static func isName(_ text: String) -> Bool {
    text.isLabel(punctuation: " -_") && isShort(text) && text.contains { $0.isLetter || $0.isNumber }
  }

  private static func isShort(_ text: String) -> Bool {
    (1...mostCharacters).contains(text.count) && text.utf8.count <= mostBytes
  }

  /// Whether a text stands in the name of a file as it is, but for its spaces.
  private static func isPlain(_ text: String) -> Bool { text.isLabel(punctuation: " _") && isShort(text) }

  /// The folders of the people of whom there are recordings, by their paths in a data folder; none where there is no folder.
  ///
  /// - Throws: `FileError` when they cannot be listed.
  package static func folders(in dataFolder: StoredPath) throws(FileError) -> [String] {
    var folders: [String] = []
    for person in try FileSystem.listIfPresent(dataFolder + "/" + name) where isFolderName(person) {
      let folder = name + "/" + person
      if let status = try FileSystem.status(dataFolder + "/" + folder), status.isFolder, status.isOfUser {
        folders.append(folder)
      }
    }
    return folders
  }

  /// Whether a name can be that of the folder of somebody.
  package static func isFolderName(_ name: String) -> Bool { isPart(name) }

  /// Whether a text can stand in a path for a label or a person; see ``part(_:)``.
  private static func isPart(_ part: String) -> Bool {
    let pieces = part.split(separator: "+", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let stem = String(pieces[0].map { $0 == "-" ? " " : $0 })
    guard !pieces[0].contains(" ") else { return false }
    guard stem.isLabel(punctuation: " _"), stem.count <= mostCharacters else { return false }
    guard pieces.count == 2 else { return !stem.isEmpty }
    return pieces[1].utf8.count == hashDigits
      && pieces[1].utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  /// Whether a name can be that of a recording, of whatever label.
  package static func isRecording(_ name: String) -> Bool {
    guard let hyphen = name.lastIndex(of: "-"), isFolderName(String(name[..<hyphen])) else { return false }
    return isRecording(name, after: name[...hyphen])
  }

  private static func isRecording(_ name: String, after beginning: some StringProtocol) -> Bool {
    guard name.hasPrefix(beginning), name.hasSuffix(ending) else { return false }
    let digits = name.dropFirst(beginning.count).dropLast(ending.count)
    return !digits.isEmpty && digits.allSatisfy { $0.isASCII && ($0.isNumber || $0 == "T" || $0 == "Z" || $0 == "_") }
  }

  /// Removes all recordings of somebody.
  ///
  /// - Throws: `FileError` when one cannot be removed.
  package static func removeAll(of person: String, in dataFolder: StoredPath) throws(FileError) {
    let folder = folder(of: person, in: dataFolder)
    for name in try FileSystem.listIfPresent(folder) where (TemporaryName.final(of: name) ?? name).hasSuffix(ending) {
      try FileSystem.removeIfPresent(folder + "/" + name)
    }
    try FileSystem.removeIfEmpty(folder)
    try FileSystem.removeIfEmpty(dataFolder + "/" + name)
  }

  /// The recordings of somebody under a label, in the order of their names; none where there is no folder.
  ///
  /// - Throws: `FileError` when the folder cannot be listed.
  package static func recordings(
    of person: String, _ label: String, in dataFolder: StoredPath
  ) throws(FileError) -> [StoredPath] {
    let folder = folder(of: person, in: dataFolder)
    let beginning = part(label) + "-"
    return try FileSystem.listIfPresent(folder).filter { isRecording($0, after: beginning) }.map { folder + "/" + $0 }
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
    let path = try free(part(label) + "-\(now.compactDescription)", in: folder)
    try FileSystem.writeAtomically(text.span, to: path)
    for place in earlier { try FileSystem.removeIfPresent(place) }
    return path
  }

  /// Gives the recordings of somebody another name with their person, beside those that are there. Done again it changes nothing.
  ///
  /// - Throws: `FileError` when one cannot be moved.
  package static func rename(
    _ person: String, to newName: String, in dataFolder: StoredPath
  ) throws(FileError) {
    let (folder, newFolder) = (folder(of: person, in: dataFolder), folder(of: newName, in: dataFolder))
    let names = try FileSystem.listIfPresent(folder).filter { $0.hasSuffix(ending) }
    guard !names.isEmpty else { return }
    try FileSystem.createFolder(newFolder)
    for name in names {
      try FileSystem.rename(folder + "/" + name, to: try free(String(name.dropLast(ending.count)), in: newFolder))
    }
    try FileSystem.syncFolder(newFolder)
    try FileSystem.removeIfEmpty(folder)
  }

  /// A path that no file has: with a number where another has the name.
  private static func free(_ stem: String, in folder: StoredPath) throws(FileError) -> StoredPath {
    var (path, number) = (folder + "/" + (stem + ending), 2)
    while try FileSystem.has(path) {
      path = folder + "/" + (stem + "_\(number)" + ending)
      number += 1
    }
    return path
  }

  private static func folder(of person: String, in dataFolder: StoredPath) -> StoredPath {
    dataFolder + "/" + name + "/" + part(person)
  }

  /// A name as part of one of a file, which no other name has. One that cannot stand in a path as it is, or is too long, is what can
  /// be left of it and a hash; such a part has a plus, and no other has one.
  private static func part(_ text: String) -> String {
    func joined(_ text: String) -> String { String(text.map { $0 == " " ? "-" : $0 }) }
    guard !isPlain(text) else { return joined(text) }
    let stem = text.label(punctuation: " _", characters: mostCharacters, bytes: mostBytes / 2)
    return joined(stem) + "+" + SHA256.hex(of: Array(text.utf8).span).prefix(hashDigits)
  }
}
