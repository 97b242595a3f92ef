package import ZoneEngine

/// Something that moved a session when it was recorded.
package enum RecordedInput: Hashable, Sendable {
  /// A sample.
  case sample(Sample)
  /// A sample of a session of our own whose stamp had no place in it, so that it decides nothing.
  case unplaced(SampleStream)
  /// The clock of the machine had moved a session of our own on by itself.
  case advance(to: SessionTime)
  /// A command that was carried out.
  case command(SessionCommand, at: SessionTime)
}
