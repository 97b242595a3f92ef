internal import WorkoutSession
internal import ZoneEngine

/// Everything that a decoder emitted for a file, put in order.
///
/// A file is complete, so points out of order are put in order of time (stable) with a warning. Every activity keeps its
/// own points and pauses; the activities follow each other in order of their first points.
struct DecodedRecording: Sendable {
  /// The points that there is room for before the first: those of an hour. Room that is not used costs nothing.
  private static let usualCount = 4_096

  private(set) var activities: [Activity] = []
  private(set) var device: String?
  private var clocks = DecodedClocks()
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
    case .clock(let clock): clocks.admit(clock)
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
    case .trackGap(let from, let until):
      if from < until { current.trackGaps.append(Pause(from: from, until: until)) }
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
    case .statedDistance(let meters):
      current.statedMeters = current.statedMeters.map { StatedMeters.sum($0, meters) } ?? meters
    case .statedSteps(let steps): current.statedSteps = (current.statedSteps ?? 0) + steps
    case .statedEnergy(let kilocalories):
      current.statedKilocalories = (current.statedKilocalories ?? 0) + kilocalories
    case .cadenceIsNotOfFeet:
      for index in current.points.indices {
        current.points[index].cadence = .nan
        current.points[index].steps = .nan
      }
    case .leap: current.leapStart = current.points.count
    case .leapWasDamage(let nanoseconds): current.takeBackLeap(by: nanoseconds)
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
    case .warning(let kind, let position, let detail): warnings.add(noticedLate: kind, at: position, detail: detail)
    }
  }

  /// Takes note that nothing further can be read.
  mutating func stop(at problem: DecodingProblem) {
    warnings.add(.truncated, at: problem.position, detail: problem.problem)
  }

  /// Closes the last activity and puts everything in order of time.
  mutating func finish() {
    close()
    replaceStrayTimerEvents()
    clocks.settle(&activities, &warnings)
    for index in activities.indices {
      Self.sort(&activities[index], &warnings)
      activities[index].intervals = Interval.ordered(activities[index].intervals)
    }
    // What a strap has stored goes to the workouts by their times, and may be a workout of its own.
    removeStrayPoints()
    storedHeartRates.merge(into: &activities, &warnings)
    storedHeartRates = StoredHeartRates()
    removeStrayPoints()
    PlacedIntervals.place(in: &activities, &warnings)
    activities.removeAll { $0.points.isEmpty }
    for index in activities.indices { activities[index].clock = clocks.clock(of: activities[index].points[0].time) }
    ContinuedDistances.restart(in: &activities)
    leaveOutLeaps()
    for index in activities.indices {
      activities[index].joinPauses()
      if let pause = LastStop(activities[index])?.pause {
        activities[index].pauses.append(pause)
        activities[index].joinPauses()
      }
      if activities[index].points.contains(where: { !$0.steps.isNaN }) { activities[index].statedSteps = nil }
      leaveOutImpossibleSteps(at: index)
      activities[index].takeStatedTimes()
    }
    DecodedClocks.appendRelative(in: &activities)
    activities = activities.enumerated()
      .sorted { left, right in
        let (a, b) = (left.element.points[0].time, right.element.points[0].time)
        return a == b ? left.offset < right.offset : a < b
      }
      .map(\.element)
    warnOfLongStatedPauses()
    warnings.order()
  }

  private mutating func replaceStrayTimerEvents() {
    for index in activities.indices {
      guard let (count, first) = activities[index].replaceStrayTimerEvents() else { continue }
      let position = StrayTimes.position(of: first, isWall: first >= RecordedClock.relativeEnd)
      warnings.add(.unreadableValue, at: position, count: count, detail: "the time of an event of the timer")
    }
  }

  private mutating func removeStrayPoints() {
    for index in activities.indices {
      guard let (count, first) = activities[index].removeStrayPoints() else { continue }
      let isWall = clocks.clock(of: first) == .wall
      warnings.add(.implausibleTime, at: StrayTimes.position(of: first, isWall: isWall), count: count)
    }
  }

  /// Leaves out counts that are damaged, and totals that cannot be.
  private mutating func leaveOutLeaps() {
    for index in activities.indices {
      let isWall = activities[index].clock == .wall
      for (name, count, first) in activities[index].removeLeapingCounts() {
        warnings.add(
          .unreadableValue, at: StrayTimes.position(of: first, isWall: isWall), count: count, detail: name)
      }
      let start = activities[index].points[0].time
      if let meters = activities[index].removeImpossibleMeters() {
        let detail = "a stated distance of \(Int(min(meters, 1e15) / 1000)) km"
        warnings.add(.unreadableValue, at: StrayTimes.position(of: start, isWall: isWall), detail: detail)
      }
    }
  }

  private mutating func leaveOutImpossibleSteps(at index: Int) {
    guard let steps = activities[index].removeImpossibleSteps() else { return }
    let position = StrayTimes.position(of: activities[index].points[0].time, isWall: activities[index].clock == .wall)
    warnings.add(.unreadableValue, at: position, detail: "a stated count of \(steps) steps")
  }

  /// The clock of the whole: that of its first activity.
  var clock: RecordedClock { activities.first?.clock ?? .wall }

  /// Says where a pause that follows from a number, or one of weeks, may be a jump of the clock.
  private mutating func warnOfLongStatedPauses() {
    guard let origin = activities.first?.points.first?.time else { return }
    let pauses =
      activities.flatMap(\.longStatedPauses).map { ($0, "that the times of laps leave for a pause") }
      + activities.flatMap(\.weeksOfTimer).map { ($0, "between a stop and a start of the timer") }
    for (pause, words) in pauses.sorted(by: { $0.0.from < $1.0.from }) {
      let (from, until) = (SessionTime(nanoseconds: pause.from), SessionTime(nanoseconds: pause.until))
      let at = from - SessionTime(nanoseconds: origin)
      warnings.add(
        .clockJump, at: "second \(at.nanoseconds / 1_000_000_000)",
        detail: "\((until - from).nanoseconds / 3_600_000_000_000) h " + words)
    }
  }

  /// The intervals of all activities, in order of time.
  var intervals: [Interval] {
    activities.count == 1 ? activities[0].intervals : Interval.ordered(activities.flatMap(\.intervals))
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
    activity.removeStrayPlaces()
    if let pauses = activity.pausesBetweenSegments { activity.pauses = pauses }
    activity.sortPoints()
  }
}
