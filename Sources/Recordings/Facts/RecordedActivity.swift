public import TextFormats
public import ZoneEngine

/// One of the activities that a recording holds: a workout, or a day of records that belong to none.
public struct RecordedActivity: Hashable, Sendable {
  /// Its number in the recording, from 1.
  public let number: Int
  /// The sport, as the recording names it, in lower case (`running`); `nil` where it names none.
  public let sport: String?
  /// When it begins, from the first sample of the recording; negative for a workout that begins before that.
  public let start: SessionTime
  /// When it ends, from the first sample of the recording; never before `start`.
  public let end: SessionTime
  /// The time of day of `start`; `nil` where the recording has only times since a start.
  public let startTime: WallClockTime?
  /// How many heart rates above 0 it has.
  public let heartRateCount: Int
  /// Whether the recording calls it a workout; otherwise it is a day.
  public let isWorkout: Bool
}

extension RecordedActivity {
  /// The activities of a file that was decoded.
  static func list(_ recording: DecodedRecording, origin: Int64) -> [RecordedActivity] {
    func time(_ clock: Int64) -> SessionTime { SessionTime(nanoseconds: clock) - SessionTime(nanoseconds: origin) }
    return recording.activities.enumerated().map { index, activity in
      let start = activity.points.first?.time ?? origin
      return RecordedActivity(
        number: index + 1, sport: activity.sport, start: time(start), end: time(activity.points.last?.time ?? start),
        startTime: activity.clock == .wall ? WallClockTime(nanoseconds: start) : nil,
        heartRateCount: activity.points.count { $0.heartRate > 0 }, isWorkout: true)
    }
  }
}
