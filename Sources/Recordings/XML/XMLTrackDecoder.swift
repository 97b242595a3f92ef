/// A decoder of tracks in XML: it owns a parser, so it is a class, and gives what the parser reports to its content.
///
/// GPX and TCX differ in their elements alone, that is in their contents.
package protocol XMLTrackDecoder: AnyObject, RecordingDecoder {
  associatedtype Content: XMLTrackContent

  /// The parser.
  var stream: XMLStream { get }
  /// What the text has said so far.
  var content: Content { get set }
}

extension XMLTrackDecoder {
  /// Takes the next bytes.
  ///
  /// - Throws: `DecodingProblem` when they are none of the format.
  package func feed(_ bytes: Span<UInt8>, _ sink: (DecodedItem) -> Void) throws(DecodingProblem) {
    // A copy of its own is changed without asking at every element whether somebody else does.
    var content = content
    defer { self.content = content }
    try stream.feed(bytes) { content.take($0, of: stream, sink) }
  }

  /// Ends the bytes.
  ///
  /// - Throws: `DecodingProblem` when they end inside of the text; what was emitted before stays emitted.
  package func finish(_ sink: (DecodedItem) -> Void) throws(DecodingProblem) {
    var content = content
    defer { self.content = content }
    try stream.finish { content.take($0, of: stream, sink) }
  }
}

/// What a text of one format says, element by element.
package protocol XMLTrackContent {
  /// The elements that matter.
  associatedtype Element: RawRepresentable<UInt8>

  /// The element that stands for all others.
  static var other: Element { get }
  /// Takes the beginning of an element; whether its text is wanted.
  mutating func begin(_ element: Element, of stream: XMLStream, _ sink: (DecodedItem) -> Void) -> Bool
  /// Takes the end of an element.
  mutating func end(_ element: Element, of stream: XMLStream, _ sink: (DecodedItem) -> Void)
}

extension XMLTrackContent {
  /// Takes what the parser reports; whether the text of an element is wanted.
  @inline(__always)
  mutating func take(_ event: XMLStream.Event, of stream: XMLStream, _ sink: (DecodedItem) -> Void) -> Bool {
    switch event {
    case .begin(let code):
      return begin(Element(rawValue: code) ?? Self.other, of: stream, sink)
    case .end(let code):
      end(Element(rawValue: code) ?? Self.other, of: stream, sink)
      return false
    }
  }
}

extension XMLStream {
  /// The number that the text of the element that ends states; a text that states none is a warning with a name.
  @inline(__always)
  func number(_ name: StaticString, _ sink: (DecodedItem) -> Void) -> Double? {
    if let number { return number }
    if hasText { sink(.warning(.unreadableValue, position: position, detail: "\(name)")) }
    return nil
  }
}
