internal import ZoneEngine

/// What became of a sample before any of it was judged.
package enum Admission: Hashable, Sendable {
  /// It takes part.
  case admitted
  /// It was there already: same stream, time, reading and source.
  case duplicate
  /// It is older than what its stream has already delivered.
  case late
  /// It is a heart rate of a source that is not in charge.
  case standby
  /// Its stream is switched off, or the session is over.
  case ignored
}

/// What became of a sample, and of the heart-rate source in charge.
package struct IntakeVerdict: Hashable, Sendable {
  /// What became of the sample.
  package let admission: Admission
  /// That the source of the sample took over; `nil` when it did not.
  package let takeover: SourceTakeover?
}

/// That a heart-rate source took over because the one in charge was silent.
package struct SourceTakeover: Hashable, Sendable {
  /// The source that had been in charge; `nil` for one without a name.
  package let previous: String?
  /// The source that is in charge now; `nil` for one without a name.
  package let current: String?

  /// Creates a takeover.
  package init(from previous: String?, to current: String?) {
    (self.previous, self.current) = (previous, current)
  }
}

/// Puts samples into one order: by time, then by stream, then by arrival.
///
/// Every stream has its own order; one that lags behind another is not late for that. A sample that is older than the
/// newest of its own stream is late: it is kept in the raw log and counted, and never used backwards. The last 64
/// samples of a stream are remembered, so that a device that sends again what it had sent is distinguished from a late one.
package struct SampleIntake: Sendable {
  /// Samples that were there already.
  package private(set) var duplicates = 0
  /// Samples that came too late.
  package private(set) var late = 0
  /// Heart rates of a source that was not in charge.
  package private(set) var standby = 0
  /// Samples whose stamp had no place in the session.
  package private(set) var implausible = 0
  /// Every sample that came, by stream.
  package private(set) var received = [Int](repeating: 0, count: SampleStream.allCases.count)

  /// Whether a device counts steps itself.
  var hasSteps: Bool { received[SampleStream.steps.rawValue] + received[SampleStream.cadence.rawValue] > 0 }

  private(set) var streams = [RecentSamples](repeating: RecentSamples(), count: SampleStream.allCases.count)
  private var sources = HeartRateSources()

  /// Creates an intake that has seen nothing.
  package init() {}

  /// The heart-rate source in charge, where sources are named.
  package var heartRateSource: String? { sources.inCharge }

  /// Decides about a sample.
  ///
  /// - Returns: What became of it, and whether its source took over, which a late sample can do too.
  /// - Complexity: O(1); O(64) for a sample that is not newer than the last of its stream.
  package mutating func admit(_ sample: Sample) -> IntakeVerdict {
    let stream = sample.reading.stream.rawValue
    received[stream] += 1
    // One that is newer than all cannot have been there; most are.
    let isNewer = sample.time > streams[stream].newest
    if !isNewer, streams[stream].contains(sample) {
      duplicates += 1
      return IntakeVerdict(admission: .duplicate, takeover: nil)
    }
    var takeover: SourceTakeover?
    if case .heartRate(let beatsPerMinute) = sample.reading {
      switch sources.admit(beatsPerMinute, from: sample.source, at: sample.time) {
      case .inCharge: break
      case .takesOver(let change): takeover = change
      case .standby:
        standby += 1
        return IntakeVerdict(admission: .standby, takeover: nil)
      }
    }
    // The log of heart rates does not say who sent them, so that an equal one of the source before is the same in a replay.
    if !isNewer, streams[stream].contains(sample, whoeverSentIt: true) {
      duplicates += 1
      return IntakeVerdict(admission: .duplicate, takeover: takeover)
    }
    guard isNewer || sample.time == streams[stream].newest else {
      late += 1
      return IntakeVerdict(admission: .late, takeover: takeover)
    }
    streams[stream].append(sample)
    return IntakeVerdict(admission: .admitted, takeover: takeover)
  }

  /// Counts a sample whose stamp has no place in the session.
  ///
  /// - Returns: whether it is a heart rate of a source that is not in charge, and counted as that.
  mutating func reject(_ stream: SampleStream, source: String?) -> Bool {
    received[stream.rawValue] += 1
    guard stream == .heartRate, sources.isStandby(source) else {
      implausible += 1
      return false
    }
    standby += 1
    return true
  }

  /// Whether a source of heart rates, and of what is measured with them, is another than the one in charge.
  func isStandby(_ source: String?) -> Bool { sources.isStandby(source) }

  /// Whether a sample is new: not older than the newest of its stream, not sent again, and of the source in charge.
  func isNew(_ sample: Sample) -> Bool {
    let stream = streams[sample.reading.stream.rawValue]
    guard sample.time >= stream.newest, !stream.contains(sample, whoeverSentIt: true) else { return false }
    guard case .heartRate(let beatsPerMinute) = sample.reading else { return true }
    return !sources.isStandby(beatsPerMinute, from: sample.source, at: sample.time)
  }
}

/// Decides which of several heart-rate sources is heard: the first stays in charge until it has sent no plausible heart
/// rate for 15 s.
struct HeartRateSources: Hashable, Sendable {
  enum Verdict: Hashable {
    case inCharge
    case takesOver(SourceTakeover)
    case standby
  }

  private(set) var inCharge: String?
  private var hasSource = false
  private var lastHeard = SessionTime.zero

  /// Whether a source is another than the one in charge.
  func isStandby(_ source: String?) -> Bool { hasSource && source != inCharge }

  /// Whether a heart rate is of another source than the one in charge, and does not take over from it.
  func isStandby(_ beatsPerMinute: Double, from source: String?, at time: SessionTime) -> Bool {
    isStandby(source)
      && !(SignalFilter.plausible.contains(beatsPerMinute) && time - lastHeard >= CoachingEngine.holdLimit)
  }

  mutating func admit(_ beatsPerMinute: Double, from source: String?, at time: SessionTime) -> Verdict {
    let isPlausible = SignalFilter.plausible.contains(beatsPerMinute)
    if isStandby(beatsPerMinute, from: source, at: time) { return .standby }
    if hasSource, source != inCharge {
      defer { inCharge = source }
      lastHeard = time
      return .takesOver(SourceTakeover(from: inCharge, to: source))
    }
    if !hasSource {
      hasSource = true
      inCharge = source
      lastHeard = time
    }
    if isPlausible { lastHeard = max(lastHeard, time) }
    return .inCharge
  }
}
