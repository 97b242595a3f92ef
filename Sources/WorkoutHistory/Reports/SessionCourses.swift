internal import SessionStore
internal import WorkoutExports
package import WorkoutSession
package import ZoneEngine

/// What happened in a session moment by moment, for pictures and tables: its manifest judges its logs once more.
package struct SessionCourses: Sendable {
  /// A step of the plan that begins.
  package struct StepMark: Hashable, Sendable {
    /// When it begins.
    package let time: SessionTime
    /// Counted from 1.
    package let number: Int
    /// The step; absent after the last one.
    package let step: TrainingPlan.Step?
    /// The target; absent when nothing is asked for.
    package let target: ResolvedTarget?
  }

  /// A time from which on the signal may not be the heart.
  package struct SuspicionMark: Hashable, Sendable {
    /// What it looks like.
    package let suspicion: SignalSuspicion
    /// Since when it does.
    package let since: SessionTime
    /// When it was noticed.
    package let noticed: SessionTime
  }

  /// Where the speed comes from.
  package enum SpeedSource: Hashable, Sendable {
    /// From the distance over the last 15 to 30 s.
    case distance
    /// As the device reported it.
    case device
  }

  /// Accepted heart rates of the active session, in beats per minute.
  package let heartRate: Course
  /// Speed in metres per second.
  package let speed: Course
  /// Where the speed comes from.
  package let speedSource: SpeedSource
  /// Cadence in steps per minute.
  package let cadence: Course
  /// Altitude in metres above the sea.
  package let altitude: Course
  /// How steep the way is, in percent; from altitude and distance, so absent without either.
  package let grade: Course
  /// What was climbed and descended; absent without an altitude.
  package let altitudeGain: AltitudeGain?
  /// The outline of the way; absent without positions.
  package let track: TrackOutline?
  /// Every evaluated moment, in order.
  package let decisions: [Decision]
  /// The steps of the plan in the order in which they began; empty for a plan of one step.
  package let steps: [StepMark]
  /// Where laps begin, but the first, in order.
  package let laps: [SessionTime]
  /// What each lap and each step came to; none where there was one.
  package let lapResults: [SessionLap]
  /// Changes of target and strategy that somebody made, in order.
  package let changes: [EngineEvent]
  /// The pauses in order.
  package let pauses: [SessionSpan]
  /// Active time without a heart rate, in order.
  package let withoutHeartRate: [SessionSpan]
  /// Signs that the signal may not be the heart, in order.
  package let suspicions: [SuspicionMark]

  /// Reads the folder of a closed session; of its way only what lies beyond a radius around both ends.
  ///
  /// - Throws: `FileError` or `RecordingError` when the folder cannot be used.
  init(
    of recording: SessionFolderRecording, until end: SessionTime, hidingEndsWithin radius: PrivacyRadius?
  ) throws {
    let settings = try recording.settings()
    var observed = Observed(settings, until: end)
    let (pipeline, _) = try Replay.run(
      recording, settings: settings, pace: .events, endReason: .endOfInput, observer: { observed.admit($0, $1, $2) }
    ) { _, events in
      for event in events { observed.note(event) }
    }
    observed.spans.finish(at: pipeline.engine.now)
    let measured = observed.speed.course
    let reported = observed.deviceSpeed.course
    heartRate = observed.heartRate.course
    speed = measured.isEmpty ? reported : measured
    speedSource = measured.isEmpty ? .device : .distance
    cadence = observed.cadence.course
    altitude = observed.altitude.course
    grade = observed.grade.course
    altitudeGain = altitude.isEmpty ? nil : observed.gain
    track = observed.track.outline(hidingEndsWithin: radius)
    decisions = observed.decisions
    steps = observed.steps
    laps = observed.laps
    lapResults = observed.lapResults.laps(until: end)
    changes = observed.changes
    pauses = observed.spans.pauses
    withoutHeartRate = observed.spans.withoutHeartRate
    suspicions = observed.suspicions
  }
}

/// What is found on the way through the inputs of a session.
private struct Observed {
  var heartRate, speed, deviceSpeed, cadence, altitude, grade: CourseBuilder
  var gain = AltitudeGain()
  var track: TrackBuilder
  var spans = SessionSpans()
  var decisions: [Decision] = []
  var steps: [SessionCourses.StepMark] = []
  var changes: [EngineEvent] = []
  var laps: [SessionTime] = []
  var lapResults = SessionLaps()
  var suspicions: [SessionCourses.SuspicionMark] = []
  private var counted = StepTotal()
  private var slope = GradeSignal()
  private var altitudes = AltitudeChoice()
  private let altitudesAreOfOneDevice: Bool
  /// The altitudes that counted so far, since the last pause.
  private var altitudeCourse = AltitudeCourse()
  /// When the slope is looked at next.
  private var nextSlope = SessionTime.zero
  /// The newest heart rate that was accepted, in a pause too.
  private var newest: (beatsPerMinute: Double, time: SessionTime)?

  /// Readings of other streams are joined over twice the time that a heart rate holds.
  private static let longestGap = SessionTime.seconds(30)
  /// How often the slope is looked at.
  private static let slopeInterval = SessionTime.seconds(5)

  init(_ settings: CoachingSettings, until end: SessionTime) {
    altitudesAreOfOneDevice = settings.altitudesAreOfOneDevice
    heartRate = CourseBuilder(until: end, longestGap: CoachingEngine.holdLimit)
    speed = CourseBuilder(until: end, longestGap: Self.longestGap)
    (deviceSpeed, cadence, altitude, grade) = (speed, speed, speed, speed)
    track = TrackBuilder(fastestMetersPerSecond: settings.fastestMetersPerSecond)
  }

  mutating func admit(_ input: RecordedInput, _ admission: Admission?, _ pipeline: SessionPipeline) {
    guard case .sample(let sample) = input, admission == .admitted else { return }
    let time = sample.time
    if case .heartRate(let beatsPerMinute) = sample.reading, pipeline.engine.newestReading?.time == time {
      newest = (beatsPerMinute, time)
    }
    guard !pipeline.engine.isPaused else { return }
    lapResults.admit(sample, pipeline.engine)
    switch sample.reading {
    case .heartRate(let beatsPerMinute):
      guard newest?.time == time else { return }
      heartRate.admit(beatsPerMinute, at: time)
      spans.hold(from: pipeline.engine.now, reading: time)
    case .steps(let count):
      if let stepsPerMinute = counted.admit(steps: count, at: time) { cadence.admit(stepsPerMinute, at: time) }
    case .cadence(let stepsPerMinute): cadence.admit(stepsPerMinute, at: time)
    case .distance: admitSpeed(of: pipeline, at: time)
    case .speed(let metersPerSecond): deviceSpeed.admit(metersPerSecond, at: time)
    case .location(let fix):
      admitSpeed(of: pipeline, at: time)
      track.admit(fix, at: time)
      if let meters = fix.altitudeMeters { admitAltitude(meters, ofBarometer: false, at: time, of: pipeline) }
      if let metersPerSecond = fix.speedMetersPerSecond { deviceSpeed.admit(metersPerSecond, at: time) }
    case .altitude(let meters): admitAltitude(meters, ofBarometer: true, at: time, of: pipeline)
    case .motion, .rrInterval, .direction: break
    }
  }

  mutating func note(_ event: SessionEvent) {
    lapResults.note(event)
    if case .lap(let time, _) = event { laps.append(time) }
    guard case .engine(let event) = event else { return }
    switch event {
    case .decision(let decision): decisions.append(decision)
    case .stepChanged(let time, let number, let step, let target):
      steps.append(SessionCourses.StepMark(time: time, number: number, step: step, target: target))
    case .signalSuspect(let time, let suspicion, let since):
      suspicions.append(SessionCourses.SuspicionMark(suspicion: suspicion, since: since, noticed: time))
    case .targetChanged, .strategyChanged: changes.append(event)
    case .signalLost, .signalRestored, .quantityLost, .quantityRestored, .trialPoint: break
    case .paused(let time):
      spans.pause(at: time)
      heartRate.breakLine()
      speed.breakLine()
      deviceSpeed.breakLine()
      cadence.breakLine()
      altitude.breakLine()
      grade.breakLine()
      gain.interrupt()
      slope.interrupt()
      altitudeCourse.interrupt()
      track.breakLine()
      counted.breakCount()
    case .resumed(let time):
      spans.resume(at: time)
      // A reading of this very instant is held from here.
      guard let newest, newest.time == time else { return }
      heartRate.admit(newest.beatsPerMinute, at: time)
      spans.hold(from: time, reading: time)
    }
  }

  private mutating func admitAltitude(
    _ meters: Double, ofBarometer: Bool, at time: SessionTime, of pipeline: SessionPipeline
  ) {
    let use =
      altitudesAreOfOneDevice
      ? altitudes.admit(meters, besidePosition: !ofBarometer, at: time, after: altitudeCourse)
      : altitudes.admit(ofBarometer: ofBarometer, at: time)
    switch use {
    case .leaveOut: return
    case .beginAnew:
      altitude.breakLine()
      grade.breakLine()
      gain.interrupt()
      slope.interrupt()
      altitudeCourse.interrupt()
    case .goOn: break
    }
    altitude.admit(meters, at: time)
    gain.admit(altitudeCourse.admit(meters, at: time))
    guard let distance = pipeline.engine.distanceMeters else { return }
    slope.admit(altitude: meters, meters: distance, at: time)
    guard time >= nextSlope else { return }
    nextSlope = time + Self.slopeInterval
    if let gradient = slope.gradient(at: time) { grade.admit(gradient * 100, at: time) }
  }

  private mutating func admitSpeed(of pipeline: SessionPipeline, at time: SessionTime) {
    if let metersPerSecond = pipeline.engine.currentSpeed { speed.admit(metersPerSecond, at: time) }
  }
}
