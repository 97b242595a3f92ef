/// Intervals between beats with those corrected that are no interval between two beats of the sinus node.
///
/// Each interval is compared with the one before it and with the median of its neighbourhood. How far it may be off depends on
/// the quartile deviation of the 91 beats around it, so that the same rule serves somebody at rest and at full effort. An extra
/// beat is removed, a missed one put in the middle, and a beat that is ectopic, too early or too late is moved to the middle of
/// its neighbours. That is repeated for as long as it leaves fewer of them.
///
/// Before the first interval stands one as long as their mean, and before its difference the mean of the differences. Where the
/// neighbourhood does not vary at all, nothing is judged.
///
/// Source: J. A. Lipponen and M. P. Tarvainen, *A robust algorithm for heart rate variability time series artefact correction
/// using novel beat classification*, Journal of Medical Engineering & Technology 43:173–181, 2019: figures 1 and 2, equations
/// 1 to 6; tested there against annotated beats of the MIT-BIH Arrhythmia Database.
public struct BeatCorrection: Hashable, Sendable {
  /// What is wrong with a beat.
  public enum Artefact: String, CaseIterable, Hashable, Sendable {
    /// It came early, and the one after it late, or the other way about.
    case ectopic
    /// No beat was there.
    case extra
    /// A beat before it was not noticed.
    case missed
    /// It came too early or too late.
    case longOrShort
  }

  /// An artefact that was found.
  public struct Finding: Hashable, Sendable {
    /// The number of the beat, of those that were measured; beat 0 begins the first interval.
    public let beat: Int
    /// What is wrong with it.
    public let kind: Artefact
  }

  /// The intervals after the correction, in milliseconds.
  public let intervals: [Double]
  /// What was found in the beats that were measured, in their order.
  public let artefacts: [Finding]

  /// How often it is repeated at most. Source: an assumption; two or three times are usual.
  private static let mostPasses = 16

  /// Corrects intervals in milliseconds.
  ///
  /// - Precondition: they are finite and above 0.
  /// - Complexity: O(n).
  public init(_ milliseconds: [Double]) {
    var beats = [0.0]
    beats.reserveCapacity(milliseconds.count + 1)
    for interval in milliseconds {
      precondition(interval > 0 && interval.isFinite, "an interval takes time")
      beats.append(beats[beats.count - 1] + interval)
    }
    var found = BeatClasses.found(in: beats)
    artefacts = found.enumerated().compactMap { beat, kind in kind.map { Finding(beat: beat, kind: $0) } }
    guard !artefacts.isEmpty else {
      intervals = milliseconds
      return
    }
    var remaining = artefacts.count
    for _ in 0..<Self.mostPasses {
      beats = Self.corrected(beats, found)
      found = BeatClasses.found(in: beats)
      let count = found.count { $0 != nil }
      guard count < remaining else { break }
      remaining = count
    }
    intervals = zip(beats, beats.dropFirst()).map { $1 - $0 }
  }

  /// The beats without the artefacts that were found at them. The first two and the last one are never moved: they have no
  /// neighbours to stand between.
  private static func corrected(_ beats: [Double], _ found: [Artefact?]) -> [Double] {
    var times: [Double] = []
    var kinds: [Artefact?] = []
    times.reserveCapacity(beats.count)
    kinds.reserveCapacity(beats.count)
    for (index, kind) in found.enumerated() {
      if kind == .extra { continue }
      if kind == .missed, times.count > 1, let last = times.last {
        times.append(last + (beats[index] - last) / 2)
        kinds.append(nil)
      }
      times.append(beats[index])
      kinds.append(kind)
    }
    for kind in [Artefact.ectopic, .longOrShort] {
      let before = times
      for index in times.indices where kinds[index] == kind && index > 1 && index < times.count - 1 {
        times[index] = before[index - 1] + (before[index + 1] - before[index - 1]) / 2
      }
      // Two neighbours that both move may change places.
      if zip(times, times.dropFirst()).contains(where: { $0 > $1 }) { times.sort() }
    }
    return times
  }
}

/// Finds which beats are artefacts.
private enum BeatClasses {
  /// Source: Lipponen and Tarvainen 2019, equations 1, 2 and 5.
  private static let slope = 0.13
  private static let offset = 0.17
  private static let quartileFactor = 5.2
  private static let neighbours = 45
  private static let medianNeighbours = 5
  private static let farthestFromMedian = 3.0

  /// What each beat is; `nil` for a beat as it should be.
  static func found(in beats: [Double]) -> [BeatCorrection.Artefact?] {
    var found = [BeatCorrection.Artefact?](repeating: nil, count: beats.count)
    guard beats.count > 4 else { return found }
    let intervals = led(zip(beats, beats.dropFirst()).map { $1 - $0 })
    let medians = NeighbourOrder.quantiles([0.5], of: intervals, within: medianNeighbours).map { $0[0] }
    let plain = led(zip(intervals, intervals.dropFirst()).map { $1 - $0 })
    let deviations = zip(intervals, medians).map { interval, median in
      interval < median ? 2 * (interval - median) : interval - median
    }
    let differences = scaled(plain, by: thresholds(plain))
    let limits = thresholds(deviations)
    let distances = scaled(deviations, by: limits)

    func isEctopic(_ beat: Int) -> Bool {
      let difference = differences[beat]
      let before = differences[beat > 0 ? beat - 1 : 1]
      let after = differences[beat + 1]
      if difference > 1 { return larger(before, after) < -slope * difference - offset }
      return difference < -1 && smaller(before, after) > -slope * difference + offset
    }

    func longOrShort(_ beat: Int) -> BeatCorrection.Artefact? {
      let difference = differences[beat]
      let after = differences[beat + 1]
      let second = differences[beat + 2 < differences.count ? beat + 2 : 2 * differences.count - 4 - beat]
      let isLong = difference > 1 && smaller(after, second) < -1
      let isShort = difference < -1 && larger(after, second) > 1
      guard isLong || isShort || abs(distances[beat]) > farthestFromMedian else { return nil }
      if isShort, abs(intervals[beat] + intervals[beat + 1] - medians[beat]) < limits[beat] { return .extra }
      if isLong, abs(intervals[beat] / 2 - medians[beat]) < limits[beat] { return .missed }
      return .longOrShort
    }

    var beat = 0
    while beat < beats.count - 2 {
      let isSudden = abs(differences[beat]) > 1
      guard isSudden || differences[beat].isNaN && abs(distances[beat]) > farthestFromMedian else {
        beat += 1
        continue
      }
      if isSudden, isEctopic(beat) {
        found[beat] = .ectopic
        beat += 1
        continue
      }
      // A beat that follows is looked at with this one when the difference after it is larger than its own.
      let isFollowed = abs(differences[beat + 1]) < abs(differences[beat + 2])
      found[beat] = longOrShort(beat)
      if isFollowed { found[beat + 1] = longOrShort(beat + 1) }
      beat += isFollowed ? 2 : 1
    }
    return found
  }

  /// Values with their mean before them.
  private static func led(_ values: [Double]) -> [Double] { [values.reduce(0, +) / Double(values.count)] + values }

  private static func thresholds(_ values: [Double]) -> [Double] {
    NeighbourOrder.quantiles([0.25, 0.75], of: values.map(abs), within: neighbours)
      .map { quartileFactor * (($0[1] - $0[0]) / 2) }
  }

  /// Values as shares of their thresholds; not a number where that is 0.
  private static func scaled(_ values: [Double], by thresholds: [Double]) -> [Double] {
    zip(values, thresholds).map { $1 == 0 ? .nan : $0 / $1 }
  }

  /// The larger of two; not a number when one of them is none.
  private static func larger(_ one: Double, _ other: Double) -> Double {
    one.isNaN || other.isNaN ? .nan : max(one, other)
  }

  private static func smaller(_ one: Double, _ other: Double) -> Double {
    one.isNaN || other.isNaN ? .nan : min(one, other)
  }
}

/// Quantiles of the values around each value.
private enum NeighbourOrder {
  /// For each value the quantiles of those at most `reach` places away, fewer at both ends; between two values in proportion.
  ///
  /// - Complexity: O(n · reach), moves of a few hundred bytes.
  static func quantiles(_ shares: [Double], of values: [Double], within reach: Int) -> [[Double]] {
    var ordered: [Double] = []
    ordered.reserveCapacity(2 * reach + 2)
    for value in values.prefix(reach) { ordered.insert(value, at: place(of: value, in: ordered)) }
    return values.indices.map { index in
      if index + reach < values.count {
        let value = values[index + reach]
        ordered.insert(value, at: place(of: value, in: ordered))
      }
      if index > reach { ordered.remove(at: place(of: values[index - reach - 1], in: ordered)) }
      return shares.map { share in
        let exact = Double(ordered.count - 1) * share
        let lower = Int(exact)
        guard lower + 1 < ordered.count else { return ordered[lower] }
        return ordered[lower] + (ordered[lower + 1] - ordered[lower]) * (exact - Double(lower))
      }
    }
  }

  /// The first place of what is not smaller.
  private static func place(of value: Double, in ordered: [Double]) -> Int {
    var (low, high) = (0, ordered.count)
    while low < high {
      let middle = (low + high) / 2
      if ordered[middle] < value { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
