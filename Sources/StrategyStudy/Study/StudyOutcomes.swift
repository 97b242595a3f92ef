/// Where the outcomes of the runners of a study are read from, as many at a time as somebody asks for.
package protocol StudyOutcomeSource {
  /// Why they cannot be read.
  associatedtype Failure: Error
  /// The study.
  var study: Study { get }
  /// Which of its runners.
  var runners: Range<Int> { get }
  /// One kind of session of all runners, by its place in ``StudyLayout``.
  func all(_ place: Int) throws(Failure) -> [RunOutcome]
  /// The sessions of some runners, runner after runner.
  ///
  /// - Precondition: they are of ``runners``.
  func sessions(of runners: Range<Int>) throws(Failure) -> ArraySlice<RunOutcome>
}

/// The outcomes of some of the runners of a study, in their order.
package struct StudyOutcomes: Hashable, Sendable, StudyOutcomeSource {
  /// The study.
  package let study: Study
  /// Which of its runners.
  package let runners: Range<Int>
  /// The sessions of each runner in the order of ``StudyLayout``, runner after runner.
  package let sessions: [RunOutcome]

  /// Takes outcomes.
  ///
  /// - Precondition: there is each session of each runner.
  package init(study: Study, runners: Range<Int>, sessions: [RunOutcome]) {
    precondition(sessions.count == runners.count * StudyLayout(study).sessionsPerRunner, "a session for each arm")
    self.study = study
    self.runners = runners
    self.sessions = sessions
  }

  package func all(_ place: Int) -> [RunOutcome] {
    let perRunner = StudyLayout(study).sessionsPerRunner
    return runners.indices.map { sessions[($0 - runners.lowerBound) * perRunner + place] }
  }

  package func sessions(of runners: Range<Int>) -> ArraySlice<RunOutcome> {
    let perRunner = StudyLayout(study).sessionsPerRunner
    let first = self.runners.lowerBound
    return sessions[(runners.lowerBound - first) * perRunner..<(runners.upperBound - first) * perRunner]
  }
}

/// Where the sessions of a runner stand: for each course the driven treadmill for each length of session, then for each
/// behaviour the arms and the single sessions.
package struct StudyLayout: Hashable, Sendable {
  /// How many sessions a runner has.
  package let sessionsPerRunner: Int
  private let starts: [Int]
  private let treadmillCounts: [Int]
  private let armCounts: [Int]
  private let perBehaviour: [Int]

  /// The layout of a study.
  package init(_ study: Study) {
    var starts: [Int] = []
    var next = 0
    for course in study.courses {
      starts.append(next)
      next += course.durations.count + study.behaviours.count * (course.arms.count + course.singleArms.count)
    }
    self.starts = starts
    sessionsPerRunner = next
    treadmillCounts = study.courses.map(\.durations.count)
    armCounts = study.courses.map(\.arms.count)
    perBehaviour = study.courses.map { $0.arms.count + $0.singleArms.count }
  }

  /// The driven treadmill of a course, by the place of its length among the durations of the course.
  func treadmill(_ course: Int, _ duration: Int) -> Int { starts[course] + duration }

  /// An arm of a course under a behaviour.
  func arm(_ arm: Int, _ course: Int, _ behaviour: Int) -> Int {
    starts[course] + treadmillCounts[course] + behaviour * perBehaviour[course] + arm
  }

  /// A single session, 0…3, of a course under a behaviour.
  func single(_ place: Int, _ course: Int, _ behaviour: Int) -> Int {
    arm(armCounts[course] + place, course, behaviour)
  }
}
