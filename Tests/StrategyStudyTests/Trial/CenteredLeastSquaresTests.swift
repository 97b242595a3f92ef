import Foundation
import Testing

@testable import StrategyStudy

/// What numpy estimates of made data; `scripts/trial-vectors` writes it.
private struct Vectors: Decodable {
  struct Row: Decodable {
    let person: Int
    let probability: Double
    let given: Bool
    let outcome: Double
    let controls, moderators: [Double]
  }
  struct Data: Decodable {
    let name: String
    let numerator: Double
    let rows: [Row]
    let estimates, standardErrors, unadjustedErrors: [Double]
    let degreesOfFreedom: Int
    let jointF: Double
    let effects: Int
  }
  struct Power: Decodable {
    let people, controls, points: Int
    let probability, availability, effect, alpha, power: Double
  }
  let sets: [Data]
  let power: [Power]

  init() throws {
    let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("trial-vectors.json")
    self = try JSONDecoder().decode(Vectors.self, from: Foundation.Data(contentsOf: path))
  }
}

private func isNear(_ left: Double, _ right: Double, _ relative: Double = 1e-9) -> Bool {
  (left - right).magnitude <= relative * max(1, right.magnitude)
}

@Suite("Weighted and centred least squares")
struct CenteredLeastSquaresTests {
  @Test("Are those of numpy: estimates, both standard errors, degrees of freedom, on four sets of made data")
  func vectors() throws {
    let sets = try Vectors().sets
    #expect(sets.count == 4)
    for data in sets {
      let rows = data.rows.map {
        CenteredLeastSquares.Row(
          person: $0.person, probability: $0.probability, isGiven: $0.given, outcome: $0.outcome, controls: $0.controls,
          moderators: $0.moderators)
      }
      let found = try CenteredLeastSquares(rows, numerator: data.numerator)
      let coefficients = found.controls + found.effects
      #expect(found.effects.count == data.effects)
      #expect(found.degreesOfFreedom == data.degreesOfFreedom)
      for (index, coefficient) in coefficients.enumerated() {
        #expect(isNear(coefficient.value, data.estimates[index]), "\(data.name) \(index)")
        #expect(isNear(coefficient.standardError, data.standardErrors[index]), "\(data.name) \(index)")
        #expect(isNear(coefficient.unadjustedError, data.unadjustedErrors[index]), "\(data.name) \(index)")
        #expect(coefficient.standardError > coefficient.unadjustedError)
      }
      // The statistic of all effects together is numpy's, whose scaling is that of several.
      let joint = FisherF(Double(data.effects), Double(data.degreesOfFreedom)).upperProbability(data.jointF)
      #expect(isNear(found.jointProbability, joint), "\(data.name)")
      if data.effects == 1 {
        // With one effect the joint test is that of its t.
        #expect(isNear(found.jointProbability, found.effects[0].probability, 1e-8), "\(data.name)")
        let t = found.effects[0].value / found.effects[0].standardError
        #expect(isNear(t * t, data.jointF))
      }
    }
  }

  @Test("Do not depend on the order of the rows, and are those of the difference of means without controls at p̃ = p")
  func means() throws {
    // Given: 10 + p and 12, mean 11 + p/2, over p = 0…5 12.25; not given: 6 and 8, mean 7.
    let rows = (0..<6).flatMap { person in
      [(true, 10 + Double(person)), (false, 6.0), (true, 12.0), (false, 8.0)].map {
        CenteredLeastSquares.Row(person: person, probability: 0.5, isGiven: $0.0, outcome: $0.1)
      }
    }
    let found = try CenteredLeastSquares(rows, numerator: 0.5)
    #expect(isNear(found.effects[0].value, 5.25))
    #expect(try CenteredLeastSquares(rows.reversed(), numerator: 0.5).effects[0].value == found.effects[0].value)
    #expect(found.points == 24)
    #expect(found.people == 6)
  }

  @Test("Need more persons than coefficients, and something that varies")
  func problems() {
    let row = CenteredLeastSquares.Row(person: 0, probability: 0.5, isGiven: true, outcome: 1)
    #expect(throws: CenteredLeastSquares.Problem.people(found: 1, needed: 3)) {
      try CenteredLeastSquares([row], numerator: 0.5)
    }
    #expect(throws: CenteredLeastSquares.Problem.people(found: 0, needed: 3)) {
      try CenteredLeastSquares([], numerator: 0.5)
    }
    let same = (0..<9).map { CenteredLeastSquares.Row(person: $0, probability: 0.5, isGiven: true, outcome: 1) }
    #expect(throws: CenteredLeastSquares.Problem.singular) { try CenteredLeastSquares(same, numerator: 0.5) }
  }

  @Test("Outcomes that are all the same say so, instead of a probability of what is left by rounding")
  func sameOutcomes() {
    // Values that binary fractions hold, and such that leave something.
    for outcome in [37.0, 33.3, 60, 0, 0.1] {
      let rows = (0..<60).map {
        CenteredLeastSquares.Row(
          person: $0 % 12, probability: 0.4, isGiven: $0 % 5 < 2, outcome: outcome, controls: [Double($0 % 7)])
      }
      #expect(throws: CenteredLeastSquares.Problem.sameOutcome(outcome)) {
        try CenteredLeastSquares(rows, numerator: 0.4)
      }
    }
    let words = CenteredLeastSquares.Problem.sameOutcome(33.3).description
    #expect(words == "the outcome of every point is 33.3: expected outcomes that differ")
  }

  @Test("Published power is that of numpy, and the people that power needs reach it and no fewer do")
  func power() throws {
    for plan in try Vectors().power {
      let trial = TrialPower(
        points: plan.points, probability: plan.probability, probabilityAfterCue: plan.probability,
        availability: plan.availability, effect: plan.effect, controls: plan.controls, alpha: plan.alpha)
      #expect(isNear(trial.publishedPower(people: plan.people), plan.power, 1e-6))
      #expect(trial.power(people: plan.people) < plan.power, "the correction for few people costs some")
      #expect(trial.power(people: plan.people) > plan.power - 0.06)
      let needed = try #require(trial.people(power: 0.8))
      #expect(trial.power(people: needed) >= 0.8)
      #expect(trial.power(people: needed - 1) < 0.8)
    }
    let none = Self.plan(effect: 0)
    #expect(isNear(none.publishedPower(people: 30), 0.05, 1e-9))
    #expect(none.power(people: 30) < 0.05)
    #expect(none.power(people: 3) == 0)
  }

  private static func plan(effect: Double, availability: Double = 0.8) -> TrialPower {
    TrialPower(
      points: 40, probability: 0.6, probabilityAfterCue: 0.3, availability: availability, effect: effect, controls: 2,
      alpha: 0.05)
  }

  @Test("A probability that changes is weighed by how often it comes")
  func changing() {
    // With every point available g = 0.6·(1 − g) + 0.3·g, so that g = 0.6/1.3.
    let plan = Self.plan(effect: 0.2, availability: 1)
    #expect(isNear(plan.shareAfterCue, 0.6 / 1.3, 1e-12))
    // The same as fewer points of the probability 0.6, whose 1/(ρ(1 − ρ)) is 1/0.24.
    let mean = (1 - 0.6 / 1.3) / 0.24 + 0.6 / 1.3 / 0.21
    let fewer = TrialPower(
      points: 40, probability: 0.6, probabilityAfterCue: 0.6, availability: 1 / 0.24 / mean, effect: 0.2, controls: 2,
      alpha: 0.05)
    #expect(isNear(plan.power(people: 20), fewer.power(people: 20), 1e-12))
    #expect(fewer.shareAfterCue == fewer.availability * 0.6)
  }

  /// 400 trials: what is found differs from what is promised by less than 2.6 standard deviations (99 %, binomial) and 0.02, for a
  /// formula that takes every person for the mean of all.
  @Test("Made trials find what is promised", arguments: [(10, 0.2), (20, 0.2), (20, 0.12), (40, 0.2)])
  func promise(people: Int, effect: Double) {
    let plan = Self.plan(effect: effect)
    let promised = plan.power(people: people)
    let result = TrialSimulation(plan, people: people, seed: 7).run(400)
    let found = Double(result.found) / Double(result.estimated)
    #expect(
      abs(found - promised) < 2.6 * (promised * (1 - promised) / 400).squareRoot() + 0.02, "\(found), \(promised)")
  }

  /// 200 trials of 20 people with 40 points: intervals of 95 % hold between 181 and 197 times, tests at 5 % find between 3
  /// and 19 effects that are none, each with a probability above 99 % (binomial, 0.5 % in each tail).
  @Test("Hold a known effect in 95 % of made trials, and find none in 5 %", arguments: [(0.3, UInt64(11)), (0, 12)])
  func coverage(effect: Double, seed: UInt64) {
    let result = TrialSimulation(Self.plan(effect: effect), people: 20, seed: seed).run(200)
    #expect(result.estimated == 200)
    #expect((181...197).contains(result.covered), "\(result)")
    if effect == 0 {
      #expect((3...19).contains(result.found), "\(result)")
    } else {
      #expect(result.found > 150, "\(result)")
    }
  }
}
