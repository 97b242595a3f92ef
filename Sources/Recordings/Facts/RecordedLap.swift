public import ZoneEngine

/// A lap as a file states it; times count from the first sample of the recording.
public struct RecordedLap: Hashable, Sendable {
  /// When it began; negative for a lap that began before the first sample.
  public let from: SessionTime
  /// When it ended; not before `from`.
  public let until: SessionTime
  /// How long the timer ran in it; `nil` where the file does not say so.
  public let timer: SessionTime?
  /// What the file says of it beside its time; `nil` where it says nothing that is kept.
  package let step: StatedStep?
}
