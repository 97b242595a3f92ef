extension StudyTrial {
  /// Why a trial cannot be within the sessions of a study: two of them would have one name in the table of points, or one draw; `nil`
  /// where it can.
  package static func problem(of study: Study) -> String? {
    if study.courses.indices.contains(where: { !study.isAloneOfItsActivity($0) }) {
      return "several courses of one activity: expected one course of each activity"
    }
    if let twice = study.behaviours.map(\.text).firstRepeated {
      return "the behaviour '\(twice)' twice: expected each of them once"
    }
    for course in study.courses {
      if let twice = course.arms.map({ TrialSetting.arm($0.name, by: $0.strategy) }).firstRepeated {
        return "the arm '\(twice)' twice: expected each of them once"
      }
    }
    let arms = study.courses.reduce(0) { max($0, $1.arms.count) }
    guard study.courses.count <= largest.courses, study.behaviours.count <= largest.behaviours, arms <= largest.arms
    else {
      return "\(study.behaviours.count) behaviours and \(arms) arms: expected at most \(largest.behaviours) and "
        + "\(largest.arms), each of whose sessions has draws of its own"
    }
    return nil
  }
}

extension [String] {
  /// The first that stood before already; `nil` where each is there once.
  fileprivate var firstRepeated: String? {
    indices.first { self[..<$0].contains(self[$0]) }.map { self[$0] }
  }
}
