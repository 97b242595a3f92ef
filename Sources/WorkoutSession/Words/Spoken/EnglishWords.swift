internal import ZoneEngine

/// What is spoken, in English.
enum EnglishWords: SpokenWords {
  static func text(_ phrase: SpokenPhrase) -> String {
    switch phrase {
    case .heartRateCue(let action, let grade, let bpm, let held, let isOutside):
      let (place, advice) =
        switch (action, grade) {
        case (.speedUp, nil): ("below target", "Speed up.")
        case (.speedUp, .little): ("below target", "A little faster.")
        case (.speedUp, .much): ("below target", "Much faster.")
        case (.hold, _): (isOutside ? "near the target" : "on target", "Hold.")
        case (.slowDown, nil): ("above target", "Ease off.")
        case (.slowDown, .little): ("above target", "A little slower.")
        case (.slowDown, .much): ("above target", "Much slower.")
        }
      return sentence([bpm.map { "\($0)" }, place + lasting(held)]) + " " + advice
    case .ceilingCue(let bpm, let ceiling, let above):
      return sentence([bpm.map { "\($0)" }, "above your ceiling of \(ceiling) for \(span(above))"]) + " Slow down."
    case .quantityCue(let action, let quantity, let value, let held, let isOutside):
      let (place, advice) = words(action, quantity, isOutside: isOutside)
      return sentence([value.map(Self.value), place + lasting(held)]) + " " + advice
    case .step(let step): return self.step(step)
    case .activityDiffers(let asked): return "This step is for \(word(asked))."
    case .planFinished: return "The plan is finished."
    case .timeLeft(let left, let next):
      return capitalized("\(span(left)) left.") + (next.map { " Next: " + self.step($0) } ?? "")
    case .countdown(let seconds): return "\(seconds)"
    case .split(let number, let units, let time):
      let unit =
        switch units {
        case .metric: "Kilometer"
        case .imperial: "Mile"
        }
      return "\(unit) \(number), \(span(time))."
    case .halfTime(let left): return "Halfway. \(capitalized(span(left))) to go."
    case .halfDistance(let left): return "Halfway. \(distance(left)) to go."
    case .halvesOfTime(let comparison, let difference):
      switch comparison {
      case .more: return "The second half went \(distance(difference)) farther than the first."
      case .same: return "Both halves went equally far."
      case .less: return "The second half went \(distance(difference)) less far than the first."
      }
    case .halvesOfDistance(let comparison, let difference):
      switch comparison {
      case .more: return "The second half took \(span(difference)) more than the first."
      case .same: return "Both halves took the same time."
      case .less: return "The second half took \(span(difference)) less than the first."
      }
    case .bestEffort(let best, let time): return "Your best \(self.best(best)): \(span(time))."
    case .signalLost: return "No heart rate. Check the sensor."
    case .signalRestored(let bpm): return "Heart rate is back" + (bpm.map { ", \($0)." } ?? ".")
    case .signalStuck: return "Is that your heart? The reading does not change."
    case .signalCadenceLock: return "Is that your heart? The reading equals your cadence."
    case .quantityLost(let quantity): return "No \(name(quantity)). Check the device."
    case .quantityRestored(let quantity, let value): return "The \(name(quantity)) is back, \(self.value(value))."
    }
  }

  private static func sentence(_ parts: [String?]) -> String {
    capitalized(parts.compactMap(\.self).joined(separator: ", ")) + "."
  }

  private static func lasting(_ held: SessionTime?) -> String { held.map { " for " + span($0) } ?? "" }

  private static func span(_ time: SessionTime) -> String {
    let parts = parts(time)
    func counted(_ number: Int64, _ unit: String) -> String? {
      number == 0 ? nil : number == 1 ? "1 \(unit)" : "\(number) \(unit)s"
    }
    let words = [counted(parts.hours, "hour"), counted(parts.minutes, "minute"), counted(parts.seconds, "second")]
    let text = words.compactMap(\.self).joined(separator: " ")
    return text.isEmpty ? "0 seconds" : text
  }

  private static func words(
    _ action: CueAction, _ quantity: TargetQuantity, isOutside: Bool
  ) -> (place: String, advice: String) {
    switch (action, quantity) {
    case (.hold, _): (isOutside ? "near the target" : "on target", "Hold.")
    case (.speedUp, .alpha1): ("too easy", "Speed up.")
    case (.slowDown, .alpha1): ("too hard", "Slow down.")
    case (.speedUp, .cadence): ("too few steps", "Quicker steps.")
    case (.slowDown, .cadence): ("too many steps", "Slower steps.")
    case (.speedUp, .pace), (.speedUp, .speed), (.speedUp, .gradeAdjustedPace): ("too slow", "Speed up.")
    case (.slowDown, .pace), (.slowDown, .speed), (.slowDown, .gradeAdjustedPace): ("too fast", "Slow down.")
    }
  }

  private static func name(_ quantity: TargetQuantity) -> String {
    switch quantity {
    case .pace: "pace"
    case .speed: "speed"
    case .cadence: "cadence"
    case .gradeAdjustedPace: "grade-adjusted pace"
    case .alpha1: "alpha 1"
    }
  }

  private static func value(_ value: SpokenValue) -> String {
    switch value {
    case .standing: "standing"
    case .pace(_, let unit), .number(_, let unit): "\(number(value)) \(self.unit(unit))"
    }
  }

  private static func number(_ value: SpokenValue) -> String {
    switch value {
    case .pace(let seconds, let unit): QuantityBand.number(seconds, unit)
    case .number(let number, _): number
    case .standing: "standing"
    }
  }

  private static func unit(_ unit: QuantityUnit) -> String {
    switch unit {
    case .secondsPerKilometer: "a kilometer"
    case .secondsPerMile: "a mile"
    case .kilometersPerHour: "kilometers an hour"
    case .milesPerHour: "miles an hour"
    case .metersPerSecond: "meters a second"
    case .stepsPerMinute: "steps a minute"
    case .alpha1: "alpha 1"
    }
  }

  private static func step(_ step: SpokenStep) -> String {
    let called = step.name ?? step.activity.map(word)
    let name =
      called.map { $0 + (step.repetition.map { " \($0.number) of \($0.count)" } ?? "") }
      ?? "step \(step.number) of \(step.count)"
    // Without a name it is called by what is to be done.
    let activity = step.name == nil ? nil : step.activity.map(word)
    let length =
      switch step.length {
      case .untilLap: "until you mark a lap"
      case .time(let time): span(time)
      case .distance(let way): distance(way)
      }
    return sentence([name, activity, length, step.target.map { "target " + target($0) } ?? "no target"])
  }

  private static func word(_ activity: StepActivity) -> String {
    switch activity {
    case .walking: "walking"
    case .running: "running"
    }
  }

  private static func target(_ target: SpokenTarget) -> String {
    switch target {
    case .heartRate(let lower?, let upper?): "\(lower) to \(upper)"
    case .heartRate(nil, let upper?): "\(upper) or less"
    case .heartRate(let lower?, nil): "\(lower) or more"
    case .heartRate(nil, nil): "any heart rate"
    case .quantity(let lower, let upper): "\(number(lower)) to \(value(upper))"
    }
  }

  private static func distance(_ way: SpokenDistance) -> String {
    let isOne = way.number == "1"
    let unit =
      switch way.unit {
      case .meters: isOne ? "meter" : "meters"
      case .kilometers: isOne ? "kilometer" : "kilometers"
      case .feet: isOne ? "foot" : "feet"
      case .miles: isOne ? "mile" : "miles"
      }
    return "\(way.number) \(unit)"
  }

  private static func best(_ best: BestDistance) -> String {
    switch best {
    case .meters(let count): "\(count) meters"
    case .kilometers(let count): count == 1 ? "kilometer" : "\(count) kilometers"
    case .mile: "mile"
    case .halfMarathon: "half marathon"
    case .marathon: "marathon"
    }
  }
}
