/// The mean of one value a person, how people differ, and how sure the mean is.
package struct SampleMoments: Hashable, Sendable {
  /// How many people.
  package let count: Int
  /// The mean.
  package let mean: Double
  /// How people differ, with n − 1; absent for fewer than two.
  package let standardDeviation: Double?

  /// The moments of values, in two passes; `nil` for none.
  package init?(_ values: some Collection<Double>) {
    guard !values.isEmpty else { return nil }
    self.init(values, mean: values.reduce(0, +) / Double(values.count))
  }

  /// The moments of whole numbers in another unit, so many of it for so many of them, such as cues of 1,500 s as cues of 3,600; their
  /// mean is rounded once. `nil` for none.
  ///
  /// - Precondition: `many` is above 0.
  package init?(wholes: some Collection<Int>, times factor: Int, over many: Int) {
    guard !wholes.isEmpty else { return nil }
    self.init(
      wholes.map { Double($0 * factor) / Double(many) },
      mean: Double(wholes.reduce(0, +) * factor) / Double(wholes.count * many))
  }

  private init(_ values: some Collection<Double>, mean: Double) {
    count = values.count
    self.mean = mean
    guard count > 1 else {
      standardDeviation = nil
      return
    }
    var squares = 0.0
    for value in values {
      let difference = value - mean
      squares += difference * difference
    }
    standardDeviation = (squares / Double(count - 1)).squareRoot()
  }

  /// The standard error of the mean: in a simulation the Monte-Carlo error; absent for fewer than two people.
  package var standardError: Double? { standardDeviation.map { $0 / Double(count).squareRoot() } }

  /// What records call the method of ``confidence95``.
  package static let intervalMethod = "student-t"

  /// The 95 % interval of the mean by Student's t; absent for fewer than two people.
  package var confidence95: ConfidenceInterval? {
    guard let standardError else { return nil }
    let half = StudentT(degreesOfFreedom: Double(count - 1)).twoSidedQuantile(0.05) * standardError
    return ConfidenceInterval(lower: mean - half, upper: mean + half)
  }

  /// The same where there are enough people for it, see ``PeopleInterval/fewestPeople``.
  package var peopleInterval: ConfidenceInterval? { count >= PeopleInterval.fewestPeople ? confidence95 : nil }

  /// The probability of a mean at least so far from zero if the true one is zero, by the t test; absent for fewer than
  /// two people. Where people do not differ it is 1 for a mean of zero and 0 for any other.
  package var probabilityOfZero: Double? {
    guard let standardError else { return nil }
    guard standardError > 0 else { return mean == 0 ? 1 : 0 }
    return StudentT(degreesOfFreedom: Double(count - 1)).twoSidedProbability(mean / standardError)
  }

  /// The same where there are enough people for it, see ``PeopleInterval/fewestPeople``.
  package var peopleProbability: Double? { count >= PeopleInterval.fewestPeople ? probabilityOfZero : nil }
}
