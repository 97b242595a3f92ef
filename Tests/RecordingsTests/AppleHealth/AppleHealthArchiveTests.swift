@testable import Recordings
import TestSupport
import Testing
@testable import TextFormats
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("The archive of an Apple Health export")
struct AppleHealthArchiveTests {
  private typealias Fixture = HealthFixture
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// A route of positions, one every 10 s of 2026-03-01 from 10:00:00Z on, as the app writes them.
  private static func route(_ seconds: some Sequence<Int>) -> String {
    XMLFixture.gpx(
      "<trk><name>Route</name><trkseg>"
        + seconds.map { XMLFixture.gpxPoint($0, "<extensions><speed>2.5</speed><hAcc>3</hAcc></extensions>") }.joined()
        + "</trkseg></trk>", creator: "Apple Health Export")
  }

  private let run = Fixture.workout("Running", 36_000, 36_060, Fixture.route("route_2026-03-01_10.00am.gpx"))

  private func archive(
    _ export: String, _ routes: [(name: String, text: String)], name: String = "export.xml",
    root: String = "apple_health_export/"
  ) throws -> String {
    var builder = ZipBuilder()
    func add(_ name: String, _ text: String) {
      builder.add(root + name, Array(text.utf8), deflated: deflated(Array(text.utf8)))
    }
    for route in routes { add("workout-routes/" + route.name, route.text) }
    add(name, export)
    add(
      "export_cda.xml",
      "<?xml version=\"1.0\"?><ClinicalDocument>\(String(repeating: " ", count: 99_999))</ClinicalDocument>")
    return try folder.write(builder.archive(), "export.zip")
  }

  private func warnings(_ facts: RecordingFacts) -> [String] {
    facts.warnings.map { "\($0.kind.rawValue) \($0.count) \($0.detail ?? "")" }
  }

  @Test("opens whatever the export is called, with the positions of its routes")
  func routes() throws {
    let export = Fixture.export(Fixture.beat(36_005) + run)
    for (name, root) in [("export.xml", "apple_health_export/"), ("Exportación.xml", "exportación/"), ("导出.xml", "")] {
      let path = try archive(
        export, [("route_2026-03-01_10.00am.gpx", Self.route(stride(from: 2, through: 8, by: 2)))], name: name,
        root: root)
      let recording = try Recording(path: path)
      #expect(recording.facts.format == "apple-health", "\(name)")
      #expect(recording.facts.warnings.isEmpty, "\(name)")
      #expect(recording.facts.locationCount == 4, "\(name)")
      #expect(recording.facts.sampleCount == 5, "\(name)")
      #expect(recording.facts.start?.description == "2026-03-01T10:00:02Z")
      #expect(recording.facts.elapsed == .seconds(6))
      #expect(
        try emitted(recording.forEachInput) == [
          "0.0 at 46.52 -15.62", "2.0 at 46.54 -15.64", "3.0 beat 120.0 Watch", "4.0 at 46.56 -15.66",
          "6.0 at 46.58 -15.68",
        ], "\(name)")
    }
  }

  @Test("has a distance that does not lead from one route to the next")
  func distance() throws {
    let second = Fixture.workout("Walking", 36_600, 36_660, Fixture.route("b.gpx"))
    let near = Self.route([0, 1]).replacing("lat=\"46.51\"", with: "lat=\"46.5001\"")
      .replacing("lon=\"-15.61\"", with: "lon=\"-15.60\"")
    let path = try archive(
      Fixture.export(run + second),
      [
        ("route_2026-03-01_10.00am.gpx", near),
        ("b.gpx", near.replacing("T10:00", with: "T10:10").replacing("46.5", with: "47.5")),
      ])
    let facts = try Recording(path: path).facts
    #expect(facts.locationCount == 4)
    #expect(facts.warnings.isEmpty)
    #expect(abs((facts.locationMeters ?? 0) - 22.2) < 0.2)
  }

  @Test("begins a workout with its route, where that begins first")
  func early() throws {
    let path = try archive(
      Fixture.export(Fixture.beat(36_005) + Fixture.workout("Running", 36_004, 36_060, Fixture.route("a.gpx"))),
      [("a.gpx", Self.route([1, 3]))])
    let recording = try AppleHealthRecording(RecordingSource(archive: path), isPacked: false)
    #expect(recording.activities.map(\.start) == [.zero])
    #expect(recording.activities.first?.startTime?.description == "2026-03-01T10:00:01Z")
    let lines = try emitted { try recording.forEachInput(activity: 1, $0) }
    #expect(lines == ["0.0 at 46.51 -15.61", "2.0 at 46.53 -15.63", "4.0 beat 120.0 Watch"])
  }

  @Test("says what is wrong with a route, and takes what can be read of it")
  func damagedRoutes() throws {
    let route = Self.route([1, 2, 3])
    let beat = Fixture.beat(36_005)
    let cut = try Recording(
      path: archive(Fixture.export(beat + run), [("route_2026-03-01_10.00am.gpx", String(route.prefix(500)))]))
    #expect(cut.facts.locationCount == 1)
    #expect(warnings(cut.facts)[0].hasPrefix("unreadableRoute 1 apple_health_export/workout-routes/route_"))
    #expect(cut.facts.warnings[0].position.hasPrefix("unpacked byte "))
    let absent = try Recording(path: archive(Fixture.export(beat + run + run), []))
    #expect(
      warnings(absent.facts)
        == ["unreadableRoute 2 /workout-routes/route_2026-03-01_10.00am.gpx: not in the archive"])
    let other = try Recording(path: archive(Fixture.export(beat + run), [("route_2026-03-01_10.00am.gpx", "<html/>")]))
    #expect(warnings(other.facts)[0].hasSuffix("byte 0: expected <gpx>, found another element"))
    let late = try Recording(
      path: archive(
        Fixture.export(beat + run),
        [("route_2026-03-01_10.00am.gpx", route.replacing("2026-03-01T10:00:03", with: "2026-03-02T10:00:03"))]))
    #expect(late.facts.locationCount == 2)
    #expect(warnings(late.facts)[0].hasSuffix("route_2026-03-01_10.00am.gpx: 1 points outside of the workout"))
    // A path leads nowhere but into the archive.
    let outside = Fixture.workout("Running", 36_000, 36_060, Fixture.route("../../../../etc/passwd"))
    #expect(
      warnings(try Recording(path: archive(Fixture.export(beat + outside), [])).facts)[0].hasSuffix(
        "not in the archive"))
  }

  @Test("is not looked for beside an export that stands alone: its routes are reported as left out")
  func alone() throws {
    let facts = try folder.health(Fixture.export(Fixture.beat(36_005) + run + run)).facts
    #expect(warnings(facts) == ["routeNotRead 2 they stand in the archive of the export"])
    #expect(facts.locationCount == 0)
  }

  @Test("cut anywhere gives the records before the cut, or one error")
  func truncation() throws {
    let beats = (0..<400).map { Fixture.beat(36_000 + 7 * $0, "\(60 + $0 * 7919 % 101)") }.joined()
    let bytes = try POSIXFile(reading: archive(Fixture.export(beats + run), [])).readAll(maximumBytes: 1 << 20)
    var last = 0
    for count in stride(from: 4, to: bytes.count, by: 61) {
      do {
        let facts = try Recording(path: folder.write(Array(bytes[..<count]), "cut.zip")).facts
        let heartRates = facts.heartRate?.statistics.count ?? 0
        #expect(heartRates >= last, "cut at \(count)")
        #expect(facts.warnings.contains { $0.kind == .truncated }, "cut at \(count)")
        last = heartRates
      } catch let error as RecordingError {
        #expect(last == 0, "cut at \(count): \(error)")
      }
    }
    #expect(last == 400)
  }

  @Test("with two exports is refused")
  func several() throws {
    var builder = ZipBuilder()
    for name in ["a/export.xml", "b/export.xml"] { builder.add(name, Array(Fixture.everything.utf8)) }
    let path = try folder.write(builder.archive(), "two.zip")
    let error = #expect(throws: RecordingError.self) { try Recording(path: path) }
    #expect(error?.problem == "a zip archive of several recordings (a/export.xml, b/export.xml …): expected one")
  }
}
