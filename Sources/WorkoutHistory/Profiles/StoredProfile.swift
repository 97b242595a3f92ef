package import TextFormats
package import WorkoutSession
package import ZoneEngine

/// What a study asks of the people who take part.
package struct StudyTerms: Hashable, Sendable {
  /// What the study is called; absent when nobody said it.
  package let name: String?
  /// The lowest age in whole years, on the day of the profile's creation and of every session.
  package let minimumAge: Int

  /// The minimum age when nothing is said: full age in most countries.
  package static let usualMinimumAge = 18

  /// Creates terms.
  package init(name: String?, minimumAge: Int) {
    self.name = name
    self.minimumAge = minimumAge
  }
}

/// A person's profile as it is kept in the data folder: `profiles/NAME.json`. The file is the source of truth.
package struct StoredProfile: Hashable, Sendable {
  /// The version of the format that is written; version 1 keeps being read.
  package static let version = 2

  /// The identity, which never changes; absent in a file of version 1.
  package let id: ProfileID?
  /// The name: 1 to 40 letters, digits, hyphens or underscores.
  package private(set) var name: String
  /// The day of birth.
  package var birthDate: CivilDate?
  /// The age in whole years, which a file of version 1 can state instead.
  package var ageYears: Int?
  /// Sex, for the formulas that ask for it.
  package var sex: Sex?
  /// The terms of the study that the person takes part in.
  package var study: StudyTerms?
  /// The formula for the maximum when none is written down; `nil` for the usual one.
  package var formula: MaximumHeartRateFormula?
  /// How the person's zones are made; `nil` when nothing is said.
  package var zoneModel: ZoneModelChoice?
  /// What the person wants to come to each week; `nil` when nothing is said.
  package var weeklyGoal: WeeklyGoal?
  /// How the person wants to read and hear what the coach has to say.
  package var preferences = Preferences()
  /// What live sessions by `adaptive` have learned of the runner; `nil` where none has, and where it was forgotten.
  package var learned: LearnedRunner?
  /// The name in sessions from before profiles had identities, which are this person's.
  package let recordedAs: String?
  /// Weight and heart rates with their dates.
  package var values: [ProfileQuantity: DatedValues] = [:]

  /// A new profile, of which only the name is known.
  package init(id: ProfileID, name: String) { self.init(id: id, name: name, recordedAs: nil) }

  init(id: ProfileID?, name: String, recordedAs: String?) {
    self.id = id
    self.name = name
    self.recordedAs = recordedAs
  }

  /// The same profile with an identity: one of version 1 gets it, and with it the sessions that know its name only.
  package func identified(by id: @autoclosure () -> ProfileID) -> StoredProfile {
    guard self.id == nil else { return self }
    var profile = StoredProfile(id: id(), name: name, recordedAs: name)
    profile.birthDate = birthDate
    profile.ageYears = ageYears
    profile.sex = sex
    profile.study = study
    profile.formula = formula
    profile.zoneModel = zoneModel
    profile.weeklyGoal = weeklyGoal
    profile.preferences = preferences
    profile.learned = learned
    profile.values = values
    return profile
  }

  /// The same person by another name.
  package func renamed(_ name: String) -> StoredProfile {
    var profile = self
    profile.name = name
    return profile
  }

  /// Takes a dated value; one of the same quantity and date is replaced.
  package mutating func put(_ value: DatedValue, as quantity: ProfileQuantity) {
    values[quantity, default: DatedValues()].put(value)
  }

  /// Takes the value of a date away; whether there was one.
  package mutating func removeValue(of quantity: ProfileQuantity, date: CivilDate) -> Bool {
    guard var left = values[quantity], left.remove(date: date) else { return false }
    values[quantity] = left.values.isEmpty ? nil : left
    return true
  }

  // MARK: - What has to hold

  /// Checks what holds of every profile of version 2: what is mandatory is there, and on no day a heart rate is not below
  /// one that has to be higher.
  ///
  /// - Throws: `ProfileError`.
  package func requireConsistency() throws(ProfileError) {
    if birthDate == nil, ageYears != nil { throw .onlyAge }
    if study != nil, birthDate == nil { throw .noBirthDateForStudy }
    let hasMeasuredMaximum = values[.maximumHeartRate]?.values.contains { $0.origin == .measured } ?? false
    guard birthDate != nil || hasMeasuredMaximum else { throw .noBirthDateOrMaximum }
    for quantity in ProfileQuantity.allCases {
      for value in values[quantity]?.values ?? [] {
        guard quantity.plausible.contains(value.value) else { throw .value(quantity, value.value) }
        if let date = value.date, let birthDate, date < birthDate {
          throw .date(quantity, date, expected: "not before the birth")
        }
      }
    }
    for day in days {
      try require(.restingHeartRate, below: .thresholdHeartRate, on: day)
      try require(.restingHeartRate, below: .maximumHeartRate, on: day)
      try require(.thresholdHeartRate, below: .maximumHeartRate, on: day)
    }
  }

  /// Checks what has to hold on the day on which a profile is written: no date lies ahead, and the person is old enough.
  ///
  /// - Throws: `ProfileError`.
  package func require(on today: CivilDate) throws(ProfileError) {
    if let birthDate {
      guard let age = birthDate.age(on: today), Athlete.plausibleAges.contains(max(1, age)) else {
        throw .birthDate(birthDate)
      }
    }
    try requireConsistency()
    for quantity in ProfileQuantity.allCases {
      for case let date? in (values[quantity]?.values ?? []).map(\.date) where date > today {
        throw .date(quantity, date, expected: "that has come, \(today) or before")
      }
    }
    try requireMinimumAge(on: today)
  }

  /// Checks that the person is as old on a day as the study asks for.
  ///
  /// - Throws: `ProfileError.tooYoung`.
  func requireMinimumAge(on day: CivilDate) throws(ProfileError) {
    guard let study else { return }
    let age = birthDate?.age(on: day)
    guard let age, age >= study.minimumAge else {
      throw .tooYoung(ageYears: age, minimum: study.minimumAge, on: day)
    }
  }

  /// The days on which a value begins to hold, and one before all of them.
  private var days: [CivilDate] {
    let dates = Set(values.values.flatMap(\.values).compactMap(\.date)).sorted()
    return (dates.first.flatMap { $0.adding(days: -1) }.map { [$0] } ?? []) + dates
      + (dates.isEmpty ? [CivilDate(daysSinceEpoch: 0)].compactMap(\.self) : [])
  }

  private func require(
    _ quantity: ProfileQuantity, below other: ProfileQuantity, on day: CivilDate
  ) throws(ProfileError) {
    guard let value = values[quantity]?.inForce(on: day)?.value.value,
      let limit = values[other]?.inForce(on: day)?.value.value, value >= limit
    else { return }
    throw .order(quantity, value, notBelow: other, limit, on: day)
  }
}
