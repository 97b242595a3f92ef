import Foundation
@testable import Recordings
import TestSupport
import Testing
@testable import TextFormats
import ZoneEngine
@testable import WorkoutTestSupport

/// The export of another project and what that project reads in it; they are no part of the repository.
private let sample = RealRecordings.folder.appendingPathComponent("recordings/apple_health/export6s3sample").path

private let isThere = FileManager.default.fileExists(atPath: sample + ".xml")

/// A table of what was read, as rows by the names of their columns.
private func table(_ name: String) throws -> [[String: String]] {
  let lines = try text(of: "\(sample)_expected_\(name).csv").split(separator: "\n")
  func fields(_ line: Substring) -> [String] {
    line.split(separator: ",", omittingEmptySubsequences: false).map { String($0).replacing("\"", with: "") }
  }
  let names = fields(try #require(lines.first))
  return lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(names, fields($0))) }
}

@Suite("An Apple Health export of a real phone", .enabled(if: isThere, "the folder of real recordings is not there"))
struct AppleHealthOracleTests {
  private func sum(_ name: String) throws -> (count: Int, sum: Double) {
    let values = try table(name).compactMap { $0["value"].flatMap(Double.init) }
    return (values.count, values.reduce(0, +))
  }

  @Test("has the steps and the distance that another reader finds")
  func sums() throws {
    let facts = try Recording(path: sample + ".xml").facts
    let (steps, distance) = (try sum("StepCount"), try sum("DistanceWalkingRunning"))
    #expect(steps.count > 0)
    #expect(distance.count > 0)
    #expect(facts.stepSampleCount == steps.count)
    #expect(Double(facts.steps) == steps.sum)
    #expect(abs((facts.recordedMeters ?? 0) - distance.sum * 1_000) < 1e-9)
    #expect(facts.sampleCount == steps.count + distance.count)
    #expect(facts.warnings.isEmpty)
  }

  @Test("has the workout that another reader finds")
  func workout() throws {
    let expected = try #require(try table("Workout").first)
    let recording = try AppleHealthRecording(RecordingSource(path: sample + ".xml"), isPacked: false)
    let workout = try #require(recording.activities.first { $0.isWorkout })
    #expect(recording.activities.count { $0.isWorkout } == 1)
    #expect(expected["workoutActivityType"] == "HKWorkoutActivityType" + (workout.sport ?? "").capitalized)
    let start = try #require(expected["startDate"].flatMap { WallClockTimeText(iso8601: $0) })
    #expect(workout.startTime == start.time)
    let minutes = (workout.end - workout.start).seconds / 60
    #expect(abs(minutes - (expected["duration"].flatMap(Double.init) ?? 0)) < 0.02)
  }

  @Test("is the same in pieces, packed, and in an archive")
  func packings() throws {
    let folder = try ScratchFolder()
    let bytes = Array(try text(of: sample + ".xml").utf8)
    var builder = ZipBuilder()
    builder.add("apple_health_export/export.xml", bytes, deflated: deflated(bytes))
    let plain = try emitted(Recording(path: sample + ".xml").forEachInput)
    for file in [packed(bytes), builder.archive()] {
      #expect(try emitted(Recording(path: folder.write(file)).forEachInput) == plain)
    }
  }
}
