internal import ZoneEngine

/// When a recording is paused as it is replayed: where its timer stood still, and in silences that are no workout.
///
/// The rule for silences is that of ``Replay/forEachBridged(_:after:isPaused:_:)``.
struct RecordedStops: Sendable {
  /// Times at which the clock of the recording goes on much later than it stopped.
  private(set) var warnings = RecordingWarnings()
  /// Whether the timer stands still.
  private(set) var isPaused = false

  private var stops: [RecordedPause] = []
  private var from = SessionTime.zero
  /// The newest time of a sample or of a command.
  private var latest = SessionTime.zero
  /// Whether the next sample goes on from the last.
  private var goesOn = true

  /// Stops the timer; one that stands still stays so.
  mutating func pause(at time: SessionTime) {
    guard !isPaused else { return }
    isPaused = true
    from = time - latest > LongSilence.longest ? latest : time
    latest = max(latest, time)
  }

  /// Starts the timer; one that runs goes on.
  mutating func resume(at time: SessionTime) {
    guard isPaused else { return }
    isPaused = false
    stops.append(RecordedPause(from: from, until: time))
    latest = max(latest, time)
  }

  /// Whether a sample comes after a silence that is no workout.
  @inline(__always)
  func isJump(to time: SessionTime) -> Bool { time - latest > LongSilence.longest && !isPaused && goesOn }

  /// Takes note that the next sample does not go on from the last.
  mutating func breakOff() { goesOn = false }

  /// Takes note of such a silence.
  mutating func jump(to time: SessionTime) {
    stops.append(RecordedPause(from: latest, until: time))
    let hours = (time - latest).nanoseconds / 3_600_000_000_000
    warnings.add(
      .clockJump, at: "second \(latest.nanoseconds / 1_000_000_000)",
      detail: "\(hours) h without a reading, paused across it")
    latest = time
  }

  /// Takes spans in which the timer stood still.
  mutating func add(_ spans: [RecordedPause]) { stops += spans }

  /// Takes note of the time of a sample.
  @inline(__always)
  mutating func note(_ time: SessionTime) {
    latest = max(latest, time)
    goesOn = true
  }

  /// The spans in which the timer stood still, in order, between the first sample and the last one at `end`.
  func spans(until end: SessionTime) -> [RecordedPause] {
    (isPaused ? stops + [RecordedPause(from: from, until: end)] : stops)
      .map { RecordedPause(from: max(.zero, $0.from), until: min($0.until, end)) }
      .filter { $0.from < $0.until }
  }
}
