package import SessionStore
package import TextFormats
package import WorkoutSession
package import ZoneEngine

/// A session as a line of the history.
package struct SessionEntry: Hashable, Sendable {
  /// The identity: the name of its folder.
  package let sessionID: String
  /// What the person is called; absent when nobody said who it was.
  package internal(set) var person: String?
  /// The identity of the profile of the person; absent when nobody said who it was, or it had none.
  package let profileID: ProfileID?
  /// When it began.
  package let start: WallClockTime
  /// How far the clock of its place was ahead of UTC.
  package let utcOffsetSeconds: Int
  /// What the person did.
  package let activity: String
  /// How its recording came to its end.
  package let state: SessionState
  /// The strategy as it is written on a command line.
  package let strategy: String
  /// The target as it was asked for; absent when there was none, or a plan.
  package let target: String?
  /// From its start to its end.
  package let elapsed: SessionTime
  /// The time that was not paused.
  package let active: SessionTime
  /// Active time in the target, covered active time with a target, and all active time with one.
  package let inTarget, coveredWithTarget, activeWithTarget: SessionTime
  /// Active time without an accepted heart rate.
  package let noData: SessionTime
  /// The mean of the accepted heart rates in beats per minute.
  package let meanHeartRate: Double?
  /// The mean heart rate over the covered time, in beats per minute.
  package let timeWeightedMeanHeartRate: Double?
  /// The lowest and the highest accepted heart rate, in beats per minute.
  package let minimumHeartRate, maximumHeartRate: Double?
  /// Metres.
  package let distanceMeters: Double?
  /// Steps.
  package let steps: Int?
  /// Kilocalories by heart rate.
  package let energyKilocalories: Double?
  /// The name of the zone model that it was judged by.
  package let zoneModel: String
  /// Where its samples came from; absent where that is not known.
  package let origin: SessionOrigin?

  /// Active time with an accepted heart rate.
  package var covered: SessionTime { active - noData }

  /// Seconds in target ÷ covered seconds; absent without a target.
  package var compliance: Double? {
    coveredWithTarget > .zero ? inTarget.seconds / coveredWithTarget.seconds : nil
  }

  /// The columns that an entry is read from, in order.
  static let columns = """
    id, person, start_ns, utc_offset_s, activity, state, strategy, target, elapsed_ns, active_ns, in_target_ns,
    covered_with_target_ns, active_with_target_ns, mean_bpm, distance_m, steps, energy_kcal, no_data_ns,
    time_weighted_bpm, minimum_bpm, maximum_bpm, zone_model, profile, origin
    """

  /// How many ``columns`` there are.
  static let columnCount = 24

  /// Reads the ``columns``.
  init(_ row: Database.Row) {
    sessionID = row.text(0)
    person = row.repeatedText(1)
    start = WallClockTime(nanoseconds: row.int64(2))
    utcOffsetSeconds = row.int(3)
    activity = row.repeatedText(4) ?? ""
    state = row.repeatedText(5).flatMap { SessionState(rawValue: $0) } ?? .complete
    strategy = row.repeatedText(6) ?? ""
    target = row.repeatedText(7)
    elapsed = SessionTime(nanoseconds: row.int64(8))
    active = SessionTime(nanoseconds: row.int64(9))
    inTarget = SessionTime(nanoseconds: row.int64(10))
    coveredWithTarget = SessionTime(nanoseconds: row.int64(11))
    activeWithTarget = SessionTime(nanoseconds: row.int64(12))
    meanHeartRate = row.double(13)
    distanceMeters = row.double(14)
    steps = row.optionalInt64(15).map { Int($0) }
    energyKilocalories = row.double(16)
    noData = SessionTime(nanoseconds: row.int64(17))
    timeWeightedMeanHeartRate = row.double(18)
    minimumHeartRate = row.double(19)
    maximumHeartRate = row.double(20)
    zoneModel = row.repeatedText(21) ?? ""
    profileID = row.repeatedText(22).flatMap { ProfileID($0) }
    origin = row.repeatedText(23).flatMap { SessionOrigin(rawValue: $0) }
  }

  /// Writes the record of the entry as one line.
  package func write(to writer: inout JSONWriter) {
    writeObject(to: &writer)
    writer.endLine()
  }

  /// Writes the record of the entry as a value among others.
  package func writeObject(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", "session")
      writer.member("sessionID", sessionID)
      writer.member("startTime", start)
      writer.member("activity", activity)
      writer.member("state", state.rawValue)
      writer.member("activeSeconds", secondsFromNanoseconds: active.nanoseconds)
      writer.member("compliance", compliance)
      writer.member("averageHeartRateBPM", meanHeartRate)
      writer.member("distanceMeters", distanceMeters)
      writer.member("steps", steps)
      writer.member("utcOffsetSeconds", utcOffsetSeconds)
      writer.member("elapsedSeconds", secondsFromNanoseconds: elapsed.nanoseconds)
      writer.member("energyKilocalories", energyKilocalories)
      writer.member("person", person)
      writer.member("strategy", strategy)
      writer.member("target", target)
      writer.member("origin", origin?.rawValue)
    }
  }
}
