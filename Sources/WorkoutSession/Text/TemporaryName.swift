/// The name under which a file is written before it gets its own: `manifest.json.4711.tmp`.
enum TemporaryName {
  private static let suffix = ".tmp"

  /// What a process puts behind the name that the file will have.
  static func ending(process: Int32) -> String { ".\(process)" + suffix }

  /// The name that a file was to have; `nil` for a name that is none of these.
  static func final(of name: String) -> String? {
    guard name.hasSuffix(suffix), case let text = name.dropLast(suffix.count), let dot = text.lastIndex(of: ".") else {
      return nil
    }
    let mark = text[text.index(after: dot)...]
    let isMark = (1...32).contains(mark.count) && mark.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    return isMark && dot > text.startIndex ? String(text[..<dot]) : nil
  }
}
