import CoachService
import TextFormats
import WorkoutHistory
import WorkoutSession

/// What a command line says of a person, to be written down in a profile.
struct ProfileChanges {
  private let parsed: ParsedArguments
  private let today: CivilDate

  init(_ parsed: ParsedArguments, today: CivilDate) {
    self.parsed = parsed
    self.today = today
  }

  /// Writes it down; what was not said stays. Whether there was anything new.
  ///
  /// - Throws: `CommandFailure` when options contradict each other.
  func apply(to profile: inout StoredProfile) throws -> Bool {
    let edit = try edit()
    do throws(ProfileEdit.Problem) {
      return try edit.apply(to: &profile, today: today)
    } catch {
      throw CommandFailure(Self.line(error), .usage)
    }
  }

  /// Why nothing of the profile of somebody is another than before.
  ///
  /// - Throws: `CommandFailure` when options contradict each other.
  func reasonForNothing(about name: String) throws -> String {
    let edit = try edit()
    guard edit.isAnything else { return "nothing to write down: expected a value, such as --weight-kg" }
    return edit.forgetsLearned
      ? "--forget-learned: nothing has been learned of \(name.visible)"
      : "nothing to write down: the profile of \(name.visible) says so already"
  }

  private func edit() throws -> ProfileEdit {
    let isMeasured = parsed[ProfileOptions.measured]
    let isEstimated = parsed[ProfileOptions.estimated]
    guard !isMeasured || !isEstimated else {
      throw CommandFailure("--measured and --estimated: expected one of them", .usage)
    }
    var edit = ProfileEdit()
    edit.birthDate = parsed[ZoneOptions.birthDate]
    edit.sex = parsed[ZoneOptions.sex]
    edit.formula = parsed[ZoneOptions.formula]
    edit.zoneModel = try RequestOptions.zoneModel(parsed)
    edit.weeklyGoal = parsed[ProfileOptions.weeklyGoal].map(\.goal)
    edit.preferences = Preferences(parsed, else: nil)
    edit.isOfStudy = parsed[ProfileOptions.study]
    edit.studyName = parsed[ProfileOptions.studyName]
    edit.minimumAge = parsed[ProfileOptions.minimumAge]
    edit.values[.weight] = parsed[ZoneOptions.weight]
    edit.values[.restingHeartRate] = parsed[ZoneOptions.restingHeartRate].map(Double.init)
    edit.values[.maximumHeartRate] = parsed[ZoneOptions.maximumHeartRate].map(Double.init)
    edit.values[.thresholdHeartRate] = parsed[ZoneOptions.thresholdHeartRate].map(Double.init)
    edit.date = parsed[HistoryOptions.date]
    edit.origin = isEstimated ? .estimated : isMeasured ? .measured : nil
    edit.method = parsed[ProfileOptions.method]
    if parsed.declares(ProfileOptions.remove) {
      edit.removed = (parsed[ProfileOptions.remove] ?? []).map(\.quantity)
      edit.forgetsLearned = parsed[ProfileOptions.forgetLearned]
    }
    return edit
  }

  private static func line(_ problem: ProfileEdit.Problem) -> String {
    switch problem {
    case .minimumAgeWithoutStudy: "--minimum-age: expected --study beside it"
    case .studyNameWithoutStudy: "--study-name: expected --study beside it"
    case .factsWithoutValue:
      "--date, --measured, --estimated, --method: expected a value beside them, such as --weight-kg"
    case .removalWithoutDate: "--remove: expected --date, the date of the values"
    case .nothingToRemove(let quantity, let date):
      "--remove \(ProfileQuantityName(quantity).rawValue): there is no value of \(date)"
    }
  }
}
