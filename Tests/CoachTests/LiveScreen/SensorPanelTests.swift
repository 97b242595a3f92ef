import TestSupport
import Testing
import TextFormats
@testable import WorkoutSession
import ZoneEngine
@testable import coach

@Suite("The sensors on the live screen")
struct SensorPanelTests {
  private func session(_ lines: [String], streams: [SampleStream] = SampleStream.recordable) throws -> LiveSession {
    let settings = try TerminalFixture.request().settings(on: nil)
    var configuration = LiveConfiguration(settings: settings, clock: .samples, streams: streams, durationLimit: nil)
    configuration.watchesStreams = true
    var session = LiveSession(configuration)
    var (log, events): ([LiveSession.RawEntry], [SessionEvent]) = ([], [])
    let arrival = WallClockTime(nanoseconds: 1_767_254_400_000_000_000)
    for line in lines {
      try session.take(
        LiveLine(line.utf8.span), from: LiveFeed(source: 0), arrival: arrival,
        log: &log, into: &events)
    }
    return session
  }

  @Test("Every sensor is read out, and of one that does not send it is said that it is not there")
  func readOut() throws {
    let motion = (0...50).map { index in
      #"{"type":"motion","atSeconds":\#(Double(index) / 20),"acceleration":[0.1,-0.98,0.05],"rotationRate":[0,0.5,-0.25]}"#
    }
    let session = try session(
      [#"{"type":"heartRate","atSeconds":0,"beatsPerMinute":120}"#] + motion
        + [
          #"{"type":"location","atSeconds":2,"latitude":52.5,"longitude":13.25,"horizontalAccuracyMeters":4.6,"courseDegrees":182.4,"verticalAccuracyMeters":4}"#,
          #"{"type":"heartRate","atSeconds":8,"beatsPerMinute":121}"#,
        ])
    #expect(
      SensorPanel(try #require(session.streams), session.pipeline, units: .metric).lines == [
        "heart rate           121 bpm",
        "times between beats  not there",
        "steps                not there",
        "position             52.50000°, 13.25000°, ±5 m, 6 s ago",
        "direction            course 182°, altitude ±4 m, 6 s ago",
        "acceleration         0.10  -0.98  0.05 g, 6 s ago",
        "turning rate         0.00  0.50  -0.25 rad/s, 6 s ago",
        "magnetic field       not there",
      ])
  }

  @Test("A barometer is read out where there is one")
  func barometer() throws {
    let session = try session([
      #"{"type":"heartRate","atSeconds":0,"beatsPerMinute":120}"#,
      #"{"type":"altitude","atSeconds":1,"altitudeMeters":34}"#,
    ])
    let lines = SensorPanel(try #require(session.streams), session.pipeline, units: .metric).lines
    #expect(lines.contains("altitude             34 m high"))
    #expect(lines.contains("position             not there"))
  }

  @Test("A stream that is not recorded says so")
  func notRecorded() throws {
    let session = try session(
      [#"{"type":"heartRate","atSeconds":0,"beatsPerMinute":120}"#], streams: [.heartRate, .motion])
    let lines = SensorPanel(try #require(session.streams), session.pipeline, units: .metric).lines
    #expect(lines.count { $0.hasSuffix("not recorded") } == 3)
    #expect(lines.count { $0.hasSuffix("not there") } == 4)
  }

  @Test("The key i shows the sensors, and any key goes back")
  func key() {
    var dialog = LiveDialog.none
    #expect(dialog.take(.character("i"), hasStarted: true, isPaused: false) == nil)
    #expect(dialog == .sensors)
    #expect(dialog.take(.character("q"), hasStarted: true, isPaused: false) == nil)
    #expect(dialog == .none)
  }
}
