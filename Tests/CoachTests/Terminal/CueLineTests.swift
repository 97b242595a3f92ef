import Testing
@testable import WorkoutSession
@testable import ZoneEngine
@testable import coach

@Suite("Lines of a session")
struct CueLineTests {
  static func picture(width: Int) throws -> String {
    let cues = CueLine(zones: try TerminalFixture.wiseZones(), width: width, units: .metric)
    return try TerminalFixture.everyEvent().map(cues.line).plain
  }

  @Test("Every event at 80 columns")
  func at80() throws {
    #expect(
      try Self.picture(width: 80) == """
        0:00:00  ▶ started
        0:01:00  ▲ SPEED UP   113 bpm  Z1 Low intensity   → 119–137  54 s of 60 s in Z1
        0:02:00  ● HOLD       121 bpm  Z2 Weight control  → 119–137  30 s of 60 s in Z2
        0:03:00  ● HOLD       120 bpm  Z2 Weight control  → 119–137  60 s of 60 s in Z2
        0:09:00  ▼ SLOW DOWN  156 bpm  Z3 Aerobic         → 119–137  48 s of 60 s in Z3
        0:10:00  ▼ SLOW DOWN  155 bpm  Z3 Aerobic         → 119–137  55 s of 60 s in Z3
        0:16:00  · no cue: no usable heart rate for more than 15 s
        0:19:00  · no cue: only 0 s of the last 60 s have a heart rate
        0:15:14  ✕ signal lost: no usable heart rate for 15 s
        0:19:00  ✓ signal restored: 121 bpm
        0:21:40  ? is it the heart? the same reading since 0:19:40
        0:21:50  ? is it the heart? it equals the cadence since 0:21:30
        0:22:00  ◆ step 2: hard\\u{1b}[31m uphill, 3 min, target 158–177 bpm
        0:25:00  ◆ step 3, until a lap, no target
        0:26:40  ◆ plan finished
        0:26:50  ‖ paused
        0:27:00  ▶ resumed
        0:27:10  ◇ lap 3
        0:27:20  ⇄ heart rate now from Garmin HRM-Pro, Polar H10 is silent
        0:27:30  ⇄ heart rate now from an unnamed source, the first source is silent
        1:02:03  → 30 s to go
                 ✓ command c-7 done
                 ✕ command c-8 refused: the session is paused already (answered before)
        10:01:01  ■ ended: the time is up

        """)
  }

  @Test("Every event at 40 columns")
  func at40() throws {
    #expect(
      try Self.picture(width: 40) == """
        0:00:00 ▶ started
        0:01:00 ▲ SPEED UP  113 Z1 → 119–137
        0:02:00 ● HOLD      121 Z2 → 119–137
        0:03:00 ● HOLD      120 Z2 → 119–137
        0:09:00 ▼ SLOW DOWN 156 Z3 → 119–137
        0:10:00 ▼ SLOW DOWN 155 Z3 → 119–137
        0:16:00 · no cue: no usable heart rate
        0:19:00 · no cue: too little heart rate
        0:15:14 ✕ signal lost
        0:19:00 ✓ signal restored: 121 bpm
        0:21:40 ? same reading since 0:19:40
        0:21:50 ? equals the cadence
        0:22:00 ◆ step 2, 158–177
        0:25:00 ◆ step 3, until a lap, no target
        0:26:40 ◆ plan finished
        0:26:50 ‖ paused
        0:27:00 ▶ resumed
        0:27:10 ◇ lap 3
        0:27:20 ⇄ now from Garmin HRM-Pro
        0:27:30 ⇄ now from an unnamed source
        1:02:03 → 30 s to go
                ✓ command c-7 done
                ✕ c-8 refused: paused already
        10:01:01 ■ ended: the time is up

        """)
  }

  @Test("The line of a step says what is to be done, at every width at which it says anything")
  func stepActivities() throws {
    let target = try ResolvedTarget(.zone(2), in: TerminalFixture.wiseZones())
    func line(_ width: Int, _ name: String?, _ activity: StepActivity, _ target: ResolvedTarget?) throws -> String {
      let step = try TrainingPlan.Step(name: name, length: .time(.seconds(60)), target: .zone(2), activity: activity)
      let cues = CueLine(zones: try TerminalFixture.wiseZones(), width: width, units: .metric)
      let event = EngineEvent.stepChanged(at: .seconds(60), number: 2, step: step, target: target)
      return cues.line(for: .engine(event)).plain
    }
    #expect(try line(80, nil, .walking, target) == "0:01:00  ◆ step 2, 60 s walking, target 119–137 bpm")
    #expect(try line(40, nil, .running, target) == "0:01:00 ◆ step 2, 60 s running, 119–137")
    #expect(try line(80, "easy", .walking, nil) == "0:01:00  ◆ step 2: easy, 60 s walking, no target")
    #expect(try line(80, "run", .running, target) == "0:01:00  ◆ step 2: run, 60 s, target 119–137 bpm")
    for width in 25...120 {
      for asked in [target, nil] {
        let text = try line(width, "a long way up the hill", .running, asked)
        #expect(text.contains("running"), "\(width): \(text)")
        #expect(text.count <= width, "\(width): \(text)")
      }
    }
  }

  @Test("With room the evidence is a sentence, and the target has a name")
  func at200() throws {
    let lines = try Self.picture(width: 200).split(separator: "\n")
    #expect(
      lines[4] == "0:09:00  ▼ SLOW DOWN  156 bpm  Z3 Aerobic         target 119–137  48 s of the last 60 s in Z3")
  }

  @Test("No line is wider than the terminal")
  func width() throws {
    for strategy in ["moment:every=30", "period:every=120,window=600"] {
      let events = try TerminalFixture.halfHour(strategy: strategy).events + TerminalFixture.everyEvent()
      for columns in 0...200 {
        let cues = CueLine(zones: try TerminalFixture.wiseZones(), width: columns, units: .metric)
        let wrong = events.map(cues.line).filter { $0.width > columns || $0.plain.last == " " }
        #expect(wrong.isEmpty, "\(columns): \(wrong.plain)")
      }
    }
  }

  @Test("Columns stand under each other whatever the numbers are", arguments: [40, 50, 60, 70, 80, 88, 100, 200])
  func columns(width: Int) throws {
    let events = try TerminalFixture.halfHour(strategy: "period:every=30,window=120").events
    let cues = CueLine(zones: try TerminalFixture.wiseZones(), width: width, units: .metric)
    let places = Set(
      events.compactMap { event -> Int? in
        guard case .engine(.decision(let decision)) = event, case .cue = decision.outcome else { return nil }
        let text = cues.line(for: event).plain
        return text.firstRange(of: "119–137").map { text.distance(from: text.startIndex, to: $0.lowerBound) }
      })
    #expect(places.count == 1)
  }

  @Test("A judged range says on which side the heart rate was")
  func range() throws {
    var request = TerminalFixture.request()
    request.target = "119-137"
    request.strategy = try FeedbackStrategy(specification: "period:every=60,window=60")
    var played = try TerminalFixture.Played(request)
    played.run(0..<130) { $0 < 60 ? 100 : min(150, 100 + Double($0 - 60) * 2) }
    let cues = CueLine(zones: played.pipeline.engine.settings.zones, width: 100, units: .metric)
    #expect(
      played.events.dropFirst().map(cues.line).plain == """
        0:01:00  ▲ SPEED UP   100 bpm  Z1 Low intensity   target 119–137  60 s of the last 60 s below
        0:02:00  ▼ SLOW DOWN  150 bpm  Z3 Aerobic         target 119–137  41 s of the last 60 s above

        """)
  }

  @Test("Open zones and bands beyond the zones have words")
  func openZones() throws {
    let friel = try HeartRateZones(
      model: .percentOfThreshold(thresholdBPM: 168, scheme: .frielRunning), maximum: nil)
    #expect(friel.possibleBands.count == 7)
    #expect(try ResolvedTarget(.zone(1), in: friel)?.rangeText == "to 142")
    let wise = try TerminalFixture.wiseZones()
    #expect(wise.title(of: .below) == "below Z1")
    #expect(wise.range(of: .aboveMaximum) == "over 197")
    #expect(wise.shortLabel(of: .aboveMaximum) == ">Z5")
  }

  @Test("Every reason and every refusal has a line")
  func reasons() throws {
    let cues = CueLine(zones: try TerminalFixture.wiseZones(), width: 80, units: .metric)
    let evidence = Evidence(heartRateBPM: nil, heartRateAge: nil, window: nil, covered: nil, held: [])
    let lines = WithholdingReason.allCases.map { reason in
      let decision = Decision(
        time: .seconds(60), outcome: .withheld(reason), band: nil, target: nil, evidence: evidence)
      return cues.line(for: .engine(.decision(decision)))
    }
    #expect(Set(lines).count == WithholdingReason.allCases.count)
    #expect(lines.flatMap(\.runs).allSatisfy { $0.style.isDim || $0.text.allSatisfy { $0 == " " } })
    let refusals = CommandRefusal.allCases.map {
      cues.line(for: .acknowledgement(Acknowledgement(id: "1", refusal: $0, isRepeated: false)))
    }
    #expect(Set(refusals).count == CommandRefusal.allCases.count)
  }
}
