package import ZoneEngine

/// What each stream of a live session measured last, and which of them have fallen silent.
///
/// Silence is counted while anything else is heard: of a time without any sample at most ``longestStep`` counts, so that a sender
/// that was away does not have each of its sensors reported. A heart rate has an event of its own for that. Of what comes beside
/// others, such as turning rates, only what came regularly before is missed; see ``SensorWatch``.
package struct StreamWatch: Sendable {
  /// How a stream stands.
  package enum State: Sendable {
    /// It is not recorded in this session.
    case notRecorded
    /// Nothing came of it.
    case absent
    /// Something came of it.
    case heard(Newest)
  }

  /// The newest reading of a stream.
  package struct Newest: Sendable {
    /// The reading.
    package fileprivate(set) var reading: Reading
    /// Its time.
    package fileprivate(set) var time: SessionTime
    /// How many came a second lately; absent before a second is over.
    package fileprivate(set) var perSecond: Double?
    /// Whether the stream is silent since.
    package fileprivate(set) var isSilent = false
    fileprivate var clock: Int64
    fileprivate var counted: (since: SessionTime, count: Int)

    /// Takes a reading; for how long the stream was silent, absent where it was not.
    fileprivate mutating func hear(_ reading: Reading, at time: SessionTime, clock: Int64) -> SessionTime? {
      let silence = isSilent ? time - self.time : nil
      isSilent = false
      self.clock = clock
      if time >= self.time { (self.reading, self.time) = (reading, time) }
      let span = time - counted.since
      if span >= .seconds(1) {
        perSecond = Double(counted.count) / span.seconds
        counted = (time, 1)
      } else {
        counted.count += 1
      }
      return silence
    }

    /// Takes note of what is counted as the time; the time of the newest reading where the stream is silent by that, and was not.
    fileprivate mutating func fallSilent(_ clock: Int64, _ limit: SessionTime) -> SessionTime? {
      guard !isSilent, clock - self.clock > limit.nanoseconds else { return nil }
      isSilent = true
      return time
    }
  }

  /// How long a stream may be silent.
  static let limits: [(stream: SampleStream, span: SessionTime)] = [(.location, .seconds(30)), (.motion, .seconds(5))]
  /// How much of a time without any sample counts.
  static let longestStep = SessionTime.seconds(5)

  private let recorded: [SampleStream]
  private var newest = [Newest?](repeating: nil, count: SampleStream.allCases.count)
  private var latest: SessionTime?
  private var clock: Int64 = 0
  private var notices: [String] = []
  private var sensors = SensorWatch()

  /// Watches the streams that are recorded.
  init(_ recorded: [SampleStream]) { self.recorded = recorded }

  /// How a stream stands.
  package subscript(stream: SampleStream) -> State {
    if let newest = newest[stream.rawValue] { return .heard(newest) }
    return recorded.contains(stream.chosenWith) ? .absent : .notRecorded
  }

  /// Takes a reading that has a place in the session.
  mutating func hear(_ reading: Reading, at time: SessionTime) {
    pass(to: time)
    notices += sensors.hear(reading, at: time, clock: clock)
    // Where it stands: a reading that is taken out and put back costs as much as all else of a sample.
    let place = reading.stream.rawValue
    guard newest[place] != nil else {
      newest[place] = Newest(reading: reading, time: time, clock: clock, counted: (time, 1))
      return
    }
    if let silence = newest[place]?.hear(reading, at: time, clock: clock) {
      notices.append("\(reading.stream.sensor) is back, after \(QuantityText.length(silence))")
    }
  }

  /// Takes note that the session has come to a time.
  mutating func pass(to time: SessionTime) {
    guard let before = latest, time > before else {
      if latest == nil { latest = time }
      return
    }
    latest = time
    clock += min(time - before, Self.longestStep).nanoseconds
    for (stream, limit) in Self.limits {
      guard let since = newest[stream.rawValue]?.fallSilent(clock, limit) else { continue }
      notices.append("\(stream.sensor) is silent since \(QuantityText.clock(since))")
    }
    notices += sensors.pass(to: clock)
  }

  /// What people want to know since the last call.
  mutating func takeNotices() -> [String] {
    guard !notices.isEmpty else { return [] }
    defer { notices.removeAll() }
    return notices
  }
}

extension SampleStream {
  /// The sensor of the stream, in words.
  package var sensor: String {
    switch self {
    case .heartRate: "heart rate"
    case .steps: "steps"
    case .cadence: "cadence"
    case .distance: "distance"
    case .speed: "speed"
    case .location: "position"
    case .motion: "motion"
    case .rrInterval: "times between beats"
    case .direction: "direction"
    case .altitude: "altitude"
    }
  }
}
