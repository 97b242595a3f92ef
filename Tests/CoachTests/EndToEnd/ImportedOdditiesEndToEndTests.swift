import Foundation
import Testing
@testable import WorkoutTestSupport

@Suite("The program: what is odd about a file that is imported")
struct ImportedOdditiesEndToEndTests {
  private let program: CoachProgram

  init() throws { program = try CoachProgram() }

  private func imported(_ paths: String...) throws -> CoachProgram.Outcome {
    try program.run(["import", "--age", "30", "--target", "z2", "--format", "jsonl"] + paths)
  }

  @Test("A heart rate that may be something else is said once, when it is added")
  func stuck() throws {
    let rows = (0..<600).map { "\(1_700_000_000 + $0),\(243 + $0 % 2)\n" }.joined()
    let path = try program.folder.write("time,hr\n" + rows, to: "stuck.csv")
    let first = try imported(path)
    #expect(first.status == 0)
    #expect(first.output.contains(#""status":"added""#))
    #expect(first.isOneComplaint, "\(first.errors)")
    #expect(first.errors.contains("is it the heart?"), "\(first.errors)")
    let second = try imported(path)
    #expect(second.output.contains(#""status":"duplicate""#))
    #expect(second.errors.isEmpty, "\(second.errors)")
  }

  @Test("A file with one point of 1970 is the workout that is there, and says nothing more of it")
  func strayPoint() throws {
    func run(_ points: [String]) -> String {
      let track = points.enumerated().map { index, time in
        "<Trackpoint><Time>\(time)</Time><HeartRateBpm><Value>\(120 + index % 7)</Value></HeartRateBpm></Trackpoint>"
      }
      return """
        <?xml version="1.0"?><TrainingCenterDatabase><Activities><Activity Sport="Running">\
        <Lap StartTime="2026-03-01T10:00:00Z"><TotalTimeSeconds>599</TotalTimeSeconds>\
        <Track>\(track.joined())</Track></Lap></Activity></Activities></TrainingCenterDatabase>
        """
    }
    let times = (0..<600).map { "2026-03-01T10:0\($0 / 60):\($0 % 60 < 10 ? "0" : "")\($0 % 60)Z" }
    let good = try program.folder.write(run(times), to: "good.tcx")
    #expect(try imported(good).output.contains(#""status":"added""#))
    let odd = try program.folder.write(
      run(times).replacing("<Track>", with: "<Track><Trackpoint><Time>1970-01-01T00:00:05Z</Time></Trackpoint>"),
      to: "odd.tcx")
    let again = try imported(odd)
    #expect(again.output.contains(#""status":"duplicate""#), "\(again.output)")
    #expect(again.output.contains(#""reason":"the same workout is there""#), "\(again.output)")
    #expect(again.errors.contains("time 1970-01-01T00:00:05Z: readings with a time that is not"), "\(again.errors)")
    let sessions = try program.run(["history", "list", "--format", "jsonl"])
    #expect(sessions.lines.count == 1)
    #expect(sessions.output.contains(#""startTime":"2026-03-01T10:00:00Z""#), "\(sessions.output)")
  }

  @Test("Positions that are too far apart for what a session is called are counted, whatever sport the file states")
  func fastWalk() throws {
    let points = (0..<120).map { second in
      let time = "2026-03-01T10:0\(second / 60):\(second % 60 < 10 ? "0" : "")\(second % 60)Z"
      return "<trkpt lat=\"\(46 + 0.000108 * Double(second))\" lon=\"7.5\"><time>\(time)</time></trkpt>"
    }
    let gpx = "<gpx version=\"1.1\" creator=\"t\"><trk><trkseg>\(points.joined())</trkseg></trk></gpx>"
    let path = try program.folder.write(gpx, to: "walk.gpx")
    let words = "second 1: positions that are too far apart for the sport count for no distance (119: of 120 positions"
    let walk = ["--age", "30", "--target", "z2", "--activity", "walking", "--format", "jsonl", path]
    let replayed = try program.run(["replay"] + walk)
    #expect(replayed.errors.contains(words), "\(replayed.errors)")
    let first = try program.run(["import"] + walk)
    #expect(first.status == 0, "\(first.errors)")
    #expect(first.isOneComplaint, "\(first.errors)")
    #expect(first.errors.contains(words), "\(first.errors)")
    #expect(first.output.contains(#""notices":["\#(words)"#), "\(first.output)")
    let second = try program.run(["import"] + walk)
    #expect(second.output.contains(#""status":"duplicate""#), "\(second.output)")
    #expect(second.errors.isEmpty, "\(second.errors)")
  }

  @Test("A table without a time of day is refused with what to do, alone and in a folder")
  func noTimeOfDay() throws {
    let reason = "it states no time of day: say when it began with --start"
    let rides = program.folder.url.appendingPathComponent("rides").path
    try FileManager.default.createDirectory(atPath: rides, withIntermediateDirectories: true)
    let path = try program.folder.write(risingCSV(seconds: 10), to: "rides/a.csv")
    _ = try program.folder.write("time,hr\n1700000000,120\n1700000001,121\n1700000002,122\n", to: "rides/b.csv")
    let alone = try imported(path)
    #expect(alone.status == 65)
    #expect(alone.errors == "coach: \(path): \(reason)\n")
    #expect(alone.output.contains("\"status\":\"refused\",\"reason\":\"\(reason)\""), "\(alone.output)")
    let both = try imported(rides)
    #expect(both.status == 65)
    #expect(both.lines.map { $0.contains(#""status":"added""#) } == [false, true], "\(both.output)")
    #expect(both.errors == "coach: \(path): \(reason)\n")
    let placed = try program.run(
      ["import", path, "--age", "30", "--target", "z2", "--start", "2026-03-01T10:00:00Z"])
    #expect(placed.status == 0, "\(placed.errors)")
  }

  @Test("A hyphen is the standard output for every file that is exported")
  func hyphen() throws {
    let named = try program.run(["plan", "export", "10min z2", "--as", "json", "--output", "-"])
    #expect(named.status == 0, "\(named.errors)")
    #expect(named.output == (try program.run(["plan", "export", "10min z2", "--as", "json"]).output))
    #expect(named.output.contains("steps"))
  }
}
