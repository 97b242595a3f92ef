import Foundation
package import TextFormats
package import WorkoutSession
package import ZoneEngine

/// A small generator of these folders; its seed stands in every failure message.
struct Dice: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x2545_F491_4F6C_DD1D | 1 }

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state &* 0x9E37_79B9_7F4A_7C15
  }

  mutating func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &self) < share }
  mutating func whole(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }
  mutating func pick<Value>(_ values: [Value]) -> Value { values[whole(0...values.count - 1)] }
}

/// A folder of its own for each test, deleted with it.
final class ScratchFolder: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "session-tests-" + UUID().uuidString
    try FileSystem.createFolder(path)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file and gives its path.
  func write(_ text: String, _ name: String = "recording.csv") throws -> String {
    try write(Array(text.utf8), name)
  }

  /// Writes a file of bytes and gives its path.
  func write(_ bytes: [UInt8], _ name: String = "recording.csv") throws -> String {
    let file = try POSIXFile(writing: path + "/" + name, .truncate)
    try file.write(bytes.span)
    try file.close()
    return path + "/" + name
  }
}

/// The text of a file.
func text(of path: String) throws -> String {
  String(decoding: try POSIXFile(reading: path).readAll(maximumBytes: 1 << 28), as: UTF8.self)
}

/// The permissions of a file or folder.
func permissions(_ path: String) throws -> Int? {
  (try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue
}

/// An instant of the session in seconds.
func at(_ seconds: Double) -> SessionTime { SessionTime(nanoseconds: Int64((seconds * 1e9).rounded())) }

extension WallClockTime {
  /// The morning on which test sessions begin, some seconds later.
  package static func morning(_ seconds: Double = 0) -> WallClockTime {
    WallClockTime(nanoseconds: 1_795_158_000_000_000_000 + at(seconds).nanoseconds)
  }
}

extension CoachingRequest {
  /// The request of somebody of 23 years: zone 2 is 119–137.
  package static func runner(
    _ target: String? = "z2", _ strategy: String = "moment:every=60", plan: PlanRequest? = nil,
    guardrails: Guardrails = .off
  ) throws -> CoachingRequest {
    var request = CoachingRequest()
    request.profile.ageYears = 23
    request.target = plan == nil ? target.map { TargetRequest($0) } : nil
    request.plan = plan
    request.strategy = try FeedbackStrategy(specification: strategy)
    request.guardrails = guardrails
    return request
  }
}

/// The records of events, one text a record.
func records(_ events: [SessionEvent]) -> [String] {
  var writer = JSONWriter()
  for event in events { SessionRecords.write(event, to: &writer) }
  return writer.text.split(separator: "\n").map(String.init)
}

/// The summary record of a session that is not kept, or of one that is.
func summaryRecord(_ pipeline: SessionPipeline, sessionID: String? = nil, badLines: Int? = nil) -> String {
  var writer = JSONWriter()
  writer.object { writer in
    SessionRecords.writeSummaryMembers(of: pipeline, sessionID: sessionID, badLines: badLines, to: &writer)
  }
  return writer.text
}

/// The records that every way of a session has in common: no acknowledgements, and no reason of the end.
func commonRecords(_ events: [SessionEvent], _ pipeline: SessionPipeline) -> [String] {
  let shared = events.compactMap { event -> SessionEvent? in
    switch event {
    case .acknowledgement: nil
    case .ended(let time, _): .ended(at: time, reason: .stop)
    case .started, .engine, .lap, .sourceChanged, .activity, .activityDiffers, .countdown, .rejected: event
    }
  }
  return records(shared) + [summaryRecord(pipeline)]
}

/// A pipeline together with what it emitted.
struct PipelineRig {
  var pipeline: SessionPipeline
  var events: [SessionEvent] = []

  init(_ request: CoachingRequest, durationLimit: SessionTime? = nil) throws {
    pipeline = SessionPipeline(settings: try request.settings(on: nil), durationLimit: durationLimit)
    pipeline.begin(into: &events)
  }

  @discardableResult
  mutating func take(_ reading: Reading, _ seconds: Double, source: String? = nil) -> Admission {
    pipeline.take(Sample(reading, at: at(seconds), source: source), into: &events)
  }

  /// Heart rates once a second, both ends included.
  mutating func heartRates(_ beatsPerMinute: Double, _ seconds: ClosedRange<Int>) {
    for second in seconds { take(.heartRate(beatsPerMinute), Double(second)) }
  }

  mutating func finish(_ seconds: Double) {
    pipeline.finish(at: at(seconds), reason: .endOfInput, into: &events)
  }

  var summary: SessionSummary { pipeline.engine.summary }
  var decisions: [Decision] {
    events.compactMap { if case .engine(.decision(let decision)) = $0 { decision } else { nil } }
  }
}

/// A live session together with what it emitted and what it wants to keep.
struct LiveRig {
  var session: LiveSession
  var log: [LiveSession.RawEntry] = []
  var events: [SessionEvent] = []

  init(
    _ request: CoachingRequest, clock: SessionClock = .samples, streams: [SampleStream] = SampleStream.recordable,
    durationLimit: SessionTime? = nil, isStrategyDrawn: Bool = false
  ) throws {
    session = LiveSession(
      LiveConfiguration(
        settings: try request.settings(on: nil), clock: clock, streams: streams, durationLimit: durationLimit,
        isStrategyDrawn: isStrategyDrawn))
  }

  /// Takes a line that arrives some seconds after the beginning of the morning.
  mutating func take(_ line: String, from feed: Int = 0, arrival seconds: Double = 0) throws {
    try session.take(
      LiveLine(line.utf8.span), from: LiveFeed(source: feed), arrival: .morning(seconds), log: &log, into: &events)
  }

  mutating func heartRate(_ beatsPerMinute: Double, _ seconds: Double, arrival: Double = 0) throws {
    try take(#"{"type":"heartRate","atSeconds":\#(seconds),"beatsPerMinute":\#(beatsPerMinute)}"#, arrival: arrival)
  }

  mutating func command(_ command: String, id: String, _ stamp: String = "", arrival: Double = 0) throws {
    let more = stamp.isEmpty ? "" : "," + stamp
    try take(#"{"type":"command","id":"\#(id)","command":"\#(command)"\#(more)}"#, arrival: arrival)
  }

  mutating func tick(_ seconds: Double) { session.tick(.morning(seconds), log: &log, into: &events) }

  mutating func end(_ reason: SessionEvent.EndReason, _ seconds: Double = 0) {
    session.end(reason, now: .morning(seconds), log: &log, into: &events)
  }

  var answers: [Acknowledgement] {
    events.compactMap { if case .acknowledgement(let answer) = $0 { answer } else { nil } }
  }
  var lastRefusal: CommandRefusal? { answers.last?.refusal }
}
