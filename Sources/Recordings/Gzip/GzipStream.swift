/// Unpacks gzip, of one member or several, in pieces of any size, and gives what was packed to a decoder.
///
/// Zero bytes after the last member are padding; anything else there is reported as a warning and left out. Positions
/// that the decoder reports are those of the unpacked text: `unpacked byte 1234`.
/// - Complexity: O(n) of the unpacked bytes; the memory is 64 KiB and that of the decoder.
@safe
package final class GzipStream<Decoder: RecordingDecoder>: RecordingDecoder {
  private static var pieceBytes: Int { 64 << 10 }
  private static var magic: (first: UInt8, second: UInt8) { (0x1F, 0x8B) }

  private enum State {
    /// Nothing of a member was seen.
    case beforeMember
    /// The first byte of the two that a further member begins with was seen.
    case afterFirstByte
    case inMember
    /// What is left belongs to nothing.
    case trailing
    case failed(DecodingProblem)
  }

  private let inflater: Inflater
  private let limits: GzipLimits
  /// The decoder of what is packed, as it stands.
  package private(set) var decoder: Decoder
  private var output = [UInt8](repeating: 0, count: pieceBytes)
  private var state = State.beforeMember
  private var members = 0
  private var readBytes = 0
  private var writtenBytes = 0

  /// Creates a reader at the beginning of a gzip file, for a decoder at the beginning of its text.
  package init(_ decoder: Decoder, limits: GzipLimits) {
    self.decoder = decoder
    self.limits = limits
    inflater = Inflater(.gzip)
  }

  /// Takes the next packed bytes.
  ///
  /// - Throws: `DecodingProblem` when they are no gzip, when they exceed a limit, or what the decoder throws.
  package func feed(_ bytes: Span<UInt8>, _ sink: (DecodedItem) -> Void) throws(DecodingProblem) {
    if case .failed(let problem) = state { throw problem }
    do throws(DecodingProblem) {
      var start = 0
      while start < bytes.count { start = try take(bytes, from: start, sink) }
    } catch {
      state = .failed(error)
      // A decoder may keep back the last of what it was given; all that was unpacked is emitted.
      try? decoder.finish { sink($0.unpacked) }
      throw error
    }
  }

  /// Gives the decoder to `body`, to take from it what it has gathered.
  func takeDecoded<Value>(_ body: (inout Decoder) -> Value) -> Value { body(&decoder) }

  /// Ends the packed bytes.
  ///
  /// - Throws: `DecodingProblem` when they end inside of a member, or what the decoder throws. The decoder is ended in
  ///   any case, so that everything that was unpacked is emitted.
  package func finish(_ sink: (DecodedItem) -> Void) throws(DecodingProblem) {
    if case .failed(let problem) = state { throw problem }
    if case .afterFirstByte = state, members > 0 { warn(at: readBytes - 1, sink) }
    var ended: DecodingProblem?
    do throws(DecodingProblem) { try decoder.finish { sink($0.unpacked) } } catch { ended = error.unpacked }
    switch state {
    case .inMember: throw problem("expected the rest of the gzip data, found its end")
    case .beforeMember where members == 0, .afterFirstByte where members == 0:
      throw problem("expected gzip data, found its end")
    case .beforeMember, .afterFirstByte, .trailing, .failed: break
    }
    if let ended { throw ended }
  }

  /// Takes bytes from `start` on; where those begin that it did not take.
  private func take(
    _ bytes: Span<UInt8>, from start: Int, _ sink: (DecodedItem) -> Void
  ) throws(DecodingProblem) -> Int {
    switch state {
    case .failed(let problem): throw problem
    case .trailing:
      readBytes += bytes.count - start
      return bytes.count
    case .beforeMember:
      let byte = bytes[start]
      if byte == Self.magic.first {
        state = .afterFirstByte
      } else if members == 0 {
        throw problem("expected gzip data, which begins with the bytes 1f 8b")
      } else if byte != 0 {
        warn(at: readBytes, sink)
        state = .trailing
      }
      readBytes += 1
      return start + 1
    case .afterFirstByte:
      guard bytes[start] == Self.magic.second else {
        guard members > 0 else { throw problem("expected gzip data, which begins with the bytes 1f 8b") }
        warn(at: readBytes - 1, sink)
        state = .trailing
        return start
      }
      inflater.beginMember()
      let head: InlineArray<1, UInt8> = [Self.magic.first]
      _ = inflater.inflate(head.span, into: &output)
      state = .inMember
      return start
    case .inMember: return try unpack(bytes, from: start, sink)
    }
  }

  private func unpack(
    _ bytes: Span<UInt8>, from start: Int, _ sink: (DecodedItem) -> Void
  ) throws(DecodingProblem) -> Int {
    var start = start
    while true {
      let step = inflater.inflate(bytes.extracting(droppingFirst: start), into: &output)
      start += step.read
      readBytes += step.read
      if step.written > 0 { try give(step.written, sink) }
      switch step.outcome {
      case .more:
        // A full buffer may have left something behind, even where all bytes were taken.
        guard step.written == output.count else { return start }
      case .ended:
        members += 1
        state = .beforeMember
        return start
      case .damaged(let what): throw problem("expected gzip data, found: \(what)")
      }
    }
  }

  /// Gives the first `count` bytes of the output to the decoder.
  private func give(_ count: Int, _ sink: (DecodedItem) -> Void) throws(DecodingProblem) {
    writtenBytes += count
    let allowed = limits.maximumBytes(packed: readBytes)
    guard writtenBytes <= allowed else {
      throw .exceeds(allowed, "unpacked bytes up to here", at: "byte \(readBytes)")
    }
    let output = output
    do throws(DecodingProblem) {
      try decoder.feed(output.span.extracting(first: count)) { sink($0.unpacked) }
    } catch {
      throw error.unpacked
    }
  }

  private func problem(_ problem: String) -> DecodingProblem {
    DecodingProblem(position: "byte \(readBytes)", problem: problem)
  }

  private func warn(at byte: Int, _ sink: (DecodedItem) -> Void) {
    sink(.warning(.trailingBytes, position: "byte \(byte)", detail: nil))
  }
}

extension DecodingProblem {
  /// The same problem of a text that stood packed: its position is said to be none of the file.
  var unpacked: DecodingProblem {
    DecodingProblem(position: "unpacked " + position, problem: problem, isBeyondBudget: isBeyondBudget)
  }
}

extension DecodedItem {
  /// The same item of a text that stood packed: its position is said to be none of the file.
  var unpacked: DecodedItem {
    switch self {
    case .warning(let kind, let position, let detail):
      .warning(kind, position: "unpacked " + position, detail: detail)
    case .strapMemory(let part, let position): .strapMemory(part: part, position: "unpacked " + position)
    case .point, .clock, .activity, .sport, .device, .timerStopped, .timerStarted, .trackGap, .segment, .lap, .timed,
      .cue, .leap, .leapWasDamage, .nextPart, .storedHeartRate, .subSport, .interval, .statedDistance, .statedSteps,
      .statedEnergy,
      .cadenceIsNotOfFeet, .cadenceIsOfFeet, .cadencesAreDoubled, .unreadField, .utcOffset:
      self
    }
  }
}
