import TestSupport
import Testing
@testable import WorkoutExports
@testable import WorkoutHistory
@testable import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("What happened in a session moment by moment")
struct SessionCoursesTests {
  @Test("agrees with its summary, for random sessions", arguments: UInt64(0)..<60)
  func likeSummary(seed: UInt64) async throws {
    let recorded = try RecordedHistory()
    let name = try await recorded.record(seed: seed)
    let entry = try #require(try await recorded.history.session(name))
    let report = try #require(try await recorded.history.report(of: entry, hidingEndsWithin: nil))
    await recorded.history.close()
    let (summary, courses) = (report.detail.outcome.summary, report.courses)
    func sum(_ spans: [SessionSpan]) -> SessionTime { spans.reduce(.zero) { $0 + $1.duration } }
    #expect(sum(courses.withoutHeartRate) == summary.noData)
    #expect(sum(courses.pauses) == summary.elapsed - summary.active)
    for spans in [courses.withoutHeartRate, courses.pauses] {
      #expect(zip(spans, spans.dropFirst()).allSatisfy { $0.until <= $1.from })
      for span in spans {
        #expect(span.from < span.until)
        #expect(span.from >= .zero)
        #expect(span.until <= summary.elapsed)
      }
    }
    var counts: [CueAction: Int] = [:]
    for case .cue(let action) in courses.decisions.map(\.outcome) { counts[action, default: 0] += 1 }
    #expect(counts == summary.cues.given)
    #expect(courses.decisions.count == summary.cues.givenTotal + summary.cues.withheldTotal)
    #expect(courses.heartRate.range?.lowerBound == summary.readings.minimum)
    #expect(courses.heartRate.range?.upperBound == summary.readings.maximum)
    let steps = report.hours.compactMap(\.steps).reduce(nil) { ($0 ?? 0) + $1 }
    #expect(steps == nil || summary.steps.map { $0 <= steps ?? 0 } == true)
  }
}

@Suite("A course")
struct CourseTests {
  private func course(_ readings: [(Double, Double)], until seconds: Int, gap: Int = 15) -> Course {
    var builder = CourseBuilder(until: .seconds(seconds), longestGap: .seconds(gap))
    for (time, value) in readings { if let time = SessionTime(seconds: time) { builder.admit(value, at: time) } }
    return builder.course
  }

  @Test("A short one is kept whole, in lines that end at gaps")
  func short() {
    let readings = [(0.0, 100.0), (1, 101), (16, 102), (31.5, 103), (32, 104)]
    let lines = course(readings, until: 32).lines
    #expect(lines.map { $0.map(\.value) } == [[100, 101, 102], [103, 104]], "15 s are no gap, more is one")
    #expect(course([], until: 10).isEmpty)
    #expect(course([], until: 10).range == nil)
    #expect(course([(0, .nan), (1, .infinity)], until: 10).isEmpty)
    #expect(course([(0, 7)], until: 0).lines.map { $0.map(\.value) } == [[7]], "a session of no length")
    #expect(course([(5, 1), (5, 2), (4, 3)], until: 10).lines.joined().map(\.value) == [1, 2], "time goes forwards")
  }

  @Test("A long one keeps its extremes, its ends, and at most four readings a column", arguments: UInt64(0)..<20)
  func long(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let count = random.int(2_000...40_000)
    let readings = (0..<count).map { (Double($0), 60 + 120 * random.unit()) }
    let thinned = course(readings, until: count)
    let values = readings.map(\.1)
    #expect(thinned.lines.count == 1)
    #expect(thinned.range == (values.min() ?? 0)...(values.max() ?? 0))
    #expect(thinned.lines[0].count <= 4 * (Course.columns + 1), "seed \(seed)")
    #expect(thinned.lines[0].first?.value == values.first)
    #expect(thinned.lines[0].last?.value == values.last)
    #expect(zip(thinned.lines[0], thinned.lines[0].dropFirst()).allSatisfy { $0.time < $1.time })
    let known = Set(readings.map { "\($0.0) \($0.1)" })
    #expect(thinned.lines[0].allSatisfy { known.contains("\($0.time.seconds) \($0.value)") }, "nothing is made up")
  }
}

@Suite("The outline of a way")
struct TrackOutlineTests {
  private func place(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
    try #require(Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude))
  }

  @Test("Its extents are metres on the Earth, and equal on both axes", arguments: [0.0, 46.0, -60.0, 80.0])
  func extents(latitude: Double) throws {
    let (south, north) = (try place(latitude, 10), try place(latitude + 0.01, 10))
    let east = try place(latitude + 0.005, 10.01)
    let west = try place(latitude + 0.005, 10)
    let outline = try #require(TrackOutline(places: [[south, north], [west, east]]))
    #expect(abs(outline.heightMeters - Geodesic.vincenty(south, north)) < 0.5)
    #expect(abs(outline.widthMeters - Geodesic.vincenty(west, east)) < 0.5)
    try #require(outline.lines.count == 2)
    #expect(outline.lines[0].first?.northMeters == 0)
  }

  @Test("The date line is no edge, a pole no obstacle, and one place no way")
  func edges() throws {
    let across = try #require(TrackOutline(places: [[try place(0, 179.999), try place(0, -179.999)]]))
    #expect(abs(across.widthMeters - 222.6) < 0.2)
    #expect(TrackOutline(places: [[try place(46, 10)], [try place(46, 10)]]) == nil)
    #expect(TrackOutline(places: []) == nil)
    #expect(TrackOutline(places: [[try place(90, 0), try place(89.99, 0)]]) != nil)
  }

  @Test("It is the same wherever on Earth the way lies, so that it reveals no place")
  func placeless() throws {
    func outline(_ longitude: Double) throws -> TrackOutline? {
      TrackOutline(places: [try (0..<50).map { try place(45 + Double($0 % 7) / 1_024, longitude + Double($0) / 1_024) }]
      )
    }
    #expect(try outline(8) == outline(-64))
  }

  @Test("A way of many laps stays small and keeps its ends")
  func laps() throws {
    var places: [Coordinate] = []
    for index in 0..<100_000 {
      let north = Double(index * 37 % 1_000) / 100_000
      let east = Double(index * 61 % 1_000) / 100_000
      places.append(try place(46 + north, 7 + east))
    }
    let outline = try #require(TrackOutline(places: [places]))
    #expect(outline.lines[0].count <= TrackOutline.largestCount)
    #expect(outline.lines[0].count > 2)
  }

  @Test("Pauses and gaps break the line, and positions that do not count are left out")
  func breaks() throws {
    var track = TrackBuilder(fastestMetersPerSecond: 7)
    func fix(_ east: Double, _ second: Int, accuracy: Double? = nil) throws {
      track.admit(
        LocationFix(coordinate: try place(0, east / 111_320), horizontalAccuracyMeters: accuracy), at: .seconds(second))
    }
    for second in 0...10 { try fix(Double(second) * 3, second) }
    try fix(500, 11, accuracy: 80)
    try fix(100, 50)
    try fix(103, 51)
    track.breakLine()
    try fix(200, 52)
    try fix(203, 53)
    let outline = try #require(track.outline(hidingEndsWithin: nil))
    #expect(outline.lines.map(\.count) == [11, 2, 2])
    #expect(abs(outline.widthMeters - 203) < 1)
  }

  @Test("What lies near an end is left out, also where it is passed in between")
  func privacy() throws {
    var track = TrackBuilder(fastestMetersPerSecond: 7)
    // Out for 300 m, back past the start, and on to the end 100 m behind it.
    let meters = Array(stride(from: 0.0, through: 300, by: 5)) + Array(stride(from: 295.0, through: -100, by: -5))
    for (second, east) in meters.enumerated() {
      let coordinate = try place(0, east / 111_319.5)
      track.admit(LocationFix(coordinate: coordinate), at: .seconds(second))
    }
    let radius = try #require(PrivacyRadius(meters: 60.5))
    let outline = try #require(track.outline(hidingEndsWithin: radius))
    #expect(outline.lines.count == 1, "from 65 m to 300 m and back")
    #expect(abs(outline.widthMeters - 235) < 0.5, "from 65 m to 300 m and back")
    #expect(track.outline(hidingEndsWithin: PrivacyRadius(meters: 400)) == nil)
    #expect(try #require(track.outline(hidingEndsWithin: nil)).widthMeters > 399)
  }
}

@Suite("The value of a course at a time")
struct CourseValueTests {
  @Test("It lies on the line between two readings, and there is none in a gap or beyond the ends")
  func value() {
    let readings: [(time: SessionTime, value: Double)] = [
      (.seconds(10), 100), (.seconds(20), 120), (.seconds(30), 110), (.seconds(90), 80), (.seconds(91), 82),
      (.seconds(200), 60),
    ]
    let course = Course(readings, until: .seconds(300), longestGap: .seconds(15))
    #expect(course.value(at: .seconds(9)) == nil)
    #expect(course.value(at: .seconds(10)) == 100)
    #expect(course.value(at: .seconds(15)) == 110)
    #expect(course.value(at: .seconds(20)) == 120)
    #expect(course.value(at: .seconds(27)) == 113)
    #expect(course.value(at: .seconds(30)) == 110)
    #expect(course.value(at: .seconds(60)) == nil)
    #expect(course.value(at: .seconds(90)) == 80)
    #expect(course.value(at: .seconds(200)) == 60)
    #expect(course.value(at: .seconds(201)) == nil)
  }
}
