internal import Glibc
internal import TextFormats

/// A program with its arguments, as the text after `exec:` has them. No shell reads it.
package struct PolicyCommand: Hashable, Sendable {
  /// What stands before the command.
  package static let prefix = "exec:"
  /// How long the text may be, in bytes.
  static let longest = 4_096

  /// As it was written, with the prefix.
  package let specification: String
  /// The program and its arguments.
  package let words: [String]

  /// Reads `exec:PROGRAM ARGUMENTS`: words are separated by blanks; a word may be, or have a part, in single or double
  /// quotation marks, which keep blanks and are dropped; nothing else is special.
  ///
  /// - Throws: ``PolicyError`` when it is no command.
  package init(_ specification: String) throws(PolicyError) {
    self.specification = specification
    let text = specification.dropFirst(Self.prefix.count)
    guard text.utf8.count <= Self.longest, !text.utf8.contains(0) else {
      throw PolicyError(specification, .command("expected a command of at most \(Self.longest) bytes"))
    }
    words = try Self.words(of: text, specification)
  }

  private static func words(of text: Substring, _ specification: String) throws(PolicyError) -> [String] {
    var words: [String] = []
    var word: String?
    var quotation: Character?
    for character in text {
      if let open = quotation {
        if character == open { quotation = nil } else { word?.append(character) }
      } else if character == "'" || character == "\"" {
        quotation = character
        word = word ?? ""
      } else if character == " " || character == "\t" {
        if let word { words.append(word) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    guard quotation == nil else { throw PolicyError(specification, .command("a quotation mark is not closed")) }
    if let word { words.append(word) }
    guard let program = words.first, !program.isEmpty else {
      throw PolicyError(specification, .command("expected exec:PROGRAM ARGUMENTS"))
    }
    return words
  }

  /// The program: a path, relative to the working folder; never one that is looked for elsewhere.
  package var path: String { words[0].contains("/") ? words[0] : "./" + words[0] }

  /// The SHA-256 of the program, in hexadecimal digits.
  ///
  /// - Throws: ``PolicyError`` when there is none, or it is no file that can be run.
  package func programHash() throws(PolicyError) -> String {
    var status = stat()
    guard unsafe stat(path.systemPath, &status) == 0 else {
      let code = errno
      let words = unsafe String(cString: strerror(code))
      throw PolicyError(specification, code == ENOENT || code == ENOTDIR ? .notFound : .notStarted(words))
    }
    guard status.st_mode & S_IFMT == S_IFREG, unsafe access(path.systemPath, X_OK) == 0 else {
      throw PolicyError(specification, .notStarted("expected a file that may be run (chmod +x)"))
    }
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try POSIXFile(reading: path).readAll(maximumBytes: 1 << 30)
    } catch {
      throw PolicyError(specification, .notStarted("\(error)"))
    }
    return SHA256.hex(of: bytes.span)
  }
}
