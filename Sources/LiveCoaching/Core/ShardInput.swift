internal import TextFormats
internal import WorkoutSession

/// What is done with a session of a shard.
enum ShardInput: Sendable {
  case bytes([UInt8], LiveFeed)
  case lines([LiveLine], LiveFeed)
  /// Whole lines that belong together, and their name; absent for none.
  case request([UInt8], LiveFeed, batch: BatchName?)
  /// The same once more, as another process took it: without the lines from one on, where not all were taken.
  case again([UInt8], LiveFeed, nextLine: Int?)
  case finish(LiveFeed)
  case tick
  case end(SessionEvent.EndReason)
}

/// What input does with a session: it touches nothing else.
extension ShardSlot {
  /// Has the session take input at a time of day as it counts it.
  ///
  /// - Parameters:
  ///   - log: gets the rows that come of it.
  ///   - report: gets what happened.
  func take(
    _ input: ShardInput, _ now: WallClockTime, log: inout [LiveSession.RawEntry], _ report: inout LiveReport
  ) {
    switch input {
    case .bytes(let bytes, let feed):
      splitter.feed(bytes, of: feed) { line, place in
        session.take(line, of: feed, place, now, &log, &report, listing: .max)
      }
      session.tick(now, log: &log, into: &report.events)
    case .request(let bytes, let feed, _):
      session.take(whole: bytes.span, of: feed, now, &log, &report) { report, _ in
        report.events.count >= LiveReport.mostRecordsOfRequest
      }
    case .again(let bytes, let feed, let nextLine):
      // What another process took is taken, also by one that would stop elsewhere.
      session.take(whole: bytes.span, of: feed, now, &log, &report) { _, number in
        nextLine.map { number >= $0 } ?? false
      }
    case .lines(let lines, let feed):
      for (index, line) in lines.enumerated() {
        do {
          try session.take(
            line, from: line.keepsItsTime ? nil : feed, arrival: now, log: &log, into: &report.events)
        } catch {
          report.noteBadLine(index + 1, error, atMost: .max)
        }
      }
      session.tick(now, log: &log, into: &report.events)
    case .finish(let feed): finish(feed, now, &log, &report)
    case .tick: session.tick(now, log: &log, into: &report.events)
    case .end(let reason):
      if reason == .endOfInput {
        for feed in splitter.open { finish(feed, now, &log, &report) }
      }
      session.end(reason, now: now, log: &log, into: &report.events)
    }
    report.notices = session.takeNotices()
    notices?.note(report.events, report.notices)
    report.state = session.state
    badLines += report.badLineCount - report.untakenLines
  }

  private func finish(
    _ feed: LiveFeed, _ now: WallClockTime, _ log: inout [LiveSession.RawEntry], _ report: inout LiveReport
  ) {
    splitter.finish(feed) { line, place in
      session.take(line, of: feed, place, now, &log, &report, listing: .max)
    }
  }
}

extension LiveSession {
  /// Takes the lines of a request.
  ///
  /// - Parameter isFull: whether, after what is reported, a line with that number is not taken, nor any after it.
  fileprivate mutating func take(
    whole bytes: Span<UInt8>, of feed: LiveFeed, _ now: WallClockTime, _ log: inout [RawEntry],
    _ report: inout LiveReport, isFull: (LiveReport, Int) -> Bool
  ) {
    LineSplitter.forEachLine(ofWhole: bytes, maximumLineBytes: LiveLine.longest) { line, place in
      if report.nextLine != nil || isFull(report, place.number) {
        if !line.isBlank { report.noteUntakenLine(place.number) }
        return
      }
      take(line, of: feed, place, now, &log, &report, listing: LiveReport.mostBadLinesOfRequest)
    }
    tick(now, log: &log, into: &report.events)
  }

  /// Takes a line.
  ///
  /// - Parameter most: how many lines are listed in the report that cannot be used; others are counted.
  fileprivate mutating func take(
    _ line: Span<UInt8>, of feed: LiveFeed, _ place: TextLine, _ now: WallClockTime, _ log: inout [RawEntry],
    _ report: inout LiveReport, listing most: Int
  ) {
    if line.isBlank { return }
    report.lineCount += 1
    do {
      try take(LiveLine(line, at: place), from: feed, arrival: now, log: &log, into: &report.events)
    } catch {
      report.noteBadLine(place.number, error, atMost: most)
    }
  }
}

extension LiveLine {
  /// Whether its stamp counts from the start of the session, so that no clock can be wrong.
  fileprivate var keepsItsTime: Bool {
    switch self {
    case .sample(let sample):
      if case .session = sample.stamp { return true }
    case .command(_, _, let stamp):
      if case .session? = stamp { return true }
    case .refused: break
    }
    return false
  }
}
