/// Reads the rows of a CSV, or of an array of JSON objects, that comes unpacked in pieces; its samples are held.
package struct CSVTextDecoder: RecordingDecoder {
  private let path: String
  private let form: RowForm
  private let person: String?
  private var splitter: RowSplitter
  private var scan: CSVScan
  private var samples: [Sample] = []
  private var failure: (any Error)?
  /// The beginning of the text, until there is enough of it to be looked at, wherever its pieces end.
  private var beginning: [UInt8]? = []

  /// Creates a decoder at the beginning of a text, of a person where one is told.
  package init(path: String, form: RowForm, person: String?) {
    self.path = path
    self.form = form
    self.person = person
    splitter = RowSplitter(form: form)
    scan = CSVScan(path: path, form: form, isUnpacked: true, person: person)
  }

  /// Takes the next bytes. What cannot be read is told by ``recording(endedBy:)``.
  package mutating func feed(_ bytes: Span<UInt8>, _ sink: (DecodedItem) -> Void) throws(DecodingProblem) {
    guard beginning != nil else { return read(bytes) }
    for index in bytes.indices { beginning?.append(bytes[index]) }
    if let count = beginning?.count, count >= CSVScan.lookedAhead { begin() }
  }

  /// Reads the beginning of the text.
  private mutating func begin() {
    guard let text = beginning else { return }
    beginning = nil
    scan.lookAhead(text.span)
    read(text.span)
  }

  private mutating func read(_ bytes: Span<UInt8>) {
    take { splitter, scan, keep throws in
      try splitter.feed(bytes) {
        try scan.consumeWholeLines($0, &$1, keep)
      } _: {
        try scan.consume($0, $1, keep)
      }
    }
  }

  /// Ends the bytes.
  package mutating func finish(_ sink: (DecodedItem) -> Void) throws(DecodingProblem) {
    begin()
    take { splitter, scan, keep throws in try splitter.finish { try scan.consume($0, $1, keep) } }
  }

  private mutating func take(
    _ step: (inout RowSplitter, inout CSVScan, (Sample) throws -> Void) throws -> Void
  ) {
    guard failure == nil else { return }
    var (splitter, scan, samples) = (splitter, scan, samples)
    self.samples = []
    do {
      try step(&splitter, &scan) {
        samples.append($0)
        guard samples.count <= CSVRecording.largestUnordered else {
          throw RecordingError(
            path: path, problem: "more than \(CSVRecording.largestUnordered) samples in a packed file")
        }
      }
    } catch {
      failure = error
    }
    (self.splitter, self.scan, self.samples) = (splitter, scan, samples)
  }

  /// The recording, with its samples in order; `problem` is why the packed bytes ended early, where they did.
  ///
  /// - Throws: `RecordingError` when nothing could be used.
  package func recording(endedBy problem: DecodingProblem?) throws -> CSVRecording {
    var whole = self
    whole.begin()
    var scan = whole.scan
    if let failure = whole.failure, problem == nil || !(failure is JSONArrayError) { try scan.stop(at: failure) }
    if let problem { scan.stop(at: problem) }
    try scan.finish(trailingAt: whole.splitter.trailingOffset)
    return CSVRecording(path: path, scan, form: form, person: person, held: whole.samples)
  }
}
