import TextFormats
import WorkoutSession
import ZoneEngine

/// The ways to divide heart rates into zones, as they are typed.
enum ZoneModelName: String, CaseIterable, Sendable {
  case percentOfMaximum = "percent-of-maximum"
  case heartRateReserve = "heart-rate-reserve"
  case percentOfThreshold = "percent-of-threshold"
  case threeZone = "three-zone"
  case custom
}

/// Where a person's zones come from.
enum ZoneOptions {
  static let profile = Option(
    "profile", "NAME", kind: .name(.profile), in: .zones,
    help: "Profile kept in the data folder; options beside it go before it",
    reader: { (text: String) throws(ValueProblem) in try readProfileName(text) })

  static let age = Option.integer(
    "age", "N", Athlete.plausibleAges, in: .zones,
    help: "Age in years, from which a formula gives the maximum heart rate")

  static let birthDate = Option(
    "birth-date", "YYYY-MM-DD", kind: .text, in: .zones, help: "Date of birth, instead of the age",
    reader: { (text: String) throws(ValueProblem) in
      guard let date = CivilDate(iso8601: text) else { throw ValueProblem(expected: "a day as YYYY-MM-DD") }
      return date
    })

  static let maximumHeartRate = Option.integer(
    "max-heart-rate", "N", MaximumHeartRate.plausible, in: .zones,
    help: "Measured maximum heart rate; it goes before every formula")

  static let formula = Option.choice(
    "formula", "NAME", of: MaximumHeartRateFormula.self, in: .zones,
    help: "Formula for the maximum heart rate", default: "fox")

  static let model = Option.choice(
    "zone-model", "NAME", of: ZoneModelName.self, in: .zones, help: "How the zones are laid out",
    default: "percent-of-maximum")

  static let restingHeartRate = Option.integer(
    "resting-heart-rate", "N", Athlete.plausibleRestingHeartRates, in: .zones,
    help: "Heart rate at rest, for heart-rate-reserve")

  static let thresholdHeartRate = Option.integer(
    "threshold-heart-rate", "N", AthleteProfile.plausibleThresholdHeartRates, in: .zones,
    help: "Lactate-threshold heart rate, for percent-of-threshold")

  static let thresholdScheme = Option.choice(
    "threshold-scheme", "NAME", of: ThresholdScheme.self, in: .zones,
    help: "Which table of percent-of-threshold zones")

  static let bounds = Option(
    "bounds", "LIST", kind: .text, in: .zones,
    help: "Zone edges in beats per minute, such as 98,118,137,157,177,197, for custom",
    reader: { (text: String) throws(ValueProblem) in try readBounds(text) })

  static let sex = Option.choice(
    "sex", "female|male", of: Sex.self, in: .zones, help: "Sex, for the formulas that depend on it")

  static let weight = Option.number("weight-kg", "N", Athlete.plausibleWeights, in: .zones, help: "Weight in kilograms")

  /// All of them, in the order of the help.
  static let all: [any DeclaredOption] = [
    profile, age, birthDate, maximumHeartRate, formula, model, restingHeartRate, thresholdHeartRate, thresholdScheme,
    bounds,
    sex, weight,
  ]
}

/// Reads two to eleven ascending edges between 30 and 250 beats per minute, with commas between them.
///
/// - Throws: `ValueProblem` when the text is no such list.
private func readBounds(_ text: String) throws(ValueProblem) -> [Int] {
  let parts = text.split(separator: ",", omittingEmptySubsequences: false)
  let edges = parts.compactMap { Int($0) }
  guard edges.count == parts.count, (2...11).contains(edges.count), edges.allSatisfy((30...250).contains),
    zip(edges, edges.dropFirst()).allSatisfy(<)
  else { throw ValueProblem(expected: "2 to 11 ascending heart rates from 30 to 250, such as 98,118,137") }
  return edges
}
