/// A stretch of a recording in which one activity was recognised.
package struct ActivitySpan: Hashable, Sendable {
  /// Seconds from the beginning of the recording.
  package let fromSeconds: Double
  /// Seconds from the beginning of the recording to the end of the stretch.
  package internal(set) var untilSeconds: Double
  /// The activity, or ``MotionModel/unknownLabel``.
  package let activity: String
  /// The mean probability of the activity over the windows of the stretch; of an unknown one, of the most probable.
  package internal(set) var probability: Double

  /// A span.
  package init(fromSeconds: Double, untilSeconds: Double, activity: String, probability: Double) {
    self.fromSeconds = fromSeconds
    self.untilSeconds = untilSeconds
    self.activity = activity
    self.probability = probability
  }
}

/// Recognises what was done in recordings.
///
/// A window stands for the time around its middle, as long as the step from one to the next; the first from the beginning of the
/// recording on, the last up to its end. Nothing is smoothed. Only one thread may use it at a time.
package final class ActivityRecognizer {
  let model: MotionModel
  let extractor: FeatureExtractor
  let runner: EnsembleRunner

  /// Prepares a model.
  package init(_ model: MotionModel) {
    self.model = model
    extractor = FeatureExtractor(
      model.network.features, model.shape, usesRotationRate: model.usesRotationRate)
    runner = EnsembleRunner(model.ensemble)
  }

  /// What is recognised in a window.
  package struct Answer: Hashable, Sendable {
    /// The number of the label; `nil` for an unknown activity.
    package let label: Int?
    /// The probability of the most probable label; 0 where the networks made no number of the window.
    package let probability: Float
  }

  /// What is recognised in every window of a recording, in order.
  package func answers(_ recording: MotionRecording) -> [Answer] {
    var (answers, features): ([Answer], [Float]) = ([], [])
    let starts = Array(recording.windowStarts(model.shape))
    for first in stride(from: 0, to: starts.count, by: 1024) {
      features.removeAll(keepingCapacity: true)
      for start in starts[first..<min(starts.count, first + 1024)] {
        extractor.append(recording, at: start, to: &features)
      }
      runner.run(features[...]) { probabilities, hidden in
        let best = probabilities.indexOfLargest
        let probability = probabilities[best]
        let isUnknown = model.unknown.isUnknown(best, probability, hidden)
        answers.append(Answer(label: isUnknown ? nil : best, probability: probability.isFinite ? probability : 0))
      }
    }
    return answers
  }

  /// The spans of a recording, one after another without a gap; none of one that is shorter than a window.
  package func spans(_ recording: MotionRecording) -> [ActivitySpan] {
    let answers = answers(recording)
    var spans: [ActivitySpan] = []
    var (sum, count) = (0.0, 0)
    for (index, answer) in answers.enumerated() {
      let middle = Double(index * model.shape.step) + Double(model.shape.points) / 2
      let isLast = index == answers.count - 1
      let until = isLast ? recording.seconds : (middle + Double(model.shape.step) / 2) / Double(MotionRecording.rateHz)
      let activity = answer.label.map { model.labels[$0] } ?? MotionModel.unknownLabel
      if spans.last?.activity == activity {
        (sum, count) = (sum + Double(answer.probability), count + 1)
        spans[spans.count - 1].untilSeconds = recording.startSeconds + until
        spans[spans.count - 1].probability = sum / Double(count)
      } else {
        (sum, count) = (Double(answer.probability), 1)
        spans.append(
          ActivitySpan(
            fromSeconds: spans.last?.untilSeconds ?? recording.startSeconds,
            untilSeconds: recording.startSeconds + until, activity: activity, probability: sum))
      }
    }
    return spans
  }
}
