internal import SessionStore
internal import TextFormats
internal import WorkoutSession

/// What the service has to know of what was taken of a session before it goes on with it: gathered while the session takes that again.
struct EarlierInputs {
  /// The feeds of those who sent, in the order in which they began.
  private(set) var feeds: [LiveFeed] = []
  /// The running totals of steps; none where they are not counted.
  private(set) var steps = StepTotals()
  /// When lines came last, as the session counts time; absent where none came.
  private var lastLines: WallClockTime?
  /// The newest time that the session knows of.
  private var newest: WallClockTime?
  /// How far the clock of the machine was set forward since the session began; negative for back.
  private var setBy: Int64 = 0
  private let countsSteps: Bool

  /// Nothing was taken.
  ///
  /// - Parameter countsSteps: whether the session may have running totals of steps, as one of a key.
  init(countsSteps: Bool = false) { self.countsSteps = countsSteps }

  /// Takes the next inputs on, in their order.
  mutating func note(_ inputs: [SessionInput]) {
    for input in inputs {
      newest = newest.map { max($0, input.arrival) } ?? input.arrival
      if case .setClock(let nanoseconds) = input.content { setBy = nanoseconds }
      guard case .lines(let lines, let feed, _, let nextLine) = input.content else { continue }
      lastLines = input.arrival
      if !feeds.contains(feed) { feeds.append(feed) }
      if countsSteps { steps.take(lines: lines, before: nextLine) }
    }
  }

  /// How long nothing has come by now, in nanoseconds. What is known to have passed counts where the clock was set back while nobody had the
  /// session, and nothing more.
  ///
  /// - Parameters:
  ///   - now: the time of day of the machine.
  ///   - begun: when the session was asked for.
  func silence(at now: WallClockTime, since begun: WallClockTime) -> Int64 {
    let last = lastLines ?? begun
    // The session goes on as if nobody had set the clock.
    let (counted, isOverflow) = now.nanoseconds.subtractingReportingOverflow(setBy)
    guard !isOverflow else { return 0 }
    let (silence, isBeyond) = max(counted, newest?.nanoseconds ?? counted)
      .subtractingReportingOverflow(last.nanoseconds)
    return isBeyond ? 0 : max(0, silence)
  }
}
