/// Several labels of recordings that are one activity, such as still for sitting and standing.
package struct LabelGroup: Hashable, Sendable {
  /// The name of the activity.
  package let name: String
  /// The labels that mean it.
  package let labels: [String]

  /// A group.
  package init(name: String, labels: [String]) {
    self.name = name
    self.labels = labels
  }
}

/// Why labels cannot be joined.
package enum LabelGroupProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// No recording has the label.
  case missing(String, labels: [String])
  /// Two groups have the label.
  case twice(String)

  /// What is wrong and what was expected.
  package var description: String {
    switch self {
    case .missing(let label, let labels):
      "no recording has the label \(label): expected one of \(labels.joined(separator: ", "))"
    case .twice(let label): "\(label) is in two groups: expected each label in one"
    }
  }
}

extension MotionCorpus {
  /// The same recordings, whose labels are those of groups; labels of no group stay.
  ///
  /// - Throws: `LabelGroupProblem` for a label that no recording has, or that two groups have.
  package func merging(_ groups: [LabelGroup]) throws(LabelGroupProblem) -> MotionCorpus {
    var names: [String: String] = [:]
    for group in groups {
      for label in group.labels {
        guard labels.contains(label) else { throw .missing(label, labels: labels) }
        guard names.updateValue(group.name, forKey: label) == nil else { throw .twice(label) }
      }
    }
    let merged = Self.ordered(labels.map { names[$0] ?? $0 })
    let numbers = labels.map { label in Int16(merged.firstIndex(of: names[label] ?? label) ?? -1) }
    let recordings = recordings.map { recording in
      var recording = recording
      for index in recording.labels.indices where recording.labels[index] >= 0 {
        recording.labels[index] = numbers[Int(recording.labels[index])]
      }
      return recording
    }
    return MotionCorpus(recordings, persons: persons, people: people, labels: merged, notices: notices)
  }

  /// The same recordings as of a device without a gyroscope.
  package var withoutRotationRate: MotionCorpus {
    MotionCorpus(
      recordings.map(\.withoutRotationRate), persons: persons, people: people, labels: labels, notices: notices)
  }
}

extension MotionRecording {
  fileprivate var withoutRotationRate: MotionRecording {
    var recording = MotionRecording(
      source: source, statedPerson: statedPerson, trial: trial, startSeconds: startSeconds, sampledHz: sampledHz,
      hasRotationRate: false, samples: samples.map(\.withoutRotation), labels: labels)
    recording.trialStartSeconds = trialStartSeconds
    return recording
  }
}
