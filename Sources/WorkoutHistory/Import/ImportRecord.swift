internal import Recordings
internal import SessionStore
package import TextFormats
internal import WorkoutSession

extension ImportOutcome {
  /// The session in which the workout is; absent for what cannot be one.
  package var sessionID: String? {
    switch self {
    case .added(let name), .replaced(let name, _), .assigned(let name), .duplicate(let name), .outdone(let name, _, _):
      name
    case .refused: nil
    }
  }

  /// What became of it, in a word.
  package var status: String {
    switch self {
    case .added, .replaced: "added"
    case .assigned, .duplicate, .outdone: "duplicate"
    case .refused: "refused"
    }
  }

  /// Why it was not added; absent for what was.
  package var reason: String? {
    switch self {
    case .added, .replaced: nil
    case .assigned: "the same workout is there, recorded live as nobody's, and is this person's now"
    case .duplicate: "the same workout is there"
    case .outdone(_, let gains, let obstacle):
      "the same workout is there, and this file says more of it: " + gains.map(\.words).joined(separator: ", ")
        + (obstacle.map { "; the session stays, for it \($0.words)\(Self.wayOut(gains, $0))" }
          ?? "; --replace puts it in its place")
    case .refused(let words): words
    }
  }

  /// How the file takes the place of the session all the same, or a session of nobody becomes somebody's although it cannot; empty where
  /// nothing can be done.
  private static func wayOut(_ gains: [WorkoutGain], _ obstacle: ReplacementObstacle) -> String {
    if case .recognized(let hasMotion) = obstacle {
      return hasMotion ? "; --replace with --recognize puts this file in its place" : ", and this file has no motion"
    }
    guard gains.contains(.person) else { return "" }
    return switch obstacle {
    case .betterOtherwise: "; --replace with the file that the session is made of makes it this person's"
    case .recordedLive: "; --replace makes it this person's"
    case .recordedLiveElsewhere, .drawn, .recognized, .several: ""
    }
  }

  /// The session whose place it took; absent where there was none.
  package var replaced: String? {
    if case .replaced(_, let earlier) = self { return earlier }
    return nil
  }

  /// Writes the record of a workout of a file.
  ///
  /// - Parameter notices: what people want to know of the session, in lines; the record is without them where there are none.
  package func writeRecord(of file: String, notices: [String], to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", "imported")
      writer.member("file", file)
      writer.member("sessionID", sessionID)
      writer.member("status", status)
      writer.member("reason", reason)
      writer.member("replaces", replaced)
      if !notices.isEmpty {
        writer.array("notices") { writer in
          for line in notices { writer.value(line) }
        }
      }
    }
    writer.endLine()
  }
}
