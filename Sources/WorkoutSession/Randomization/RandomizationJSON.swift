package import TextFormats
internal import ZoneEngine

extension Randomization {
  /// Writes what stands in a manifest.
  package func write(to writer: inout JSONWriter) {
    writer.member("study", design.study)
    writer.member("studyHash", design.studyHash)
    writer.member("course", design.course)
    writer.member("arm", drawnArm.name)
    writer.member("probability", drawnArm.probability)
    writer.member("position", position)
    writer.array("arms") { writer in
      for (index, arm) in design.arms.enumerated() {
        writer.object { writer in
          writer.member("arm", arm.name)
          writer.member("strategy", arm.strategy.specification)
          writer.member("drawnBefore", drawnBefore[index])
          writer.member("probability", urn.probability(of: index))
        }
      }
    }
    writer.member("seed", seed)
    writer.object("algorithm") { writer in
      writer.member("name", UrnAllocation.name)
      writer.member("version", UrnAllocation.version)
    }
    writer.member("loop", loop.rawValue)
  }

  /// What stands in the manifest of a session of a person. The arm is drawn again, so that a manifest that says another
  /// one, or another probability, is refused.
  static func field(of person: SessionPerson?) -> JSONField<Randomization> {
    .object { (reader) throws(JSONError) in
      guard let person else {
        throw reader.error(.notAllowed("for nobody"), expected: "the person of the session", about: "study")
      }
      let study = try reader.required("study", .nonEmptyString)
      let hash = try reader.required("studyHash", .nonEmptyString)
      let course = try reader.required("course", .nonEmptyString)
      let said = try reader.required("arm", .nonEmptyString)
      let probability = try reader.required("probability", .double(in: 0...1))
      let position = try reader.required("position", .int(in: 1...largestPosition))
      let arms = try reader.required("arms", .array(of: armField, count: RandomizedDesign.armCounts))
      let seed = try reader.required("seed", .int(in: 0...Int.max))
      try reader.required("algorithm", algorithmField)
      let loop = try reader.required("loop", .word(["closed": Loop.closed, "open": .open]))
      guard Set(arms.map(\.arm.name)).count == arms.count else {
        throw reader.error(.notAllowed("twice the same"), expected: "a name of its own for each arm", about: "arms")
      }
      let drawn = Randomization(
        RandomizedDesign(study: study, studyHash: hash, course: course, arms: arms.map(\.arm)),
        drawnBefore: arms.map(\.drawnBefore), seed: seed, person: person, loop: loop)
      func requireEqual(_ said: String, _ drawn: String, _ key: String) throws(JSONError) {
        guard said == drawn else {
          throw reader.error(.notAllowed(said), expected: "\(drawn), as seed and counts draw it", about: key)
        }
      }
      try requireEqual("\(position)", "\(drawn.position)", "position")
      try requireEqual("'\(said)'", "'\(drawn.drawnArm.name)'", "arm")
      try requireEqual("\(probability)", "\(drawn.drawnArm.probability)", "probability")
      for (index, arm) in arms.enumerated() {
        try requireEqual("\(arm.probability)", "\(drawn.urn.probability(of: index))", "arms")
      }
      return drawn
    }
  }

  /// More draws than a person can live to see, so that no count overflows.
  private static let largestPosition = 1_000_000

  private static let armField = JSONField<SaidArm>.object { (reader) throws(JSONError) in
    SaidArm(
      arm: RandomizedDesign.Arm(
        name: try reader.required("arm", .nonEmptyString),
        strategy: try reader.required("strategy", FeedbackStrategy.specificationField)),
      drawnBefore: try reader.required("drawnBefore", .int(in: 0...largestPosition)),
      probability: try reader.required("probability", .double(in: 0...1)))
  }

  /// An arm as a manifest states it.
  private struct SaidArm: Sendable {
    let arm: RandomizedDesign.Arm
    let drawnBefore: Int
    let probability: Double
  }

  private static let algorithmField = JSONField<Void>.object { (reader) throws(JSONError) in
    try reader.required("name", .word([UrnAllocation.name: ()]))
    try reader.requireVersion(UrnAllocation.version)
  }
}
