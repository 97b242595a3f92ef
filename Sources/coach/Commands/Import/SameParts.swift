import Recordings
import ZoneEngine

/// The activities of one file that hold the same workout, such as those of a FIT that was put behind itself. An import takes the
/// first of them alone, and an inspection counts all.
enum SameParts {
  /// How many parts that may be the same as another are looked at.
  private static let most = 64

  /// Each later part with the earlier one that it is the same as, by their numbers. Of an export of Apple Health there is none:
  /// each of its records is in one workout.
  ///
  /// - Throws: `FileError` or `RecordingError` when the file cannot be read again.
  /// - Complexity: O(1) where no parts overlap.
  static func found(in recording: Recording) throws -> [(part: Int, earlier: Int)] {
    guard recording.facts.format != RecordingFormat.appleHealth.rawValue else { return [] }
    let candidates = candidates(of: recording.activities)
    guard !candidates.isEmpty else { return [] }
    var traces: [(part: Int, trace: WorkoutTrace)] = []
    var found: [(part: Int, earlier: Int)] = []
    try recording.forEachActivity(candidates) { activity, alone in
      guard let trace = try WorkoutTrace(of: alone) else { return }
      if let earlier = traces.first(where: { trace.isSameWorkout(as: $0.trace) }) {
        found.append((activity.number, earlier.part))
      } else {
        traces.append((activity.number, trace))
      }
    }
    return found
  }

  /// The parts that overlap another so far that they may be the same; they come in order of their starts.
  private static func candidates(of activities: [RecordedActivity]) -> [RecordedActivity] {
    var numbers: Set<Int> = []
    for (place, first) in activities.enumerated() where numbers.count < most {
      for second in activities[(place + 1)...] {
        guard second.start <= first.end, numbers.count < most else { break }
        guard WorkoutTrace.overlaps(span(of: first), span(of: second)) else { continue }
        numbers.formUnion([first.number, second.number])
      }
    }
    return activities.filter { numbers.contains($0.number) }
  }

  private static func span(of activity: RecordedActivity) -> ClosedRange<Int64> {
    activity.start.nanoseconds...max(activity.start, activity.end).nanoseconds
  }
}
