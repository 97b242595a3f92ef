package import SessionStore
package import TextFormats
package import WorkoutSession
package import ZoneEngine

/// What a list says of a session.
package struct SessionLine: Hashable, Sendable {
  /// The identity: the name of its folder.
  package let sessionID: String
  /// What the person is called; absent when nobody said who it was.
  package internal(set) var person: String?
  /// What distinguishes the person from others of that name; absent where the name does.
  var personMark: String?
  /// What a table calls the person; absent when nobody said who it was.
  package var personLabel: String? { PersonLabel.text(person, mark: personMark) }
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
  /// The time that was not paused.
  package let active: SessionTime
  /// Active time in the target, and covered active time with a target.
  package let inTarget, coveredWithTarget: SessionTime
  /// The mean heart rate that is shown, in beats per minute: over the covered time where that is known.
  package let shownHeartRate: Double?
  /// Metres.
  package let distanceMeters: Double?
  /// Steps.
  package let steps: Int?
  /// Where its samples came from; absent where that is not known.
  package let origin: SessionOrigin?

  /// Seconds in target ÷ covered seconds; absent without a target.
  package var compliance: Double? {
    coveredWithTarget > .zero ? inTarget.seconds / coveredWithTarget.seconds : nil
  }

  /// The columns that a line is read from, in order.
  static let columns = """
    id, person, profile, start_ns, utc_offset_s, activity, state, active_ns, in_target_ns, covered_with_target_ns,
    ifnull(time_weighted_bpm, mean_bpm), distance_m, steps, origin
    """

  /// How many ``columns`` there are.
  static let columnCount = 14

  /// Reads the ``columns``.
  init(_ row: Database.Row) {
    sessionID = row.text(0)
    person = row.repeatedText(1)
    profileID = row.repeatedText(2).flatMap { ProfileID($0) }
    start = WallClockTime(nanoseconds: row.int64(3))
    utcOffsetSeconds = row.utcOffsetSeconds(4)
    activity = row.repeatedText(5) ?? ""
    state = row.repeatedText(6).flatMap { SessionState(rawValue: $0) } ?? .complete
    active = row.span(7)
    inTarget = row.span(8)
    coveredWithTarget = row.span(9)
    shownHeartRate = row.double(10)
    distanceMeters = row.double(11)
    steps = row.count(12)
    origin = row.repeatedText(13).flatMap { SessionOrigin(rawValue: $0) }
  }
}
