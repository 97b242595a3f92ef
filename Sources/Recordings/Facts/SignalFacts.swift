internal import ZoneEngine

/// Whether the heart rate of a recording may be something else than the heart, judged as in a session: jumps that the
/// filter does not believe and readings in a pause are left aside.
struct SignalFacts: Sendable {
  private(set) var warnings = RecordingWarnings()
  /// Whether the timer stands still.
  var isPaused = false { didSet { if isPaused { steps.breakCount() } } }

  private var filter = SignalFilter()
  private var monitor = SuspicionMonitor()
  private var steps = StepTotal()

  /// Takes a heart rate as it was recorded.
  mutating func admit(_ beatsPerMinute: Double, at time: SessionTime) {
    let verdict = filter.admit(beatsPerMinute, at: time)
    guard !isPaused else { return }
    if verdict == .outOfRange, let since = monitor.admit(outOfRange: beatsPerMinute, at: time) {
      warnings.add(.stuckSignal, at: Self.position(since))
    }
    guard verdict == .accepted else { return }
    monitor.admit(beatsPerMinute, displayedBPM: HeartRateZones.displayed(beatsPerMinute), at: time) {
      suspicion, since in
      warnings.add(Self.kind(of: suspicion), at: Self.position(since))
    }
  }

  /// Takes heart rates that are all believed and near each other, in order of time, and the cadences of the same instants, which are
  /// finite and not negative, where there are any; whether they are such, of others none.
  mutating func admitSteady(
    _ heartRates: Span<Double>, cadences: Span<Double>, at times: Span<SessionTime>
  ) -> Bool {
    guard !isPaused, filter.admitSteady(heartRates, until: times[times.count - 1]) else { return false }
    monitor.admit(heartRates, cadences: cadences, at: times) { suspicion, since in
      warnings.add(Self.kind(of: suspicion), at: Self.position(since))
    }
    return true
  }

  private static func kind(of suspicion: SignalSuspicion) -> RecordingWarning.Kind {
    switch suspicion {
    case .stuck: .stuckSignal
    case .cadenceLock: .cadenceLock
    }
  }

  private static func position(_ time: SessionTime) -> String { "second \(time.nanoseconds / 1_000_000_000)" }

  /// Takes the steps since the last sample.
  mutating func admit(steps count: Int, at time: SessionTime) {
    guard !isPaused, let cadence = steps.admit(steps: count, at: time) else { return }
    monitor.admit(cadence: cadence, at: time)
  }

  /// Takes a cadence in steps per minute as a device reported it.
  mutating func admit(cadence stepsPerMinute: Double, at time: SessionTime) {
    guard !isPaused, stepsPerMinute.isFinite, stepsPerMinute >= 0 else { return }
    monitor.admit(cadence: stepsPerMinute, at: time)
  }
}
