public import ZoneEngine

/// A span in which the timer of a recording stood still; times count from the first sample of the recording.
public struct RecordedPause: Hashable, Sendable {
  /// When the timer was stopped.
  public let from: SessionTime
  /// When it went on; later than `from`.
  public let until: SessionTime
}
