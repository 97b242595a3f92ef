import Recordings
@testable import SessionStore
import TestSupport
import Testing
@testable import TextFormats
@testable import WorkoutExports
@testable import WorkoutHistory
@testable import WorkoutTestSupport
import ZoneEngine

@testable import WorkoutSession

@Suite("The export of a session that was imported")
struct SessionExportTests {
  /// Imports a recording and gives its session.
  private func session(of text: String, _ recorded: RecordedHistory) async throws -> SessionFolderRecording {
    let recording = try Recording(path: recorded.folder.write(text, "original"))
    let outcome = try await recorded.history.add(recording, ImportRequest(try .runner(nil, "none"), person: nil))
    await recorded.history.close()
    guard case .added(let name) = outcome else {
      throw RecordingError(path: "original", problem: "not added")
    }
    return try SessionFolderRecording(path: recorded.path(name))
  }

  private func export(_ session: SessionFolderRecording, as format: ExportFormat) throws -> [UInt8] {
    var bytes: [UInt8] = []
    _ = try format.write(ExportedWorkout(session)) { piece in for index in piece.indices { bytes.append(piece[index]) }
    }
    return bytes
  }

  @Test("has the readings of one instant in the rows in which they were, and equal ones as often as they were measured")
  func instants() async throws {
    let recorded = try RecordedHistory()
    let rows = """
      time,heart_rate_bpm,distance_m
      2026-03-01T10:00:00Z,100,1
      2026-03-01T10:00:01Z,101,5
      2026-03-01T10:00:01Z,103,9
      2026-03-01T10:00:02Z,104,12
      2026-03-01T10:00:02Z,104,12
      2026-03-01T10:00:02Z,104,12.5
      2026-03-01T10:00:03Z,105,15

      """
    let session = try await session(of: rows, recorded)
    #expect(String(decoding: try export(session, as: .csv), as: UTF8.self) == rows)
    for format in [ExportFormat.tcx, .fit] {
      let copy = try Recording(path: recorded.folder.write(export(session, as: format), "copy"))
      #expect(copy.facts.heartRate?.statistics.count == 7, "\(format)")
      #expect(copy.facts.heartRate?.statistics.sum == 721, "\(format)")
    }
  }

  @Test(
    "states the kind of sport of the file, unless the session is called another sport",
    arguments: [("running", 1, 3), ("cycling", 2, 0), ("treadmill", 1, 1)])
  func subSport(label: String, sport: Int, kind: Int) async throws {
    let recorded = try RecordedHistory()
    var builder = FIT.records((0..<60).map { .integer(120 + $0 % 9) })
    builder.define(1, message: FIT.session, [FITBuilder.Field(5, .enumeration), FITBuilder.Field(6, .enumeration)])
    builder.message(1, [1, 3])
    let recording = try Recording(path: recorded.folder.write(builder.file(), "trail.fit"))
    var request = try CoachingRequest.runner(nil, "none")
    request.activity = try #require(Activity(label))
    var wanted = ImportRequest(request, person: nil)
    wanted.takesSport = false
    let outcome = try await recorded.history.add(recording, wanted)
    await recorded.history.close()
    guard case .added(let name) = outcome else {
      Issue.record("not added")
      return
    }
    let folder = try SessionFolderRecording(path: recorded.path(name))
    #expect(folder.manifest.source?.subSport == (label == "running" ? "trail" : nil))
    let session = try #require(FITMessage.all(in: export(folder, as: .fit)).first { $0.number == FIT.session })
    #expect([5, 6].map(session.value) == [sport, kind])
  }

  @Test(
    "states in FIT the time on the clock of the place, which is read back",
    arguments: [("+02:00", 7_200), ("-09:30", -34_200), ("Z", nil), ("+00:00", nil)] as [(String, Int?)])
  func localTime(zone: String, offset: Int?) async throws {
    let recorded = try RecordedHistory()
    let points = (0..<60).map { XMLFixture.gpxPoint($0, XMLFixture.garmin("\(120 + $0 % 7)")) }.joined()
    let text = XMLFixture.gpx("<trk><trkseg>\(points)</trkseg></trk>")
      .replacing("Z</time>", with: "\(zone)</time>")
    let original = try Recording(path: recorded.folder.write(text, "original"))
    let converted = try RoundTrip.export(original, as: .fit).bytes
    var files = [converted]
    // Where nothing is stated an import takes the clock of the machine.
    if offset != nil { files.append(try export(try await session(of: text, recorded), as: .fit)) }
    for bytes in files {
      let activity = try #require(FITMessage.all(in: bytes).first { $0.number == 34 })
      #expect(activity.value(5).map { $0 - (activity.value(253) ?? 0) } == offset)
      let copy = try Recording(path: recorded.folder.write(bytes, "copy"))
      #expect(copy.facts.utcOffsetSeconds == offset)
      #expect(copy.facts.start == original.facts.start)
    }
  }

  @Test("has rows of one instant without end, in little memory and none lost")
  func manyInstants() async throws {
    let recorded = try RecordedHistory()
    let rows = (0..<3_000).map { "1700000005,\(100 + $0 % 80),\($0)\n" }.joined()
    let text = "time,hr,distance\n1700000000,99,0\n" + rows + "1700000006,99,3000\n"
    let session = try await session(of: text, recorded)
    let copy = try Recording(path: recorded.folder.write(export(session, as: .csv), "copy"))
    #expect(copy.facts.heartRate?.statistics.count == 3_002)
    let sum = (0..<3_000).reduce(198) { $0 + 100 + $1 % 80 }
    #expect(copy.facts.heartRate?.statistics.sum == Double(sum))
  }

  @Test("begins and ends when the session did, where nothing was measured then", arguments: [ExportFormat.tcx, .fit])
  func ends(format: ExportFormat) async throws {
    let recorded = try RecordedHistory()
    let points =
      XMLFixture.tcxPoint(0)
      + [30, 60].map { XMLFixture.tcxPoint($0, "<HeartRateBpm><Value>\(90 + $0)</Value></HeartRateBpm>") }.joined()
    let lap = XMLFixture.lap(at: 0, seconds: "60", meters: "100", points)
    let session = try await session(of: XMLFixture.tcx(XMLFixture.activity("Running", lap)), recorded)
    let copy = try Recording(path: recorded.folder.write(export(session, as: format), "copy"))
    #expect(copy.facts.start?.description == "2026-03-01T10:00:00Z")
    #expect(copy.facts.elapsed == .seconds(60))
    #expect(copy.facts.heartRate?.statistics.count == 2)
  }
}
