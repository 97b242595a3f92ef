private import CZlib

/// Unpacks gzip, of one member or several, in pieces of any size, and gives what was packed to a decoder.
///
/// Zero bytes after the last member are padding; anything else there is told as a warning and left out. Positions that
/// the decoder tells are those of the unpacked text: `unpacked byte 1234`.
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

  private let inflater: GzipInflater
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
    inflater = GzipInflater()
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
      // A decoder may keep back the last of what it was given; all that was unpacked is told.
      try? decoder.finish { sink(Self.unpacked($0)) }
      throw error
    }
  }

  /// Ends the packed bytes.
  ///
  /// - Throws: `DecodingProblem` when they end inside of a member, or what the decoder throws. The decoder is ended in
  ///   any case, so that everything is told that was unpacked.
  package func finish(_ sink: (DecodedItem) -> Void) throws(DecodingProblem) {
    if case .failed(let problem) = state { throw problem }
    if case .afterFirstByte = state, members > 0 { warn(at: readBytes - 1, sink) }
    var ended: DecodingProblem?
    do throws(DecodingProblem) { try decoder.finish { sink(Self.unpacked($0)) } } catch { ended = Self.unpacked(error) }
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
    guard writtenBytes <= allowed else { throw problem("expected at most \(allowed) unpacked bytes up to here") }
    let output = output
    do throws(DecodingProblem) {
      try decoder.feed(output.span.extracting(first: count)) { sink(Self.unpacked($0)) }
    } catch {
      throw Self.unpacked(error)
    }
  }

  private func problem(_ problem: String) -> DecodingProblem {
    DecodingProblem(position: "byte \(readBytes)", problem: problem)
  }

  private func warn(at byte: Int, _ sink: (DecodedItem) -> Void) {
    sink(.warning(.trailingBytes, position: "byte \(byte)", detail: nil))
  }

  private static func unpacked(_ problem: DecodingProblem) -> DecodingProblem {
    DecodingProblem(position: "unpacked " + problem.position, problem: problem.problem)
  }

  private static func unpacked(_ item: DecodedItem) -> DecodedItem {
    guard case .warning(let kind, let position, let detail) = item else { return item }
    return .warning(kind, position: "unpacked " + position, detail: detail)
  }
}

/// How much may come out of a gzip file, so that a small one cannot keep a machine busy for hours.
package struct GzipLimits: Hashable, Sendable {
  /// The unpacked bytes that are allowed whatever the packed size is.
  package let freeBytes: Int
  /// How many unpacked bytes a packed byte allows beyond that.
  package let ratio: Int
  /// The unpacked bytes that are allowed in all.
  package let totalBytes: Int

  /// 16 MiB freely, then 200 bytes for one, and 4 GiB in all. Recordings in XML come to 10 to 60 for one.
  package static let standard = GzipLimits(freeBytes: 16 << 20, ratio: 200, totalBytes: 4 << 30)

  /// Creates limits.
  ///
  /// - Precondition: none is negative, and the ratio is at most 2,000, which is more than gzip can reach.
  package init(freeBytes: Int, ratio: Int, totalBytes: Int) {
    precondition(freeBytes >= 0 && totalBytes >= 0 && (0...2000).contains(ratio), "a limit is not negative")
    self.freeBytes = freeBytes
    self.ratio = ratio
    self.totalBytes = totalBytes
  }

  func maximumBytes(packed: Int) -> Int { min(totalBytes, max(freeBytes, packed * ratio)) }
}

/// The handle of zlib.
@safe
private final class GzipInflater {
  enum Outcome {
    case more
    case ended
    case damaged(String)
  }

  private let stream: UnsafeMutablePointer<z_stream>

  init() {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    guard unsafe coach_inflate_init_gzip(stream) == Z_OK else { preconditionFailure("no memory to unpack gzip") }
  }

  deinit {
    _ = unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  func beginMember() { _ = unsafe inflateReset(stream) }

  /// Unpacks into `output` as much as there is room for.
  func inflate(_ input: Span<UInt8>, into output: inout [UInt8]) -> (read: Int, written: Int, outcome: Outcome) {
    let given = min(input.count, Int(UInt32.max))
    return unsafe output.withUnsafeMutableBufferPointer { output in
      unsafe input.withUnsafeBufferPointer { input in
        unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        unsafe stream.pointee.avail_in = UInt32(given)
        unsafe stream.pointee.next_out = output.baseAddress
        unsafe stream.pointee.avail_out = UInt32(output.count)
        let code = unsafe CZlib.inflate(stream, Z_NO_FLUSH)
        let outcome: Outcome =
          switch code {
          case Z_OK, Z_BUF_ERROR: .more
          case Z_STREAM_END: .ended
          default: unsafe .damaged(stream.pointee.msg.map { unsafe String(cString: $0) } ?? "error \(code)")
          }
        unsafe stream.pointee.next_in = nil
        unsafe stream.pointee.next_out = nil
        return unsafe (given - Int(stream.pointee.avail_in), output.count - Int(stream.pointee.avail_out), outcome)
      }
    }
  }
}
