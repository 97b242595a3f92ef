import Testing
import TextFormats
@testable import WorkoutTestSupport

/// A change to a scenario of the folder that has to make exactly the named expectations fail.
struct Mutation: CustomTestStringConvertible, Sendable {
  let scenario: String
  let old: String
  let new: String
  let failure: String

  init(_ scenario: String, _ old: String, _ new: String, _ failure: String) {
    self.scenario = scenario
    self.old = old
    self.new = new
    self.failure = failure
  }

  var testDescription: String { "\(scenario): \(failure)" }

  static let all = [
    Mutation(
      "moment-in-target-says-hold", "[123, 128]", "[143, 148]",
      "expect.cues[0]: expected 1 × hold cue in zone2 at 120 s, found 0 (slowDown cue in zone3 at 145 bpm at 120 s)"),
    Mutation(
      "moment-in-target-says-hold", "\"every\": 120", "\"every\": 60",
      "expect.noCues[0]: expected 0 × cue in 0…119 s, found 1 (hold cue in zone2 at 124 bpm at 60 s)"),
    Mutation(
      "moment-in-target-says-hold", "\"every\": 120", "\"every\": 60",
      "expect.metrics[\"cues.hold\"]: expected 2, found 4"),
    Mutation(
      "moment-in-target-says-hold", "\"kind\": \"moment\", \"every\": 120", "\"kind\": \"none\"",
      "expect.cues[1]: expected 1 × hold cue in zone2 at 240 s, found 0 (nothing of the kind)"),
    Mutation(
      "same-run-under-moment", "\"kind\": \"moment\"", "\"kind\": \"period\"",
      "expect.cues[0]: expected 1 × hold cue in zone2 at 135 bpm at 60 s, found 0 "
        + "(slowDown cue in zone3 at 135 bpm at 60 s)"),
    Mutation(
      "low-coverage-withholds-the-cue", "[166, 128]", "[165, 128]",
      "expect.withheld[1]: expected 1 × withheld (lowCoverage) at 180 s, found 0 (hold cue in zone2 at 128 bpm at 180 s)"
    ),
    Mutation(
      "dropout-of-20-seconds-is-reported", "\"untilSeconds\": 105", "\"untilSeconds\": 106",
      "expect.events[0]: expected 1 × signalLost at 119 s, found 0 (nothing of the kind)"),
    Mutation(
      "dropout-of-10-seconds-is-bridged", "\"untilSeconds\": 115", "\"untilSeconds\": 105",
      "expect.events[0]: expected 0 × signalLost in 0…240 s, found 1 (signalLost at 119 s)"),
    Mutation(
      "zero-readings-are-no-heart-rate", "\"beatsPerMinute\": 0", "\"beatsPerMinute\": 122",
      "expect.metrics[\"samples.rejected\"]: expected 30, found 0"),
    Mutation(
      "stuck-sensor-is-flagged-and-cues-go-on", "\"beatsPerMinute\": 130", "\"beatsPerMinute\": [130, 133]",
      "expect.events[1]: expected 1 × signalSuspect in 0…300 s, found 0 (nothing of the kind)"),
    Mutation(
      "cadence-lock-is-flagged", "\"stepsPerMinute\": 165", "\"stepsPerMinute\": 175",
      "expect.events[0]: expected 1 × signalSuspect cadenceLock at 82 s, found 0 (nothing of the kind)"),
    Mutation(
      "pause-in-the-middle", "\"command\": \"pause\", \"atSeconds\": 90", "\"command\": \"pause\", \"atSeconds\": 91",
      "expect.events[0]: expected 1 × paused at 90 s, found 0 (nothing of the kind)"),
    Mutation(
      "lap-ends-an-open-step", "\"command\": \"lap\", \"atSeconds\": 100", "\"command\": \"lap\", \"atSeconds\": 99",
      "expect.events[0]: expected 1 × lap 2 at 100 s, found 0 (nothing of the kind)"),
    Mutation(
      "lap-ends-an-open-step", "\"durationSeconds\": 60", "\"durationSeconds\": 61",
      "expect.events[2]: expected 1 × stepChanged 3 at 160 s, found 0 (nothing of the kind)"),
    Mutation(
      "second-source-takes-over-after-a-loss", "\"source\": \"watch\"", "\"source\": \"wrist\"",
      "expect.events[1]: expected 1 × sourceChanged from strap to watch at 130 s, found 0 "
        + "(sourceChanged from strap to wrist at 130 s)"),
    Mutation(
      "duration-limit-counts-active-time", "\"durationLimitSeconds\": 120", "\"durationLimitSeconds\": 121",
      "expect.events[4]: expected 1 × countdown 1 s at 139 s, found 0 (countdown 2 s at 139 s)"),
    Mutation(
      "strategy-none-only-records", "\"strategy\": {\"kind\": \"none\"}",
      "\"target\": \"z2\", \"strategy\": {\"kind\": \"none\"}",
      "expect.metrics.compliance: expected no such number, found 0"),
    Mutation(
      "tunnel-is-bridged-by-a-straight-line", "\"startMeters\": 540", "\"startMeters\": 541",
      "expect.metrics.distanceMeters: expected at least 896.9 and at most 897.1, found 89"),
    Mutation(
      "strategy-none-only-records", "\"command\": \"stop\", \"atSeconds\": 130",
      "\"command\": \"stop\", \"atSeconds\": 131", "expect.metrics[\"secondsInBand.zone3\"]: expected 130, found 131"),
    Mutation(
      "strategy-none-only-records", "\"fromSeconds\": 0, \"untilSeconds\": 130}",
      "\"fromSeconds\": 131, \"untilSeconds\": 140}",
      "expect.noCues[0]: expected 0 × cue in 131…140 s, but the session ended at 130 s"),
    Mutation(
      "tie-goes-to-the-band-seen-last", "[180, 118]", "[180, 119]",
      "expect.cues[2]: expected 1 × speedUp cue in zone1 at 118 bpm at 180 s, found 0 "
        + "(hold cue in zone2 at 119 bpm at 180 s)"),
  ]
}

@Suite("Scenarios that do not come out")
struct ScenarioMutationTests {
  @Test("Every kind of expectation fails when what it is about changes", arguments: Mutation.all)
  func fails(mutation: Mutation) throws {
    let text = try ScenarioFolder.text(mutation.scenario + ".json")
    let failures = try ScenarioFolder.failures(
      text.with(mutation.new, for: mutation.old), name: mutation.scenario)
    #expect(failures.contains { $0.hasPrefix(mutation.failure) }, "\(failures.joined(separator: "\n"))")
    for failure in failures {
      #expect(!failure.contains("\n"), "\(failure)")
      #expect(!failure.hasPrefix("invariant"), "\(failure)")
    }
  }

  @Test("Every scenario fails when all of its input but the last moment is gone", arguments: ScenarioFolder.files)
  func inputMatters(file: String) throws {
    let name = try #require(file.split(separator: "/").last)
    let document = try JSONValue.parse(try ScenarioFolder.text(String(name)))
    var writer = JSONWriter()
    writer.object { writer in
      for member in document.members ?? [] {
        if member.key == "input" {
          writer.array("input") {
            $0.object { writer in
              writer.member("command", "stop")
              writer.member("atSeconds", 1_000)
            }
          }
        } else {
          writer.member(JSONKey(member.key), member.value)
        }
      }
    }
    #expect(try !ScenarioFolder.failures(writer.text, name: String(name.dropLast(5))).isEmpty)
  }
}
