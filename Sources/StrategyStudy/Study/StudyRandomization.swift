package import WorkoutHistory
internal import WorkoutSession

/// Why nothing can be drawn from a study, with the place in its file.
package struct StudyRandomizationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The path of what is wrong.
  package let path: String
  /// What is wrong, and what was expected.
  package let problem: String

  /// One line.
  package var description: String { "\(path): \(problem)" }
}

extension Study {
  /// What sessions of people can be drawn from: the arms of each course, for the activity that it is of. How long the
  /// sessions of virtual runners last, and what these are made of, means nothing here.
  ///
  /// - Parameter hash: the SHA-256 of the study file in hexadecimal digits.
  /// - Throws: `StudyRandomizationError` for a study without a name, a course with fewer than two arms, two arms of one name
  ///   and two courses of one activity.
  package func randomizedCourses(hash: String) throws(StudyRandomizationError) -> [SessionRandomizer.Course] {
    guard let name else {
      throw StudyRandomizationError(
        path: "name", problem: "missing, expected what distinguishes its sessions from others")
    }
    var result: [SessionRandomizer.Course] = []
    for (index, course) in courses.enumerated() {
      let place = "courses[\(index)]"
      let names = course.arms.map(\.name)
      guard RandomizedDesign.armCounts.contains(names.count) else {
        throw StudyRandomizationError(path: place + ".arms", problem: "found one, expected at least two to draw from")
      }
      if let twice = names.enumerated().first(where: { names[..<$0.offset].contains($0.element) }) {
        throw StudyRandomizationError(
          path: place + ".arms[\(twice.offset)]",
          problem: "found '\(twice.element)' again, expected a name of its own for each arm")
      }
      let activity = course.model.gait.activity
      guard !result.contains(where: { $0.activity == activity }) else {
        throw StudyRandomizationError(
          path: place + ".activity",
          problem: "found '\(course.model.gait.rawValue)' again, expected one course of each activity")
      }
      result.append(
        SessionRandomizer.Course(
          activity: activity, target: course.targetRequest,
          design: RandomizedDesign(
            study: name, studyHash: hash, course: course.model.gait.rawValue,
            arms: course.arms.map { RandomizedDesign.Arm(name: $0.name, strategy: $0.strategy) })))
    }
    return result
  }
}

extension Gait {
  /// The label of sessions of this gait.
  fileprivate var activity: String {
    switch self {
    case .walk: "walking"
    case .run: "running"
    }
  }
}
