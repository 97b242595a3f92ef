package import OutsidePolicies
package import WorkoutSession
package import ZoneEngine

/// A closed-loop study: virtual runners, arms, behaviours. The same study gives the same bytes everywhere.
package struct Study: Hashable, Sendable {
  /// How many runners a study may have.
  package static let runnerCounts = 1...1_000_000

  /// What it is called; may be absent.
  package var name: String?
  /// What it is for; may be absent.
  package var purpose: String?
  /// The seed of everything that is drawn.
  package var seed: UInt64
  /// How many runners.
  package var runners: Int
  /// What the runners do and are cued; never empty.
  package var courses: [StudyCourse]
  /// What runners make of the coach; never empty. Each is tried on every course.
  package var behaviours: [StudyBehaviour]
  /// The programs that arms ask; absent where none does, and never of a file.
  package var policies: Policies?
  /// The trial within the sessions; absent without one.
  package var trial: StudyTrial?

  /// Creates a study.
  ///
  /// - Precondition: there are courses and behaviours, and the number of runners is in ``runnerCounts``.
  package init(
    name: String?, purpose: String?, seed: UInt64, runners: Int, courses: [StudyCourse],
    behaviours: [StudyBehaviour]
  ) {
    precondition(!courses.isEmpty && !behaviours.isEmpty && Self.runnerCounts.contains(runners))
    self.name = name
    self.purpose = purpose
    self.seed = seed
    self.runners = runners
    self.courses = courses
    self.behaviours = behaviours
  }

  /// Whether no other course is of the activity of one, so that the activity names it.
  func isAloneOfItsActivity(_ course: Int) -> Bool {
    courses.count { $0.model.gait == courses[course].model.gait } == 1
  }

  /// How many seconds of runners are simulated in all, the driven treadmill apart.
  package var runnerSeconds: Int {
    courses.reduce(0) { sum, course in
      let arms = course.arms.reduce(0) { $0 + $1.seconds }
      let singles = course.singleArms.reduce(0) { $0 + course.arms[$1].seconds }
      return sum + (arms + singles) * behaviours.count
    } * runners
  }
}

/// A behaviour with the words for it.
package struct StudyBehaviour: Hashable, Sendable {
  /// As it was written.
  package let text: String
  /// What it is.
  package let behaviour: Behaviour

  /// Reads a behaviour.
  ///
  /// - Throws: `BehaviourError` when the text is none.
  package init(_ text: String) throws(BehaviourError) {
    self.text = text
    behaviour = try Behaviour(text)
  }
}

/// An arm: a strategy that every runner is coached by for a while.
package struct StudyArm: Hashable, Sendable {
  /// How long a session may last, in seconds.
  package static let durations = 60...86_400

  /// What it is called; the strategy's specification when nothing else is said.
  package let name: String
  /// When the coach speaks.
  package let strategy: FeedbackStrategy
  /// How long its session lasts, in seconds.
  package let seconds: Int

  /// Creates an arm.
  ///
  /// - Precondition: the duration is in ``durations``.
  package init(name: String?, strategy: FeedbackStrategy, seconds: Int) {
    precondition(Self.durations.contains(seconds), "a session lasts a minute to a day")
    self.name = name ?? strategy.specification
    self.strategy = strategy
    self.seconds = seconds
  }

  /// The same arm for another time.
  func lasting(_ seconds: Int) -> StudyArm { StudyArm(name: name, strategy: strategy, seconds: seconds) }
}

/// What runners do in a study, where they should be, and by which arms they are coached.
package struct StudyCourse: Hashable, Sendable {
  /// What is known of the person as the zones take it: an age or a maximum.
  package let person: AthleteProfile
  /// Where the heart rate should be, as it was written.
  package let targetRequest: TargetRequest
  /// The arms, in the order in which they are reported; never empty.
  package let arms: [StudyArm]
  /// What the runners are made of.
  package let model: RunnerModel
  /// Which arms are compared, by their places: the first less the second.
  package let contrasts: [StudyContrast]
  /// What was observed in people, to be held against single sessions; may be absent.
  package let observed: ObservedShares?

  /// The maximum heart rate in bpm that the zones are made from.
  package let zoneMaximum: Int
  /// The target in whole beats.
  package let target: StudyTarget
  /// What the engine of each arm is given.
  package let settings: [CoachingSettings]

  /// Creates a course.
  ///
  /// - Parameter contrasts: absent for every arm less every earlier one.
  /// - Throws: `ZoneError` when the zones cannot be made or the target has no place in them or no two limits.
  package init(
    person: AthleteProfile, target: TargetRequest, arms: [StudyArm], model: RunnerModel, contrasts: [StudyContrast]?,
    observed: ObservedShares?
  ) throws(ZoneError) {
    precondition(!arms.isEmpty, "a course has arms")
    self.person = person
    targetRequest = target
    self.arms = arms
    self.model = model
    self.contrasts =
      contrasts ?? arms.indices.flatMap { b in arms.indices.dropFirst(b + 1).map { StudyContrast(a: $0, b: b) } }
    self.observed = observed
    var request = CoachingRequest()
    request.profile = person
    request.target = target
    let zones = try request.zones(on: nil)
    guard let maximum = zones.maximum else {
      throw ZoneError.missing(quantity: "an age or a measured maximum", neededFor: "a study")
    }
    zoneMaximum = maximum.beatsPerMinute
    guard let resolved = try ResolvedTarget(target.target(in: zones), in: zones),
      let lower = resolved.lowerBPM, let upper = resolved.upperBPM
    else {
      throw ZoneError.target(
        text: target.text, expected: "heart rates with two limits: runners of a study have no other target")
    }
    self.target = StudyTarget(lowerBPM: lower, upperBPM: upper)
    var settings: [CoachingSettings] = []
    for arm in arms {
      request.strategy = arm.strategy
      settings.append(try request.settings(on: nil))
    }
    self.settings = settings
  }

  /// The longest session in seconds.
  package var longestSeconds: Int { arms.reduce(0) { max($0, $1.seconds) } }

  /// `run`, or for people of another population or with another heart than the usual one `run (hunt, delayed)`.
  package var gaitText: String {
    let other =
      (model.population == .wise ? [] : [model.population.rawValue])
      + (model.heart == .firstOrder ? [] : [model.heart.rawValue])
    return other.isEmpty ? model.gait.rawValue : "\(model.gait.rawValue) (\(other.joined(separator: ", ")))"
  }

  /// How long the sessions last, each length once, the longest first.
  package var durations: [Int] { Set(arms.map(\.seconds)).sorted(by: >) }

  /// The arms of the single sessions on the days 1, 2, 3 and 3: those that were observed, and on the third day once more
  /// the second arm, as if the third did what the second does.
  var singleArms: [Int] { observed.map { [$0.arms[0], $0.arms[1], $0.arms[2], $0.arms[1]] } ?? [] }

  /// The same with all sessions of one length.
  ///
  /// - Throws: never for a course that exists.
  package func lasting(_ seconds: Int) throws(ZoneError) -> StudyCourse {
    try StudyCourse(
      person: person, target: targetRequest, arms: arms.map { $0.lasting(seconds) }, model: model, contrasts: contrasts,
      observed: observed)
  }
}

/// Two arms that are compared, by their places in the course: `a` less `b`.
package struct StudyContrast: Hashable, Sendable {
  /// The arm that is looked at.
  package let a: Int
  /// The arm that is taken off.
  package let b: Int

  /// Creates a contrast.
  package init(a: Int, b: Int) {
    self.a = a
    self.b = b
  }
}

/// What three arms showed in people, one session each.
package struct ObservedShares: Hashable, Sendable {
  /// The places of the three arms in the course, in the order that was claimed, the worst first.
  package let arms: [Int]
  /// The share of the time in target of each.
  package let timeInTarget: [Double]
  /// Where it was published.
  package let source: String

  /// Creates what was observed.
  ///
  /// - Precondition: there are three of both.
  package init(arms: [Int], timeInTarget: [Double], source: String) {
    precondition(arms.count == 3 && timeInTarget.count == 3, "three arms were observed")
    self.arms = arms
    self.timeInTarget = timeInTarget
    self.source = source
  }

  /// The share of the third less that of the second.
  package var gap: Double { timeInTarget[2] - timeInTarget[1] }
}
