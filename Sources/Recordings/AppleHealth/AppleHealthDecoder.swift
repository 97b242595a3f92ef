/// Receives what an export of Apple Health holds, in the order of the file.
protocol AppleHealthConsumer {
  /// Takes a record; the name of its source stands in `sources`.
  ///
  /// - Returns: What is too much, and ends the reading; `nil` as a rule.
  mutating func take(_ record: AppleHealthRecord, _ sources: AppleHealthSources) -> String?
  /// Takes the times between beats of a record; the name of its source stands in `sources`.
  ///
  /// - Returns: What is too much, and ends the reading; `nil` as a rule.
  mutating func take(_ beats: HealthBeatList, _ sources: AppleHealthSources) -> String?
  /// Takes a workout that is over, with everything in it.
  ///
  /// - Returns: What is too much, and ends the reading; `nil` as a rule.
  mutating func take(_ workout: AppleHealthWorkout) -> String?
}

/// Reads the `export.xml` of Apple Health and gives its records and workouts to a consumer.
///
/// - Only records directly in `HealthData` are read: those of a correlation stand there once more.
/// - Control characters, which XML does not have but names of devices do, are read as spaces, with a warning.
/// - Behind damage the reading goes on with the next record or workout, with a warning, at most 1,000 times.
///
/// A decoder owns a parser, so it is a class.
final class AppleHealthDecoder<Consumer: AppleHealthConsumer>: RecordingDecoder {
  private var stream: XMLStream
  private var content: AppleHealthContent<Consumer>
  private var prologue: HealthPrologue? = HealthPrologue()
  private var recovery = HealthRecovery()
  /// How many bytes were given to the parser or passed over.
  private var fedBytes = 0

  /// Creates a decoder at the beginning of a text.
  init(_ consumer: Consumer) {
    stream = XMLStream(vocabulary: AppleHealthContent<Consumer>.vocabulary)
    content = AppleHealthContent(consumer)
  }

  /// The consumer as it stands.
  var consumer: Consumer { content.consumer }
  /// The names of the sources up to here.
  var sources: AppleHealthSources { content.sources }

  /// Takes the next bytes.
  ///
  /// - Throws: `DecodingProblem` when they are no export, exceed a limit, or cannot be read any further.
  func feed(_ bytes: Span<UInt8>, _ sink: (DecodedItem) -> Void) throws(DecodingProblem) {
    guard prologue != nil else { return try take(bytes, sink) }
    // Feeding it where it stands would copy what it holds.
    guard try prologue?.take(bytes) == true, let held = prologue?.bytes else { return }
    prologue = nil
    try take(held.span, sink)
  }

  /// Ends the bytes.
  ///
  /// - Throws: `DecodingProblem` when they end inside of the text; what was emitted before stays, and so does a workout
  ///   that had begun.
  func finish(_ sink: (DecodedItem) -> Void) throws(DecodingProblem) {
    if let prologue {
      self.prologue = nil
      try prologue.finish()
      let held = prologue.bytes
      try take(held.span, sink)
    }
    if let damage = recovery.damage { throw damage }
    do throws(DecodingProblem) {
      try stream.finish { content.take($0, of: stream, sink) }
    } catch {
      content.endWorkout()
      throw error
    }
  }

  private func take(_ bytes: Span<UInt8>, _ sink: (DecodedItem) -> Void) throws(DecodingProblem) {
    guard Self.hasControl(bytes) else { return try parse(bytes, sink) }
    var clean = (0..<bytes.count).map { bytes[$0] }
    for index in clean.indices where Self.isControl(clean[index]) {
      sink(.warning(.unreadableBytes, position: "byte \(fedBytes + index)", detail: "a control character"))
      clean[index] = UInt8(ascii: " ")
    }
    try parse(clean.span, sink)
  }

  private static func hasControl(_ bytes: Span<UInt8>) -> Bool {
    var hasControl = false
    for index in bytes.indices where isControl(unsafe bytes[unchecked: index]) { hasControl = true }
    return hasControl
  }

  /// Whether a byte of UTF-8 is a character that XML does not have.
  @inline(__always)
  private static func isControl(_ byte: UInt8) -> Bool {
    byte < 0x20 && byte != 0x09 && byte != 0x0A && byte != 0x0D
  }

  private func parse(_ bytes: Span<UInt8>, _ sink: (DecodedItem) -> Void) throws(DecodingProblem) {
    var rest = try parse(bytes, at: fedBytes, sink)
    fedBytes += bytes.count
    while let (held, position) = rest { rest = try parse(held.span, at: position, sink) }
  }

  /// Gives bytes to the parser, of which the first stands at `position`.
  ///
  /// - Returns: The bytes behind damage, and where they begin; `nil` when everything was read.
  private func parse(
    _ bytes: Span<UInt8>, at position: Int, _ sink: (DecodedItem) -> Void
  ) throws(DecodingProblem) -> (bytes: [UInt8], position: Int)? {
    var start = 0
    if recovery.damage != nil {
      guard let next = resume(in: bytes, at: position, sink) else { return nil }
      start = next
    }
    do throws(DecodingProblem) {
      try stream.feed(bytes.extracting(start..<bytes.count)) { content.take($0, of: stream, sink) }
      return nil
    } catch {
      content.endWorkout()
      guard stream.isMalformed, stream.depth > 0, recovery.note(error) else { throw error }
      let undelivered = stream.undeliveredBytes
      let taken = stream.takenBytes - position
      let held = Array(undelivered.dropFirst()) + (taken..<bytes.count).map { bytes[$0] }
      return (held, position + bytes.count - held.count)
    }
  }

  /// Looks for the next record or workout behind damage, and goes on there with a new parser.
  ///
  /// - Returns: How much of the bytes was used up for it; `nil` when there is none.
  private func resume(in bytes: Span<UInt8>, at position: Int, _ sink: (DecodedItem) -> Void) -> Int? {
    guard let found = recovery.search(bytes) else { return nil }
    if let damage = recovery.damage {
      sink(.warning(.unreadableBytes, position: damage.position, detail: damage.problem))
    }
    recovery.damage = nil
    let opening = Array("<HealthData>".utf8) + found.tag
    stream = XMLStream(
      vocabulary: AppleHealthContent<Consumer>.vocabulary, startingAt: position + found.end - opening.count)
    // The beginning of an export and of a tag are no problem.
    try? stream.feed(opening.span) { content.take($0, of: stream, sink) }
    return found.end
  }
}

/// Finds where the reading goes on behind damage.
struct HealthRecovery {
  private static let mostDamages = 1_000
  private static let tags = [Array("<Record ".utf8), Array("<Workout ".utf8)]

  /// The damage behind which nothing was found yet.
  var damage: DecodingProblem?
  private var damages = 0
  /// The bytes of a tag that may have begun at the end of the last piece, by tag.
  private var matched = [0, 0]

  /// Takes note of damage; whether the reading may go on behind it.
  mutating func note(_ damage: DecodingProblem) -> Bool {
    guard damages < Self.mostDamages else { return false }
    damages += 1
    self.damage = damage
    matched = [0, 0]
    return true
  }

  /// The next opening tag, and where its first bytes end; the search goes on in the next piece where there is none.
  mutating func search(_ bytes: Span<UInt8>) -> (tag: [UInt8], end: Int)? {
    for index in bytes.indices {
      for (number, tag) in Self.tags.enumerated() {
        // A tag has its first byte nowhere else, so what does not match can only begin anew.
        let byte = bytes[index]
        matched[number] = byte == tag[matched[number]] ? matched[number] + 1 : byte == tag[0] ? 1 : 0
        if matched[number] == tag.count { return (tag, index + 1) }
      }
    }
    return nil
  }
}
