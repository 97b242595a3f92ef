@testable import Recordings
@testable import SessionStore
import TestSupport
import Testing
@testable import TextFormats
@testable import WorkoutExports
@testable import WorkoutHistory
@testable import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("What was climbed in a recording whose points have not all a position")
struct RecordedAltitudesTests {
  private static let seconds = 600

  /// The altitude of a second: up 150 m and down again, half a metre a second.
  private static func meters(_ second: Int) -> Double { 400 + Double(min(second, seconds - second)) / 2 }

  /// A run of which every `interval`-th record has no position, with other altitudes at some seconds.
  private static func fit(without interval: Int, glitches: [Int: Double] = [:]) -> [UInt8] {
    var builder = FITBuilder()
    typealias Field = FITBuilder.Field
    builder.define(
      0, message: FIT.record,
      [FIT.time, FIT.heartRate, Field(0, .sint32), Field(1, .sint32), Field(5, .uint32), Field(78, .uint32)])
    builder.define(1, message: FIT.session, [Field(5, .enumeration)])
    for second in 0...seconds {
      let hasPosition = second % interval != interval / 2
      builder.message(
        0,
        [
          .integer(FIT.start + second), .integer(120 + second % 9),
          hasPosition ? .integer(550_000_000 + 300 * second) : .none, hasPosition ? .integer(160_000_000) : .none,
          .integer(300 * second), .integer(Int(((glitches[second] ?? meters(second)) + 500) * 5)),
        ])
    }
    builder.message(1, [1])
    return builder.file()
  }

  private struct Imported {
    /// The session is there as long as this.
    let recorded: RecordedHistory
    let session: SessionFolderRecording
    /// Up and down, in whole metres.
    let meters: [Double]?
    let altitudeLines: Int
    let gradeLines: Int
  }

  /// Imports a recording, and looks at its session as the page of a session does.
  private static func imported(_ bytes: [UInt8], _ recorded: RecordedHistory) async throws -> Imported {
    let recording = try Recording(path: recorded.folder.write(bytes, "original"))
    let outcome = try await recorded.history.add(recording, ImportRequest(try .runner(nil, "none"), person: nil))
    guard case .added(let name) = outcome else {
      throw RecordingError(path: "original", problem: "not added")
    }
    let session = try SessionFolderRecording(path: recorded.path(name))
    let entry = try #require(try await recorded.history.session(name))
    let report = try #require(try await recorded.history.report(of: entry, hidingEndsWithin: nil))
    await recorded.history.close()
    let courses = report.courses
    return Imported(
      recorded: recorded, session: session, meters: courses.altitudeGain.map { [$0.up.rounded(), $0.down.rounded()] },
      altitudeLines: courses.altitude.lines.count, gradeLines: courses.grade.lines.count)
  }

  private static func export(_ session: SessionFolderRecording, as format: ExportFormat) throws -> [UInt8] {
    var bytes: [UInt8] = []
    _ = try format.write(ExportedWorkout(session)) { piece in for index in piece.indices { bytes.append(piece[index]) }
    }
    return bytes
  }

  @Test("is all of it, on the page and in FIT", arguments: [2, 3, 40, 60, 700])
  func gain(interval: Int) async throws {
    let found = try await Self.imported(Self.fit(without: interval), try RecordedHistory())
    #expect(found.meters == [150, 150])
    #expect(found.altitudeLines == 1, "one line without a gap")
    #expect(found.gradeLines == 1)
    let summaries = try FITMessage.all(in: Self.export(found.session, as: .fit)).filter { $0.number == FIT.session }
    #expect(summaries.map { [22, 23].map($0.value) } == [[150, 150]])
    // So it is in a file that was never imported.
    let recording = try Recording(bytes: Self.fit(without: interval), name: "run.fit")
    let (bytes, _) = try RoundTrip.export(recording, as: .fit)
    let converted = try FITMessage.all(in: bytes).filter { $0.number == FIT.session }
    #expect(converted.map { [22, 23].map($0.value) } == [[150, 150]])
  }

  @Test("has no part of a glitch, on the page and in FIT, also of one before the end", arguments: [40, 700])
  func glitches(interval: Int) async throws {
    let bytes = Self.fit(without: interval, glitches: [137: 900, 400: -100, 600: 460])
    let found = try await Self.imported(bytes, try RecordedHistory())
    // The last one that is believed is half a metre above the start.
    #expect(found.meters == [150, 150])
    let recording = try Recording(bytes: bytes, name: "run.fit")
    let (converted, _) = try RoundTrip.export(recording, as: .fit)
    let summaries = try FITMessage.all(in: converted).filter { $0.number == FIT.session }
    #expect(summaries.map { [22, 23].map($0.value) } == [[150, 150]])
  }

  @Test("has no part of a wrong level of several points in a row, nor of the way back", arguments: [2, 3, 5])
  func wrongLevel(count: Int) async throws {
    let wrong = [(137, 900.0), (400, 100)].flatMap { from, meters in (0..<count).map { (from + $0, meters) } }
    let glitches = Dictionary(uniqueKeysWithValues: wrong)
    let bytes = Self.fit(without: 700, glitches: glitches)
    let meters = try #require(try await Self.imported(bytes, try RecordedHistory()).meters)
    // Half a metre a second is missed between the readings beside it.
    #expect(meters.allSatisfy { (145...150).contains($0) }, "\(meters)")
    let (converted, _) = try RoundTrip.export(Recording(bytes: bytes, name: "run.fit"), as: .fit)
    let summaries = try FITMessage.all(in: converted).filter { $0.number == FIT.session }
    #expect(summaries.map { [22, 23].map($0.value) } == [meters.map { Int($0) }])
  }

  @Test("has no part of a glitch of a point without a position either, but for a second or two around it")
  func glitchesOfHoles() async throws {
    let bytes = Self.fit(without: 2, glitches: [137: 900, 400: -100, 600: 460])
    let meters = try #require(try await Self.imported(bytes, try RecordedHistory()).meters)
    #expect(meters.allSatisfy { (147...150).contains($0) }, "\(meters)")
  }

  @Test("comes back with an export", arguments: [ExportFormat.fit, .tcx, .csv, .sensoGatherCSV])
  func roundTrip(format: ExportFormat) async throws {
    let first = try await Self.imported(Self.fit(without: 40), try RecordedHistory())
    let bytes = try Self.export(first.session, as: format)
    let again = try await Self.imported(bytes, try RecordedHistory())
    #expect(again.meters == [150, 150])
    #expect(try Self.altitudes(of: again.session) == Self.altitudes(of: first.session))
  }

  /// The altitudes of a session by their seconds, beside a position or none.
  private static func altitudes(of session: SessionFolderRecording) throws -> [Int64: Double] {
    var altitudes: [Int64: Double] = [:]
    _ = try session.forEachInput { input in
      guard case .sample(let sample) = input else { return }
      let second = sample.time.nanoseconds / 1_000_000_000
      switch sample.reading {
      case .altitude(let meters): altitudes[second] = meters
      case .location(let fix): altitudes[second] = fix.altitudeMeters
      case .heartRate, .steps, .cadence, .distance, .speed, .motion, .rrInterval, .direction: break
      }
    }
    #expect(altitudes.count == seconds + 1)
    return altitudes
  }

  @Test("decides a replay of the session as it decides the import, and a replay of the file")
  func replays() async throws {
    let recorded = try RecordedHistory()
    let recording = try Recording(path: recorded.folder.write(Self.fit(without: 40), "original"))
    let request = try CoachingRequest.runner("5:00-6:00/km-gap", "moment:every=20")
    let outcome = try await recorded.history.add(recording, ImportRequest(request, person: nil))
    await recorded.history.close()
    guard case .added(let name) = outcome else { throw RecordingError(path: "original", problem: "not added") }
    let session = try SessionFolderRecording(path: recorded.path(name))
    func outcomes(_ run: (Replay.Step) throws -> Void) throws -> [String] {
      var outcomes: [String] = []
      try run { _, events in
        for case .engine(.decision(let decision)) in events { outcomes.append("\(decision)") }
      }
      return outcomes
    }
    let settings = try request.settings(on: nil)
    let ofSession = try outcomes { _ = try Replay.run(session, settings: settings, pace: .events, step: $0) }
    #expect(ofSession == (try outcomes { _ = try Replay.run(recording, settings: settings, pace: .events, step: $0) }))
    #expect(ofSession.count >= Self.seconds / 20 - 1)
    let decisions = try POSIXFile(reading: recorded.path(name) + "/" + SessionFolder.decisions)
      .readAll(maximumBytes: 1 << 20)
    let judged = String(decoding: decisions, as: UTF8.self).split(separator: "\n").filter {
      $0.contains(#""type":"cue""#) || $0.contains(#""type":"withheld""#)
    }
    #expect(judged.count == ofSession.count)
    // Of the first moment the grade may not be known yet.
    #expect(judged.dropFirst().allSatisfy { $0.contains("gradePercent") })
  }

  @Test("is judged so in any session that was made of a file, and in a played one, and in no other")
  func manifests() throws {
    func settings(_ origin: SessionOrigin?, _ source: SessionManifest.Source?) throws -> Bool {
      let manifest = SessionManifest(
        sessionID: "a", start: .morning(0), utcOffsetSeconds: 0, request: try .runner(nil, "none"), streams: [],
        durationLimit: nil, origin: origin, source: source)
      let json = try manifest.json()
      let read = try SessionManifest(json: json.span)
      #expect(try read.settings() == manifest.settings())
      return try read.settings().altitudesAreOfOneDevice
    }
    let file = SessionManifest.Source(file: "run.fit", format: "fit", device: nil)
    #expect(try settings(.imported, file))
    #expect(try settings(nil, file), "an older program states no origin")
    #expect(try settings(.simulated, file))
    #expect(try settings(.imported, nil))
    #expect(try !settings(.live, nil))
    #expect(try !settings(.simulated, nil))
    #expect(try !settings(nil, nil))
  }
}
