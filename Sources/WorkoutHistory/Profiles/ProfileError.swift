package import TextFormats
package import WorkoutSession

/// Why a profile cannot be as it was asked for. Names never stand in it.
package enum ProfileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Neither a birth date nor a measured maximum heart rate is known.
  case noBirthDateOrMaximum
  /// A profile of a study has no birth date.
  case noBirthDateForStudy
  /// A birth date that cannot be that of somebody who lives.
  case birthDate(CivilDate)
  /// A value that is dated before the birth or after today.
  case date(ProfileQuantity, CivilDate, expected: String)
  /// A value that no person has.
  case value(ProfileQuantity, Double)
  /// On a day one value is not below another one.
  case order(ProfileQuantity, Double, notBelow: ProfileQuantity, Double, on: CivilDate)
  /// The person is younger than the study asks for.
  case tooYoung(ageYears: Int?, minimum: Int, on: CivilDate)
  /// An age without a birth date cannot be kept, because it does not grow.
  case onlyAge

  /// One line that says what is wrong and what was expected.
  package var description: String {
    switch self {
    case .noBirthDateOrMaximum:
      return "birth date: mandatory unless a measured maximum heart rate is known: expected one of them"
    case .noBirthDateForStudy: return "birth date: mandatory for a study: expected one"
    case .birthDate(let date):
      return "birth date \(date): expected a day that has passed, at most 120 years ago"
    case .date(let quantity, let date, let expected):
      return "\(quantity.words) of \(date): expected a day \(expected)"
    case .value(let quantity, let value):
      return "\(quantity.words) \(Self.text(value)): expected \(Self.text(quantity.plausible.lowerBound))…"
        + Self.text(quantity.plausible.upperBound)
    case .order(let quantity, let value, let other, let limit, let day):
      return "\(quantity.words) \(Self.text(value)) is not below the \(other.words) \(Self.text(limit)) on \(day): "
        + "expected a lower one"
    case .tooYoung(let age, let minimum, let day):
      let found = age.map { "it is \($0)" } ?? "there is none"
      return "the study asks for an age of \(minimum) or more, and \(found) on \(day)"
    case .onlyAge:
      return "birth date: mandatory, because an age grows: expected one"
    }
  }

  private static func text(_ value: Double) -> String { JSONNumber(value).text }
}
