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
    guard file.hasSuffix(suffix), case let name = String(file.dropLast(suffix.count)), isName(name) else { return nil }
    return name
  }

  /// Whether a text can be the name of a profile. A name is a part of a path, so that nothing else may stand in it, and
  /// nothing that is not seen, so that two names never look the same; but for the joiners of a script whose letters need them.
  package static func isName(_ text: String) -> Bool {
    (1...40).contains(text.count) && text.utf8.count <= 160
      && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" } && text.visible == text
      && text.unicodeScalars.allSatisfy { !$0.isHidden || $0 == "\u{200C}" || $0 == "\u{200D}" }
  }
}
