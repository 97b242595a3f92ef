package import ZoneEngine

/// A cue as a file of coach states it; its time counts from the first sample of the recording.
package struct RecordedCue: Hashable, Sendable {
  /// When it was given.
  package let time: SessionTime
  /// What it asked for.
  package let action: CueAction
  /// The cue in words; may be empty.
  package let message: String
}
