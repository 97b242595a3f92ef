package import ZoneEngine

/// A lap of a session, or a step of its plan, and what it came to.
package struct SessionLap: Hashable, Sendable {
  /// When it began.
  package let start: SessionTime
  /// What the step is called: `effort 2 of 4`, `step 3`; absent for a lap that somebody marked.
  package let name: String?
  /// How long it was, without pauses.
  package let active: SessionTime
  /// Metres; absent where nothing measured any.
  package let meters: Double?
  /// The accepted heart rates in it.
  package let heartRates: HeartRateStatistics

  /// Seconds for a kilometre; absent at a standstill.
  package var paceSecondsPerKilometer: Double? {
    guard let meters, active > .zero else { return nil }
    return Pace.secondsPerKilometer(metersPerSecond: meters / active.seconds)
  }
}

/// Gathers the laps of a session on the way through it.
///
/// One begins with the session, where somebody marks it and with each step of a plan of several; what begins at one instant is
/// one. A beginning between two readings of the distance has its share of the way between them, in proportion to the active time.
package struct SessionLaps: Sendable {
  private struct Begun {
    let start: SessionTime
    let active: SessionTime
    var name: String?
    /// How far the session had come; absent until a reading of the distance is not before it.
    var meters: Double?
    var heartRates = HeartRateStatistics()
  }

  private typealias Place = (meters: Double, active: SessionTime)

  private var begun = [Begun(start: .zero, active: .zero, meters: 0)]
  private var pausedAt: SessionTime?
  private var paused = SessionTime.zero
  /// The last two readings of the distance.
  private var places: (before: Place, last: Place) = ((0, .zero), (0, .zero))
  private var hasMeters = false
  /// The newest heart rate, which an event of the same instant may still give to the lap that it begins.
  private var newest: (beatsPerMinute: Double, time: SessionTime)?

  /// The session begins.
  package init() {}

  /// Takes a sample of the active session that was admitted, after the engine has.
  package mutating func admit(_ sample: Sample, _ engine: CoachingEngine) {
    switch sample.reading {
    case .heartRate(let beatsPerMinute):
      guard engine.newestReading?.time == sample.time else { return }
      settle()
      newest = (beatsPerMinute, sample.time)
    case .distance, .location:
      guard let meters = engine.distanceMeters else { return }
      hasMeters = true
      places = (places.last, (max(meters, places.last.meters), active(at: sample.time)))
      for index in begun.indices.reversed() {
        guard begun[index].meters == nil else { break }
        begun[index].meters = self.meters(at: begun[index].active)
      }
    case .steps, .cadence, .speed, .altitude, .motion, .rrInterval, .direction: break
    }
  }

  /// Takes what the session reports, after the sample that it follows from.
  package mutating func note(_ event: SessionEvent) {
    switch event {
    case .lap(let time, _): begin(at: time, nil)
    case .engine(.stepChanged(let time, let number, let step, _)):
      begin(at: time, step.map { $0.title(number: number) })
    case .engine(.paused(let time)): pausedAt = pausedAt ?? time
    case .engine(.resumed(let time)):
      if let from = pausedAt { paused = paused + (time - from) }
      pausedAt = nil
    case .engine, .started, .ended, .sourceChanged, .activity, .activityDiffers, .countdown, .rejected,
      .acknowledgement:
      break
    }
  }

  /// The laps of a session that ended; none where it was one.
  package func laps(until end: SessionTime) -> [SessionLap] {
    var all = self
    all.settle()
    guard all.begun.count > 1 else { return [] }
    let marks =
      all.begun.map { (active: $0.active, meters: $0.meters ?? places.last.meters) }
      + [(active: active(at: end), meters: places.last.meters)]
    return all.begun.indices.compactMap { index in
      let active = marks[index + 1].active - marks[index].active
      guard active > .zero else { return nil }
      return SessionLap(
        start: all.begun[index].start, name: all.begun[index].name, active: active,
        meters: hasMeters ? max(0, marks[index + 1].meters - marks[index].meters) : nil,
        heartRates: all.begun[index].heartRates)
    }
  }

  private mutating func begin(at time: SessionTime, _ name: String?) {
    if let newest, newest.time < time { settle() }
    let active = active(at: time)
    if let last = begun.last, last.start == time {
      begun[begun.count - 1].name = name ?? last.name
    } else {
      begun.append(Begun(start: time, active: active, name: name, meters: meters(at: active)))
    }
  }

  /// The newest heart rate belongs to the lap that is under way.
  private mutating func settle() {
    if let newest { begun[begun.count - 1].heartRates.admit(newest.beatsPerMinute) }
    newest = nil
  }

  private func active(at time: SessionTime) -> SessionTime {
    time - paused - (pausedAt.map { max(.zero, time - $0) } ?? .zero)
  }

  /// How far the session had come at an active time; `nil` before a reading that is not before it.
  private func meters(at active: SessionTime) -> Double? {
    let (before, last) = places
    guard active <= last.active else { return nil }
    guard active > before.active, last.active > before.active else { return before.meters }
    let share = (active - before.active).seconds / (last.active - before.active).seconds
    return before.meters + (last.meters - before.meters) * share
  }
}

extension TrainingPlan.Step {
  /// What the step is called where it stands alone: `effort 2 of 4`, without a name `step 3`.
  package func title(number: Int) -> String { StepTitle.text(name, repetition, number: number) }
}

extension PlanRequest {
  /// What a step is called that has a number from 1: as everywhere in a session.
  package func title(ofStep number: Int) -> String? {
    guard steps.indices.contains(number - 1) else { return nil }
    return StepTitle.text(steps[number - 1].name, steps[number - 1].repetition, number: number)
  }
}

/// What steps of plans are called where they stand alone.
private enum StepTitle {
  static func text(_ name: String?, _ repetition: StepRepetition?, number: Int) -> String {
    guard let name else { return "step \(number)" }
    return repetition.map { "\(name) \($0.number) of \($0.count)" } ?? name
  }
}
