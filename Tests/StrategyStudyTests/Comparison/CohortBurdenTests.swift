import Foundation
@testable import StrategyStudy
import Testing
import WorkoutSession
import ZoneEngine

@Suite("Real runs")
struct CohortBurdenTests {
  /// The presets in the order of the published cues an hour, from the most to the fewest.
  private static let byBurden = [
    "bangle-like", "heartzones-like", "qdomyos-like", "runnerup-like", "suunto-like", "heart-beat2-like",
    "heart-beat2-rule-like",
  ]

  // The recordings are no part of the package; where `shared/data` is not beside it, this test is shown as skipped.
  @Test(
    "Presets come in the order of burden that was published for other runs of the same person",
    .enabled(if: FileManager.default.fileExists(atPath: cohort), "needs real recordings in ../shared/data"))
  func order() async throws {
    let strategies = try Self.byBurden.map { try FeedbackStrategy(specification: $0) }
    let work = ComparisonWork(
      strategies: strategies, target: .aroundMedian(marginBPM: 5), skip: .seconds(300), personSource: .folder,
      path: .sweep
    ) { _, _ in
      var request = CoachingRequest()
      request.profile.maximumHeartRate = 190
      return request
    }
    let inputs = try FileManager.default.contentsOfDirectory(atPath: Self.cohort).filter { $0.hasSuffix(".csv") }
      .map { ComparedInput(path: Self.cohort + "/" + $0, kind: .recording, folder: "cohort", isNamed: true) }
    var compared: [ComparedRecording] = []
    for result in await work.compare(inputs, progress: { _ in }) { compared += try result.get() }
    let rows = Comparison(compared, strategies: strategies).rows
    let burden = rows.compactMap { ComparisonMetric.directionalCuesPerHour.value(of: $0.overall) }
    #expect(compared.count == inputs.count)
    #expect(burden.count == 7)
    #expect(zip(burden, burden.dropFirst()).allSatisfy { $0 > $1 }, "\(burden)")
  }

  private static let cohort =
    "\(#filePath)".split(separator: "/").dropLast(4).map { "/" + $0 }.joined() + "/../shared/data/cohort"
}
