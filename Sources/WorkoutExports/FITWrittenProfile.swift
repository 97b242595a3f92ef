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

    /// What both state under numbers of their own.
    struct Summary {
      /// Beats per minute.
      let meanHeartRate, maximumHeartRate: UInt8
      /// Strides of one leg a minute (avg_running_cadence, max_running_cadence).
      let meanCadence, maximumCadence: UInt8
      /// Metres.
      let ascent, descent: UInt8
      /// Millimetres per second (enhanced_avg_speed, enhanced_max_speed).
      let meanSpeed, maximumSpeed: UInt8
      let sport, subSport: UInt8
    }

    /// Of laps.
    static let lap = Summary(
      meanHeartRate: 15, maximumHeartRate: 16, meanCadence: 17, maximumCadence: 18, ascent: 21, descent: 22,
      meanSpeed: 110, maximumSpeed: 111, sport: 25, subSport: 39)
    static let sessionEnds: UInt8 = 7

    /// Of sessions.
    static let session = Summary(
      meanHeartRate: 16, maximumHeartRate: 17, meanCadence: 18, maximumCadence: 19, ascent: 22, descent: 23,
      meanSpeed: 124, maximumSpeed: 125, sport: FITProfile.Session.sport, subSport: FITProfile.Session.subSport)
    static let firstLap: UInt8 = 25
    static let lapCount: UInt8 = 26

    /// Of the activity.
    static let activityTimerTime: UInt8 = 0
    static let sessionCount: UInt8 = 1
    static let activityType: UInt8 = 2
    static let activityEvent: UInt8 = 3
    static let activityEventType: UInt8 = 4
    /// The instant of the message on the clock of the place.
    static let localTimestamp: UInt8 = 5
  }
}
