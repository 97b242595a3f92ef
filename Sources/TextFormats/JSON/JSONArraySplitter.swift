/// Why an array of JSON objects cannot be read on.
package struct JSONArrayError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The bytes before the place.
  package let byteOffset: Int
  /// What was expected and what was found.
  package let problem: String

  /// `byte 1234: what is wrong`.
  package var description: String { "byte \(byteOffset): \(problem)" }
}

/// Splits a JSON array of objects that comes in pieces of any size into the objects.
///
/// Only braces, brackets and strings are looked at: whether an object is well formed is for its reader to judge. The
/// objects are the same wherever the text was cut into pieces.
/// - Complexity: O(n); objects inside a piece are not copied, the memory is that of the longest object cut in two.
package struct JSONArraySplitter: Sendable {
  /// The most bytes that an object may have.
  package static let largestObject = 1 << 20
  /// The most values inside each other.
  package static let deepest = 64

  private enum State {
    case beforeArray
    /// After the opening bracket: an object or the end.
    case atFirst
    /// After an object: a comma or the end.
    case afterObject
    /// After a comma: an object.
    case afterComma
    case inObject
    case afterArray
  }

  private var state = State.beforeArray
  private var depth = 0
  private var isInString = false
  private var isEscaped = false
  /// The beginning of an object whose end was not seen yet.
  private var carry: [UInt8] = []
  private var objectOffset = 0
  private var objects = 0
  private var fedBytes = 0
  private var markBytes = 0

  /// Where the first byte stands that follows the array; `nil` when nothing but space does.
  package private(set) var trailingOffset: Int?

  /// Creates a splitter at the beginning of a text.
  package init() {}

  /// Takes the next piece of the text and gives every object that ends in it to `body`, with its number and place.
  ///
  /// - Throws: `JSONArrayError`, or what `body` throws. The splitter is of no use afterwards.
  package mutating func feed(
    _ chunk: Span<UInt8>, _ body: (Span<UInt8>, TextLine) throws -> Void
  ) throws {
    var start = 0
    var index = 0
    while index < chunk.count {
      let byte = chunk[index]
      guard state == .inObject else {
        if try begin(byte, at: fedBytes + index) {
          start = index
          objectOffset = fedBytes + index
        }
        index += 1
        continue
      }
      index += 1
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInString = true
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        guard depth <= Self.deepest else {
          throw JSONArrayError(
            byteOffset: fedBytes + index - 1,
            problem: "expected at most \(Self.deepest) values inside each other, found more")
        }
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if depth == 0 {
          try checkLength(endingAt: fedBytes + index)
          try emit(chunk.extracting(start..<index), body)
        }
      default: break
      }
    }
    if state == .inObject {
      try checkLength(endingAt: fedBytes + chunk.count)
      append(chunk.extracting(start..<chunk.count))
    }
    fedBytes += chunk.count
  }

  /// Ends the text.
  ///
  /// - Throws: `JSONArrayError` when it ends inside of the array.
  package mutating func finish() throws {
    guard state == .afterArray else {
      throw JSONArrayError(byteOffset: fedBytes, problem: "expected the rest of the array, found its end")
    }
  }

  /// Takes a byte outside of objects; whether an object begins with it.
  private mutating func begin(_ byte: UInt8, at offset: Int) throws(JSONArrayError) -> Bool {
    switch byte {
    case 0x20, 0x09, 0x0A, 0x0D: return false
    case 0xEF where offset == 0, 0xBB where offset == 1 && markBytes == 1, 0xBF where offset == 2 && markBytes == 2:
      markBytes += 1
      return false
    case UInt8(ascii: "["):
      if state == .beforeArray {
        state = .atFirst
        return false
      }
    case UInt8(ascii: "{"):
      if state == .atFirst || state == .afterComma {
        state = .inObject
        depth = 1
        return true
      }
    case UInt8(ascii: ","):
      if state == .afterObject {
        state = .afterComma
        return false
      }
    case UInt8(ascii: "]"):
      if state == .afterObject || state == .atFirst {
        state = .afterArray
        return false
      }
    default: break
    }
    let expected: String
    switch state {
    case .beforeArray: expected = "an array of objects"
    case .atFirst, .afterComma: expected = "an object"
    case .afterObject: expected = "a comma or the end of the array"
    case .inObject: expected = "the rest of an object"
    case .afterArray:
      if trailingOffset == nil { trailingOffset = offset }
      return false
    }
    throw JSONArrayError(byteOffset: offset, problem: "expected \(expected), found \(JSONError.name(byte))")
  }

  private func checkLength(endingAt end: Int) throws(JSONArrayError) {
    guard end - objectOffset <= Self.largestObject else {
      throw JSONArrayError(
        byteOffset: objectOffset, problem: "expected objects of at most \(Self.largestObject) bytes, found a longer one"
      )
    }
  }

  private mutating func append(_ part: Span<UInt8>) {
    for index in part.indices { carry.append(part[index]) }
  }

  private mutating func emit(_ part: Span<UInt8>, _ body: (Span<UInt8>, TextLine) throws -> Void) throws {
    state = .afterObject
    objects += 1
    let place = TextLine(number: objects, byteOffset: objectOffset, isTerminated: true, isCut: false)
    guard !carry.isEmpty else { return try body(part, place) }
    append(part)
    defer { carry.removeAll(keepingCapacity: true) }
    try body(carry.span, place)
  }
}
