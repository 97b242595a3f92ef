internal import TextFormats

/// A file of settings as the AWS tools keep them: sections in brackets, `key = value` in them.
///
/// Indented lines belong to a value of several lines and are read past; lines that begin with `#` or `;` are comments, and
/// so is what follows a space and one of them.
struct SettingsFile: Sendable {
  /// The file is not one of settings. What is in it is never shown.
  struct Malformed: Error, Hashable, Sendable {
    /// The line, from 1.
    let line: Int
  }

  /// The values by section and key, keys in lower case.
  private var sections: [String: [String: String]] = [:]
  /// The section that is read.
  private var section: String?

  /// A file without sections.
  init() {}

  /// Reads a file; one that is not there has no sections.
  ///
  /// - Throws: `FileError` when it cannot be read, `StoreSettingsError` with the line that is none.
  static func read(_ path: String) throws -> SettingsFile {
    guard try FileSystem.status(path) != nil else { return SettingsFile() }
    let bytes = try POSIXFile(reading: path).readAll(maximumBytes: 1 << 20)
    do {
      return try SettingsFile(text: bytes.span)
    } catch let error as Malformed {
      throw StoreSettingsError(
        "\(path): line \(error.line)", "expected [SECTION], or KEY = VALUE in one", isMissing: false)
    } catch let error as LineError {
      throw StoreSettingsError("\(path): line \(error.line)", "expected text", isMissing: false)
    }
  }

  /// Reads a text.
  ///
  /// - Throws: `Malformed`, or `LineError` for what is no text.
  init(text: Span<UInt8>) throws {
    try ByteLineReader.forEachLine(of: text) { line, place in
      var bytes: [UInt8] = []
      for index in line.indices { bytes.append(line[index]) }
      guard take(String(decoding: bytes, as: UTF8.self)) else { throw Malformed(line: place.number) }
    }
  }

  /// Takes a line; whether it is one.
  private mutating func take(_ line: String) -> Bool {
    let text = Self.uncommented(line)
    guard let first = text.first, !first.isWhitespace else { return true }
    if first == "[" {
      let name = Self.trimmed(text.dropFirst().dropLast())
      section = name
      sections[name] = sections[name] ?? [:]
      return text.last == "]"
    }
    guard let section, let equals = text.firstIndex(of: "=") else { return false }
    let key = Self.trimmed(text[..<equals]).lowercased()
    sections[section]?[key] = Self.trimmed(text[text.index(after: equals)...])
    return !key.isEmpty
  }

  /// The values of a section; `nil` when there is none of that name.
  func section(_ name: String) -> [String: String]? { sections[name] }

  /// A line without its comment and the spaces at its end; those at its beginning say something.
  private static func uncommented(_ line: String) -> Substring {
    var end = line.endIndex
    var before: Character = " "
    for index in line.indices {
      if line[index] == "#" || line[index] == ";", before.isWhitespace {
        end = index
        break
      }
      before = line[index]
    }
    var text = line[..<end]
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text.drop { $0.isWhitespace }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
