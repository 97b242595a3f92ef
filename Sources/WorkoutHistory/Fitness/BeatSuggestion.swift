internal import SessionStore
package import TextFormats
internal import WorkoutSession
package import ZoneEngine

/// What α1 of a session says of a threshold. Nothing takes it by itself.
package struct BeatSuggestion: Hashable, Sendable {
  /// The heart rate, and what it rests on.
  package let threshold: BeatThreshold
  /// The session.
  package let sessionID: String
  /// When that began.
  package let start: WallClockTime

  /// How many days before the newest session are looked at.
  private static let days = 365
  /// How many sessions with intervals between beats are looked at, so that the answer comes soon.
  private static let most = 10
  /// How many sessions are asked whether they have any.
  private static let mostAsked = 1_000

  /// For each threshold what the newest session with one says, of sessions in order of their starts.
  ///
  /// - Throws: `FileError` when it cannot be found out which sessions have intervals.
  static func newest(
    of sessions: [(id: String, start: WallClockTime)], in dataFolder: StoredPath
  ) throws(FileError) -> [BeatSuggestion] {
    guard let last = sessions.last?.start else { return [] }
    let first = last.nanoseconds - Int64(days) * 86_400_000_000_000
    var found: [BeatThreshold.Level: BeatSuggestion] = [:]
    var looked = 0
    for session in sessions.reversed().prefix(mostAsked) where session.start.nanoseconds >= first {
      let folder = SessionFolder.path(of: session.id, in: dataFolder)
      guard try FileSystem.has(folder + "/" + SessionFolder.log(of: .rrInterval)) else { continue }
      // What cannot be read suggests nothing; a check of the history says so.
      guard let report = try? SessionFolderRecording(path: folder).beats() else { continue }
      for level in BeatThreshold.Level.allCases where found[level] == nil {
        guard let threshold = try? report.threshold(level).get() else { continue }
        found[level] = BeatSuggestion(threshold: threshold, sessionID: session.id, start: session.start)
      }
      looked += 1
      if looked == most || found.count == BeatThreshold.Level.allCases.count { break }
    }
    return BeatThreshold.Level.allCases.compactMap { found[$0] }
  }

  /// Writes the record as a value.
  package func writeObject(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", "suggestion")
      writer.member("quantity", "heartRateAtAlpha1")
      threshold.writeMembers(to: &writer)
      writer.object("evidence") { writer in
        writer.member("sessionID", sessionID)
        writer.member("startTime", start)
      }
    }
  }
}
