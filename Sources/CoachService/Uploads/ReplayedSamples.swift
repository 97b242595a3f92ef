internal import ActivityRecognition
internal import LiveCoaching
internal import SessionStore
internal import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// A request and samples in one body, judged at once, as a session of that request would have judged them.
struct ReplayedSamples {
  static let example =
    #"{"request":{"profile":{"ageYears":23},"target":"z2","strategy":{"kind":"moment","every":60}},"samples":[{"type":"heartRate","atSeconds":0,"beatsPerMinute":120},{"type":"heartRate","atSeconds":1,"beatsPerMinute":121}]}"#

  private static let limits = JSONLimits(textBytes: 4 << 20, tokenBytes: 64 << 10, depth: 16)

  /// The longest session that is replayed: each second of it may be judged, so that a longer one would be a long answer.
  private static let longest = SessionTime.seconds(86_400)

  private var order: SessionOrder
  private let isPersonRequired: Bool
  private let samples: [JSONValue]
  private let now: WallClockTime

  /// Whose values it is judged by; absent where the body has them.
  var person: String? { order.person }

  /// Reads the body.
  ///
  /// - Parameter caller: who asks; absent where it is nobody.
  /// - Throws: `ServiceProblem` with the member that is wrong, or that is a person who is not theirs.
  init(_ body: [UInt8], by caller: Caller? = nil, now: WallClockTime) throws {
    self.now = now
    guard body.count <= Self.limits.textBytes else {
      throw ServiceProblem(.tooLarge, "the body is larger than \(Self.limits.textBytes) bytes: expected a recording")
    }
    guard let day = SystemWallClock.day(at: now) else {
      throw ServiceProblem.unavailable("the clock of this machine is not set")
    }
    let isOfOne = caller?.session != nil || caller?.group != nil
    let own = isOfOne ? nil : caller?.person
    let ((order, isPersonRequired), samples) = try JSONBody.read(body, limits: Self.limits) {
      (reader) throws(JSONError) in
      let field = JSONField<(SessionOrder, Bool)>.object { (reader) throws(JSONError) in
        let (hasPerson, hasProfile) = (reader.has("person"), reader.has("profile"))
        // Nothing is kept of it, so that who has a token of a person may ask for somebody else's numbers.
        return (try SessionOrder(typed: &reader, person: hasProfile ? nil : own, day: day), hasPerson)
      }
      return (
        try reader.required("request", field), try reader.required("samples", .array(of: .any, count: 1...100_000))
      )
    }
    (self.order, self.isPersonRequired, self.samples) = (order, isPersonRequired, samples)
    if isPersonRequired, let caller, isOfOne || !caller.acts(for: order.person) {
      throw ServiceProblem.nobody(pointer: "/request/person")
    }
    try order.requireBirth()
  }

  /// The records, one a line; the summary is the last. The session is moved on by its samples alone, whatever clock is asked for. Beside
  /// them what people want to know.
  ///
  /// - Parameters:
  ///   - dataFolder: where the profiles are.
  ///   - models: those that the service has.
  /// - Throws: `ServiceProblem` with the member or the sample that is wrong.
  func records(
    in dataFolder: StoredPath, _ models: [SharedModel] = []
  ) throws -> (records: [UInt8], notices: [String]) {
    let configuration = try configuration(in: dataFolder, models)
    // As of a file that is replayed by a model: an answer without activities would look as if nothing was done.
    guard configuration.recognition == nil || samples.contains(where: { $0["type"]?.string == "motion" }) else {
      throw ServiceProblem.member(
        "/request/recognize", "recognize: no motion in the samples: expected some, or no recognize")
    }
    var session = LiveSession(configuration)
    var writer = JSONWriter()
    var events: [SessionEvent] = []
    var log: [LiveSession.RawEntry] = []
    // Its stamps are judged like those of a sender, so that one of 1970 decides nothing.
    let feed = LiveFeed(source: 0)
    for (index, sample) in samples.enumerated() {
      var line = JSONWriter()
      line.value(sample)
      do {
        try session.take(LiveLine(line.bytes.span), from: feed, arrival: now, log: &log, into: &events)
        // One step is never longer than a silence that is believed.
        guard session.pipeline.latest <= Self.longest else { throw Beyond() }
      } catch {
        throw ServiceProblem.member("/samples/\(index)", "samples: \(error)")
      }
      Self.write(&events, to: &writer)
      log.removeAll(keepingCapacity: true)
    }
    session.end(.endOfInput, now: now, log: &log, into: &events)
    Self.write(&events, to: &writer)
    SessionRecords.writeSummary(of: session.pipeline, to: &writer)
    return (writer.bytes, session.takeNotices())
  }

  private func configuration(in dataFolder: StoredPath, _ models: [SharedModel]) throws -> LiveConfiguration {
    var order = order
    do {
      // The moments of a preset that draws them are those of the seed 0, so that the same body has the same answer.
      _ = try order.complete(in: dataFolder, isRequired: isPersonRequired, drawing: false)
      let asked = try order.configuration(models)
      var configuration = LiveConfiguration(
        settings: asked.settings, clock: .samples, streams: asked.streams, durationLimit: asked.durationLimit)
      configuration.recognition = asked.recognition
      return configuration
    } catch var problem as ServiceProblem {
      if let pointer = problem.pointer, !pointer.hasPrefix("/request") { problem.pointer = "/request" + pointer }
      throw problem
    }
  }

  /// The session is longer than a day.
  private struct Beyond: Error, CustomStringConvertible {
    let description = "expected samples of one day, 86400 s"
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
