package import SessionStore
package import TextFormats
package import WorkoutSession
package import ZoneEngine

/// A session of the history.
package struct SessionEntry: Hashable, Sendable {
  /// What the record of a list says of it.
  package internal(set) var listed: ListedSession
  /// All active time with a target.
  package let activeWithTarget: SessionTime
  /// Active time without an accepted heart rate.
  package let noData: SessionTime
  /// The mean heart rate over the covered time, in beats per minute.
  package let timeWeightedMeanHeartRate: Double?
  /// The lowest and the highest accepted heart rate, in beats per minute.
  package let minimumHeartRate, maximumHeartRate: Double?
  /// The name of the zone model that it was judged by.
  package let zoneModel: String

  /// What a list says of it to people.
  package internal(set) var line: SessionLine {
    get { listed.line }
    set { listed.line = newValue }
  }
  /// The strategy as it is written on a command line.
  package var strategy: String { listed.strategy }
  /// The target as it was asked for; absent when there was none, or a plan.
  package var target: String? { listed.target }
  /// From its start to its end.
  package var elapsed: SessionTime { listed.elapsed }
  /// The mean of the accepted heart rates in beats per minute.
  package var meanHeartRate: Double? { listed.meanHeartRate }
  /// Kilocalories by heart rate.
  package var energyKilocalories: Double? { listed.energyKilocalories }
  /// The identity: the name of its folder.
  package var sessionID: String { line.sessionID }
  /// What the person is called; absent when nobody said who it was.
  package internal(set) var person: String? {
    get { line.person }
    set { line.person = newValue }
  }
  /// The identity of the profile of the person; absent when nobody said who it was, or it had none.
  package var profileID: ProfileID? { line.profileID }
  /// When it began.
  package var start: WallClockTime { line.start }
  /// How far the clock of its place was ahead of UTC.
  package var utcOffsetSeconds: Int { line.utcOffsetSeconds }
  /// What the person did.
  package var activity: String { line.activity }
  /// How its recording came to its end.
  package var state: SessionState { line.state }
  /// The time that was not paused.
  package var active: SessionTime { line.active }
  /// Active time in the target.
  package var inTarget: SessionTime { line.inTarget }
  /// Covered active time with a target.
  package var coveredWithTarget: SessionTime { line.coveredWithTarget }
  /// Metres.
  package var distanceMeters: Double? { line.distanceMeters }
  /// Steps.
  package var steps: Int? { line.steps }
  /// Where its samples came from; absent where that is not known.
  package var origin: SessionOrigin? { line.origin }
  /// Seconds in target ÷ covered seconds; absent without a target.
  package var compliance: Double? { line.compliance }
  /// Active time with an accepted heart rate.
  package var covered: SessionTime { active - noData }

  /// The columns that an entry is read from, in order.
  static let columns = """
    \(ListedSession.columns), active_with_target_ns, no_data_ns, time_weighted_bpm, minimum_bpm, maximum_bpm, zone_model
    """

  /// How many ``columns`` there are.
  static let columnCount = ListedSession.columnCount + 6

  /// Reads the ``columns``.
  init(_ row: Database.Row) {
    listed = ListedSession(row)
    let first = ListedSession.columnCount
    activeWithTarget = row.span(first)
    noData = row.span(first + 1)
    timeWeightedMeanHeartRate = row.double(first + 2)
    minimumHeartRate = row.double(first + 3)
    maximumHeartRate = row.double(first + 4)
    zoneModel = row.repeatedText(first + 5) ?? ""
  }

  /// Writes the record of the entry as one line.
  package func write(to writer: inout JSONWriter) {
    writeObject(to: &writer)
    writer.endLine()
  }

  /// Writes the record of the entry as a value among others.
  package func writeObject(to writer: inout JSONWriter) { listed.writeObject(to: &writer) }
}
