internal import SessionStore
package import TextFormats
internal import WorkoutSession
package import ZoneEngine

/// What the record of a list says of a session: as much as is read where there can be thousands.
package struct ListedSession: Hashable, Sendable {
  /// What a list says of it to people.
  package internal(set) var line: SessionLine
  /// The strategy as it is written on a command line.
  package let strategy: String
  /// The target as it was asked for; absent when there was none, or a plan.
  package let target: String?
  /// From its start to its end.
  package let elapsed: SessionTime
  /// The mean of the accepted heart rates in beats per minute.
  package let meanHeartRate: Double?
  /// Kilocalories by heart rate.
  package let energyKilocalories: Double?

  /// The columns that it is read from, in order.
  static let columns = "\(SessionLine.columns), strategy, target, elapsed_ns, mean_bpm, energy_kcal"

  /// How many ``columns`` there are.
  static let columnCount = SessionLine.columnCount + 5

  /// Reads the ``columns``.
  init(_ row: Database.Row) {
    line = SessionLine(row)
    let first = SessionLine.columnCount
    strategy = row.repeatedText(first) ?? ""
    target = row.repeatedText(first + 1)
    elapsed = row.span(first + 2)
    meanHeartRate = row.double(first + 3)
    energyKilocalories = row.double(first + 4)
  }

  /// Writes the record as a value among others.
  package func writeObject(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", "session")
      writer.member("sessionID", line.sessionID)
      writer.member("startTime", line.start)
      writer.member("activity", line.activity)
      writer.member("state", line.state.rawValue)
      writer.member("activeSeconds", secondsFromNanoseconds: line.active.nanoseconds)
      writer.member("compliance", line.compliance)
      writer.member("averageHeartRateBPM", meanHeartRate)
      writer.member("distanceMeters", line.distanceMeters)
      writer.member("steps", line.steps)
      writer.member("utcOffsetSeconds", line.utcOffsetSeconds)
      writer.member("elapsedSeconds", secondsFromNanoseconds: elapsed.nanoseconds)
      writer.member("energyKilocalories", energyKilocalories)
      writer.member("person", line.person)
      writer.member("strategy", strategy)
      writer.member("target", target)
      writer.member("origin", line.origin?.rawValue)
    }
  }
}
