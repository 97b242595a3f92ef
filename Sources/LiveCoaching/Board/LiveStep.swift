package import WorkoutSession
package import ZoneEngine

/// The step of a plan that is under way, as a screen shows it first: what it is called, what is left, what comes next.
package struct LiveStep: Sendable {
  /// What is left of a step.
  package enum Left: Hashable, Sendable {
    /// Active time, rounded up to whole seconds, so that it is 0 only at the end.
    case time(SessionTime)
    /// Metres.
    case distance(meters: Double)
    /// It lasts until a lap is marked; so much active time it has taken.
    case untilLap(taken: SessionTime)
  }

  /// What it is called: `effort 2 of 4`, `easy, walking`, `walking`, `step 3 of 8`.
  package let name: String
  /// Its number in the plan, from 1.
  package let number: Int
  /// How many steps the plan has.
  package let count: Int
  /// What is left of it.
  package let left: Left
  /// How much of it is over, 0 to 1; absent where it lasts until a lap.
  package let share: Double?
  /// What it asks for; absent where nothing is asked.
  package let target: ResolvedTarget?
  /// How long it has been in its target, of the time with a value; absent without a target.
  package let inTarget: (inTarget: SessionTime, covered: SessionTime)?
  /// What comes next, from the longest to the shortest wording: `next: rest 1 of 3, 2 min z1, 98–118 bpm`.
  package let nextTexts: [String]

  /// The step of a session as it stands; `nil` where there is no plan of several steps, or it is over.
  package init?(_ board: LiveBoard, _ pipeline: SessionPipeline, units: UnitSystem) {
    let engine = pipeline.engine
    let position = engine.position
    guard board.hasStarted, position.count > 1, let step = position.step else { return nil }
    name = Self.name(of: step, number: position.number, of: position.count)
    (number, count) = (position.number, position.count)
    let mark = BoardMark(engine)
    switch step.length {
    case .time(let length):
      let remaining = pipeline.runStepRemaining ?? .zero
      left = .time(remaining.roundedUpToSeconds)
      share = 1 - remaining.seconds / length.seconds
    case .distance(let length):
      let meters = max(0, position.remainingMeters ?? length)
      left = .distance(meters: meters)
      share = 1 - meters / length
    case .untilLap:
      left = .untilLap(taken: mark.since(board.stepStart).active + pipeline.runAhead)
      share = nil
    }
    target = engine.target
    inTarget = engine.target == nil ? nil : mark.target(since: board.stepStart)
    nextTexts = Self.next(position, engine.settings.zones, units)?.map { "next: " + $0 } ?? ["the last step"]
  }

  /// What comes after the step that is under way, from the longest to the shortest wording:
  /// `rest 1 of 3, 2 min z1, 98–118 bpm`; `nil` in the last one.
  package static func next(_ position: PlanPosition, _ zones: HeartRateZones, _ units: UnitSystem) -> [String]? {
    guard let following = position.next else { return nil }
    let asked = following.target.shortText(in: zones, units)
    let name = Self.name(of: following, number: position.number + 1, of: position.count)
    let length = units.length(following.length)
    let activity = following.activity.map { "\($0.rawValue) " } ?? ""
    let called = following.name.map { $0 + (following.activityBesideName.map { " \($0.rawValue)" } ?? "") } ?? name
    let range = position.nextTarget?.text(in: units)
    return [
      "\(name), \(length) \(asked)" + (range.map { $0 == asked ? "" : ", \($0)" } ?? ""),
      "\(name), \(length) \(asked)", "\(called) \(length) \(asked)", "\(length) \(activity)\(asked)",
      activity + asked,
    ]
  }

  /// What a step of a plan is called: by its name, which of several equal ones it is, and what is to be done; without a name by what is
  /// to be done, and without that by its number.
  package static func name(of step: TrainingPlan.Step, number: Int, of count: Int) -> String {
    let activity = step.activityBesideName?.rawValue
    if step.name != nil { return step.title(number: number) + (activity.map { ", \($0)" } ?? "") }
    guard let activity else { return "\(step.title(number: number)) of \(count)" }
    return step.repetition.map { "\(activity) \($0.number) of \($0.count)" } ?? activity
  }

  /// What is left as large digits show it, with its unit: `1:24`, `380` and `m`.
  package func leftMeasure(_ units: UnitSystem) -> UnitSystem.Measure {
    switch left {
    case .time(let span), .untilLap(let span): UnitSystem.Measure(QuantityText.shortClock(span), "")
    case .distance(let meters): units.distanceMeasure(meters: meters.rounded(.up))
    }
  }

  /// What the large digits are: `left`, `m left`, `until a lap`.
  package func leftTitle(_ units: UnitSystem) -> String {
    switch left {
    case .time: "left"
    case .distance: "\(leftMeasure(units).unit) left"
    case .untilLap: "so far, until a lap"
    }
  }

  /// How much of the step was in its target, in whole seconds that are over: `in target 1:10 of 1:36`; `nil` without a target.
  package var inTargetText: String? {
    guard let inTarget, inTarget.covered > .zero else { return nil }
    return "in target \(QuantityText.shortClock(inTarget.inTarget)) of \(QuantityText.shortClock(inTarget.covered))"
  }
}

/// Where the heart rate or what else is asked for lies, as it is said before everything else.
package enum TargetPlace: Hashable, Sendable {
  /// In the target.
  case inside
  /// The heart rate is so many beats under or over it.
  case beats(Int, TargetSide)
  /// What else is asked for is under or over it: the effort is too small or too large.
  case effort(TargetQuantity, TargetSide)

  /// The place of a session as it stands; `nil` without a target, and without a value that is new enough.
  package init?(_ engine: CoachingEngine) {
    guard let target = engine.target else { return nil }
    if let band = target.quantity {
      guard let value = engine.currentQuantity else { return nil }
      let side = band.side(of: value)
      self = side == .inside ? .inside : .effort(band.quantity, side)
      return
    }
    guard let newest = engine.newestReading, engine.now - newest.time <= CoachingEngine.holdLimit else { return nil }
    let bpm = newest.displayedBPM
    let side = target.side(ofDisplayedBPM: bpm)
    guard side != .inside, let limit = side == .under ? target.lowerBPM : target.upperBPM else {
      self = .inside
      return
    }
    self = .beats(abs(limit - bpm), side)
  }

  /// `12 below`, `on target`, `5 above`; of another quantity `pace too slow`, `effort too large`: the number beside it is that of the
  /// heart.
  package var text: String {
    switch self {
    case .inside: "on target"
    case .beats(let difference, let side): "\(difference) \(side == .under ? "below" : "above")"
    case .effort(.pace, let side), .effort(.gradeAdjustedPace, let side): "pace too \(side == .under ? "slow" : "fast")"
    case .effort(.speed, let side): "speed too \(side == .under ? "low" : "high")"
    case .effort(.cadence, let side): "cadence too \(side == .under ? "low" : "high")"
    case .effort(.alpha1, let side): "effort too \(side == .under ? "small" : "large")"
    }
  }

  /// The same without what is asked for, where there is little room: `too slow`.
  package var shortText: String {
    guard case .effort = self else { return text }
    return text.split(separator: " ").suffix(2).joined(separator: " ")
  }
}
