@testable import Recordings
import TestSupport
import Testing
@testable import TextFormats
import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("Times that are not of a recording")
struct StrayTimesTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private static func kept(_ seconds: [Int]) -> [Int]? {
    var strays = StrayTimes()
    for second in seconds { strays.admit(Int64(second) * 1_000_000_000) }
    return strays.kept().map { [Int($0.lowerBound / 1_000_000_000), Int($0.upperBound / 1_000_000_000)] }
  }

  @Test("are one or two at either end that lie further from it than six hours, and than it takes")
  func rule() {
    let run = Array(100_000...100_100)
    #expect(Self.kept(run) == nil)
    #expect(Self.kept([]) == nil)
    #expect(Self.kept([5] + run) == [100_000, 100_100])
    #expect(Self.kept([5, 5, 5, 5] + run) == [100_000, 100_100], "one instant, however many readings it has")
    #expect(Self.kept([-1_700_000_000, 6] + run + [900_000, 950_000]) == [100_000, 100_100])
    #expect(Self.kept([5, 6, 7] + run) == nil, "three are a course")
    #expect(Self.kept([5, 40_000, 70_000] + run) == nil, "three are not left out, however they lie")
    #expect(Self.kept([100_000 - 21_600] + run) == nil)
    #expect(Self.kept([100_000 - 21_601] + run) == [100_000, 100_100])
    #expect(Self.kept([5] + run + [100_100 + 21_601]) == [100_000, 100_100])
  }

  @Test("are none in a sparse recording, whose own silences are as long")
  func sparse() {
    #expect(Self.kept((0..<20).map { $0 * 30_000 }) == nil)
    let days = (0..<5).flatMap { day in (0..<100).map { day * 86_400 + 60 * $0 } }
    #expect(Self.kept(days + [4 * 86_400 + 50_000]) == nil, "a step late in the evening")
    #expect(Self.kept([-900_000] + days) == [0, days[days.count - 1]])
  }

  @Test("are any number that lie alone, a month and more from all else, where they are few beside the recording")
  func many() {
    let day = 86_400
    let run = Array(100_000_000...100_000_100)
    let (early, late) = ((0..<5).map { $0 * 100 * day / 10 }, (0..<5).map { 200_000_000 + 115 * day * $0 })
    #expect(Self.kept(run + late) == [100_000_000, 100_000_100])
    #expect(Self.kept(early + run) == [100_000_000, 100_000_100])
    #expect(Self.kept(early + run + late) == [100_000_000, 100_000_100])
    #expect(Self.kept(early + [90_000_000] + run + late) == nil, "too many to be damage")
    let sparse = [10, 20, 40].map { 100_000_100 + $0 * day }
    #expect(Self.kept(run + sparse) == nil)
    #expect(Self.kept(run + sparse + [100_000_100 + 71 * day]) == [100_000_000, 100_000_100 + 40 * day])
    #expect(Self.kept(run + [200_000_000, 200_000_001, 200_000_002]) == nil, "three are a course")
  }

  private static let formats = ["fit", "gpx", "tcx", "csv"]

  private static func time(_ second: Int) -> WallClockTime { WallClockTime(nanoseconds: FIT.wall(FIT.start + second)) }

  /// A recording with a heart rate at seconds from the start of the run.
  private func recording(_ format: String, _ seconds: [Int]) throws -> Recording {
    func heartRate(_ second: Int) -> Int { 120 + abs(second) % 7 }
    switch format {
    case "fit":
      var builder = FITBuilder()
      builder.define(0, message: FIT.record, [FIT.time, FIT.heartRate])
      for second in seconds { builder.message(0, [.integer(FIT.start + second), .integer(heartRate(second))]) }
      return try Recording(path: folder.write(builder.file(), "a.fit"))
    case "gpx":
      let points = seconds.map { second in
        "<trkpt lat=\"46.5\" lon=\"7.5\"><time>\(Self.time(second))</time>"
          + XMLFixture.garmin("\(heartRate(second))") + "</trkpt>"
      }
      return try Recording(
        path: folder.write(XMLFixture.gpx("<trk><trkseg>\(points.joined())</trkseg></trk>"), "a.gpx"))
    case "tcx":
      let points = seconds.map { second in
        "<Trackpoint><Time>\(Self.time(second))</Time><HeartRateBpm><Value>\(heartRate(second))</Value></HeartRateBpm>"
          + "</Trackpoint>"
      }
      let lap =
        "<Lap StartTime=\"\(Self.time(0))\"><TotalTimeSeconds>119</TotalTimeSeconds>"
        + "<Track>\(points.joined())</Track></Lap>"
      return try Recording(path: folder.write(XMLFixture.tcx(XMLFixture.activity("Running", lap)), "a.tcx"))
    default:
      let rows = seconds.map { "\(FIT.start + FIT.epoch + $0),\(heartRate($0))\n" }
      return try Recording(path: folder.write("time,hr\n" + rows.joined(), "a.csv"))
    }
  }

  private func inputs(_ recording: Recording) throws -> [RecordedInput] {
    var inputs: [RecordedInput] = []
    try recording.forEachInput { inputs.append($0) }
    return inputs
  }

  @Test(
    "decide neither start nor end nor how long it took, in any format, and a warning counts them", arguments: formats)
  func everyFormat(format: String) throws {
    let (run, far) = (Array(0..<120), 200_000_000)
    let clean = try recording(format, run)
    #expect(clean.facts.elapsed == .seconds(119))
    // A CSV is read again each time, and the next one is written over it.
    let expected = try inputs(clean)
    for seconds in [[-far] + run, run + [far], [-far, 1 - far] + run + [far], [far] + run, run + [-far]] {
      let odd = try recording(format, seconds)
      #expect(odd.facts.start == clean.facts.start, "\(seconds.count)")
      #expect(odd.facts.elapsed == clean.facts.elapsed, "\(seconds.count)")
      #expect(odd.facts.sampleCount == clean.facts.sampleCount, "\(seconds.count)")
      #expect(odd.facts.pauses.isEmpty, "\(seconds.count)")
      #expect(try inputs(odd) == expected, "\(seconds.count)")
      let warnings = odd.facts.warnings.filter { $0.kind == .implausibleTime }
      #expect(warnings.map(\.count) == [seconds.count - run.count], "\(seconds.count)")
      #expect(!odd.facts.warnings.contains { $0.kind == .clockJump }, "\(seconds.count)")
    }
    let first = try recording(format, [-far] + run).facts.warnings.first { $0.kind == .implausibleTime }
    #expect(first?.position == (format == "csv" ? "line 2" : "time \(Self.time(-far))"))
  }

  private static let tracks = ["fit", "gpx", "tcx"]

  @Test("are any number of points that leave the times of the file and come back, early or late", arguments: tracks)
  func places(format: String) throws {
    let strays = [
      5: 20_000, 17: 40_000, 18: -50_000, 40: 200_000_000, 60: 300_000_000, 77: -90_000, 93: 1_000_000, 110: 20_003,
    ]
    let clean = try recording(format, (0..<120).filter { strays[$0] == nil })
    let expected = try inputs(clean)
    let odd = try recording(format, (0..<120).map { strays[$0] ?? $0 })
    #expect(odd.facts.start == clean.facts.start)
    #expect(odd.facts.elapsed == .seconds(119))
    #expect(odd.facts.sampleCount == clean.facts.sampleCount)
    #expect(odd.facts.pauses.isEmpty)
    #expect(try inputs(odd) == expected)
    #expect(odd.facts.warnings.map(\.kind) == [.outOfOrder, .implausibleTime])
    #expect(odd.facts.warnings.last?.count == strays.count)
    #expect(odd.facts.warnings.last?.position == "time \(Self.time(-90_000))")
  }

  @Test("are none where so many leave the times of the file that nobody knows which are its own", arguments: tracks)
  func tooMany(format: String) throws {
    let odd = try recording(format, (0..<120).map { $0 % 10 == 5 ? 20_000 + $0 : $0 })
    #expect(odd.facts.elapsed == .seconds(20_115))
    #expect(odd.facts.warnings.map(\.kind) == [.outOfOrder])
  }

  @Test("are several different ones at the end of a file", arguments: tracks)
  func end(format: String) throws {
    let clean = try recording(format, Array(0..<100))
    let odd = try recording(format, Array(0..<100) + (0..<5).map { 1_000_000_000 + 10_000_000 * $0 })
    #expect(odd.facts.elapsed == .seconds(99))
    #expect(try inputs(odd) == inputs(clean))
    #expect(odd.facts.warnings.map(\.kind) == [.implausibleTime])
    #expect(odd.facts.warnings.map(\.count) == [5])
    #expect(odd.facts.warnings.map(\.position) == ["time \(Self.time(1_000_000_000))"])
  }

  private static func segment(_ seconds: [Int]) -> String {
    let points = seconds.map { "<trkpt lat=\"46.5\" lon=\"7.5\"><time>\(time($0))</time></trkpt>" }
    return "<trkseg>\(points.joined())</trkseg>"
  }

  private static func track(_ seconds: [Int]) -> String {
    let points = seconds.map { second in
      "<Trackpoint><Time>\(time(second))</Time><HeartRateBpm><Value>\(120 + second % 7)</Value></HeartRateBpm>"
        + "</Trackpoint>"
    }
    return "<Track>\(points.joined())</Track>"
  }

  private func pauses(_ facts: RecordingFacts) -> [[Double]] {
    facts.pauses.map { [$0.from.seconds, $0.until.seconds] }
  }

  @Test("are not segments that stand in another order, however few points one has")
  func segments() throws {
    let segments = [Array(40_000..<40_060), [20_000, 20_001], Array(0..<60)].map(Self.segment)
    let facts = try Recording(path: folder.write(XMLFixture.gpx("<trk>\(segments.joined())</trk>"), "b.gpx")).facts
    #expect(facts.elapsed == .seconds(40_059))
    #expect(facts.warnings.map(\.kind) == [.outOfOrder])
    #expect(pauses(facts) == [[59, 20_000], [20_001, 40_000]])
  }

  @Test("of the first point of a segment or track leave the pause before it as long as it was")
  func pause() throws {
    for stray in [900_000_000, -300_000_000] {
      let segments = Self.segment(Array(0..<60)) + Self.segment([stray] + Array(81..<140))
      let facts = try Recording(path: folder.write(XMLFixture.gpx("<trk>\(segments)</trk>"), "b.gpx")).facts
      #expect(facts.elapsed == .seconds(139))
      #expect(pauses(facts) == [[59, 81]], "\(stray)")
      #expect(facts.warnings.map(\.kind) == [.outOfOrder, .implausibleTime])
    }
    let tracks = Self.track(Array(0..<60)) + Self.track([900_000_000] + Array(81..<140))
    let lap = "<Lap StartTime=\"\(Self.time(0))\">\(tracks)</Lap>"
    let tcx = XMLFixture.tcx(XMLFixture.activity("Running", lap))
    let facts = try Recording(path: folder.write(tcx, "b.tcx")).facts
    #expect(facts.elapsed == .seconds(139))
    #expect(pauses(facts) == [[59, 81]])
    #expect(facts.warnings.map(\.kind) == [.outOfOrder, .implausibleTime])
  }

  @Test("in a lap leave its pauses, which follow from its time, as they were")
  func laps() throws {
    func tcx(_ second: [Int]) -> String {
      let laps = [Array(0..<60), second, Array(200..<260)].enumerated().map { number, seconds in
        "<Lap StartTime=\"\(Self.time(number * 100))\"><TotalTimeSeconds>60</TotalTimeSeconds>\(Self.track(seconds))</Lap>"
      }
      return XMLFixture.tcx(XMLFixture.activity("Running", laps.joined()))
    }
    let second = Array(100..<130) + Array(160..<190)
    let clean = try Recording(path: folder.write(tcx(second), "a.tcx")).facts
    #expect(pauses(clean).contains([129, 160]))
    for stray in [900_000_000, -300_000_000] {
      var odd = second
      odd.insert(stray, at: 40)
      let facts = try Recording(path: folder.write(tcx(odd), "b.tcx")).facts
      #expect(facts.pauses == clean.pauses, "\(stray)")
      #expect(facts.elapsed == clean.elapsed, "\(stray)")
    }
  }

  @Test("of a table that comes through a pipe, and of one of several people, are left out too")
  func readOnce() throws {
    let text = "time,hr\n5,118\n" + (0..<60).map { "\(1_700_000_000 + $0),\(120 + $0 % 5)\n" }.joined()
    let file = try POSIXFile(reading: folder.write(text))
    let piped = try CSVRecording(path: "pipe", form: .lines, person: nil, once: file)
    #expect(piped.facts.start?.nanoseconds == 1_700_000_000_000_000_000)
    #expect(piped.facts.elapsed == .seconds(59))
    var times: [SessionTime] = []
    try piped.forEachSample { times.append($0.time) }
    #expect(times == (0..<60).map { .seconds($0) })
    #expect(piped.facts.warnings.map(\.kind) == [.implausibleTime])
    #expect(piped.facts.warnings.map(\.position) == ["time 1970-01-01T00:00:05Z"])

    let people =
      "Id,Time,Value\n1,1/1/1970 7:00:00 AM,99\n"
      + (10..<20).map { "1,4/12/2016 7:00:\($0) AM,90\n2,4/12/2016 7:00:\($0) AM,91\n" }.joined()
    let whole = try Recording(path: folder.write(people, "people.csv"))
    try whole.forEachPerson { person, alone in
      #expect(alone.facts.elapsed == .seconds(9), "\(person)")
      let isStray = alone.facts.warnings.contains { $0.kind == .implausibleTime }
      #expect(isStray == (person == "1"), "\(person)")
      let chosen = try Recording(path: folder.path + "/people.csv", person: person)
      #expect(chosen.facts.elapsed == .seconds(9), "\(person)")
      #expect(chosen.facts.start == alone.facts.start, "\(person)")
    }
  }

  @Test("do not decide whether a table has times of the day", arguments: ["time", "timestamp"])
  func clock(name: String) throws {
    let rows = (0..<10).map { "\(1_700_000_000 + $0),\(120 + $0)\n" }.joined()
    let facts = try Recording(path: folder.write("\(name),hr\n0,118\n" + rows)).facts
    #expect(facts.start?.nanoseconds == 1_700_000_000_000_000_000)
    #expect(facts.warnings.map(\.detail) == ["time 1970-01-01T00:00:00Z"])
  }

  @Test("of another century are left out as well, and not what follows them")
  func anotherCentury() throws {
    let rows = (0..<10).map { "2026-11-20T07:00:0\($0)Z,\(120 + $0)\n" }.joined()
    let facts = try Recording(path: folder.write("time,hr\n1899-12-30T00:00:00Z,118\n" + rows)).facts
    #expect(facts.start.map { "\($0)" } == "2026-11-20T07:00:00Z")
    #expect(facts.elapsed == .seconds(9))
    #expect(facts.warnings.map(\.kind) == [.implausibleTime])
    #expect(facts.warnings.map(\.position) == ["line 2"])
  }

  @Test("of labels change none that holds in the recording")
  func labels() throws {
    let rows = (0..<10).map { "\(1_700_000_000 + $0),0,0,1,\($0 < 5 ? "walking" : "running")\n" }.joined()
    let text = "time,acc_x_g,acc_y_g,acc_z_g,label\n7,0,0,1,standing\n" + rows
    let facts = try Recording(path: folder.write(text)).facts
    #expect(facts.labels.changes.map(\.text) == ["walking", "running"])
    #expect(facts.labels.changes.map(\.time.seconds) == [0, 5])
  }
}
