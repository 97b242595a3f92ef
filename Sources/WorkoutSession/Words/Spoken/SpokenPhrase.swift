package import ZoneEngine

/// Everything that is ever spoken, as values: the words are those of a language, see ``SpokenLanguage/text(_:)``.
package enum SpokenPhrase: Hashable, Sendable {
  /// A cue by heart rate; how much of it is needed, how long it has been beyond the target, where that is known, and whether one
  /// that says to hold is given outside of the target.
  case heartRateCue(CueAction, CueGrade? = nil, bpm: Int?, held: SessionTime?, isOutside: Bool = false)
  /// The heart rate has been above the ceiling for some time.
  case ceilingCue(bpm: Int?, ceiling: Int, above: SessionTime)
  /// A cue by pace, speed or cadence.
  case quantityCue(CueAction, TargetQuantity, SpokenValue?, held: SessionTime?, isOutside: Bool = false)
  /// A step of a plan begins.
  case step(SpokenStep)
  /// Something else is done than the step asks for.
  case activityDiffers(asked: StepActivity)
  /// The plan is over.
  case planFinished
  /// So much is left of a step, and what comes then, where that is near; absent in the last one.
  case timeLeft(SessionTime, next: SpokenStep?)
  /// The last seconds of a step.
  case countdown(Int)
  /// A kilometre or a mile is over: which one, and how long it took.
  case split(number: Int, UnitSystem, SessionTime)
  /// Half of the time is over, and so much is left.
  case halfTime(left: SessionTime)
  /// Half of the way is over.
  case halfDistance(left: SpokenDistance)
  /// How much farther the second half of the time went than the first.
  case halvesOfTime(secondIs: HalfComparison, by: SpokenDistance)
  /// How much longer the second half of the way took than the first.
  case halvesOfDistance(secondIs: HalfComparison, by: SessionTime)
  /// Nobody of this name has run so many metres faster.
  case bestEffort(BestDistance, SessionTime)
  /// There is no heart rate any more.
  case signalLost
  /// There is one again; absent where its number is not to be said.
  case signalRestored(bpm: Int?)
  /// The reading does not change.
  case signalStuck
  /// The reading equals the cadence.
  case signalCadenceLock
  /// There is no value of what is asked for any more.
  case quantityLost(TargetQuantity)
  /// There is one again.
  case quantityRestored(TargetQuantity, SpokenValue)
}

/// A measured pace, speed or cadence that is spoken.
package enum SpokenValue: Hashable, Sendable {
  /// Seconds for a kilometre or mile.
  case pace(seconds: Int, QuantityUnit)
  /// Another number with its unit, such as `11.4`.
  case number(String, QuantityUnit)
  /// Somebody who hardly moves.
  case standing

  /// A value in metres per second or steps a minute, in the units of a reader.
  init(_ value: Double, of band: QuantityBand, in units: UnitSystem) {
    self.init(shown: band.read(in: units).unit.shown(value), band.read(in: units).unit)
  }

  /// A number as it is shown.
  init(shown: Int, _ unit: QuantityUnit) {
    // Nobody would call it a pace: slower than an hour for a kilometre or mile.
    if unit.isPace {
      self = shown >= 3_600 ? .standing : .pace(seconds: shown, unit)
    } else {
      self = .number(QuantityBand.number(shown, unit), unit)
    }
  }
}

/// What a step asks for, as it is spoken.
package enum SpokenTarget: Hashable, Sendable {
  /// Beats per minute; absent at an open end.
  case heartRate(Int?, Int?)
  /// A pace, a speed or a cadence between two limits.
  case quantity(SpokenValue, SpokenValue)

  /// A target in the units of a reader.
  package init(_ target: ResolvedTarget, in units: UnitSystem) {
    guard let band = target.quantity?.read(in: units) else {
      self = .heartRate(target.lowerBPM, target.upperBPM)
      return
    }
    self = .quantity(SpokenValue(shown: band.lower, band.unit), SpokenValue(shown: band.upper, band.unit))
  }
}

/// A step of a plan, as it is spoken.
package struct SpokenStep: Hashable, Sendable {
  /// How long it lasts.
  package enum Length: Hashable, Sendable {
    /// Until a lap is marked.
    case untilLap
    /// Some time.
    case time(SessionTime)
    /// Some way.
    case distance(SpokenDistance)
  }

  /// Its name; absent where it has none.
  package let name: String?
  /// Which of several equal ones it is; absent where it stands alone.
  package let repetition: StepRepetition?
  /// Which step of the plan it is, from 1.
  package let number: Int
  /// How many steps the plan has.
  package let count: Int
  /// What is to be done; absent where that is left open, and where the name says it.
  package let activity: StepActivity?
  /// How long it lasts.
  package let length: Length
  /// What it asks for; absent where nothing is asked.
  package let target: SpokenTarget?

  /// A step of a plan of so many, in the units of a listener.
  package init(
    _ step: TrainingPlan.Step, number: Int, of count: Int, _ target: ResolvedTarget?, in units: UnitSystem
  ) {
    (self.number, self.count) = (number, count)
    (name, repetition, activity) = (step.name, step.repetition, step.activityBesideName)
    self.target = target.map { SpokenTarget($0, in: units) }
    switch step.length {
    case .untilLap: length = .untilLap
    case .time(let span): length = .time(span)
    case .distance(let meters): length = .distance(SpokenDistance(meters: meters, in: units))
    }
  }
}

/// A way as it is spoken: a number and what it counts.
package struct SpokenDistance: Hashable, Sendable {
  /// What is counted.
  package enum Unit: Hashable, Sendable { case meters, kilometers, feet, miles }

  /// The number, with a point before decimals.
  package let number: String
  /// What it counts.
  package let unit: Unit

  /// Metres in the units of a listener.
  package init(meters: Double, in units: UnitSystem) {
    let measure = UnitSystem.measure(units.length(meters: meters))
    number = measure.number
    switch measure.unit {
    case "m": unit = .meters
    case "km": unit = .kilometers
    case "ft": unit = .feet
    default: unit = .miles
    }
  }
}

/// What the second half of a run was beside the first.
package enum HalfComparison: CaseIterable, Hashable, Sendable { case more, same, less }

/// A distance over which somebody has a best effort.
package enum BestDistance: Hashable, Sendable {
  case meters(Int), kilometers(Int), mile, halfMarathon, marathon

  /// The distance of so many metres; `nil` where none of ``BestEffort/distances`` is so long.
  package init?(meters: Double) {
    switch meters {
    case BestEffort.mile: self = .mile
    case 21_097.5: self = .halfMarathon
    case 42_195: self = .marathon
    case 1_000, 5_000, 10_000: self = .kilometers(Int(meters) / 1_000)
    case 400, 800: self = .meters(Int(meters))
    default: return nil
    }
  }
}

extension SpokenPhrase {
  /// What is spoken of a cue.
  package init(_ action: CueAction, _ decision: Decision, in units: UnitSystem) {
    let isOutside = decision.sideOfHold(in: units) != nil
    let held = decision.evidence.sideHeld.flatMap { action != .hold && $0 >= .seconds(1) ? $0 : nil }
    if let (band, measured) = decision.measured {
      let value = measured.value.map { SpokenValue($0, of: band, in: units) }
      self = .quantityCue(action, band.quantity, value, held: held, isOutside: isOutside)
    } else if let ceiling = decision.evidence.ceiling {
      self = .ceilingCue(
        bpm: decision.evidence.heartRateBPM, ceiling: ceiling.beatsPerMinute, above: ceiling.above)
    } else {
      self = .heartRateCue(
        action, decision.grade, bpm: decision.evidence.heartRateBPM, held: held, isOutside: isOutside)
    }
  }

  /// What is spoken of something that is no cue: a step of a plan, a signal that is gone, back or hard to believe; `nil`
  /// for everything else.
  ///
  /// - Parameter count: how many steps the plan has.
  package init?(_ event: EngineEvent, ofSteps count: Int, in units: UnitSystem) {
    switch event {
    case .stepChanged(_, let number, let step, let target):
      self = step.map { .step(SpokenStep($0, number: number, of: count, target, in: units)) } ?? .planFinished
    case .signalLost: self = .signalLost
    case .signalRestored(_, let bpm): self = .signalRestored(bpm: bpm)
    case .signalSuspect(_, .stuck, _): self = .signalStuck
    case .signalSuspect(_, .cadenceLock, _): self = .signalCadenceLock
    case .quantityLost(_, let band): self = .quantityLost(band.quantity)
    case .quantityRestored(_, let band, let value):
      self = .quantityRestored(band.quantity, SpokenValue(value, of: band, in: units))
    case .decision, .targetChanged, .strategyChanged, .trialPoint, .paused, .resumed: return nil
    }
  }
}

/// The words of a language for everything that is spoken. A further language is one file with a type that has them, and a case
/// of ``SpokenLanguage``.
protocol SpokenWords: Sendable {
  /// The sentence of a phrase.
  static func text(_ phrase: SpokenPhrase) -> String
}

extension SpokenLanguage {
  /// The sentence of a phrase.
  package func text(_ phrase: SpokenPhrase) -> String {
    switch self {
    case .english: EnglishWords.text(phrase)
    case .german: GermanWords.text(phrase)
    }
  }
}

extension SpokenWords {
  /// Hours, minutes and seconds of a span, those that are not 0: `90 s` stay seconds.
  static func parts(_ span: SessionTime) -> (hours: Int64, minutes: Int64, seconds: Int64) {
    let seconds = QuantityText.wholeSeconds(span)
    if seconds <= 90 { return (0, 0, seconds) }
    return (seconds / 3_600, seconds / 60 % 60, seconds % 60)
  }

  /// A text with its first letter large.
  static func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
}
