@testable import Recordings
import TestSupport
import Testing
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("Activities on one line of time")
struct RecordedTimelineTests {
  /// A finished recording: of each activity the times of its points, and when the timer was stopped and started.
  private func recording(
    _ activities: [(points: [Int64], stops: [(Int64, Int64)])], beats: [Int64] = []
  ) -> DecodedRecording {
    var recording = DecodedRecording()
    for (index, activity) in activities.enumerated() {
      recording.admit(.activity(sport: "\(index)"))
      for (from, until) in activity.stops {
        recording.admit(.timerStopped(at: from))
        recording.admit(.timerStarted(at: until))
      }
      for time in activity.points {
        var point = RecordedPoint(time: time)
        point.heartRate = 120
        recording.admit(.point(point))
      }
    }
    for time in beats { recording.admit(.interval(milliseconds: 500, at: time)) }
    recording.finish()
    return recording
  }

  private func stops(_ activities: (points: [Int64], stops: [(Int64, Int64)])...) -> [[Int64]] {
    RecordedTimeline(recording(activities).activities).stops.map { [$0.from, $0.until] }
  }

  @Test("One activity stops where its timer does, within its points")
  func one() {
    #expect(stops(([0, 10, 20], [])) == [])
    #expect(stops(([0, 10, 20], [(5, 8), (10, 15)])) == [[5, 8], [10, 15]])
    #expect(stops(([0, 10, 20], [(-9, -1), (20, 30)])) == [])
    #expect(stops(([0, 10, 20], [(-9, 0)])) == [])
    #expect(stops(([0, 10, 20], [(-9, 3)])) == [[0, 3]])
    #expect(stops(([0, 10, 20], [(18, 33)])) == [[18, 20]])
    #expect(stops(([7], [])) == [])
    #expect(stops() == [])
  }

  @Test("Stops that come out of order are put in order, and those that overlap are one")
  func disorder() {
    #expect(stops(([0, 50], [(30, 35), (10, 12)])) == [[10, 12], [30, 35]])
    #expect(stops(([0, 50], [(10, 20), (15, 30), (30, 31), (12, 14)])) == [[10, 30], [30, 31]])
  }

  @Test("Between activities that follow each other nothing runs; where one of several runs, something does")
  func several() {
    #expect(stops(([0, 10], []), ([30, 40], [])) == [[10, 30]])
    #expect(stops(([0, 10], []), ([10, 40], [])) == [])
    #expect(stops(([0, 10], [(8, 20)]), ([30, 40], [])) == [[8, 30]])
    #expect(stops(([0, 50], [(10, 40)]), ([5, 20], []), ([35, 45], [])) == [[20, 35]])
    #expect(stops(([0, 50], []), ([10, 20], [(12, 18)])) == [])
  }

  private static func time(_ second: Int64) -> Int64 { second * 1_000_000_000 }

  /// All points with their activities, of which stretches are no longer than so many.
  private func points(_ recording: DecodedRecording, inStretchesOf count: Int = 2) -> [(time: Int64, activity: Int)] {
    var given: [(time: Int64, activity: Int)] = []
    for (activity, points) in RecordedTimeline(recording.activities).stretches(ofAtMost: count) {
      #expect(1...count ~= points.count)
      for point in recording.activities[activity].points[points] { given.append((point.time, activity)) }
    }
    return given
  }

  @Test("Points are in order of time and then of activity, whether activities overlap or not")
  func order() {
    for activities in [[[0, 1], [2, 3]], [[0, 3], [1, 2]], [[0, 2, 2], [2, 2, 5]]] as [[[Int64]]] {
      let given = points(recording(activities.map { ($0, []) }))
      let expected = activities.enumerated().flatMap { index, times in times.map { ($0, index) } }.sorted(by: <)
      #expect(given.elementsEqual(expected, by: ==), "\(activities)")
    }
  }

  @Test("An error of who takes inputs ends the walk at once, whether activities overlap or not", arguments: [100, 400])
  func errorOfBody(second: Int64) {
    struct Full: Error {}
    let recording = recording(
      [((0..<300).map(Self.time), [(Self.time(20), Self.time(30))]), ((second..<second + 200).map(Self.time), [])],
      beats: (0..<50).map { Self.time(7 * $0) })
    var count = 0
    recording.forEachInput(origin: 0) { _ in count += 1 }
    #expect(count >= 300)
    for last in 0..<count {
      var taken = 0
      #expect(throws: Full.self) {
        try recording.forEachInput(origin: 0) { _ in
          if taken == last { throw Full() }
          taken += 1
        }
      }
      #expect(taken == last)
    }
  }

  @Test("Random activities stop exactly where none of them runs", arguments: 0..<300 as Range<UInt64>)
  func property(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let activities = (0..<random.int(1...4)).map { _ in
      (
        points: (0..<random.int(1...5)).map { _ in Int64(random.int(0...60)) },
        stops: (0..<random.int(0...3)).map { _ in
          let from = random.int(-5...60)
          return (Int64(from), Int64(from + random.int(1...20)))
        }
      )
    }
    let recording = recording(activities)
    let timeline = RecordedTimeline(recording.activities)
    let given = points(recording, inStretchesOf: random.int(1...3)).map(\.time)
    #expect(given == given.sorted(), "seed \(seed)")
    #expect(given.count == activities.reduce(0) { $0 + $1.points.count }, "seed \(seed)")
    let times = activities.flatMap(\.points)
    for (one, next) in zip(timeline.stops, timeline.stops.dropFirst()) {
      #expect(one.until <= next.from, "seed \(seed)")
    }
    for second in (times.min() ?? 0)..<(times.max() ?? 0) {
      let runs = activities.contains { points, stops in
        (points.min() ?? 0) <= second && second < (points.max() ?? 0)
          && !stops.contains { $0.0 <= second && second < $0.1 }
      }
      let stands = timeline.stops.contains { $0.from <= second && second < $0.until }
      #expect(runs != stands, "seed \(seed), second \(second)")
    }
  }
}
