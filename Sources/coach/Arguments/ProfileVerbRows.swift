import SessionStore
import TextFormats
import WorkoutHistory
import WorkoutSession
import ZoneEngine

/// The quantities of a profile, as they are typed.
enum ProfileQuantityName: String, CaseIterable, Sendable {
  case weight
  case restingHeartRate = "resting-heart-rate"
  case maximumHeartRate = "max-heart-rate"
  case thresholdHeartRate = "threshold-heart-rate"

  /// The name of a quantity.
  init(_ quantity: ProfileQuantity) {
    self =
      switch quantity {
      case .weight: .weight
      case .restingHeartRate: .restingHeartRate
      case .maximumHeartRate: .maximumHeartRate
      case .thresholdHeartRate: .thresholdHeartRate
      }
  }

  /// The quantity.
  var quantity: ProfileQuantity {
    switch self {
    case .weight: .weight
    case .restingHeartRate: .restingHeartRate
    case .maximumHeartRate: .maximumHeartRate
    case .thresholdHeartRate: .thresholdHeartRate
    }
  }
}

/// The options of the profile verbs.
enum ProfileOptions {
  static let measured = Option.flag(
    "measured", in: .zones, help: "The values were measured; so they are when nothing is said")
  static let estimated = Option.flag("estimated", in: .zones, help: "The values are estimates")
  static let method = Option(
    "method", "TEXT", kind: .text, in: .zones, help: "How the values came to be known, such as a test or a formula",
    reader: { (text: String) throws(ValueProblem) in try readNote(text) })
  static let study = Option.flag(
    "study", in: .session, help: "The person takes part in a study, which asks for a minimum age")
  static let studyName = Option(
    "study-name", "TEXT", kind: .text, in: .session, help: "What the study is called",
    reader: { (text: String) throws(ValueProblem) in try readNote(text) })
  static let minimumAge = Option.integer(
    "minimum-age", "N", Athlete.plausibleAges, in: .session,
    help: "The lowest age of the study, on the day of the profile and of every session, instead of 18")
  static let remove = Option.choiceList(
    "remove", "LIST", of: ProfileQuantityName.self, in: .session,
    help: "Take the values of these away that are of --date")
  static let forgetLearned = Option.flag(
    "forget-learned", in: .session,
    help: "Forget what sessions by adaptive have learned of the runner")
  static let on = Option(
    "on", "DATE", kind: .text, in: .session, help: "The day whose values and age are meant, instead of today",
    reader: { (text: String) throws(ValueProblem) in
      guard let day = CivilDate(iso8601: text) else { throw ValueProblem(expected: "a day such as 2026-11-20") }
      return day
    })
  static let weeklyGoal = Option(
    "weekly-goal", "GOAL", kind: .text, in: .session,
    help: "What each week is to come to: 150min, 2h30m, 30km, 20mi, 400load, or none",
    reader: { (text: String) throws(ValueProblem) in try WeeklyGoalWord(text) })
  static let allData = Option.flag(
    "all-data", in: .session, help: "All sessions of the person too, and what the index knows of them")

  /// What is known of a person, in the order of the help.
  static let person: [any DeclaredOption] =
    [
      ZoneOptions.birthDate, ZoneOptions.sex, ZoneOptions.weight, ZoneOptions.restingHeartRate,
      ZoneOptions.maximumHeartRate, ZoneOptions.thresholdHeartRate, HistoryOptions.date, measured, estimated, method,
      ZoneOptions.formula, ZoneOptions.model, ZoneOptions.thresholdScheme, ZoneOptions.bounds, study, studyName,
      minimumAge, weeklyGoal,
    ] + PreferenceOptions.all
}

/// A weekly goal as it is typed, or `none`.
struct WeeklyGoalWord: Hashable, Sendable {
  /// The goal; absent for none.
  let goal: WeeklyGoal?

  /// Reads minutes as a duration, kilometres or training load.
  ///
  /// - Throws: `ValueProblem` for anything else.
  init(_ text: String) throws(ValueProblem) {
    func number(_ unit: String) -> Double? { text.hasSuffix(unit) ? decimal(String(text.dropLast(unit.count))) : nil }
    if text == "none" {
      goal = nil
      return
    }
    let found: WeeklyGoal? =
      if let kilometers = number("km") {
        .kilometers(kilometers)
      } else if let miles = number("mi") {
        // To the metre.
        .kilometers((miles * BestEffort.mile).rounded() / 1_000)
      } else if let load = number("load") {
        .load(load)
      } else if let minutes = number("min") ?? DurationText.seconds(text).map({ Double($0) / 60 }) {
        .minutes(minutes)
      } else {
        nil
      }
    guard let found, WeeklyGoal.plausible.contains(found.amount) else {
      throw ValueProblem(expected: "1 to 10000 minutes, kilometres or load, such as 150min, 30km or 400load, or none")
    }
    goal = found
  }
}

/// Reads one line of 1 to 100 characters.
///
/// - Throws: `ValueProblem` when the text is none.
private func readNote(_ text: String) throws(ValueProblem) -> String {
  guard DatedValue.isMethod(text) else { throw ValueProblem(expected: "one line of up to 100 characters") }
  return text
}

extension Operands {
  /// The name of a profile that is kept.
  static let profile = Operand<String>(
    declaration: OperandDeclaration(
      placeholder: "NAME", kind: .name(.profile), count: 1...1,
      check: { (word: String) throws(ValueProblem) in _ = try readProfileName(word) }),
    read: { (words: [String]) throws(ValueProblem) in try readProfileName(words.first ?? "") })

  /// The name of a profile that is to be kept.
  static let newProfile = Operand<String>(
    declaration: OperandDeclaration(
      placeholder: "NAME", kind: .name(.profile), count: 1...1,
      check: { (word: String) throws(ValueProblem) in _ = try readNewProfileName(word) }),
    read: { (words: [String]) throws(ValueProblem) in try readNewProfileName(words.first ?? "") })

  /// The name of a profile, and the one that it gets, which may be none.
  static let profileNames = Operand<[String]>(
    declaration: OperandDeclaration(
      placeholder: "NAME NEW-NAME", kind: .name(.profile), count: 2...2,
      check: { (word: String) throws(ValueProblem) in _ = try readProfileName(word) }),
    read: { (words: [String]) throws(ValueProblem) in
      var names = words
      if let first = words.first { names[0] = try readProfileName(first) }
      return names
    })
}

/// What a profile can be called.
private let profileNameProblem = ValueProblem(expected: "up to 40 letters, digits, - and _")

/// Reads the name of a profile that is kept, as it is or as it is shown.
///
/// - Throws: `ValueProblem` when the text cannot be one.
func readProfileName(_ text: String) throws(ValueProblem) -> String {
  guard let name = ProfileFileName.storedName(typed: text) else { throw profileNameProblem }
  return name
}

/// Reads the name of a profile that is to be kept.
///
/// - Throws: `ValueProblem` when the text cannot be one.
func readNewProfileName(_ text: String) throws(ValueProblem) -> String {
  guard ProfileFileName.isName(text) else { throw profileNameProblem }
  return text
}

extension Verb {
  private static let exits: [ExitCode] = [.unusableData, .noInput, .unavailable, .cannotCreate]

  static let profileCreate = Verb(
    .profileCreate, in: .profiles,
    summary: "Keep a person: a birth date or a measured maximum heart rate is needed, for a study the birth date",
    example: "coach profile create anna --birth-date 1990-05-17 --sex female --resting-heart-rate 52",
    operand: Operands.newProfile.declaration,
    options: ProfileOptions.person + [ServeOptions.database, OutputOptions.format, OutputOptions.dataFolder],
    exitCodes: exits)

  static let profileSet = Verb(
    .profileSet, in: .profiles,
    summary: "Write down what is new of a person, from a day on; sessions that are there stay as they are",
    example: "coach profile set anna --resting-heart-rate 50 --date 2026-11-01 --measured",
    operand: Operands.profile.declaration,
    options: ProfileOptions.person + [
      ProfileOptions.remove, ProfileOptions.forgetLearned, ServeOptions.database, OutputOptions.format,
      OutputOptions.dataFolder,
    ],
    exitCodes: exits)

  static let profileShow = Verb(
    .profileShow, in: .profiles,
    summary: "Show a person: all values with their dates, and which are in force on a day",
    example: "coach profile show anna --on 2026-11-20",
    operand: Operands.profile.declaration,
    options: [ProfileOptions.on, ServeOptions.database] + OutputOptions.all,
    exitCodes: exits)

  static let profileList = Verb(
    .profileList, in: .profiles,
    summary: "List the people",
    example: "coach profile list --format jsonl",
    options: [ServeOptions.database] + OutputOptions.all,
    exitCodes: exits)

  static let profileRename = Verb(
    .profileRename, in: .profiles,
    summary: "Give a person another name; the sessions stay theirs",
    example: "coach profile rename anna anna-2",
    operand: Operands.profileNames.declaration,
    options: [OutputOptions.format, OutputOptions.dataFolder],
    exitCodes: exits)

  static let profileDelete = Verb(
    .profileDelete, in: .profiles,
    summary: "Delete a profile for good, and with --all-data everything of the person",
    example: "coach profile delete anna --all-data --yes",
    operand: Operands.profile.declaration,
    options: [ProfileOptions.allData, HistoryOptions.yes, OutputOptions.format, OutputOptions.dataFolder],
    exitCodes: exits)

  static let profileExport = Verb(
    .profileExport, in: .profiles,
    summary: "Write all data of a person to a folder, or to one .tar.gz",
    example: "coach profile export anna --output anna.tar.gz",
    operand: Operands.profile.declaration,
    options: [ExportOptions.output, ExportOptions.force, OutputOptions.format, OutputOptions.dataFolder],
    exitCodes: exits + [.interrupted])
}
