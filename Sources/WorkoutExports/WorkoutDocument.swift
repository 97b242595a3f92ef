package import Recordings
package import SessionStore
package import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// A workout as one JSON document: every input in the order in which it came, and of a session of our own its manifest,
/// its summary and every decision too.
package struct WorkoutDocument {
  /// The version of the format.
  package static let version = 1

  private enum Content {
    case session(SessionFolderRecording)
    case recording(Recording)
  }

  private let content: Content
  private let start: WallClockTime?
  private let person: String?
  private let privacy: PrivacyRadius?

  /// A document of a session of our own.
  ///
  /// - Parameters:
  ///   - person: what the person is called now; absent where that is not known, for the name of the day.
  ///   - privacy: hides the positions around the beginning and the end of the session.
  package init(_ session: SessionFolderRecording, calling person: String?, privacy: PrivacyRadius?) {
    content = .session(session)
    start = session.manifest.start
    self.person = person
    self.privacy = privacy
  }

  /// A document of a recording.
  ///
  /// - Parameters:
  ///   - start: when it began, for a recording that does not state it.
  ///   - privacy: hides the positions around the beginning and the end of each of its activities.
  package init(_ recording: Recording, start: WallClockTime?, privacy: PrivacyRadius?) {
    content = .recording(recording)
    person = nil
    self.start = recording.facts.start ?? start
    self.privacy = privacy
  }

  /// Writes the document, in pieces; an input or decision is a line.
  ///
  /// - Returns: how many positions were hidden.
  /// - Throws: `FileError` or `RecordingError` when something cannot be read, or what `output` throws.
  /// - Complexity: O(n) time; the memory does not depend on n.
  package func write(to output: (Span<UInt8>) throws -> Void) throws -> Int {
    let ends = privacy == nil ? [] : try trackEnds()
    var text: [UInt8] = []
    text.append(contentsOf: "{\"version\":\(Self.version),\"type\":\"workout\"".utf8)
    if let privacy {
      text.append(contentsOf: ",\"privacyRadiusMeters\":".utf8)
      DecimalFormat.appendShortest(privacy.meters, to: &text)
    }
    switch content {
    case .session(let session):
      try append(session.path + "/" + SessionFolder.manifest, as: "manifest", to: &text) {
        ManifestName.value($0, calling: person)
      }
      try append(session.path + "/" + SessionFolder.summary, as: "summary", to: &text) { $0 }
    case .recording(let recording): append(recording.facts, to: &text)
    }
    var hidden = 0
    var inputs = List("inputs", &text)
    var sent = SentInputs(try commandIDs)
    try forEachInput { input in
      guard !isHidden(input, ends) else {
        hidden += 1
        return
      }
      sent.forEach(of: input) { input, id in
        inputs.add(to: &text) { SampleRecords.write(input, id: id, start: start, to: &$0) }
      }
      try text.spill(to: output)
    }
    inputs.end(&text)
    let labels = try self.labels
    if !labels.isEmpty {
      var list = List("labels", &text)
      for label in labels {
        list.add(to: &text) { writer in
          writer.object { writer in
            writer.member("time", start?.adding(nanoseconds: label.time.nanoseconds))
            writer.member("atSeconds", secondsFromNanoseconds: label.time.nanoseconds)
            writer.member("label", label.text)
          }
        }
        try text.spill(to: output)
      }
      list.end(&text)
    }
    if case .session(let session) = content {
      try appendDecisions(session.path + "/" + SessionFolder.decisions, to: &text, output)
    }
    text.append(contentsOf: "}\n".utf8)
    try text.spill(to: output, above: 0)
    return hidden
  }

  private var labels: [RecordedLabel] {
    get throws {
      switch content {
      case .session(let session): try session.labels()
      case .recording(let recording): recording.facts.labels.changes
      }
    }
  }

  /// The identities of the commands; a recording has none.
  private var commandIDs: (start: String?, others: [String]) {
    get throws {
      switch content {
      case .session(let session): try session.commandIDs()
      case .recording: (nil, [])
      }
    }
  }

  private func forEachInput(_ body: (RecordedInput) throws -> Void) throws {
    switch content {
    case .session(let session): _ = try session.forEachInput(body)
    case .recording(let recording): try recording.forEachInput(body)
    }
  }

  private func isHidden(_ input: RecordedInput, _ ends: [PrivacyRadius.Ends]) -> Bool {
    guard let privacy, case .sample(let sample) = input, case .location(let fix) = sample.reading else { return false }
    return ends.contains { $0.hide(fix.coordinate, within: privacy) }
  }

  /// The ends of every track.
  private func trackEnds() throws -> [PrivacyRadius.Ends] {
    switch content {
    case .recording(let recording) where !recording.activities.isEmpty:
      var ends: [PrivacyRadius.Ends] = []
      try recording.forEachActivity(recording.activities) { _, activity in
        ends.append(try Self.ends(activity.forEachInput))
      }
      return ends
    case .session, .recording: return [try Self.ends(forEachInput)]
    }
  }

  private static func ends(
    _ forEachInput: ((RecordedInput) throws -> Void) throws -> Void
  ) throws -> PrivacyRadius.Ends {
    var ends = PrivacyRadius.Ends()
    try forEachInput { input in
      guard case .sample(let sample) = input, case .location(let fix) = sample.reading else { return }
      ends.admit(fix.coordinate, accuracy: fix.horizontalAccuracyMeters)
    }
    return ends
  }

  private func append(_ facts: RecordingFacts, to text: inout [UInt8]) {
    for (key, value) in [("startTime", start.map { "\($0)" }), ("sport", facts.sport), ("device", facts.device)] {
      guard let value else { continue }
      var writer = JSONWriter()
      writer.value(value)
      text.append(contentsOf: ",\"\(key)\":".utf8)
      text.append(contentsOf: writer.bytes)
    }
  }

  private func append(
    _ path: StoredPath, as key: String, to text: inout [UInt8], _ change: (JSONValue) -> JSONValue
  ) throws {
    guard try FileSystem.has(path) else { return }
    let bytes = try POSIXFile(reading: path).readAll(maximumBytes: 1 << 20)
    let value = try parse(bytes.span, of: path.path, nil)
    var writer = JSONWriter()
    writer.value(change(value))
    text.append(contentsOf: ",\n\"\(key)\":".utf8)
    text.append(contentsOf: writer.bytes)
  }

  private func appendDecisions(
    _ journal: StoredPath, to text: inout [UInt8], _ output: (Span<UInt8>) throws -> Void
  ) throws {
    var decisions = List("decisions", &text)
    if try FileSystem.has(journal) {
      try ByteLineReader.forEachLine(of: POSIXFile(reading: journal)) { line, place in
        // A torn last line is no decision.
        guard place.isTerminated else { return }
        let record = try parse(line, of: journal.path, "line \(place.number)")
        decisions.add(to: &text) { $0.value(record) }
        try text.spill(to: output)
      }
    }
    decisions.end(&text)
  }

  private func parse(_ text: Span<UInt8>, of path: String, _ position: String?) throws -> JSONValue {
    do {
      return try JSONValue.parse(text)
    } catch {
      throw RecordingError(path: path, position: position, problem: "\(error)")
    }
  }

  /// A member with an array whose elements stand on lines of their own.
  private struct List {
    private var isEmpty = true

    init(_ key: String, _ text: inout [UInt8]) { text.append(contentsOf: ",\n\"\(key)\":[".utf8) }

    mutating func add(to text: inout [UInt8], _ write: (inout JSONWriter) -> Void) {
      text.append(contentsOf: isEmpty ? "\n".utf8 : ",\n".utf8)
      isEmpty = false
      var writer = JSONWriter()
      write(&writer)
      text.append(contentsOf: writer.bytes)
    }

    func end(_ text: inout [UInt8]) { text.append(contentsOf: isEmpty ? "]".utf8 : "\n]".utf8) }
  }
}
