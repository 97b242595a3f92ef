@testable import Recordings
import SessionStore
import TestSupport
import Testing
import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("Steps of which a file states only how many they were")
struct SpreadStepsTests {
  /// A point every ten seconds from 11:33:20 by the clock on.
  private func activity(
    seconds: Range<Int>, cadence: (Int) -> Double = { _ in .nan }, pauses: [ClosedRange<Int>] = []
  ) -> DecodedRecording.Activity {
    var activity = DecodedRecording.Activity()
    for second in stride(from: seconds.lowerBound, to: seconds.upperBound, by: 10) {
      var point = RecordedPoint(time: Self.time(second))
      point.cadence = cadence(second)
      activity.points.append(point)
    }
    activity.pauses = pauses.map {
      DecodedRecording.Pause(from: Self.time($0.lowerBound), until: Self.time($0.upperBound))
    }
    return activity
  }

  private static func time(_ second: Int) -> Int64 { FIT.wall(FIT.start + second) }

  private func samples(_ activity: DecodedRecording.Activity, _ total: Int) throws -> [[Int]] {
    let end = try #require(activity.points.last?.time)
    return SpreadSteps(activity).samples(of: total, until: end).map { sample in
      [Int((sample.time - Self.time(0)) / 1_000_000_000), sample.steps]
    }
  }

  @Test("are in each quarter of an hour those of its active time, at its last point, and all of them together")
  func quarters() throws {
    // 11:33:20 to 12:33:20
    let run = activity(seconds: 0..<3_601)
    #expect(
      try samples(run, 7_200) == [[690, 1_380], [1_590, 1_800], [2_490, 1_800], [3_390, 1_800], [3_600, 420]])
    let paused = activity(seconds: 0..<3_601, pauses: [1_000...2_800])
    #expect(try samples(paused, 3_600) == [[690, 1_380], [1_000, 620], [3_390, 1_180], [3_600, 420]])
    for total in [1, 2, 3, 5, 7_201, 100_003] {
      let parts = try samples(run, total)
      #expect(parts.map { $0[1] }.reduce(0, +) == total)
      #expect(parts.allSatisfy { $0[1] > 0 }, "\(total)")
    }
  }

  @Test("are in quarters from the first point on where the clock was never set, whatever the device counts from")
  func clockless() throws {
    for shift in [0, 5, 437, 899] as [Int64] {
      var run = activity(seconds: 0..<3_601)
      run.clock = .relative
      for index in run.points.indices {
        run.points[index].time = Int64(10 * index) * 1_000_000_000 + shift * 1_000_000_000
      }
      let end = try #require(run.points.last?.time)
      let found = SpreadSteps(run).samples(of: 7_200, until: end).map {
        [$0.time / 1_000_000_000 - shift, Int64($0.steps)]
      }
      #expect(
        found == [[890, 1_780], [1_790, 1_800], [2_690, 1_800], [3_590, 1_800], [3_600, 20]], "\(shift): \(found)")
    }
  }

  @Test("are where the cadence shows them")
  func cadence() throws {
    // Standing for the second half hour.
    let run = activity(seconds: 0..<3_601, cadence: { $0 < 1_800 ? 160 : 0 })
    #expect(try samples(run, 4_800) == [[690, 1_840], [1_590, 2_400], [2_490, 560]])
  }

  @Test("are one sample at the end of an activity within a quarter, and of none at all")
  func one() throws {
    #expect(try samples(activity(seconds: 0..<600), 1_000) == [[590, 1_000]])
    #expect(try samples(activity(seconds: 0..<1), 1_000) == [[0, 1_000]])
    #expect(try samples(activity(seconds: 0..<3_601), 0) == [[3_600, 0]])
    #expect(try samples(activity(seconds: 0..<3_601, cadence: { _ in 0 }), 100).last == [3_600, 6])
  }

  @Test("come in order of time among the points and outside of pauses, and count all in a replay")
  func replayed() throws {
    var builder = FITBuilder()
    builder.define(
      1, message: FIT.event, [FIT.time, FITBuilder.Field(0, .enumeration), FITBuilder.Field(1, .enumeration)])
    builder.define(0, message: FIT.record, [FIT.time, FIT.heartRate])
    for second in stride(from: 0, through: 7_200, by: 10) {
      if second == 600 { builder.message(1, [.integer(FIT.start + 600), 0, 4]) }
      if second == 3_000 { builder.message(1, [.integer(FIT.start + 3_000), 0, 0]) }
      builder.message(0, [.integer(FIT.start + second), .integer(120 + second % 9)])
    }
    builder.define(2, message: FIT.session, [FITBuilder.Field(5, .enumeration), FITBuilder.Field(10, .uint32)])
    builder.message(2, [.integer(1), .integer(5_000)])
    let recording = try Recording(bytes: builder.file(), name: "run.fit")
    #expect(recording.facts.steps == 10_000)
    var (last, isPaused, inPause) = (SessionTime.zero, false, 0)
    try recording.forEachInput { input in
      switch input {
      case .sample(let sample):
        #expect(sample.time >= last)
        last = max(last, sample.time)
        if case .steps = sample.reading, isPaused { inPause += 1 }
      case .command(.pause, _): isPaused = true
      case .command(.resume, _): isPaused = false
      case .command, .unplaced, .advance: break
      }
    }
    #expect(inPause == 0)
    let settings = try CoachingRequest.runner("z2", "none").settings(on: nil)
    #expect(try Replay.run(recording, settings: settings, pace: .events) { _, _ in }.engine.stepCount == 10_000)
  }
}
