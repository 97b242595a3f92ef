package import ZoneEngine

/// Whose clock a stamp is of: a stream of a sender, and of a device where the sender names it.
package struct StampOrigin: Hashable, Sendable {
  /// The sender.
  package let feed: LiveFeed
  /// The device, where it is named.
  package let source: String?
  /// The stream.
  package let stream: SampleStream

  /// Creates an origin.
  package init(feed: LiveFeed, source: String?, stream: SampleStream) {
    self.feed = feed
    self.source = source
    self.stream = stream
  }
}

/// Where stamps lie in the time of a live session, whatever their clocks do.
///
/// A stamp that goes on where its origin was keeps its place. One that lies far ahead or far back decides nothing, and the
/// third of three that follow each other is the new course: what comes goes on from there. Where the
/// session follows the clock of the machine, that clock decides whether there was a silence or a clock was set; where it
/// does not, a silence of up to an hour is believed.
///
/// It is pure: what it answers depends on what it was asked before.
package struct TimeCourse: Sendable {
  /// How far a stamp may be ahead of the session without any other that says so.
  package static let longestStep = SessionTime.seconds(60)
  /// The same while an origin has sent so little that its interval is not known.
  package static let longestFirstStep = SessionTime.seconds(300)
  /// How far a stamp may be behind its origin: a reading holds that long, so that nobody misses what is late by it.
  package static let longestReturn = CoachingEngine.holdLimit
  /// The longest silence that three stamps alone are believed.
  package static let longestSilence = SessionTime.seconds(3_600)
  /// The longest silence that they are believed in a pause.
  package static let longestPause = SessionTime.seconds(6 * 3_600)
  /// How many stamps make a new course.
  package static let newCourseCount = 3
  /// How many are needed where one repeats what was there already: an even heart rate may, and so does what is sent twice.
  package static let newCourseCountOfRepeats = 8
  /// How many origins are remembered.
  static let largestCount = 64
  /// How many silences of an origin are remembered.
  static let rememberedSilences = 16
  /// How many usual intervals long a silence is at least.
  private static let intervalsOfSilence: Int64 = 3

  /// What became of a stamp.
  package enum Place: Hashable, Sendable {
    /// It is this time of the session, which may be late for its stream.
    case at(SessionTime)
    /// It is this time of the session, and the first that counts after the clock of its origin was set by so much.
    case set(SessionTime, by: SessionTime)
    /// It is none: it decides nothing.
    case implausible
  }

  /// What a session knows when a stamp arrives.
  package struct Moment: Sendable {
    /// The time of its newest sample, command or tick.
    package let latest: SessionTime
    /// What the clock of the machine shows, as time of the session; absent where the session does not follow it.
    package let wall: SessionTime?
    /// Whether the session is paused.
    package let isPaused: Bool

    /// Creates a moment.
    package init(latest: SessionTime, wall: SessionTime?, isPaused: Bool) {
      self.latest = latest
      self.wall = wall
      self.isPaused = isPaused
    }
  }

  /// Whether a reading at a time was there already.
  package enum Repetition: Hashable, Sendable {
    /// It was not.
    case none
    /// It was, and is what its stream reads now, too.
    case likeNewest
    /// It was, and is another than its stream reads now.
    case older
  }

  private struct Origin {
    let id: StampOrigin
    /// What the clock is ahead of the session.
    var shift = SessionTime.zero
    /// The newest time.
    var newest: SessionTime?
    /// The last two intervals.
    var intervals: (SessionTime, SessionTime)?
    var lastInterval: SessionTime?
    /// Spans in which it sent nothing, the newest last.
    var silences: [(from: SessionTime, until: SessionTime)] = []
    /// Whether its newest silence ended with its newest stamp, so that nothing has confirmed it yet.
    var hasJustSpoken = false
    /// Stamps in a row that have no place, as they were sent.
    var first = SessionTime.zero
    var last = SessionTime.zero
    var count = 0
    var hasRepeats = false
    /// When it was last heard, as a count of stamps.
    var heard = 0

    init(_ id: StampOrigin) { self.id = id }

    /// Takes a time that goes on; the span before it is a silence, unless a clock may have been set in it.
    mutating func accept(_ time: SessionTime, isSilenceKnown: Bool = true) {
      count = 0
      if let newest, time > newest {
        let interval = min(time - newest, TimeCourse.longestPause)
        let usual = lastInterval.map { $0.nanoseconds * TimeCourse.intervalsOfSilence } ?? .max
        hasJustSpoken = isSilenceKnown && interval.nanoseconds >= min(usual, TimeCourse.longestReturn.nanoseconds)
        if hasJustSpoken {
          if silences.count == TimeCourse.rememberedSilences { silences.removeFirst() }
          silences.append((from: newest, until: time))
        }
        intervals = lastInterval.map { ($0, interval) }
        lastInterval = interval
      }
      newest = max(newest ?? time, time)
    }
  }

  /// Few, so that they are looked through.
  private var origins: [Origin] = []
  private var newest = [SessionTime?](repeating: nil, count: SampleStream.allCases.count)
  private var heard = 0
  /// How far the last sample that had a place was ahead of the machine's clock.
  private var lead = SessionTime.zero

  /// A course on which nothing has been.
  package init() {}

  /// What the clock of a sender is ahead of the session, by what was last heard of it.
  package func shift(of feed: LiveFeed) -> SessionTime {
    origins.filter { $0.id.feed == feed }.max { $0.heard < $1.heard }?.shift ?? .zero
  }

  /// The time of a stamp that goes on where its origin was, as nearly all do; `nil` for any other, which ``place(_:of:_:repetition:)``
  /// looks at.
  package mutating func goOn(_ stamp: SessionTime, of id: StampOrigin, _ moment: Moment) -> SessionTime? {
    let index = index(of: id)
    let time = stamp - origins[index].shift
    guard !isBack(time, id, newest: origins[index].newest, moment), time <= limit(index, moment) else { return nil }
    heard += 1
    origins[index].heard = heard
    origins[index].accept(time)
    note(time, id, moment)
    return time
  }

  /// Finds the place of a stamp.
  ///
  /// - Parameters:
  ///   - stamp: the stamp as time since the start of the session.
  ///   - repetition: whether the same reading at a time of the session was there already; asked only for a stamp that
  ///     lies back.
  /// - Complexity: O(number of origins), of which most sessions have a few.
  package mutating func place(
    _ stamp: SessionTime, of id: StampOrigin, _ moment: Moment, repetition: (SessionTime) -> Repetition
  ) -> Place {
    if let time = goOn(stamp, of: id, moment) { return .at(time) }
    heard += 1
    let index = index(of: id)
    var origin = origins[index]
    origin.heard = heard
    defer { origins[index] = origin }
    let time = stamp - origin.shift
    let isBack = isBack(time, id, newest: origin.newest, moment)
    var repeated = Repetition.none
    if isBack, time >= .zero {
      // A strap sends late what it kept in a silence; that is no clock that was set.
      repeated = repetition(time)
      if repeated == .older || isMissing(time, origin, moment) { return .at(time) }
    }
    if let shift = sibling(of: id, stamp, moment) {
      let difference = shift - origin.shift
      origin.shift = shift
      origin.accept(stamp - shift, isSilenceKnown: false)
      note(stamp - shift, id, moment)
      return .set(stamp - shift, by: difference)
    }
    let step = stamp - origin.last
    // A clock that was set goes on; what is sent once more comes in any order.
    let goesOn = origin.count > 0 && step > .zero && step <= Self.longestSilence
    if !goesOn { (origin.first, origin.hasRepeats) = (stamp, false) }
    origin.hasRepeats = origin.hasRepeats || repeated != .none
    origin.count = goesOn ? origin.count + 1 : 1
    origin.last = stamp
    let needed = origin.hasRepeats ? Self.newCourseCountOfRepeats : Self.newCourseCount
    guard origin.count >= needed else { return isBack && time >= .zero ? .at(time) : .implausible }
    return begin(stamp, id, &origin, moment)
  }

  /// Whether a time lies in a silence of an origin. A silence that only one stamp shows may be an error of that stamp.
  private func isMissing(_ time: SessionTime, _ origin: Origin, _ moment: Moment) -> Bool {
    let known = origin.hasJustSpoken && moment.wall == nil ? origin.silences.dropLast() : origin.silences[...]
    return known.contains { $0.from < time && time < $0.until }
  }

  /// Whether a time lies too far behind what is known to be late alone. As with the limit, nothing is changed; it may be, so that no
  /// copy is asked.
  private mutating func isBack(_ time: SessionTime, _ id: StampOrigin, newest known: SessionTime?, _ moment: Moment)
    -> Bool
  {
    // Without the machine's clock the times of a further device may be earlier, too.
    let reference = known ?? (moment.wall == nil ? nil : newest[id.stream.rawValue])
    return time < (reference ?? .zero) - Self.longestReturn
  }

  /// The last time that a stamp of an origin can be without another that says so.
  private mutating func limit(_ index: Int, _ moment: Moment) -> SessionTime {
    if let wall = moment.wall { return max(moment.latest, wall + lead) + Self.longestReturn }
    let newest = max(moment.latest, origins[index].newest ?? .zero)
    guard let (older, newer) = origins[index].intervals else { return newest + Self.longestFirstStep }
    return newest + max(Self.longestStep, SessionTime(nanoseconds: min(older, newer).nanoseconds &* 5))
  }

  /// What the clock is ahead by which another stream of the same device is on the course, where a stamp is on it too.
  private func sibling(of id: StampOrigin, _ stamp: SessionTime, _ moment: Moment) -> SessionTime? {
    let near = max(moment.latest, moment.wall ?? .zero)
    return origins.filter { $0.id.feed == id.feed && $0.id.source == id.source && $0.id.stream != id.stream }
      .sorted { $0.heard > $1.heard }.map(\.shift)
      .first { shift in
        let distance = stamp - shift - near
        return distance >= .zero - Self.longestReturn && distance <= Self.longestReturn
      }
  }

  /// Keeps the newest time of a stream, and how far it is ahead of the machine's clock.
  private mutating func note(_ time: SessionTime, _ id: StampOrigin, _ moment: Moment) {
    newest[id.stream.rawValue] = max(newest[id.stream.rawValue] ?? time, time)
    if let wall = moment.wall { lead = time - wall }
  }

  /// Goes on from the third of three stamps that follow each other.
  private mutating func begin(
    _ stamp: SessionTime, _ id: StampOrigin, _ origin: inout Origin, _ moment: Moment
  ) -> Place {
    let time = stamp - origin.shift
    let silence = origin.first - origin.shift - moment.latest
    let believed = moment.isPaused ? Self.longestPause : Self.longestSilence
    if moment.wall == nil, silence > .zero, silence <= believed {
      origin.accept(time, isSilenceKnown: false)
      note(time, id, moment)
      return .at(time)
    }
    // Between the last stamp of the old course and the first of the new one lies what lies between those of the new one.
    let span = max(.zero, stamp - origin.first)
    let known = max(origin.newest ?? .zero, newest[id.stream.rawValue] ?? .zero)
    let between = SessionTime(nanoseconds: min(span, Self.longestFirstStep).nanoseconds / Int64(origin.count - 1))
    let goesOn = moment.wall.map { $0 + lead } ?? known + span + between
    let place = max(moment.latest, known, goesOn)
    let difference = stamp - place - origin.shift
    origin.shift = stamp - place
    origin.accept(place, isSilenceKnown: false)
    note(place, id, moment)
    (origin.intervals, origin.lastInterval) = (nil, nil)
    return .set(place, by: difference)
  }

  /// The place of an origin; of a new one, for which the one that was silent longest is forgotten where there are too many.
  private mutating func index(of id: StampOrigin) -> Int {
    // The name of the device last, which is a text and mostly the same.
    for place in origins.indices
    where origins[place].id.stream == id.stream && origins[place].id.feed == id.feed
      && origins[place].id.source == id.source
    {
      return place
    }
    if origins.count >= Self.largestCount,
      let oldest = origins.indices.min(by: { origins[$0].heard < origins[$1].heard })
    {
      origins[oldest] = Origin(id)
      return oldest
    }
    origins.append(Origin(id))
    return origins.count - 1
  }
}
