import Foundation

/// What `adaptive` thinks of a runner before the session; of anybody when nothing else is said.
public struct ReferencePrior: Hashable, Sendable {
  /// In per cent.
  public var slow = 50, loses = 15, steers = 30, follows = 70
  /// In bpm.
  public var cue = 11

  /// Of anybody.
  public init() {}
}

/// What `adaptive` means, from the tables of `docs/evidence.md` and without ZoneEngine: twelve Kalman filters with whole matrices,
/// multiplied as they are printed in textbooks. Slow and plain, so that a slip in the engine's is not repeated here.
struct ReferenceAdaptive {
  /// What a look comes to.
  struct Look {
    /// The displayed heart rates in 30 and in 60 s without a word.
    let soon, later: Int
  }

  private let limits: (lower: Double, upper: Double)
  private let priceSeconds: Double
  private var filters: [ReferenceFilter]
  private var looked: Double?
  private var read: Double?
  private var disbelievedSince: Double?

  /// Knows nothing of a runner whose displayed heart rate should be from `lower` to `upper`.
  init(lower: Int, upper: Int, price: Int, prior: ReferencePrior) {
    limits = (Double(lower), Double(upper))
    priceSeconds = Double(price)
    filters = []
    func part(_ percent: Int) -> Double { Double(percent) / 100 }
    for (timeConstant, pace) in [(40.0, part(100 - prior.slow)), (80, part(prior.slow))] {
      for (relapse, steers, share) in [
        (nil, false, part(100 - prior.loses - prior.steers)), (230.0, false, part(prior.loses)),
        (nil, true, part(prior.steers)),
      ] as [(Double?, Bool, Double)] {
        for (follows, part) in [(0.85, part(prior.follows)), (0.3, part(100 - prior.follows))] {
          filters.append(
            ReferenceFilter(
              timeConstant: timeConstant, relapse: relapse, steers: steers, follows: follows,
              weight: pace * share * part, cueBPM: Double(prior.cue), limits: limits))
        }
      }
    }
  }

  /// Looks at the newest reading at a time; both times in seconds of the session.
  mutating func look(_ bpm: Int, readAt: Double, at time: Double) -> Look {
    learn(Double(bpm), readAt: readAt, at: time)
    return expected()
  }

  /// What is expected after the last look.
  func expected() -> Look {
    let counted = filters.filter { $0.weight >= 0.04 }
    let sum = counted.reduce(0) { $0 + $1.weight }
    func displayed(_ seconds: Double) -> Int {
      let mean = counted.reduce(0) { $0 + $1.weight * $1.expected(in: seconds) } / sum
      return Int((min(255, max(0, mean)) + 0.5).rounded(.down))
    }
    return Look(soon: displayed(30), later: displayed(60))
  }

  private mutating func learn(_ bpm: Double, readAt: Double, at time: Double) {
    guard let before = looked else {
      for index in filters.indices { filters[index].begin(bpm) }
      looked = time
      read = readAt
      return
    }
    looked = time
    if time - before > 60 {
      for index in filters.indices { filters[index].move(to: bpm) }
    }
    if time > before {
      for index in filters.indices { filters[index].goOn(min(60, time - before)) }
    }
    if read == readAt { return }
    read = readAt
    if filters.allSatisfy({ $0.deviations(of: bpm) > 4 }) {
      disbelievedSince = disbelievedSince ?? time
      if time - (disbelievedSince ?? time) <= 130 { return }
      for index in filters.indices { filters[index].move(to: bpm) }
    }
    disbelievedSince = nil
    for index in filters.indices { filters[index].take(bpm) }
    let sum = filters.reduce(0) { $0 + $1.weight }
    for index in filters.indices { filters[index].weight = max(0.002, sum > 0 ? filters[index].weight / sum : 0) }
  }

  /// A cue was given, 1 for faster and −1 for slower.
  mutating func say(_ direction: Double) {
    for index in filters.indices { filters[index].cue = direction }
  }

  /// Whether a cue in a direction buys what it has to, so many seconds after the last one.
  func isWorthIt(_ direction: Double, _ look: Look, silence: Double) -> Bool {
    let stays = direction > 0 ? Double(look.later) < limits.lower : Double(look.later) > limits.upper
    let price = stays ? priceSeconds * min(1, max(0, 1 - (silence - 30) / 60)) : priceSeconds
    let counted = filters.filter { $0.weight >= 0.04 }
    let follows = counted.reduce(0) { $0 + $1.weight * $1.follows }
    let bought = [1, 2, 3, 5, 8].map { cues in
      counted.reduce(0) { sum, filter in
        sum + filter.weight * (filter.inTarget(cues, direction) - filter.inTarget(0, direction)) / Double(cues)
      }
    }
    return (bought.max() ?? 0) * 0.85 / follows >= price
  }
}

/// One filter: the state is course, level, changed, sway, slow and bpm a cue, in this order.
private struct ReferenceFilter {
  let timeConstant: Double
  let relapse: Double?
  let steers: Bool
  let follows: Double
  var weight: Double
  let limits: (lower: Double, upper: Double)
  /// The direction of a cue that has not been taken yet.
  var cue = 0.0
  private var seen = 0.0
  private var state: [Double]
  private var covariance: Matrix

  init(
    timeConstant: Double, relapse: Double?, steers: Bool, follows: Double, weight: Double, cueBPM: Double,
    limits: (lower: Double, upper: Double)
  ) {
    self.timeConstant = timeConstant
    self.relapse = relapse
    self.steers = steers
    self.follows = follows
    self.weight = weight
    self.limits = limits
    state = [0, (limits.lower + limits.upper) / 2, 0, 0, 0, cueBPM]
    covariance = Matrix(diagonal: [25, 17 * 17, 0, 4 * 4, 2.5 * 2.5, 4 * 4])
  }

  mutating func begin(_ bpm: Double) {
    state[0] = bpm
    seen = bpm
  }

  mutating func move(to bpm: Double) {
    state[0] = bpm
    state[4] = 0
    covariance[0, 0] += 100
    covariance[1, 1] += 100
  }

  private func left(_ seconds: Double, of timeConstant: Double?) -> Double {
    timeConstant.map { exp(-seconds / $0) } ?? 1
  }

  /// What somebody who steers would change: to 3 bpm inside of the target, by 25 at most.
  private func wish(_ bpm: Double) -> Double {
    let lowest = limits.lower + 3
    let highest = max(lowest, limits.upper - 3)
    return min(25, max(-25, min(highest, max(lowest, bpm)) - bpm))
  }

  mutating func goOn(_ seconds: Double) {
    if cue != 0 {
      var taking = Matrix(diagonal: [1, 1, 1, 1, 1, 1])
      taking[2, 5] = follows * cue
      let perCue = state[5]
      state = taking * state
      covariance = taking * covariance * taking.transposed
      covariance[2, 2] += perCue * perCue * (follows * (1 - follows) + 0.8 * 0.8)
      cue = 0
    }
    let course = left(seconds, of: timeConstant)
    let sway = left(seconds, of: 75)
    let slow = left(seconds, of: 20)
    var moving = Matrix(diagonal: [course, 1, left(seconds, of: relapse), sway, slow, 1])
    for cause in 1...3 { moving[0, cause] = 1 - course }
    state = moving * state
    if steers { state[1] += 0.4 / 15 * seconds * wish(seen) }
    covariance = moving * covariance * moving.transposed
    let added = [
      0.05 * seconds, 0.4 * seconds, 0.02 * seconds, 16 * (1 - sway * sway), 6.25 * (1 - slow * slow), 0,
    ]
    for index in 0..<6 { covariance[index, index] += added[index] }
  }

  private var seeing: [Double] { [1, 0, 0, 0, 1, 0] }

  private var spread: Double { zip(seeing, covariance * seeing).reduce(3.2) { $0 + $1.0 * $1.1 } }

  func deviations(of bpm: Double) -> Double { abs(bpm - state[0] - state[4]) / sqrt(spread) }

  mutating func take(_ bpm: Double) {
    let spread = spread
    let miss = bpm - state[0] - state[4]
    let seenWith = covariance * seeing
    for index in 0..<6 { state[index] += seenWith[index] / spread * miss }
    for row in 0..<6 {
      for column in 0..<6 { covariance[row, column] -= seenWith[row] * seenWith[column] / spread }
    }
    state[5] = max(3, state[5])
    weight *= exp(-miss * miss / spread / 2) / sqrt(spread)
    seen = bpm
  }

  /// The course in some seconds without a word.
  func expected(in seconds: Double) -> Double {
    let changed = state[2] + cue * follows * state[5]
    if steers {
      var (course, level) = (state[0], state[1] + changed + state[3])
      for _ in 0..<Int(seconds / 5) {
        level += 0.4 / 15 * 5 * wish(course)
        course += (level - course) * (1 - left(5, of: timeConstant))
      }
      return course
    }
    let kept = left(seconds, of: timeConstant)
    let leads = state[1] + left(seconds, of: relapse) * changed + left(seconds / 2, of: 75) * state[3]
    return kept * state[0] + (1 - kept) * leads
  }

  /// Seconds in the target within 280 s, with so many cues in a direction, one every 20 s.
  func inTarget(_ cues: Int, _ direction: Double) -> Double {
    var (course, level, sway) = (state[0], state[1], state[3])
    var changed = state[2] + cue * follows * state[5]
    var seconds = 0.0
    let causes = [0, 1, 1, 1, 0, 0] as [Double]
    let unknownLevels = zip(causes, covariance * causes).reduce(0) { $0 + $1.0 * $1.1 }
    for step in 0..<28 {
      if step.isMultiple(of: 2), step / 2 < cues { changed += direction * follows * state[5] }
      if steers { level += 0.4 / 15 * 10 * wish(course) }
      course += (level + changed + sway - course) * (1 - left(10, of: timeConstant))
      changed *= left(10, of: relapse)
      sway *= left(10, of: 75)
      let kept = left(10 * Double(step + 1), of: timeConstant)
      let unknown = (1 - kept) * (1 - kept) * (unknownLevels + 0.4 * 10 * Double(step) / 2)
      let deviation = sqrt(6.25 + kept * kept * covariance[0, 0] + max(0, unknown))
      seconds += 10 * share((limits.upper + 0.5 - course) / deviation)
      seconds -= 10 * share((limits.lower - 0.5 - course) / deviation)
    }
    return seconds
  }

  /// About the share of a normal distribution below z.
  private func share(_ z: Double) -> Double {
    let bent = z * (0.798 + 0.14 * z * z)
    return 0.5 + 0.5 * bent / sqrt(1 + bent * bent)
  }
}

/// Six by six numbers.
private struct Matrix {
  private var rows: [[Double]]

  init(diagonal: [Double]) {
    rows = diagonal.indices.map { row in diagonal.indices.map { $0 == row ? diagonal[row] : 0 } }
  }

  subscript(row: Int, column: Int) -> Double {
    get { rows[row][column] }
    set { rows[row][column] = newValue }
  }

  var transposed: Matrix {
    var result = self
    for row in rows.indices { for column in rows.indices { result[row, column] = self[column, row] } }
    return result
  }

  static func * (left: Matrix, right: [Double]) -> [Double] {
    left.rows.map { row in zip(row, right).reduce(0) { $0 + $1.0 * $1.1 } }
  }

  static func * (left: Matrix, right: Matrix) -> Matrix {
    var result = left
    let columns = right.transposed
    for row in left.rows.indices { result.rows[row] = columns * left.rows[row] }
    return result
  }
}
