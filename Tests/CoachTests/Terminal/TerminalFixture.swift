@testable import WorkoutSession
import ZoneEngine
@testable import coach

/// Sessions to be looked at.
enum TerminalFixture {
  /// The zones of Table 1 of the Wise paper: age 23, maximum 197.
  static func wiseZones() throws -> HeartRateZones { try request().zones(on: nil) }

  /// A request of a man of 23 years and 70 kg.
  static func request() -> CoachingRequest {
    var request = CoachingRequest()
    request.profile.ageYears = 23
    request.profile.sex = .male
    request.profile.weightKilograms = 70
    request.profile.restingHeartRate = 55
    return request
  }

  /// A session that has taken all of its samples.
  struct Played {
    var pipeline: SessionPipeline
    var events: [SessionEvent]
    var targets: TargetTimeline
    let activity: Activity

    /// What it came to.
    var outcome: SessionOutcome { SessionOutcome(pipeline, targets: targets, activity: activity) }

    init(_ request: CoachingRequest, durationLimit: SessionTime? = nil) throws {
      let settings = try request.settings(on: nil)
      pipeline = SessionPipeline(settings: settings, durationLimit: durationLimit)
      targets = TargetTimeline(settings: settings)
      activity = request.activity
      events = []
      pipeline.begin(into: &events)
    }

    /// Takes heart rate, distance and steps of the seconds; none of a heart rate where the body gives `nil`.
    mutating func run(_ seconds: Range<Int>, _ beatsPerMinute: (Int) -> Double?) {
      for second in seconds {
        let time = SessionTime.seconds(second)
        if let bpm = beatsPerMinute(second) { take(.heartRate(bpm), at: time) }
        take(.distance(Double(second) * 2.75), at: time)
        if second % 5 == 0 { take(.steps(14), at: time) }
      }
    }

    mutating func take(_ reading: Reading, at time: SessionTime) {
      _ = pipeline.take(Sample(reading, at: time), into: &events)
    }

    mutating func finish(at seconds: Int) {
      pipeline.finish(at: .seconds(seconds), reason: .endOfInput, into: &events)
      for event in events { targets.note(event) }
    }
  }

  /// Half an hour in zone 2: a slow start, a strong middle, four minutes without a signal, a pause of two minutes, some
  /// implausible and some late readings.
  static func halfHour(strategy: String = "period:every=60,window=60") throws -> Played {
    var request = request()
    request.target = "z2"
    request.strategy = try FeedbackStrategy(specification: strategy)
    var played = try Played(request)
    played.run(0..<1320, heartRate)
    played.pipeline.pause(at: .seconds(1320), into: &played.events)
    played.pipeline.resume(at: .seconds(1440), into: &played.events)
    played.run(1440..<1800, heartRate)
    played.take(.heartRate(120), at: .seconds(1200))
    played.take(.heartRate(heartRate(1799) ?? 0), at: .seconds(1799))
    played.finish(at: 1800)
    return played
  }

  /// Five intervals in zone 4 with rests in zone 2, of two and a half minutes each, after a warm-up without a target.
  static func intervals() throws -> Played {
    var request = request()
    var steps = [PlanRequest.Step(name: "warm-up", duration: .seconds(300), target: nil)]
    for _ in 1...5 {
      steps.append(PlanRequest.Step(name: "hard", duration: .seconds(150), target: "z4"))
      steps.append(PlanRequest.Step(name: "easy", duration: .seconds(150), target: "z2"))
    }
    request.plan = PlanRequest(steps: steps)
    request.strategy = try FeedbackStrategy(specification: "moment:every=60")
    var played = try Played(request)
    played.run(0..<1800) { second in
      guard second >= 300 else { return 90 + Double(second) / 15 }
      let phase = (second - 300) % 300
      let swing = phase < 150 ? Double(phase) / 150 : Double(300 - phase) / 150
      return 118 + 45 * (swing * (2 - swing)) + Double(second % 7) / 7
    }
    played.finish(at: 1800)
    return played
  }

  /// An event of every kind, with the decisions of a strategy with a window.
  static func everyEvent() throws -> [SessionEvent] {
    let half = try halfHour()
    let decisions = half.events.filter { if case .engine(.decision) = $0 { true } else { false } }
    let hard = try TrainingPlan.Step(name: "hard\u{1B}[31m uphill", duration: .seconds(180), target: .zone(4))
    let free = try TrainingPlan.Step(name: nil, duration: nil, target: .open)
    let target = try ResolvedTarget(.zone(4), in: wiseZones())
    return [.started(at: .zero)] + decisions.prefix(3) + decisions[8...9] + decisions[15...15] + decisions[18...18] + [
      .engine(.signalLost(at: .seconds(914))),
      .engine(.signalRestored(at: .seconds(1140), heartRateBPM: 121)),
      .engine(.signalSuspect(at: .seconds(1300), suspicion: .stuck, since: .seconds(1180))),
      .engine(.signalSuspect(at: .seconds(1310), suspicion: .cadenceLock, since: .seconds(1290))),
      .engine(.stepChanged(at: .seconds(1320), number: 2, step: hard, target: target)),
      .engine(.stepChanged(at: .seconds(1500), number: 3, step: free, target: nil)),
      .engine(.stepChanged(at: .seconds(1600), number: 4, step: nil, target: nil)),
      .engine(.paused(at: .seconds(1610))),
      .engine(.resumed(at: .seconds(1620))),
      .lap(at: .seconds(1630), number: 3),
      .sourceChanged(at: .seconds(1640), from: "Polar H10", to: "Garmin HRM-Pro"),
      .sourceChanged(at: .seconds(1650), from: nil, to: nil),
      .countdown(at: .seconds(3723), remaining: .seconds(30)),
      .acknowledgement(Acknowledgement(id: "c-7", refusal: nil, isRepeated: false)),
      .acknowledgement(Acknowledgement(id: "c-8", refusal: .alreadyPaused, isRepeated: true)),
      .ended(at: .seconds(36_061), reason: .durationLimit),
    ]
  }

  /// The heart rate of the half hour; `nil` while the strap is silent.
  static func heartRate(_ second: Int) -> Double? {
    if (900..<1140).contains(second) { return nil }
    if second == 600 || second == 601 { return 20 }
    let time = Double(second)
    let warm = 94 + 40 * time / (time + 150)
    // A slow wave made of two parabolas, so that no function of a library decides a digit.
    let phase = Double(second % 420) / 420
    let wave = phase < 0.5 ? phase * (0.5 - phase) * 16 : (phase - 0.5) * (phase - 1) * 16
    let push = (480..<780).contains(second) ? 22 * min(1, (time - 480) / 60) * min(1, (780 - time) / 60) : 0
    return warm + 9 * wave + push + Double(second % 5) / 2
  }
}

extension [StyledText] {
  /// The lines as they are seen without colour.
  var plain: String { map { $0.plain + "\n" }.joined() }
}
