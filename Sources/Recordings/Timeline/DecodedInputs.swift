internal import WorkoutSession
internal import ZoneEngine

extension DecodedRecording {
  /// Gives every input to `body`: samples in order of time, at one instant in that of the file, and pauses among them.
  ///
  /// - Parameter origin: the time that inputs are counted from.
  /// - Throws: what `body` throws.
  func forEachInput(origin: Int64, _ body: (RecordedInput) throws -> Void) rethrows {
    try forEachPoint(origin: origin) { _ in
      false
    } command: { command, at in
      try body(.command(command, at: at))
    } point: { point, steps, at in
      try point.forEachSample(at: at, steps: steps) { try body(.sample($0)) }
    } interval: { milliseconds, at in
      try body(.sample(Sample(.rrInterval(milliseconds), at: at)))
    }
  }

  /// Gives every point in order of time, with the steps since the last point of its activity, and the pauses and the times
  /// between beats among them; those of an instant after its points.
  /// Points of one activity with nothing among them are given together at first.
  /// Steps that the file states of an activity whose points have none are points in its time (``SpreadSteps``), the last at its end. A
  /// recording that ends in a pause stays paused.
  ///
  /// It may not be inlined into one that throws: the compiler (6.3.1), where it optimises, loses the way of the error then, and goes on
  /// behind the loop with what was let go of (`RecordingInterfaceTests`).
  ///
  /// - Parameter several: gets points as the file has them; whether it has taken them, otherwise they are given one by one.
  @inline(never)
  func forEachPoint(
    origin: Int64, several: (Span<RecordedPoint>) -> Bool, command: (SessionCommand, SessionTime) throws -> Void,
    point body: (RecordedPoint, _ steps: Int?, SessionTime) throws -> Void,
    interval: (Double, SessionTime) throws -> Void
  ) rethrows {
    let timeline = RecordedTimeline(activities)
    var course = DecodedCourse(self, timeline, origin: origin)
    for (activity, range) in timeline.stretches(ofAtMost: SteadyPoints.largestCount) {
      let all = activities[activity].points
      let points = all.span.extracting(range)
      if course.hasNothing(before: points[points.count - 1].time), several(points) { continue }
      for index in points.indices {
        var point = points[index]
        try course.come(to: point.time, command, point: body, interval)
        let steps = course.count(&point, of: activity)
        try body(point, steps, course.time(point.time))
      }
    }
    try course.finish(command, point: body, interval)
  }
}

/// How far a recording has been given: its pauses, the times between beats and the stated steps among its points, and its counts.
private struct DecodedCourse {
  private let origin: Int64
  private var stops: ArraySlice<DecodedRecording.Pause>
  private let endsInStop: Bool
  private var isPaused = false
  /// When the timer next stands still or goes on.
  private var nextStop: Int64
  /// Steps that the file states of whole activities, in the time in which these ran.
  private var stated: ArraySlice<(time: Int64, steps: Int)>
  private let intervals: [DecodedRecording.Interval]
  private var nextInterval = 0
  private var steps: [CumulativeCount]
  private var distance: JoinedDistance?

  init(_ recording: DecodedRecording, _ timeline: RecordedTimeline, origin: Int64) {
    self.origin = origin
    let activities = recording.activities
    stops = timeline.stops[...]
    endsInStop = timeline.endsInStop
    nextStop = stops.first?.from ?? .max
    stated =
      activities.indices
      .flatMap { index in
        activities[index].statedSteps.map {
          SpreadSteps(activities[index]).samples(of: $0, until: timeline.end(of: index))
        } ?? []
      }
      .sorted { $0.time < $1.time }[...]
    intervals = recording.intervals
    steps = [CumulativeCount](repeating: .steps(from: 0), count: activities.count)
    distance =
      activities.count < 2
      ? nil : JoinedDistance(activities.map { JoinedDistance.Part($0) }, areWoven: timeline.isWoven)
  }

  /// The time in the session of a time of the file.
  @inline(__always)
  func time(_ clock: Int64) -> SessionTime { SessionTime(nanoseconds: clock) - SessionTime(nanoseconds: origin) }

  /// Whether nothing lies before a point and its metres are those of its activity alone.
  @inline(__always)
  func hasNothing(before now: Int64) -> Bool {
    nextInterval == intervals.count && stated.isEmpty && nextStop > now && distance == nil
  }

  /// Gives what lies before a point.
  @inline(__always)
  mutating func come(
    to now: Int64, _ command: (SessionCommand, SessionTime) throws -> Void,
    point: (RecordedPoint, Int?, SessionTime) throws -> Void, _ interval: (Double, SessionTime) throws -> Void
  ) rethrows {
    if nextInterval < intervals.count { try giveIntervals(before: now, command, point: point, interval) }
    if !stated.isEmpty || nextStop <= now { try stop(before: now, command, point: point) }
  }

  /// Counts the steps of a point since the last of its activity, and the metres since the start of the recording.
  @inline(__always)
  mutating func count(_ point: inout RecordedPoint, of activity: Int) -> Int? {
    var added: Int?
    let at = time(point.time)
    if point.steps >= 0, point.steps.isFinite {
      let before = steps[activity].total
      steps[activity].admit(point.steps, at: at)
      added = Int(min(1e6, (steps[activity].total - before).rounded()))
    }
    if distance != nil, point.distance >= 0, point.distance.isFinite {
      distance?.admit(point.distance, at: at, of: activity)
      point.distance = distance?.meters ?? .nan
    }
    return added
  }

  /// Gives what lies after the last point.
  mutating func finish(
    _ command: (SessionCommand, SessionTime) throws -> Void, point: (RecordedPoint, Int?, SessionTime) throws -> Void,
    _ interval: (Double, SessionTime) throws -> Void
  ) rethrows {
    try giveIntervals(before: .max, command, point: point, interval)
    for end in stated { try point(RecordedPoint(time: end.time), end.steps, time(end.time)) }
  }

  private mutating func giveIntervals(
    before now: Int64, _ command: (SessionCommand, SessionTime) throws -> Void,
    point: (RecordedPoint, Int?, SessionTime) throws -> Void, _ interval: (Double, SessionTime) throws -> Void
  ) rethrows {
    while nextInterval < intervals.count, intervals[nextInterval].time < now {
      let (at, milliseconds) = (intervals[nextInterval].time, intervals[nextInterval].milliseconds)
      try stop(before: at, command, point: point)
      try interval(milliseconds, time(at))
      nextInterval += 1
    }
  }

  /// Gives the pauses and the stated steps that lie before `now`.
  private mutating func stop(
    before now: Int64, _ command: (SessionCommand, SessionTime) throws -> Void,
    point: (RecordedPoint, Int?, SessionTime) throws -> Void
  ) rethrows {
    while let end = stated.first, end.time < now {
      stated.removeFirst()
      try point(RecordedPoint(time: end.time), end.steps, time(end.time))
    }
    while isPaused ? now >= nextStop : now > nextStop, let stop = stops.first {
      try command(isPaused ? .resume : .pause, time(nextStop))
      if isPaused { stops.removeFirst() }
      isPaused.toggle()
      nextStop = isPaused ? stop.until : stops.first?.from ?? .max
      if isPaused, stops.count == 1, endsInStop { nextStop = .max }
    }
  }
}

extension CumulativeCount {
  /// Steps of both feet.
  static func steps(from reading: Double) -> CumulativeCount {
    CumulativeCount(from: reading, fastestPerSecond: PossibleSteps.believedPerSecond, comesInBatches: true)
  }
}

extension RecordedPoint {
  /// The place; `nil` without one.
  @inline(__always)
  var coordinate: Coordinate? { Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude) }

  /// The position, with altitude, accuracy and speed where they are stated; `nil` without one.
  @inline(__always)
  var fix: LocationFix? {
    guard let coordinate else { return nil }
    return LocationFix(
      coordinate: coordinate, altitudeMeters: altitude.isNaN ? nil : altitude,
      horizontalAccuracyMeters: horizontalAccuracy.isNaN ? nil : horizontalAccuracy,
      speedMetersPerSecond: speed.isNaN ? nil : speed)
  }

  /// The readings of the point at its time, in the order of their streams; `steps` are the steps since the last point.
  @inline(__always)
  func forEachSample(at time: SessionTime, steps: Int?, _ body: (Sample) throws -> Void) rethrows {
    if !heartRate.isNaN { try body(Sample(.heartRate(heartRate), at: time)) }
    if let steps { try body(Sample(.steps(steps), at: time)) }
    if !cadence.isNaN { try body(Sample(.cadence(cadence), at: time)) }
    if !distance.isNaN { try body(Sample(.distance(distance), at: time)) }
    if !speed.isNaN { try body(Sample(.speed(speed), at: time)) }
    if let fix {
      try body(Sample(.location(fix), at: time))
    } else if !altitude.isNaN {
      try body(Sample(.altitude(altitude), at: time))
    }
  }
}
