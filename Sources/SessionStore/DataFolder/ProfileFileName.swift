internal import TextFormats

/// The names of the files of profiles, in the folder `profiles` of a data folder.
package enum ProfileFileName {
  /// The folder of the profiles in a data folder.
  package static let folder = "profiles"

  private static let suffix = ".json"

  /// The file of a profile.
  package static func file(of name: String) -> String { name + suffix }

  /// The name of the profile in a file; `nil` for a file that is none.
  package static func name(of file: String) -> String? {
    guard file.hasSuffix(suffix), case let name = String(file.dropLast(suffix.count)), isStoredName(name) else {
      return nil
    }
    return name
  }

  /// The file of a profile, by its path in a data folder.
  package static func path(of name: String) -> String { folder + "/" + file(of: name) }

  /// The name of the profile of a path in a data folder; `nil` for another file.
  package static func name(at path: String) -> String? {
    guard path.hasPrefix(folder + "/") else { return nil }
    return name(of: String(path.dropFirst(folder.count + 1)))
  }

  /// Whether a text can be the name of a new profile: 1 to 40 letters, digits, hyphens and underscores. A name is a part of a
  /// path, so that nothing else may stand in it, and nothing that is not seen, so that two names never look the same.
  package static func isName(_ text: String) -> Bool {
    isStoredName(text) && text.isLabel(punctuation: punctuation)
  }

  /// Whether a text can be the name of a profile that is kept already: earlier versions took characters that are not seen.
  package static func isStoredName(_ text: String) -> Bool {
    (1...40).contains(text.count) && text.utf8.count <= 160 && !text.utf8.contains(UInt8(ascii: "/"))
      && text.allSatisfy { $0.isLetter || $0.isNumber || punctuation.contains($0) }
  }

  /// The name that somebody means who typed it as it is, or as it is shown, with `\u{200d}` for what is not seen; `nil` when
  /// no profile can be called so.
  package static func storedName(typed text: String) -> String? {
    if isStoredName(text) { return text }
    guard let name = String(visible: text), isStoredName(name) else { return nil }
    return name
  }

  private static let punctuation = "-_"
}
