import LiveCoaching
import WorkoutSession

/// How much a runner needs to hear what is said, and how soon.
struct Urgency: Hashable, Sendable {
  /// What is said before what where a voice is slow; nothing of a lower rank takes the place of a higher one.
  enum Rank: Int, Comparable, Sendable {
    /// Splits, halves, best efforts, what is wrong with a sensor.
    case other
    /// What holds at this moment alone: what is left of a step.
    case moment
    /// A step begins, or the plan is over.
    case step
    /// Advice.
    case cue
    /// Advice to slow down above the ceiling.
    case ceiling

    static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }

    /// Whether of both only the newer one is worth a word.
    fileprivate func isOfKind(_ other: Rank) -> Bool { self == other || min(self, other) >= .cue }
  }

  /// How long a number of a countdown may wait, in nanoseconds: the next one comes after a second.
  static let numberPatience: Int64 = 400_000_000
  /// How long what is left of a step may wait, in nanoseconds.
  static let leftPatience: Int64 = 3_000_000_000

  /// What goes before.
  let rank: Rank
  /// How long it may wait to be said, in nanoseconds; `nil` where that makes it no less true.
  let patience: Int64?

  /// A rank and a patience.
  init(_ rank: Rank, patience: Int64? = nil) { (self.rank, self.patience) = (rank, patience) }

  /// That of something that is said.
  init(_ phrase: SpokenPhrase) {
    switch phrase {
    case .ceilingCue: self.init(.ceiling)
    case .heartRateCue, .quantityCue: self.init(.cue)
    case .step, .planFinished: self.init(.step)
    case .countdown: self.init(.moment, patience: Self.numberPatience)
    case .timeLeft: self.init(.moment, patience: Self.leftPatience)
    case .activityDiffers, .split, .halfTime, .halfDistance, .halvesOfTime, .halvesOfDistance, .bestEffort, .signalLost,
      .signalRestored, .signalStuck, .signalCadenceLock, .quantityLost, .quantityRestored:
      self.init(.other)
    }
  }

  /// That of what is said in one breath: the highest rank, and the patience of what has the least.
  init(_ phrases: [SpokenPhrase]) {
    let all = phrases.map { Urgency($0) }
    self.init(all.map(\.rank).max() ?? .other, patience: all.compactMap(\.patience).min())
  }
}

/// What waits for a program that is slow, so that a runner hears what helps now: of each rank the newest, the highest rank first, and
/// nothing that is no longer true.
struct WaitingRuns<Run> {
  private struct Entry {
    let run: Run
    let urgency: Urgency
    /// When it came, in nanoseconds of a clock.
    let time: Int64
    /// What is said of it when its patience is over; `nil` for nothing.
    let late: Run?
  }

  private var entries: [Entry] = []

  /// Nothing waits.
  init() {}

  /// How many wait.
  var count: Int { entries.count }

  /// Has something wait: the newer of one kind takes the place of the older, but no cue that of one of the ceiling.
  mutating func add(_ run: Run, _ urgency: Urgency, late: Run? = nil, now: Int64) {
    let entry = Entry(run: run, urgency: urgency, time: now, late: late)
    guard let index = entries.firstIndex(where: { $0.urgency.rank.isOfKind(urgency.rank) }) else {
      return entries.append(entry)
    }
    if urgency.rank >= entries[index].urgency.rank { entries[index] = entry }
  }

  /// The next one, which waits no longer; `nil` where there is none.
  mutating func next(now: Int64) -> Run? {
    while let index = entries.indices.max(by: { entries[$0].urgency.rank < entries[$1].urgency.rank }) {
      let entry = entries.remove(at: index)
      guard let patience = entry.urgency.patience, now - entry.time > patience else { return entry.run }
      if let late = entry.late { return late }
    }
    return nil
  }
}
