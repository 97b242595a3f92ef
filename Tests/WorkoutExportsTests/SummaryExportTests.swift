import Recordings
import TestSupport
import Testing
import WorkoutExports
@testable import WorkoutTestSupport

@Suite("What an export states of a session and of its laps")
struct SummaryExportTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private static let noByte = 0xFF, noWord = 0xFFFF, nothing = 0xFFFF_FFFF

  /// A trail run of a minute in two laps, up for 20 s and down for 20 s, between them a pause in which everything is higher.
  private func run() throws -> Recording {
    var builder = FITBuilder()
    typealias Field = FITBuilder.Field
    builder.define(
      0, message: FIT.record,
      [FIT.time, FIT.heartRate, Field(4, .uint8), Field(5, .uint32), Field(73, .uint32), Field(78, .uint32)])
    builder.define(1, message: FIT.event, [FIT.time, Field(0, .enumeration), Field(1, .enumeration)])
    builder.define(
      2, message: FIT.lap, [FIT.time, Field(2, .uint32), Field(7, .uint32), Field(8, .uint32)])
    builder.define(3, message: FIT.session, [Field(5, .enumeration), Field(6, .enumeration)])
    func record(_ second: Int, strides: Int, meters: Int, speed: Int, altitude: Int) {
      builder.message(
        0,
        [
          .integer(FIT.start + second), .integer(120 + second), .integer(strides), .integer(meters * 100),
          .integer(speed), .integer((altitude + 500) * 5),
        ])
    }
    for second in 0...20 {
      record(
        second, strides: second == 15 ? 95 : 80, meters: 3 * second, speed: second == 10 ? 4_200 : 3_000,
        altitude: 100 + second)
    }
    builder.message(1, [.integer(FIT.start + 20), 0, 4])
    record(30, strides: 120, meters: 60, speed: 9_000, altitude: 900)
    builder.message(1, [.integer(FIT.start + 40), 0, 0])
    for second in 40...60 {
      record(
        second, strides: [45: 0, 55: 91][second] ?? 80, meters: 3 * (second - 20), speed: second == 50 ? 3_900 : 3_000,
        altitude: 340 - second)
    }
    for (from, until, active) in [(0, 20, 20), (20, 60, 20)] {
      builder.message(
        2,
        [
          .integer(FIT.start + until), .integer(FIT.start + from), .integer((until - from) * 1_000),
          .integer(active * 1_000),
        ])
    }
    builder.message(3, [1, 3])
    return try Recording(path: folder.write(builder.file()))
  }

  private func session(_ text: String) throws -> (FITMessage, ExportLosses) {
    let (bytes, losses) = try RoundTrip.export(Recording(path: folder.write(text, "original")), as: .fit)
    return (try #require(FITMessage.all(in: bytes).first { $0.number == FIT.session }), losses)
  }

  @Test("FIT has ascent, descent, speeds, cadences and the kind of sport of the session and of each lap")
  func fit() throws {
    let trip = try RoundTrip(run(), as: .fit, in: folder)
    #expect(trip.losses.all.isEmpty)
    let messages = try FITMessage.all(in: trip.bytes)
    let laps = messages.filter { $0.number == FIT.lap }
    #expect(laps.map { [21, 22].map($0.value) } == [[20, 0], [0, 20]])
    #expect(laps.map { [110, 111].map($0.value) } == [[3_000, 4_200], [3_000, 3_900]])
    // Who stands has no cadence.
    #expect(laps.map { [17, 18].map($0.value) } == [[81, 95], [81, 91]])
    #expect(laps.map { [25, 39].map($0.value) } == [[1, 3], [1, 3]])
    let session = try #require(messages.first { $0.number == FIT.session })
    #expect([22, 23].map(session.value) == [20, 20])
    #expect([124, 125].map(session.value) == [3_000, 4_200])
    #expect([18, 19].map(session.value) == [81, 95])
    #expect([5, 6].map(session.value) == [1, 3])
    #expect(trip.copy.facts.parts.map(\.subSport) == ["trail"])
    #expect(try RoundTrip.export(trip.copy, as: .fit).bytes == trip.bytes)
  }

  @Test("TCX has the speeds and cadences of each lap, in the order of its schema")
  func tcx() throws {
    let trip = try RoundTrip(run(), as: .tcx, in: folder)
    let lines = String(decoding: trip.bytes, as: UTF8.self).split(separator: "\n")
    let laps = lines.split { $0.hasPrefix("<Lap ") }.dropFirst().map { lap in
      lap.filter { line in ["<Trackpoint", "<Track", "</Track", "<Creator"].allSatisfy { !line.hasPrefix($0) } }
    }
    func numbers(_ name: String) -> [Substring?] {
      laps.map { $0.first { $0.hasPrefix("<\(name)>") }?.dropFirst(name.count + 2).prefix { $0 != "<" } }
    }
    #expect(numbers("MaximumSpeed") == ["4.2", "3.9"])
    #expect(numbers("Cadence") == ["81", "81"])
    let extensions = [95, 91].map {
      "<Extensions><ns3:LX><ns3:AvgSpeed>3</ns3:AvgSpeed><ns3:AvgRunCadence>81</ns3:AvgRunCadence>"
        + "<ns3:MaxRunCadence>\($0)</ns3:MaxRunCadence></ns3:LX></Extensions>"
    }
    #expect(laps.map { lap in lap.first { $0.hasPrefix("<Extensions>") }.map { String($0) } } == extensions)
    let names = laps.first?.map { $0.drop { $0 == "<" }.prefix { $0 != ">" } }
    #expect(
      names == [
        "TotalTimeSeconds", "DistanceMeters", "MaximumSpeed", "Calories", "AverageHeartRateBpm", "MaximumHeartRateBpm",
        "Intensity", "Cadence", "TriggerMethod", "Extensions", "/Lap",
      ])
    #expect(trip.copy.facts.parts.map(\.statedMeters) == [120])
    #expect(try RoundTrip.export(trip.copy, as: .tcx).bytes == trip.bytes)
  }

  @Test("What is not known is not stated")
  func absent() throws {
    let text = "time,hr\n1700000000,120\n1700000060,121\n"
    let (session, losses) = try session(text)
    #expect(losses.all.isEmpty)
    #expect([18, 19].map(session.value) == [Self.noByte, Self.noByte])
    #expect([22, 23].map(session.value) == [Self.noWord, Self.noWord])
    #expect([124, 125].map(session.value) == [Self.nothing, Self.nothing])
    #expect([5, 6].map(session.value) == [0, 0])
    let recording = try Recording(path: folder.write(text, "original"))
    let tcx = String(decoding: try RoundTrip.export(recording, as: .tcx).bytes, as: UTF8.self)
    for name in ["MaximumSpeed", "Cadence", "Extensions"] { #expect(!tcx.contains(name), "\(name)") }
  }

  @Test("A cadence without metres and steps has a mean, and metres without speeds have one")
  func parts() throws {
    let cadence = try session("time,cadence\n1700000000,160\n1700000001,0\n1700000002,171\n").0
    #expect([18, 19].map(cadence.value) == [83, 86])
    #expect([124, 125].map(cadence.value) == [Self.nothing, Self.nothing])
    let standing = try session("time,cadence\n1700000000,0\n1700000001,0\n").0
    #expect([18, 19].map(standing.value) == [Self.noByte, 0])
    let metres = try session("time,distance\n1700000000,0\n1700000010,25\n").0
    #expect([124, 125].map(metres.value) == [2_500, Self.nothing])
    let speeds = try session("time,speed\n1700000000,2.5\n1700000010,3.25\n").0
    #expect([124, 125].map(speeds.value) == [Self.nothing, 3_250])
    // Where the session takes no time there is no mean.
    #expect(try session("time,distance\n1700000000,5\n").0.value(124) == Self.nothing)
  }

  @Test("Altitudes of two sensors are no climb, and what no field can hold is left out and counted")
  func climbs() throws {
    let beside = "0,46,15,500\n1,,,100\n2,46,15,500\n3,,,104\n4,46,15,500\n"
    let (session, _) = try session("at_s,latitude,longitude,altitude\n" + beside)
    #expect([22, 23].map(session.value) == [4, 0])
    let wild = (0..<20).map { "\($0),120,\($0 % 2 * 8_000)\n" }.joined()
    let (beyond, losses) = try self.session("at_s,hr,altitude\n" + wild)
    #expect([22, 23].map(beyond.value) == [Self.noWord, Self.noWord])
    #expect(losses[.valuesOutOfRange] == 2)
  }

  @Test(
    "FIT has the kind of a sport that its name says",
    arguments: [
      ("treadmill", 1, 1), ("indoor_running", 1, 45), ("trail running", 1, 3), ("track running", 1, 4),
      ("running", 1, 0), ("mountain biking", 2, 8), ("gravel_cycling", 2, 46), ("virtualride", 2, 58),
      ("indoor cycling", 2, 6), ("open_water_swimming", 5, 18), ("lap swimming", 5, 17), ("indoor_walking", 11, 27),
      ("hiking", 17, 0), ("yoga", 0, 0),
    ])
  func kinds(name: String, sport: Int, kind: Int) throws {
    let track =
      "<trk><type>\(name)</type><trkseg>" + XMLFixture.gpxPoint(1, XMLFixture.garmin("120")) + "</trkseg></trk>"
    let session = try session(XMLFixture.gpx(track)).0
    #expect([5, 6].map(session.value) == [sport, kind])
  }

  @Test("A treadmill of equipment for fitness is on foot, so that its cadence is kept")
  func treadmill() throws {
    var builder = FITBuilder()
    builder.define(0, message: FIT.record, [FIT.time, FIT.heartRate, FITBuilder.Field(4, .uint8)])
    for second in 0..<10 { builder.message(0, [.integer(FIT.start + second), 120, 85]) }
    builder.define(1, message: FIT.session, [FITBuilder.Field(5, .enumeration), FITBuilder.Field(6, .enumeration)])
    builder.message(1, [4, 1])
    let trip = try RoundTrip(Recording(path: folder.write(builder.file())), as: .fit, in: folder)
    #expect(trip.losses.all.isEmpty)
    #expect(trip.copy.facts.parts.map(\.sport) == ["fitness_equipment"])
    #expect(trip.copy.facts.parts.map(\.subSport) == ["treadmill"])
    let cadences = try FormatLosses.samples(of: trip.copy).compactMap { $0.values[.cadence]?.first }
    #expect(cadences == [Double](repeating: 170, count: 10))
  }
}
