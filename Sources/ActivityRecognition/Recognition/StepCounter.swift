/// Counts steps by the acceleration alone, wherever on the body the device is worn.
///
/// The length of the acceleration, smoothed by two means of 0.2 s and freed of its mean over 2 s, has a peak for each step. A
/// peak counts when it rises by at least ``leastRise`` above what lies around it, and by a fifth of what the strong peaks within
/// five seconds do; when it is 0.25 s or more from a higher one; and when at least ``fewestInRow`` follow each other within
/// 1.3 s. The numbers were fitted on six walks with counted steps of one person and on one run; each can be changed by a fifth
/// without an error above 1.5 %.
package enum StepCounter {
  static let smoothedPoints = 20
  static let levelPoints = 200
  static let leastRise: Float = 0.06
  static let shareOfStrong: Float = 0.2
  static let neighbourPoints = 500
  static let leastDistance = 25
  static let mostDistance = 130
  static let fewestInRow = 4

  /// The grid points at which steps are.
  package static func steps(_ samples: [SIMD8<Float>]) -> [Int] {
    guard samples.count > levelPoints else { return [] }
    let lengths = samples.map { sample in
      (sample[0] * sample[0] + sample[1] * sample[1] + sample[2] * sample[2]).squareRoot()
    }
    let smooth = mean(mean(lengths, smoothedPoints), smoothedPoints)
    let level = mean(lengths, levelPoints)
    let signal = smooth.indices.map { smooth[$0] - level[$0] }
    let peaks = peaks(signal)
    let strong = peaks.filter { peak in
      let near = peaks.neighbours(of: peak.point, within: neighbourPoints).map(\.rise).sorted(by: >)
      // The median of the stronger half.
      return peak.rise >= shareOfStrong * near[near.count / 4]
    }
    return rows(strong.map(\.point))
  }

  /// The mean of so many values around each, where there are none outside of the series.
  private static func mean(_ values: [Float], _ count: Int) -> [Float] {
    var sums: [Double] = [0]
    sums.reserveCapacity(values.count + 1)
    for value in values { sums.append((sums.last ?? 0) + Double(value)) }
    return values.indices.map { index in
      let (low, high) = (max(0, index - count / 2), min(values.count, index - count / 2 + count))
      return Float((sums[high] - sums[low]) / Double(high - low))
    }
  }

  /// A place that is higher than those around it.
  struct Peak {
    let point: Int
    let height: Float
    /// How far it is above the higher of the two valleys between it and what is higher, or the ends.
    var rise: Float
  }

  /// The peaks that rise enough and are far enough from higher ones.
  private static func peaks(_ signal: [Float]) -> [Peak] {
    var peaks: [Peak] = []
    var index = 1
    while index < signal.count - 1 {
      let start = index
      while index < signal.count - 1, signal[index + 1] == signal[start] { index += 1 }
      if index < signal.count - 1, signal[start - 1] < signal[start], signal[index + 1] < signal[start] {
        peaks.append(Peak(point: (start + index) / 2, height: signal[start], rise: 0))
      }
      index += 1
    }
    var kept = [Bool](repeating: true, count: peaks.count)
    for place in peaks.indices.sorted(by: { (peaks[$1].height, $0) < (peaks[$0].height, $1) }) where kept[place] {
      var other = place - 1
      while other >= 0, peaks[place].point - peaks[other].point < leastDistance {
        kept[other] = false
        other -= 1
      }
      other = place + 1
      while other < peaks.count, peaks[other].point - peaks[place].point < leastDistance {
        kept[other] = false
        other += 1
      }
    }
    return peaks.indices.filter { kept[$0] }.compactMap { place in
      var peak = peaks[place]
      peak.rise = peak.height - max(valley(signal, peak, step: -1), valley(signal, peak, step: 1))
      return peak.rise >= leastRise ? peak : nil
    }
  }

  /// The lowest value between a peak and the next value that is higher than it.
  private static func valley(_ signal: [Float], _ peak: Peak, step: Int) -> Float {
    var (lowest, index) = (peak.height, peak.point)
    // Beyond the neighbours it makes no difference any more.
    while signal.indices.contains(index), abs(index - peak.point) <= neighbourPoints, signal[index] <= peak.height {
      lowest = min(lowest, signal[index])
      index += step
    }
    return lowest
  }

  /// The points of rows that are long enough.
  private static func rows(_ points: [Int]) -> [Int] {
    var (result, row): ([Int], [Int]) = ([], [])
    for point in points {
      if let last = row.last, point - last > mostDistance {
        if row.count >= fewestInRow { result += row }
        row = []
      }
      row.append(point)
    }
    return row.count >= fewestInRow ? result + row : result
  }

  /// Steps a minute while there are steps: by the middle half of the times between two that follow each other; `nil` for fewer
  /// than two.
  package static func cadence(_ steps: [Int]) -> Double? { cadence(ofPieces: [steps]) }

  /// The same of pieces between which nothing was recorded, by the times between the steps of each.
  package static func cadence(ofPieces pieces: [[Int]]) -> Double? {
    let spans = pieces.flatMap { steps in zip(steps, steps.dropFirst()).map { $1 - $0 } }
      .filter { $0 <= mostDistance }.sorted()
    guard !spans.isEmpty else { return nil }
    // The mean of the middle half, because the grid is coarse.
    let middle = spans[spans.count / 4...max(spans.count / 4, spans.count * 3 / 4 - 1)]
    return 60 * Double(MotionRecording.rateHz) * Double(middle.count) / Double(middle.reduce(0, +))
  }
}

extension [StepCounter.Peak] {
  /// Those within so many points of one, in order.
  fileprivate func neighbours(of point: Int, within span: Int) -> ArraySlice<StepCounter.Peak> {
    func first(at bound: Int) -> Int {
      var (low, high) = (0, count)
      while low < high {
        let middle = (low + high) / 2
        if self[middle].point < bound { low = middle + 1 } else { high = middle }
      }
      return low
    }
    return self[first(at: point - span)..<first(at: point + span + 1)]
  }
}
