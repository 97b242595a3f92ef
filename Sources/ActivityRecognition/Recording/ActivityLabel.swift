internal import TextFormats

/// What somebody calls an activity: when it is recorded, by a terminal or by the page of a phone, and when it is put on a stretch
/// afterwards.
///
/// Labels in the files of others may have any characters. Of them only ``mostCharacters`` holds, beyond which they are cut, and
/// ``meansUnknown(_:)``, which nobody learns.
package struct ActivityLabel: Hashable, Sendable {
  /// The name of what is not known.
  package static let unknown = "unknown"

  /// The text, without spaces around it.
  package let text: String

  /// The most characters of a label.
  package static let mostCharacters = 64
  /// The most bytes of one that is typed: a character can have many.
  package static let mostBytes = 256
  /// What is expected of a text that is none.
  package static let expected =
    "the name of an activity: 1 to \(mostCharacters) characters that can be seen, and not \(unknown), none, "
    + "null, na, n/a, nan or -, which say that nothing is known"

  /// Takes a text that somebody types; `nil` for one that is no name of an activity, or one that a table reads as no value.
  package init?(typed text: String) {
    var rest = text[...]
    while rest.first == " " { rest.removeFirst() }
    while rest.last == " " { rest.removeLast() }
    let name = String(rest)
    guard (1...Self.mostCharacters).contains(name.count), name.utf8.count <= Self.mostBytes,
      name.visible.hasBytes(of: name), !Self.meansUnknown(name), !CSVRow.isMissing(name)
    else { return nil }
    self.text = name
  }

  /// Whether a label is the name of what no model knows, whatever its case.
  package static func meansUnknown(_ label: String) -> Bool { label.lowercased() == unknown }
}
