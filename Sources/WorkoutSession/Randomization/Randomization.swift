internal import TextFormats
internal import ZoneEngine

/// The arm by which a decision was made, and how likely it had been.
package struct DrawnArm: Hashable, Sendable {
  /// What the arm is called.
  package let name: String
  /// The probability with which it was drawn, given all earlier draws: above 0 and below 1.
  package let probability: Double
}

/// How the strategy of a session was drawn from the arms of a study, with all that is needed to draw it again.
package struct Randomization: Hashable, Sendable {
  /// Whether the person heard the cues.
  package enum Loop: String, CaseIterable, Hashable, Sendable {
    /// The session was coached live by the arm.
    case closed
    /// The session was imported: its decisions are what the arm would have said, and nobody heard them.
    case open
  }

  /// What was drawn from.
  package let design: RandomizedDesign
  /// How often each arm had been drawn for the person in this course of the study, as far as the data folder shows.
  package let drawnBefore: [Int]
  /// Where the random numbers begin.
  package let seed: Int
  /// Whether the person heard the cues.
  package let loop: Loop
  /// The place of the arm that was drawn.
  package let arm: Int

  /// Draws an arm for a person.
  ///
  /// The same design, counts, seed and person give the same arm everywhere. A name stands for a person without an identity.
  /// - Precondition: there is a count for each arm, and the seed is not negative.
  package init(
    _ design: RandomizedDesign, drawnBefore: [Int], seed: Int, person: SessionPerson, loop: Loop
  ) {
    precondition(drawnBefore.count == design.arms.count && seed >= 0, "each arm has a count")
    self.design = design
    self.drawnBefore = drawnBefore
    self.seed = seed
    self.loop = loop
    arm = Self.arm(of: UrnAllocation(drawn: drawnBefore), seed: seed, word: Self.word(design, person))
  }

  /// What is known of the draws before this one.
  package var urn: UrnAllocation { UrnAllocation(drawn: drawnBefore) }

  /// Which draw of the person in this course it is, from 1; draws are counted as they are made, whenever the sessions were.
  package var position: Int { urn.draws + 1 }

  /// The arm that was drawn, with the probability that it had.
  package var drawnArm: DrawnArm { DrawnArm(name: design.arms[arm].name, probability: urn.probability(of: arm)) }

  /// The arm that a seed draws from an urn: the bits are those at the number of the draw in the sequence of seed and word.
  static func arm(of urn: UrnAllocation, seed: Int, word: UInt64) -> Int {
    urn.arm(bits: CounterRandom(seed: UInt64(seed), word).bits(at: UInt64(urn.draws + 1)))
  }

  /// The number that stands for study, course and person: the first eight bytes, the highest first, of the SHA-256 of the
  /// hash of the study, the course and the identity of the profile (else `@` and the name) with line feeds between them.
  static func word(_ design: RandomizedDesign, _ person: SessionPerson) -> UInt64 {
    let key = SessionPerson.key(profileID: person.profileID, name: person.name)
    let text = Array("\(design.studyHash)\n\(design.course)\n\(key)".utf8)
    var hash = SHA256()
    hash.update(text.span)
    return hash.finish().prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }
}
