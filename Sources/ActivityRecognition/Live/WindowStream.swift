/// Cuts samples as they come into windows and asks a model about each.
///
/// The answers are those of ``ActivityRecognizer/answers(_:)`` for the same samples. It holds as many points as a window and what
/// is looked at before it, a few kilobytes.
struct WindowStream: Sendable {
  /// What a model makes of a window.
  struct Answer: Sendable {
    /// The time of its middle, in nanoseconds.
    let middle: Int64
    /// The time of its end.
    let end: Int64
    /// The probability of each activity.
    let probabilities: [Float]
    /// Whether it is of no known activity.
    let isUnknown: Bool
  }

  /// What comes of a sample, in order.
  enum Event: Sendable {
    /// A point of the grid and its time in nanoseconds.
    case point(SIMD8<Float>, at: Int64)
    /// A window that ends with the point before.
    case answer(Answer)
  }

  private let activities: ModelActivities
  private let shape: WindowShape
  private var grid = MotionGrid()
  private var kept = MotionRecording(source: "", hasRotationRate: true, samples: [], labels: [])
  /// How many points of the stretch are not kept any more.
  private var dropped = 0
  /// Where the next window begins, counted from the first point of the stretch.
  private var next = 0

  /// How many points are kept beyond those that are needed, so that they are moved seldom.
  private static let spare = 200

  init(_ activities: ModelActivities, _ shape: WindowShape) {
    self.activities = activities
    self.shape = shape
  }

  /// Takes a sample: acceleration in g in the first three places, turning rate in radians a second in the next three.
  ///
  /// - Returns: whether another stretch begins.
  mutating func take(
    _ sample: SIMD8<Float>, at nanoseconds: Int64, asking recognizer: ActivityRecognizer, _ body: (Event) -> Void
  ) -> Bool {
    var points: [SIMD8<Float>] = []
    let begins = grid.take(sample, at: nanoseconds) { points.append($0) }
    if begins { (kept.samples, dropped, next) = ([], 0, 0) }
    for value in points {
      kept.samples.append(value)
      let count = dropped + kept.samples.count
      body(.point(value, at: grid.beginNanoseconds + Int64(count - 1) * MotionRecording.stepNanoseconds))
      guard count == next + shape.points else { continue }
      body(.answer(answer(recognizer)))
      next += shape.step
      forget()
    }
    return begins
  }

  private func answer(_ recognizer: ActivityRecognizer) -> Answer {
    let (probabilities, isUnknown) = recognizer.activities(activities, of: kept, at: next - dropped)
    let start = grid.beginNanoseconds + Int64(next) * MotionRecording.stepNanoseconds
    let length = Int64(shape.points) * MotionRecording.stepNanoseconds
    return Answer(
      middle: start + length / 2, end: start + length, probabilities: probabilities, isUnknown: isUnknown)
  }

  /// Lets points go that no window needs any more. What is before the first point of a stretch is made up from its first
  /// points, so that those stay until nobody looks there.
  private mutating func forget() {
    let unneeded = next - shape.pastPoints - dropped
    guard unneeded >= Self.spare else { return }
    kept.samples.removeFirst(unneeded)
    dropped += unneeded
  }
}

extension ActivityRecognizer {
  /// The probability of each activity in a window, and whether it is of none of them.
  ///
  /// A window of which the networks make no number is of none, and every probability is 0.
  ///
  /// Labels of one kind count together: somebody of whom it is not sure whether they sit or stand is still all the same. Only the
  /// probability makes a window unknown here: how far it is from what was learned is too much a matter of the person, so that the
  /// running of most who were not learned would be unknown.
  func activities(
    _ activities: ModelActivities, of recording: MotionRecording, at start: Int
  ) -> (probabilities: [Float], isUnknown: Bool) {
    var features: [Float] = []
    extractor.append(recording, at: start, to: &features)
    var sums = [Float](repeating: 0, count: activities.all.count)
    var isUnknown = true
    runner.run(features[...]) { probabilities, _ in
      guard probabilities.allSatisfy(\.isFinite) else { return }
      for (label, probability) in probabilities.enumerated() { sums[activities.ofLabel[label]] += probability }
      // The limit is that of the label of the activity that is most probable.
      let best = sums.indexOfLargest
      let labels = activities.ofLabel.indices.filter { activities.ofLabel[$0] == best }
      let label = labels.max { (probabilities[$0], $1) < (probabilities[$1], $0) }
      isUnknown = label.map { sums[best] < model.unknown.leastProbabilities[$0] } ?? true
    }
    return (sums, isUnknown)
  }
}
