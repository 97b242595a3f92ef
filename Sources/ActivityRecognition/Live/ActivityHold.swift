/// Makes activities that last of what single windows show: an activity changes when enough windows in a row say so.
///
/// A window says what was at its middle, so that something has lasted from the middle of its first window to the end of the newest
/// one. One window in twelve of a row may say something else. A window of no known activity still says whether somebody moves, so
/// that nobody who moves in an unusual way stays paused.
struct ActivityHold: Sendable {
  /// How long something has to last before it counts, in nanoseconds.
  struct Holds: Hashable, Sendable {
    /// Stillness after motion.
    let still: Int64
    /// Motion after stillness.
    let moving: Int64
    /// Another activity of the same sort: running after walking, sitting after standing.
    let other: Int64

    /// A pause after 3 s of standing still, and on after 1 s of moving.
    ///
    /// Between the instant at which somebody stops and the middle of the first window that shows it there is up to a step of the
    /// windows, so that 2.75 s from that middle are 2.9 to 3.4 s from the instant; how moving begins is seen earlier by about as
    /// much. Chosen on the sessions of `Benchmarks/spliced-motion`.
    static let standard = Holds(still: 2_750_000_000, moving: 1_250_000_000, other: 2_750_000_000)
  }

  /// What counts from now on.
  struct Change: Hashable, Sendable {
    /// The number of the activity; `nil` for an unknown one.
    let activity: Int?
    /// Since when it lasts, in nanoseconds.
    let since: Int64
    /// The mean probability of it over the windows of the row; of an unknown one, of the most probable.
    let probability: Float
  }

  private struct Vote: Sendable {
    let middle: Int64
    let end: Int64
    let isStill: Bool
    /// The most probable activity of its sort.
    let best: Int
    let isUnknown: Bool
    let probabilities: [Float]
  }

  /// How much may be different in a row: one in so many.
  private static let toleratedPart = 12
  /// How many windows are remembered at most.
  private static let largestCount = 64

  private let activities: ModelActivities
  private let holds: Holds
  /// The number of the activity that counts; `nil` for an unknown one, and before there is any.
  private(set) var current: Int?
  /// Whether anything counts yet.
  private(set) var hasBegun = false
  private var votes: [Vote] = []
  private var begin: Int64?

  init(_ activities: ModelActivities, _ holds: Holds) {
    self.activities = activities
    self.holds = holds
  }

  /// Whether what counts is to stay where one is.
  var isStill: Bool { current.map { activities.all[$0].isStill } ?? false }

  /// Nothing that was before counts for a row any more; what counts stays.
  mutating func beginStretch(at nanoseconds: Int64) {
    votes = []
    begin = nanoseconds
  }

  /// Nothing counts any more.
  mutating func forget() {
    votes = []
    (current, hasBegun) = (nil, false)
  }

  /// Takes what is made of a window; what counts from now on, where that is something else.
  mutating func take(_ answer: WindowStream.Answer) -> Change? {
    var still: Float = 0
    for (index, activity) in activities.all.enumerated() where activity.isStill { still += answer.probabilities[index] }
    let isStill = still >= 0.5
    let best =
      activities.all.indices.filter { activities.all[$0].isStill == isStill }
      .max { (answer.probabilities[$0], $1) < (answer.probabilities[$1], $0) } ?? 0
    // Somebody who does not move is still, however unusual the place of the device is.
    let isUnknown = answer.isUnknown && !isStill
    votes.append(
      Vote(
        middle: answer.middle, end: answer.end, isStill: isStill, best: best, isUnknown: isUnknown,
        probabilities: answer.probabilities))
    if votes.count > Self.largestCount { votes.removeFirst() }
    if hasBegun, isStill != self.isStill {
      return change(hold: isStill ? holds.still : holds.moving) { $0.isStill == isStill }
    }
    guard !hasBegun || current != (isUnknown ? nil : best) else { return nil }
    return change(hold: holds.other) {
      $0.isStill == isStill && $0.isUnknown == isUnknown && (isUnknown || $0.best == best)
    }
  }

  /// Changes to what the last windows show, where those that belong together last for long enough.
  private mutating func change(hold: Int64, _ belongs: (Vote) -> Bool) -> Change? {
    guard let newest = votes.last else { return nil }
    var (count, misses, first) = (0, 0, votes.count)
    for (index, vote) in votes.enumerated().reversed() {
      if belongs(vote) {
        (count, first) = (count + 1, index)
      } else {
        misses += 1
        if misses * Self.toleratedPart > count { break }
      }
    }
    // The first window of a stretch stands for what was before its middle, too.
    var since = votes[first].middle
    if first == 0, let begin, votes[0].middle - begin <= votes[0].end - votes[0].middle { since = begin }
    guard newest.end - since >= hold else { return nil }
    let row = votes[first...].filter(belongs)
    // Right after stillness the first windows still have some of it, so that the newest knows best how somebody moves.
    let activity = newest.isStill ? Self.most(row) : newest.isUnknown ? nil : newest.best
    defer { (current, hasBegun) = (activity, true) }
    guard !hasBegun || activity != current else { return nil }
    var sum: Float = 0
    for vote in row { sum += activity.map { vote.probabilities[$0] } ?? vote.probabilities.max() ?? 0 }
    return Change(activity: activity, since: since, probability: sum / Float(row.count))
  }

  /// What most windows say, the first of equals; `nil` where more than half are of no known activity.
  private static func most(_ row: [Vote]) -> Int? {
    guard row.count(where: \.isUnknown) * 2 <= row.count else { return nil }
    var counts: [Int: Int] = [:]
    for vote in row { counts[vote.best, default: 0] += 1 }
    return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
  }
}
