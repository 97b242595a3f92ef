/// Counts the steps of somebody who walks or runs, as the acceleration comes.
///
/// ``StepCounter`` looks five seconds around each peak. So steps are counted ten seconds at a time, when five more are there, with
/// ten before them as surroundings: what it finds is what it finds in the whole recording, but for the ends.
struct WalkedSteps: Sendable {
  private static let batchPoints = 1_000
  private static let contextPoints = 500
  private static let step = MotionRecording.stepNanoseconds

  /// The lengths of the acceleration, as samples of one direction.
  private var lengths: [Float] = []
  /// The time of the first.
  private var start: Int64 = 0
  /// How many of them are counted already.
  private var counted = 0
  /// Since when one walks or runs.
  private var onFootSince: Int64?
  /// When one did before, as far as it is not counted yet.
  private var spans: [Range<Int64>] = []

  /// Takes a point of the grid; how many steps are known now that were not before.
  mutating func take(_ sample: SIMD8<Float>, at nanoseconds: Int64) -> Int {
    if lengths.isEmpty { (start, counted) = (nanoseconds, 0) }
    lengths.append((sample[0] * sample[0] + sample[1] * sample[1] + sample[2] * sample[2]).squareRoot())
    guard lengths.count >= counted + Self.batchPoints + Self.contextPoints else { return 0 }
    return count(to: counted + Self.batchPoints)
  }

  /// Takes note that one walks or runs since a time, or does not any more.
  mutating func change(toOnFoot isOnFoot: Bool, since nanoseconds: Int64) {
    if let from = onFootSince {
      guard !isOnFoot else { return }
      if nanoseconds > from { spans.append(from..<nanoseconds) }
      onFootSince = nil
    } else if isOnFoot {
      onFootSince = nanoseconds
    }
  }

  /// Counts what is left, up to the newest point.
  mutating func flush() -> Int { count(to: lengths.count) }

  /// Forgets the points, because another stretch begins; how many steps were left.
  mutating func beginStretch() -> Int {
    defer { (lengths, counted) = ([], 0) }
    return flush()
  }

  private mutating func count(to end: Int) -> Int {
    guard end > counted else { return 0 }
    var steps = 0
    if onFootSince != nil || !spans.isEmpty {
      let samples = lengths.map { SIMD8<Float>($0, 0, 0, 0, 0, 0, 0, 0) }
      steps = StepCounter.steps(samples).count { point in
        guard (counted..<end).contains(point) else { return false }
        let time = start + Int64(point) * Self.step
        return onFootSince.map { time >= $0 } == true || spans.contains { $0.contains(time) }
      }
    }
    counted = end
    let until = start + Int64(end) * Self.step
    spans.removeAll { $0.upperBound <= until }
    let unneeded = counted - Self.batchPoints
    if unneeded > 0 {
      lengths.removeFirst(unneeded)
      start += Int64(unneeded) * Self.step
      counted -= unneeded
    }
    return steps
  }
}
