extension String {
  /// Whether another text has the same bytes. Two names can be equal as texts, and still be those of two people: a letter with a mark
  /// can be one sign or two.
  package func hasBytes(of other: String) -> Bool { utf8.elementsEqual(other.utf8) }

  /// Whether the text can stand in the name of a file and in front of people: letters of any script with their marks,
  /// numbers, and `punctuation`; nothing that is not seen, but for the joiners of a script whose letters need them.
  ///
  /// It is looked at scalar by scalar: one character can hold more than a letter, such as a letter that is put before a
  /// slash. An empty text is a label.
  package func isLabel(punctuation: String) -> Bool {
    unicodeScalars.allSatisfy { $0.isPartOfWord || $0.isJoiner || punctuation.unicodeScalars.contains($0) }
      && visible == self
  }

  /// What is left of the text as a label, from its beginning, of at most so many characters and bytes.
  package func label(punctuation: String, characters: Int, bytes: Int) -> String {
    func kept(_ isKept: (Unicode.Scalar) -> Bool) -> String {
      String(
        String.UnicodeScalarView(
          unicodeScalars.filter { $0.isPartOfWord || isKept($0) || punctuation.unicodeScalars.contains($0) }))
    }
    let joined = kept(\.isJoiner)
    var (result, count) = ("", 0)
    for character in joined.isLabel(punctuation: punctuation) ? joined : kept({ _ in false }) {
      count += 1
      guard count <= characters, result.utf8.count + character.utf8.count <= bytes else { break }
      result.append(character)
    }
    return result
  }
}

extension Unicode.Scalar {
  /// Whether it is a letter, a mark on one, or a number, and to be seen.
  fileprivate var isPartOfWord: Bool {
    guard !isHidden else { return false }
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber: return true
    default: return properties.isAlphabetic
    }
  }

  /// Whether it joins letters, or keeps them from joining.
  fileprivate var isJoiner: Bool { value == 0x200C || value == 0x200D }
}
