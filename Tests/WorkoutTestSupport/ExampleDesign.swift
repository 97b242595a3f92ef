import WorkoutSession
import ZoneEngine

extension RandomizedDesign {
  /// Three arms: `none`, `moment` and `period`.
  static func example(
    study: String = "pilot", hash: String = String(repeating: "ab", count: 32), course: String = "run", arms: Int = 3
  ) throws -> RandomizedDesign {
    let all = ["none", "moment:every=120", "period:every=60,window=60"]
    return RandomizedDesign(
      study: study, studyHash: hash, course: course,
      arms: try all.prefix(arms).map { text in
        Arm(name: String(text.prefix { $0 != ":" }), strategy: try FeedbackStrategy(specification: text))
      })
  }

  /// The arms that are drawn for a person, one after the other.
  func series(_ count: Int, seed: Int, person: SessionPerson) -> [Int] {
    var drawn = arms.map { _ in 0 }
    return (0..<count).map { _ in
      let arm = Randomization(self, drawnBefore: drawn, seed: seed, person: person, loop: .closed).arm
      drawn[arm] += 1
      return arm
    }
  }
}
