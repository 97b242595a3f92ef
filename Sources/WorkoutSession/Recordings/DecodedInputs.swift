internal import ZoneEngine

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
    }
  }

  /// What the recording holds; counted from the points as they are, without the samples that they would give.
  func facts(format: String, origin: Int64) -> RecordingFacts {
    var facts = RecordingFacts()
    facts.format = format
    forEachPoint(origin: origin) { command, _ in
      facts.admit(command)
    } point: { point, steps, at in
      facts.admit(
        heartRate: point.heartRate, steps: steps, cadence: point.cadence, distance: point.distance, speed: point.speed,
        at: at)
      if let fix = point.fix { facts.admit(fix, at: at) }
    }
    facts.describe(self, origin: origin)
    return facts
  }

  /// Gives every point in order of time, with the steps since the last point of its activity, and the pauses among them.
  @inline(__always)
  private func forEachPoint(
    origin: Int64, command: (SessionCommand, SessionTime) throws -> Void,
    point body: (RecordedPoint, _ steps: Int?, SessionTime) throws -> Void
  ) rethrows {
    func time(_ clock: Int64) -> SessionTime { SessionTime(nanoseconds: clock) - SessionTime(nanoseconds: origin) }
    let timeline = RecordedTimeline(activities)
    var stops = timeline.stops[...]
    var isPaused = false
    // When the timer next stands still or goes on.
    var next = stops.first?.from ?? .max
    var lastSteps = [Double](repeating: 0, count: activities.count)
    try timeline.forEachPoint { activity, point in
      while isPaused ? point.time >= next : point.time > next, let stop = stops.first {
        try command(isPaused ? .resume : .pause, time(next))
        if isPaused { stops.removeFirst() }
        isPaused.toggle()
        next = isPaused ? stop.until : stops.first?.from ?? .max
      }
      var added: Int?
      if !point.steps.isNaN {
        let last = lastSteps[activity]
        added = Int(min(1e6, (point.steps >= last ? point.steps - last : point.steps).rounded()))
        lastSteps[activity] = point.steps
      }
      try body(point, added, time(point.time))
    }
    if isPaused, let stop = stops.first { try command(.resume, time(stop.until)) }
  }
}

extension RecordedPoint {
  /// The position with what was told of it; `nil` without one.
  @inline(__always)
  var fix: LocationFix? {
    guard let coordinate = Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude) else { return nil }
    return LocationFix(
      coordinate: coordinate, altitudeMeters: altitude.isNaN ? nil : altitude,
      horizontalAccuracyMeters: horizontalAccuracy.isNaN ? nil : horizontalAccuracy,
      speedMetersPerSecond: speed.isNaN ? nil : speed)
  }

  /// The readings of the point in the order of their streams; `steps` tells the steps since the last point.
  func forEachReading(steps: Int?, _ body: (Reading) throws -> Void) rethrows {
    if !heartRate.isNaN { try body(.heartRate(heartRate)) }
    if let steps { try body(.steps(steps)) }
    if !cadence.isNaN { try body(.cadence(cadence)) }
    if !distance.isNaN { try body(.distance(distance)) }
    if !speed.isNaN { try body(.speed(speed)) }
    if let fix { try body(.location(fix)) }
  }
}
