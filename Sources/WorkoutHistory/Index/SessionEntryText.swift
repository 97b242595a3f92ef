internal import TextFormats
internal import WorkoutSession

extension SessionEntry {
  /// The day and the time of day at which it began, on the clock of its own place.
  package var startText: String { CalendarText.minute(start, utcOffsetSeconds: utcOffsetSeconds) }

  /// The mean heart rate as a whole number, as the summary of a session shows it.
  package var heartRateText: String? { line.shownHeartRate.map { QuantityText.number($0, decimals: 0) } }
}
