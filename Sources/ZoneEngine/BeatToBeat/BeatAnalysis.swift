/// What the intervals of a whole recording come to, and the course of its windows; they are taken one after another.
///
/// Pauses play no part: the heart beats on. A window over a silence is not filled and gives nothing.
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

  private var window = BeatWindow()
  private var nextEnd: SessionTime?
  private var block: [Double] = []
  private var count = 0
  private var artefacts = 0
  private var sums = BeatSums()

  /// Creates an analysis of nothing.
  public init() {}

  /// Whether no interval came.
  public var isEmpty: Bool { count == 0 && block.isEmpty }

  /// Takes an interval in milliseconds.
  public mutating func admit(_ milliseconds: Double, at time: SessionTime) {
    if let last = window.newest, time > last { judge(before: time) }
    window.admit(milliseconds, at: time)
    if nextEnd == nil { nextEnd = window.nextEnd(after: .zero) }
    block.append(milliseconds)
    if block.count >= Self.blockSize { closeBlock() }
  }

  /// Ends the recording; returns what all its intervals come to, with the median α1 of its windows; `nil` where it has none.
  public mutating func finish() -> BeatVariability? {
    if let newest = window.newest { judge(before: SessionTime(nanoseconds: newest.nanoseconds + 1)) }
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
