/// What the runners of a course are like on the day on which all arms are compared, before anybody says anything.
package struct PopulationDescription: Hashable, Sendable {
  /// A quantity of which every runner has one.
  package struct Quantity: Hashable, Sendable {
    /// What it is called in records, with its unit.
    package let name: String
    /// Its mean and how people differ.
    package let moments: SampleMoments
    /// Its values at ``PopulationDescription/parts`` of the runners.
    package let quantiles: [Double]
  }

  /// Where quantiles are given.
  package static let parts = [0.05, 0.25, 0.5, 0.75, 0.95]
  /// The speed in m/s from which on the equation of the oxygen cost of running holds: 134 m/min. Source: ACSM's
  /// Guidelines, 10th edition, 10.1249/FIT.0000000000000577.
  package static let slowestRunningMetersPerSecond = 134.0 / 60
  /// How near a limit of the gait's speeds a preferred speed is that is at it, in m/s.
  private static let atLimit = 1e-6

  /// The course.
  package let course: StudyCourse
  /// How many runners were drawn.
  package let runners: Int
  /// Preferred speed, the heart rate that it leads to, the gain there, the time constant, and where the model has them the delay and the
  /// speed at which they change from walking to running.
  package let quantities: [Quantity]
  /// The share of runners who would go slower if the gait allowed it.
  package let shareAtSlowest: Double
  /// The share of runners who would go faster if the gait allowed it.
  package let shareAtFastest: Double
  /// The share of runners who prefer less than 134 m/min; absent for walking.
  package let shareBelowRunning: Double?

  /// Draws the runners of a course.
  ///
  /// - Complexity: O(n log n) in the number of runners.
  package init(of course: StudyCourse, seed: UInt64, runners: Int) {
    precondition(runners > 0, "a population has runners")
    let cost = OxygenCost(course.model.gait)
    let people = (0..<runners).map { number in
      VirtualRunner(
        RunnerTraits(course.model, formulaMaximum: Double(course.zoneMaximum), seed: seed, runner: number),
        course.model,
        cost: cost, target: course.target,
        dayBias: Disturbances.dayBias(course.model, seed: seed, runner: number, day: 0))
    }
    func quantity(_ name: String, _ value: (VirtualRunner) -> Double) -> Quantity {
      let values = people.map(value).sorted()
      guard let moments = SampleMoments(values) else { preconditionFailure("a population has runners") }
      return Quantity(
        name: name, moments: moments,
        quantiles: Self.parts.map { values.quantile($0) })
    }
    func share(_ isSo: (VirtualRunner) -> Bool) -> Double { Double(people.count(where: isSo)) / Double(runners) }
    self.course = course
    self.runners = runners
    var quantities = [
      quantity("preferredSpeedMetersPerSecond") { $0.preferredSpeed },
      quantity("preferredHeartRateBPM") { $0.steadyHeartRate(speed: $0.preferredSpeed, grade: 0) },
      quantity(RunnerModel.gainName) { $0.slope },
      quantity("timeConstantSeconds") { $0.traits.timeConstant },
    ]
    if course.model.delay != nil { quantities.append(quantity(RunnerModel.delayName) { Double($0.delaySeconds) }) }
    if course.model.transition != nil {
      quantities.append(quantity(RunnerModel.transitionName) { $0.traits.transition ?? 0 })
    }
    self.quantities = quantities
    shareAtSlowest = share { $0.preferredSpeed < $0.speeds.lowerBound + Self.atLimit }
    shareAtFastest = share { $0.preferredSpeed > $0.speeds.upperBound - Self.atLimit }
    shareBelowRunning =
      course.model.gait == .run ? share { $0.preferredSpeed < Self.slowestRunningMetersPerSecond } : nil
  }
}
