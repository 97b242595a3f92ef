import Recordings
import TestSupport
import Testing
import TextFormats
@testable import WorkoutTestSupport
import ZoneEngine

@Suite("What nothing can measure")
struct ImpossibleValueTests {
  /// Warnings of values, each as its position, how many there are, and what was found.
  private func values(_ text: String) throws -> [String] {
    try values(Recording(bytes: Array(text.utf8), name: "FILE"))
  }

  private func values(_ recording: Recording) -> [String] {
    recording.facts.warnings.filter { $0.kind == .unreadableValue }
      .map { "\($0.position.prefix { $0 != " " }) \($0.count) \($0.detail ?? "")" }
  }

  private func problem(_ bytes: [UInt8]) throws -> RecordingError {
    try #require(#expect(throws: RecordingError.self) { try Recording(bytes: bytes, name: "FILE") })
  }

  private func gpx(_ latitudes: [String], _ more: String = "") -> String {
    let points = latitudes.enumerated().map { second, latitude in
      "<trkpt lat=\"\(latitude)\" lon=\"8\"><time>2026-03-01T10:00:0\(second)Z</time>\(more)</trkpt>"
    }
    return XMLFixture.gpx("<trk><trkseg>\(points.joined())</trkseg></trk>")
  }

  private func fit(_ semicircles: [Int], heartRate: Bool) -> [UInt8] {
    var builder = FITBuilder()
    let fields = [FIT.time, FITBuilder.Field(0, .sint32), FITBuilder.Field(1, .sint32)]
    builder.define(0, message: FIT.record, fields + (heartRate ? [FIT.heartRate] : []))
    for (second, latitude) in semicircles.enumerated() {
      let values: [FITBuilder.Value] = [.integer(FIT.start + second), .integer(latitude), .integer(95_443_718)]
      builder.message(0, values + (heartRate ? [.integer(120)] : []))
    }
    return builder.file()
  }

  /// 95° north and 47° north, as FIT has them.
  private let off = 1_133_394_148
  private let on = 560_731_841

  @Test("A position off the Earth is counted in every format, and the others stay")
  func positions() throws {
    #expect(try values(gpx(["47", "95", "-90.5"])) == ["byte 2 a position off the Earth"])
    let point = { (second: Int, latitude: String) in
      XMLFixture.tcxPoint(
        second,
        "<Position><LatitudeDegrees>\(latitude)</LatitudeDegrees><LongitudeDegrees>8</LongitudeDegrees></Position>")
    }
    let tcx = XMLFixture.tcx(
      XMLFixture.activity(
        "Running", XMLFixture.lap(at: 0, seconds: "2", meters: "6", point(0, "47") + point(1, "95"))))
    #expect(try values(tcx) == ["byte 1 a position off the Earth"])
    #expect(try values("time_s,lat,lon\n0,47,8\n1,95,8\n2,47,-181\n3,47,8\n") == ["line 2 "])
    let recording = try Recording(bytes: fit([on, off, on], heartRate: false), name: "FILE")
    #expect(values(recording) == ["byte 1 a position off the Earth"])
    #expect(recording.facts.locationCount == 2)
  }

  @Test("A position of exactly 0° and 0° is that of a device without a fix, and no position; one of the two is one")
  func noFix() throws {
    func locations(_ text: String) throws -> Int {
      try Recording(bytes: Array(text.utf8), name: "FILE").facts.locationCount
    }
    let hr = "<ele>12</ele><extensions><hr>120</hr></extensions>"
    let far = gpx(["0", "47"], hr)
    #expect(try locations(far) == 2)
    let unknown = far.replacing("lat=\"0\" lon=\"8\"", with: "lat=\"0.0\" lon=\"-0\"")
    let recording = try Recording(bytes: Array(unknown.utf8), name: "FILE")
    #expect((recording.facts.locationCount, recording.facts.altitudeCount) == (1, 1))
    #expect(recording.facts.heartRate?.statistics.count == 2)
    #expect(values(recording) == [])
    let point = { (second: Int, longitude: String) in
      XMLFixture.tcxPoint(
        second,
        "<Position><LatitudeDegrees>0</LatitudeDegrees><LongitudeDegrees>\(longitude)</LongitudeDegrees></Position>")
    }
    let laps = XMLFixture.lap(at: 0, seconds: "2", meters: "6", point(0, "0") + point(1, "8"))
    #expect(try locations(XMLFixture.tcx(XMLFixture.activity("Running", laps))) == 1)
  }

  @Test("A file without one reading is refused at the first that cannot be, and one with another stream is read")
  func nothingElse() throws {
    let gpx = try problem(Array(gpx(["95", "96"]).utf8))
    #expect(gpx.position?.hasPrefix("byte ") == true)
    #expect(
      gpx.problem == "no stream has a reading: expected one that can be read, found a position off the Earth")
    #expect(try problem(fit([off, off], heartRate: false)).position?.hasPrefix("byte ") == true)
    #expect(try problem(Array("time_s,lat,lon\n0,95,8\n1,96,8\n".utf8)).position == "line 2")
    let recording = try Recording(bytes: fit([off, off], heartRate: true), name: "FILE")
    #expect(recording.facts.heartRate?.statistics.count == 2)
    #expect(values(recording) == ["byte 2 a position off the Earth"])
  }

  @Test("A speed, a distance and a cadence below 0 are counted, and −1 means that they are not known")
  func belowZero() throws {
    let hr = "<extensions><hr>120</hr><cad>-5</cad><speed>-3</speed></extensions>"
    #expect(try values(gpx(["47"], hr)) == ["byte 2 a cadence below 0"])
    let unknown = "<extensions><hr>120</hr><cad>-1</cad><speed>-1</speed></extensions>"
    #expect(try values(gpx(["47"], unknown)) == [])
    #expect(try values("time_s,hr,speed\n0,120,-3\n1,121,2\n2,122,-1\n") == ["line 1 "])
    #expect(try values("time_s,hr,steps,distance,cadence\n0,120,-3,-4,-5\n1,121,-1,-1,-1\n") == ["line 3 "])
    #expect(try values("time_s,rr_ms\n0,-800\n1,800\n") == ["line 1 "])
  }

  @Test("Heart rates that cannot be stay in the recording, where a session counts them")
  func heartRates() throws {
    let recording = try Recording(bytes: Array("time_s,hr\n0,-5\n1,0\n2,121\n".utf8), name: "FILE")
    #expect(recording.facts.sampleCount == 3)
    #expect(recording.facts.heartRate?.statistics.count == 1)
    #expect(values(recording) == [])
  }
}
