internal import SessionStore
internal import WorkoutSession

/// What the service has to know of what was taken of a session before it goes on with it: gathered while the session takes that again.
struct EarlierInputs {
  /// The feeds of those who sent, in the order in which they began.
  private(set) var feeds: [LiveFeed] = []
  /// The running totals of steps; none where they are not counted.
  private(set) var steps = StepTotals()
  private let countsSteps: Bool

  /// Nothing was taken.
  ///
  /// - Parameter countsSteps: whether the session may have running totals of steps, as one of a key.
  init(countsSteps: Bool = false) { self.countsSteps = countsSteps }

  /// Takes the next inputs on, in their order.
  mutating func note(_ inputs: [SessionInput]) {
    for input in inputs {
      guard case .lines(let lines, let feed, _, let nextLine) = input.content else { continue }
      if !feeds.contains(feed) { feeds.append(feed) }
      if countsSteps { steps.take(lines: lines, before: nextLine) }
    }
  }
}
