internal import TextFormats
internal import WorkoutSession
package import ZoneEngine

/// A benchmark of cues that does not change: which runners, behaviours and faults of the sensor, for how long, against which arms,
/// and by which seeds. Whoever has its number and its hash has the same cells.
///
/// What may be varied in it are people of a file besides, whose cells stand apart, and fewer runners, which makes it a trial run.
package struct CueBenchmark: Hashable, Sendable {
  /// What it is called.
  package static let name = "cues"
  /// The number of this definition; another one has another number.
  package static let number = 1

  /// One after which nothing is tuned, and one that is.
  package enum Seeds: String, CaseIterable, Hashable, Sendable {
    /// For whatever is tried and tuned.
    case development
    /// For the figure that is reported at the end, once.
    case final
  }

  /// An arm that every policy is held against.
  package struct Reference: Hashable, Sendable {
    /// What it is called.
    package let name: String
    /// The strategy, as on a command line.
    package let specification: String
  }

  /// People who differ from the usual ones.
  package struct Population: Hashable, Sendable {
    /// What they are called in cells.
    package let name: String
    /// Whom they are drawn from.
    package let people: RunnerPopulation
    /// How their hearts follow.
    package let heart: HeartShape
  }

  /// A fault of the sensor in every behaviour.
  package struct Artefacts: Hashable, Sendable {
    /// What it is called in cells.
    package let name: String
    /// The keys of a behaviour; empty for a sensor that has none.
    package let keys: String
  }

  /// How old the runners are.
  package static let ageYears = 23
  /// Where the heart rate should be.
  package static let target: TargetRequest = "weight-control"
  /// How long every session lasts, in seconds.
  package static let seconds = 1_500
  /// How many runners a cell has.
  package static let runners = 1_000
  /// The most cues an hour of an arm that may be the best of a cell: one a minute.
  package static let mostCuesPerHour = 60.0
  /// How the runners move.
  package static let gaits = [Gait.walk, .run]
  /// Who they are.
  package static let populations = [
    Population(name: "usual", people: .wise, heart: .firstOrder),
    Population(name: "hunt", people: .hunt, heart: .firstOrder),
    Population(name: "second-order", people: .wise, heart: .secondOrder),
    Population(name: "saturating", people: .wise, heart: .saturating),
    Population(name: "delayed", people: .wise, heart: .delayed),
    Population(name: "heat", people: .wise, heart: .heat),
  ]
  /// What they make of the coach.
  package static let behaviours = [
    "reflex", "relapse:tau=90", "reflex:compliance=0.3", "visible", "anticipate:rho=1,lead=45",
    "anticipate:rho=1,lead=15", "visible+anticipate:rho=spread,lead=45", "visible+anticipate:rho=1,lead=45",
    "visible+anticipate:rho=1,lead=15",
  ]
  /// What the sensor makes of the heart.
  package static let artefacts = [
    Artefacts(name: "none", keys: ""), Artefacts(name: "5 s", keys: "artifact=0.1"),
    Artefacts(name: "60 s", keys: "artifact=0.1,artifactSeconds=60"),
  ]
  /// How many cells it has: every gait, population, behaviour and artefact with every other.
  package static let cellCount = gaits.count * populations.count * behaviours.count * artefacts.count
  /// What every policy is held against: every strategy and preset, none of which says *hold*, since that moves no runner.
  package static let references = [
    Reference(name: "none", specification: "none"),
    Reference(name: "moment:every=30", specification: "moment:every=30,hold=0"),
    Reference(name: "moment:every=45", specification: "moment:every=45,hold=0"),
    Reference(name: "moment:every=60", specification: "moment:every=60,hold=0"),
    Reference(name: "moment:every=120", specification: "moment:every=120,hold=0"),
    Reference(name: "period:every=60,window=60", specification: "period:every=60,window=60,hold=0"),
    Reference(name: "period:every=120,window=60", specification: "period:every=120,window=60,hold=0"),
    Reference(name: "trend:every=30", specification: "trend:every=30,hold=0"),
    Reference(name: "trend:every=45", specification: "trend:every=45,hold=0"),
    Reference(name: "trend:every=60", specification: "trend:every=60,hold=0"),
    Reference(name: "zone-change", specification: "zone-change:hold=0"),
    Reference(name: "runnerup-like", specification: "runnerup-like"),
    Reference(name: "heartzones-like", specification: "heartzones-like"),
    Reference(name: "qdomyos-like", specification: "qdomyos-like"),
    Reference(name: "heart-beat2-rule-like", specification: "heart-beat2-rule-like"),
    Reference(name: "bangle-like", specification: "bangle-like"),
    Reference(name: "suunto-like", specification: "suunto-like"),
    Reference(
      name: "heart-beat2-like", specification: "zone-change:dwell=4,margin=0,reminder=0,returning=0,hold=0"),
  ]

  /// What all random numbers follow from. That of the final set is made from the first 13 hexadecimal digits of the SHA-256 of
  /// docs/adaptive-rule.md, which was written before anybody simulated a runner of it.
  package static func seed(_ seeds: Seeds) -> UInt64 {
    switch seeds {
    case .development: 101
    case .final: 1_644_175_004_641_592
    }
  }

  /// A behaviour with a fault of the sensor, as on a command line.
  package static func behaviour(_ text: String, _ artefacts: Artefacts) -> String {
    guard !artefacts.keys.isEmpty else { return text }
    return text + (text.split(separator: "+").last?.contains(":") == true ? "," : ":") + artefacts.keys
  }

  /// The definition as a text in one order, of which ``hash`` is the hash: everything that decides a cell but the program, with
  /// every number of the runners.
  package static var canonical: String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("benchmark", name)
      writer.member("number", number)
      writer.member("mostCuesPerHourOfBest", mostCuesPerHour)
      writer.member("developmentSeed", Int64(seed(.development)))
      writer.member("finalSeed", Int64(seed(.final)))
      writer.array("artefacts") { writer in for artefact in artefacts { writer.value(artefact.name) } }
      writer.array("studies") { writer in
        for gait in gaits {
          for population in populations {
            do throws(CueBenchmarkError) {
              let study = try study(gait, population, model: model(gait, population), policy: nil, seeds: .development)
              study.write(to: &writer)
            } catch { preconditionFailure("\(error)") }
          }
        }
      }
    }
    return writer.text
  }

  /// The SHA-256 of ``canonical`` in hexadecimal digits.
  package static var hash: String { SHA256.hex(of: Array(canonical.utf8).span) }

  /// What the runners of a population are made of.
  static func model(_ gait: Gait, _ population: Population) -> RunnerModel {
    var model = RunnerModel.standard(gait, population.people)
    model.heart = population.heart
    return model
  }

  /// A population on a gait as a study of all behaviours and arms; a policy that is no reference stands behind them.
  ///
  /// - Throws: ``CueBenchmarkError`` for a policy that cannot be an arm.
  static func study(
    _ gait: Gait, _ population: Population, model: RunnerModel, policy: FeedbackStrategy?, seeds: Seeds,
    runners: Int = runners
  ) throws(CueBenchmarkError) -> Study {
    do {
      var arms = try references.map {
        StudyArm(name: $0.name, strategy: try FeedbackStrategy(specification: $0.specification), seconds: seconds)
      }
      if let policy { arms.append(StudyArm(name: "policy", strategy: policy, seconds: seconds)) }
      var person = AthleteProfile()
      person.ageYears = ageYears
      let course = try StudyCourse(
        person: person, target: target, arms: arms, model: model, contrasts: [], observed: nil)
      let kinds = try behaviours.flatMap { text in
        try artefacts.map { try StudyBehaviour(behaviour(text, $0)) }
      }
      return Study(
        name: "\(name) \(number), \(gait.rawValue), \(population.name)", purpose: nil, seed: seed(seeds),
        runners: runners, courses: [course], behaviours: kinds)
    } catch {
      throw CueBenchmarkError(reason: "\(error)")
    }
  }
}

/// Why a policy cannot be tried.
package struct CueBenchmarkError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong, in one line.
  package let reason: String

  /// What is wrong.
  package var description: String { reason }
}
