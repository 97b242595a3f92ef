import LiveCoaching
import Recordings
import SessionStore
import Testing
import TextFormats
import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("Numbers that a log holds")
struct LoggedNumberTests {
  /// A line of each type for each of its numbers, with `#` for the number.
  private static let lines =
    [
      #"{"type":"heartRate","atSeconds":60,"beatsPerMinute":#}"#,
      #"{"type":"altitude","atSeconds":60,"altitudeMeters":#}"#,
      #"{"type":"location","atSeconds":60,"altitudeMeters":#}"#,
      #"{"type":"motion","atSeconds":60,"acceleration":[0,#,1]}"#,
      #"{"type":"motion","atSeconds":60,"acceleration":[0,0,1],"rotationRate":[#,0,0]}"#,
      #"{"type":"motion","atSeconds":60,"magneticField":[0,0,#]}"#,
      #"{"type":"motion","atSeconds":60,"rateHz":2,"acceleration":[[0,0,1],[0,#,1],[0,0,1]]}"#,
    ] + position
  private static let position = [
    "altitudeMeters", "horizontalAccuracyMeters", "speedMetersPerSecond", "verticalAccuracyMeters",
    "speedAccuracyMetersPerSecond", "courseDegrees", "courseAccuracyDegrees", "headingDegrees",
    "headingAccuracyDegrees",
  ].map { #"{"type":"location","atSeconds":60,"latitude":52.5,"longitude":13.4,"\#($0)":#}"# }

  /// A session of two minutes to which one odd line comes, recorded in a folder.
  private struct Run {
    let badLines: [LiveReport.BadLine]
    let live: [String]
    let replayed: [String]
    let warnings: [String]
    private let folder: ScratchFolder

    init(_ odd: String, motionLog: MotionLogFormat = .csv) async throws {
      folder = try ScratchFolder()
      let request = try CoachingRequest.runner()
      let settings = try request.settings(on: nil)
      let place = StoredPath(dataFolder: folder.path)
      let session = SoleSession(
        LiveConfiguration(settings: settings, clock: .samples, streams: SampleStream.recordable, durationLimit: nil),
        dataFolder: place,
        recording: LiveRecording(
          dataFolder: place, request: SessionRequest(coaching: request, person: nil), random: 1, motionLog: motionLog))
      let usual = { (second: Int) in
        #"{"type":"heartRate","atSeconds":\#(second),"beatsPerMinute":\#(120 + second % 7)}"# + "\n"
          + #"{"type":"location","atSeconds":\#(second),"latitude":52.5,"longitude":13.4,"altitudeMeters":34}"# + "\n"
      }
      let text = (0..<60).map(usual).joined() + odd + "\n" + (61..<120).map(usual).joined()
      let report = await session.feed(Array(text.utf8), now: .morning(3))
      let last = await session.end(.endOfInput, now: .morning(3))
      badLines = report.badLines
      live = commonRecords(report.events + last.events, last.session.pipeline)
      let recording = try SessionFolderRecording(path: try #require(await session.folder))
      var events: [SessionEvent] = []
      let (pipeline, found) = try Replay.run(recording, settings: settings, pace: .events) { events += $1 }
      replayed = commonRecords(events, pipeline)
      warnings = found.map { "\($0)" }
    }
  }

  @Test(
    "A number of a line is read from its log as what it was, so that a replay decides the same", arguments: lines,
    [
      "1000000000000000", "-1000000000000000", "1e15", "999999999999999.9", "123456789012345.6", "5e-324", "-1e-7",
      "-0.0",
    ])
  func held(line: String, number: String) async throws {
    let odd = line.replacing("#", with: number)
    for motionLog in odd.contains("motion") ? [MotionLogFormat.csv, .binary] : [.csv] {
      let run = try await Run(odd, motionLog: motionLog)
      #expect(run.badLines.isEmpty, "\(odd)")
      #expect(run.warnings.isEmpty, "\(odd): \(run.warnings)")
      #expect(run.replayed == run.live, "\(odd)")
    }
  }

  @Test(
    "A line with a number that no log holds is a bad line, and the rest of the session is read as it was decided",
    arguments: lines, ["1000000000000001", "9e15", "1e16", "-1e16", "1e300", "-1e300", "1.7976931348623157e308"])
  func beyond(line: String, number: String) async throws {
    let odd = line.replacing("#", with: number)
    let run = try await Run(odd)
    #expect(run.badLines.map(\.number) == [121], "\(odd)")
    #expect(run.badLines.first?.problem.contains("expected a number in -1000000000000000…1000000000000000") == true)
    #expect(run.warnings.isEmpty, "\(odd): \(run.warnings)")
    #expect(run.replayed == run.live, "\(odd)")
  }

  @Test(
    "What a source measures itself is held back in the same way",
    arguments: [
      Reading.heartRate(9e15), .heartRate(.nan), .heartRate(.infinity), .altitude(-1e300),
      .motion(MotionReading(acceleration: Axes(x: 0, y: 1e16, z: 1), rotationRate: nil, magneticField: nil)),
      .motion(MotionReading(acceleration: nil, rotationRate: nil, magneticField: Axes(x: .nan, y: 0, z: 0))),
      .steps(1_000_001),
    ])
  func ofSource(reading: Reading) throws {
    var session = LiveSession(
      LiveConfiguration(
        settings: try CoachingRequest.runner().settings(on: nil), clock: .samples, streams: SampleStream.recordable,
        durationLimit: nil))
    var log: [LiveSession.RawEntry] = []
    var events: [SessionEvent] = []
    func take(_ reading: Reading, _ second: Double) throws {
      try session.take(
        .sample(reading, at: .session(at(second)), source: nil), from: nil, arrival: .morning(), log: &log,
        into: &events)
    }
    try take(.heartRate(120), 0)
    #expect(throws: LiveSession.BadLine.self) { try take(reading, 1) }
    try take(.heartRate(121), 2)
    #expect(log == [.sample(Sample(.heartRate(120), at: at(0))), .sample(Sample(.heartRate(121), at: at(2)))])
  }

  @Test("What decides nothing below 0 is kept as it came, and what no reader takes below 0 is not")
  func belowZero() throws {
    let place = try #require(Coordinate(latitudeDegrees: 52.5, longitudeDegrees: 13.4))
    let unknown = Reading.location(LocationFix(coordinate: place, speedMetersPerSecond: -1))
    #expect(unknown.fitsLog)
    #expect(Reading.heartRate(-1).fitsLog)
    for reading in [Reading.cadence(-1), .distance(-1), .speed(-1), .rrInterval(-1), .steps(-1)] {
      #expect(!reading.fitsLog, "\(reading)")
    }
  }
}
