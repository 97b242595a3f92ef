/// How a recording is cut into windows.
package struct WindowShape: Hashable, Sendable {
  /// The lengths that can be asked for, in seconds.
  package static let lengths = 1.0...10
  /// The stretches before a window that can be asked for, in seconds.
  package static let pasts = 0.0...10

  /// Grid points of a window.
  package let points: Int
  /// Grid points from the beginning of one window to the next.
  package let step: Int
  /// Grid points before a window that are looked at too.
  package let pastPoints: Int

  /// Windows of a second, a new one every quarter of a second.
  package static let standard = WindowShape(seconds: 1, stepSeconds: nil, pastSeconds: 0)

  /// Windows of a length; a new one begins every quarter of it when nothing else is said.
  ///
  /// - Precondition: the lengths are within ``lengths`` and ``pasts``; a step is above 0 and at most a window.
  package init(seconds: Double, stepSeconds: Double?, pastSeconds: Double) {
    precondition(Self.lengths.contains(seconds) && Self.pasts.contains(pastSeconds), "a window has a possible length")
    points = Int((seconds * 100).rounded())
    step = max(1, Int((stepSeconds.map { $0 * 100 } ?? seconds * 25).rounded()))
    pastPoints = Int((pastSeconds * 100).rounded())
    precondition(step <= points, "no point is left out between two windows")
  }

  init(points: Int, step: Int, pastPoints: Int) {
    self.points = points
    self.step = step
    self.pastPoints = pastPoints
  }

  /// How many points of a window have to carry its label for it to count: four fifths.
  package var neededPoints: Int { (points * 4 + 4) / 5 }
}

/// A window of a recording.
package struct MotionWindow: Hashable, Sendable {
  /// The number of the recording in its corpus.
  package let recording: Int
  /// Its first grid point.
  package let start: Int
  /// The number of the label that most points carry.
  package let label: Int
  /// The number of the person.
  package let person: Int
}

extension MotionCorpus {
  /// The windows that count, in order: those of which at least ``WindowShape/neededPoints`` points carry the label that most
  /// carry. Of labels that are equally frequent the first counts.
  package func windows(_ shape: WindowShape) -> [MotionWindow] {
    var windows: [MotionWindow] = []
    var counts = [Int](repeating: 0, count: labels.count)
    for (number, recording) in recordings.enumerated() {
      for start in recording.windowStarts(shape) {
        for index in counts.indices { counts[index] = 0 }
        for label in recording.labels[start..<start + shape.points] where label >= 0 { counts[Int(label)] += 1 }
        guard let most = counts.max(), most >= shape.neededPoints, let label = counts.firstIndex(of: most) else {
          continue
        }
        windows.append(MotionWindow(recording: number, start: start, label: label, person: persons[number]))
      }
    }
    return windows
  }
}

extension MotionRecording {
  /// Where windows begin. The last begins before the last place at which one fits, as `range(0, points - length, step)` does.
  package func windowStarts(_ shape: WindowShape) -> StrideTo<Int> {
    stride(from: 0, to: max(0, samples.count - shape.points), by: shape.step)
  }

  /// The sample at a grid point. Before the first there are the first 0.3 s, to and fro.
  func sample(at point: Int) -> SIMD8<Float> {
    guard point < 0 else { return samples[point] }
    let place = (-point - 1) % 60
    return samples[min(place < 30 ? place : 59 - place, samples.count - 1)]
  }
}

/// Which people are tested together, trained on all others.
package enum PeopleFolds {
  /// People in the order of their names, cut into nearly equal runs of which the first are longer by one.
  ///
  /// - Precondition: there are at least as many people as folds, and at least one fold.
  package static func runs(people: Int, folds: Int) -> [Range<Int>] {
    precondition(folds > 0 && people >= folds, "every fold has somebody")
    var start = 0
    return (0..<folds).map { fold in
      let end = start + people / folds + (fold < people % folds ? 1 : 0)
      defer { start = end }
      return start..<end
    }
  }
}
