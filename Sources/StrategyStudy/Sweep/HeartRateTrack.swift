package import Recordings
package import SessionStore
internal import TextFormats
package import WorkoutSession
package import ZoneEngine

/// What moves an engine in a recording, read once and kept in 16 bytes a heart rate, to be replayed for many strategies.
///
/// It gives an engine the heart rates and commands that a replay gives it, and so the same decisions; of other streams it
/// keeps when they move time on before a heart rate that is older.
package struct HeartRateTrack: Hashable, Sendable {
  /// The most heart rates that are kept, and four times the most turns between them: a day at a hundred a second.
  package static let largestCount = 10_000_000

  /// What happens between two heart rates.
  package enum Turn: Hashable, Sendable {
    /// The session is paused.
    case pause
    /// The session goes on.
    case resume
    /// A lap is marked, which ends an open step of a plan.
    case lap
    /// Another stream moves time on.
    case advance
    /// Metres of the session, where a step of the plan lasts some.
    case cover(upTo: Double)
    /// Another target is asked for. It is rare, so that its size is not that of every turn.
    indirect case target(TargetRequest)
  }

  /// A turn, when it happens and how many heart rates come before it.
  struct TimedTurn: Hashable, Sendable {
    let turn: Turn
    let time: SessionTime
    let index: Int
  }

  /// The times of the heart rates, in order.
  private(set) var times: [SessionTime]
  /// The heart rates in beats per minute.
  private(set) var beatsPerMinute: [Double]
  /// What happens between them, in order.
  private(set) var turns: [TimedTurn]
  /// The end of the session.
  package private(set) var end: SessionTime

  /// How many heart rates there are.
  package var count: Int { times.count }

  init(times: [SessionTime], beatsPerMinute: [Double], turns: [TimedTurn], end: SessionTime) {
    self.times = times
    self.beatsPerMinute = beatsPerMinute
    self.turns = turns
    self.end = end
  }

  /// Reads a recording, from its first sample to its last.
  ///
  /// - Parameter noting: is given every input too.
  /// - Throws: What reading the recording throws.
  package init(
    _ recording: Recording, settings: CoachingSettings, noting: (RecordedInput) -> Void = { _ in }
  ) throws {
    var settings = settings
    settings.altitudesAreOfOneDevice = true
    var builder = Builder(SessionPipeline(settings: settings, durationLimit: nil))
    try recording.forEachInput { input in
      noting(input)
      builder.takeBridged(input)
      try builder.requireRoom(of: recording.path)
    }
    self = builder.finished()
  }

  /// Reads a session of our own, as it was.
  ///
  /// - Parameter noting: is given every input too.
  /// - Throws: What reading its logs throws.
  package init(
    _ session: SessionFolderRecording, settings: CoachingSettings, noting: (RecordedInput) -> Void = { _ in }
  ) throws {
    var settings = settings
    settings.altitudesAreOfOneDevice = session.manifest.altitudesAreOfOneDevice
    var builder = Builder(SessionPipeline(settings: settings, durationLimit: session.manifest.durationLimit))
    _ = try session.forEachInput {
      noting($0)
      builder.take($0)
      try builder.requireRoom(of: session.path.path)
    }
    self = builder.finished()
  }

  /// The same track without changes of the target: another target is asked for than the runner had.
  package var withoutTargets: HeartRateTrack {
    HeartRateTrack(times: times, beatsPerMinute: beatsPerMinute, turns: turns.filter { !$0.turn.isTarget }, end: end)
  }

  /// The track from a time on, which becomes its start: what was held or measured before is forgotten, but not a
  /// pause, nor a target that was asked for.
  package func from(_ start: SessionTime) -> HeartRateTrack {
    guard start > .zero else { return self }
    let first = times.firstIndex { $0 >= start } ?? times.count
    var kept: [TimedTurn] = []
    var isPaused = false
    var isBefore = true
    var target: Turn?
    var covered = 0.0
    func begin() {
      guard isBefore else { return }
      isBefore = false
      if let target { kept.append(TimedTurn(turn: target, time: .zero, index: 0)) }
      if isPaused { kept.append(TimedTurn(turn: .pause, time: .zero, index: 0)) }
    }
    for turn in turns {
      guard turn.time < start else {
        begin()
        var later = turn.turn
        if case .cover(let meters) = later { later = .cover(upTo: meters - covered) }
        kept.append(TimedTurn(turn: later, time: turn.time - start, index: max(0, turn.index - first)))
        continue
      }
      switch turn.turn {
      case .pause: isPaused = true
      case .resume: isPaused = false
      case .target: target = turn.turn
      case .cover(let meters): covered = meters
      case .lap, .advance: break
      }
    }
    begin()
    return HeartRateTrack(
      times: times[first...].map { $0 - start }, beatsPerMinute: Array(beatsPerMinute[first...]), turns: kept,
      end: max(.zero, end - start))
  }

  /// Gives the track to a new engine, and every event that it emits to `body`.
  ///
  /// - Parameter judge: who is asked by a strategy that asks.
  package func replay(
    _ settings: CoachingSettings, asking judge: (any AskedJudge)? = nil, _ body: (EngineEvent) -> Void
  ) -> CoachingEngine {
    var engine = CoachingEngine(settings: settings)
    if let judge { engine.asks = judge }
    var events: [EngineEvent] = []
    func drain() {
      for event in events { body(event) }
      events.removeAll(keepingCapacity: true)
    }
    engine.begin(into: &events)
    let (heartRates, instants) = (beatsPerMinute.span, times.span)
    var next = 0
    for index in 0...turns.count {
      let last = index < turns.count ? turns[index].index : times.count
      while next < last {
        next = engine.heartRates(heartRates, at: instants, next..<last, into: &events)
        if !events.isEmpty { drain() }
      }
      if index < turns.count { turns[index].turn.perform(on: &engine, at: turns[index].time, into: &events) }
    }
    engine.finish(at: end, into: &events)
    drain()
    return engine
  }

  /// Gathers the inputs of a session that a pipeline lets through.
  private struct Builder {
    private(set) var pipeline: SessionPipeline
    private var track = HeartRateTrack(times: [], beatsPerMinute: [], turns: [], end: .zero)
    private var events: [SessionEvent] = []
    /// Where other streams have moved the session to.
    private var moved = SessionTime.zero
    /// Where the track has moved it to.
    private var reached = SessionTime.zero
    /// Whether a step of the plan lasts some metres.
    private let coversMeters: Bool

    init(_ pipeline: SessionPipeline) {
      self.pipeline = pipeline
      coversMeters = pipeline.engine.settings.plan.hasDistances
      self.pipeline.begin(into: &events)
    }

    /// Takes an input, and what a long silence before it brings.
    ///
    /// It reads the time where the builder is, without a copy.
    mutating func takeBridged(_ input: RecordedInput) {
      let (latest, isPaused) = (pipeline.latest, pipeline.engine.isPaused)
      LongSilence.forEachBridged(input, after: latest, isPaused: isPaused) { take($0) }
    }

    mutating func take(_ input: RecordedInput) {
      guard !pipeline.isOver else { return }
      defer { events.removeAll(keepingCapacity: true) }
      switch input {
      case .advance(let time):
        pipeline.advance(to: time, into: &events)
        moved = max(moved, time)
      case .unplaced(let stream): _ = pipeline.reject(stream, source: nil)
      case .sample(let sample): take(sample)
      case .command(let command, let time):
        pipeline.perform(command, at: time, into: &events)
        guard !pipeline.isOver, let turn = Turn(command) else { return }
        catchUp(before: time)
        append(turn, at: time)
      }
    }

    private mutating func take(_ sample: Sample) {
      switch sample.reading {
      case .rrInterval, .direction: return
      case .heartRate(let beatsPerMinute):
        guard pipeline.take(sample, into: &events) == .admitted else { return }
        catchUp(before: sample.time)
        track.times.append(sample.time)
        track.beatsPerMinute.append(beatsPerMinute)
      case .steps, .cadence, .distance, .speed, .location, .motion, .altitude:
        guard coversMeters ? takeCovering(sample) : pipeline.take(sample, into: &events) == .admitted else { return }
        moved = max(moved, sample.time - SessionPipeline.skewAllowance)
      }
    }

    /// The metres of the session. Not inlined: with the address sanitizer the compiler (6.3.1) ends in an error over it.
    @inline(never) private func coveredMeters() -> Double? { pipeline.engine.coveredMeters }

    /// Takes a sample in a session in which metres count; whether it was admitted.
    private mutating func takeCovering(_ sample: Sample) -> Bool {
      let before = coveredMeters()
      guard pipeline.take(sample, into: &events) == .admitted else { return false }
      if let meters = coveredMeters(), meters != before {
        track.turns.append(TimedTurn(turn: .cover(upTo: meters), time: sample.time, index: track.times.count))
      }
      return true
    }

    /// Makes sure that there is room for more. It changes nothing, and is asked as if it did: whoever holds a builder in a closure
    /// would copy the whole of it for a look.
    ///
    /// - Throws: `RecordingError` when there is not.
    mutating func requireRoom(of path: String) throws(RecordingError) {
      guard max(track.times.count, 4 * track.turns.count) > HeartRateTrack.largestCount else { return }
      throw RecordingError(
        path: path, position: "heart rate \(track.times.count)",
        problem: "expected at most \(HeartRateTrack.largestCount) of them to compare strategies on")
    }

    mutating func finished() -> HeartRateTrack {
      pipeline.finish(at: pipeline.latest, reason: .endOfInput, into: &events)
      track.end = pipeline.latest
      return track
    }

    private mutating func catchUp(before time: SessionTime) {
      if moved > time, moved > reached { append(.advance, at: moved) }
      reached = max(reached, time)
    }

    private mutating func append(_ turn: Turn, at time: SessionTime) {
      track.turns.append(TimedTurn(turn: turn, time: time, index: track.times.count))
      reached = max(reached, time)
    }
  }
}

extension HeartRateTrack.Turn {
  /// What a command does between two heart rates; `nil` for those that begin or end a session.
  fileprivate init?(_ command: SessionCommand) {
    switch command {
    case .pause, .recognized(.pause): self = .pause
    case .resume, .recognized(.resume): self = .resume
    // It moves the decisions on, as the session was when it was found.
    case .recognized(.activity), .recognized(.differs): self = .advance
    case .lap: self = .lap
    case .target(let target): self = .target(target)
    // Strategies are what is compared.
    case .start, .stop, .ended, .strategy, .recognized(.steps), .answered: return nil
    }
  }

  fileprivate var isTarget: Bool { if case .target = self { true } else { false } }

  /// Does it to an engine.
  func perform(on engine: inout CoachingEngine, at time: SessionTime, into events: inout [EngineEvent]) {
    switch self {
    case .pause: engine.pause(at: time, into: &events)
    case .resume: engine.resume(at: time, into: &events)
    case .lap: _ = engine.lap(at: time, into: &events)
    case .advance: engine.advance(to: time, into: &events)
    case .cover(let meters): engine.cover(upTo: meters, at: time)
    case .target(let target):
      // What the zones of today do not have leaves the target as it is.
      guard case .success(let target) = target.resolved(in: engine.settings.zones) else { return }
      engine.change(target: target, at: time, into: &events)
    }
  }
}
