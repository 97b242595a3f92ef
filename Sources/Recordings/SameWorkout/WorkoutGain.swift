internal import WorkoutSession
package import ZoneEngine

/// What one recording of a workout says of it that another does not.
package enum WorkoutGain: Hashable, Sendable {
  /// Seconds with a heart rate: as many readings, at most one a second.
  case heartRates(more: Int)
  /// Time in which the timer stood still.
  case pauses(more: SessionTime)
  /// Seconds with a position.
  case positions(more: Int)
  /// A distance, where the other has none.
  case distance
  /// Steps, where the other has none.
  case steps
  /// A cadence, where the other has none.
  case cadence
  /// Speeds, where the other has none.
  case speed
  /// Intervals between beats, where the other has none.
  case beats
  /// What a model recognises in its motion, where nothing was recognised in the other.
  case activities
  /// Whose it is, where the other is nobody's.
  case person

  /// The gain in words: `6 min 20 s of pauses`.
  package var words: String {
    switch self {
    case .heartRates(let count): "\(count) more readings of the heart rate"
    case .pauses(let span): "\((span.nanoseconds + 500_000_000) / 1_000_000_000) s more of pauses"
    case .positions(let count): "\(count) more positions"
    case .distance: "a distance"
    case .steps: "steps"
    case .cadence: "a cadence"
    case .speed: "speeds"
    case .beats: "intervals between beats"
    case .activities: "what the model recognises"
    case .person: "whose it is"
    }
  }
}

extension WorkoutTrace {
  /// The difference between two totals of pauses that rounding can make.
  private static let pauseTolerance = SessionTime.seconds(5)
  /// How many more values of one kind are more, and not only otherwise rounded: a tenth, and ten.
  private static func isMore(_ count: Int, than other: Int) -> Bool { count > other + other / 10 + 10 }

  /// What this recording says of the workout that the other does not, the weightiest first.
  ///
  /// - Precondition: Both hold the same workout.
  package func gains(over other: WorkoutTrace) -> [WorkoutGain] {
    Self.aspects.compactMap { $0(self, other) }
  }

  /// Whether this recording of a workout is better than another: by the weightiest thing in which they differ. It never
  /// is when it leaves out a part of the other's time.
  ///
  /// - Precondition: Both hold the same workout.
  package func isBetter(than other: WorkoutTrace) -> Bool {
    guard covers(other) else { return false }
    for aspect in Self.aspects {
      let (gain, loss) = (aspect(self, other), aspect(other, self))
      if (gain == nil) != (loss == nil) { return gain != nil }
    }
    return false
  }

  /// Whether this recording of a workout has a heart rate in more seconds than another, of whose time it leaves out nothing.
  ///
  /// - Precondition: Both hold the same workout.
  package func saysMoreOfTheHeart(than other: WorkoutTrace) -> Bool {
    covers(other) && heartRateCount > other.heartRateCount
  }

  /// Whether this recording of a workout has all that another has.
  ///
  /// - Precondition: Both hold the same workout.
  package func hasAll(of other: WorkoutTrace) -> Bool { covers(other) && other.gains(over: self).isEmpty }

  /// What a workout is judged by comes first, then when, where and how far it was.
  private static let aspects: [@Sendable (WorkoutTrace, WorkoutTrace) -> WorkoutGain?] = [
    {
      WorkoutTrace.isMore($0.heartRateCount, than: $1.heartRateCount)
        ? .heartRates(more: $0.heartRateCount - $1.heartRateCount) : nil
    },
    {
      $0.statedPaused > $1.paused + WorkoutTrace.pauseTolerance ? .pauses(more: $0.statedPaused - $1.paused) : nil
    },
    {
      WorkoutTrace.isMore($0.positionCount, than: $1.positionCount)
        ? .positions(more: $0.positionCount - $1.positionCount) : nil
    },
    { $0.streams.contains(.distance) && !$1.streams.contains(.distance) ? .distance : nil },
    { $0.streams.contains(.steps) && !$1.streams.contains(.steps) ? .steps : nil },
    { $0.streams.contains(.cadence) && !$1.streams.contains(.cadence) ? .cadence : nil },
    { $0.streams.contains(.speed) && !$1.streams.contains(.speed) ? .speed : nil },
    { $0.streams.contains(.rrInterval) && !$1.streams.contains(.rrInterval) ? .beats : nil },
  ]
}
