import SessionStore
import TestSupport
import Testing
import TextFormats
@testable import WorkoutHistory
@testable import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

/// A random session as its samples arrive from several devices, recorded on their way through the pipeline as a live session
/// records them.
private struct ObservedRun {
  let folder: ScratchFolder
  let manifest: SessionManifest
  private(set) var pipeline: SessionPipeline
  private let recorder: SessionRecorder
  private var events: [SessionEvent] = []

  var path: String { recorder.folder.path }

  init(seed: UInt64, bounds: SessionObservation.Bounds = .live, request: CoachingRequest? = nil) throws {
    folder = try ScratchFolder()
    let request = try request ?? RandomSession(seed: seed).request
    var dice = Dice(seed: seed &+ 900)
    let limit: SessionTime? = dice.chance(0.2) ? .seconds(dice.whole(60...1_500)) : nil
    let start = WallClockTime.morning(Double(dice.whole(0...3_600)))
    manifest = SessionManifest(
      sessionID: SessionFolder.name(start: start, activity: request.activity, random: UInt32(seed)), start: start,
      utcOffsetSeconds: dice.pick([0, 3_600, 19_800, -12_600]), request: request, streams: SampleStream.recordable,
      durationLimit: limit, person: nil, origin: .live, inputs: [], randomization: nil)
    recorder = try SessionRecorder(
      folder: StoredPath(dataFolder: folder.path) + "/" + manifest.sessionID, manifest: manifest)
    pipeline = SessionPipeline(settings: try manifest.settings(), durationLimit: limit)
    pipeline.observe(from: start, utcOffsetSeconds: manifest.utcOffsetSeconds, within: bounds)
    pipeline.begin(into: &events)
  }

  mutating func take(_ sample: Sample) {
    if let decided = pipeline.decidedTime(before: sample) { recorder.append(.clock(at: decided)) }
    let isStandby = pipeline.take(sample, into: &events) == .standby
    recorder.append(isStandby ? .standby(sample) : .sample(sample))
    endIfOver()
  }

  mutating func tick(_ time: SessionTime) {
    pipeline.advance(to: time, into: &events)
    endIfOver()
  }

  mutating func command(_ command: SessionCommand) {
    let time = pipeline.latest
    pipeline.perform(command, at: time, into: &events)
    if !pipeline.isOver { recorder.append(.command(command, at: max(time, pipeline.engine.now), id: "")) }
    endIfOver()
  }

  mutating func finish() throws {
    pipeline.finish(at: pipeline.latest, reason: .endOfInput, into: &events)
    endIfOver()
    try recorder.finish(pipeline, badLines: 0)
  }

  private var hasStopped = false

  private mutating func endIfOver() {
    guard pipeline.isOver, !hasStopped else { return }
    hasStopped = true
    recorder.append(.command(.stop, at: pipeline.engine.now, id: ""))
  }
}

/// What happens in a random session, in the order in which it arrives.
private struct Arrivals {
  enum Kind {
    case sample(Sample)
    case tick(SessionTime)
    case command(SessionCommand)
  }

  private(set) var kinds: [Kind] = []

  /// - Parameter longestDelay: how far devices may be behind each other.
  init(seed: UInt64, longestDelay: Double) {
    var dice = Dice(seed: seed)
    var arrivals: [(at: Double, kind: Kind)] = []
    let end = Double(dice.whole(40...1_600))
    func add(_ reading: Reading, _ time: Double, _ arrival: Double, _ source: String? = nil) {
      arrivals.append((arrival, .sample(Sample(reading, at: at(time), source: source))))
    }
    let hasWatch = dice.chance(0.4)
    for (source, offset) in [("strap", 0.0), ("watch", 0.37)] where source == "strap" || hasWatch {
      let delay = Double(dice.whole(0...1_000)) / 1_000 * longestDelay
      var time = offset
      while time <= end {
        var beats = 120 + 30 * (time / 200).rounded() / 8 + Double(dice.whole(-4...4))
        if dice.chance(0.02) { beats = dice.pick([0, 251, 29, beats + 70, 133.123]) }
        add(.heartRate(beats), time, time + delay, hasWatch ? source : nil)
        if dice.chance(0.03) { add(.heartRate(beats), time, time + delay + 2, hasWatch ? source : nil) }
        if dice.chance(0.03) { add(.heartRate(251), time, time + delay, hasWatch ? source : nil) }
        time += dice.chance(0.01) ? Double(dice.whole(6...90)) : 1
      }
    }
    let (stepDelay, placeDelay) = (
      Double(dice.whole(0...1_000)) / 1_000 * longestDelay, Double(dice.whole(0...1_000)) / 1_000 * longestDelay
    )
    for second in stride(from: 0.2, to: end, by: 2) where !dice.chance(0.05) {
      add(.steps(dice.whole(0...6)), second, second + stepDelay, dice.pick([nil, "phone"]))
    }
    var latitude = 46.77
    let isMoving = dice.chance(0.8)
    for second in stride(from: 0.5, to: end, by: Double(dice.whole(1...4))) where isMoving && !dice.chance(0.05) {
      latitude += Double(dice.whole(0...5)) * 1e-5
      guard let place = Coordinate(latitudeDegrees: latitude, longitudeDegrees: 23.5) else { continue }
      let fix = LocationFix(coordinate: place)
      let late = dice.chance(0.02) ? Double(dice.whole(1...4)) : 0
      add(.location(fix), second, second + placeDelay + late)
    }
    if dice.chance(0.6) {
      for second in stride(from: 1.0, to: end, by: 1) { arrivals.append((second, .tick(at(second - 2)))) }
    }
    var isPaused = false
    for second in stride(from: 5.0, to: end, by: Double(dice.whole(20...200))) where dice.chance(0.7) {
      switch dice.whole(0...4) {
      case 0, 1:
        arrivals.append((second + 0.1, .command(isPaused ? .resume : .pause)))
        isPaused.toggle()
      case 2: arrivals.append((second + 0.1, .command(.lap)))
      case 3: arrivals.append((second + 0.1, .command(.target(dice.pick(["z1", "z3", "120-141"])))))
      default:
        if let strategy = try? FeedbackStrategy(specification: dice.pick(RandomSession.strategies)) {
          arrivals.append((second + 0.1, .command(.strategy(strategy))))
        }
      }
    }
    kinds = arrivals.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element.kind)
  }
}

/// The hours, kilometres and the rest as somebody finds them who sees every input of a replay one after another.
private struct ReplayedFacts {
  var hours: HourTotals
  var splits = DistanceSplits(.metric)
  var mileSplits = DistanceSplits(.imperial)
  var decoupling = AerobicDecoupling()
  var recovery = HeartRateRecovery()

  init(_ path: String) throws {
    let recording = try SessionFolderRecording(path: path)
    let manifest = recording.manifest
    hours = HourTotals(start: manifest.start, utcOffsetSeconds: manifest.utcOffsetSeconds)
    var filter = SignalFilter()
    var places = 0
    let (pipeline, _) = try Replay.run(
      recording, settings: manifest.settings(), pace: .events, endReason: .endOfInput,
      observer: { input, admission, pipeline in
        let engine = pipeline.engine
        switch input {
        case .command(.pause, let time):
          recovery.pause(at: time)
          decoupling.run(false, at: engine.now)
        case .command(.resume, _):
          recovery.resume()
          decoupling.run(true, at: engine.now)
        case .sample(let sample) where admission == .admitted:
          if case .heartRate(let beats) = sample.reading, filter.admit(beats, at: sample.time) == .accepted {
            hours.admit(heartRate: beats, at: sample.time)
            recovery.admit(heartRate: beats, at: sample.time)
            if !engine.isPaused {
              let active = Self.active(engine, at: sample.time)
              splits.admit(heartRate: beats, active: active)
              mileSplits.admit(heartRate: beats, active: active)
              decoupling.admit(heartRate: beats, at: sample.time)
            }
          }
          if case .steps(let count) = sample.reading { hours.admit(steps: count, at: sample.time) }
          if case .location = sample.reading {
            advance(engine, to: sample.time)
            let counted = engine.summary.acceptedLocations
            if counted > places { decoupling.admit(meters: engine.distanceMeters, of: .location, at: sample.time) }
            places = counted
          }
        case .sample, .command, .advance, .unplaced: break
        }
      }
    ) { _, _ in }
    advance(pipeline.engine, to: pipeline.engine.now)
    decoupling.finish(at: pipeline.engine.now)
  }

  private static func active(_ engine: CoachingEngine, at time: SessionTime) -> SessionTime {
    engine.isPaused ? engine.active : engine.active + max(.zero, time - engine.now)
  }

  private mutating func advance(_ engine: CoachingEngine, to time: SessionTime) {
    guard let meters = engine.distanceMeters else { return }
    let active = Self.active(engine, at: time)
    splits.admit(meters: meters, active: active)
    mileSplits.admit(meters: meters, active: active)
  }
}

@Suite("What an index keeps of a session")
struct SessionObservationTests {
  private func run(
    seed: UInt64, longestDelay: Double, request: CoachingRequest? = nil
  ) throws -> ObservedRun {
    var run = try ObservedRun(seed: seed, request: request)
    for kind in Arrivals(seed: seed, longestDelay: longestDelay).kinds where !run.pipeline.isOver {
      switch kind {
      case .sample(let sample): run.take(sample)
      case .tick(let time): run.tick(time)
      case .command(let command): run.command(command)
      }
    }
    try run.finish()
    return run
  }

  private func digest(of run: ObservedRun) -> SessionDigest? {
    SessionDigest(run.manifest, run.pipeline, state: .complete, badLines: 0)
  }

  @Test("A session that has just ended has in every column what is read from its folder", arguments: 0..<4)
  func liveEqualsFolder(block: Int) throws {
    var observed = 0
    for seed in UInt64(block * 20)..<UInt64(block * 20 + 20) {
      let run = try run(seed: seed, longestDelay: [0, 1.9, 6][Int(seed) % 3])
      guard let live = digest(of: run) else { continue }
      observed += 1
      let (found, expected) = (SessionRows(live).rows, SessionRows(try SessionDigest(folder: run.path)).rows)
      #expect(found.count == expected.count, "seed \(seed)")
      let difference = zip(found, expected).first { $0 != $1 }
      #expect(difference == nil, "seed \(seed): \(String(describing: difference))")
    }
    #expect(observed == 20, "block \(block): all are closed without reading their logs")
  }

  @Test("Steps that ask for a pace, steps a minute or a heart rate are judged live as from the folder")
  func quantities() throws {
    let plan = PlanRequest(steps: [
      .init(name: "effort", duration: .seconds(40), target: "2-4m/s"),
      .init(name: nil, duration: .seconds(30), target: "60-120spm"),
      .init(name: "effort", duration: .seconds(50), target: "z2"),
      .init(name: "effort", duration: nil, target: "4:00-9:00/km"),
      .init(name: nil, duration: nil, target: "30-90spm"),
    ])
    let request = try CoachingRequest.runner(nil, "period:every=20,window=20", plan: plan)
    var observed = 0
    var results: Set<PlanVerdict.Result> = []
    for seed in UInt64(600)..<660 {
      let run = try run(seed: seed, longestDelay: [0, 1.9, 4][Int(seed) % 3], request: request)
      let folder = try SessionDigest(folder: run.path)
      results.formUnion(folder.verdict?.steps.filter { $0.quantity != nil }.map(\.result) ?? [])
      guard let live = digest(of: run) else { continue }
      observed += 1
      let difference = zip(SessionRows(live).rows, SessionRows(folder).rows).first { $0 != $1 }
      #expect(difference == nil, "seed \(seed): \(String(describing: difference))")
    }
    #expect(observed > 20, "most are closed without reading their logs: \(observed)")
    #expect(results.isSuperset(of: [.inTarget, .tooLow, .noData]), "\(results)")
  }

  @Test("Devices that are a minute behind each other are noticed: the facts hold, or the folder is read")
  func farBehind() throws {
    var left = 0
    for seed in UInt64(500)..<530 {
      let run = try run(seed: seed, longestDelay: 60)
      guard let live = digest(of: run) else {
        left += 1
        continue
      }
      let difference = zip(SessionRows(live).rows, SessionRows(try SessionDigest(folder: run.path)).rows).first {
        $0 != $1
      }
      #expect(difference == nil, "seed \(seed): \(String(describing: difference))")
    }
    #expect(left > 0)
  }

  @Test("The facts of a folder are those that its replay shows input by input")
  func folderEqualsReplay() throws {
    for seed in UInt64(0)..<20 {
      let run = try run(seed: seed, longestDelay: 4)
      let digest = try SessionDigest(folder: run.path)
      let facts = try ReplayedFacts(run.path)
      #expect(digest.hours == facts.hours.hours, "seed \(seed)")
      #expect(digest.splits == facts.splits.splits, "seed \(seed)")
      #expect(digest.mileSplits == facts.mileSplits.splits, "seed \(seed)")
      #expect(digest.decoupling == facts.decoupling.value, "seed \(seed)")
      #expect(digest.recovery == facts.recovery.largestFall, "seed \(seed)")
    }
  }

  @Test("A session that outgrows its bounds keeps nothing more in memory, and is read from its folder")
  func bounds() throws {
    var run = try ObservedRun(
      seed: 1, bounds: SessionObservation.Bounds(moments: 3, active: .seconds(1_000), distances: 100))
    for second in 0...400 {
      run.take(Sample(.heartRate(120), at: .seconds(second)))
      #expect((run.pipeline.observation?.moments.count ?? 0) <= 3)
    }
    try run.finish()
    #expect(run.pipeline.engine.summary.cues.withheldTotal + run.pipeline.engine.summary.cues.givenTotal > 3)
    #expect(digest(of: run) == nil)
    var long = try ObservedRun(
      seed: 0, bounds: SessionObservation.Bounds(moments: 100, active: .seconds(10), distances: 100))
    for second in 0...12 { long.take(Sample(.heartRate(120), at: .seconds(second))) }
    try long.finish()
    #expect(digest(of: long) == nil)
  }

  @Test("Equal samples of two devices are one, as in a replay, which does not know who sent them")
  func twoDevices() throws {
    var run = try ObservedRun(seed: 2)
    for source in ["phone", "watch"] { run.take(Sample(.steps(5), at: .seconds(3), source: source)) }
    run.take(Sample(.steps(4), at: .seconds(4), source: "watch"))
    try run.finish()
    #expect(run.pipeline.engine.stepCount == 9)
    #expect(try SessionDigest(folder: run.path).summary.steps == 9)
  }

  @Test("What a heart-rate source sends again that another one had sent is double, as in a replay, not late")
  func twoSources() throws {
    var run = try ObservedRun(seed: 3)
    for second in 0...4 { run.take(Sample(.heartRate(130), at: .seconds(second), source: "strap")) }
    for second in [30, 31, 3, 2] { run.take(Sample(.heartRate(130), at: .seconds(second), source: "watch")) }
    run.take(Sample(.heartRate(131), at: .seconds(2), source: "watch"))
    try run.finish()
    #expect(run.pipeline.intake.duplicates == 2)
    #expect(run.pipeline.intake.late == 1)
    let folder = try SessionDigest(folder: run.path)
    #expect(folder.unused.duplicates == 2)
    #expect(folder.unused.late == 1)
  }
}
