package import TextFormats
package import WorkoutSession

/// Finds out on which day a live session begins, from its first lines, as the session itself will find it.
///
/// The values of a profile are those of that day, so that nothing can be judged before it is known.
package struct LiveBeginning {
  private var splitter = LiveFeedSplitter()
  private let streams: [SampleStream]
  private var anchor = SessionAnchor()
  private var strangers: Set<LiveFeed> = []
  private var stamps: [(stamp: Stamp, arrival: WallClockTime)] = []
  /// When the session begins; absent until a line states it.
  package private(set) var start: WallClockTime?

  /// A beginning of which nothing is known, of a session that takes these streams.
  package init(streams: [SampleStream]) { self.streams = streams }

  /// Reads past the commands of a sender from now on.
  package mutating func refuseCommands(of feed: LiveFeed) { strangers.insert(feed) }

  /// Looks at bytes of a stream that arrived at a time of day.
  package mutating func take(_ bytes: [UInt8], of feed: LiveFeed, arrival: WallClockTime) {
    let strangers = strangers
    var lines: [LiveLine] = []
    splitter.feed(bytes, of: feed) { line, place in
      guard !place.isCut, let line = try? LiveLine(line) else { return }
      if case .command = line, strangers.contains(feed) { return }
      lines.append(line)
    }
    for line in lines where start == nil { take(line, isSent: true, arrival: arrival) }
  }

  /// Looks at lines of what keeps its own time, such as a recording, that arrived at a time of day.
  package mutating func take(_ lines: [LiveLine], arrival: WallClockTime) {
    for line in lines where start == nil { take(line, isSent: false, arrival: arrival) }
  }

  /// Takes what there is for all that comes.
  package mutating func settle() {
    guard start == nil, let beginning = anchor.last else { return }
    start = time(of: beginning)
  }

  private func time(of beginning: SessionAnchor.Beginning) -> WallClockTime {
    switch beginning {
    case .held(let index): Self.time(stamps[index])
    case .command(let stamp, let arrival): Self.time((stamp, arrival))
    }
  }

  private mutating func take(_ line: LiveLine, isSent: Bool, arrival: WallClockTime) {
    switch line {
    case .sample(let sample):
      let stream = sample.reading.stream
      guard streams.contains(isSent ? stream.sentWith : stream.chosenWith) else { return }
      stamps.append((sample.stamp, arrival))
      if let index = anchor.take(sample.stamp, arrival: arrival) { start = Self.time(stamps[index]) }
    case .command(.start, _, let stamp):
      let issued = stamp ?? .wall(arrival)
      if issued.isLikely(arrival: arrival) { start = Self.time((issued, arrival)) }
    case .command(let command, _, let stamp):
      let beginning = anchor.take(command: stamp, arrival: arrival, ends: command == .stop)
      if let beginning { start = time(of: beginning) }
    case .refused: break
    }
  }

  private static func time(_ known: (stamp: Stamp, arrival: WallClockTime)) -> WallClockTime {
    if case .wall(let time) = known.stamp { return time }
    return known.arrival
  }
}
