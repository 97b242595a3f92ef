package import ZoneEngine

/// Where stamps lie in the time of a live session, whatever their clocks do.
///
/// A stamp that goes on where its origin was keeps its place. One that lies far ahead or far back decides nothing, and the
/// third of three that follow each other is the new course: what comes goes on from there. Where the
/// session follows the clock of the machine, that clock decides whether there was a silence or a clock was set; where it
/// does not, a silence of up to an hour is believed, unless another device went on in it.
///
/// The streams of a device, which is a sender and the name that it states, have one clock.
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
  /// How long an origin says what time it is after its last stamp, by the machine's clock.
  static let longestRest = SessionTime.seconds(120)

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

  /// Few, so that they are looked through.
  private var origins: [CourseOrigin] = []
  private var newest = [SessionTime?](repeating: nil, count: SampleStream.allCases.count)
  private var heard = 0
  /// How far the session is ahead of the machine's clock, where it follows that; negative where its clocks are slow. So far on,
  /// or back, the session is when that clock shows a time.
  package private(set) var lead = SessionTime.zero
  /// Whether a sample has shown it.
  private var isLeadMeasured = false
  /// What the clock of a sender is ahead of the session where nothing was heard of it.
  private let firstShift: SessionTime

  /// A course on which nothing has been.
  ///
  /// - Parameters:
  ///   - lead: how far its first stamp, or the command that began it, was ahead of the machine's clock.
  ///   - shift: how far the clocks of its senders are ahead of the session.
  package init(lead: SessionTime = .zero, shift: SessionTime = .zero) { (self.lead, firstShift) = (lead, shift) }

  /// What the clock of a sender is ahead of the session, by what was last heard of it.
  package func shift(of feed: LiveFeed) -> SessionTime {
    let known = origins.filter { $0.id.feed == feed }
    guard let last = known.max(by: { $0.heard < $1.heard }) else { return firstShift }
    // A stream that is on time shows that the clock is right, and that the others are late.
    guard let lag = last.steadyLag, known.allSatisfy({ $0.steadyLag != nil || $0.newest == nil }) else {
      return last.shift
    }
    return last.shift + lag
  }

  /// The time of a stamp in the session, by what is known of the clock that made it.
  package mutating func time(of stamp: SessionTime, _ id: StampOrigin) -> SessionTime {
    stamp - origins[index(of: id)].shift
  }

  /// Whether a stamp would be believed though it may be an error: it lies further ahead than those before it are apart, and
  /// nothing but the next ones can show whether there was a silence. Where the session follows the machine's clock, that does.
  package mutating func isDoubtful(_ stamp: SessionTime, of id: StampOrigin, _ moment: Moment) -> Bool {
    guard moment.wall == nil else { return false }
    let index = index(of: id)
    let time = stamp - origins[index].shift
    guard time > moment.latest + Self.longestReturn else { return false }
    return time > moment.latest + usualStep(index, moment) && time <= limit(index, moment)
  }

  /// Whether another device than that of an origin is on the course now.
  package func othersAreCurrent(beside id: StampOrigin, _ moment: Moment) -> Bool {
    origins.contains { !$0.id.isOfSameDevice(as: id) && $0.isNear(moment.latest) }
  }

  /// What the session is at by all that is known, when a stamp arrives.
  private func now(_ moment: Moment) -> SessionTime { moment.wall.map { $0 + lead } ?? moment.latest }

  /// The time of a stamp that goes on where its origin was, as nearly all do; `nil` for any other, which ``place(_:of:_:repetition:)``
  /// looks at.
  package mutating func goOn(_ stamp: SessionTime, of id: StampOrigin, _ moment: Moment) -> SessionTime? {
    let index = index(of: id)
    let time = stamp - origins[index].shift
    guard isOnCourse(time, index, moment) else { return nil }
    heard += 1
    origins[index].heard = heard
    let lags = now(moment) - time > Self.longestReturn
    if !lags {
      (origins[index].lag, origins[index].steadyLag) = (nil, nil)
    } else if isSlow(index, stamp, moment) {
      origins[index].isSlow = true
      return nil
    }
    origins[index].placed = heard
    origins[index].accept(time)
    note(time, index, moment, isOnTime: !lags)
    return time
  }

  /// Whether a stamp goes on where its origin was. It changes nothing; it may, so that no copy is asked.
  mutating func isOnCourse(_ stamp: SessionTime, of id: StampOrigin, _ moment: Moment) -> Bool {
    let index = index(of: id)
    return isOnCourse(stamp - origins[index].shift, index, moment)
  }

  private mutating func isOnCourse(_ time: SessionTime, _ index: Int, _ moment: Moment) -> Bool {
    !isBack(time, origins[index].id, newest: origins[index].newest, moment) && time <= limit(index, moment)
  }

  /// Takes a stamp whose place is far behind the session: whether its clock is slow, so that it has to be set. Samples that come late
  /// keep their times. Only a heart rate loses its worth by lying back.
  private mutating func isSlow(_ index: Int, _ stamp: SessionTime, _ moment: Moment) -> Bool {
    let now = now(moment)
    let id = origins[index].id
    guard var pace = origins[index].lag else {
      origins[index].lag = StampPace(stamp, now: now)
      origins[index].wasOnTime = origins[index].newest != nil
      return false
    }
    pace.admit(stamp, now: now)
    origins[index].lag = pace
    // What a strap kept in a silence would have to come as slowly as it was measured.
    let needed = origins[index].wasOnTime ? Self.newCourseCountOfRepeats : Self.newCourseCount
    guard pace.row.isSteady, pace.row.count >= needed else {
      if !pace.row.isSteady { origins[index].steadyLag = nil }
      return false
    }
    origins[index].steadyLag = pace.row.distance - origins[index].shift
    guard id.stream == .heartRate else { return false }
    // A device has one clock: where another stream of it is on time, this one comes late.
    return !origins.contains {
      $0.id.stream != id.stream && $0.id.isOfSameDevice(as: id) && $0.steadyLag == nil && $0.isNear(now)
    }
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
    let index = index(of: id)
    if !origins[index].isSlow, let time = goOn(stamp, of: id, moment) { return .at(time) }
    if origins[index].isSlow { return followSession(stamp, index, moment) }
    return stray(stamp, of: id, moment, repetition: repetition)
  }

  /// Takes a stamp that does not go on where its origin was, or that the stamps after it show to be none that does.
  package mutating func stray(
    _ stamp: SessionTime, of id: StampOrigin, _ moment: Moment, repetition: (SessionTime) -> Repetition
  ) -> Place {
    heard += 1
    let index = index(of: id)
    origins[index].heard = heard
    let time = stamp - origins[index].shift
    let isBack = isBack(time, id, newest: origins[index].newest, moment)
    var repeated = Repetition.none
    if isBack, time >= .zero {
      // A strap sends late what it kept in a silence; that is no clock that was set.
      repeated = repetition(time)
      if repeated == .older || origins[index].isSilent(at: time, newestCounts: moment.wall != nil) { return .at(time) }
    }
    if let shift = sibling(of: id, stamp, moment) {
      let difference = shift - origins[index].shift
      origins[index].shift = shift
      origins[index].placed = heard
      origins[index].accept(stamp - shift, isSilenceKnown: false)
      note(stamp - shift, index, moment)
      return .set(stamp - shift, by: difference)
    }
    let isEnough = countStray(stamp, index, hasRepeat: repeated != .none, isBack: isBack, moment)
    guard isEnough else { return isBack && time >= .zero ? .at(time) : .implausible }
    return begin(stamp, index, moment)
  }

  /// Counts a stamp that has no place, or lies back; whether it is the one that makes a new course.
  private mutating func countStray(
    _ stamp: SessionTime, _ index: Int, hasRepeat: Bool, isBack: Bool, _ moment: Moment
  ) -> Bool {
    origins[index].stray.admit(stamp, isRepeat: hasRepeat, heard: heard)
    guard isBack, moment.wall != nil else { return origins[index].stray.isEnough }
    return origins[index].stray.isEnoughInPace(stamp, now: now(moment), isRepeat: hasRepeat)
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
    if let wall = moment.wall {
      // A command that began the session may have been on its way for long.
      let lead = isLeadMeasured ? lead : max(lead, .zero)
      return max(moment.latest, wall + lead) + Self.longestReturn
    }
    let newest = max(moment.latest, origins[index].newest ?? .zero)
    guard let (older, newer) = origins[index].intervals else { return newest + Self.longestFirstStep }
    return newest + max(Self.longestStep, SessionTime(nanoseconds: min(older, newer).nanoseconds &* 5))
  }

  /// How far ahead of the session the next stamp of an origin lies at the most where nothing is wrong, by those before it: some
  /// intervals of whatever sends now, and what another device sends now shows that there was no silence.
  private func usualStep(_ index: Int, _ moment: Moment) -> SessionTime {
    let id = origins[index].id
    var interval = origins[index].longestInterval
    for origin in origins where origin.isNear(moment.latest) {
      if !origin.id.isOfSameDevice(as: id) { return Self.longestReturn }
      if let other = origin.longestInterval { interval = min(interval ?? other, other) }
    }
    return Self.longestReturn + SessionTime(nanoseconds: (interval ?? .zero).nanoseconds &* 5)
  }

  /// What the clock is ahead by which another stream of the same device is on the course, where a stamp is on it too.
  private func sibling(of id: StampOrigin, _ stamp: SessionTime, _ moment: Moment) -> SessionTime? {
    let near = max(moment.latest, now(moment))
    return origins.filter { $0.id.isOfSameDevice(as: id) && $0.id.stream != id.stream }
      .sorted { $0.heard > $1.heard }.map(\.shift)
      .first { shift in
        let distance = stamp - shift - near
        return distance >= .zero - Self.longestReturn && distance <= Self.longestReturn
      }
  }

  /// Keeps the newest time of a stream, and how far it is ahead of the machine's clock.
  ///
  /// - Parameter isOnTime: whether it is not far behind; what is may have waited for a connection.
  private mutating func note(_ time: SessionTime, _ index: Int, _ moment: Moment, isOnTime: Bool = true) {
    let stream = origins[index].id.stream.rawValue
    newest[stream] = max(newest[stream] ?? time, time)
    guard isOnTime, let wall = moment.wall else { return }
    isLeadMeasured = true
    if origins[index].lead == nil {
      origins[index].lead = ClockLead(time - wall, at: wall)
    } else {
      origins[index].lead?.admit(time - wall, at: wall)
    }
    guard origins.count > 1 else {
      lead = origins[index].lead?.value ?? lead
      return
    }
    // The session is where the fastest of those is that still send.
    var fastest: SessionTime?
    for origin in origins {
      guard let known = origin.lead, wall - known.heard <= Self.longestRest else { continue }
      fastest = max(fastest ?? known.value, known.value)
    }
    lead = fastest ?? lead
  }

  /// Goes on from the third of three stamps that follow each other.
  private mutating func begin(_ stamp: SessionTime, _ index: Int, _ moment: Moment) -> Place {
    let origin = origins[index]
    let time = stamp - origin.shift
    let silence = origin.stray.first - origin.shift - moment.latest
    let believed = moment.isPaused ? Self.longestPause : Self.longestSilence
    let othersWentOn = origins.contains { $0.id != origin.id && $0.placed > origin.stray.begun }
    origins[index].placed = heard
    if moment.wall == nil, silence > .zero, silence <= believed, !othersWentOn {
      origins[index].accept(time, isSilenceKnown: false)
      note(time, index, moment)
      return .at(time)
    }
    let known = max(origin.newest ?? .zero, newest[origin.id.stream.rawValue] ?? .zero)
    let goesOn =
      moment.wall.map { $0 + lead } ?? (othersWentOn ? moment.latest : known + origin.stray.span(until: stamp))
    let place = max(moment.latest, known, goesOn)
    let difference = stamp - place - origin.shift
    origins[index].shift = stamp - place
    origins[index].accept(place, isSilenceKnown: false)
    note(place, index, moment)
    origins[index].forgetIntervals()
    return .set(place, by: difference)
  }

  /// Brings the clock of a device whose stamps lag to where the session is: the least that one of them was behind is nothing now.
  private mutating func followSession(_ stamp: SessionTime, _ index: Int, _ moment: Moment) -> Place {
    heard += 1
    let id = origins[index].id
    let old = origins[index].shift
    let place = max(stamp - (origins[index].lag?.row.distance ?? .zero), origins[index].newest ?? .zero)
    let new = stamp - place
    for other in origins.indices where origins[other].id.isOfSameDevice(as: id) && origins[other].shift == old {
      origins[other].shift = new
      (origins[other].lag, origins[other].steadyLag, origins[other].isSlow) = (nil, nil, false)
    }
    (origins[index].heard, origins[index].placed) = (heard, heard)
    origins[index].accept(place, isSilenceKnown: false)
    note(place, index, moment)
    origins[index].forgetIntervals()
    return .set(place, by: new - old)
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
      origins[oldest] = CourseOrigin(id, shift: firstShift)
      return oldest
    }
    origins.append(CourseOrigin(id, shift: firstShift))
    return origins.count - 1
  }
}
