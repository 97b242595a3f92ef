internal import Recordings

/// What a decoder emits of bytes, and why it could not go on.
struct EmittedItems {
  private(set) var items: [DecodedItem] = []
  private(set) var problem: DecodingProblem?

  /// Feeds bytes to a decoder as a whole.
  init(_ decoder: some RecordingDecoder, _ bytes: [UInt8]) {
    self.init(decoder) { (feed) throws(DecodingProblem) in try feed(bytes.span) }
  }

  /// Feeds bytes to a decoder in pieces.
  init(_ decoder: some RecordingDecoder, _ bytes: [UInt8], in pieces: BytePieces) {
    self.init(decoder) { (feed) throws(DecodingProblem) in try pieces.forEach(of: bytes, feed) }
  }

  private init(
    _ decoder: some RecordingDecoder,
    _ run: ((Span<UInt8>) throws(DecodingProblem) -> Void) throws(DecodingProblem) -> Void
  ) {
    var decoder = decoder
    var items: [DecodedItem] = []
    do throws(DecodingProblem) {
      try run { (bytes) throws(DecodingProblem) in try decoder.feed(bytes) { items.append($0) } }
      try decoder.finish { items.append($0) }
    } catch {
      problem = error
    }
    self.items = items
  }

  /// How many points there are.
  var points: Int { items.count { if case .point = $0 { true } else { false } } }

  /// What a decoder does wrong with bytes: it emits something else when they come in pieces, or more than they can hold.
  ///
  /// A byte gives two items at most; one that is packed gives `unpackedRatio` bytes at most. Where what is packed and
  /// the packing are both damaged, the pieces decide which of the two problems is reported.
  static func violation(
    _ decoder: () -> some RecordingDecoder, _ bytes: [UInt8], unpackedRatio: Int = 1
  ) -> String? {
    let whole = EmittedItems(decoder(), bytes)
    if let problem = whole.problem, let fault = ErrorLine.fault(of: problem.description) { return fault }
    guard whole.items.count <= 2 * unpackedRatio * bytes.count + 8 else {
      return "\(whole.items.count) items of \(bytes.count) bytes"
    }
    return whole.difference(
      from: EmittedItems(decoder(), bytes, in: BytePieces(of: bytes)), comparesProblems: unpackedRatio == 1)
  }

  private func difference(from pieces: EmittedItems, comparesProblems: Bool) -> String? {
    guard comparesProblems ? problem == pieces.problem : (problem == nil) == (pieces.problem == nil) else {
      return "as a whole: \(Self.text(problem)); in pieces: \(Self.text(pieces.problem))"
    }
    for (index, (one, other)) in zip(items, pieces.items).enumerated() where !Self.areSame(one, other) {
      return "item \(index) as a whole: \(one); in pieces: \(other)"
    }
    guard items.count == pieces.items.count else {
      return "\(items.count) items as a whole, \(pieces.items.count) in pieces"
    }
    return nil
  }

  private static func text(_ problem: DecodingProblem?) -> String { problem?.description ?? "no problem" }

  /// Whether two items are the same to the last bit; absent values are equal.
  private static func areSame(_ one: DecodedItem, _ other: DecodedItem) -> Bool {
    guard case .point(let one) = one, case .point(let other) = other else { return "\(one)" == "\(other)" }
    return one.time == other.time
      && values.allSatisfy { one[keyPath: $0].bitPattern == other[keyPath: $0].bitPattern }
  }

  private static var values: [KeyPath<RecordedPoint, Double>] {
    [
      \.heartRate, \.cadence, \.steps, \.distance, \.speed, \.latitude, \.longitude, \.altitude, \.horizontalAccuracy,
    ]
  }
}

/// What every error has to be: one line that is not too long for one.
enum ErrorLine {
  /// The longest error, in bytes.
  private static let longest = 1_000

  /// What is wrong with an error; `nil` when nothing is.
  static func fault(of text: String) -> String? {
    if text.isEmpty { return "an error without words" }
    if text.utf8.contains(UInt8(ascii: "\n")) { return "an error of several lines: \(text)" }
    if text.utf8.count > longest { return "an error of \(text.utf8.count) bytes: \(text.prefix(200))" }
    return nil
  }
}
