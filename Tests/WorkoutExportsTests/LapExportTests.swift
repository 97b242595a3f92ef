import Recordings
import TestSupport
import Testing
import TextFormats
import WorkoutExports
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("Laps of a recording in an export")
struct LapExportTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// A FIT file of a minute with a heart rate and metres a second, whose timer stands still from 20 to 40, with laps.
  private func recording(laps: [(from: Int, until: Int)]) throws -> Recording {
    var builder = FITBuilder()
    builder.define(0, message: FIT.record, [FIT.time, FIT.heartRate, FITBuilder.Field(5, .uint32)])
    builder.define(
      1, message: FIT.event, [FIT.time, FITBuilder.Field(0, .enumeration), FITBuilder.Field(1, .enumeration)])
    builder.define(
      2, message: FIT.lap,
      [FIT.time, FITBuilder.Field(2, .uint32), FITBuilder.Field(7, .uint32), FITBuilder.Field(8, .uint32)])
    for second in (0...60) where !(21..<40).contains(second) {
      let metres = second <= 20 ? second * 3 : 60 + (second - 40) * 3
      builder.message(0, [.integer(FIT.start + second), .integer(100 + second), .integer(metres * 100)])
      if second == 20 { builder.message(1, [.integer(FIT.start + 20), 0, 4]) }
      if second == 40 { builder.message(1, [.integer(FIT.start + 40), 0, 0]) }
    }
    for (from, until) in laps {
      let length = (until - from) * 1_000
      let paused = max(0, min(until, 40) - max(from, 20)) * 1_000
      builder.message(
        2, [.integer(FIT.start + until), .integer(FIT.start + from), .integer(length), .integer(length - paused)])
    }
    return try Recording(path: folder.write(builder.file()))
  }

  private func texts(_ bytes: [UInt8], _ element: String) -> [String] {
    String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
      line.hasPrefix("<\(element)>") ? String(line.dropFirst(element.count + 2).prefix { $0 != "/" }.dropLast()) : nil
    }
  }

  @Test(
    "Each is a Lap in TCX with its time, metres and heart rates, also where the timer stands still at its beginning",
    arguments: [10, 20, 40, 50])
  func beginnings(second: Int) throws {
    let recording = try recording(laps: [(0, second), (second, 60)])
    let trip = try RoundTrip(recording, as: .tcx, in: folder)
    #expect(trip.losses.all.isEmpty)
    let (part, copy) = try (#require(recording.facts.parts.first), #require(trip.copy.facts.parts.first))
    #expect(copy.laps.map(\.from) == [.zero, .seconds(second)])
    #expect(copy.laps.map(\.timer) == part.laps.map(\.timer))
    #expect(copy.pauses == part.pauses)
    #expect(copy.pauses.map(\.from) == [.seconds(20)])
    let active = second <= 20 ? second : max(20, second - 20)
    #expect(texts(trip.bytes, "TotalTimeSeconds") == ["\(active)", "\(40 - active)"])
    #expect(texts(trip.bytes, "DistanceMeters") == ["\(active * 3)", "\(120 - active * 3)"])
    // The second in which a lap begins is of the one before.
    #expect(texts(trip.bytes, "MaximumHeartRateBpm") == ["<Value>\(100 + second)", "<Value>160"])
    #expect(try RoundTrip.export(trip.copy, as: .tcx).bytes == trip.bytes)
  }

  @Test("One that begins in a pause begins with it in TCX, which is reported")
  func inPause() throws {
    let recording = try recording(laps: [(0, 30), (30, 60)])
    let trip = try RoundTrip(recording, as: .tcx, in: folder)
    #expect(trip.losses.all.map(\.kind) == [.lapsMoved])
    let copy = try #require(trip.copy.facts.parts.first)
    #expect(copy.laps.map(\.from) == [.zero, .seconds(20)])
    #expect(copy.laps.map(\.timer) == [.seconds(20), .seconds(20)])
    #expect(copy.pauses == recording.facts.parts.first?.pauses)
    let again = try RoundTrip.export(trip.copy, as: .tcx)
    #expect(again.bytes == trip.bytes)
    #expect(again.losses.all.isEmpty)
  }

  @Test("What ended one in a TCX is kept")
  func triggers() throws {
    let lap = { (start: Int, trigger: String) in
      XMLFixture.lap(
        at: start, seconds: "5", meters: "15", (start...start + 5).map { XMLFixture.fullPoint($0) }.joined()
      ).replacing("<Track>", with: "<TriggerMethod>\(trigger)</TriggerMethod><Track>")
    }
    let laps = lap(0, "Time") + lap(5, "Distance") + lap(10, "Location") + lap(15, "Manual")
    let recording = try Recording(path: folder.write(XMLFixture.tcx(XMLFixture.activity("Running", laps))))
    let trip = try RoundTrip(recording, as: .tcx, in: folder)
    #expect(texts(trip.bytes, "TriggerMethod") == ["Time", "Distance", "Manual", "Manual"])
    #expect(trip.copy.facts.parts.first?.laps.map(\.from) == [0, 5, 10, 15].map { .seconds($0) })
    #expect(try RoundTrip.export(trip.copy, as: .tcx).bytes == trip.bytes)
  }

  @Test("Many in a second, or none before the end, are laps that a reader takes")
  func edges() throws {
    let recording = try recording(laps: [(0, 10), (10, 10), (10, 60), (60, 60)])
    let trip = try RoundTrip(recording, as: .tcx, in: folder)
    #expect(trip.copy.facts.parts.first?.laps.map(\.from) == [.zero, .seconds(10)])
    #expect(texts(trip.bytes, "DistanceMeters") == ["30", "90"])
    #expect(try RoundTrip.export(trip.copy, as: .tcx).bytes == trip.bytes)
  }
}
