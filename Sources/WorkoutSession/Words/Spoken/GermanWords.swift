internal import ZoneEngine

/// What is spoken, in German.
enum GermanWords: SpokenWords {
  static func text(_ phrase: SpokenPhrase) -> String {
    switch phrase {
    case .heartRateCue(let action, let grade, let bpm, let held, let isOutside):
      let (place, advice) =
        switch (action, grade) {
        case (.speedUp, nil): ("unter dem Ziel", "Schneller.")
        case (.speedUp, .little): ("unter dem Ziel", "Etwas schneller.")
        case (.speedUp, .much): ("unter dem Ziel", "Viel schneller.")
        case (.hold, _): (isOutside ? "nahe am Ziel" : "im Ziel", "So weiter.")
        case (.slowDown, nil): ("über dem Ziel", "Langsamer.")
        case (.slowDown, .little): ("über dem Ziel", "Etwas langsamer.")
        case (.slowDown, .much): ("über dem Ziel", "Viel langsamer.")
        }
      return sentence([bpm.map { "\($0)" }, lasting(held) + place]) + " " + advice
    case .ceilingCue(let bpm, let ceiling, let above):
      return sentence([bpm.map { "\($0)" }, lasting(above) + "über deiner Obergrenze von \(ceiling)"]) + " Langsamer."
    case .quantityCue(let action, let quantity, let value, let held, let isOutside):
      let (place, advice) = words(action, quantity, isOutside: isOutside)
      return sentence([value.map(Self.value), lasting(held) + place]) + " " + advice
    case .step(let step): return self.step(step)
    case .activityDiffers(let asked): return "Jetzt ist \(word(asked)) dran."
    case .planFinished: return "Der Plan ist zu Ende."
    case .timeLeft(let left, let next):
      return "Noch \(span(left))." + (next.map { " Danach: " + self.step($0) } ?? "")
    case .countdown(let seconds): return "\(seconds)"
    case .split(let number, let units, let time):
      let unit =
        switch units {
        case .metric: "Kilometer"
        case .imperial: "Meile"
        }
      return "\(unit) \(number), \(span(time))."
    case .halfTime(let left): return "Halbzeit. Noch \(span(left))."
    case .halfDistance(let left): return "Die Hälfte ist geschafft. Noch \(distance(left))."
    case .halvesOfTime(let comparison, let difference):
      switch comparison {
      case .more: return "In der zweiten Hälfte waren es \(distance(difference)) mehr als in der ersten."
      case .same: return "Beide Hälften gleich weit."
      case .less: return "In der zweiten Hälfte waren es \(distance(difference)) weniger als in der ersten."
      }
    case .halvesOfDistance(let comparison, let difference):
      switch comparison {
      case .more: return "Zweite Hälfte \(span(difference)) langsamer als die erste."
      case .same: return "Beide Hälften gleich schnell."
      case .less: return "Zweite Hälfte \(span(difference)) schneller als die erste."
      }
    case .bestEffort(let best, let time): return "Deine Bestzeit über \(self.best(best)): \(span(time))."
    case .signalLost: return "Kein Puls. Prüfe den Sensor."
    case .signalRestored(let bpm): return "Der Puls ist wieder da" + (bpm.map { ", \($0)." } ?? ".")
    case .signalStuck: return "Ist das dein Herz? Der Wert ändert sich nicht."
    case .signalCadenceLock: return "Ist das dein Herz? Der Wert gleicht deiner Schrittfrequenz."
    case .quantityLost(let quantity): return "\(name(quantity).none). Prüfe das Gerät."
    case .quantityRestored(let quantity, let value):
      return "\(name(quantity).definite) ist wieder da, \(self.value(value))."
    }
  }

  private static func sentence(_ parts: [String?]) -> String {
    capitalized(parts.compactMap(\.self).joined(separator: ", ")) + "."
  }

  private static func lasting(_ held: SessionTime?) -> String { held.map { "seit \(span($0)) " } ?? "" }

  private static func span(_ time: SessionTime) -> String {
    let parts = parts(time)
    func counted(_ number: Int64, _ one: String, _ many: String) -> String? {
      number == 0 ? nil : number == 1 ? "1 \(one)" : "\(number) \(many)"
    }
    let words = [
      counted(parts.hours, "Stunde", "Stunden"), counted(parts.minutes, "Minute", "Minuten"),
      counted(parts.seconds, "Sekunde", "Sekunden"),
    ]
    let text = words.compactMap(\.self).joined(separator: " ")
    return text.isEmpty ? "0 Sekunden" : text
  }

  private static func words(
    _ action: CueAction, _ quantity: TargetQuantity, isOutside: Bool
  ) -> (place: String, advice: String) {
    switch (action, quantity) {
    case (.hold, _): (isOutside ? "nahe am Ziel" : "im Ziel", "So weiter.")
    case (.speedUp, .alpha1): ("zu leicht", "Schneller.")
    case (.slowDown, .alpha1): ("zu anstrengend", "Langsamer.")
    case (.speedUp, .cadence): ("zu wenige Schritte", "Schnellere Schritte.")
    case (.slowDown, .cadence): ("zu viele Schritte", "Langsamere Schritte.")
    case (.speedUp, .pace), (.speedUp, .speed), (.speedUp, .gradeAdjustedPace): ("zu langsam", "Schneller.")
    case (.slowDown, .pace), (.slowDown, .speed), (.slowDown, .gradeAdjustedPace): ("zu schnell", "Langsamer.")
    }
  }

  private static func name(_ quantity: TargetQuantity) -> (none: String, definite: String) {
    switch quantity {
    case .pace: ("Kein Tempo", "Das Tempo")
    case .speed: ("Keine Geschwindigkeit", "Die Geschwindigkeit")
    case .cadence: ("Keine Schrittfrequenz", "Die Schrittfrequenz")
    case .gradeAdjustedPace: ("Kein steigungsbereinigtes Tempo", "Das steigungsbereinigte Tempo")
    case .alpha1: ("Kein Alpha 1", "Das Alpha 1")
    }
  }

  private static func value(_ value: SpokenValue) -> String {
    switch value {
    case .standing: "im Stehen"
    case .pace(_, let unit), .number(_, let unit): "\(number(value)) \(self.unit(unit))"
    }
  }

  /// A pace with its minutes said, because `5:12` would be read as a time of day.
  private static func number(_ value: SpokenValue) -> String {
    switch value {
    case .pace(let seconds, _): "\(seconds / 60) Minuten \(seconds % 60)"
    case .number(let number, _): number.replacing(".", with: ",")
    case .standing: "im Stehen"
    }
  }

  private static func unit(_ unit: QuantityUnit) -> String {
    switch unit {
    case .secondsPerKilometer: "pro Kilometer"
    case .secondsPerMile: "pro Meile"
    case .kilometersPerHour: "Kilometer pro Stunde"
    case .milesPerHour: "Meilen pro Stunde"
    case .metersPerSecond: "Meter pro Sekunde"
    case .stepsPerMinute: "Schritte pro Minute"
    case .alpha1: "Alpha 1"
    }
  }

  /// The names that plans usually give; another one is said as it is.
  private static let names = [
    "warm-up": "Aufwärmen", "effort": "Belastung", "interval": "Intervall", "rest": "Pause", "recovery": "Erholung",
    "easy": "locker", "cool-down": "Auslaufen", "walk": "Gehen", "run": "Laufen",
  ]

  private static func step(_ step: SpokenStep) -> String {
    let called = step.name.map { names[$0.lowercased()] ?? $0 } ?? step.activity.map(word)
    let name =
      called.map { $0 + (step.repetition.map { " \($0.number) von \($0.count)" } ?? "") }
      ?? "Schritt \(step.number) von \(step.count)"
    // Without a name it is called by what is to be done.
    let activity = step.name == nil ? nil : step.activity.map(word)
    let length =
      switch step.length {
      case .untilLap: "bis zur nächsten Runde"
      case .time(let time): span(time)
      case .distance(let way): distance(way)
      }
    return sentence([name, activity, length, step.target.map { "Ziel " + target($0) } ?? "ohne Ziel"])
  }

  private static func word(_ activity: StepActivity) -> String {
    switch activity {
    case .walking: "Gehen"
    case .running: "Laufen"
    }
  }

  private static func target(_ target: SpokenTarget) -> String {
    switch target {
    case .heartRate(let lower?, let upper?): "\(lower) bis \(upper)"
    case .heartRate(nil, let upper?): "höchstens \(upper)"
    case .heartRate(let lower?, nil): "mindestens \(lower)"
    case .heartRate(nil, nil): "jeder Puls"
    case .quantity(let lower, let upper): "\(number(lower)) bis \(value(upper))"
    }
  }

  private static func distance(_ way: SpokenDistance) -> String {
    let unit =
      switch way.unit {
      case .meters: "Meter"
      case .kilometers: "Kilometer"
      case .feet: "Fuß"
      case .miles: way.number == "1" ? "Meile" : "Meilen"
      }
    return "\(way.number.replacing(".", with: ",")) \(unit)"
  }

  private static func best(_ best: BestDistance) -> String {
    switch best {
    case .meters(let count): "\(count) Meter"
    case .kilometers(let count): count == 1 ? "einen Kilometer" : "\(count) Kilometer"
    case .mile: "eine Meile"
    case .halfMarathon: "den Halbmarathon"
    case .marathon: "den Marathon"
    }
  }
}
