/// Where in a text something stands.
package struct JSONPosition: Hashable, Sendable {
  /// The number of bytes before it.
  package let byteOffset: Int
  /// The line, from 1.
  package let line: Int

  init(byteOffset: Int, line: Int) {
    self.byteOffset = byteOffset
    self.line = line
  }

  /// The position of a value that was not read from a text.
  package static let none = JSONPosition(byteOffset: 0, line: 1)
}

/// Why a text is not JSON, or not the JSON that was expected.
package struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  package enum Problem: Hashable, Sendable {
    /// The text ends in the middle of a value.
    case endOfText
    /// A byte that cannot stand here.
    case unexpectedByte(UInt8)
    /// The object has the key twice.
    case duplicateKey(String)
    /// A byte of a string that is not UTF-8.
    case invalidUTF8(UInt8)
    /// A `\u` escape is half of a surrogate pair.
    case loneSurrogate
    /// A control character stands unescaped in a string.
    case controlCharacter(UInt8)
    /// A backslash is followed by a byte that is no escape, or by a `u` without its four digits.
    case invalidEscape(UInt8)
    /// A number that has zeros in front.
    case zerosInFront
    /// A number beyond the range of a double, or `NaN` or `Infinity`.
    case notFinite
    /// More values inside each other than allowed.
    case tooDeep
    /// A text or a string that is longer than allowed.
    case tooLong
    /// A value of another type; the associated value names it.
    case wrongType(String)
    /// A value of the right type that is not allowed here.
    case notAllowed(String)
    /// A member is missing.
    case missingKey
    /// A member that nobody asked for, and a known key that is spelled much like it.
    case unknownKey(suggestion: String?)
  }

  /// What is wrong.
  package let problem: Problem
  /// What would have been right, as words after "expected".
  package let expected: String
  /// Where it is.
  package let position: JSONPosition
  /// The value it concerns.
  package private(set) var path: JSONPath

  /// Creates an error about the value at `path`.
  package init(_ problem: Problem, expected: String, at position: JSONPosition, path: JSONPath = .root) {
    self.problem = problem
    self.expected = expected
    self.position = position
    self.path = path
  }

  /// The same error seen from one level further out.
  func inside(_ component: JSONPath.Component) -> JSONError {
    var error = self
    error.path = path.prefixed(by: component)
    return error
  }

  /// What was expected and what was found, without the place.
  package var explanation: String {
    let expectation = "expected \(expected)"
    return switch problem {
    case .endOfText: expectation + ", found the end of the text"
    case .unexpectedByte(let byte), .invalidUTF8(let byte): expectation + ", found " + Self.name(byte)
    case .duplicateKey(let key): "the key \(Self.quoted(key)) is there twice, " + expectation
    case .loneSurrogate: expectation + ", found one half"
    case .controlCharacter(let byte): expectation + ", found an unescaped control character (\(Self.name(byte)))"
    case .invalidEscape(UInt8(ascii: "u")): expectation + ", found \\u without four hexadecimal digits"
    case .invalidEscape(let byte): expectation + ", found " + Self.name(byte)
    case .zerosInFront: expectation + ", found zeros in front"
    case .notFinite: expectation + ", found one that is not"
    case .tooDeep: "nested too deep, " + expectation
    case .tooLong: "too long, " + expectation
    case .wrongType(let found), .notAllowed(let found): expectation + ", found \(found)"
    case .missingKey: "missing, " + expectation
    case .unknownKey(let suggestion):
      "unknown key, " + expectation + (suggestion.map { "; did you mean \"\($0)\"?" } ?? "")
    }
  }

  /// `byte 1234: line 3: plan.steps[2].target: ` and the explanation.
  package var description: String {
    let place = path.components.isEmpty ? "" : "\(path): "
    return "byte \(position.byteOffset): line \(position.line): \(place)\(explanation)"
  }

  /// An error about a key that nobody asked for.
  ///
  /// - Parameter known: the keys that could have stood there.
  package static func unknownKey(
    _ key: String, known: [String], at position: JSONPosition, path: JSONPath
  ) -> JSONError {
    JSONError(
      .unknownKey(suggestion: Spelling.closest(to: key, among: known)), expected: oneOf(known), at: position, path: path
    )
  }

  /// The keys or names that could have stood somewhere, in words; of many the first.
  package static func oneOf(_ keys: [String]) -> String {
    let names = keys.prefix(mostKeys).map(quoted).joined(separator: ", ")
    switch keys.count {
    case 0: return "no further key"
    case 1: return names
    case ...mostKeys: return "one of " + names
    default: return "one of " + names + " and \(keys.count - mostKeys) more"
    }
  }

  /// How many keys are listed.
  private static let mostKeys = 8
  /// How many scalars of a text are shown.
  private static let longestText = 40

  /// A text as JSON writes it, on one line; of a long one the beginning and `…`.
  package static func quoted(_ text: String) -> String {
    var quoted: [UInt8] = []
    JSONWriter.appendQuoted(brief(text), to: &quoted)
    return String(decoding: quoted, as: UTF8.self)
  }

  /// A text, or the beginning of a long one and `…`; what could end a line is a space.
  static func brief(_ text: String) -> String {
    let scalars = text.unicodeScalars
    let beginning = scalars.prefix(longestText).map { breaksLines($0) ? " " : $0 }
    let isCut = scalars.dropFirst(longestText).first != nil
    return String(String.UnicodeScalarView(beginning)) + (isCut ? "…" : "")
  }

  /// Whether a scalar can end a line though JSON takes it as it is: a control of ISO 6429, or one of the two separators.
  private static func breaksLines(_ scalar: Unicode.Scalar) -> Bool {
    (0x7F...0x9F).contains(scalar.value) || (0x2028...0x2029).contains(scalar.value)
  }

  /// A byte in words: the character in quotes, or its number.
  package static func name(_ byte: UInt8) -> String {
    (0x21...0x7E).contains(byte)
      ? "\"\(Character(Unicode.Scalar(byte)))\"" : "byte 0x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }
}
