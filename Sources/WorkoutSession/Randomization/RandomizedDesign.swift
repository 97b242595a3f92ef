package import ZoneEngine

/// The arms of a study by one of which a session is coached.
package struct RandomizedDesign: Hashable, Sendable {
  /// One of the arms.
  package struct Arm: Hashable, Sendable {
    /// What it is called.
    package let name: String
    /// When the coach speaks in it.
    package let strategy: FeedbackStrategy

    /// Creates an arm.
    package init(name: String, strategy: FeedbackStrategy) {
      self.name = name
      self.strategy = strategy
    }
  }

  /// How many arms there may be.
  package static let armCounts = 2...32

  /// The name of the study.
  package let study: String
  /// The SHA-256 of the study file, in hexadecimal digits: what `sha256sum` says of it.
  package let studyHash: String
  /// The course of the study: `walk` or `run`.
  package let course: String
  /// The arms in the order of the study, with names that differ.
  package let arms: [Arm]

  /// Creates a design.
  ///
  /// - Precondition: the number of arms is in ``armCounts``, and their names differ.
  package init(study: String, studyHash: String, course: String, arms: [Arm]) {
    precondition(Self.armCounts.contains(arms.count), "there is nothing to draw from")
    precondition(Set(arms.map(\.name)).count == arms.count, "arms are distinguished by their names")
    self.study = study
    self.studyHash = studyHash
    self.course = course
    self.arms = arms
  }
}
