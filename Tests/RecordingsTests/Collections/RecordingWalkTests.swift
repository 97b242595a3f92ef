import Foundation
@testable import Recordings
import WorkoutSession
@testable import SessionStore
import TestSupport
import Testing
@testable import TextFormats
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("A folder or an archive of many recordings")
struct RecordingWalkTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// A recording that begins so many minutes after an instant.
  private func fit(_ minutes: Int) -> [UInt8] {
    FIT.records((0..<30).map { .integer(120 + $0 / 5) }, from: FIT.start + 60 * minutes).file()
  }

  /// What a watch keeps beside its activities: its settings, or a day.
  private func settings(_ message: Int = 2) -> [UInt8] {
    var builder = FITBuilder()
    builder.define(0, message: message, [FIT.time, FITBuilder.Field(0, .uint16)])
    builder.message(0, [.integer(FIT.start), 5])
    return builder.file()
  }

  private let gpx = Array(XMLFixture.gpxRun.utf8)
  private let table = Array("Activity ID,Activity Name\n1,Morning Run\n".utf8)
  private let image: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 7, count: 500)

  private func archive(_ entries: [(name: String, bytes: [UInt8])], style: ZipBuilder.Style = .init()) -> [UInt8] {
    var builder = ZipBuilder()
    for (number, entry) in entries.enumerated() {
      builder.add(entry.name, entry.bytes, deflated: number % 2 == 0 ? deflated(entry.bytes) : nil, style)
    }
    return builder.archive()
  }

  private func put(_ bytes: [UInt8], _ name: String) throws -> String {
    try FileSystem.createFolder(FileSystem.folder(of: folder.path + "/" + name))
    return try folder.write(bytes, name)
  }

  /// What a walk gives: the path and the number of heart rates of each recording, or its error.
  private func walk(_ path: String) throws -> (found: [String], leftOut: LeftOutFiles)? {
    guard var walk = try RecordingWalk(path) else { return nil }
    var found: [String] = []
    while let next = walk.next() {
      switch next {
      case .recording(let recording):
        var samples = 0
        try recording.forEachInput { if case .sample = $0 { samples += 1 } }
        #expect(samples == recording.facts.sampleCount)
        found.append("\(recording.path) \(recording.facts.heartRate?.statistics.count ?? 0)")
      case .problem(let path, let error):
        #expect("\(error)".hasPrefix(path), "\(error)")
        found.append("\(error)")
      }
    }
    return (found.map { $0.replacing(folder.path + "/", with: "") }, walk.leftOut)
  }

  @Test("gives recordings that can be opened again, out of archives in archives too")
  func reopened() throws {
    let inner = archive([("4.fit", fit(4)), ("5.csv", Array("time_s,heart_rate\n0,120\n1,121\n".utf8)), ("6.gpx", gpx)])
    _ = try put(
      archive([("b.zip", inner), ("c.zip", archive([("only.fit", fit(6))])), ("a.fit.gz", packed(fit(1)))]), "in/x.zip")
    _ = try put(fit(2), "in/y.fit")
    var walk = try #require(try RecordingWalk(folder.path + "/in"))
    var places: [(place: RecordingPlace, facts: RecordingFacts)] = []
    while case .recording(let recording)? = walk.next() {
      places.append((try #require(recording.place), recording.facts))
    }
    #expect(
      places.map { $0.place.name.replacing(folder.path + "/in/", with: "") }
        == ["x.zip/a.fit.gz", "x.zip/b.zip/4.fit", "x.zip/b.zip/5.csv", "x.zip/b.zip/6.gpx", "x.zip/c.zip", "y.fit"])
    var again = ReopenedRecordings()
    for (place, facts) in places + places.reversed() {
      let recording = try again.recording(at: place)
      #expect(recording.path == place.name)
      #expect(recording.facts.heartRate?.statistics == facts.heartRate?.statistics, "\(place.name)")
      #expect(recording.facts.elapsed == facts.elapsed, "\(place.name)")
      var samples = 0
      try recording.forEachInput { if case .sample = $0 { samples += 1 } }
      #expect(samples == facts.sampleCount, "\(place.name)")
    }
    #expect(try Recording(bytes: fit(1), name: "in memory").place == nil)
    _ = try put(archive([("z.fit", fit(3))]), "in/x.zip")
    let (place, _) = try #require(places.first)
    #expect(throws: RecordingError.self) { try again.recording(at: place) }
  }

  @Test("gives a folder's recordings in the order of their names, and counts what is none")
  func plainFolder() throws {
    _ = try put(fit(2), "in/b/two.fit")
    _ = try put(packed(fit(1)), "in/b/one.fit.gz")
    _ = try put(gpx, "in/a.gpx")
    _ = try put(Array("time_s,heart_rate\n0,120\n1,121\n".utf8), "in/c.csv")
    for (name, bytes) in [
      ("in/activities.csv", table), ("in/photo.jpg", image), ("in/.hidden/x.fit", fit(9)), ("in/.x.gpx", gpx),
      ("in/settings.fit", settings()), ("in/b/day.fit", settings(55)), ("in/notes.txt", table),
    ] { _ = try put(bytes, name) }
    let walked = try #require(try walk(folder.path + "/in"))
    #expect(walked.found == ["in/a.gpx 14", "in/b/one.fit.gz 30", "in/b/two.fit 30", "in/c.csv 2"])
    #expect(
      walked.leftOut.sentence
        == "left out: 2 files without a recorded activity, 3 other files, 2 hidden files and folders")
  }

  @Test("follows no link, opens no pipe and takes no session of coach for a recording")
  func oddFiles() throws {
    _ = try put(fit(1), "outside/out.fit")
    _ = try put(fit(2), "in/own.fit")
    for (link, target) in [("in/folder", "outside"), ("in/file.fit", "outside/out.fit"), ("in/self", "in")] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.path + "/" + link, withDestinationPath: folder.path + "/" + target)
    }
    #expect(unsafe mkfifo(folder.path + "/in/pipe.fit", 0o600) == 0)
    _ = try put(Array("{}".utf8), "in/sessions/x/manifest.json")
    _ = try put(Array("time,at_s,heart_rate_bpm\n".utf8), "in/sessions/x/heart_rate.csv")
    let walked = try #require(try walk(folder.path + "/in"))
    #expect(walked.found == ["in/own.fit 30"])
    #expect(walked.leftOut.sentence == "left out: 4 links and special files, 1 session of coach")
  }

  @Test("reports each recording that is damaged, and goes on")
  func damage() throws {
    _ = try put(Array(fit(1).dropLast(40)), "in/1-cut.fit")
    _ = try put([], "in/2-empty.fit")
    _ = try put(Array("<gpx><trk>".utf8), "in/3-broken.gpx")
    _ = try put(Array("PK\u{3}\u{4} and nothing".utf8), "in/4-broken.zip")
    _ = try put(fit(5), "in/5.fit")
    let walked = try #require(try walk(folder.path + "/in"))
    #expect(walked.found.count == 5)
    #expect(walked.found.first?.hasPrefix("in/1-cut.fit 2") == true, "everything before the cut")
    #expect(walked.found.dropFirst().prefix(3).allSatisfy { $0.contains(": ") }, "\(walked.found)")
    #expect(walked.found.last == "in/5.fit 30")
  }

  @Test("gives the recordings of a service's export, packed once more or not")
  func serviceExport() throws {
    let entries = [
      ("activities/3.gpx", gpx), ("activities/1.fit.gz", packed(fit(1))), ("activities.csv", table),
      ("media/photo.jpg", image), ("activities/2.fit", fit(2)), ("activities/.DS_Store", table),
    ]
    let path = try put(archive(entries), "export.zip")
    let walked = try #require(try walk(path))
    #expect(
      walked.found == [
        "export.zip/activities/1.fit.gz 30", "export.zip/activities/2.fit 30", "export.zip/activities/3.gpx 14",
      ])
    #expect(walked.leftOut.sentence == "left out: 2 other files, 1 hidden file or folder")
    // The same within a folder, beside another one.
    _ = try put(archive(entries), "in/a.zip")
    _ = try put(fit(7), "in/b.fit")
    #expect(try walk(folder.path + "/in")?.found.count == 4)
  }

  @Test("gives tables beside the only recording of an archive that are recordings too, after it")
  func tablesBesideOne() throws {
    let csv = Array("time_s,heart_rate\n0,120\n1,121\n".utf8)
    let entries = [("activities.csv", table), ("activities/1.csv", csv), ("activities/2.fit.gz", packed(fit(1)))]
    let walked = try #require(try walk(put(archive(entries), "export.zip")))
    #expect(walked.found == ["export.zip/activities/2.fit.gz 30", "export.zip/activities/1.csv 2"])
    #expect(walked.leftOut.sentence == "left out: 1 other file")
    let rr = Array((0..<60).map { "\(800 + $0)\n" }.joined().utf8)
    let beats = try #require(try walk(put(archive([("1.csv.gz", packed(csv)), ("rr.txt", rr)]), "beats.zip")))
    #expect(beats.found == ["beats.zip/rr.txt 0", "beats.zip/1.csv.gz 2"])
    // A list of workouts is none of them: the archive is one recording.
    #expect(try walk(put(archive([("activities.csv", table), ("2.fit", fit(1)), ("x.jpg", image)]), "one.zip")) == nil)
    // The same within a folder and within an archive.
    _ = try put(archive(entries), "in/a.zip")
    _ = try put(archive([("b.zip", archive(entries)), ("c.gpx", gpx)]), "in/b.zip")
    #expect(try walk(folder.path + "/in")?.found.count == 5)
  }

  @Test("looks into archives in an archive, to a depth of two")
  func nested() throws {
    let deep = archive([("deep/1.fit", fit(1)), ("deep/2.fit", fit(2))])
    let inner = archive([("5.fit", fit(5)), ("4.fit", fit(4)), ("settings.fit", settings()), ("x.zip", deep)])
    let alone = archive([("only.fit", fit(6))])
    let outer = archive([
      ("DI_CONNECT/Uploaded/UploadedFiles_2.zip", alone), ("DI_CONNECT/Uploaded/UploadedFiles_1.zip", inner),
      ("DI_CONNECT/profile.json", Array("{\"a\":1}".utf8)), ("notes.zip", archive([("a.txt", table)])),
    ])
    let walked = try #require(try walk(put(outer, "connect.zip")))
    #expect(
      walked.found == [
        "connect.zip/DI_CONNECT/Uploaded/UploadedFiles_1.zip/4.fit 30",
        "connect.zip/DI_CONNECT/Uploaded/UploadedFiles_1.zip/5.fit 30",
        "connect.zip/DI_CONNECT/Uploaded/UploadedFiles_2.zip 30",
        "connect.zip/notes.zip: an archive without a recording: expected an export of Apple Health or one recording",
      ])
    #expect(
      walked.leftOut.sentence
        == "left out: 1 file without a recorded activity, 1 other file, 1 nested too deep")
  }

  @Test("says of an archive that is cut off, wherever, that nobody knows what stood behind")
  func cutArchive() throws {
    var builder = ZipBuilder()
    for number in 1...3 { builder.add("\(number).fit", fit(number)) }
    let (whole, third) = (builder.archive(), builder.offsets[2])
    #expect(try #require(try walk(put(whole, "whole.zip"))).leftOut.sentence == nil)
    let words = "left out: 1 end of an archive that is cut off"
    for (name, bytes, count) in [("directory", whole.count - 30, 3), ("edge", third, 2), ("header", third + 20, 2)] {
      let cut = Array(whole.prefix(bytes))
      let walked = try #require(try walk(put(cut, "\(name).zip")))
      #expect(walked.found == (1...count).map { "\(name).zip/\($0).fit 30" }, "\(name)")
      #expect(walked.leftOut.sentence == words, "\(name)")
      let inner = try #require(try walk(put(archive([("in.zip", cut), ("b.gpx", gpx)]), "outer \(name).zip")))
      #expect(inner.leftOut.sentence == words, "\(name)")
    }
  }

  @Test("shows hostile names and uses none, and gives two entries of one name")
  func hostileNames() throws {
    let path = try put(
      archive([
        ("../../../escape.fit", fit(1)), ("/etc/absolute.fit", fit(2)), ("twice.fit", fit(3)), ("twice.fit", fit(3)),
        ("line\nbreak.fit", fit(4)), ("", fit(5)),
      ]), "a.zip")
    let walked = try #require(try walk(path))
    #expect(
      walked.found == [
        "a.zip/ 30", "a.zip/../../../escape.fit 30", "a.zip//etc/absolute.fit 30", "a.zip/line\nbreak.fit 30",
        "a.zip/twice.fit 30", "a.zip/twice.fit 30",
      ])
    #expect(!FileSystem.exists(folder.path + "/escape.fit"))
    #expect(try FileSystem.list(folder.path) == ["a.zip"])
  }

  @Test("names every entry that is encrypted or damaged, and gives the others")
  func damagedEntries() throws {
    var builder = ZipBuilder()
    builder.add("1.fit", fit(1))
    var style = ZipBuilder.Style()
    style.isEncrypted = true
    builder.add("2.fit", fit(2), style)
    builder.add("2.jpg", image, style)
    style = ZipBuilder.Style()
    style.method = 14
    builder.add("3.fit", fit(3), style)
    style = ZipBuilder.Style()
    style.checksumError = 1
    builder.add("4.fit", fit(4), style)
    builder.add("5.gpx", gpx, deflated: Array(deflated(gpx).dropLast(60)))
    builder.add("6.fit", [1, 2, 3])
    let walked = try #require(try walk(put(builder.archive(), "a.zip")))
    #expect(walked.found.count == 6)
    #expect(walked.found.first == "a.zip/1.fit 30")
    #expect(walked.found.dropFirst().first?.contains("2.fit: needs a password") == true, "\(walked.found)")
    #expect(walked.found.dropFirst(2).first?.contains("packed by method 14") == true, "\(walked.found)")
    #expect(walked.found.dropFirst(3).first == "a.zip/4.fit 30")
    #expect(walked.found.dropFirst(4).first?.hasPrefix("a.zip/5.gpx ") == true, "everything before the damage")
    #expect(walked.found.last?.hasPrefix("a.zip/6.fit: ") == true)
    #expect(walked.leftOut.others == 1)
  }

  @Test("is none where a path is one recording, an export of Apple Health, a session or no archive")
  func others() throws {
    let health = Array("<?xml version=\"1.0\"?>\n<HealthData locale=\"en\"></HealthData>\n".utf8)
    for (name, bytes) in [
      ("a.fit", fit(1)), ("one.zip", archive([("a.fit", fit(1)), ("b.csv", table)])),
      ("health.zip", archive([("apple_health_export/export.xml", health), ("r/1.gpx", gpx), ("r/2.gpx", gpx)])),
      ("s/manifest.json", Array("{}".utf8)), ("text.zip", table),
    ] { #expect(try walk(put(bytes, name)) == nil, "\(name)") }
    #expect(try walk(folder.path + "/s") == nil)
    #expect(try walk(folder.path + "/absent") == nil)
  }
}
