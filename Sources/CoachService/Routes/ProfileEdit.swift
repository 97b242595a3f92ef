package import TextFormats
package import WorkoutHistory
package import WorkoutSession
package import ZoneEngine

/// What somebody says of a person, to be written down in a profile: the same for the verbs and for the routes.
package struct ProfileEdit: Sendable {
  /// Why it cannot be written down as it was said.
  package enum Problem: Error, Hashable, Sendable {
    /// The minimum age of a study, without a study.
    case minimumAgeWithoutStudy
    /// The name of a study, without a study.
    case studyNameWithoutStudy
    /// A date, an origin or a method, without a value.
    case factsWithoutValue
    /// Values to be taken away, without their date.
    case removalWithoutDate
    /// There is no such value of the date.
    case nothingToRemove(ProfileQuantity, CivilDate)
  }

  /// The day of birth.
  package var birthDate: CivilDate?
  /// Sex.
  package var sex: Sex?
  /// The formula for the maximum.
  package var formula: MaximumHeartRateFormula?
  /// How zones are made.
  package var zoneModel: ZoneModelChoice?
  /// Whether the person takes part in a study.
  package var isOfStudy = false
  /// What the study is called.
  package var studyName: String?
  /// The lowest age of the study.
  package var minimumAge: Int?
  /// Weight and heart rates.
  package var values: [ProfileQuantity: Double] = [:]
  /// The day of the values; absent for today.
  package var date: CivilDate?
  /// Whether the values were measured; absent when nobody said it, which means so.
  package var origin: ValueOrigin?
  /// How the values came to be known.
  package var method: String?
  /// The quantities whose values of the date are taken away.
  package var removed: [ProfileQuantity] = []

  /// What is wanted of each week; a goal of nothing takes it away.
  package var weeklyGoal: WeeklyGoal??
  /// How the person wants to read and hear; what is absent stays as it is.
  package var preferences = Preferences()
  /// Whether what sessions have learned of the runner is forgotten.
  package var forgetsLearned = false

  /// Nothing to write down.
  package init() {}

  /// Whether anything was said but values with a date, also what was known before.
  package var isAnything: Bool {
    birthDate != nil || sex != nil || formula != nil || zoneModel != nil || weeklyGoal != nil || isOfStudy
      || forgetsLearned || preferences != Preferences()
  }

  /// Writes it down; what was not said stays. Whether there was anything new.
  package func apply(to profile: inout StoredProfile, today: CivilDate) throws(Problem) -> Bool {
    let before = profile
    if let birthDate {
      profile.birthDate = birthDate
      profile.ageYears = nil
    }
    if let sex { profile.sex = sex }
    if let formula { profile.formula = formula }
    if let zoneModel { profile.zoneModel = zoneModel }
    if let weeklyGoal { profile.weeklyGoal = weeklyGoal }
    if let units = preferences.units { profile.preferences.units = units }
    if let language = preferences.language { profile.preferences.language = language }
    if let fields = preferences.fields { profile.preferences.fields = fields }
    if forgetsLearned { profile.learned = nil }
    try applyStudy(to: &profile)
    let saidValues = try applyValues(to: &profile, today)
    return saidValues || profile != before
  }

  private func applyStudy(to profile: inout StoredProfile) throws(Problem) {
    guard isOfStudy || studyName != nil || minimumAge != nil else { return }
    guard isOfStudy || profile.study != nil else {
      throw minimumAge != nil ? .minimumAgeWithoutStudy : .studyNameWithoutStudy
    }
    profile.study = StudyTerms(
      name: studyName ?? profile.study?.name,
      minimumAge: minimumAge ?? profile.study?.minimumAge ?? StudyTerms.usualMinimumAge)
  }

  /// The dated values; whether there were any.
  private func applyValues(to profile: inout StoredProfile, _ today: CivilDate) throws(Problem) -> Bool {
    for quantity in ProfileQuantity.allCases {
      guard let value = values[quantity] else { continue }
      profile.put(
        DatedValue(date: date ?? today, value: value, origin: origin ?? .measured, method: method), as: quantity)
    }
    if !removed.isEmpty {
      guard let date else { throw .removalWithoutDate }
      for quantity in removed where !profile.removeValue(of: quantity, date: date) {
        throw .nothingToRemove(quantity, date)
      }
    }
    let isAboutValues = origin != nil || method != nil
    guard !values.isEmpty || (removed.isEmpty ? date == nil && !isAboutValues : !isAboutValues) else {
      throw .factsWithoutValue
    }
    return !values.isEmpty || !removed.isEmpty
  }
}
