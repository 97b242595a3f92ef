import Foundation
import Recordings
import SessionStore
import Testing
import TextFormats
import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("Real recordings")
struct RealRecordingTests {
  /// A strategy as a specification, with its interval and its window in seconds.
  private static let strategies: [(specification: String, every: Int, window: Int?)] = [
    ("moment:every=120", 120, nil), ("moment:every=30", 30, nil), ("period:every=60,window=60", 60, 60),
    ("period:every=120,window=60", 120, 60), ("period:every=45,window=300", 45, 300),
  ]

  // The recordings are no part of the package; where `shared/data` is not beside it, this test is shown as skipped.
  @Test(
    "Every decision and every second in zone is that of a calculation by hand",
    .enabled(if: !RealRecordings.paths.isEmpty, "needs real recordings in ../shared/data"),
    arguments: RealRecordings.paths)
  func decisions(path: String) throws {
    let text = String(decoding: try POSIXFile(reading: path).readAll(maximumBytes: 1 << 28), as: UTF8.self)
    let recording = try Recording(path: path)
    let name = (path as NSString).lastPathComponent
    // Two ages are two sets of zones; each file takes one of them.
    let number = name.utf8.reduce(0) { $0 + Int($1) }
    for age in [number % 2 == 0 ? 23 : 48] {
      let expected = try BruteForceCoach(csv: text, age: age)
      let targets = [
        ("z2", expected.zone(2)), ("aerobic", expected.zone(3)),
        ("131-148", BruteForceCoach.Target(lower: 131, upper: 148, zone: nil)),
      ]
      for (targetText, target) in targets {
        for strategy in RealRecordings.some(of: Self.strategies, for: number / 2) {
          let what = "\(name), age \(age), \(targetText), \(strategy.specification)"
          var request = try CoachingRequest.runner(targetText, strategy.specification)
          request.profile.ageYears = age
          var outcomes: [String] = []
          let pipeline = try Replay.run(recording, settings: request.settings(on: nil), pace: .events) { _, events in
            for case .engine(.decision(let decision)) in events {
              let outcome =
                switch decision.outcome {
                case .cue(let action): action.rawValue
                case .withheld(let reason): reason.rawValue
                }
              outcomes.append("\(Int(decision.time.seconds)) \(outcome)")
            }
          }
          let summary = pipeline.engine.summary
          let wanted = expected.decisions(every: strategy.every, window: strategy.window, target: target)
          #expect(wanted.count == expected.end / strategy.every, "\(what)")
          #expect(outcomes == wanted, "\(what): \(Set(outcomes).symmetricDifference(wanted).sorted().prefix(4))")
          #expect(summary.inTarget == .seconds(expected.secondsInTarget(target)), "\(what)")
          let bands = summary.inBand.map(\.duration) + [summary.noData]
          #expect(bands == expected.secondsInBand.map { .seconds($0) }, "\(what)")
          #expect(summary.active == .seconds(expected.end), "\(what)")
          #expect(summary.acceptedHeartRates == expected.accepted.count, "\(what)")
          #expect(summary.rejectedHeartRates == expected.rejected, "\(what)")
          let covered = expected.held.compactMap { $0 }.count
          #expect(summary.compliance == Double(expected.secondsInTarget(target)) / Double(covered), "\(what)")
        }
      }
    }
  }
}
