internal import LiveCoaching
internal import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// A request and samples in one body, judged at once, as a session of that request would have judged them.
struct ReplayedSamples {
  static let example =
    #"{"request":{"profile":{"ageYears":23},"target":"z2","strategy":{"kind":"moment","every":60}},"samples":[{"type":"heartRate","atSeconds":0,"beatsPerMinute":120},{"type":"heartRate","atSeconds":1,"beatsPerMinute":121}]}"#

  private static let limits = JSONLimits(textBytes: 4 << 20, tokenBytes: 64 << 10, depth: 16)

  private let configuration: LiveConfiguration
  private let samples: [JSONValue]
  private let now: WallClockTime

  /// Reads the body.
  ///
  /// - Throws: `ServiceProblem` with the member that is wrong.
  init(_ body: [UInt8], now: WallClockTime) throws {
    self.now = now
    guard body.count <= Self.limits.textBytes else {
      throw ServiceProblem(.tooLarge, "the body is larger than \(Self.limits.textBytes) bytes: expected a recording")
    }
    guard let day = SystemWallClock.day(at: now) else {
      throw ServiceProblem.unavailable("the clock of this machine is not set")
    }
    let ((coaching, places), samples) = try JSONBody.read(body, limits: Self.limits) { (reader) throws(JSONError) in
      let field = JSONField<(CoachingRequest, RequestPlaces)>.object { (reader) throws(JSONError) in
        let usual = UsualCoaching(reader)
        var coaching = try CoachingRequest(members: &reader)
        // The moments of a preset that draws them are those of the seed 0, so that the same body has the same answer.
        usual.apply(to: &coaching)
        if usual.hasCeiling { coaching.useUsualCeiling(on: day) }
        return (coaching, try RequestPlaces(reader))
      }
      return (
        try reader.required("request", field), try reader.required("samples", .array(of: .any, count: 1...100_000))
      )
    }
    self.samples = samples
    try places.requireBirth(of: coaching, on: day)
    let settings: CoachingSettings
    do throws(ZoneError) { settings = try coaching.settings(on: day) } catch {
      throw places.problem(error, of: coaching, on: day)
    }
    configuration = LiveConfiguration(
      settings: settings, clock: .samples, streams: SampleStream.recordable, durationLimit: nil)
  }

  /// The records, one a line; the summary is the last.
  ///
  /// - Throws: `ServiceProblem` with the sample that is wrong.
  func records() throws(ServiceProblem) -> [UInt8] {
    var session = LiveSession(configuration)
    var writer = JSONWriter()
    var events: [SessionEvent] = []
    var log: [LiveSession.RawEntry] = []
    var span = DaySpan()
    for (index, sample) in samples.enumerated() {
      var line = JSONWriter()
      line.value(sample)
      do {
        let line = try LiveLine(line.bytes.span)
        guard span.admits(line) else { throw Beyond() }
        try session.take(line, from: nil, arrival: now, log: &log, into: &events)
      } catch {
        throw .member("/samples/\(index)", "samples: \(error)")
      }
      Self.write(&events, to: &writer)
      log.removeAll(keepingCapacity: true)
    }
    session.end(.endOfInput, now: now, log: &log, into: &events)
    Self.write(&events, to: &writer)
    SessionRecords.writeSummary(of: session.pipeline, to: &writer)
    return writer.bytes
  }

  /// A sample is more than a day away from the first.
  private struct Beyond: Error, CustomStringConvertible {
    let description = "expected samples of one day, 86400 s"
  }

  /// How far samples are apart: each second may be judged, so that a long silence would be a long answer.
  private struct DaySpan {
    private static let longest: Int64 = 86_400_000_000_000
    private var first: WallClockTime?

    /// Whether a line lies in the day.
    mutating func admits(_ line: LiveLine) -> Bool {
      guard case .sample(let sample) = line else { return true }
      switch sample.stamp {
      case .session(let time): return time.nanoseconds <= Self.longest
      case .wall(let time):
        let first = first ?? time
        self.first = first
        let (apart, isBeyond) = time.nanoseconds.subtractingReportingOverflow(first.nanoseconds)
        return !isBeyond && apart.magnitude <= Self.longest.magnitude
      }
    }
  }

  /// Writes what a replay prints: everything but the answers to commands.
  private static func write(_ events: inout [SessionEvent], to writer: inout JSONWriter) {
    for event in events {
      if case .acknowledgement = event { continue }
      SessionRecords.write(event, to: &writer)
    }
    events.removeAll(keepingCapacity: true)
  }
}
