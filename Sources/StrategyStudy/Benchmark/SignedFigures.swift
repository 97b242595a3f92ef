internal import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// What the cells and arms of a signed result say, and what of it contradicts the rest.
///
/// From the cells follows all that is said of the policy but the widths of intervals over all cells. No record has what another arm
/// did in a cell, so that of the others follows no more than stands there: that each is there once, how far the policy is ahead of it,
/// that its worst cell is one of them, with no less regret than it has on average.
struct SignedFigures {
  /// A mean with its interval.
  private struct Mean: Equatable {
    let mean: Double
    /// Absent for one runner, and mostly for two.
    let interval: [Double]?
    let count: Int
  }

  /// A cell of the benchmark.
  private struct Cell {
    let place: [String]
    let words: String
    let timeInTarget: Double
    let bestTimeInTarget: Double
    let cuesPerHour: Double
    let bestCuesPerHour: Double
    let regret: Mean
  }

  /// What an arm did over all cells.
  private struct Arm {
    let name: String
    let timeInTarget: Double
    let lead: Double?
    let cuesPerHour: Double
    let bestCuesPerHour: Double
    let meanRegret: Double
    let worstRegret: Mean
    let worstCell: String
  }

  /// The arm that is no coach.
  private static let silent = "none"

  /// The arms that may be the best other one: all but the policy where it is one of them.
  private let others: [String]
  private let version: Int
  private let runners: Int
  private let policy: String
  private var cells: [Cell] = []
  /// Where the cells of people of a file stand: activity, behaviour and artefacts.
  private var fittedPlaces: [[String]] = []
  private var arms: [Arm] = []

  /// The figures of a policy, of which nothing is read yet.
  ///
  /// - Parameter version: that of the records, all of which have the same.
  init(version: Int, runners: Int, policy: String) {
    self.version = version
    self.runners = runners
    self.policy = policy
    let strategy = try? FeedbackStrategy(specification: policy)
    others = CueBenchmark.references.filter {
      strategy == nil || (try? FeedbackStrategy(specification: $0.specification)) != strategy
    }.map(\.name)
  }

  /// How many cells of the benchmark stand there.
  var cellCount: Int { cells.count }

  /// Whether all cells of the definition stand there; they are of it, and none stands there twice.
  var isWhole: Bool { cells.count == CueBenchmark.cellCount }

  /// Takes a record.
  ///
  /// - Throws: `JSONError` when it is not what it should be, or contradicts itself.
  mutating func take(_ value: JSONValue) throws(JSONError) {
    var reader = try JSONObjectReader(value, path: .root)
    _ = try reader.version(in: version...version)
    if try reader.required("type", .word(["benchmarkCell": true, "benchmarkArm": false])) {
      try takeCell(&reader)
    } else {
      try takeArm(&reader)
    }
  }

  private mutating func takeCell(_ reader: inout JSONObjectReader) throws(JSONError) {
    let share = try reader.required("timeInTarget", mean(in: 0...1))
    let cues = try reader.required("cuesPerHour", figure(in: 0...100_000))
    let best = try reader.required("bestTimeInTarget", .double(in: 0...1))
    let bestCues = try reader.required("bestCuesPerHour", .double(in: 0...CueBenchmark.mostCuesPerHour))
    // Time in target that the best other arm has more, runner by runner: the mean of differences is that of the means.
    let regret = try reader.required("regret", mean(in: (best - share.mean - 1e-9)...(best - share.mean + 1e-9)))
    let bestName = try reader.required("best", Self.word(others))
    guard bestName != Self.silent || bestCues == 0 else {
      throw reader.error(.notAllowed("above 0"), expected: "0 of \(Self.silent)", about: "bestCuesPerHour")
    }
    let isFitted = try reader.optional("isFitted", .bool) ?? false
    let population = try reader.required(
      "population", isFitted ? .nonEmptyString : Self.word(CueBenchmark.populations.map(\.name)))
    let activity = try reader.required("activity", Self.word(CueBenchmark.gaits.map(\.rawValue)))
    let behaviour = try reader.required("behaviour", Self.word(CueBenchmark.behaviours))
    let artefacts = try reader.required("artefacts", Self.word(CueBenchmark.artefacts.map(\.name)))
    try reader.finish()
    guard !isFitted else { return fittedPlaces.append([activity, behaviour, artefacts]) }
    cells.append(
      Cell(
        place: [activity, population, behaviour, artefacts],
        words: CueBenchmarkCell.words(activity, population, behaviour, artefacts), timeInTarget: share.mean,
        bestTimeInTarget: best, cuesPerHour: cues, bestCuesPerHour: bestCues, regret: regret))
  }

  private mutating func takeArm(_ reader: inout JSONObjectReader) throws(JSONError) {
    let isPolicy = arms.isEmpty
    let names = CueBenchmark.references.map(\.name)
    let expected = isPolicy ? [policy] : arms.count > names.count ? [] : [names[arms.count - 1]]
    let name = try reader.required("arm", Self.word(expected))
    _ = try reader.optional("isPolicy", Self.flag(isPolicy))
    arms.append(
      Arm(
        name: name, timeInTarget: try reader.required("timeInTarget", mean(in: 0...1)).mean,
        lead: isPolicy ? nil : try reader.required("policyLead", mean(in: -1...1)).mean,
        cuesPerHour: try reader.required("cuesPerHour", figure(in: 0...100_000)),
        bestCuesPerHour: try reader.required("bestCuesPerHour", .double(in: 0...CueBenchmark.mostCuesPerHour)),
        meanRegret: try reader.required("meanRegret", figure(in: -1...1)),
        worstRegret: try reader.required("worstRegret", mean(in: -1...1)),
        worstCell: try reader.required("worstCell", .nonEmptyString)))
    try reader.finish()
  }

  /// What does not follow; absent when all does.
  ///
  /// - Parameters:
  ///   - stated: how many cells of the benchmark the first record says that there are.
  ///   - hasPeople: whether it names a file of people.
  func problem(stated: Int, hasPeople: Bool) -> String? {
    if let problem = problemOfPeople(areStated: hasPeople) { return problem }
    guard cells.count == stated else { return "\(cells.count) cells: expected \(stated)" }
    guard Set(cells.map(\.place)).count == cells.count else { return "a cell stands there twice" }
    guard let policy = arms.first else { return "no arm of the policy" }
    guard arms.count == CueBenchmark.references.count + 1 else {
      return "\(arms.count - 1) other arms: expected \(CueBenchmark.references.count)"
    }
    func mean(_ value: (Cell) -> Double) -> Double { cells.map(value).reduce(0, +) / Double(cells.count) }
    func differs(_ left: Double, _ right: Double, by most: Double = 1e-9) -> Bool { (left - right).magnitude >= most }
    let wrong: (name: String, isWrong: Bool)? = [
      ("timeInTarget", differs(policy.timeInTarget, mean(\.timeInTarget))),
      ("cuesPerHour", differs(policy.cuesPerHour, mean(\.cuesPerHour), by: 1e-6)),
      ("bestCuesPerHour", differs(policy.bestCuesPerHour, mean(\.bestCuesPerHour), by: 1e-6)),
      ("meanRegret", differs(policy.meanRegret, mean(\.regret.mean))),
      ("worstRegret", policy.worstRegret.mean != cells.map(\.regret.mean).max()),
      (
        "worstCell",
        !cells.contains { $0.words == policy.worstCell && $0.regret == policy.worstRegret }
      ),
    ].first { $0.1 }
    if let wrong { return "the figures of the policy do not follow from its cells: \(wrong.name)" }
    if let arm = arms.dropFirst().first(where: { differs($0.lead ?? 0, policy.timeInTarget - $0.timeInTarget) }) {
      return "the figures of \(arm.name) contradict each other: policyLead"
    }
    if let arm = arms.first(where: { arm in !cells.contains { $0.words == arm.worstCell } }) {
      return "worstCell of \(arm.name): expected one of the cells"
    }
    if let arm = arms.first(where: { $0.meanRegret > $0.worstRegret.mean + 1e-9 }) {
      return "the figures of \(arm.name) contradict each other: meanRegret"
    }
    if let cell = cells.first(where: { !isOfWholeSeconds($0) }) {
      return "\(cell.words): no \(runners) runners have such a time in target, or so many cues: "
        + "expected whole seconds and cues"
    }
    return nil
  }

  /// What is wrong with the cells of people of a file: they are of one gait, each there once, where a file is named, and only there.
  private func problemOfPeople(areStated: Bool) -> String? {
    let expected = areStated ? CueBenchmark.behaviours.count * CueBenchmark.artefacts.count : 0
    guard fittedPlaces.count == expected else {
      return "\(fittedPlaces.count) cells of people of a file: expected \(expected)"
        + (areStated ? ", since runnerModelSHA256 names one" : " without runnerModelSHA256")
    }
    guard Set(fittedPlaces).count == expected, Set(fittedPlaces.map { $0[0] }).count <= 1 else {
      return "cells of people of a file: expected each once, of one activity"
    }
    return nil
  }

  /// Whether so many runners can have had the figures of a cell: seconds in target and cues are whole numbers, each runner's and so
  /// those of all.
  private func isOfWholeSeconds(_ cell: Cell) -> Bool {
    let (seconds, hours) = (Double(runners * CueBenchmark.seconds), Double(runners * CueBenchmark.seconds) / 3_600)
    return [
      cell.timeInTarget * seconds, cell.bestTimeInTarget * seconds, cell.cuesPerHour * hours,
      cell.bestCuesPerHour * hours,
    ].allSatisfy { ($0 - $0.rounded()).magnitude < 1e-3 }
  }

  /// A mean of which version 1 stated no interval.
  private func figure(in limits: ClosedRange<Double>) -> JSONField<Double> {
    version == 1 ? .double(in: limits) : mean(in: limits).mapped(to: "a mean of \(runners) runners") { $0.mean }
  }

  /// A mean within limits, with an interval that holds it and as many runners as the result has.
  private func mean(in limits: ClosedRange<Double>) -> JSONField<Mean> {
    let runners = runners
    return JSONField("a mean of \(runners) runners") { (value, path) throws(JSONError) in
      var reader = try JSONObjectReader(value, path: path)
      let mean = try reader.required("mean", .double(in: limits))
      // Of one runner there is no interval.
      guard runners > 1 else {
        try reader.finish()
        return Mean(mean: mean, interval: nil, count: 1)
      }
      let field = Self.interval(around: mean)
      // Files of before have one over two runners, too.
      let isEnough = runners >= PeopleInterval.fewestPeople
      guard
        let interval = isEnough
          ? try reader.required("confidence95", field) : try reader.optional("confidence95", field)
      else {
        try reader.finish()
        return Mean(mean: mean, interval: nil, count: runners)
      }
      _ = try reader.required("method", Self.word([SampleMoments.intervalMethod]))
      let count = try reader.required("n", .int(in: runners...runners))
      try reader.finish()
      return Mean(mean: mean, interval: interval, count: count)
    }
  }

  private static func interval(around mean: Double) -> JSONField<[Double]> {
    JSONField("two numbers, one not above and one not below the mean") { value in
      guard let elements = value.array, elements.count == 2, let lower = elements[0].number?.double,
        let upper = elements[1].number?.double
      else { return nil }
      return lower <= mean && mean <= upper ? [lower, upper] : nil
    }
  }

  private static func word(_ choices: [String]) -> JSONField<String> {
    JSONField(choices.count == 1 ? "\"\(choices[0])\"" : "a word of the benchmark") { value in
      value.string.flatMap { choices.contains($0) ? $0 : nil }
    }
  }

  /// True where something holds, and absent elsewhere.
  private static func flag(_ holds: Bool) -> JSONField<Bool> {
    JSONField(holds ? "true" : "no such member") { $0.bool == true && holds ? true : nil }
  }
}
