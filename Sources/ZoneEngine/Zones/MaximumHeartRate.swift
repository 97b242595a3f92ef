/// Published formulas that estimate the maximum heart rate from the age.
///
/// All are means of a group: about one person in three lies more than 10 beats per minute from the estimate
/// (Nes 2013: standard error of estimate 10.8). A measured maximum is always better.
public enum MaximumHeartRateFormula: String, CaseIterable, Hashable, Sendable, Codable {
  /// 220 − age. Source: Fox, Naughton & Haskell 1971; not from original research; standard deviation 10–12
  /// (Gellish 2007), Sxy 7–11 (Robergs & Landwehr 2002, JEPonline 5(2):1–10). The formula of the Wise paper, and the default.
  case fox
  /// 208 − 0.7·age. Source: Tanaka 2001, J Am Coll Cardiol 37:153; 351 studies, 18,712 people;
  /// standard deviation about 10 as others quote it, not verified.
  case tanaka
  /// 207 − 0.7·age. Source: Gellish 2007, Med Sci Sports Exerc 39:822, linear; 132 people, 908 tests; no error of one
  /// person found.
  case gellish
  /// 192 − 0.007·age². Source: Gellish 2007, quadratic; quoted with 191.5 too, not verified which; no error of one person
  /// found.
  case gellishQuadratic = "gellish-quadratic"
  /// 211 − 0.64·age. Source: Nes 2013 (HUNT), 10.1111/j.1600-0838.2012.01445.x; 3,320 people, SEE 10.8.
  case nes
  /// 206 − 0.88·age. Source: Gulati 2010, 10.1161/CIRCULATIONAHA.110.939249; 5,437 women without
  /// symptoms, 52 ± 11 years; no error of one person found.
  case gulati
  /// 205.8 − 0.685·age. Source: Inbar 1994, Med Sci Sports Exerc 26:538; 1,424 healthy men, age 20–70; Sxy 6.4 (Robergs &
  /// Landwehr 2002); often mis-named Robergs–Landwehr.
  case inbar
  /// 217 − 0.85·age. Source: Miller 1993, Med Sci Sports Exerc 25:1077; 51 adults of normal weight and 86 obese ones, not
  /// verified of which; its abstract has standard errors of estimate of 12 for two other formulas.
  case miller
  /// Men 220 − 0.95·age, women 210 − 0.79·age. Source: Sydó 2014, Mayo Clin Proc 89:1664; 19,013
  /// patients, age 40–89; no error of one person found.
  case sydo
  /// 179 + 0.29·age − 0.011·age². Source: Zhu 2010 (CARDIA), 10.1249/MSS.0b013e3181cf8242; 9,622 tests, age 18–50;
  /// no error of one person found.
  case zhu

  /// The name in records, where words are joined without hyphens; the raw value is the name on a command line.
  public var recordName: String { self == .gellishQuadratic ? "gellishQuadratic" : rawValue }

  /// The estimate in thousandths of a beat per minute, exact for every whole age.
  ///
  /// - Throws: ``ZoneError/outOfRange(quantity:value:expected:)`` for an age outside 1…120, and
  ///   ``ZoneError/missing(quantity:neededFor:)`` when ``sydo`` is asked without the sex.
  public func thousandths(ageYears age: Int, sex: Sex?) throws(ZoneError) -> Int {
    try ZoneError.require(age, in: Athlete.plausibleAges, "age in years")
    switch self {
    case .fox: return 220_000 - 1_000 * age
    case .tanaka: return 208_000 - 700 * age
    case .gellish: return 207_000 - 700 * age
    case .gellishQuadratic: return 192_000 - 7 * age * age
    case .nes: return 211_000 - 640 * age
    case .gulati: return 206_000 - 880 * age
    case .inbar: return 205_800 - 685 * age
    case .miller: return 217_000 - 850 * age
    case .sydo:
      switch sex {
      case .male: return 220_000 - 950 * age
      case .female: return 210_000 - 790 * age
      case nil: throw ZoneError.missing(quantity: "the sex", neededFor: "the formula sydo")
      }
    case .zhu: return 179_000 + 290 * age - 11 * age * age
    }
  }
}

/// A maximum heart rate with where it came from.
public struct MaximumHeartRate: Hashable, Sendable {
  /// Where a maximum came from.
  public enum Source: Hashable, Sendable {
    /// Measured, in a test or a race.
    case measured
    /// Estimated by somebody and written down.
    case estimated
    /// Estimated from the age.
    case formula(MaximumHeartRateFormula)

    /// `measured`, `estimated`, or the name of the formula.
    public var name: String {
      switch self {
      case .measured: return "measured"
      case .estimated: return "estimated"
      case .formula(let formula): return formula.recordName
      }
    }
  }

  /// Measured maxima that are taken for real, in beats per minute.
  public static let plausible = 60...250

  /// Whole beats per minute.
  public let beatsPerMinute: Int
  /// Where it came from.
  public let source: Source

  /// A measured maximum.
  ///
  /// - Throws: ``ZoneError/outOfRange(quantity:value:expected:)`` outside 60…250.
  public init(measured beatsPerMinute: Int) throws(ZoneError) {
    try ZoneError.require(beatsPerMinute, in: Self.plausible, "maximum heart rate")
    self.beatsPerMinute = beatsPerMinute
    source = .measured
  }

  /// A maximum that somebody estimated.
  ///
  /// - Throws: ``ZoneError/outOfRange(quantity:value:expected:)`` outside 60…250.
  public init(estimated beatsPerMinute: Int) throws(ZoneError) {
    try ZoneError.require(beatsPerMinute, in: Self.plausible, "maximum heart rate")
    self.beatsPerMinute = beatsPerMinute
    source = .estimated
  }

  /// A maximum estimated from the age, rounded half up to a whole beat.
  ///
  /// - Throws: What ``MaximumHeartRateFormula/thousandths(ageYears:sex:)`` throws, and
  ///   ``ZoneError/outOfRange(quantity:value:expected:)`` when the estimate is no heart rate.
  public init(formula: MaximumHeartRateFormula, ageYears: Int, sex: Sex?) throws(ZoneError) {
    let thousandths = try formula.thousandths(ageYears: ageYears, sex: sex)
    beatsPerMinute = (thousandths + 500) / 1_000
    source = .formula(formula)
    try ZoneError.require(beatsPerMinute, in: Self.plausible, "maximum heart rate by \(formula.rawValue)")
  }

  /// The maximum of a person: the measured one when there is one, else the estimate.
  ///
  /// - Throws: ``ZoneError/missing(quantity:neededFor:)`` when neither a measured maximum nor an age is known.
  public static func resolve(
    measured: Int?, ageYears: Int?, sex: Sex?, formula: MaximumHeartRateFormula
  ) throws(ZoneError) -> MaximumHeartRate {
    if let measured { return try MaximumHeartRate(measured: measured) }
    guard let ageYears else {
      throw ZoneError.missing(quantity: "an age or a measured maximum", neededFor: "the maximum heart rate")
    }
    return try MaximumHeartRate(formula: formula, ageYears: ageYears, sex: sex)
  }
}
