internal import WorkoutSession
package import ZoneEngine

extension DecodedRecording {
  /// Gives every input to `body`: samples in order of time, at one instant in that of the file, and pauses among them.
  ///
  /// - Parameter origin: the time that inputs are counted from.
  /// - Throws: what `body` throws.
  func forEachInput(origin: Int64, _ body: (RecordedInput) throws -> Void) rethrows {
    try forEachPoint(origin: origin) { command, at in
      try body(.command(command, at: at))
    } point: { point, steps, at in
      try point.forEachReading(steps: steps) { try body(.sample(Sample($0, at: at))) }
    } interval: { milliseconds, at in
      try body(.sample(Sample(.rrInterval(milliseconds), at: at)))
    }
  }

  /// What the recording holds; counted from the points as they are, without the samples that they would give.
  func facts(format: String, origin: Int64) -> RecordingFacts {
    var facts = RecordingFacts(sport: sport)
    facts.format = format
    forEachPoint(origin: origin) { command, at in
      facts.admit(command, at: at)
    } point: { point, steps, at in
      facts.admit(
        heartRate: point.heartRate, steps: steps, cadence: point.cadence, distance: point.distance, speed: point.speed,
        at: at)
      if let fix = point.fix { facts.admit(fix, at: at) }
    } interval: { milliseconds, at in
      facts.admit(interval: milliseconds, at: at)
    }
    facts.describe(self, origin: origin)
    return facts
  }

  /// Gives every point in order of time, with the steps since the last point of its activity, and the pauses and the times
  /// between beats among them; those of an instant after its points.
  /// Steps that the file states of an activity whose points have none are a point at its end. A recording that ends in a
  /// pause stays paused.
  @inline(__always)
  private func forEachPoint(
    origin: Int64, command: (SessionCommand, SessionTime) throws -> Void,
    point body: (RecordedPoint, _ steps: Int?, SessionTime) throws -> Void,
    interval: (Double, SessionTime) throws -> Void
  ) rethrows {
    func time(_ clock: Int64) -> SessionTime { SessionTime(nanoseconds: clock) - SessionTime(nanoseconds: origin) }
    let timeline = RecordedTimeline(activities)
    var stops = timeline.stops[...]
    var isPaused = false
    // When the timer next stands still or goes on.
    var next = stops.first?.from ?? .max
    var stated = activities.indices
      .compactMap { index in activities[index].statedSteps.map { (time: timeline.end(of: index), steps: $0) } }
      .sorted { $0.time < $1.time }[...]
    var steps = [CumulativeCount](repeating: .steps(from: 0), count: activities.count)
    var distance = timeline.isWoven || activities.count < 2 ? nil : JoinedDistance()
    let intervals = self.intervals
    var nextInterval = 0
    func come(to now: Int64) throws {
      while let end = stated.first, end.time < now {
        stated.removeFirst()
        try body(RecordedPoint(time: end.time), end.steps, time(end.time))
      }
      while isPaused ? now >= next : now > next, let stop = stops.first {
        try command(isPaused ? .resume : .pause, time(next))
        if isPaused { stops.removeFirst() }
        isPaused.toggle()
        next = isPaused ? stop.until : stops.first?.from ?? .max
        if isPaused, stops.count == 1, timeline.endsInStop { next = .max }
      }
    }
    func giveIntervals(before now: Int64) throws {
      while nextInterval < intervals.count, intervals[nextInterval].time < now {
        let (at, milliseconds) = (intervals[nextInterval].time, intervals[nextInterval].milliseconds)
        try come(to: at)
        try interval(milliseconds, time(at))
        nextInterval += 1
      }
    }
    try timeline.forEachPoint { activity, point in
      if nextInterval < intervals.count { try giveIntervals(before: point.time) }
      try come(to: point.time)
      var added: Int?
      if point.steps >= 0, point.steps.isFinite {
        let before = steps[activity].total
        steps[activity].admit(point.steps, at: time(point.time))
        added = Int(min(1e6, (steps[activity].total - before).rounded()))
      }
      var point = point
      if distance != nil, point.distance >= 0, point.distance.isFinite {
        distance?.admit(point.distance, at: time(point.time), of: activity)
        point.distance = distance?.meters ?? .nan
      }
      try body(point, added, time(point.time))
    }
    try giveIntervals(before: .max)
    for end in stated { try body(RecordedPoint(time: end.time), end.steps, time(end.time)) }
  }
}

/// The metres of activities that follow each other, each of which counts from its own beginning.
package struct JoinedDistance {
  private var activity = 0
  private var before = 0.0
  private var count = CumulativeCount.distance

  /// Creates a value of nothing yet.
  package init() {}

  /// Metres since the start of the recording.
  package var meters: Double { before + count.total }

  /// Takes the next count of an activity.
  package mutating func admit(_ meters: Double, at time: SessionTime, of activity: Int) {
    if activity != self.activity {
      before = self.meters
      count = .distance
      self.activity = activity
    }
    count.admit(meters, at: time)
  }
}

extension CumulativeCount {
  /// Steps of both feet: nobody makes more than six a second.
  static func steps(from reading: Double) -> CumulativeCount { CumulativeCount(from: reading, fastestPerSecond: 6) }

  /// Metres of any sport.
  fileprivate static var distance: CumulativeCount {
    CumulativeCount(from: 0, fastestPerSecond: DistanceTotal.fastestOnWheels)
  }
}

extension RecordedPoint {
  /// The position, with altitude, accuracy and speed where they are stated; `nil` without one.
  @inline(__always)
  var fix: LocationFix? {
    guard let coordinate = Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude) else { return nil }
    return LocationFix(
      coordinate: coordinate, altitudeMeters: altitude.isNaN ? nil : altitude,
      horizontalAccuracyMeters: horizontalAccuracy.isNaN ? nil : horizontalAccuracy,
      speedMetersPerSecond: speed.isNaN ? nil : speed)
  }

  /// The readings of the point in the order of their streams; `steps` are the steps since the last point.
  func forEachReading(steps: Int?, _ body: (Reading) throws -> Void) rethrows {
    if !heartRate.isNaN { try body(.heartRate(heartRate)) }
    if let steps { try body(.steps(steps)) }
    if !cadence.isNaN { try body(.cadence(cadence)) }
    if !distance.isNaN { try body(.distance(distance)) }
    if !speed.isNaN { try body(.speed(speed)) }
    if let fix { try body(.location(fix)) }
  }
}
