import Foundation
import Recordings
@testable import StrategyStudy
import TestSupport
import Testing
import TextFormats
import WorkoutSession
import ZoneEngine

@Suite("Comparisons by sweep and by engine")
struct SweptComparisonTests {
  private static let strategies = [
    "moment:every=1", "moment:every=30,hold=0", "moment:every=60,median=10", "moment:every=60,jitter=20,seed=3",
    "period:every=60,window=60", "period:every=7,window=90,hold=0", "period:every=1,window=15", "zone-change", "trend",
  ]

  @Test(
    "The record has the same bytes whoever answers, whether recordings and strategies qualify or not",
    arguments: ["120-140", "weight-control"])
  func bytes(target: String) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sweep-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var inputs: [ComparedInput] = []
    var qualified = 0
    for seed in UInt64(0)..<24 {
      let path = folder.appendingPathComponent("\(seed).csv").path
      try Self.recording(seed: seed).write(toFile: path, atomically: true, encoding: .utf8)
      inputs.append(ComparedInput(path: path, kind: .recording, folder: "p\(seed % 3)", isNamed: true))
      let track = try HeartRateTrack(Recording(path: path), settings: .compared(target, "none"))
      if SecondTrack(track) != nil { qualified += 1 }
    }
    // Both kinds are there.
    #expect(qualified > 6)
    #expect(qualified < 22)
    var records: [String] = []
    for path in DecisionPath.allCases { records.append(try await Self.record(inputs, target, path)) }
    #expect(records[0] == records[1])
    #expect(records[0].contains(#""signalLost":"#))
    #expect(records[0].contains(#""warmUp":"#))
  }

  /// A run with silence, spikes and zeros; one in four has decimals, one in four a pause.
  private static func recording(seed: UInt64) -> String {
    var random = SplitMix64(seed: seed)
    var text = "time_s,heart_rate_bpm,distance_m\n"
    var (time, level) = (0, 130)
    while time < 900 {
      level = min(180, max(90, level + random.int(-3...3)))
      var field = random.chance(0.1) ? "" : "\(level)"
      if random.chance(0.01) { field = "0" }
      if random.chance(0.01) { field = "\(level + 40)" }
      if seed % 4 == 1, random.chance(0.1) { field = "\(level).5" }
      text += "\(time),\(field),\(time * 3)\n"
      time += random.chance(0.02) ? random.int(5...40) : 1
      if seed % 4 == 2, random.chance(0.005) { time += 30_000 }
    }
    return text
  }

  private static func record(_ inputs: [ComparedInput], _ target: String, _ path: DecisionPath) async throws -> String {
    let strategies = try strategies.map { try FeedbackStrategy(specification: $0) }
    let guardrails = try Guardrails(warmUp: .seconds(100), minimumInterval: .seconds(25))
    let work = ComparisonWork(
      strategies: strategies, target: .asked, skip: .seconds(20), personSource: .folder, path: path
    ) { _, _ in
      var request = CoachingRequest()
      request.profile.maximumHeartRate = 190
      request.target = TargetRequest(target)
      request.guardrails = guardrails
      return request
    }
    var compared: [ComparedRecording] = []
    for result in await work.compare(inputs, progress: { _ in }) { compared += try result.get() }
    var writer = JSONWriter()
    Comparison(compared, strategies: strategies).write(to: &writer)
    return writer.text
  }
}
