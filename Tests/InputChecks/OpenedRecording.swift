internal import Recordings
internal import SessionStore
internal import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// Bytes as the product opens them: recognised by their content.
struct OpenedRecording {
  /// What was opened, or why it cannot be used.
  let result: Result<Recording, any Error>

  /// Opens bytes.
  init(_ bytes: [UInt8]) {
    result = Result { try Recording(bytes: bytes, name: "input") }
  }

  /// The record that `coach inspect` prints; `nil` for what cannot be used.
  var record: [UInt8]? { try? result.get().facts.record }

  /// The samples; empty for what cannot be used.
  var samples: [Sample] {
    var samples: [Sample] = []
    try? result.get().forEachInput { if case .sample(let sample) = $0 { samples.append(sample) } }
    return samples
  }

  /// What is wrong with a recording of so many bytes; `nil` when nothing is.
  func violation(byteCount: Int) -> String? {
    switch result {
    case .failure(let error):
      guard error is RecordingError else { return "an error that is none of a recording: \(error)" }
      return ErrorLine.fault(of: "\(error)")
    case .success(let recording):
      // The rows of several people have no order.
      if recording.people.count > 1 { return Self.fault(of: recording.facts, byteCount: byteCount) }
      do {
        var count = InputCount()
        try recording.forEachInput { count.admit($0) }
        return count.fault ?? count.difference(from: recording.facts)
          ?? Self.fault(of: recording.facts, byteCount: byteCount) ?? Self.replayFault(recording)
      } catch {
        return "a recording that was opened and cannot be read: \(error)"
      }
    }
  }

  /// What is wrong with facts by themselves.
  private static func fault(of facts: RecordingFacts, byteCount: Int) -> String? {
    if facts.activityCount < 1 { return "\(facts.activityCount) activities" }
    if facts.sampleCount > 8 * byteCount { return "\(facts.sampleCount) samples of \(byteCount) bytes" }
    for pause in facts.pauses where pause.from >= pause.until { return "a pause that ends before it begins" }
    if Set(facts.warnings.map(\.kind)).count != facts.warnings.count { return "two warnings of one kind" }
    for warning in facts.warnings where warning.count < 1 || warning.position.isEmpty {
      return "a warning without count or position: \(warning)"
    }
    let record = facts.record
    if record.count > 4_096 + 32 * byteCount { return "a record of \(record.count) bytes of \(byteCount)" }
    guard record.last == UInt8(ascii: "\n"), !record.dropLast().contains(UInt8(ascii: "\n")),
      (try? JSONValue.parse(record.span))?["type"]?.string == "recording"
    else { return "a record that is no line of JSON" }
    return nil
  }

  /// What is wrong with the replay of a recording that is small enough for one.
  private static func replayFault(_ recording: Recording) -> String? {
    let isLong = recording.facts.elapsed > .seconds(2 * 86_400)
    guard let settings, recording.facts.sampleCount <= (isLong ? 100 : 2_000) else { return nil }
    do {
      var events: [SessionEvent] = []
      let pipeline = try Replay.run(recording, settings: settings, pace: .events) { events += $1 }
      return ScenarioInvariants.violations(events: events, pipeline: pipeline).first
    } catch {
      return "a recording that was opened and cannot be replayed: \(error)"
    }
  }

  private static let settings: CoachingSettings? = {
    var request = CoachingRequest()
    request.profile.ageYears = 23
    request.target = "z2"
    guard let strategy = try? FeedbackStrategy(specification: "period:every=60,window=60") else { return nil }
    request.strategy = strategy
    return try? request.settings(on: nil)
  }()
}

extension RecordingFacts {
  /// The record of an inspection, for a file without a name.
  var record: [UInt8] {
    var writer = JSONWriter()
    write(file: "-", to: &writer)
    return writer.bytes
  }
}

/// The inputs of a recording, counted here.
private struct InputCount {
  private(set) var fault: String?
  private var samples = 0
  private var newest = SessionTime.zero
  private var last = SessionTime.zero
  private var stepsBack = 0
  private var heartRate = HeartRateStatistics()
  private var steps = 0
  private var stepSamples = 0
  private var locations = 0
  private var motions = 0
  private var isPaused = false

  mutating func admit(_ input: RecordedInput) {
    switch input {
    case .unplaced, .advance: fault = fault ?? "a sample without a time"
    case .command(let command, let time):
      if time < newest { fault = fault ?? "\(command) at \(time) after \(newest)" }
      newest = max(newest, time)
      if (command == .pause) == isPaused { fault = fault ?? "\(command) twice, at \(time)" }
      isPaused = command == .pause
    case .sample(let sample):
      // Activities that overlap follow each other whole.
      if sample.time < last { stepsBack += 1 }
      last = sample.time
      newest = max(newest, sample.time)
      samples += 1
      switch sample.reading {
      case .heartRate(let beatsPerMinute):
        if beatsPerMinute > 0, beatsPerMinute.isFinite { heartRate.admit(beatsPerMinute) }
      case .steps(let count):
        stepSamples += 1
        steps += count
        if count < 0 { fault = fault ?? "\(count) steps" }
      case .location: locations += 1
      case .motion: motions += 1
      case .cadence, .distance, .speed, .rrInterval, .direction, .altitude: break
      }
    }
  }

  func difference(from facts: RecordingFacts) -> String? {
    func compare<Value: Equatable>(_ what: String, _ counted: Value, _ stated: Value) -> String? {
      counted == stated ? nil : "\(what): counted \(counted), stated \(stated)"
    }
    let hasSteps = stepSamples > 0
    if facts.format == RecordingFormat.appleHealth.rawValue {
      // The facts are of all records, the inputs of those in workouts and of one source. A record of steps may be divided among
      // sixteen workouts, and in each at the begin of a pause, but no step is in two of them.
      guard samples <= 32 * facts.sampleCount + facts.locationCount else {
        return "samples: counted \(samples), facts have \(facts.sampleCount)"
      }
      return steps <= facts.steps + facts.activityCount ? nil : "steps: counted \(steps), facts have \(facts.steps)"
    }
    if stepsBack >= facts.activityCount { return "time steps back \(stepsBack) times" }
    return compare("samples", samples, facts.sampleCount)
      ?? compare("heart rates", heartRate, facts.heartRate?.statistics ?? HeartRateStatistics())
      ?? compare("step samples", stepSamples, hasSteps ? facts.stepSampleCount : 0)
      ?? compare("steps", steps, hasSteps ? facts.steps : 0)
      ?? compare("locations", locations, facts.locationCount) ?? compare("motions", motions, facts.motionCount)
      ?? (facts.elapsed > newest ? "elapsed: \(facts.elapsed), the last input is at \(newest)" : nil)
  }
}
