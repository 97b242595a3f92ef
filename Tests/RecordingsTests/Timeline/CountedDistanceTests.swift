import Recordings
import SessionStore
import TestSupport
import Testing
import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("The distance that a recording counts")
struct CountedDistanceTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func recording(_ text: String, _ name: String = "a") throws -> Recording {
    try Recording(path: folder.write(text, name))
  }

  private func replayed(_ recording: Recording) throws -> Double? {
    let settings = try CoachingRequest.runner("z2", "none").settings(on: nil)
    return try Replay.run(recording, settings: settings, pace: .events) { _, _ in }.engine.distanceMeters
  }

  private func tcx(_ meters: [[Double]]) -> String {
    var second = -1
    let activities = meters.map { counts in
      let points = counts.map { count in
        second += 1
        return XMLFixture.tcxPoint(
          second,
          "<DistanceMeters>\(count)</DistanceMeters><HeartRateBpm><Value>120</Value></HeartRateBpm>")
      }
      return "<Activity Sport=\"Running\"><Id>a</Id><Lap StartTime=\"\(XMLFixture.time(second))\"><Track>"
        + points.joined() + "</Track></Lap></Activity>"
    }
    return XMLFixture.tcx(activities.joined())
  }

  private func fit(_ meters: [Double]) -> [UInt8] {
    var builder = FITBuilder()
    builder.define(0, message: FIT.record, [FIT.time, FIT.heartRate, FITBuilder.Field(5, .uint32)])
    for (index, count) in meters.enumerated() {
      builder.message(0, [.integer(FIT.start + index), .integer(120), .integer(Int((count * 100).rounded()))])
    }
    return builder.file()
  }

  @Test("is not counted again when it falls slightly, in any format")
  func slightFall() throws {
    let counts = [0, 5_000, 4_999.9, 5_015]
    let csv = "time_s,hr,distance\n" + counts.enumerated().map { "\($0.offset),120,\($0.element)\n" }.joined()
    for recording in [
      try recording(csv, "a.csv"), try recording(tcx([counts]), "a.tcx"),
      try Recording(path: folder.write(fit(counts), "a.fit")),
    ] {
      #expect(recording.facts.recordedMeters == 5_015, "\(recording.facts.format)")
      #expect(try replayed(recording) == 5_015, "\(recording.facts.format)")
    }
  }

  @Test("goes on where it was after a reading of zero, and begins again where the zero stays, in any format")
  func glitches() throws {
    for (counts, expected) in [([0, 5_000, 0, 5_015], 5_015), ([0, 5_000, 0, 4, 8, 12], 5_012)] as [([Double], Double)]
    {
      let csv = "time_s,hr,distance\n" + counts.enumerated().map { "\($0.offset),120,\($0.element)\n" }.joined()
      for recording in [
        try recording(csv, "a.csv"), try recording(tcx([counts]), "a.tcx"),
        try Recording(path: folder.write(fit(counts), "a.fit")),
      ] {
        #expect(recording.facts.recordedMeters == expected, "\(recording.facts.format)")
        #expect(try replayed(recording) == expected, "\(recording.facts.format)")
      }
    }
  }

  @Test("is that of each activity added up, however far the next one begins")
  func activities() throws {
    for next in [[0, 300], [90, 300], [400, 700]] as [[Double]] {
      let recording = try recording(tcx([[0, 400, 1_000], next]))
      let expected = 1_000 + (next.last ?? 0)
      #expect(recording.facts.recordedMeters == expected)
      #expect(try replayed(recording) == expected)
    }
  }

  @Test("and the steps since the start follow the same rule")
  func steps() throws {
    let counts = [8_000, 8_010, 8_009, 8_020, 3, 13]
    let csv = "time_s,steps_cumulative\n" + counts.enumerated().map { "\($0.offset),\($0.element)\n" }.joined()
    #expect(try recording(csv).facts.steps == 33)
    let glitch = "time_s,steps_cumulative\n0,8000\n1,8010\n2,0\n3,8012\n"
    #expect(try recording(glitch).facts.steps == 12)
    var builder = FITBuilder()
    builder.define(2, message: FIT.sport, [FITBuilder.Field(0, .enumeration)])
    builder.message(2, [.integer(1)])
    builder.define(0, message: FIT.record, [FIT.time, FITBuilder.Field(19, .uint32)])
    for (index, strides) in [0, 1_000, 999, 1_005].enumerated() {
      builder.message(0, [.integer(FIT.start + index), .integer(strides)])
    }
    #expect(try Recording(path: folder.write(builder.file(), "b.fit")).facts.steps == 2_010)
  }

  @Test("in the low bits of a FIT counter is not a whole round longer when it falls by one")
  func lowBits() throws {
    var builder = FITBuilder()
    builder.define(0, message: FIT.record, [FIT.time, FITBuilder.Field(8, .byte, count: 3)])
    // Sixteenths of a metre in the upper 12 bits; the speed is absent.
    for (index, sixteenths) in [1_600, 1_615, 1_614, 1_632].enumerated() {
      let bits = sixteenths << 12 | 0xFFF
      builder.message(
        0,
        [
          .integer(FIT.start + index),
          .list([.integer(bits & 0xFF), .integer(bits >> 8 & 0xFF), .integer(bits >> 16)]),
        ])
    }
    #expect(try Recording(path: folder.write(builder.file(), "c.fit")).facts.recordedMeters == 102)
  }
}
