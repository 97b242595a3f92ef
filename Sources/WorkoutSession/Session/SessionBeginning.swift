internal import TextFormats
internal import ZoneEngine

/// Where a live session begins, and what its first samples are: what comes before that is known waits.
extension LiveSession {
  /// Begins the session at a stamp.
  mutating func begin(at stamp: Stamp, arrival: WallClockTime, into events: inout [SessionEvent]) {
    timebase.begin(at: stamp, arrival: arrival)
    state = .recording
    if let wall = timebase.time(ofWall: arrival) { course = TimeCourse(lead: timebase.firstStamp - wall) }
    if let start, let offset = configuration.utcOffsetSeconds {
      pipeline.observe(from: start, utcOffsetSeconds: offset(start), within: .live)
    }
    pipeline.begin(into: &events)
  }

  /// Begins the session where samples that wait for it say best, if there are any.
  mutating func settle(log: inout [RawEntry], into events: inout [SessionEvent]) {
    guard state == .standby, let beginning = anchor.last else { return }
    begin(at: beginning, log: &log, into: &events)
  }

  /// Begins the session where the anchor says.
  mutating func begin(
    at beginning: SessionAnchor.Beginning, log: inout [RawEntry], into events: inout [SessionEvent]
  ) {
    switch beginning {
    case .held(let index): begin(atHeld: index, log: &log, into: &events)
    case .command(let stamp, let arrival):
      begin(at: stamp, arrival: arrival, into: &events)
      placeHeld(log: &log, into: &events)
    }
  }

  /// Begins the session with one of the samples that wait.
  mutating func begin(atHeld index: Int, log: inout [RawEntry], into events: inout [SessionEvent]) {
    let first = held.sample(index)
    begin(at: first.sample.stamp, arrival: first.arrival, into: &events)
    placeHeld(log: &log, into: &events)
  }

  /// Takes what waited, in the order in which it came.
  mutating func placeHeld(log: inout [RawEntry], into events: inout [SessionEvent]) {
    for line in held.takeAll() {
      switch line {
      case .sample(let item):
        guard state != .ended else { continue }
        place(item.sample, from: item.feed, arrival: item.arrival, log: &log, into: &events)
      case .command(let item):
        perform(
          item.command, id: item.id, issuedAt: item.stamp, from: item.feed, arrival: item.arrival, log: &log,
          into: &events)
      }
    }
  }

  /// Holds a sample of a session that a command began, and those behind it, while it is open whether they are of now.
  mutating func isHeld(
    _ line: LiveSample, from feed: LiveFeed, arrival: WallClockTime, log: inout [RawEntry],
    into events: inout [SessionEvent]
  ) -> Bool {
    let origin = StampOrigin(feed: feed, source: line.source, stream: line.reading.stream)
    let isOnCourse = course.isOnCourse(timebase.time(of: line.stamp), of: origin, moment(arrival))
    guard startedClock?.isSettled(by: line.stamp, arrival: arrival, isOnCourse: isOnCourse) == false else {
      follow(.live, log: &log, into: &events)
      return false
    }
    if isOnCourse, held.isEmpty { return false }
    held.hold(.sample(HeldSample(sample: line, feed: feed, arrival: arrival)))
    let verdict = startedClock?.take(line.stamp, arrival: arrival) ?? nil
    if let verdict { follow(verdict, log: &log, into: &events) }
    return true
  }

  /// Takes the samples for what they are, and those that waited for that.
  mutating func follow(
    _ verdict: StartedClock.Verdict, log: inout [RawEntry], into events: inout [SessionEvent]
  ) {
    startedClock = nil
    if case .recorded(let index) = verdict {
      let stamp = held.sample(index).sample.stamp
      let ahead = timebase.time(of: stamp) - pipeline.latest
      timebase.leaveWallClock()
      switch stamp {
      case .session where ahead <= SessionTimebase.nearness: course = TimeCourse()
      case .session: course = TimeCourse(shift: ahead)
      case .wall(let time):
        course = TimeCourse(shift: ahead)
        notices.append(CourseWording.recorded(time))
      }
    }
    placeHeld(log: &log, into: &events)
  }

  /// Decides about the first samples of a session that a command began, where nothing can be waited for.
  mutating func settleStartedClock(log: inout [RawEntry], into events: inout [SessionEvent]) {
    guard !held.isEmpty, let verdict = startedClock?.verdict else { return }
    follow(verdict, log: &log, into: &events)
  }
}
