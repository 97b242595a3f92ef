internal import TextFormats

/// The time of intervals between beats that a file gives without times of day: each ends as long after the one before as it
/// lasts.
struct IntervalClock: Sendable {
  /// Milliseconds that an interval may have to be kept, as in the live stream.
  static let readable = 0.0...1_000_000.0
  /// Milliseconds up to which an interval moves the clock: what is longer is no time between two beats.
  static let longest = 10_000.0

  /// Nanoseconds since the first beat.
  private(set) var time: Int64 = 0

  /// The time at which an interval ends.
  mutating func end(of milliseconds: Double) -> Int64 {
    if milliseconds <= Self.longest { time += Int64((milliseconds * 1e6).rounded()) }
    return time
  }
}

extension LineSplitter {
  /// A splitter for texts of short lines: longer ones are cut, and anything may stand in them.
  static var ofShortLines: LineSplitter { LineSplitter(maximumLineBytes: 1_024, longLines: .cut, refusesBinary: false) }

  /// Gives the lines of the next piece; of the last ones, where there is none.
  ///
  /// - Throws: what `body` throws.
  mutating func split(
    _ bytes: Span<UInt8>?, _ body: (Span<UInt8>, Int) throws(DecodingProblem) -> Void
  ) throws(DecodingProblem) {
    do {
      let give = { (line: Span<UInt8>, place: TextLine) in try body(line, place.number) }
      if let bytes { try feed(bytes, give) } else { try finish(give) }
    } catch let problem as DecodingProblem {
      throw problem
    } catch {
      throw DecodingProblem(position: "byte 0", problem: "\(error)")
    }
  }
}
