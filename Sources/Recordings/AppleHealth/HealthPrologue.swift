/// What stands before the first element of an export of Apple Health: the document type is blanked out of it.
///
/// The app has written document types that are no XML (a declaration that is not closed, in iOS 16 and 17), which a
/// parser refuses although nothing depends on them. Blanks keep every position right. A declared entity and anything
/// external are refused all the same. Everything before the first element is held until it is known, at most 128 KiB.
struct HealthPrologue {
  /// How much may stand before the first element.
  static let maximumBytes = 128 << 10

  private enum State {
    case outside, instruction, comment, type, subset, subsetInstruction, subsetComment
  }

  /// What was seen up to now, and the rest of the piece in which the first element begins.
  private(set) var bytes: [UInt8] = []
  private var state = State.outside
  private var next = 0
  /// Where the document type or a comment begins.
  private var typeStart = 0
  private var commentStart = 0
  private var hasType = false
  private var isClosing = false

  /// Takes the next bytes; whether the first element has begun, so that ``bytes`` can be read.
  ///
  /// - Throws: `DecodingProblem` for an entity, for something external, and for more than ``maximumBytes``.
  mutating func take(_ piece: Span<UInt8>) throws(DecodingProblem) -> Bool {
    for index in piece.indices { bytes.append(piece[index]) }
    while next < bytes.count {
      guard next < Self.maximumBytes else {
        throw problem(at: 0, "expected <HealthData> within \(Self.maximumBytes) bytes")
      }
      if try isFirstElement(at: next) { return true }
      next += 1
    }
    return false
  }

  /// Ends the bytes before the first element has begun; what is left of ``bytes`` can be read.
  ///
  /// - Throws: `DecodingProblem` when they end inside of the document type.
  func finish() throws(DecodingProblem) {
    switch state {
    case .outside, .instruction, .comment: break
    case .type, .subset, .subsetInstruction, .subsetComment:
      throw problem(at: bytes.count, "expected the end of the document type, found the end of the text")
    }
  }

  private func problem(at index: Int, _ problem: String) -> DecodingProblem {
    DecodingProblem(position: "byte \(index)", problem: problem)
  }

  private func endsWith(_ text: StaticString, at index: Int) -> Bool {
    let start = index + 1 - text.utf8CodeUnitCount
    return start >= 0 && bytes.span.extracting(start...index).equals(text)
  }

  private mutating func isFirstElement(at index: Int) throws(DecodingProblem) -> Bool {
    let byte = bytes[index]
    switch state {
    case .outside:
      if endsWith("<!--", at: index) {
        begin(.comment, at: index)
      } else if endsWith("<?", at: index) {
        state = .instruction
      } else if !hasType, endsWith("<!DOCTYPE", at: index) {
        state = .type
        typeStart = index - 8
      } else if index > 0, bytes[index - 1] == UInt8(ascii: "<"), byte != UInt8(ascii: "!") {
        return true
      }
    case .instruction: if endsWith("?>", at: index) { state = .outside }
    case .comment: if isCommentEnd(index) { state = .outside }
    case .type:
      if byte == UInt8(ascii: "[") {
        state = .subset
      } else if byte == UInt8(ascii: ">") {
        endType(at: index)
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        throw problem(at: typeStart, "expected a document type without anything external")
      }
    case .subset: try takeOfSubset(byte, at: index)
    case .subsetInstruction: if endsWith("?>", at: index) { state = .subset }
    case .subsetComment: if isCommentEnd(index) { state = .subset }
    }
    return false
  }

  private mutating func takeOfSubset(_ byte: UInt8, at index: Int) throws(DecodingProblem) {
    if endsWith("<!ENTITY", at: index) { throw problem(at: index - 7, "expected no declaration of an entity") }
    if byte == UInt8(ascii: "]") {
      isClosing = true
    } else if isClosing, byte == UInt8(ascii: ">") {
      endType(at: index)
    } else if ![0x20, 0x09, 0x0A, 0x0D].contains(byte) {
      isClosing = false
      if endsWith("<!--", at: index) {
        begin(.subsetComment, at: index)
      } else if endsWith("<?", at: index) {
        state = .subsetInstruction
      }
    }
  }

  private mutating func begin(_ comment: State, at index: Int) {
    state = comment
    commentStart = index
  }

  private func isCommentEnd(_ index: Int) -> Bool { index >= commentStart + 3 && endsWith("-->", at: index) }

  private mutating func endType(at index: Int) {
    for place in typeStart...index { bytes[place] = UInt8(ascii: " ") }
    hasType = true
    state = .outside
  }
}
