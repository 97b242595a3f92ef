internal import TextFormats

/// Sentences for people in a header.
extension HTTPField {
  /// How long the sentences of a header are at most, in bytes, where there may be any number of them.
  static let sentenceBytes = 1_024

  /// A header of sentences with `; ` between them: what is no printable ASCII is escaped as in a URL, and so are percent signs.
  ///
  /// - Parameter most: how many bytes the sentences have at most. Of those that do not fit the number is said; a first one that is longer
  ///   is cut. Absent for no limit.
  init(_ name: String, sentences: [String], atMost most: Int = .max) {
    var text = ""
    for (index, sentence) in sentences.enumerated() {
      let next = (index == 0 ? "" : "; ") + Self.escaped(sentence, atMost: index == 0 ? most : .max)
      guard index == 0 || next.utf8.count <= most - text.utf8.count else {
        text += "; and \(sentences.count - index) more"
        break
      }
      text += next
    }
    self.init(name, text)
  }

  private static func escaped(_ sentence: String, atMost most: Int) -> String {
    var text = ""
    for scalar in sentence.unicodeScalars {
      let isPlain = (0x20...0x7E).contains(scalar.value) && scalar != "%"
      let next = isPlain ? String(scalar) : String(scalar).encodingPercents
      guard next.utf8.count <= most - text.utf8.count else { return text + "..." }
      text += next
    }
    return text
  }
}
