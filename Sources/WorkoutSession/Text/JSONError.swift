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
    /// Something follows the value.
    case trailingText
    /// The object has the key twice.
    case duplicateKey(String)
    /// The bytes of a string are not UTF-8.
    case invalidUTF8
    /// A `\u` escape is half of a surrogate pair.
    case loneSurrogate
    /// A control character stands unescaped in a string.
    case controlCharacter(UInt8)
    /// A backslash is followed by something that is no escape.
    case invalidEscape
    /// A number that is not written as JSON wants it.
    case invalidNumber
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
  /// What would have been right, as words after "expected"; empty when `problem` says it all.
  package let expected: String
  /// Where it is.
  package let position: JSONPosition
  /// The value it concerns.
  package private(set) var path: JSONPath

  /// Creates an error about the value at `path`.
  package init(_ problem: Problem, expected: String = "", at position: JSONPosition, path: JSONPath = .root) {
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

  /// What is wrong and what was expected, without the place.
  package var explanation: String {
    let expectation = expected.isEmpty ? "" : "expected \(expected), "
    return switch problem {
    case .endOfText: expectation + "found the end of the text"
    case .unexpectedByte(let byte): expectation + "found " + Self.name(byte)
    case .trailingText: "expected nothing after the value"
    case .duplicateKey(let key): "the key \(Self.quoted(key)) is there twice"
    case .invalidUTF8: "the string is not valid UTF-8"
    case .loneSurrogate: "the \\u escape is half of a surrogate pair"
    case .controlCharacter(let byte): "the string has an unescaped control character (\(Self.name(byte)))"
    case .invalidEscape: "unknown escape, expected one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX"
    case .invalidNumber: "the number is malformed"
    case .notFinite: "the number is not finite"
    case .tooDeep: "nested too deep, expected \(expected)"
    case .tooLong: "too long, expected \(expected)"
    case .wrongType(let found), .notAllowed(let found): expectation + "found \(found)"
    case .missingKey: "missing, expected \(expected)"
    case .unknownKey(let suggestion):
      suggestion.map { "unknown key, did you mean \"\($0)\"?" } ?? "unknown key"
    }
  }

  /// `byte 1234: line 3: plan.steps[2].target: ` and the explanation.
  package var description: String {
    let place = path.components.isEmpty ? "" : "\(path): "
    return "byte \(position.byteOffset): line \(position.line): \(place)\(explanation)"
  }

  /// How many scalars of a text are told.
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

  private static func name(_ byte: UInt8) -> String {
    (0x21...0x7E).contains(byte)
      ? "\"\(Character(Unicode.Scalar(byte)))\"" : "byte 0x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }
}
