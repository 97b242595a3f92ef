import Foundation
import Testing
@testable import WorkoutSession
import ZoneEngine

@Suite("The table of what is spoken")
struct SpokenPhraseTests {
  /// A phrase of each kind; a kind that is new has to come here, because the switch below names all of them.
  static func examples() throws -> [SpokenPhrase] {
    let zones = try HeartRateZones(model: .percentOfMaximum, maximum: try MaximumHeartRate(measured: 197))
    let effort = try TrainingPlan.Step(
      name: "effort", length: .time(.seconds(150)), target: .zone(4), repetition: StepRepetition(number: 2, count: 4))
    let rest = try TrainingPlan.Step(name: "rest", length: .distance(meters: 400), target: .open)
    let step = SpokenStep(effort, number: 3, of: 9, try ResolvedTarget(.zone(4), in: zones), in: .metric)
    let way = SpokenStep(rest, number: 4, of: 9, nil, in: .metric)
    let others = try StepActivity.allCases.flatMap { activity -> [SpokenPhrase] in
      let named = try TrainingPlan.Step(name: "easy", length: .untilLap, target: .open, activity: activity)
      let unnamed = try TrainingPlan.Step(name: nil, length: .untilLap, target: .open, activity: activity)
      return [
        .step(SpokenStep(named, number: 1, of: 2, nil, in: .metric)),
        .step(SpokenStep(unnamed, number: 2, of: 2, nil, in: .metric)),
        .activityDiffers(asked: activity),
      ]
    }
    let far = SpokenDistance(meters: 1_250, in: .metric)
    let cues = CueAction.allCases.flatMap { action -> [SpokenPhrase] in
      [
        .heartRateCue(action, bpm: 164, held: .seconds(20)), .heartRateCue(action, bpm: nil, held: nil),
      ]
        + CueGrade.allCases.filter { _ in action != .hold }.map { .heartRateCue(action, $0, bpm: 164, held: nil) }
        + TargetQuantity.allCases.map {
          .quantityCue(action, $0, .pace(seconds: 352, .secondsPerKilometer), held: .seconds(95))
        }
    }
    let quantities = TargetQuantity.allCases.flatMap { quantity -> [SpokenPhrase] in
      [.quantityLost(quantity), .quantityRestored(quantity, .number("11.4", .kilometersPerHour))]
    }
    let halves = HalfComparison.allCases.flatMap { comparison -> [SpokenPhrase] in
      [.halvesOfTime(secondIs: comparison, by: far), .halvesOfDistance(secondIs: comparison, by: .seconds(12))]
    }
    let bests = BestEffort.distances.compactMap { BestDistance(meters: $0) }
    #expect(bests.count == BestEffort.distances.count)
    let units = UnitSystem.allCases.map { SpokenPhrase.split(number: 3, $0, .seconds(312)) }
    return cues + quantities + halves + units + others + bests.map { .bestEffort($0, .seconds(4_000)) } + [
      .ceilingCue(bpm: 190, ceiling: 185, above: .seconds(1)), .step(step), .step(way), .planFinished,
      .timeLeft(.seconds(10), next: way), .timeLeft(.seconds(60), next: nil), .countdown(3),
      .halfTime(left: .seconds(900)), .halfDistance(left: far), .signalLost, .signalRestored(bpm: 128), .signalStuck,
      .signalCadenceLock,
    ]
  }

  /// The place of a kind; the compiler asks for each new one.
  private static func kind(_ phrase: SpokenPhrase) -> Int {
    switch phrase {
    case .heartRateCue: 0
    case .ceilingCue: 1
    case .quantityCue: 2
    case .step: 3
    case .planFinished: 4
    case .timeLeft: 5
    case .countdown: 6
    case .split: 7
    case .halfTime: 8
    case .halfDistance: 9
    case .halvesOfTime: 10
    case .halvesOfDistance: 11
    case .bestEffort: 12
    case .signalLost: 13
    case .signalRestored: 14
    case .signalStuck: 15
    case .signalCadenceLock: 16
    case .quantityLost: 17
    case .quantityRestored: 18
    case .activityDiffers: 19
    }
  }

  @Test(
    "Every phrase has words in every language, each its own, and every number that is said in one is said in the other")
  func complete() throws {
    let examples = try Self.examples()
    #expect(Set(examples.map(Self.kind)) == Set(0...19))
    for phrase in examples {
      let texts = SpokenLanguage.allCases.map { $0.text(phrase) }
      for text in texts { #expect(!text.isEmpty) }
      if case .countdown = phrase { continue }
      #expect(Set(texts).count == texts.count, "\(texts)")
      for text in texts {
        #expect(text.last == ".", "\(text)")
        #expect(text.first?.isLowercase == false, "\(text)")
      }
      let numbers = texts.map { $0.split { !$0.isNumber }.sorted() }
      #expect(Set(numbers).count == 1, "\(texts)")
    }
  }

  @Test("What is spoken in English and German")
  func sentences() throws {
    func both(_ phrase: SpokenPhrase) -> [String] { SpokenLanguage.allCases.map { $0.text(phrase) } }
    #expect(
      both(.split(number: 3, .imperial, .seconds(512)))
        == ["Mile 3, 8 minutes 32 seconds.", "Meile 3, 8 Minuten 32 Sekunden."])
    #expect(
      both(.heartRateCue(.slowDown, bpm: 164, held: .seconds(20)))
        == ["164, above target for 20 seconds. Ease off.", "164, seit 20 Sekunden über dem Ziel. Langsamer."])
    #expect(
      both(.heartRateCue(.slowDown, .much, bpm: 164, held: nil))
        == ["164, above target. Much slower.", "164, über dem Ziel. Viel langsamer."])
    #expect(
      both(.heartRateCue(.speedUp, .little, bpm: nil, held: nil))
        == ["Below target. A little faster.", "Unter dem Ziel. Etwas schneller."])
    #expect(
      both(.heartRateCue(.hold, .much, bpm: nil, held: nil))
        == ["On target. Hold.", "Im Ziel. So weiter."])
    #expect(
      both(.bestEffort(.kilometers(5), .seconds(1_500)))
        == ["Your best 5 kilometers: 25 minutes.", "Deine Bestzeit über 5 Kilometer: 25 Minuten."])
    #expect(SpokenLanguage.english.text(.halfTime(left: .seconds(90))) == "Halfway. 90 seconds to go.")
    #expect(SpokenLanguage.english.text(.halfTime(left: .seconds(150))) == "Halfway. 2 minutes 30 seconds to go.")
  }

  @Test("A step says what is to be done, without a name in its place, and once where the name says it")
  func activities() throws {
    let zones = try HeartRateZones(model: .percentOfMaximum, maximum: try MaximumHeartRate(measured: 197))
    let target = try ResolvedTarget(.zone(2), in: zones)
    func both(_ name: String?, _ activity: StepActivity?, _ repetition: StepRepetition? = nil) throws -> [String] {
      let step = try TrainingPlan.Step(
        name: name, length: .time(.seconds(60)), target: .zone(2), activity: activity, repetition: repetition)
      return SpokenLanguage.allCases.map { $0.text(.step(SpokenStep(step, number: 3, of: 8, target, in: .metric))) }
    }
    #expect(
      try both(nil, .walking)
        == ["Walking, 60 seconds, target 119 to 137.", "Gehen, 60 Sekunden, Ziel 119 bis 137."])
    #expect(
      try both(nil, .running, StepRepetition(number: 2, count: 4))
        == ["Running 2 of 4, 60 seconds, target 119 to 137.", "Laufen 2 von 4, 60 Sekunden, Ziel 119 bis 137."])
    #expect(
      try both("warm-up", .walking)
        == ["Warm-up, walking, 60 seconds, target 119 to 137.", "Aufwärmen, Gehen, 60 Sekunden, Ziel 119 bis 137."])
    #expect(
      try both("run", .running) == ["Run, 60 seconds, target 119 to 137.", "Laufen, 60 Sekunden, Ziel 119 bis 137."])
    #expect(try both("Easy jog", .running).first == "Easy jog, 60 seconds, target 119 to 137.")
    #expect(try both("run", .walking).first == "Run, walking, 60 seconds, target 119 to 137.")
    // As a screen calls it.
    #expect(
      try both(nil, nil)
        == ["Step 3 of 8, 60 seconds, target 119 to 137.", "Schritt 3 von 8, 60 Sekunden, Ziel 119 bis 137."])
    #expect(
      try both(nil, nil, StepRepetition(number: 2, count: 4)).first == "Step 3 of 8, 60 seconds, target 119 to 137.")
    #expect(
      SpokenLanguage.allCases.map { $0.text(.activityDiffers(asked: .running)) }
        == ["This step is for running.", "Jetzt ist Laufen dran."])
  }

  @Test("Nothing is spoken but what the table says: no other source makes a sentence of it")
  func onlyHere() throws {
    let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/") + "/Sources"
    let files = try #require(FileManager.default.enumerator(atPath: root)).compactMap { $0 as? String }
    let swift = files.filter { $0.hasSuffix(".swift") && !$0.contains("Words/Spoken/") }
    #expect(swift.count > 100)
    for file in swift {
      let text = try String(contentsOfFile: root + "/" + file, encoding: .utf8)
      #expect(!text.contains("func spoken"), "\(file)")
      #expect(!text.contains("SpokenWords"), "\(file)")
    }
    let announcers = try String(contentsOfFile: root + "/coach/Announcing/CueAnnouncers.swift", encoding: .utf8)
    let said = announcers.split(separator: "\n").filter { $0.contains("say(") && !$0.contains("func say") }
    #expect(!said.isEmpty)
    #expect(said.allSatisfy { $0.contains("say(said.text, title: said.title, ") }, "\(said)")
    #expect(announcers.contains("let said = Self.sentence(breath, in: language)"))
    #expect(announcers.contains("let late = isShorter ? Self.sentence(lasting, in: language) : nil"))
    #expect(announcers.contains("breath.map { language.text($0.phrase) }.joined(separator: \" \"),\n"))
  }
}

@Suite("Units")
struct UnitSystemTests {
  @Test("Distances, paces, speeds and heights in both")
  func quantities() {
    let (metric, imperial) = (UnitSystem.metric, UnitSystem.imperial)
    #expect(metric.distance(meters: 840.2) == "840 m")
    #expect(imperial.distance(meters: 250) == "820 ft")
    // 5 km are 3.10686 miles.
    #expect(imperial.distance(meters: 5_000) == "3.11 mi")
    // A kilometre in 5:00 is a mile in 482.8 s.
    #expect(imperial.pace(secondsPerKilometer: 300) == "8:03 /mi")
    #expect(imperial.pace(secondsPerKilometer: 4_000) == nil)
    #expect(imperial.speed(metersPerSecond: 10) == "22.4 mph")
    #expect(metric.speed(metersPerSecond: 10) == "36.0 km/h")
    #expect(imperial.elevation(meters: 100) == "328 ft")
    #expect(metric.elevation(meters: 100) == "100 m")
    #expect(imperial.length(meters: 1_609.344) == "1 mi")
    #expect(imperial.length(meters: 400) == "0.25 mi")
    #expect(metric.length(meters: 1_200) == "1.2 km")
    #expect(imperial.goal(kilometers: 30) == "18.6 mi")
    #expect(metric.goal(kilometers: 30) == "30 km")
  }

  @Test("A pace that was asked for by the kilometre is read by the mile, one by the mile stays, steps stay")
  func bands() throws {
    func read(_ text: String) throws -> String {
      let zones = try HeartRateZones(model: .percentOfMaximum, maximum: try MaximumHeartRate(measured: 197))
      let target = try TargetRequest(text).resolved(in: zones).get()
      return try #require(target).text(in: .imperial)
    }
    #expect(try read("5:20-5:40/km") == "8:35–9:07 /mi")
    #expect(try read("8:30-9:00/mi") == "8:30–9:00 /mi")
    #expect(try read("170-180spm") == "170–180 spm")
    #expect(try read("119-137") == "119–137 bpm")
  }
}
