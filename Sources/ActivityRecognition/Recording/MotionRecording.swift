/// Motion without a gap on a grid of 100 Hz: acceleration in g, turning rate in radians a second, labels.
package struct MotionRecording: Sendable {
  /// Grid points a second.
  package static let rateHz = 100
  /// Nanoseconds from one grid point to the next.
  static let stepNanoseconds: Int64 = 10_000_000
  /// The longest time between two samples that is filled by interpolation; behind a longer one another recording begins.
  package static let longestGapSeconds = 0.5

  /// The file, as errors name it.
  package let source: String
  /// The person that the file names; empty where it names none.
  package let statedPerson: String
  /// The trial of the file; empty where it names none.
  package let trial: String
  /// Seconds from the beginning of the file's trial to the first grid point.
  package let startSeconds: Double
  /// Seconds from the beginning of the first trial of the person to the beginning of this one. A trial whose times begin anew
  /// is right behind the one before.
  package internal(set) var trialStartSeconds = 0.0
  /// The samples a second of the file, by the median time between two.
  package let sampledHz: Double
  /// Whether turning rates were recorded.
  package let hasRotationRate: Bool
  /// Acceleration in the first three places, turning rate in the next three.
  package internal(set) var samples: [SIMD8<Float>]
  /// The number of the label of each grid point, or -1 where there is none.
  package internal(set) var labels: [Int16]

  /// Creates a recording of grid points.
  ///
  /// - Precondition: there is a label for each sample.
  package init(
    source: String, statedPerson: String = "", trial: String = "", startSeconds: Double = 0, sampledHz: Double = 100,
    hasRotationRate: Bool, samples: [SIMD8<Float>], labels: [Int16]
  ) {
    precondition(samples.count == labels.count, "there is a label for each sample")
    self.source = source
    self.statedPerson = statedPerson
    self.trial = trial
    self.startSeconds = startSeconds
    self.sampledHz = sampledHz
    self.hasRotationRate = hasRotationRate
    self.samples = samples
    self.labels = labels
  }

  /// Seconds from the first grid point to the one after the last.
  package var seconds: Double { Double(samples.count) / Double(Self.rateHz) }
}

extension SIMD8<Float> {
  /// A sample whose turning rate is 0.
  var withoutRotation: SIMD8<Float> { SIMD8(self[0], self[1], self[2], 0, 0, 0, 0, 0) }
}

/// Samples as a file has them, with their times.
struct MotionTrack {
  /// Nanoseconds since the first sample.
  let times: [Int64]
  let samples: [SIMD8<Float>]
  let labels: [Int16]
  /// The lines of the file.
  let lines: [UInt32]

  /// How many samples are earlier than the one before them.
  var lateCount: Int { zip(times, times.dropFirst()).count { $1 < $0 } }

  /// How many samples have the time of the one before them.
  var repeatedCount: Int { zip(times, times.dropFirst()).count { $1 == $0 } }

  /// The same in order of time; what has the same time keeps its order.
  var inOrder: MotionTrack {
    guard lateCount > 0 else { return self }
    let order = times.indices.sorted { (times[$0], $0) < (times[$1], $1) }
    return MotionTrack(
      times: order.map { times[$0] }, samples: order.map { samples[$0] }, labels: order.map { labels[$0] },
      lines: order.map { lines[$0] })
  }

  /// The pieces without a longer gap than ``MotionRecording/longestGapSeconds``, as places of samples.
  var pieces: [Range<Int>] {
    let gap = Int64(MotionRecording.longestGapSeconds * 1e9)
    var pieces: [Range<Int>] = []
    var start = 0
    for index in times.indices.dropFirst() where times[index] - times[index - 1] > gap {
      pieces.append(start..<index)
      start = index
    }
    pieces.append(start..<times.count)
    return pieces
  }

  /// How many grid points a piece has.
  func gridCount(_ piece: Range<Int>) -> Int {
    let step = MotionRecording.stepNanoseconds
    return Int((times[piece.upperBound - 1] - times[piece.lowerBound] + step - 1) / step)
  }

  /// The samples of a piece on a grid of 100 Hz from its first time on, up to the last time and without it.
  ///
  /// Values are interpolated between the samples around a grid point, of which the first counts where several have one time.
  /// The label is that of the last sample at or before it.
  func gridded(_ piece: Range<Int>) -> (samples: [SIMD8<Float>], labels: [Int16]) {
    let begin = times[piece.lowerBound]
    let step = MotionRecording.stepNanoseconds
    let count = gridCount(piece)
    var values: [SIMD8<Float>] = []
    var kept: [Int16] = []
    values.reserveCapacity(count)
    kept.reserveCapacity(count)
    // The last sample at or before the grid point, and the first of those with its time.
    var (last, first) = (piece.lowerBound, piece.lowerBound)
    for point in 0..<count {
      let time = begin + Int64(point) * step
      while last + 1 < piece.upperBound, times[last + 1] <= time {
        last += 1
        if times[last] != times[first] { first = last }
      }
      let (low, high) = (times[first], times[last + 1])
      let part = Float(Double(time - low) / Double(high - low))
      values.append(samples[first] + (samples[last + 1] - samples[first]) * part)
      kept.append(labels[last])
    }
    return (values, kept)
  }
}
