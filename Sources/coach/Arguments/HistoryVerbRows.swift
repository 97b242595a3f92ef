import SessionStore
import TextFormats
import WorkoutHistory
import WorkoutSession

/// The options of the history verbs.
enum HistoryOptions {
  static let days = Option.integer("days", "N", 1...36_500, in: .session, help: "Only the last N days, today included")
  static let from = day("from", help: "Only from this day on, such as 2026-11-20")
  static let to = day("to", help: "Only up to this day, itself included")
  static let person = Option(
    "person", "NAME", kind: .name(.profile), in: .session, help: "Only the sessions of this person",
    reader: { (text: String) throws(ValueProblem) in ProfileFileName.storedName(typed: try readText(text)) ?? text })
  static let date = day("date", help: "The day, such as 2026-11-20, instead of today, or of the newest with readings")
  static let weeks = Option.integer(
    "weeks", "N", 1...1_000, in: .session, help: "How many weeks, the current one included"
  ).otherwise(12, shown: "12")
  static let rate = Option.number(
    "rate", "HZ", 0.0001...10_000, in: .input,
    help: "The sampling rate that was asked for, in rows a second: of motion where there is any, else of all streams")
  static let gap = Option.number(
    "gap", "SECONDS", 0.001...86_400, in: .input,
    help: "The shortest gap that is reported, instead of 15, or 1 for motion")
  static let includeSimulated = Option.flag(
    "include-simulated", in: .session, help: "Take sessions of virtual runners too, in which no person was measured")
  static let load = Option.choice(
    "load", "edwards|banister", of: LoadMethod.self, in: .session, help: "Which training load counts"
  ).otherwise(.edwards, shown: "edwards")
  static let distance = Option(
    "distance", "RANGE", kind: .text, in: .session,
    help: "Only sessions of that distance: 5km-10km, 400m-2km, 3mi-4mi, or 10km for 5 % more or less",
    reader: { (text: String) throws(ValueProblem) in try readDistances(text) })
  static let near = Option.text(
    "near", "LAT,LON|SESSION", offering: .session, in: .session,
    help: "Only sessions that began near a place, in degrees, or near where a session began")
  static let within = Option(
    "within", "METERS", kind: .text, in: .session,
    help: "How far from --near a session may have begun: metres, or with a unit such as 300m, 2km or 1mi",
    reader: { (text: String) throws(ValueProblem) in
      let meters = SessionSearch.length(text) ?? decimal(text)
      guard let meters, (1...1_000_000).contains(meters) else {
        throw ValueProblem(expected: "1 to 1000000 metres, or a distance with a unit such as 300m or 1mi")
      }
      return meters
    }
  ).otherwise(300, shown: "300")
  static let label = Option.text(
    "labelled", "NAME", in: .session, help: "Only sessions with this label on a stretch")
  static let tag = Option.text("tag", "TAG", in: .session, help: "Only sessions with this tag")
  static let text = Option.text(
    "text", "TEXT", in: .session, help: "Only sessions whose note, tags, labels or activity hold this text")
  static let clear = Option.flag("clear", in: .session, help: "Take the note away")
  static let untag = Option.text("untag", "LIST", in: .session, help: "Take these tags away")
  static let yes = Option.flag("yes", in: .session, help: "Do not ask")

  static let importedDays = Option.flag(
    "all-days", in: .input, help: "Of an export of Apple Health, the days outside of its workouts too")

  static let replaces = Option.flag(
    "replace", in: .input,
    help: "Put a file that says more of a workout that is there in the place of its session")

  /// Those that choose among sessions, in the order of the help.
  static let filter: [any DeclaredOption] = [days, from, to, person]

  private static func day(_ name: String, help: String) -> Option<CivilDate?> {
    Option(name, "DATE", kind: .text, in: .session, help: help) { (text: String) throws(ValueProblem) in
      guard let day = CivilDate(iso8601: text) else { throw ValueProblem(expected: "a day such as 2026-11-20") }
      return day
    }
  }
}

/// Reads metres from and to, both with a unit, or so many metres within 5 %.
///
/// - Throws: `ValueProblem` for anything else.
private func readDistances(_ text: String) throws(ValueProblem) -> ClosedRange<Double> {
  guard let meters = SessionSearch.meters(text) else {
    throw ValueProblem(expected: "a distance with a unit such as 10km, or two such as 5km-10km")
  }
  return meters
}

extension Operands {
  /// A session: its name, or the beginning of it, or `latest`.
  static let session = Operand.one("SESSION", .name(.session))

  /// A session that runs: its name, or the beginning of it; the newest when nothing is said.
  static let runningSession = Operand.optional("SESSION", .name(.running))

  /// A session to write; none where all are asked for.
  static let exportedSession = Operand.optional("SESSION", .name(.session))

  /// Several sessions.
  static let sessions = Operand.oneOrMore("SESSION", .name(.session))

  /// A session, its folder, or a recording.
  static let sessionOrRecording = Operand.one("SESSION|FOLDER|RECORDING", .nameOrFile(.session))

  /// A session, from when to when, and a label.
  static let labelled = Operand.oneOrMore("SESSION FROM UNTIL NAME", .name(.session))

  /// A session and a note.
  static let noted = Operand.oneOrMore("SESSION [TEXT]", .name(.session))

  /// A session and tags.
  static let tagged = Operand.oneOrMore("SESSION [TAG]", .name(.session))

  /// The file that is written.
  static let archive = Operand.one("FILE", .file)
}

extension Verb {
  static let importing = Verb(
    .importing, in: .history,
    summary: "Take recordings of devices, folders and .zip files of them into the history, each workout once",
    example: "coach import *.fit --profile anna",
    operand: Operands.recordings.declaration,
    options: ZoneOptions.all + GuidanceOptions.all + RandomizationOptions.all + [
      SessionOptions.part, HistoryOptions.importedDays, HistoryOptions.replaces, SessionOptions.activity,
      ExportOptions.start,
    ] + RecognitionOptions.all + [OutputOptions.format, OutputOptions.dataFolder],
    exitCodes: [.unusableData, .noInput, .unavailable, .cannotCreate], isEndedBySignal: true)
  private static let readingExits: [ExitCode] = [.unusableData, .unavailable, .cannotCreate]

  static let history = Verb(
    .history, in: .history,
    summary: "Show the latest workout and the last 7 days",
    example: "coach history",
    options: [HistoryOptions.person, HistoryOptions.includeSimulated] + [PreferenceOptions.units] + OutputOptions.all,
    exitCodes: readingExits)

  static let historyList = Verb(
    .historyList, in: .history,
    summary: "List the sessions that are kept, the newest first",
    example: "coach history list --days 30 --format jsonl",
    options: HistoryOptions.filter + [PreferenceOptions.units] + OutputOptions.all,
    exitCodes: readingExits)

  static let historyShow = Verb(
    .historyShow, in: .history,
    summary: "Show a session: totals, time in each zone, compliance, course, kilometres",
    example: "coach history show latest --format json",
    operand: Operands.session.declaration,
    options: [PreferenceOptions.units] + OutputOptions.all,
    exitCodes: readingExits + [.noInput])

  static let historyHourly = Verb(
    .historyHourly, in: .history,
    summary: "Show steps and heart rate of each hour of a day, of each person for itself",
    example: "coach history hourly --date 2026-11-20",
    options: [HistoryOptions.date, HistoryOptions.person, HistoryOptions.includeSimulated] + OutputOptions.all,
    exitCodes: readingExits)

  static let historyTrends = Verb(
    .historyTrends, in: .history,
    summary: "Show weeks: how much, how hard, how efficient",
    example: "coach history trends --weeks 26",
    options: [HistoryOptions.weeks, HistoryOptions.person, HistoryOptions.includeSimulated] + [PreferenceOptions.units]
      + OutputOptions.all,
    exitCodes: readingExits)

  static let historyRecords = Verb(
    .historyRecords, in: .history,
    summary: "Show the best over each distance and time, of each person and activity for itself",
    example: "coach history records --activity running",
    options: HistoryOptions.filter + [SessionOptions.activity, HistoryOptions.includeSimulated] + [
      PreferenceOptions.units
    ] + OutputOptions.all,
    exitCodes: readingExits)

  static let historyFitness = Verb(
    .historyFitness, in: .history,
    summary: "Show training load, fitness and form, how hard the weeks were, the weekly goal",
    example: "coach history fitness --person anna",
    options: [HistoryOptions.days, HistoryOptions.load, HistoryOptions.person, HistoryOptions.includeSimulated]
      + [PreferenceOptions.units] + OutputOptions.all,
    exitCodes: readingExits)

  static let historyQuality = Verb(
    .historyQuality, in: .history,
    summary: "Say how well each stream was sampled: rate, jitter, gaps, missing values",
    example: "coach history quality latest --rate 1",
    operand: Operands.sessionOrRecording.declaration,
    options: [HistoryOptions.rate, HistoryOptions.gap] + OutputOptions.all,
    exitCodes: readingExits + [.noInput])

  static let historyCheck = Verb(
    .historyCheck, in: .history,
    summary: "Compare the index with the folders and look into every log",
    example: "coach history check",
    options: OutputOptions.all,
    exitCodes: readingExits + [.checkFailed])

  static let historyRebuild = Verb(
    .historyRebuild, in: .history,
    summary: "Make the index anew from the folders of the sessions",
    example: "coach history rebuild",
    options: [OutputOptions.format, OutputOptions.dataFolder],
    exitCodes: readingExits, isEndedBySignal: true)

  static let historyBackup = Verb(
    .historyBackup, in: .history,
    summary: "Write all sessions and profiles to one .tar.gz; - is the standard output",
    example: "coach history backup coach.tar.gz",
    operand: Operands.archive.declaration,
    options: [ExportOptions.force, OutputOptions.format, OutputOptions.dataFolder],
    exitCodes: readingExits + [.noInput, .interrupted])

  static let historyExport = Verb(
    .historyExport, in: .history,
    summary: "Write a session as a file for other programs or as JSON, or the folders of all",
    example: "coach history export latest --as gpx --privacy-radius 200 --output run.gpx",
    operand: Operands.exportedSession.declaration,
    options: ExportOptions.ofSession,
    exitCodes: readingExits + [.noInput, .interrupted])

  static let historyLabel = Verb(
    .historyLabel, in: .history,
    summary: "Put a label on a stretch of a session afterwards, for motion train; no raw log is changed",
    example: "coach history label latest 12:30 14:00 walking",
    operand: Operands.labelled.declaration,
    options: [OutputOptions.format, OutputOptions.dataFolder],
    exitCodes: readingExits + [.noInput])

  static let historyFind = Verb(
    .historyFind, in: .history,
    summary: "Find sessions by distance, place, activity, label, tag and text",
    example: "coach history find --near latest --within 300 --distance 5km-10km",
    options: [
      HistoryOptions.distance, HistoryOptions.near, HistoryOptions.within, SessionOptions.activity,
      HistoryOptions.label, HistoryOptions.tag, HistoryOptions.text,
    ] + HistoryOptions.filter + [PreferenceOptions.units] + OutputOptions.all,
    exitCodes: readingExits + [.noInput])

  static let historyNote = Verb(
    .historyNote, in: .history,
    summary: "Write a note down about a session, or show what is written down; no raw log is changed",
    example: "coach history note latest windy along the river",
    operand: Operands.noted.declaration,
    options: [HistoryOptions.clear, ServeOptions.database, OutputOptions.format, OutputOptions.dataFolder],
    exitCodes: readingExits + [.noInput, .unavailable])

  static let historyTag = Verb(
    .historyTag, in: .history,
    summary: "Put tags on a session, or take them away",
    example: "coach history tag latest +long --untag race",
    operand: Operands.tagged.declaration,
    options: [HistoryOptions.untag, ServeOptions.database, OutputOptions.format, OutputOptions.dataFolder],
    exitCodes: readingExits + [.noInput, .unavailable])

  static let historyDelete = Verb(
    .historyDelete, in: .history,
    summary: "Delete sessions for good: their folders and all that the index knows of them",
    example: "coach history delete 20261120T070000Z --yes",
    operand: Operands.sessions.declaration,
    options: [HistoryOptions.yes, ServeOptions.database, OutputOptions.format, OutputOptions.dataFolder],
    exitCodes: readingExits + [.noInput])
}
