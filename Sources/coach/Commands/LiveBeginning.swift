import WorkoutSession

/// Finds out on which day a live session begins, from its first lines.
///
/// The values of a profile are those of that day, so that nothing can be judged before it is known.
struct LiveBeginning {
  private var splitter = LiveFeedSplitter()
  private let streams: [SampleStream]
  /// When the session begins; absent until a line tells it.
  private(set) var start: WallClockTime?

  /// A beginning of which nothing is known, of a session that takes these streams.
  init(streams: [SampleStream]) { self.streams = streams }

  /// Looks at bytes of a stream that arrived at a time of day.
  mutating func take(_ bytes: [UInt8], of feed: LiveFeed, arrival: WallClockTime) {
    let streams = streams
    var found: WallClockTime?
    splitter.feed(bytes, of: feed) { line, place in
      guard found == nil, !place.isCut, let line = try? LiveLine(line) else { return }
      found = Self.begins(line, streams, arrival: arrival)
    }
    if start == nil { start = found }
  }

  /// Looks at lines that arrived at a time of day.
  mutating func take(_ lines: [LiveLine], arrival: WallClockTime) {
    for line in lines where start == nil { start = Self.begins(line, streams, arrival: arrival) }
  }

  /// When a line begins the session; `nil` when it does not.
  private static func begins(_ line: LiveLine, _ streams: [SampleStream], arrival: WallClockTime) -> WallClockTime? {
    switch line {
    case .sample(let reading, let stamp, _):
      guard streams.contains(reading.stream) else { return nil }
      return time(stamp, arrival)
    case .command(.start, _, let stamp): return time(stamp ?? .wall(arrival), arrival)
    case .command: return nil
    }
  }

  private static func time(_ stamp: Stamp, _ arrival: WallClockTime) -> WallClockTime {
    if case .wall(let time) = stamp { return time }
    return arrival
  }
}
