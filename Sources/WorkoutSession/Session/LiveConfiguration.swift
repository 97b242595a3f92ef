package import TextFormats
package import ZoneEngine

/// What moves a live session on between samples.
package enum SessionClock: String, CaseIterable, Hashable, Sendable {
  /// Only the samples: a whole run may arrive in a second.
  case samples
  /// The wall clock, so that silence is noticed.
  case wall
  /// The wall clock when the first sample is within 60 s of now, else the samples.
  case automatic = "auto"
}

/// What a live session consists of before it has begun.
package struct LiveConfiguration: Sendable {
  /// What decides the answers.
  package var settings: CoachingSettings
  /// What moves the session on between samples.
  package let clock: SessionClock
  /// The streams that are recorded and used.
  package let streams: [SampleStream]
  /// The active time after which the session ends by itself.
  package let durationLimit: SessionTime?
  /// Whether the strategy was drawn, so that it cannot be changed.
  package let isStrategyDrawn: Bool
  /// The offset of the local clock from UTC in seconds at an instant; absent where nothing is to be kept of the session's
  /// course.
  package var utcOffsetSeconds: (@Sendable (WallClockTime) -> Int)?
  /// What is recognised in the motion; absent where nothing is.
  package var recognition: RecognitionSettings?
  /// Whether somebody wants to see every sensor, and to know when one falls silent or when a step waits for a distance in vain.
  package var watchesStreams = false
  /// Who is asked by a strategy that asks; absent where none is.
  package var policy: (any AskedJudge)?

  /// Creates a configuration.
  package init(
    settings: CoachingSettings, clock: SessionClock, streams: [SampleStream], durationLimit: SessionTime?,
    isStrategyDrawn: Bool = false
  ) {
    self.isStrategyDrawn = isStrategyDrawn
    self.settings = settings
    self.clock = clock
    self.streams = streams
    self.durationLimit = durationLimit
  }
}
