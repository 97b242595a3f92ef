package import TextFormats
package import ZoneEngine

/// One of the activities that a recording holds: a workout, or a day of records that belong to none.
package struct RecordedActivity: Hashable, Sendable {
  /// Its number in the recording, from 1.
  package let number: Int
  /// The sport, as the recording names it.
  package let sport: String?
  /// When it begins, from the first sample of the recording; negative for a workout that begins before that.
  package let start: SessionTime
  /// When it ends, from the first sample of the recording; never before `start`.
  package let end: SessionTime
  /// The time of day of `start`, where the recording tells one.
  package let startTime: WallClockTime?
  /// How many heart rates above 0 it has.
  package let heartRates: Int
  /// Whether the recording calls it a workout; otherwise it is a day.
  package let isWorkout: Bool
}

extension RecordedActivity {
  /// The activities of a file that was decoded.
  static func list(_ recording: DecodedRecording, origin: Int64) -> [RecordedActivity] {
    func time(_ clock: Int64) -> SessionTime { SessionTime(nanoseconds: clock) - SessionTime(nanoseconds: origin) }
    return recording.activities.enumerated().map { index, activity in
      let start = activity.points.first?.time ?? origin
      return RecordedActivity(
        number: index + 1, sport: activity.sport, start: time(start), end: time(activity.points.last?.time ?? start),
        startTime: recording.clock == .wall ? WallClockTime(nanoseconds: start) : nil,
        heartRates: activity.points.count { $0.heartRate > 0 }, isWorkout: true)
    }
  }
}
