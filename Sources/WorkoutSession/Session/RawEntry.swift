package import TextFormats
package import ZoneEngine

extension LiveSession {
  /// Something that is kept in the raw log.
  package enum RawEntry: Hashable, Sendable {
    /// A sample that takes part, or would if it were not late or double; `sent` is its stamp where that is of a clock that
    /// was set.
    case sample(Sample, sent: WallClockTime?)
    /// A heart rate of a source that is not in charge, or an interval between beats that came with one, or with a heart rate that
    /// was late or double.
    case standby(Sample, sent: WallClockTime?)
    /// A reading whose stamp has no place in the session, so that it decides nothing.
    case unplaced(Reading, sent: WallClockTime, source: String?, isStandby: Bool)
    /// The clock of the machine had moved the session here, beyond the sample that is logged next.
    case clock(at: SessionTime)
    /// A command that was carried out; `id` is empty when nobody sent it.
    case command(SessionCommand, at: SessionTime, id: String)

    /// A sample at the time of its stamp.
    package static func sample(_ sample: Sample) -> RawEntry { .sample(sample, sent: nil) }
    /// A heart rate of a source that is not in charge, at the time of its stamp.
    package static func standby(_ sample: Sample) -> RawEntry { .standby(sample, sent: nil) }
  }
}
