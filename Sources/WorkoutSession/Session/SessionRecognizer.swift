package import ActivityRecognition
package import ZoneEngine

/// What is recognised in a session, and what follows from it.
package struct RecognitionSettings: Sendable {
  /// The model.
  package let model: SharedModel
  /// Whether the session pauses while somebody stands still.
  package let pausesWhenStill: Bool

  /// Settings.
  package init(_ model: SharedModel, pausesWhenStill: Bool) {
    self.model = model
    self.pausesWhenStill = pausesWhenStill
  }
}

/// Recognises what somebody does from the motion samples of a session, in the order in which they are logged.
///
/// It is a value, and depends on those samples, on pauses and on nothing else. What it finds goes into the log behind the sample that
/// decided it.
package struct SessionRecognizer: Sendable {
  private let settings: RecognitionSettings
  private var stream: ActivityStream
  /// What each step of the plan asks for; empty where none asks for anything.
  private let asked: [StepActivity?]
  private var watch = StepWatch()
  /// Whether the session is in a pause that stillness began.
  private var hasPaused = false
  /// Whether somebody went on, or paused, by hand while still, so that the same stillness does not pause again.
  private var isOverruled = false
  private var turning = LooseTurningRate()
  /// Since when samples lack what the model needs; `nil` while they have it.
  private var lacksSince: SessionTime?
  private var hasSaidLack = false
  /// The first sample of any stream, until motion comes or its absence is said.
  private var waitsSince: SessionTime?
  /// Whether motion came, or it was said that none does.
  private var hasMotion = false
  private var doubts = MotionDoubts()
  private var notices: [String] = []

  /// How somebody stands with what the step of the plan asks for.
  private struct StepWatch: Sendable {
    /// The step, and since when it has been seen.
    var step = (number: 0, since: SessionTime.zero)
    /// What is done, and since when that is known.
    var activity: (name: String, since: SessionTime)?
    var isReported = false
  }

  /// Where the session is when a sample comes.
  package struct Place: Hashable, Sendable {
    /// Whether it is paused.
    let isPaused: Bool
    /// Whether it is because somebody stood still, so that motion ends it.
    let isPausedByMotion: Bool
    /// The number of the plan's step.
    let step: Int

    /// The place of a session.
    package init(of pipeline: SessionPipeline) {
      isPaused = pipeline.engine.isPaused
      isPausedByMotion = isPaused && pipeline.isPausedByMotion
      step = pipeline.engine.stepNumber
    }
  }

  /// How long somebody may go on as before when a step begins.
  static let stepGrace = SessionTime.seconds(10)
  /// How long samples may lack what the model needs before that is said.
  static let lackGrace = SessionTime.seconds(1)
  /// How long no motion may come before that is said.
  static let motionGrace = SessionTime.seconds(10)

  /// Begins with nothing recognised.
  package init(_ settings: RecognitionSettings, plan: ZoneEngine.TrainingPlan) {
    self.settings = settings
    asked = plan.steps.contains { $0.activity != nil } ? plan.steps.map(\.activity) : []
    stream = ActivityStream(settings.model.activities, shape: settings.model.model.shape)
  }

  /// What people want to know since the last call.
  package mutating func takeNotices() -> [String] {
    defer { notices.removeAll() }
    return notices
  }

  /// Takes a sample that is logged: motion is recognised, and any other says how far the session has come.
  package mutating func take(_ sample: Sample, in place: Place) -> [Recognition] {
    guard case .motion(let reading) = sample.reading else {
      if !hasMotion { waitForMotion(at: sample.time) }
      return pass(to: sample.time, in: place)
    }
    hasMotion = true
    return take(reading, at: sample.time, in: place)
  }

  /// Says once that no motion comes, when other samples have for a while.
  private mutating func waitForMotion(at time: SessionTime) {
    let since = waitsSince ?? time
    waitsSince = since
    guard time - since >= Self.motionGrace else { return }
    hasMotion = true
    notices.append("no motion comes: nothing is recognised")
  }

  private mutating func take(_ reading: MotionReading, at time: SessionTime, in place: Place) -> [Recognition] {
    if let rate = reading.rotationRate { turning.take(rate, at: time) }
    guard let acceleration = reading.acceleration else {
      if stream.newestNanoseconds == nil { lack("acceleration", at: time) }
      return pass(to: time, in: place)
    }
    let rotation = reading.rotationRate ?? turning.rate(beside: time)
    if settings.model.model.usesRotationRate, rotation == nil {
      lack("turning rates (gyroscope)", at: time)
      return pass(to: time, in: place)
    }
    lacksSince = nil
    let sample = SIMD8<Float>(
      Float(acceleration.x), Float(acceleration.y), Float(acceleration.z), Float(rotation?.x ?? 0),
      Float(rotation?.y ?? 0), Float(rotation?.z ?? 0), 0, 0)
    // What is no number would stay in everything that is added up.
    guard (0..<6).allSatisfy({ sample[$0].isFinite && sample[$0].magnitude < 1e6 }) else { return [] }
    notices += doubts.take(acceleration, at: time)
    let events = settings.model.asking { stream.take(sample, at: time.nanoseconds, asking: $0) }
    return follow(events, at: time, in: place)
  }

  /// Takes note that a sample of another stream is at a time.
  private mutating func pass(to time: SessionTime, in place: Place) -> [Recognition] {
    let events = stream.pass(to: time.nanoseconds)
    return events.isEmpty ? [] : follow(events, at: time, in: place)
  }

  /// The steps that were not reported yet, because the session ends.
  package mutating func finish() -> [Recognition] {
    let count = stream.finish()
    return count > 0 ? [.steps(count)] : []
  }

  private mutating func follow(
    _ events: [ActivityStream.Event], at time: SessionTime, in place: Place
  ) -> [Recognition] {
    let found = self.found(events, at: time, in: place)
    guard !asked.isEmpty, let differing = difference(at: time, in: place) else { return found }
    return found + [.differs(differing)]
  }

  /// What the step asks for, where something else is done for long enough and that was not reported.
  private mutating func difference(at time: SessionTime, in place: Place) -> StepActivity? {
    if watch.step.number != place.step {
      watch.step = (place.step, time)
      watch.isReported = false
    }
    guard asked.indices.contains(place.step - 1), let wanted = asked[place.step - 1], let activity = watch.activity,
      activity.name != RecognizedActivity.unknown
    else { return nil }
    guard activity.name != wanted.rawValue else {
      watch.isReported = false
      return nil
    }
    guard !place.isPaused, !hasPaused, !watch.isReported,
      time - max(watch.step.since, activity.since) >= Self.stepGrace
    else { return nil }
    watch.isReported = true
    return wanted
  }

  private mutating func found(
    _ events: [ActivityStream.Event], at time: SessionTime, in place: Place
  ) -> [Recognition] {
    // Who goes on by hand, or pauses in such a pause, has taken it over.
    if hasPaused, !place.isPausedByMotion { (hasPaused, isOverruled) = (false, true) }
    var found: [Recognition] = []
    for event in events {
      switch event {
      case .steps(let count): found.append(.steps(count))
      case .change(let change):
        watch.activity = (change.name, time)
        found.append(
          .activity(
            RecognizedActivity(
              name: change.name, since: SessionTime(nanoseconds: change.sinceNanoseconds),
              perMille: change.probability.map { Int(($0 * 1_000).rounded()) })))
      }
    }
    guard settings.pausesWhenStill else { return found }
    if stream.isStill {
      guard !place.isPaused, !hasPaused, !isOverruled, !events.isEmpty else { return found }
      hasPaused = true
      found.append(.pause)
    } else {
      isOverruled = false
      guard hasPaused else { return found }
      hasPaused = false
      found.append(.resume)
    }
    return found
  }

  /// Says once that samples lack what the model needs, when they have for a while.
  private mutating func lack(_ what: String, at time: SessionTime) {
    let since = lacksSince ?? time
    lacksSince = since
    guard !hasSaidLack, time - since >= Self.lackGrace else { return }
    hasSaidLack = true
    notices.append("motion without \(what), with which \(settings.model.name) was trained: not recognised")
  }
}
