package import TextFormats
package import WorkoutSession

/// Splits what several senders send into lines, each sender's for itself.
package struct LiveFeedSplitter {
  private var splitters: [LiveFeed: LineSplitter] = [:]

  /// A splitter to which nothing was sent.
  package init() {}

  /// Takes the next bytes of a sender and gives every line that ends in them to `body`.
  package mutating func feed(_ bytes: [UInt8], of feed: LiveFeed, _ body: (Span<UInt8>, TextLine) -> Void) {
    var splitter =
      splitters.removeValue(forKey: feed)
      ?? LineSplitter(maximumLineBytes: LiveLine.longest, longLines: .cut, refusesBinary: false)
    // A splitter that cuts long lines and refuses nothing cannot fail, and neither can taking a line.
    try? splitter.feed(bytes.span) { line, place in body(line, place) }
    splitters[feed] = splitter
  }

  /// Gives the last line of a sender to `body`, which needs no end.
  package mutating func finish(_ feed: LiveFeed, _ body: (Span<UInt8>, TextLine) -> Void) {
    guard var splitter = splitters.removeValue(forKey: feed) else { return }
    try? splitter.finish { line, place in body(line, place) }
  }

  /// The senders whose last line was not given yet, in order.
  var open: [LiveFeed] {
    splitters.keys.sorted { ($0.source, $0.connection) < ($1.source, $1.connection) }
  }
}

extension LiveLine {
  /// Reads a line of a sender.
  ///
  /// - Throws: what is wrong with it, `LiveSession.BadLine` for one that is longer than a line may be.
  package init(_ line: Span<UInt8>, at place: TextLine) throws {
    guard !place.isCut else { throw LiveSession.BadLine(description: "longer than \(LiveLine.longest) bytes") }
    try self.init(line)
  }
}

extension Span<UInt8> {
  /// Whether there is nothing but white space.
  package var isBlank: Bool { indices.allSatisfy { self[$0] == 0x20 || self[$0] == 0x09 || self[$0] == 0x0D } }
}
