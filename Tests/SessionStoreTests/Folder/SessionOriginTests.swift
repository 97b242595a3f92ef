@testable import Recordings
@testable import SessionStore
import Testing
@testable import TextFormats
@testable import WorkoutExports
@testable import WorkoutHistory
@testable import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("Where the samples of a session came from")
struct SessionOriginTests {
  private func manifest(
    _ origin: SessionOrigin?, source: SessionManifest.Source? = nil, inputs: [String] = []
  ) throws -> SessionManifest {
    SessionManifest(
      sessionID: "20261120T070000Z-running-00000001", start: .morning(0.25), utcOffsetSeconds: 0,
      request: try CoachingRequest.runner("z2", "none"), streams: [.heartRate], durationLimit: nil, origin: origin,
      source: source, inputs: inputs)
  }

  @Test("stands in the manifest with its source, and is read back", arguments: SessionOrigin.allCases)
  func roundTrip(origin: SessionOrigin) throws {
    let bytes = try manifest(origin, inputs: ["strap:Polar H10", "simulated:7"]).json()
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.contains(#""origin": "\#(origin.rawValue)""#))
    let read = try SessionManifest(json: bytes.span)
    #expect(read.origin == origin)
    #expect(read.inputs == ["strap:Polar H10", "simulated:7"])
    #expect(read.source == nil)
    let file = SessionManifest.Source(file: "run.fit", format: "fit", device: "Forerunner")
    let named = try manifest(origin, source: file).json()
    let imported = try SessionManifest(json: named.span)
    #expect(imported.origin == origin)
    #expect(imported.source == file)
    #expect(imported.inputs.isEmpty)
  }

  @Test("stands with the kind of sport that the file states, where it states one")
  func subSport() throws {
    let file = SessionManifest.Source(file: "run.fit", format: "fit", device: nil, subSport: "treadmill")
    let bytes = try manifest(.imported, source: file).json()
    #expect(String(decoding: bytes, as: UTF8.self).contains(#""subSport": "treadmill""#))
    #expect(try SessionManifest(json: bytes.span).source == file)
    let none = SessionManifest.Source(file: "run.fit", format: "fit", device: nil)
    #expect(try !String(decoding: manifest(.imported, source: none).json(), as: UTF8.self).contains("subSport"))
  }

  @Test("stands with the energy that the file states, where it states one")
  func energy() throws {
    let file = SessionManifest.Source(file: "run.fit", format: "fit", device: nil, energyKilocalories: 512)
    let bytes = try manifest(.imported, source: file).json()
    #expect(String(decoding: bytes, as: UTF8.self).contains(#""energyKilocalories": 512"#))
    #expect(try SessionManifest(json: bytes.span).source == file)
    let none = SessionManifest.Source(file: "run.fit", format: "fit", device: nil)
    #expect(try !String(decoding: manifest(.imported, source: none).json(), as: UTF8.self).contains("energy"))
  }

  @Test("is unknown in a manifest that does not say it, but for one that names the file of an import")
  func older() throws {
    let bytes = try manifest(nil).json()
    #expect(!String(decoding: bytes, as: UTF8.self).contains("origin"))
    #expect(try SessionManifest(json: bytes.span).origin == nil)
    let file = SessionManifest.Source(file: "run.fit", format: "fit", device: nil)
    let text = String(decoding: try manifest(nil, source: file).json(), as: UTF8.self)
      .replacing(#"  "origin": "imported",\#n"#, with: "")
    #expect(!text.contains("origin"))
    #expect(try SessionManifest(json: text.utf8.span).origin == .imported)
    let odd = text.replacing(#"  "source""#, with: #"  "origin": "dreamt",\#n  "source""#)
    #expect(throws: JSONError.self) { try SessionManifest(json: odd.utf8.span) }
  }

  @Test("is simulated as soon as one of several sources is")
  func mixed() {
    #expect(SessionOrigin(of: [.live, .simulated, .imported]) == .simulated)
    #expect(SessionOrigin(of: [.live, .imported]) == .imported)
    #expect(SessionOrigin(of: [.live]) == .live)
    #expect(SessionOrigin(of: []) == nil)
  }

  @Test(
    "survives an export: what is read back of a simulated session is not taken for a person's",
    arguments: [ExportFormat.fit, .tcx, .gpx, .csv])
  func exported(format: ExportFormat) async throws {
    let recorded = try RecordedHistory()
    let name = try await Self.record(recorded, origin: .simulated, digits: 1)
    let path = recorded.folder.path + "/export.\(format.rawValue)"
    try Self.export(ExportedWorkout(SessionFolderRecording(path: recorded.path(name))), format, to: path)
    let recording = try Recording(path: path)
    #expect(recording.origin == .simulated)
    #expect(!recording.facts.warnings.contains { $0.kind == .unknownColumns })
    // A second export says so too.
    try Self.export(ExportedWorkout(recording), format, to: path)
    let again = try Recording(path: path)
    #expect(again.origin == .simulated)
    let other = try RecordedHistory()
    let request = ImportRequest(try CoachingRequest.runner("z2", "none"), person: nil)
    let outcome = try await other.history.add(again, request)
    #expect(Self.sessionID(of: outcome) != nil)
    let listed = try await other.history.sessions(History.Filter())
    #expect(listed.map(\.origin) == [.simulated])
    await recorded.history.close()
    await other.history.close()
  }

  @Test("An export to SensoGather says that the mark is lost")
  func sensoGather() async throws {
    let recorded = try RecordedHistory()
    let name = try await Self.record(recorded, origin: .simulated, digits: 1)
    let workout = try ExportedWorkout(SessionFolderRecording(path: recorded.path(name)))
    let path = recorded.folder.path + "/export.csv"
    let losses = try Self.export(workout, .sensoGatherCSV, to: path)
    #expect(losses.all.contains { $0.kind == .simulatedMark })
    await recorded.history.close()
  }

  @discardableResult
  private static func export(
    _ workout: ExportedWorkout, _ format: ExportFormat, to path: String
  ) throws -> ExportLosses {
    let file = try PendingFile(path)
    let losses = try format.write(workout) { try file.write($0) }
    try file.commit(replacing: true)
    return losses
  }

  private static func sessionID(of outcome: ImportOutcome) -> String? {
    if case .added(let sessionID) = outcome { sessionID } else { nil }
  }

  /// Records five minutes with heart rate, steps and positions.
  static func record(
    _ recorded: RecordedHistory, origin: SessionOrigin?, digits: UInt32, hour: Int = 7, person: String? = nil
  ) async throws -> String {
    var request = try CoachingRequest.runner("z2", "moment:every=60")
    request.activity = try #require(Activity("running"))
    let lines = lines(hour: hour, digits: digits)
    return try await recorded.record(lines, request, digits: digits, person: person, origin: origin)
  }

  private static func lines(hour: Int, digits: UInt32) -> [String] {
    (0...300).flatMap { second -> [String] in
      let minutes = second / 60
      let time = "2026-11-20T0\(hour):0\(minutes):" + (second % 60 < 10 ? "0" : "") + "\(second % 60)Z"
      return [
        #"{"type":"heartRate","time":"\#(time)","beatsPerMinute":\#(120 + Int(digits) + second % 9)}"#,
        #"{"type":"steps","time":"\#(time)","count":2}"#,
        #"{"type":"location","time":"\#(time)","latitude":\#(Double(second) / 40_000),"longitude":-30}"#,
      ]
    }
  }

  @Test("Weeks, days, hours and the runs before leave out what no person ran, unless it is asked for, and say how many")
  func leftOut() async throws {
    let recorded = try RecordedHistory()
    let history = recorded.history
    _ = try await Self.record(recorded, origin: .live, digits: 1, hour: 5)
    let simulated = try await Self.record(recorded, origin: .simulated, digits: 2, hour: 6)
    let real = try await Self.record(recorded, origin: .live, digits: 3, hour: 7)
    let unknown = try await Self.record(recorded, origin: nil, digits: 4, hour: 8)
    let from = WallClockTime.morning(-7 * 3_600)
    let until = WallClockTime.morning(17 * 3_600)
    let span = from..<until
    #expect(try await history.totals(in: span, person: nil).sessions == 3)
    #expect(try await history.totals(in: span, person: nil, includesSimulated: true).sessions == 4)
    #expect(try await history.hours(in: span, person: nil).count == 3)
    #expect(try await history.hours(in: span, person: nil, includesSimulated: true).count == 4)
    var filter = History.Filter()
    filter.includesSimulated = false
    #expect(try await history.simulatedLeftOut(filter) == 1)
    #expect(try await history.simulatedLeftOut(filter, withHoursIn: span) == 1)
    #expect(try await history.simulatedLeftOut(filter, withHoursIn: until..<until) == 0)
    let standing = try #require(try await history.standing(of: unknown))
    #expect(standing.earlierCount == 2)
    #expect(standing.simulatedLeftOut == 1)
    let ofNobody = try #require(try await history.standing(of: simulated))
    #expect(ofNobody.earlierCount == 0)
    // The list has everything, and says what is what.
    let listed = try await history.sessions(History.Filter())
    #expect(listed.map { $0.origin?.rawValue ?? "unknown" } == ["unknown", "live", "simulated", "live"])
    #expect(listed[1].sessionID == real)
    await history.close()
  }

  @Test("Hours are of one person each, in the order of their names")
  func hoursOfEach() async throws {
    let recorded = try RecordedHistory()
    _ = try await Self.record(recorded, origin: .live, digits: 1, person: "ben")
    _ = try await Self.record(recorded, origin: .live, digits: 2, person: "anna")
    _ = try await Self.record(recorded, origin: .live, digits: 3)
    _ = try await Self.record(recorded, origin: .live, digits: 4, person: "anna")
    let from = WallClockTime.morning(-7 * 3_600)
    let until = WallClockTime.morning(17 * 3_600)
    let found = try await recorded.history.hoursOfEach(in: from..<until, person: nil)
    let hours = found.flatMap { $0.hours }
    #expect(hours.map { $0.person ?? "nobody" } == ["nobody", "anna", "ben"])
    #expect(hours.compactMap { $0.steps } == [602, 1_204, 602])
    #expect(try await recorded.history.peopleCount(History.Filter()) == 3)
    await recorded.history.close()
  }
}
