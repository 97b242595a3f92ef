import TestSupport
import Testing
@testable import TextFormats
@testable import WorkoutSession
import ZoneEngine

/// Lines as they are sent on.
struct LiveLineTextTests {
  @Test(
    "A line that is written is read as the same line",
    arguments: [
      #"{"type":"heartRate","time":"2026-11-20T07:00:00.25Z","beatsPerMinute":142.5,"source":"strap","rrMilliseconds":[812,798.5]}"#,
      #"{"type":"heartRate","atSeconds":0.1,"beatsPerMinute":0}"#,
      #"{"type":"steps","atSeconds":3,"count":17}"#,
      #"{"type":"location","atSeconds":3,"latitude":-0.1,"longitude":179.25,"altitudeMeters":-3,"speedMetersPerSecond":2.5}"#,
      #"{"type":"motion","atSeconds":3,"acceleration":[0.1,-1,1e-7],"magneticField":[1,2,3]}"#,
      #"{"type":"motion","atSeconds":3,"rateHz":100,"acceleration":[[0,0,1],[0,0.5,1]],"rotationRate":[[1,2,3],[4,5,6]]}"#,
      #"{"type":"command","id":"a \"1\"","command":"pause","issuedAt":"2026-11-20T07:00:00Z"}"#,
      #"{"type":"command","id":"2","command":"lap","atSeconds":90}"#,
      #"{"type":"altitude","atSeconds":2.5,"source":"barometer","altitudeMeters":-3.25}"#,
      #"{"type":"command","id":"3","command":"target","target":"140-150"}"#,
      #"{"type":"command","id":"4","command":"strategy","strategy":"moment:every=120"}"#,
    ])
  func roundTrip(text: String) throws {
    let bytes = Array(text.utf8)
    let line = try LiveLine(bytes.span)
    var writer = JSONWriter()
    #expect(line.write(to: &writer))
    let written = Array(writer.bytes.dropLast())
    let again = try LiveLine(written.span)
    #expect(again == line, "\(writer.text)")
  }

  @Test("What the protocol has no line for is not written")
  func unsendable() throws {
    let stamp = Stamp.session(.zero)
    let direction = try #require(DirectionReading([nil, nil, 90, nil, nil, nil]))
    for reading in [Reading.cadence(170), .distance(5), .speed(3), .rrInterval(800), .direction(direction)] {
      var writer = JSONWriter()
      #expect(!LiveLine.sample(reading, at: stamp, source: nil).write(to: &writer))
      #expect(writer.bytes.isEmpty)
    }
    var writer = JSONWriter()
    #expect(!LiveLine.refused(id: "1", .unknownCommand, problem: "").write(to: &writer))
  }
}
