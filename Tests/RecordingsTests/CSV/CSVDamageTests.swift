import Recordings
import SessionStore
import Testing
import TextFormats
import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

private let fixture = """
  time,hr,steps,lat,lon,"distance (m)",note
  2026-11-20T07:00:00Z,120,3,46.77,23.59,0,"a ""b"", c"
  2026-11-20T07:00:01.5+00:00,121.5,,46.7701,23.59,2.5,
  2026-11-20T07:00:03Z,NaN,4,,,5e0,-
  2026-11-20T07:00:02Z,0,4,46.7702,23.59,,-
  1795158010,123,,,,,
  2026-11-20T07:00:12Z,124,1,-90,180,12.25,é

  """

/// Reads and replays a file; nil when it cannot be used.
private func replay(_ bytes: [UInt8], in folder: ScratchFolder) throws -> SessionSummary? {
  let path = try folder.write(bytes)
  let settings = try CoachingRequest.runner("z2", "moment:every=5").settings(on: nil)
  do {
    let recording = try Recording(path: path)
    var writer = JSONWriter()
    recording.facts.write(file: path, to: &writer)
    return try Replay.run(recording, settings: settings, pace: .events) { _, _ in }.engine.summary
  } catch is RecordingError {
    return nil
  }
}

private func check(_ summary: SessionSummary?, _ what: String) {
  guard let summary else { return }
  let covered = summary.inBand.reduce(into: SessionTime.zero) { $0 += $1.duration }
  #expect(covered + summary.noData == summary.active, "\(what)")
  #expect(summary.active <= summary.elapsed, "\(what)")
}

@Suite("Damaged CSV recordings")
struct CSVDamageTests {
  @Test("A recording cut at any byte is used up to the cut or refused")
  func truncation() throws {
    let folder = try ScratchFolder()
    let bytes = Array(fixture.utf8)
    var accepted = -1
    for cut in 0...bytes.count {
      let summary = try replay(Array(bytes[..<cut]), in: folder)
      check(summary, "cut at \(cut)")
      if let summary { accepted = summary.acceptedHeartRates }
    }
    #expect(accepted == 4)
  }

  @Test("No random change of bytes is a crash", arguments: 1...10 as ClosedRange<UInt64>)
  func flips(seed: UInt64) throws {
    let folder = try ScratchFolder()
    var dice = Dice(seed: seed)
    for round in 0..<200 {
      var bytes = Array(fixture.utf8)
      for _ in 0..<dice.whole(1...4) {
        let index = dice.whole(0...bytes.count - 1)
        switch dice.whole(0...3) {
        case 0: bytes[index] ^= 1 << UInt8(dice.whole(0...7))
        case 1: bytes[index] = UInt8(dice.whole(0...255))
        case 2: bytes[index] = dice.pick(Array("0123456789,.-+:TZe\"\n".utf8))
        default: bytes.insert(dice.pick(Array("0123456789,;\"\n".utf8)), at: index)
        }
      }
      check(try replay(bytes, in: folder), "seed \(seed), round \(round)")
    }
  }

  @Test(
    "Times at the ends of the range are no crash",
    arguments: [
      ("time", "2200-12-31T23:59:59Z", "1678-01-01T00:00:00Z"),
      ("time", "1678-01-01T00:00:00Z", "2200-12-31T23:59:59Z"), ("time_s", "9223372036", "-9223372036"),
      ("time_s", "-9223372036", "9223372036"), ("time_s", "9223372036.854775807", "-9223372036.854775808"),
      ("timestamp_ms", "9223372036854", "-9223372036854"), ("timestamp_ms", "1e300", "-1e300"),
      ("time", "9999:59", "0:00"), ("time", "9999:9999:59", "0:00"),
    ])
  func extremeTimes(name: String, first: String, second: String) throws {
    let folder = try ScratchFolder()
    check(try replay(Array("\(name),hr\n\(first),120\n\(second),121\n\(first),122\n".utf8), in: folder), "\(first)")
  }

  @Test("Values at the ends of the range are no crash", arguments: ["1e308", "-1e308", "1e-320", "9e18", "1e6", "-0"])
  func extremeValues(value: String) throws {
    let folder = try ScratchFolder()
    let header = "time_s,hr,steps,cadence,distance,speed,lat,lon,altitude,accuracy,acc_x,acc_y,acc_z"
    let row = Array(repeating: value, count: 12).joined(separator: ",")
    check(try replay(Array("\(header)\n0,\(row)\n1,\(row)\n2,\(row)\n".utf8), in: folder), value)
    let cumulative = "time_s,steps_cumulative,cadence,fractional_cadence\n0,\(value),\(value),\(value)\n1,1,1,1\n"
    check(try replay(Array(cumulative.utf8), in: folder), value)
  }
}
