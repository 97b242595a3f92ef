import Recordings
import WorkoutSession
import TestSupport
import Testing
import TextFormats
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("A recording in a zip archive")
struct ZippedRecordingTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private let gpx = Array(XMLFixture.gpxRun.utf8)
  private let csv = Array("time_s,heart_rate\n0,120\n1,121\n2,122\n".utf8)
  private let fit = FIT.records((0..<60).map { .integer(120 + $0 / 10) }).file()

  private func archive(_ entries: [(name: String, bytes: [UInt8])]) throws -> String {
    var builder = ZipBuilder()
    for (number, entry) in entries.enumerated() {
      builder.add(entry.name, entry.bytes, deflated: number % 2 == 0 ? deflated(entry.bytes) : nil)
    }
    return try folder.write(builder.archive(), "a.zip")
  }

  private func problem(_ entries: [(name: String, bytes: [UInt8])]) throws -> String? {
    let path = try archive(entries)
    return #expect(throws: RecordingError.self) { try Recording(path: path) }?.description
      .replacing(path, with: "FILE")
  }

  @Test("opens as that recording, recognised by its content, packed once more or not")
  func single() throws {
    for (format, bytes) in [("fit", fit), ("gpx", gpx), ("csv", csv)] {
      let plain = try Recording(path: folder.write(bytes, "plain")).facts
      let name = format == "csv" ? "a.csv" : "a.bin"
      for entry in [(name, bytes), (name + (format == "csv" ? ".gz" : ""), packed(bytes))] {
        let text = Array("about this".utf8)
        let recording = try Recording(path: archive([entry, ("readme.txt", text)]))
        #expect(recording.facts.format == format)
        #expect(recording.facts.sampleCount == plain.sampleCount, "\(format)")
        #expect(recording.facts.elapsed == plain.elapsed, "\(format)")
        #expect(recording.facts.heartRate?.statistics == plain.heartRate?.statistics, "\(format)")
        #expect(recording.facts.warnings.isEmpty, "\(format)")
        var samples = 0
        try recording.forEachInput { if case .sample = $0 { samples += 1 } }
        #expect(samples == plain.sampleCount, "\(format)")
      }
    }
  }

  @Test("is refused in one line where there are several, none, or only something else")
  func others() throws {
    let several = try problem([("b.gpx", gpx), ("a.fit", fit), ("c.txt", csv)])
    let advice = "expected one, or inspect and import, which take all"
    #expect(several == "FILE: a zip archive of several recordings (b.gpx, a.fit …): " + advice)
    var inner = ZipBuilder()
    inner.add("a.fit", fit)
    #expect(
      try problem([("a.zip", inner.archive())])
        == "FILE: a zip archive of archives: expected one recording, or inspect and import, which take all")
    let none = "FILE: an archive without a recording: expected an export of Apple Health or one recording"
    #expect(try problem([]) == none)
    #expect(try problem([("a.txt", csv)]) == none)
    let document = Array("<?xml version=\"1.0\"?>\n<ClinicalDocument xmlns=\"urn:hl7-org:v3\"/>".utf8)
    #expect(
      try problem([("export_cda.xml", document)])
        == "FILE: an archive with a clinical document: expected the export of Apple Health beside it")
  }

  @Test("beside tables is opened, and those that are recordings themselves are named and counted, as are archives")
  func tablesBeside() throws {
    let list = Array("Activity ID,Activity Name\n1,Morning Run\n".utf8)
    let objects = (0..<3).map { "{\"timestamp\":\(1_770_000_000 + $0),\"heartbeat\":120}" }.joined(separator: ",")
    let array = Array("[\(objects)]".utf8)
    let long = Array("time_s,heart_rate\n".utf8) + (0..<9_000).flatMap { Array("\($0),\(100 + $0 % 60)\n".utf8) }
    var inner = ZipBuilder()
    inner.add("a.fit", fit)
    for (name, bytes, format) in [("2.fit", fit, "fit"), ("2.fit.gz", packed(fit), "fit"), ("2.gpx", gpx, "gpx")] {
      func warnings(_ entries: [(name: String, bytes: [UInt8])]) throws -> [String] {
        let facts = try Recording(path: archive([(name, bytes)] + entries)).facts
        #expect(facts.format == format)
        return facts.warnings.filter { $0.kind == .recordingsLeftOut }.map { "\($0.position) \($0.count)" }
      }
      #expect(try warnings([]) == [])
      #expect(try warnings([("activities.csv", list), ("photo.jpg", [0xFF, 0xD8, 0xFF]), ("a.txt", csv)]) == [])
      #expect(try warnings([("1.csv", csv)]) == ["1.csv 1"])
      #expect(try warnings([("activities.csv", list), ("1.csv.gz", packed(csv)), ("3.csv", long)]) == ["1.csv.gz 2"])
      #expect(try warnings([("1.json", array), ("other.json", Array("{\"a\":1}".utf8))]) == ["1.json 1"])
      #expect(try warnings([("inner.zip", inner.archive())]) == ["inner.zip 1"])
    }
    let rr = Array((0..<60).map { "\(800 + $0)\n" }.joined().utf8)
    let beats = try Recording(path: archive([("rr.txt", rr), ("2.csv", csv)])).facts
    #expect(beats.warnings.map { "\($0.kind) \($0.position)" } == ["recordingsLeftOut 2.csv"])
  }

  @Test("with a password or packed in another way is refused in one line with its name")
  func locked() throws {
    var secret = ZipBuilder.Style()
    secret.isEncrypted = true
    var odd = ZipBuilder.Style()
    odd.method = 14
    for (style, problem) in [
      (secret, "export.xml: needs a password: expected an entry without one"),
      (odd, "export.xml: packed by method 14: expected it stored or deflated"),
    ] {
      var builder = ZipBuilder()
      builder.add("export.xml", gpx, style)
      let path = try folder.write(builder.archive(), "a.zip")
      let error = #expect(throws: RecordingError.self) { try Recording(path: path) }
      #expect(error?.description == "\(path): byte 0: \(problem)")
      builder.add("a.gpx", gpx)
      #expect(try Recording(path: folder.write(builder.archive(), "a.zip")).facts.format == "gpx")
    }
  }

  @Test("that is cut or damaged gives what could be unpacked, and says where in the archive it ends")
  func damage() throws {
    var builder = ZipBuilder()
    let points = (0..<600).map { XMLFixture.gpxPoint($0, XMLFixture.garmin("\(100 + $0 % 70)")) }.joined()
    let text = Array(XMLFixture.gpx("<trk><trkseg>\(points)</trkseg></trk>").utf8)
    builder.add("run.gpx", text, deflated: deflated(text))
    let bytes = builder.archive()
    let half = try Recording(path: folder.write(Array(bytes[..<(bytes.count / 2)]), "a.zip")).facts
    // The made-up points are too far from each other for somebody on foot.
    let damages = half.warnings.filter { $0.kind != .fasterThanSport }
    #expect(damages.map(\.kind) == [.truncated])
    #expect(damages.map(\.count) == [2])
    #expect(damages.allSatisfy { $0.position == "byte \(bytes.count / 2)" })
    let count = try #require(half.heartRate?.statistics.count)
    #expect(count > 100)
    #expect(count < 600)
    var damaged = bytes
    damaged[bytes.count / 2] ^= 0xFF
    let broken = try Recording(path: folder.write(damaged, "a.zip")).facts
    #expect(!broken.warnings.isEmpty)
    #expect(broken.sampleCount > 0)
  }

  @Test("keeps the positions of its own damage apart: they are said to be unpacked")
  func positions() throws {
    let text = String(XMLFixture.gpxRun.prefix(1_500))
    let facts = try Recording(path: archive([("a.gpx", Array(text.utf8))])).facts
    #expect(facts.warnings.map(\.position) == ["unpacked byte 1500"])
    let error = try problem([("a.gpx", Array("<gpx><trk/>".utf8))])
    #expect(error == "FILE: unpacked byte 11: expected the end of <gpx>, found the end of the text")
  }
}
