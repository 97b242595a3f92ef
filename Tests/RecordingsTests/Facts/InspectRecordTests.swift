import Recordings
import Testing
import TextFormats
import ZoneEngine
@testable import WorkoutTestSupport

private func record(_ text: String) throws -> String {
  let folder = try ScratchFolder()
  var writer = JSONWriter()
  try CSVRecording(path: folder.write(text)).facts.write(file: "run.csv", to: &writer)
  return writer.text
}

@Suite("Inspect record")
struct InspectRecordTests {
  @Test("Every stream has the keys of the contract, before any filtering")
  func allKeys() throws {
    let text = """
      time,hr,steps,lat,lon,distance,acc_x,acc_y,acc_z,mood
      2026-11-20T07:00:00Z,120,3,46.77,23.59,0,0,0,1,good
      2026-11-20T07:00:00.5Z,0,,,,,0,0,1,
      2026-11-20T07:00:01Z,250,4,46.7701,23.59,2.5,0,0,1,
      2026-11-20T07:00:09Z,121.5,,,,20.25,,,,

      """
    let meters = Geodesic.distance(
      try #require(Coordinate(latitudeDegrees: 46.77, longitudeDegrees: 23.59)),
      try #require(Coordinate(latitudeDegrees: 46.7701, longitudeDegrees: 23.59)))
    #expect(
      try record(text)
        == #"{"version":1,"type":"recording","file":"run.csv","format":"csv","activities":1,"#
        + #""startTime":"2026-11-20T07:00:00Z","endTime":"2026-11-20T07:00:09Z","elapsedSeconds":9,"#
        + #""heartRate":{"count":3,"sum":491.5,"minimum":120,"maximum":250,"mean":163.83333333333334,"first":120,"#
        + #""last":121.5,"largestGapSeconds":8},"steps":{"count":2,"total":7},"#
        + #""location":{"count":2,"distanceMeters":\#(meters)},"motion":{"count":3,"rateHz":2},"#
        + #""recordedDistanceMeters":20.25,"pauses":[],"#
        + #""warnings":[{"kind":"unknownColumns","position":"line 1","count":1,"detail":"mood"},"#
        + #"{"kind":"guessedUnit","position":"line 1","count":1,"detail":"acceleration in g"}]}"# + "\n")
  }

  @Test("Streams that are absent are absent keys")
  func absentStreams() throws {
    #expect(
      try record("time_s,hr\n0,120\n")
        == #"{"version":1,"type":"recording","file":"run.csv","format":"csv","activities":1,"elapsedSeconds":0,"#
        + #""heartRate":{"count":1,"sum":120,"minimum":120,"maximum":120,"mean":120,"first":120,"last":120,"#
        + #""largestGapSeconds":0},"pauses":[],"warnings":[]}"# + "\n")
    #expect(
      try record("time_s,steps\n0,120\n5,1\n")
        == #"{"version":1,"type":"recording","file":"run.csv","format":"csv","activities":1,"elapsedSeconds":5,"#
        + #""steps":{"count":2,"total":121},"pauses":[],"warnings":[]}"# + "\n")
  }

  @Test("Zeros alone are no heart rate")
  func zeros() throws {
    #expect(try record("time_s,hr\n0,0\n5,0\n").contains("heartRate") == false)
  }

  @Test("A heart rate that sticks is flagged with its first second, and nothing of it is left out")
  func stuck() throws {
    let rows = (0..<400).map { "\($0),\((100..<250).contains($0) ? 127 : 120 + $0 % 7)\n" }.joined()
    let text = try record("time_s,hr\n" + rows)
    #expect(text.contains(#""heartRate":{"count":400,"#))
    #expect(text.contains(#""warnings":[{"kind":"stuckSignal","position":"second 100","count":1}]"#))
    let honest = (0..<400).map { "\($0),\((100..<219).contains($0) ? 127 : 120 + $0 % 7)\n" }.joined()
    #expect(try record("time_s,hr\n" + honest).contains(#""warnings":[]"#))
  }

  @Test("A heart rate that jumps onto the steps is flagged, whether a device reports the cadence or the steps")
  func cadenceLock() throws {
    let rows = (0..<120).map { "\($0),\($0 < 30 ? 125 + $0 % 5 : 169 + $0 % 2),170,\n" }.joined()
    let text = try record("time_s,hr,cadence,steps\n" + rows)
    #expect(text.contains(#""warnings":[{"kind":"cadenceLock","position":"second 32","count":1}]"#))
    // 17 steps in 6 s are 170 a minute.
    let counted = (0..<120).map { second in
      "\(second),\(second < 30 ? 125 + second % 5 : 169 + second % 2),,\(second.isMultiple(of: 6) ? "17" : "")\n"
    }
    let steps = try record("time_s,hr,cadence,steps\n" + counted.joined())
    #expect(steps.contains(#""kind":"cadenceLock","position":"second 32","count":1"#))
  }
}
