import Foundation
@testable import SessionStore
import CoachService
import Testing
@testable import TextFormats
@testable import WorkoutHistory
@testable import WorkoutSession
import ZoneEngine
@testable import coach

/// A history of a few sessions that were made by formulas, and a clock one hour ahead of UTC.
struct HistoryFixture {
  let folder: TemporaryFolder
  let history: History
  /// Friday, 20 November 2026, eight in the evening at UTC+1.
  let clock: LocalClock

  var data: String { folder.url.appendingPathComponent("data").path }

  init() throws {
    folder = try TemporaryFolder()
    history = History(dataFolder: StoredPath(dataFolder: folder.url.appendingPathComponent("data").path))
    let now = try #require(WallClockTimeText(iso8601: "2026-11-20T19:00:00Z")?.time)
    clock = LocalClock(now: now) { _ in 3_600 }
  }

  /// A long run with kilometres, a ride with a pause in which the heart slows down, a run that was cut off, a walk.
  static func week() async throws -> HistoryFixture {
    let fixture = try HistoryFixture()
    var request = TerminalFixture.request()
    request.target = "z2"
    request.strategy = try FeedbackStrategy(specification: "period:every=60,window=60")
    request.activity = try #require(Activity("running"))
    try await fixture.record("2026-11-20T06:40:00Z", request, person: "anna", seconds: 1_800)
    var free = TerminalFixture.request()
    free.activity = try #require(Activity("cycling"))
    try await fixture.record(
      "2026-11-18T16:40:00Z", free, source: .init(file: "ride.fit", format: "fit", device: "Edge 530"), seconds: 1_800,
      pause: 1_200..<1_320, hasMovement: false)
    try await fixture.record("2026-11-16T17:30:00Z", request, person: "anna", seconds: 700, state: .recovered)
    request.target = "110-130"
    request.activity = try #require(Activity("walking"))
    try await fixture.record("2026-11-03T11:00:00Z", request, person: "ben", seconds: 1_300)
    return fixture
  }

  /// Records a session and takes it into the index; its identity.
  @discardableResult
  func record(
    _ start: String, _ request: CoachingRequest, person: String? = nil, source: SessionManifest.Source? = nil,
    seconds: Int, pause: Range<Int>? = nil, hasMovement: Bool = true, state: SessionState = .complete,
    utcOffsetSeconds: Int = 3_600
  ) async throws -> String {
    let time = try #require(WallClockTimeText(iso8601: start)?.time)
    let manifest = SessionManifest(
      sessionID: SessionFolder.name(start: time, activity: request.activity, random: UInt32(seconds)), start: time,
      utcOffsetSeconds: utcOffsetSeconds, request: request, streams: SampleStream.recordable, durationLimit: nil,
      person: person.map { SessionPerson(name: $0, profileID: nil, provenance: []) },
      source: source)
    let recorder = try SessionRecorder(
      folder: SessionFolder.path(of: manifest.sessionID, in: StoredPath(dataFolder: data)), manifest: manifest)
    var pipeline = SessionPipeline(settings: try manifest.settings(), durationLimit: nil)
    var events: [SessionEvent] = []
    pipeline.begin(into: &events)
    func take(_ reading: Reading, _ second: Int) {
      let sample = Sample(reading, at: .seconds(second))
      recorder.append(.sample(sample))
      _ = pipeline.take(sample, into: &events)
    }
    for second in 0..<seconds {
      if second == pause?.lowerBound {
        pipeline.perform(.pause, at: .seconds(second), into: &events)
        recorder.append(.command(.pause, at: .seconds(second), id: "p"))
      }
      if second == pause?.upperBound {
        pipeline.perform(.resume, at: .seconds(second), into: &events)
        recorder.append(.command(.resume, at: .seconds(second), id: "r"))
      }
      let rest = pause.map { $0.contains(second) ? Double(second - $0.lowerBound) / 3 : 0 } ?? 0
      if let bpm = TerminalFixture.heartRate(second) { take(.heartRate(bpm - rest), second) }
      guard hasMovement, second.isMultiple(of: 5) else { continue }
      take(.steps(14), second)
      let degrees = Double(second) * 2.75 / 111_195
      let place = try #require(Coordinate(latitudeDegrees: degrees, longitudeDegrees: 0))
      take(.location(LocationFix(coordinate: place)), second)
    }
    pipeline.finish(at: pipeline.latest, reason: .endOfInput, into: &events)
    for event in events { recorder.append(event: event) }
    try recorder.sync()
    try SessionSummaryFile(manifest: manifest, state: state, badLines: 0).write(pipeline, to: recorder.folder)
    try await history.add(manifest.sessionID)
    return manifest.sessionID
  }

  /// The hours of the newest day.
  func hours() async throws -> (day: CivilDate, hours: [HistoryHour]) {
    let newest = try await history.newestHour(person: nil)
    let day = try #require(newest.flatMap { clock.day(of: $0) })
    let span = try #require(clock.instants(of: day...day))
    return (day, try await history.hours(in: span, person: nil))
  }

  /// The sampling of a made-up CSV: a heart rate at 1 Hz that jitters, a row that is there twice, one out of order, gaps,
  /// holes in columns, and a last line without its end.
  func quality(rateHz: Double?) throws -> [StreamQuality] {
    var text = "time_s,heart_rate,lat,lon,altitude\n"
    for second in 0..<600 where !(200..<240).contains(second) && second != 300 {
      let jitter = second.isMultiple(of: 7) ? ".125" : ""
      let bpm = second.isMultiple(of: 50) ? "" : "\(120 + second % 9)"
      text += "\(second)\(jitter),\(bpm),52.5,\(13 + second),\(second.isMultiple(of: 3) ? "34" : "NaN")\n"
      if second == 100 { text += "100,,52.5,113,NaN\n98,127,,,\n" }
    }
    let path = try folder.write(text + "600,1", to: "quality.csv")
    return try RecordingQuality.ofRecording(path, StreamQuality.Expectation(rateHz: rateHz, gap: nil), { _ in })
  }

  /// The sampling of a made-up CSV whose positions end after a third.
  func silentQuality() throws -> [StreamQuality] {
    let rows = (0..<300).map { "\($0),120,\($0 < 100 ? "52.5,13.\($0 + 100)" : ",")\n" }.joined()
    let path = try folder.write("time_s,heart_rate,lat,lon\n" + rows, to: "silent.csv")
    return try RecordingQuality.ofRecording(path, StreamQuality.Expectation(rateHz: nil, gap: nil), { _ in })
  }

  /// The newest session with everything that the index knows of it.
  func detail(of name: String = "20261120") async throws -> SessionDetail {
    let entry = try #require(try await history.session(name))
    return try #require(try await history.detail(of: entry))
  }
}

extension SessionListView {
  /// The lines of a list of these sessions.
  static func lines(_ entries: [SessionEntry], isFiltered: Bool = false, width: Int) -> [StyledText] {
    var view = SessionListView(isFiltered: isFiltered, units: .metric, width: width)
    for entry in entries { view.append(entry.line) }
    return view.lines
  }
}
