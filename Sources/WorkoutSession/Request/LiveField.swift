/// A number of a running session that a runner can choose to see large, below the heart rate and what to do.
package enum LiveField: String, CaseIterable, Hashable, Sendable {
  /// The pace of now, or the speed of who is on wheels, smoothed.
  case pace
  /// The same over the active time so far.
  case averagePace = "average-pace"
  /// How far it was until now.
  case distance
  /// Time that was not paused.
  case time
  /// Active time since the last lap or step.
  case lapTime = "lap-time"
  /// Pace or speed since the last lap or step.
  case lapPace = "lap-pace"
  /// Steps a minute.
  case cadence
  /// Energy by heart rate.
  case energy
  /// The time of day.
  case clock
  /// How much of the time with a target was in it.
  case compliance
  /// Training load.
  case load
  /// How the time between beats varies over two minutes.
  case alpha1

  /// Those of somebody who has chosen none.
  package static let usual: [LiveField] = [.distance, .pace, .compliance, .averagePace]
  /// The most that are shown at once.
  package static let mostCount = 6
}
