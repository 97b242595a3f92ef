package import TextFormats
package import WorkoutSession

/// What a profile says on a day.
package struct ProfileOnDay: Hashable, Sendable {
  /// What is known of the person.
  package let athlete: AthleteProfile
  /// How the zones are made; `nil` when nothing is said.
  package let zoneModel: ZoneModelChoice?
  /// The person, and where the values come from.
  package let person: SessionPerson
}

extension StoredProfile {
  /// The values in force on a day: of each quantity the newest dated on or before it, else the oldest.
  ///
  /// A maximum that is written down goes before the formula, whether measured or estimated, and a newer one before an
  /// older one.
  /// - Throws: `ProfileError.tooYoung` when the person is younger on the day than the study asks for.
  package func on(_ day: CivilDate) throws(ProfileError) -> ProfileOnDay {
    try requireMinimumAge(on: day)
    var athlete = AthleteProfile()
    athlete.birthDate = birthDate
    athlete.ageYears = ageYears
    athlete.sex = sex
    if let formula { athlete.formula = formula }
    var provenance: [ValueProvenance] = []
    for quantity in ProfileQuantity.allCases {
      guard let (value, isLater) = values[quantity]?.inForce(on: day) else { continue }
      athlete[quantity] = value.value
      if quantity == .maximumHeartRate { athlete.maximumOrigin = value.origin }
      provenance.append(
        ValueProvenance(
          quantity: quantity, date: value.date, origin: value.origin, method: value.method, isLater: isLater))
    }
    return ProfileOnDay(
      athlete: athlete, zoneModel: zoneModel,
      person: SessionPerson(name: name, profileID: id, provenance: provenance))
  }
}

extension AthleteProfile {
  /// The value of a quantity; heart rates are whole.
  subscript(quantity: ProfileQuantity) -> Double? {
    get {
      switch quantity {
      case .weight: weightKilograms
      case .restingHeartRate: restingHeartRate.map { Double($0) }
      case .maximumHeartRate: maximumHeartRate.map { Double($0) }
      case .thresholdHeartRate: thresholdHeartRate.map { Double($0) }
      }
    }
    set {
      switch quantity {
      case .weight: weightKilograms = newValue
      case .restingHeartRate: restingHeartRate = newValue.map { Int($0) }
      case .maximumHeartRate: maximumHeartRate = newValue.map { Int($0) }
      case .thresholdHeartRate: thresholdHeartRate = newValue.map { Int($0) }
      }
    }
  }
}
