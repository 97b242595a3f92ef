private import CExpat
private import Glibc
internal import TextFormats

/// Reads an XML text that comes in pieces of any size, and reports where elements begin and end.
///
/// It stands on expat, whose limits against amplification stay on. Declarations of entities are refused, nothing
/// outside of the text is ever loaded; a document type that only declares elements and attributes passes. Names are
/// local names as an ``XMLVocabulary`` knows them. Spaces before the text are tolerated, as several services write them.
/// - Complexity: O(n) time; the memory is that of the longest tag and of the longest text of an element that is wanted.
@safe
package final class XMLStream {
  /// What the text says next.
  package enum Event {
    /// An element begins. The answer says whether its text is wanted; its attributes can be asked for.
    case begin(UInt8)
    /// An element ends. Its text can be asked for if it was wanted; the answer does not matter.
    case end(UInt8)
  }

  /// How many elements may be inside one another.
  static let maximumDepth = 64
  /// How long a tag with its attributes may be.
  static let maximumTagBytes = 64 << 10
  /// How many attributes an element may have.
  static let maximumAttributes = 128
  /// How long the text of an element that is wanted may be.
  static let maximumTextBytes = 64 << 10
  /// The longest other token that is reported as a whole, such as a comment.
  private static let maximumTokenBytes = 256 << 10
  private static let pieceBytes = 64 << 10
  /// How many bytes show the encoding. Source: *Extensible Markup Language (XML) 1.0*, appendix F.1.
  private static let headBytes = 4

  private let parser: XML_Parser
  private let vocabulary: XMLVocabulary
  private let slots: UnsafeMutablePointer<XMLVocabulary.Slot>
  /// The codes of the open elements, the outermost first; room for `maximumDepth`.
  private let open: UnsafeMutablePointer<UInt8>
  /// How many elements are open; within an event, the one that it is about is the last of them.
  private(set) var depth = 0
  private var fedBytes = 0
  private var leadingSpaces = 0
  /// How many bytes precede the end of the outermost element, once it was reported.
  private var rootEnd: Int?
  /// The first bytes, until there are enough to see the encoding; `nil` from then on.
  private var head: [UInt8]? = []
  private var problem: DecodingProblem?
  /// Whether the reading ended because the text is no XML, other than by its end.
  private(set) var isMalformed = false
  /// Whether an event stopped the reading; expat may still report a few more events.
  private var isStopped = false
  /// Who is given the events of a piece. Each event would retain and release a closure that stood here itself.
  private var receiver: Unmanaged<Receiver>?
  private var attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
  private var name: UnsafePointer<CChar>?
  private var prefixLength = 0
  /// The text of the element that was begun last; room for `maximumTextBytes`.
  private let textBuffer: UnsafeMutablePointer<UInt8>
  private var textCount = 0
  private var isTextWanted = false

  /// Creates a reader at the beginning of a text; positions are counted as if `offset` bytes preceded it.
  init(vocabulary: XMLVocabulary, startingAt offset: Int = 0) {
    self.vocabulary = vocabulary
    leadingSpaces = offset
    guard let parser = unsafe XML_ParserCreate(nil) else { preconditionFailure("no memory for an XML parser") }
    unsafe self.parser = parser
    unsafe slots = .allocate(capacity: XMLVocabulary.slotCount)
    for (index, slot) in vocabulary.slots.enumerated() { unsafe (slots + index).initialize(to: slot) }
    unsafe open = .allocate(capacity: Self.maximumDepth)
    unsafe open.initialize(repeating: XMLVocabulary.unknown, count: Self.maximumDepth)
    unsafe textBuffer = .allocate(capacity: Self.maximumTextBytes)
    unsafe XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    unsafe XML_SetElementHandler(
      parser,
      { user, name, attributes in unsafe XMLStream.from(user) { unsafe $0.begin(name, attributes) } },
      { user, _ in unsafe XMLStream.from(user) { $0.end() } })
    unsafe XML_SetEntityDeclHandler(parser) { user, _, _, _, _, _, _, _, _ in
      unsafe XMLStream.from(user) { $0.stop("expected no declaration of an entity") }
    }
  }

  deinit {
    unsafe XML_ParserFree(parser)
    unsafe slots.deallocate()
    unsafe open.deallocate()
    unsafe textBuffer.deallocate()
  }

  /// Takes the next bytes of the text.
  ///
  /// - Throws: `DecodingProblem` when they are no XML, exceed a limit, or the reader was stopped; thrown again by every
  ///   further call.
  func feed(_ bytes: Span<UInt8>, _ body: (Event) -> Bool) throws(DecodingProblem) {
    var start = 0
    if var held = head {
      if held.isEmpty {
        while start < bytes.count, Self.isSpace(bytes[start]) { start += 1 }
        leadingSpaces += start
      }
      if held.isEmpty, bytes.count - start >= Self.headBytes {
        head = nil
      } else {
        while start < bytes.count, held.count < Self.headBytes {
          held.append(bytes[start])
          start += 1
        }
        head = held
        guard held.count == Self.headBytes else { return }
        try parseHead(body)
      }
    }
    while start < bytes.count {
      let piece = bytes.extracting(start..<min(start + Self.pieceBytes, bytes.count))
      try parse(piece, isLast: false, body)
      start += piece.count
    }
  }

  /// Ends the text.
  ///
  /// - Throws: `DecodingProblem` when it ends inside of an element or without any.
  func finish(_ body: (Event) -> Bool) throws(DecodingProblem) {
    try parseHead(body)
    try parse(Span(), isLast: true, body)
  }

  private func parseHead(_ body: (Event) -> Bool) throws(DecodingProblem) {
    guard let held = head else { return }
    head = nil
    try parse(held.span, isLast: false, body)
  }

  /// Ends the reading within an event; the first problem stays.
  func stop(_ problem: String, isBeyondBudget: Bool = false) {
    guard !isStopped else { return }
    isStopped = true
    self.problem = DecodingProblem(position: position, problem: problem, isBeyondBudget: isBeyondBudget)
    _ = unsafe XML_StopParser(parser, XML_Bool(XML_FALSE))
  }

  /// The place of the tag that is being reported: `byte 1234`.
  var position: String { "byte \(byteOffset)" }

  /// How many bytes precede the tag that is being reported.
  var byteOffset: Int { leadingSpaces + max(0, unsafe XML_GetCurrentByteIndex(parser)) }

  /// How many bytes were taken, with the offset at which the text starts.
  var takenBytes: Int { leadingSpaces + fedBytes }

  /// The bytes that were taken and not reported, from ``byteOffset`` on; empty where the parser does not have them.
  ///
  /// The parser may look at an unfinished tag later than it gets it, so that these can be more than the last piece.
  var undeliveredBytes: [UInt8] {
    var (offset, size) = (Int32(0), Int32(0))
    guard let context = unsafe XML_GetInputContext(parser, &offset, &size),
      Int(size) - Int(offset) == takenBytes - byteOffset
    else { return [] }
    return unsafe UnsafeBufferPointer(start: context, count: Int(size))[Int(offset)...].map { UInt8(bitPattern: $0) }
  }

  /// The code of the element around the one that is being reported.
  var parent: UInt8 { depth > 1 ? unsafe open[depth - 2] : XMLVocabulary.unknown }

  private func parse(_ piece: Span<UInt8>, isLast: Bool, _ body: (Event) -> Bool) throws(DecodingProblem) {
    if let problem { throw problem }
    let isRead = withoutActuallyEscaping(body) { body in
      let receiver = Receiver(body: body)
      unsafe self.receiver = Unmanaged.passUnretained(receiver)
      defer {
        unsafe self.receiver = nil
        extendLifetime(receiver)
      }
      guard let buffer = unsafe XML_GetBuffer(parser, Int32(max(1, piece.count))) else { return false }
      unsafe piece.withUnsafeBytes { bytes in
        if let base = bytes.baseAddress { unsafe buffer.copyMemory(from: base, byteCount: bytes.count) }
      }
      return unsafe XML_ParseBuffer(parser, Int32(piece.count), isLast ? 1 : 0) == XML_STATUS_OK
    }
    fedBytes += piece.count
    if problem == nil, !isRead {
      problem = failure(isLast: isLast)
      isMalformed = !isLast
    }
    if problem == nil, leadingSpaces + fedBytes - byteOffset > Self.maximumTokenBytes {
      problem = DecodingProblem(
        position: position, problem: "expected less than \(Self.maximumTokenBytes) bytes without the end of a tag")
    }
    if let problem { throw problem }
  }

  /// What expat found wrong.
  private func failure(isLast: Bool) -> DecodingProblem {
    let code = unsafe XML_GetErrorCode(parser)
    let around = depth > 0 ? "the end of \(unsafe vocabulary.name(of: open[depth - 1]))" : "an element"
    let end = DecodingProblem(
      position: "byte \(leadingSpaces + fedBytes)", problem: "expected \(around), found the end of the text")
    switch code {
    case XML_ERROR_NO_ELEMENTS, XML_ERROR_UNCLOSED_TOKEN, XML_ERROR_PARTIAL_CHAR, XML_ERROR_UNCLOSED_CDATA_SECTION:
      return end
    default: break
    }
    if let rootEnd {
      // What follows the outermost element is wrong in one way or another by how much of it is there.
      return DecodingProblem(position: "byte \(rootEnd)", problem: "expected the end of the text, found more")
    }
    switch code {
    case XML_ERROR_TAG_MISMATCH:
      return DecodingProblem(position: position, problem: "expected \(around), found that of another element")
    case XML_ERROR_INCORRECT_ENCODING:
      return DecodingProblem(
        position: position, problem: "expected a text in the encoding that it declares, such as UTF-16 behind its mark")
    case XML_ERROR_UNKNOWN_ENCODING:
      return DecodingProblem(position: position, problem: "expected UTF-8, UTF-16, ISO-8859-1 or US-ASCII")
    default:
      let found = unsafe XML_ErrorString(code).map { unsafe String(cString: $0) } ?? "error \(code.rawValue)"
      return DecodingProblem(position: position, problem: "expected XML, found: \(found)")
    }
  }

  // MARK: - What expat reports

  private final class Receiver {
    let body: (Event) -> Bool

    init(body: @escaping (Event) -> Bool) { self.body = body }
  }

  /// Gives an event to who receives them; whether text is wanted.
  @inline(__always)
  private func report(_ event: Event) -> Bool {
    guard let receiver = unsafe receiver else { return false }
    return unsafe receiver._withUnsafeGuaranteedRef { $0.body(event) }
  }

  @inline(__always)
  private static func from(_ user: UnsafeMutableRawPointer?, _ body: (XMLStream) -> Void) {
    guard let user = unsafe user else { return }
    unsafe Unmanaged<XMLStream>.fromOpaque(user)._withUnsafeGuaranteedRef(body)
  }

  private func begin(_ name: UnsafePointer<CChar>?, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?) {
    guard !isStopped, let name = unsafe name, let attributes = unsafe attributes else { return }
    guard depth < Self.maximumDepth else {
      return stop("expected at most \(Self.maximumDepth) elements inside one another")
    }
    if unsafe attributes.pointee != nil {
      guard unsafe XML_GetSpecifiedAttributeCount(parser) <= 2 * Self.maximumAttributes,
        unsafe XML_GetCurrentByteCount(parser) <= Self.maximumTagBytes
      else {
        return stop("expected at most \(Self.maximumAttributes) attributes of \(Self.maximumTagBytes) bytes in all")
      }
    }
    let (code, prefixLength) = unsafe XMLVocabulary.code(of: name, in: slots)
    unsafe open[depth] = code
    depth += 1
    unsafe self.attributes = attributes
    unsafe self.name = name
    self.prefixLength = prefixLength
    // What stands after an element within a wanted one is not its text.
    listen(false)
    textCount = 0
    let wantsText = report(.begin(code))
    unsafe self.attributes = nil
    unsafe self.name = nil
    listen(wantsText)
  }

  private func end() {
    guard !isStopped, depth > 0 else { return }
    listen(false)
    _ = unsafe report(.end(open[depth - 1]))
    textCount = 0
    depth -= 1
    if depth == 0 { rootEnd = byteOffset + Int(unsafe XML_GetCurrentByteCount(parser)) }
  }

  /// Text that nobody wants is not reported: most of it is spaces between elements.
  private func listen(_ wantsText: Bool) {
    guard wantsText != isTextWanted else { return }
    isTextWanted = wantsText
    if wantsText {
      unsafe XML_SetCharacterDataHandler(parser) { user, bytes, count in
        unsafe XMLStream.from(user) { unsafe $0.take(bytes, Int(count)) }
      }
    } else {
      unsafe XML_SetCharacterDataHandler(parser, nil)
    }
  }

  private func take(_ bytes: UnsafePointer<CChar>?, _ count: Int) {
    guard !isStopped, let bytes = unsafe bytes else { return }
    guard textCount + count <= Self.maximumTextBytes else {
      return stop("expected at most \(Self.maximumTextBytes) bytes of text in an element")
    }
    unsafe memcpy(textBuffer + textCount, bytes, count)
    textCount += count
  }

  // MARK: - What an event can be asked

  /// Whether the element that begins has a name, whatever its prefix is.
  func isNamed(_ local: StaticString) -> Bool {
    guard let name = unsafe name else { return false }
    let other = unsafe UnsafeRawPointer(local.utf8Start).assumingMemoryBound(to: CChar.self)
    return unsafe strcmp(name + prefixLength, other) == 0
  }

  /// Whether the element that begins has a prefix, without its colon.
  func hasPrefix(_ prefix: StaticString) -> Bool {
    guard let name = unsafe name, prefixLength == prefix.utf8CodeUnitCount + 1 else { return false }
    return unsafe memcmp(name, prefix.utf8Start, prefixLength - 1) == 0
  }

  /// Gives the value of an attribute of the element that begins to `read`, without the spaces around it; `nil` when it
  /// has none of that name.
  func attribute<Value>(_ name: StaticString, _ read: (Span<UInt8>) -> Value?) -> Value? {
    guard var pair = unsafe attributes else { return nil }
    while let key = unsafe pair[0], let value = unsafe pair[1] {
      if unsafe strcmp(key, UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)) == 0 {
        let bytes = unsafe UnsafeRawBufferPointer(start: value, count: strlen(value)).bindMemory(to: UInt8.self)
        let span = unsafe bytes.span
        return read(span.extracting(Self.trimmed(span)))
      }
      unsafe pair += 2
    }
    return nil
  }

  /// Gives the text of the element that ends to `read`, without the spaces around it; `nil` when there is none.
  func text<Value>(_ read: (Span<UInt8>) -> Value?) -> Value? {
    let text = unsafe UnsafeBufferPointer(start: textBuffer, count: textCount)
    let span = unsafe text.span
    let range = Self.trimmed(span)
    return range.isEmpty ? nil : read(span.extracting(range))
  }

  /// Whether the element that ends has text.
  var hasText: Bool { text { _ in true } ?? false }

  private static func trimmed(_ bytes: Span<UInt8>) -> Range<Int> {
    var (start, end) = (0, bytes.count)
    while start < end, isSpace(bytes[start]) { start += 1 }
    while start < end, isSpace(bytes[end - 1]) { end -= 1 }
    return start..<end
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte &- 9 < 5 }
}

extension XMLStream {
  /// The number that the text of the element that ends states; `nil` when there is none, or one that is damage.
  var number: Double? {
    text { DecimalText.double(from: $0).flatMap { $0.magnitude <= CSVRow.largestMagnitude ? $0 : nil } }
  }

  /// The instant that the text of the element that ends states, in nanoseconds since the Unix epoch.
  var instant: Int64? { text { WallClockTimeText(iso8601: $0)?.time.nanoseconds } }

  /// How far the clock of that text is ahead of UTC; `nil` where it is no time, or does not say.
  var utcOffsetSeconds: Int? { text { WallClockTimeText(iso8601: $0)?.utcOffsetSeconds } }

  /// The text of the element that ends; `nil` when there is none.
  var string: String? { text { Self.string($0) } }

  /// `bytes` as text; what is not UTF-8 becomes replacement characters.
  static func string(_ bytes: Span<UInt8>) -> String {
    unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
  }
}
