internal import WorkoutSession

/// The effect of a cue on what comes next, by weighted and centred least squares.
///
/// Y = g(H)'α + (A − p̃)·f(S)'β, each available point weighted by p̃ ÷ p where a cue was given and (1 − p̃) ÷ (1 − p) where it
/// was not: p is the probability that it had, p̃ a constant that is fixed beforehand. β is right whatever the working model
/// g(H)'α misses. Its covariance is the sandwich over persons, the residuals of each divided by one less the leverage of that
/// person's points.
///
/// Source: Boruvka, Almirall, Witkiewitz & Murphy 2018, J. Am. Stat. Assoc. 113:1112–1121, 10.1080/01621459.2017.1305274;
/// the small samples as Liao, Klasnja, Tewari & Murphy 2016, Stat. Med. 35:1944–1971, 10.1002/sim.6847, after Mancl & DeRouen
/// 2001, Biometrics 57:126–134. The formulas were checked against the authors' program in R, mHealthModeration
/// (`weighting-and-centering-estimator-known-randomization-probs.R`), where p̃ is known.
package struct CenteredLeastSquares: Hashable, Sendable {
  /// An available decision point.
  package struct Row: Hashable, Sendable {
    /// Whose it is, as a number.
    package let person: Int
    /// The probability that the cue had, above 0 and below 1.
    package let probability: Double
    /// Whether it was given.
    package let isGiven: Bool
    /// What came of it.
    package let outcome: Double
    /// What the outcome is explained with, without the constant.
    package let controls: [Double]
    /// What the effect depends on, without the constant.
    package let moderators: [Double]

    /// Creates a row.
    package init(
      person: Int, probability: Double, isGiven: Bool, outcome: Double, controls: [Double] = [],
      moderators: [Double] = []
    ) {
      self.person = person
      self.probability = probability
      self.isGiven = isGiven
      self.outcome = outcome
      self.controls = controls
      self.moderators = moderators
    }
  }

  /// A coefficient with how sure it is.
  package struct Coefficient: Hashable, Sendable {
    /// The number.
    package let value: Double
    /// Its standard error, adjusted for small samples.
    package let standardError: Double
    /// The standard error without the adjustment.
    package let unadjustedError: Double
    /// Its 95 % interval.
    package let confidence: ConfidenceInterval
    /// The probability of a value at least so far from zero if the true one is zero.
    package let probability: Double
  }

  /// Why nothing can be estimated.
  package enum Problem: Error, Hashable, Sendable, CustomStringConvertible {
    /// Too few persons for the coefficients.
    case people(found: Int, needed: Int)
    /// Something does not vary, or one person alone decides it.
    case singular
    /// All points have the same outcome.
    case sameOutcome(Double)

    /// One line.
    package var description: String {
      switch self {
      case .people(let found, let needed):
        "\(StudyText.counted(found, "person", "people")) with a point that counts: expected at least \(needed)"
      case .singular:
        "cues, a control or a moderator do not vary enough: expected given and withheld cues, or fewer of the others"
      case .sameOutcome(let outcome):
        "the outcome of every point is \(QuantityText.number(outcome, decimals: 1)): expected outcomes that differ"
      }
    }
  }

  /// The working model: the constant, then the controls.
  package let controls: [Coefficient]
  /// The effect: of a point at which the moderators are 0, then what each of them adds.
  package let effects: [Coefficient]
  /// How many persons and points count.
  package let people, points: Int
  /// The degrees of freedom: persons less coefficients.
  package let degreesOfFreedom: Int
  /// The probability of effects so far from zero, all of them together, if there were none.
  package let jointProbability: Double

  /// How many people are needed at least: one more than coefficients, two of which are constants.
  package static func fewestPeople(controls: Int, moderators: Int) -> Int { controls + moderators + 3 }

  /// Estimates.
  ///
  /// - Parameter numerator: p̃, above 0 and below 1.
  /// - Throws: ``Problem``.
  package init(_ rows: [Row], numerator: Double) throws(Problem) {
    precondition(numerator > 0 && numerator < 1, "a numerator is a probability")
    let controlCount = 1 + (rows.first?.controls.count ?? 0)
    let effectCount = 1 + (rows.first?.moderators.count ?? 0)
    let size = controlCount + effectCount
    let grouped = Dictionary(grouping: rows, by: \.person)
    let persons = grouped.keys.sorted()
    people = persons.count
    points = rows.count
    degreesOfFreedom = people - size
    let needed = Self.fewestPeople(controls: controlCount - 1, moderators: effectCount - 1)
    guard people >= needed else { throw Problem.people(found: people, needed: needed) }
    func design(_ row: Row) -> (x: [Double], weight: Double) {
      let centred = (row.isGiven ? 1 : 0) - numerator
      let weight =
        row.isGiven ? numerator / row.probability : (1 - numerator) / (1 - row.probability)
      return ([1] + row.controls + [centred] + row.moderators.map { centred * $0 }, weight)
    }
    // Σ w·x·xᵀ of each person, and of all.
    var ofPerson: [SquareMatrix] = []
    var whole = SquareMatrix(size: size)
    var right = [Double](repeating: 0, count: size)
    for person in persons {
      var own = SquareMatrix(size: size)
      for row in grouped[person] ?? [] {
        let (x, weight) = design(row)
        own.add(weight, outerProductOf: x)
        whole.add(weight, outerProductOf: x)
        for index in 0..<size { right[index] += weight * x[index] * row.outcome }
      }
      ofPerson.append(own)
    }
    guard let found = whole.solution(of: right) else { throw Problem.singular }
    // What is left of it would be rounding alone, and its probability a number without a meaning.
    if let first = rows.first?.outcome, rows.allSatisfy({ $0.outcome == first }) { throw Problem.sameOutcome(first) }
    var covariance = SquareMatrix(size: size)
    var unadjusted = covariance
    for (place, person) in persons.enumerated() {
      var score = [Double](repeating: 0, count: size)
      for row in grouped[person] ?? [] {
        let (x, weight) = design(row)
        let residual = row.outcome - zip(x, found).reduce(0) { $0 + $1.0 * $1.1 }
        for index in 0..<size { score[index] += weight * x[index] * residual }
      }
      // M⁻¹·Xᵀ·W·(I − X·M⁻¹·Xᵀ·W)⁻¹·e of a person is (M − Mₚ)⁻¹·Xᵀ·W·e, by Woodbury's identity.
      guard let plain = whole.solution(of: score), let adjusted = (whole - ofPerson[place]).solution(of: score) else {
        throw Problem.singular
      }
      covariance.add(1, outerProductOf: adjusted)
      unadjusted.add(1, outerProductOf: plain)
    }
    let student = StudentT(degreesOfFreedom: Double(degreesOfFreedom))
    let quantile = student.twoSidedQuantile(0.05)
    let coefficients = (0..<size).map { index in
      let error = covariance[index, index].squareRoot()
      return Coefficient(
        value: found[index], standardError: error, unadjustedError: unadjusted[index, index].squareRoot(),
        confidence: ConfidenceInterval(lower: found[index] - quantile * error, upper: found[index] + quantile * error),
        probability: error > 0 ? student.twoSidedProbability(found[index] / error) : found[index] == 0 ? 1 : 0)
    }
    controls = Array(coefficients[..<controlCount])
    effects = Array(coefficients[controlCount...])
    var own = SquareMatrix(size: effectCount)
    for row in 0..<effectCount {
      for column in 0..<effectCount { own[row, column] = covariance[controlCount + row, controlCount + column] }
    }
    let beta = Array(found[controlCount...])
    guard let scaled = own.solution(of: beta) else { throw Problem.singular }
    let statistic = zip(beta, scaled).reduce(0) { $0 + $1.0 * $1.1 }
    let ratio =
      statistic * Double(degreesOfFreedom) / Double(effectCount * (people - controlCount - 1))
    jointProbability = FisherF(Double(effectCount), Double(degreesOfFreedom)).upperProbability(ratio)
  }
}
