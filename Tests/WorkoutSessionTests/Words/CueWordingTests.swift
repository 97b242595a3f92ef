import Testing
@testable import WorkoutSession
@testable import ZoneEngine
@testable import WorkoutTestSupport

@Suite("What is spoken")
struct CueWordingTests {
  private static func step(_ name: String?, _ seconds: Int?, _ target: TrainingTarget) throws -> TrainingPlan.Step {
    try TrainingPlan.Step(name: name, duration: seconds.map { .seconds($0) }, target: target)
  }

  private static func spoken(_ event: EngineEvent, _ language: SpokenLanguage = .english) -> String? {
    SpokenPhrase(event, ofSteps: 3, in: .metric).map(language.text)
  }

  @Test("Steps of a plan are spoken with their length and their target")
  func steps() throws {
    var request = CoachingRequest()
    request.profile.ageYears = 23
    let zones = try request.zones(on: nil)
    let hard = try ResolvedTarget(.zone(4), in: zones)
    func spoken(_ step: TrainingPlan.Step?, _ target: ResolvedTarget?) -> String? {
      Self.spoken(.stepChanged(at: .zero, number: 2, step: step, target: target))
    }
    #expect(try spoken(Self.step("effort", 180, .zone(4)), hard) == "Effort, 3 minutes, target 158 to 177.")
    #expect(try spoken(Self.step(nil, 45, .zone(4)), hard) == "Step 2 of 3, 45 seconds, target 158 to 177.")
    #expect(try spoken(Self.step("easy", nil, .open), nil) == "Easy, until you mark a lap, no target.")
    #expect(spoken(nil, nil) == "The plan is finished.")
  }

  @Test("What becomes of the signal is spoken, and nothing makes a medical claim")
  func signal() {
    let events: [EngineEvent] = [
      .signalLost(at: .zero), .signalRestored(at: .zero, heartRateBPM: 128),
      .signalSuspect(at: .zero, suspicion: .stuck, since: .zero),
      .signalSuspect(at: .zero, suspicion: .cadenceLock, since: .zero),
    ]
    let spoken = events.map { Self.spoken($0) }
    #expect(
      spoken == [
        "No heart rate. Check the sensor.", "Heart rate is back, 128.",
        "Is that your heart? The reading does not change.",
        "Is that your heart? The reading equals your cadence.",
      ])
    #expect(Self.spoken(.paused(at: .zero)) == nil)
    #expect(Self.spoken(.resumed(at: .zero)) == nil)
  }

  /// The decisions to hold of a session by a strategy, of a reading at each second.
  private static func holds(_ target: TargetRequest, _ strategy: String, _ readings: [Reading]) throws -> [Decision] {
    try cues(target, strategy, readings.enumerated().map { (.seconds($0.offset), $0.element) })
      .filter { $0.outcome == .cue(.hold) }
  }

  /// The decisions for a cue of a session by a strategy.
  private static func cues(
    _ target: TargetRequest, _ strategy: String, _ readings: [(time: SessionTime, reading: Reading)]
  ) throws -> [Decision] {
    var request = CoachingRequest()
    request.profile.ageYears = 23
    request.target = target
    request.strategy = try FeedbackStrategy(specification: strategy)
    var pipeline = SessionPipeline(settings: try request.settings(on: nil), durationLimit: nil)
    var events: [SessionEvent] = []
    pipeline.begin(into: &events)
    for (time, reading) in readings { _ = pipeline.take(Sample(reading, at: time), into: &events) }
    return events.compactMap { event in
      guard case .engine(.decision(let decision)) = event, case .cue = decision.outcome else { return nil }
      return decision
    }
  }

  private static func heartRates(_ parts: (bpm: Double, seconds: Int)...) -> [Reading] {
    parts.flatMap { [Reading](repeating: .heartRate($0.bpm), count: $0.seconds) }
  }

  @Test(
    "A hold by the margin never says that the heart rate is in the target where it is not",
    arguments: [(142.0, "a little above"), (128, "a little below"), (140, "in"), (130, "in")])
  func margin(bpm: Double, place: String) throws {
    let readings = Self.heartRates((bpm < 135 ? 150 : 120, 15), (135, 5), (bpm, 20))
    let hold = try #require(Self.holds("130-140", "zone-change:dwell=10,margin=2", readings).first)
    let near = place == "in" ? "" : ", in it or near it"
    #expect(
      CueWording.message(.hold, hold, in: .metric) == "Hold: \(Int(bpm)) bpm, \(place) 130–140\(near) for 10 s.")
    let spoken = SpokenLanguage.allCases.map { $0.text(SpokenPhrase(.hold, hold, in: .metric)) }
    #expect(
      spoken
        == (place == "in"
          ? ["\(Int(bpm)), on target. Hold.", "\(Int(bpm)), im Ziel. So weiter."]
          : ["\(Int(bpm)), near the target. Hold.", "\(Int(bpm)), nahe am Ziel. So weiter."]))
  }

  @Test("A hold for most of a window, or by a median, says where the newest heart rate is")
  func window() throws {
    let period = try #require(
      Self.holds("130-140", "period:every=60,window=60", Self.heartRates((135, 50), (150, 20))).first)
    #expect(
      CueWording.message(.hold, period, in: .metric)
        == "Hold: 150 bpm, now above 130–140, in it for 51 s of the last 60 s.")
    let median = try #require(
      Self.holds("130-140", "moment:every=60,median=10", Self.heartRates((135, 58), (150, 20))).first)
    #expect(
      CueWording.message(.hold, median, in: .metric) == "Hold: 150 bpm, now above 130–140, judged by 135.")
  }

  @Test("What was measured by a clock with nine digits is said to a tenth of a second")
  func tenths() throws {
    let readings = (0...70).map { second -> (SessionTime, Reading) in
      second < 20
        ? (.seconds(second), .heartRate(135))
        : (.seconds(second) + SessionTime(nanoseconds: 281_387_512), .heartRate(120))
    }
    // What lies so far off is taken from the third reading that says it, and what was before held until the second.
    let cue = try #require(Self.cues("130-140", "period:every=60,window=60", readings).first)
    #expect(
      CueWording.message(.speedUp, cue, in: .metric)
        == "Speed up: 120 bpm, below 130–140 for 38.7 s of the last 60 s.")
    let spans: [(Int64, String)] = [
      (0, "0 s"), (49_999_999, "0 s"), (50_000_000, "0.1 s"), (4_949_999_999, "4.9 s"), (4_950_000_000, "5 s"),
      (59_999_999_999, "60 s"), (3_600_000_000_001, "3600 s"),
    ]
    for (nanoseconds, text) in spans {
      #expect(CueWording.measured(SessionTime(nanoseconds: nanoseconds)) == text)
    }
  }

  @Test("A hold by the margin of a pace says that it is a little faster than asked for")
  func pace() throws {
    let readings =
      [Reading](repeating: .speed(1_000.0 / 360), count: 30) + [Reading](repeating: .speed(1_000.0 / 318), count: 40)
    let hold = try #require(Self.holds("5:20-5:40/km", "zone-change:dwell=10,margin=2", readings).first)
    #expect(
      CueWording.message(.hold, hold, in: .metric)
        == "Hold: 5:18 /km, a little faster than 5:20–5:40 /km, in it or near it for 10 s.")
    #expect(CueWording.message(.hold, hold, in: .imperial).contains(", a little faster than "))
  }

  @Test("A reason by α1 says that it is of two minutes, so that nobody takes it for now")
  func alpha1() throws {
    let band = try QuantityBand(.alpha1, .alpha1, 75, 100)
    let evidence = MeasuredEvidence(
      value: 1 / 1.17, age: .zero, judged: nil, slopePerSecond: nil, gradient: nil, beats: nil)
    #expect(band.reason("above", evidence) == "α1 1.17 of the last two minutes, above α1 0.75–1.00")
  }
}
