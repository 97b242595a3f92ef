internal import Recordings
package import TextFormats
package import WorkoutSession

/// Where things stand in the folder of a session.
package enum SessionFolder {
  /// The folder of all sessions in a data folder.
  package static let sessions = "sessions"
  /// What was true on the day.
  package static let manifest = "manifest.json"
  /// Every cue and every withheld cue.
  package static let decisions = "decisions.jsonl"
  /// Written at the end.
  package static let summary = "summary.json"
  /// Commands as they were carried out; with the samples they are all that decides.
  package static let commands = "commands.csv"
  /// Heart rates of sources that were not in charge.
  package static let standbyHeartRate = "heart_rate_standby.csv"
  /// Intervals between beats of the same, and of lines that came again or late.
  package static let standbyIntervals = "rr_standby.csv"

  /// What was noted while the session was recorded: a row where a label begins, and where the last one ends an empty one.
  package static let labels = "labels.csv"
  /// What somebody wrote down about the session afterwards; see ``SessionNotes``.
  package static let notes = "notes.json"
  /// What was taken of a session that goes on after its process is gone.
  package static let inputs = "inputs.log"
  /// The header of the log of labels.
  package static let labelsHeader = "time,at_s,label"

  /// The log of motion of a session that asked for it in binary, in place of `motion.csv`.
  package static let binaryMotion = "motion.bin"

  /// The log that a stream has in the folder of a session; `nil` where it has none.
  ///
  /// - Throws: `FileError` with `inspect` when it cannot be found out.
  package static func presentLog(of stream: SampleStream, in folder: StoredPath) throws(FileError) -> String? {
    let names = stream == .motion ? [log(of: stream), binaryMotion] : [log(of: stream)]
    for name in names where try FileSystem.has(folder + "/" + name) { return name }
    return nil
  }

  /// The log of a stream.
  package static func log(of stream: SampleStream) -> String {
    switch stream {
    case .heartRate: "heart_rate.csv"
    case .steps: "steps.csv"
    case .cadence: "cadence.csv"
    case .distance: "distance.csv"
    case .speed: "speed.csv"
    case .location: "location.csv"
    case .motion: "motion.csv"
    case .rrInterval: "rr.csv"
    case .direction: "direction.csv"
    case .altitude: "altitude.csv"
    }
  }

  /// The header of the log of a stream, with units.
  package static func header(of stream: SampleStream) -> String {
    switch stream {
    case .heartRate: "time,at_s,heart_rate_bpm"
    case .steps: "time,at_s,steps"
    case .cadence: "time,at_s,cadence_spm"
    case .distance: "time,at_s,distance_m"
    case .speed: "time,at_s,speed_m_s"
    case .location: "time,at_s,latitude_deg,longitude_deg,altitude_m,horizontal_accuracy_m,speed_m_s"
    case .motion:
      "time,at_s,acc_x_g,acc_y_g,acc_z_g,gyro_x_rad_s,gyro_y_rad_s,gyro_z_rad_s,mag_x_ut,mag_y_ut,mag_z_ut"
    case .rrInterval: "time,at_s,rr_ms"
    case .altitude: "time,at_s,altitude_m"
    case .direction: "time,at_s," + CSVColumns.directionColumns.joined(separator: ",")
    }
  }

  /// The streams whose rows the log of commands counts: those that may move a session on by themselves. What stands beside others goes
  /// with those.
  package static func countedStreams(of manifest: SessionManifest) -> [SampleStream] {
    SampleStream.recordable
      + SampleStream.allCases.filter { stream in
        !SampleStream.recordable.contains(stream) && (stream.carrier == nil || manifest.streams.contains(stream))
      }
  }

  /// The columns of a header of the log of commands that count rows, in their order, and whose.
  static func countedColumns(in names: [String]) -> [(index: Int, stream: SampleStream)] {
    SampleStream.allCases.compactMap { stream in
      names.firstIndex(of: rowsColumn(of: stream)).map { ($0, stream) }
    }.sorted { $0.0 < $1.0 }
  }

  /// The header of the log of commands: each states how many rows of every log came before it, because time alone does
  /// not say what was known when it was carried out. The value is what a command asks for beside its name.
  package static func commandsHeader(_ streams: [SampleStream]) -> String {
    "time,at_s,command,id," + streams.map { rowsColumn(of: $0) }.joined(separator: ",") + "," + valueColumn
  }

  /// What stands for a command where the clock of the machine had moved the session beyond a heart rate that came after.
  package static let clockWord = "clock"

  /// The column of the log of commands with what a command asks for beside its name; older logs have none.
  package static let valueColumn = "value"

  /// The column of the log of commands with the rows of a stream.
  private static func rowsColumn(of stream: SampleStream) -> String {
    String(log(of: stream).dropLast(".csv".count)) + "_rows"
  }

  /// The header of the log of heart rates of other sources.
  package static let standbyHeader = "time,at_s,heart_rate_bpm,source"
  /// The header of the log of intervals that do not count.
  package static let standbyIntervalsHeader = "time,at_s,rr_ms,source"

  /// The name of a session's folder, which is the session's identity: start, activity and eight random digits.
  package static func name(start: WallClockTime, activity: Activity, random: UInt32) -> String {
    let digits = String(random, radix: 16)
    let padding = String(repeating: "0", count: 8 - digits.count)
    return "\(start.compactDescription)-\(activity.fileNamePart)-\(padding)\(digits)"
  }

  /// The name of a session that began as another one did and has the next digits.
  ///
  /// - Precondition: the other name is one of a session.
  package static func name(after name: String) -> String {
    guard let digits = UInt32(name.suffix(8), radix: 16) else { preconditionFailure("a session has a name") }
    let next = String(digits &+ 1, radix: 16)
    return String(name.dropLast(8)) + String(repeating: "0", count: 8 - next.count) + next
  }

  /// The folder of a session in a data folder.
  package static func path(of sessionID: String, in dataFolder: StoredPath) -> StoredPath {
    dataFolder + "/" + sessions + "/" + sessionID
  }

  /// Whether anything of a session was recorded: a log, a journal or a summary.
  ///
  /// - Throws: `FileError` when the folder cannot be listed.
  package static func isRecorded(_ folder: StoredPath) throws(FileError) -> Bool {
    try FileSystem.listIfPresent(folder).contains { $0 != manifest && $0 != inputs && !$0.hasSuffix(".tmp") }
  }

  /// Removes the folder of a session of which nothing was recorded; nothing when it is not there.
  ///
  /// - Throws: `FileError` when something cannot be removed, such as a folder with a log.
  package static func removeUnrecorded(_ folder: StoredPath) throws(FileError) {
    guard try FileSystem.hasFolder(folder) else { return }
    for name in try FileSystem.list(folder)
    where name == manifest || name == inputs || TemporaryName.final(of: name).map(isOwn) == true {
      try FileSystem.remove(folder + "/" + name)
    }
    try FileSystem.remove(folder)
  }

  /// Whether a place is the folder of a session, for who decides by it what becomes of that; `false` for what coach does not go into,
  /// as what belongs to somebody else.
  ///
  /// - Throws: `FileError` with `inspect` when the disk, or the machine, does not let it be found out.
  package static func hasSession(_ place: some FilePlace) throws(FileError) -> Bool {
    try has(manifest, in: place.stored)
  }

  /// Whether the recording of a session came to its end, which its summary says; `false` for what coach does not go into.
  ///
  /// - Throws: as ``hasSession(_:)``.
  package static func hasEnded(_ folder: StoredPath) throws(FileError) -> Bool { try has(summary, in: folder) }

  private static func has(_ name: String, in folder: StoredPath) throws(FileError) -> Bool {
    do throws(FileError) {
      return try FileSystem.has(folder + "/" + name)
    } catch  where error.isOfPath {
      return false
    }
  }
}
