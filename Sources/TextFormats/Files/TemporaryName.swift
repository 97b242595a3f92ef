/// The name that a file or folder has until it is whole: `manifest.json.4f3a0b1c99d2e7a5.tmp`. Its digits are drawn, so that
/// nobody can put something there before.
package enum TemporaryName {
  private static let suffix = ".tmp"
  private static let digitCount = 16
  /// What the file systems of Linux take for a name.
  private static let mostBytes = 255

  /// A new one for what will have a name; of a long name only the beginning stands in it.
  package static func make(for name: String) -> String {
    let digits = String(UInt64.random(in: .min ... .max), radix: 16)
    let ending = "." + String(repeating: "0", count: digitCount - digits.utf8.count) + digits + suffix
    var beginning = name[...]
    while beginning.utf8.count > mostBytes - ending.utf8.count { beginning.removeLast() }
    return beginning + ending
  }

  /// The name that a file was to have; `nil` for a name that is none of these. Also those that end in the number of a process
  /// are known, as older versions drew them.
  package static func final(of name: String) -> String? {
    guard name.hasSuffix(suffix), case let text = name.dropLast(suffix.count), let dot = text.lastIndex(of: ".") else {
      return nil
    }
    let mark = text[text.index(after: dot)...]
    let isMark = (1...32).contains(mark.count) && mark.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    return isMark && dot > text.startIndex ? String(text[..<dot]) : nil
  }
}
