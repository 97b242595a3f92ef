import SessionStore
import Testing
import TextFormats
import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("A log that lacks rows")
struct DamagedLogTests {
  private static let hearts = "time,at_s,heart_rate_bpm"
  private static let steps = "time,at_s,steps"
  private static let commands = "time,at_s,command,id,heart_rate_rows,steps_rows,location_rows,motion_rows,value"

  /// What a folder with these logs gives, a word each: `h` is a heart rate, `s` are steps.
  private func inputs(_ hearts: [String], _ steps: [String], _ commands: [String]) throws -> [String] {
    let folder = try ScratchFolder()
    let manifest = SessionManifest(
      sessionID: "s", start: .morning(), utcOffsetSeconds: 0, request: try .runner(),
      streams: SampleStream.recordable, durationLimit: nil)
    _ = try folder.write(try manifest.json(), "manifest.json")
    for (name, header, rows) in [
      ("heart_rate.csv", Self.hearts, hearts), ("steps.csv", Self.steps, steps),
      ("commands.csv", Self.commands, commands),
    ] {
      _ = try folder.write(([header] + rows).map { $0 + "\n" }.joined(), name)
    }
    var found: [String] = []
    _ = try SessionFolderRecording(path: folder.path).forEachInput { input in
      switch input {
      case .sample(let sample): found.append("\(sample.reading.stream == .steps ? "s" : "h")\(sample.time.seconds)")
      case .command(let command, let time): found.append("\(command.word) \(time.seconds)")
      case .advance(let time): found.append("clock \(time.seconds)")
      case .unplaced: found.append("unplaced")
      }
    }
    return found
  }

  private static func row(_ second: Int, _ value: Int) -> String {
    "\(WallClockTime.morning(Double(second))),\(second),\(value)"
  }

  /// The seconds of the rows: a pause is between the fourth and the fifth.
  private static let seconds = [0, 1, 2, 3, 11, 12]
  private static let counted = [",3,pause,,4,4,0,0,", ",10,resume,,4,4,0,0,", ",12,stop,,6,6,0,0,"]
  private static let whole = [
    "h0.0", "s0.0", "h1.0", "s1.0", "h2.0", "s2.0", "h3.0", "s3.0", "pause 3.0", "resume 10.0", "h11.0", "s11.0",
    "h12.0", "s12.0", "stop 12.0",
  ]

  @Test("keeps the pauses of the session, whichever row is gone", arguments: 0..<6)
  func missing(index: Int) throws {
    let hearts = Self.seconds.map { Self.row($0, 120) }
    let steps = Self.seconds.map { Self.row($0, 3) }
    #expect(try inputs(hearts, steps, Self.counted) == Self.whole)
    var left = hearts
    left.remove(at: index)
    #expect(
      try inputs(left, steps, Self.counted) == Self.whole.filter { $0 != "h\(Double(Self.seconds[index]))" })
    left = steps
    left.remove(at: index)
    #expect(
      try inputs(hearts, left, Self.counted) == Self.whole.filter { $0 != "s\(Double(Self.seconds[index]))" })
  }

  @Test("keeps them where several rows are gone on both sides")
  func several() throws {
    let hearts = [1, 3, 12].map { Self.row($0, 120) }
    let steps = [0, 11, 12].map { Self.row($0, 3) }
    #expect(
      try inputs(hearts, steps, Self.counted) == [
        "s0.0", "h1.0", "h3.0", "pause 3.0", "resume 10.0", "s11.0", "h12.0", "s12.0", "stop 12.0",
      ])
  }

  @Test(
    "keeps them where a row cannot be read",
    arguments: [
      "garbage,x,y", "2026-11-20T07:00:01Z,1,", "2026-11-20T07:00:01Z,1,x", "2026-11-20T07:00:01Z,1", "", "\"",
      "2026-11-20T07:00:01Z,99999999999,120",
    ])
  func unreadable(row: String) throws {
    let hearts = Self.seconds.map { $0 == 1 ? row : Self.row($0, 120) }
    let steps = Self.seconds.map { Self.row($0, 3) }
    #expect(try inputs(hearts, steps, Self.counted) == Self.whole.filter { $0 != "h1.0" })
    let otherHearts = Self.seconds.map { Self.row($0, 120) }
    let otherSteps = Self.seconds.map { $0 == 1 ? row : Self.row($0, 3) }
    #expect(try inputs(otherHearts, otherSteps, Self.counted) == Self.whole.filter { $0 != "s1.0" })
  }

  @Test("counts a row that cannot be read where it stands, so that what came late to a pause is still behind it")
  func place() throws {
    let hearts = [Self.row(0, 120), "garbage,x,y", Self.row(3, 120), Self.row(2, 120), Self.row(11, 120)]
    #expect(
      try inputs(hearts, [], [",3,pause,,3,0,0,0,", ",10,resume,,4,0,0,0,", ",11,stop,,5,0,0,0,"]) == [
        "h0.0", "h3.0", "pause 3.0", "h2.0", "resume 10.0", "h11.0", "stop 11.0",
      ])
  }

  @Test("is none where a row is later than what came after it: the counts say where that was")
  func ahead() throws {
    let hearts = [0, 1, 5].map { Self.row($0, 120) }
    #expect(
      try inputs(hearts, [Self.row(20, 3)], [",10,clock,,2,1,0,0,", ",20,stop,,3,1,0,0,"]) == [
        "h0.0", "h1.0", "s20.0", "clock 10.0", "h5.0", "stop 20.0",
      ])
  }
}
