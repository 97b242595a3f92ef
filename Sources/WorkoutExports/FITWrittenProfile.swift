internal import Recordings

extension FITProfile {
  /// The numbers of the profile that are only written: what our reader has no use for, and other programs want.
  enum Written {
    static let activity: UInt16 = 34

    /// Of a file's own description.
    static let fileType: UInt8 = 0
    static let timeCreated: UInt8 = 4
    static let activityFile: UInt8 = 4

    /// Of an event.
    static let eventGroup: UInt8 = 4
    static let stop: UInt8 = 1
    static let stopAll: UInt8 = 4
    static let sessionEvent: UInt8 = 8
    static let lapEvent: UInt8 = 9
    static let activityEnds: UInt8 = 26

    /// Of laps and sessions alike. Times are thousandths of a second.
    static let messageIndex: UInt8 = 254
    static let startTime: UInt8 = 2
    static let totalElapsedTime: UInt8 = 7
    static let totalTimerTime: UInt8 = 8
    /// Kilocalories.
    static let totalCalories: UInt8 = 11

    /// Of laps.
    static let lapMeanHeartRate: UInt8 = 15
    static let lapMaximumHeartRate: UInt8 = 16
    /// Strides of one leg a minute (avg_running_cadence).
    static let lapMeanCadence: UInt8 = 17
    static let lapSport: UInt8 = 25
    static let sessionEnds: UInt8 = 7

    /// Of sessions.
    static let sessionMeanHeartRate: UInt8 = 16
    static let sessionMaximumHeartRate: UInt8 = 17
    /// As of a lap.
    static let sessionMeanCadence: UInt8 = 18
    static let firstLap: UInt8 = 25
    static let lapCount: UInt8 = 26

    /// Of the activity.
    static let activityTimerTime: UInt8 = 0
    static let sessionCount: UInt8 = 1
    static let activityType: UInt8 = 2
    static let activityEvent: UInt8 = 3
    static let activityEventType: UInt8 = 4
  }
}
