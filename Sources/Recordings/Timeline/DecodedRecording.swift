internal import WorkoutSession
internal import ZoneEngine

/// Everything that a decoder emitted for a file, put in order.
///
/// A file is complete, so points out of order are put in order of time (stable) with a warning. Every activity keeps its
/// own points and pauses; the activities follow each other in order of their first points.
struct DecodedRecording: Sendable {
  /// The points that there is room for before the first: those of an hour. Room that is not used costs nothing.
  private static let usualCount = 4_096

  /// A span in which the timer stood still.
  struct Pause: Hashable, Sendable {
    /// When it was stopped.
    let from: Int64
    /// When it went on.
    let until: Int64

    /// The pauses between parts of a recording that nothing else holds together: gaps that are longer than a heart rate holds.
    ///
    /// - Parameter spans: from the first to the last reading of each part, in any order.
    static func between(_ spans: [ClosedRange<Int64>]) -> [Pause] {
      var pauses: [Pause] = []
      var end: Int64?
      for span in spans.sorted(by: { $0.lowerBound < $1.lowerBound }) {
        if let end, SessionTime(nanoseconds: span.lowerBound) - SessionTime(nanoseconds: end) > CoachingEngine.holdLimit
        {
          pauses.append(Pause(from: end, until: span.lowerBound))
        }
        end = max(end ?? span.upperBound, span.upperBound)
      }
      return pauses
    }
  }

  /// The time between two beats.
  struct Interval: Hashable, Sendable {
    /// When the second one was.
    let time: Int64
    /// How long it took.
    let milliseconds: Double
  }

  /// A cue that a file of coach states.
  struct Cue: Hashable, Sendable {
    /// When it was given.
    let time: Int64
    /// What it asked for.
    let action: CueAction
    /// The cue in words.
    let message: String
  }

  /// One activity of a file.
  struct Activity: Sendable {
    /// The sport as the file names it.
    var sport: String?
    /// The more precise kind of it, in words of the FIT profile, where the file states it.
    var subSport: String?
    /// The points in order of time.
    var points: [RecordedPoint] = []
    /// Where segments of points begin that have pauses between them, by the numbers of points; only of formats with segments.
    var segmentStarts: [Int] = []
    /// The times between two beats, in order of time, those of one instant in that of the file.
    var intervals: [Interval] = []
    /// Stops of the timer that were followed by a start; in order and apart from each other once the recording is
    /// finished.
    var pauses: [Pause] = []
    /// Metres that the file states, where it does.
    var statedMeters: Double?
    /// Steps that the file states although its points have none.
    var statedSteps: Int?
    /// Kilocalories that the file states, where it does.
    var statedKilocalories: Double?
    /// How far the clock of its place was ahead of UTC, where the file states it.
    var utcOffsetSeconds: Int?

    /// What the file states of the time of its laps and of the whole.
    var timed: [TimedSpan] = []
    /// The cues that the file states.
    var cues: [Cue] = []
    /// How its cadences are written, where it writes strides or steps.
    fileprivate var cadences = WrittenCadences()
    /// The clock that its times are on once the recording is finished.
    var clock = RecordedClock.wall
    /// From the first to the last time that the timer was stopped or started.
    private(set) var timerSpan: ClosedRange<Int64>?

    /// The stop of the timer that no start has followed.
    private(set) var stoppedAt: Int64?

    mutating func stop(at time: Int64) {
      noteTimer(at: time)
      if stoppedAt == nil { stoppedAt = time }
    }

    mutating func start(at time: Int64) {
      noteTimer(at: time)
      if let from = stoppedAt, time > from { pauses.append(Pause(from: from, until: time)) }
      stoppedAt = nil
    }

    private mutating func noteTimer(at time: Int64) {
      timerSpan = timerSpan.map { min($0.lowerBound, time)...max($0.upperBound, time) } ?? time...time
    }

    /// The pauses that laps, or the whole, state only as a number, and that are so long that a clock may have jumped there.
    fileprivate private(set) var longStatedPauses: [Pause] = []

    /// Adds the pauses that follow from what laps, and the whole, state of their time.
    fileprivate mutating func addStatedPauses() {
      for isWhole in [false, true] {
        let spans = timed.filter { $0.isWhole == isWhole }
        guard spans.contains(where: { $0.timer != nil }) else { continue }
        let found = StatedPauses(points: points, pauses: pauses).found(in: spans)
        guard !found.isEmpty else { continue }
        longStatedPauses += found.filter {
          SessionTime(nanoseconds: $0.until) - SessionTime(nanoseconds: $0.from) > LongSilence.longest
        }
        pauses += found
        joinPauses()
      }
    }

    /// Leaves out points at both ends whose times are not of the activity; how many, and the first of their times.
    fileprivate mutating func removeStrayPoints() -> (count: Int, first: Int64)? {
      guard let kept = StrayTimes(points).kept(), let first = points.first(where: { !kept.contains($0.time) })?.time
      else { return nil }
      let count = points.count
      points.removeAll { !kept.contains($0.time) }
      return (count - points.count, first)
    }

    /// Gives everything that has a time another one; what `place` gives none is left out.
    mutating func placeTimes(_ place: (Int64) -> Int64?) {
      func placed(_ pause: Pause) -> Pause? {
        guard let from = place(pause.from), let until = place(pause.until), from < until else { return nil }
        return Pause(from: from, until: until)
      }
      // In their place: a second list of points may take too much.
      points.removeAll { place($0.time) == nil }
      for index in points.indices { points[index].time = place(points[index].time) ?? points[index].time }
      intervals = intervals.compactMap { interval in
        place(interval.time).map { Interval(time: $0, milliseconds: interval.milliseconds) }
      }
      pauses = pauses.compactMap(placed)
      longStatedPauses = longStatedPauses.compactMap(placed)
      timed = timed.compactMap { span in
        guard let from = place(span.from), let until = place(span.until), from <= until else { return nil }
        return TimedSpan(from: from, until: until, timer: span.timer, isWhole: span.isWhole, step: span.step)
      }
      cues = cues.compactMap { cue in
        place(cue.time).map { Cue(time: $0, action: cue.action, message: cue.message) }
      }
      stoppedAt = stoppedAt.flatMap(place)
      timerSpan = timerSpan.flatMap { span in
        guard let from = place(span.lowerBound), let until = place(span.upperBound), from <= until else { return nil }
        return from...until
      }
    }

    /// Puts the points in order of time; those of one instant stay in theirs.
    mutating func sortPoints() {
      PointOrder(points).apply(to: &points)
    }

    /// Puts the pauses in order of time; those that overlap become one.
    fileprivate mutating func joinPauses() {
      var joined: [Pause] = []
      for pause in pauses.sorted(by: { $0.from < $1.from }) {
        if let last = joined.last, pause.from < last.until {
          joined[joined.count - 1] = Pause(from: last.from, until: max(last.until, pause.until))
        } else {
          joined.append(pause)
        }
      }
      pauses = joined
    }
  }

  private(set) var activities: [Activity] = []
  private(set) var device: String?
  private var hasWallTimes = false
  private var hasRelativeTimes = false
  private(set) var warnings = RecordingWarnings()
  private(set) var count = 0
  /// The names of fields that are read past, each once, in the order of the file; of very many the first.
  private(set) var unreadFields: [String] = []
  private static let mostUnreadFields = 32

  private var storedHeartRates = StoredHeartRates()
  private var current = Activity()
  private var hasCurrent = false

  /// Takes what a decoder emits. Nearly all of it is points, so only those are handled inline.
  @inline(__always)
  mutating func admit(_ item: DecodedItem) {
    if case .point(let point) = item { admit(point) } else { admitOther(item) }
  }

  @inline(__always)
  private mutating func admit(_ point: RecordedPoint) {
    if count == 0 { current.points.reserveCapacity(Self.usualCount) }
    count += 1
    hasCurrent = true
    var point = point
    // Programs that convert files write the "no reading" of a byte as a number.
    if point.heartRate == 255 { point.heartRate = .nan }
    current.points.append(point)
  }

  private mutating func admitOther(_ item: DecodedItem) {
    switch item {
    case .point(let point): admit(point)
    case .clock(.wall): hasWallTimes = true
    case .clock(.relative): hasRelativeTimes = true
    case .activity(let sport):
      close()
      current.sport = sport
      hasCurrent = true
    case .sport(let sport): current.sport = sport
    case .subSport(let kind): current.subSport = kind
    case .device(let name): if device == nil { device = name }
    case .utcOffset(let seconds): current.utcOffsetSeconds = current.utcOffsetSeconds ?? seconds
    case .timerStopped(let time): current.stop(at: time)
    case .timerStarted(let time): current.start(at: time)
    case .segment: current.segmentStarts.append(current.points.count)
    case .lap: break
    case .timed(let span): current.timed.append(span)
    case .cue(let action, let message, let time):
      current.cues.append(Cue(time: time, action: action, message: message))
    case .strapMemory(let part, let position): storedHeartRates.beginPart(part, at: position)
    case .nextPart: storedHeartRates.isOfSeveralParts = true
    case .storedHeartRate(let beatsPerMinute, let time):
      count += 1
      storedHeartRates.admit(beatsPerMinute, at: time)
    case .interval(let milliseconds, let time):
      count += 1
      hasCurrent = true
      current.intervals.append(Interval(time: time, milliseconds: milliseconds))
    case .statedDistance(let meters): current.statedMeters = (current.statedMeters ?? 0) + meters
    case .statedSteps(let steps): current.statedSteps = (current.statedSteps ?? 0) + steps
    case .statedEnergy(let kilocalories):
      current.statedKilocalories = (current.statedKilocalories ?? 0) + kilocalories
    case .cadenceIsNotOfFeet:
      for index in current.points.indices {
        current.points[index].cadence = .nan
        current.points[index].steps = .nan
      }
    case .cadencesAreDoubled(let areDoubled): current.cadences.areDoubled(areDoubled, from: current.points.count)
    case .cadenceIsOfFeet(let spans):
      for index in current.points.indices {
        let time = current.points[index].time
        let span = spans.partitioningIndex { $0.upperBound > time }
        guard span == spans.count || !spans[span].contains(time) else { continue }
        current.points[index].cadence = .nan
        current.points[index].steps = .nan
      }
    case .unreadField(let name):
      guard unreadFields.count < Self.mostUnreadFields, !unreadFields.contains(name) else { return }
      unreadFields.append(name)
    case .warning(let kind, let position, let detail): warnings.add(kind, at: position, detail: detail)
    }
  }

  /// Takes note that nothing further can be read.
  mutating func stop(at problem: DecodingProblem) {
    warnings.add(.truncated, at: problem.position, detail: problem.problem)
  }

  /// Closes the last activity and puts everything in order of time.
  mutating func finish() {
    close()
    settleClocks()
    for index in activities.indices {
      Self.sort(&activities[index], &warnings)
      activities[index].intervals = Self.ordered(activities[index].intervals)
    }
    // What a strap has stored goes to the workouts by their times, and may be a workout of its own.
    removeStrayPoints()
    storedHeartRates.merge(into: &activities, &warnings)
    storedHeartRates = StoredHeartRates()
    removeStrayPoints()
    placeIntervals()
    activities.removeAll { $0.points.isEmpty }
    for index in activities.indices { activities[index].clock = clock(of: activities[index].points[0].time) }
    for index in activities.indices {
      activities[index].joinPauses()
      if let pause = LastStop(activities[index])?.pause {
        activities[index].pauses.append(pause)
        activities[index].joinPauses()
      }
      if activities[index].points.contains(where: { !$0.steps.isNaN }) { activities[index].statedSteps = nil }
      activities[index].addStatedPauses()
    }
    appendRelativeActivities()
    activities = activities.enumerated()
      .sorted { left, right in
        let (a, b) = (left.element.points[0].time, right.element.points[0].time)
        return a == b ? left.offset < right.offset : a < b
      }
      .map(\.element)
    warnOfLongStatedPauses()
  }

  private mutating func removeStrayPoints() {
    for index in activities.indices {
      guard let (count, first) = activities[index].removeStrayPoints() else { continue }
      let isWall = clock(of: first) == .wall
      warnings.add(.implausibleTime, at: StrayTimes.position(of: first, isWall: isWall), count: count)
    }
  }

  /// The clock of the whole: that of its first activity.
  var clock: RecordedClock { activities.first?.clock ?? .wall }

  /// The clock that a time of the file is on.
  private func clock(of time: Int64) -> RecordedClock {
    hasRelativeTimes && (!hasWallTimes || time < RecordedClock.relativeEnd) ? .relative : .wall
  }

  /// Leaves one clock to each activity that has times on both.
  private mutating func settleClocks() {
    guard hasWallTimes, hasRelativeTimes else { return }
    for index in activities.indices {
      let settled = SettledClock(activities[index])
      activities[index].placeTimes(settled.place)
      if let set = settled.setAt, settled.placed > 0 {
        warnings.add(.clockSetLate, at: StrayTimes.position(of: set, isWall: true), count: settled.placed)
      }
      if let first = settled.firstLost {
        let isWall = clock(of: first) == .wall
        warnings.add(.implausibleTime, at: StrayTimes.position(of: first, isWall: isWall), count: settled.lost)
      }
    }
  }

  /// Puts activities whose clock was never set behind those that state the time of day, each a second after what is before
  /// it: nobody knows when they were, and their own times would be of 1970.
  private mutating func appendRelativeActivities() {
    guard var end = activities.filter({ $0.clock == .wall }).compactMap(\.points.last?.time).max() else { return }
    let relative = activities.indices.filter { activities[$0].clock == .relative }
    for index in relative.sorted(by: { (activities[$0].points[0].time, $0) < (activities[$1].points[0].time, $1) }) {
      let shift = end &+ 1_000_000_000 &- activities[index].points[0].time
      activities[index].placeTimes { $0.addingReportingOverflow(shift).overflow ? nil : $0 + shift }
      end = activities[index].points.last?.time ?? end
    }
  }

  /// Says where a pause that follows from a number may be a jump of the clock.
  private mutating func warnOfLongStatedPauses() {
    guard let origin = activities.first?.points.first?.time else { return }
    for pause in activities.flatMap(\.longStatedPauses) {
      let (from, until) = (SessionTime(nanoseconds: pause.from), SessionTime(nanoseconds: pause.until))
      let at = from - SessionTime(nanoseconds: origin)
      warnings.add(
        .clockJump, at: "second \(at.nanoseconds / 1_000_000_000)",
        detail: "\((until - from).nanoseconds / 3_600_000_000_000) h that the times of laps leave for a pause")
    }
  }

  /// How far beyond the points of an activity its intervals between beats may lie, in nanoseconds.
  private static let longestBeyond: Int64 = 15_000_000_000

  /// Gives intervals between beats of parts that have nothing else to the activity in which they were measured; where there is
  /// none, they are one themselves. A strap hands over more than a workout: what lies beyond it is left out.
  private mutating func placeIntervals() {
    let alone = activities.filter { $0.points.isEmpty }.flatMap(\.intervals)
    if let first = alone.map(\.time).min(), let last = alone.map(\.time).max(), activities.allSatisfy(\.points.isEmpty),
      let index = activities.firstIndex(where: { !$0.intervals.isEmpty })
    {
      activities[index].pauses += Pause.between(
        activities.compactMap { part in
          guard let first = part.intervals.map(\.time).min(), let last = part.intervals.map(\.time).max() else {
            return nil
          }
          return first...last
        })
      activities[index].intervals = Self.ordered(alone)
      activities[index].points = [RecordedPoint(time: first), RecordedPoint(time: last)]
      return
    }
    var left = alone
    for index in activities.indices {
      guard let first = activities[index].points.first?.time, let last = activities[index].points.last?.time else {
        continue
      }
      let span = (first - Self.longestBeyond)...(last + Self.longestBeyond)
      let own = activities[index].intervals
      guard !left.isEmpty || own.contains(where: { $0.time < first || $0.time > last }) else { continue }
      let candidates = own + left
      left = candidates.filter { !span.contains($0.time) }
      activities[index].intervals = Self.ordered(
        candidates.filter { span.contains($0.time) }.map {
          Interval(time: max(first, $0.time), milliseconds: $0.milliseconds)
        })
    }
    if !left.isEmpty {
      warnings.add(.heartRateOutsideWorkout, at: "intervals between beats", count: left.count)
    }
  }

  /// The intervals of all activities, in order of time.
  var intervals: [Interval] {
    activities.count == 1 ? activities[0].intervals : Self.ordered(activities.flatMap(\.intervals))
  }

  private static func ordered(_ intervals: [Interval]) -> [Interval] {
    guard zip(intervals, intervals.dropFirst()).contains(where: { $0.time > $1.time }) else { return intervals }
    return intervals.enumerated()
      .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
      .map(\.element)
  }

  /// The sport as the file names it; several joined by `+`.
  var sport: String? {
    var sports: [String] = []
    for sport in activities.compactMap(\.sport) where !sports.contains(sport) { sports.append(sport) }
    return sports.isEmpty ? nil : sports.joined(separator: "+")
  }

  /// The same with one of its activities alone, and without warnings.
  ///
  /// - Precondition: there is an activity at `index`.
  func only(_ index: Int) -> DecodedRecording {
    var alone = self
    alone.activities = [activities[index]]
    alone.warnings = RecordingWarnings()
    alone.count = activities[index].points.count
    return alone
  }

  private mutating func close() {
    current.cadences.settle(&current.points)
    if hasCurrent { activities.append(current) }
    current = Activity()
    hasCurrent = false
  }

  private static func sort(_ activity: inout Activity, _ warnings: inout RecordingWarnings) {
    let disorder = zip(activity.points, activity.points.dropFirst()).count { $0.time > $1.time }
    guard disorder > 0 else { return }
    let first = zip(activity.points, activity.points.dropFirst()).enumerated().first { $1.0.time > $1.1.time }
    warnings.add(.outOfOrder, at: "point \((first?.offset ?? 0) + 2)", count: disorder)
    if let pauses = activity.pausesBetweenSegments { activity.pauses = pauses }
    activity.sortPoints()
  }
}
