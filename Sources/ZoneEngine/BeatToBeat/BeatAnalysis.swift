/// What the intervals of a whole recording come to, and the course of its windows; they are taken one after another.
///
/// Pauses play no part: the heart beats on. A window over a silence is not filled and gives nothing, and the beats before and
/// after it do not follow each other: neither a difference nor a median reaches across it (``longestSlack``).
public struct BeatAnalysis: Sendable {
  /// A window.
  public struct Point: Hashable, Sendable {
    /// Its end.
    public let time: SessionTime
    /// What it comes to.
    public let variability: BeatVariability
  }

  /// The windows that are filled, in order of time.
  public private(set) var points: [Point] = []

  /// How many windows are kept: those of eleven days.
  private static let largestPointCount = 200_000
  /// How many intervals are corrected at once: those of half a day of a run.
  private static let blockSize = 1 << 17

  /// How much longer the time between two readings may be than the intervals of either of them last, for the beats of both to
  /// follow each other. A reading stands before its beats or after them, so that either may fill that time.
  ///
  /// Source: an assumption: a strap sends once a second, and one or two of its readings may come late or be lost. Where more is
  /// missing than the longest interval that there is, a beat is.
  public static let longestSlack = SessionTime.seconds(3)

  private var window = BeatWindow()
  private var nextEnd: SessionTime?
  private var block: [Double] = []
  /// The intervals of the newest time, which go on with the block or begin another one.
  private var reading: [Double] = []
  /// The newest time in the block, and how long its intervals last.
  private var joined: (time: SessionTime, length: SessionTime)?
  private var count = 0
  private var artefacts = 0
  private var sums = BeatSums()

  /// Creates an analysis of nothing.
  public init() {}

  /// Whether no interval came.
  public var isEmpty: Bool { count == 0 && block.isEmpty && reading.isEmpty }

  /// Takes an interval in milliseconds. One that is older than the newest changes nothing.
  public mutating func admit(_ milliseconds: Double, at time: SessionTime) {
    if let last = window.newest, time > last {
      judge(before: time)
      join(readingOf: last)
    }
    guard window.admit(milliseconds, at: time) else { return }
    if nextEnd == nil { nextEnd = window.nextEnd(after: .zero) }
    reading.append(milliseconds)
    if reading.count >= Self.blockSize { join(readingOf: time) }
  }

  /// Ends the recording; returns what all its intervals come to, with the median α1 of its windows; `nil` where it has none.
  public mutating func finish() -> BeatVariability? {
    if let newest = window.newest {
      judge(before: SessionTime(nanoseconds: newest.nanoseconds + 1))
      join(readingOf: newest)
    }
    closeBlock()
    guard !sums.isEmpty else { return nil }
    return BeatVariability(
      count: count, artefacts: artefacts, sums, alpha1: points.compactMap(\.variability.alpha1).median)
  }

  /// Takes the windows that end before a time.
  private mutating func judge(before time: SessionTime) {
    guard let newest = window.newest else { return }
    while let end = nextEnd, end < time, points.count < Self.largestPointCount {
      // Nothing is in the windows of a silence.
      if end - newest > BeatWindow.length {
        nextEnd = window.nextEnd(after: SessionTime(nanoseconds: time.nanoseconds - 1))
        return
      }
      if let variability = window.variability(until: end) { points.append(Point(time: end, variability: variability)) }
      nextEnd = end + BeatWindow.step
    }
  }

  /// Puts the intervals of the newest time behind those before, or begins a block with them where beats are missing between.
  private mutating func join(readingOf time: SessionTime) {
    var length = SessionTime(
      nanoseconds: reading.reduce(0) {
        $0 + (BeatVariability.plausibleMilliseconds.contains($1) ? Int64(($1 * 1e6).rounded()) : 0)
      })
    if let joined {
      if joined.time == time { length += joined.length }
      if time - joined.time > max(length, joined.length) + Self.longestSlack { closeBlock() }
    }
    joined = (time, length)
    block += reading
    reading.removeAll(keepingCapacity: true)
    if block.count >= Self.blockSize { closeBlock() }
  }

  private mutating func closeBlock() {
    count += block.count
    let plausible = block.filter { BeatVariability.plausibleMilliseconds.contains($0) }
    artefacts += block.count - plausible.count
    block.removeAll(keepingCapacity: true)
    guard !plausible.isEmpty else { return }
    let correction = BeatCorrection(plausible)
    artefacts += correction.artefacts.count
    sums.add(correction.intervals)
  }
}
