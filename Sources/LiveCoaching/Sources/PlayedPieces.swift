internal import WorkoutSession
internal import ZoneEngine

/// Gathers what a recording holds into pieces of a second of its own time.
///
/// A session takes a piece at once, so that what it reports, and what is said of it, is the same however fast the recording is played
/// and however late somebody takes what was played.
struct PlayedPieces {
  /// What belongs to one second.
  struct Piece {
    /// In the order of the recording; never empty.
    fileprivate(set) var lines: [LiveLine]
    /// When the last of it was.
    fileprivate(set) var end: SessionTime
  }

  private var current: Piece?

  /// Takes a line; returns the piece before, where it begins another. What is late belongs to the piece that it comes in.
  mutating func take(_ line: LiveLine, at time: SessionTime) -> Piece? {
    guard var piece = current else {
      current = Piece(lines: [line], end: time)
      return nil
    }
    guard Self.second(time) > Self.second(piece.end) else {
      // One that is held twice is copied for each line.
      current = nil
      piece.lines.append(line)
      piece.end = max(piece.end, time)
      current = piece
      return nil
    }
    current = Piece(lines: [line], end: time)
    return piece
  }

  /// The last piece; `nil` where there is none.
  mutating func finish() -> Piece? {
    defer { current = nil }
    return current
  }

  /// The whole seconds between two times, without both.
  static func wholeSeconds(between earlier: SessionTime, and later: SessionTime) -> some Sequence<SessionTime> {
    let first = second(earlier) + 1
    // A time that is a whole second is not between.
    let end = max(first, second(later - SessionTime(nanoseconds: 1)) + 1)
    return (first..<end).lazy.map { .seconds(Int($0)) }
  }

  private static func second(_ time: SessionTime) -> Int64 { time.nanoseconds / 1_000_000_000 }
}
