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

  /// Writes it down; what was not said stays. Whether anything was said.
  ///
  /// - Throws: `CommandFailure` when options contradict each other.
  func apply(to profile: inout StoredProfile) throws -> Bool {
    let before = profile
    if let date = parsed[ZoneOptions.birthDate] {
      profile.birthDate = date
      profile.ageYears = nil
    }
    if let sex = parsed[ZoneOptions.sex] { profile.sex = sex }
    if let formula = parsed[ZoneOptions.formula] { profile.formula = formula }
    if let model = try RequestOptions.zoneModel(parsed) { profile.zoneModel = model }
    try applyStudy(to: &profile)
    let saidValues = try applyValues(to: &profile)
    return saidValues || profile != before
  }

  private func applyStudy(to profile: inout StoredProfile) throws {
    let minimumAge = parsed[ProfileOptions.minimumAge]
    let name = parsed[ProfileOptions.studyName]
    guard parsed[ProfileOptions.study] || name != nil || minimumAge != nil else { return }
    guard parsed[ProfileOptions.study] || profile.study != nil else {
      throw CommandFailure("--\(minimumAge != nil ? "minimum-age" : "study-name"): expected --study beside it", .usage)
    }
    profile.study = StudyTerms(
      name: name ?? profile.study?.name,
      minimumAge: minimumAge ?? profile.study?.minimumAge ?? StudyTerms.usualMinimumAge)
  }

  /// The dated values; whether there were any.
  private func applyValues(to profile: inout StoredProfile) throws -> Bool {
    let isMeasured = parsed[ProfileOptions.measured]
    let isEstimated = parsed[ProfileOptions.estimated]
    guard !isMeasured || !isEstimated else {
      throw CommandFailure("--measured and --estimated: expected one of them", .usage)
    }
    let date = parsed[HistoryOptions.date]
    let values: [(ProfileQuantity, Double?)] = [
      (.weight, parsed[ZoneOptions.weight]), (.restingHeartRate, parsed[ZoneOptions.restingHeartRate].map(Double.init)),
      (.maximumHeartRate, parsed[ZoneOptions.maximumHeartRate].map(Double.init)),
      (.thresholdHeartRate, parsed[ZoneOptions.thresholdHeartRate].map(Double.init)),
    ]
    var said = false
    for case (let quantity, let value?) in values {
      said = true
      profile.put(
        DatedValue(
          date: date ?? today, value: value, origin: isEstimated ? .estimated : .measured,
          method: parsed[ProfileOptions.method]), as: quantity)
    }
    let removed = try parsed.declares(ProfileOptions.remove) && remove(from: &profile, date: date)
    let isAboutValues = isMeasured || isEstimated || parsed[ProfileOptions.method] != nil
    guard said || (removed ? !isAboutValues : date == nil && !isAboutValues) else {
      throw CommandFailure(
        "--date, --measured, --estimated, --method: expected a value beside them, such as --weight-kg", .usage)
    }
    return said || removed
  }

  private func remove(from profile: inout StoredProfile, date: CivilDate?) throws -> Bool {
    guard let names = parsed[ProfileOptions.remove] else { return false }
    guard let date else { throw CommandFailure("--remove: expected --date, the date of the values", .usage) }
    for name in names where !profile.removeValue(of: name.quantity, date: date) {
      throw CommandFailure("--remove \(name.rawValue): there is no value of \(date)", .usage)
    }
    return true
  }
}
