internal import Recordings
internal import SessionStore
internal import WorkoutSession
internal import ZoneEngine

/// What a session of our own comes to as it is replayed, beside its readings.
struct ReplayedSession {
  /// Laps, steps and cues.
  private(set) var marks = ExportedMarks()
  /// What its laps came to; none where it was one.
  let laps: [SessionLap]
  /// When it ended.
  let end: SessionTime
  /// Metres of the session; `nil` where they are not known.
  let meters: Double?
  /// The accepted heart rates outside of pauses.
  let heartRates: HeartRateStatistics
  /// Steps outside of pauses; `nil` where nothing counted them.
  let steps: Int?
  /// Kilocalories; `nil` where they are not known.
  let energyKilocalories: Double?
  /// Readings that a device had sent before.
  private(set) var repeatedReadings = 0

  /// Replays a session, and gives what took part in its decisions to `body`, in the order in which it came.
  ///
  /// A live stream sends again what it is not sure to have sent, so that a reading that was there already is left out and
  /// counted. A recording that was imported was sent once, and what it has twice was measured twice.
  ///
  /// - Throws: What reading the folder throws, or what `body` throws.
  init(_ session: SessionFolderRecording, _ body: (RecordedInput) throws -> Void) throws {
    let isImported = session.manifest.source != nil
    var (marks, laps, repeated) = (ExportedMarks(), SessionLaps(), 0)
    let pipeline = try Replay.run(
      session, settings: session.settings(), pace: .events, endReason: .endOfInput,
      observer: { input, admission, pipeline in
        guard case .sample(let sample) = input else { return try body(input) }
        switch admission {
        case .admitted:
          if !pipeline.engine.isPaused { laps.admit(sample, pipeline.engine) }
        case .late: break
        case .duplicate:
          guard isImported else {
            repeated += 1
            return
          }
        case .standby, .ignored, nil: return
        }
        try body(input)
      },
      step: { _, events in
        for event in events {
          marks.admit(event)
          laps.note(event)
        }
      }
    ).pipeline
    let summary = pipeline.engine.summary
    (self.marks, repeatedReadings) = (marks, repeated)
    self.laps = laps.laps(until: summary.elapsed)
    end = summary.elapsed
    meters = summary.distanceMeters
    heartRates = summary.readings
    steps = summary.steps
    energyKilocalories = summary.energyKilocalories
  }
}
