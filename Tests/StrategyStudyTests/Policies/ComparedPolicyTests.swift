import Foundation
import OutsidePolicies
import StrategyStudy
import Testing
import WorkoutSession
import ZoneEngine

@Suite("A program that draws, over recordings")
struct ComparedPolicyTests {
  private let fixture: PolicyFixture

  init() throws { fixture = try PolicyFixture() }

  /// A program that answers what the seed of the runner says.
  private func drawing() throws -> String {
    try fixture.shell(
      """
      while read -r line; do
        case $line in
          *'"type":"start"'*)
            seed=${line#*'"seed":'}
            seed=${seed%%,*};;
          *'"type":"question"'*)
            runner=${line#*'"runner":'}
            number=${line#*'"question":'}
            number=${number%%,*}
            case $(( (seed >> number) % 3 )) in
              0) say=speedUp;;
              1) say=hold;;
              *) say=slowDown;;
            esac
            echo '{"type":"answer","runner":'"${runner%%,*}"',"question":'"$number"',"say":"'$say'"}';;
        esac
      done
      """)
  }

  /// A recording of half an hour, in a folder of its own.
  private func recording(_ name: String, around bpm: Int, in folder: String = "a") throws -> String {
    try FileManager.default.createDirectory(atPath: fixture.path(folder), withIntermediateDirectories: true)
    let path = fixture.path("\(folder)/\(name).csv")
    let rows = (0..<1_800).map { "\($0),\(bpm + $0 / 60 % 7)\n" }.joined()
    try ("time_s,heart_rate_bpm\n" + rows).write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  /// What the program said about each file, by its name.
  private func said(about paths: [String], seed: UInt64 = 1) async throws -> [String: StrategyTally] {
    let text = try drawing()
    let policies = try Policies([text], seed: seed, seconds: 20)
    defer { policies.end() }
    let work = ComparisonWork(
      strategies: [try policies.strategy(text)], target: .asked, skip: .zero, personSource: .file, path: .sweep,
      policies: policies
    ) { _, _ in
      var request = CoachingRequest()
      request.profile.maximumHeartRate = 190
      request.target = "120-140"
      return request
    }
    let inputs = paths.map { ComparedInput(path: $0, kind: .recording, folder: "folder", isNamed: true) }
    var said: [String: StrategyTally] = [:]
    for result in await work.compare(inputs, progress: { _ in }) {
      for recording in try result.get() {
        let path = try #require(recording.source?.path)
        said[URL(fileURLWithPath: path).lastPathComponent] = recording.tallies[0]
      }
    }
    #expect(policies.failure == nil)
    return said
  }

  @Test("Says the same of a recording in whatever order they are named, wherever it lies and whatever stands beside it")
  func order() async throws {
    let paths = [try recording("x", around: 120), try recording("y", around: 128), try recording("z", around: 136)]
    let said = try await said(about: paths)
    #expect(said.count == 3)
    #expect(Set(said.values).count == 3, "recordings have seeds of their own")
    #expect(try await self.said(about: paths.reversed()) == said)
    #expect(try await self.said(about: [paths[2]]) == said.filter { $0.key == "z.csv" })
    let elsewhere = try recording("y", around: 128, in: "b")
    #expect(try await self.said(about: [elsewhere]) == said.filter { $0.key == "y.csv" })
    #expect(try await self.said(about: paths, seed: 2) != said)
  }
}
