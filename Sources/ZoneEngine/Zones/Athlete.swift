/// Sex as the published formulas use it; they know no other.
public enum Sex: String, CaseIterable, Hashable, Sendable, Codable {
  /// The women's coefficients of a formula.
  case female
  /// The men's coefficients of a formula.
  case male
}

/// What is known of a person on the day of a session. Every value may be unknown; what depends on it is then absent.
public struct Athlete: Hashable, Sendable {
  /// The years that a formula may be asked about.
  public static let plausibleAges = 1...120
  /// Resting heart rates that are taken for real, in beats per minute.
  public static let plausibleRestingHeartRates = 20...220
  /// Body masses that are taken for real, in kilograms.
  public static let plausibleWeights = 20.0...300.0

  /// Age in whole years.
  public let ageYears: Int?
  /// Sex, for the formulas that ask for it.
  public let sex: Sex?
  /// Body mass in kilograms.
  public let weightKilograms: Double?
  /// Resting heart rate in beats per minute.
  public let restingHeartRate: Int?

  /// A person of whom nothing is known.
  public static let unknown = Athlete()

  private init() {
    ageYears = nil
    sex = nil
    weightKilograms = nil
    restingHeartRate = nil
  }

  /// Creates a description of a person.
  ///
  /// - Throws: ``ZoneError/outOfRange(quantity:value:expected:)`` when a value cannot be that of a person.
  public init(ageYears: Int?, sex: Sex?, weightKilograms: Double?, restingHeartRate: Int?) throws(ZoneError) {
    if let ageYears { try ZoneError.require(ageYears, in: Self.plausibleAges, "age in years") }
    if let weightKilograms, !Self.plausibleWeights.contains(weightKilograms) {
      throw ZoneError.outOfRange(
        quantity: "weight in kilograms", value: Decimal.text(weightKilograms), expected: "20…300")
    }
    if let restingHeartRate {
      try ZoneError.require(restingHeartRate, in: Self.plausibleRestingHeartRates, "resting heart rate")
    }
    self.ageYears = ageYears
    self.sex = sex
    self.weightKilograms = weightKilograms
    self.restingHeartRate = restingHeartRate
  }
}

/// Plain decimal text of a number, for messages and specifications.
enum Decimal {
  /// The shortest text that reads back as the same number, without `.0` for a whole one.
  static func text(_ value: Double) -> String {
    if let whole = Int(exactly: value) { return "\(whole)" }
    return "\(value)"
  }
}
