@testable import Recordings
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

  /// Activities of a minute each with a point a second: from how many metres to how many, and what the lap states.
  private func parts(_ parts: [(counts: ClosedRange<Double>, stated: Double?)]) -> String {
    let activities = parts.enumerated().map { index, part in
      let points = (0...60).map { second in
        let share = Double(second) / 60
        let count = part.counts.lowerBound + share * (part.counts.upperBound - part.counts.lowerBound)
        return XMLFixture.tcxPoint(
          120 * index + second,
          "<DistanceMeters>\(count)</DistanceMeters><HeartRateBpm><Value>120</Value></HeartRateBpm>")
      }
      let stated = part.stated.map { "<DistanceMeters>\($0)</DistanceMeters>" } ?? ""
      return "<Activity Sport=\"Biking\"><Id>a</Id><Lap StartTime=\"\(XMLFixture.time(120 * index))\">"
        + "<TotalTimeSeconds>60</TotalTimeSeconds>\(stated)<Track>\(points.joined())</Track></Lap></Activity>"
    }
    return XMLFixture.tcx(activities.joined())
  }

  @Test("of a part of a triathlon is its own where its counter goes on from the part before")
  func continued() throws {
    for (text, alone) in [
      (parts([(0...200, 200), (200...500, 300), (500...600, 100)]), [200, 300, 100]),
      // What the transition took belongs to none, or to the part behind it.
      (parts([(0...200, 200), (215...500, 285.5), (505...600, 95)]), [200, 285, 95]),
      (parts([(0...200, 200), (215...500, 300)]), [200, 300]),
      // Counters that begin anew, also with some metres, and those of which nobody says how far it was.
      (parts([(0...200, 200), (0...300, 300)]), [200, 300]),
      (parts([(0...1, 1), (2.5...300, 300)]), [1, 300]),
      (parts([(0...200, 200), (215...500, nil)]), [200, 500]),
      (parts([(0...200, 200), (195...500, 305)]), [200, 500]),
    ] as [(String, [Double])] {
      let whole = try recording(text, "a.tcx")
      #expect(abs((try replayed(whole) ?? 0) - alone.reduce(0, +)) < 1e-6)
      let counted = DecodedRecording(finishing: DecodedText(TCXDecoder(), text).items).activities
        .map { JoinedDistance.Part($0).meters ?? -1 }
      #expect(counted.count == alone.count, "\(counted)")
      #expect(zip(counted, alone).allSatisfy { abs($0 - $1) < 1e-6 }, "\(counted)")
    }
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

  @Test(
    "has none of a count that is damaged, wherever it stands, and a warning says where",
    arguments: [[0], [1], [3], [8], [12], [60], [60, 61], [4, 70]])
  func damaged(places: [Int]) throws {
    var counts = (0..<100).map { 3.0 * Double($0) }
    // The highest bit of a number of centimetres, and the one below it.
    for (number, place) in places.enumerated() { counts[place] += number == 0 ? 21_474_836.48 : 10_737_418.24 }
    for recording in [
      try recording(tcx([counts]), "a.tcx"), try Recording(path: folder.write(fit(counts), "a.fit")),
    ] {
      let format = recording.facts.format
      #expect(recording.facts.recordedMeters == 297, "\(format)")
      #expect(try replayed(recording) == 297, "\(format)")
      #expect(recording.facts.warnings.map(\.kind) == [.unreadableValue], "\(format)")
      #expect(recording.facts.warnings.map(\.count) == [places.count], "\(format)")
      #expect(recording.facts.warnings.first?.detail == "a distance that leaps", "\(format)")
      let at = (recording.facts.start?.nanoseconds ?? 0) + Int64(places[0]) * 1_000_000_000
      #expect(recording.facts.warnings.first?.position == "time \(WallClockTime(nanoseconds: at))", "\(format)")
    }
  }

  @Test("has none of a lower bit that is damaged at its beginning, and a leap that stays is believed as before")
  func damagedBeginning() throws {
    var counts = (0..<100).map { 3.0 * Double($0) }
    counts[5] += 655.36
    let odd = try Recording(path: folder.write(fit(counts), "a.fit"))
    #expect(odd.facts.recordedMeters == 297)
    #expect(odd.facts.warnings.map(\.kind) == [.unreadableValue])
    let late = [0, 3, 6] + (0..<60).map { 2_000 + 3 * Double($0) }
    let leap = try Recording(path: folder.write(fit(late), "b.fit"))
    #expect(leap.facts.recordedMeters == 2_177)
    #expect(leap.facts.warnings.isEmpty)
    let again = [0, 300, 600, 900] + (0..<60).map { 3 * Double($0) }
    let twice = try Recording(path: folder.write(fit(again), "c.fit"))
    #expect(twice.facts.recordedMeters == 1_077, "three are no damage")
    #expect(twice.facts.warnings.isEmpty)
  }

  @Test("is not what a session or laps state that nothing covers in its time, and a warning says so")
  func impossibleTotal() throws {
    let counts = (0..<60).map { 3.0 * Double($0) }
    func odd(_ stated: Int) throws -> Recording {
      var builder = FITBuilder()
      builder.define(0, message: FIT.record, [FIT.time, FIT.heartRate, FITBuilder.Field(5, .uint32)])
      for (index, count) in counts.enumerated() {
        builder.message(0, [.integer(FIT.start + index), .integer(120), .integer(Int(count * 100))])
      }
      builder.define(1, message: FIT.session, [FIT.time, FITBuilder.Field(9, .uint32)])
      builder.message(1, [.integer(FIT.start + 59), .integer(stated)])
      return try Recording(path: folder.write(builder.file(), "a.fit"))
    }
    let impossible = try odd(18_000 + 1 << 31)
    #expect(impossible.facts.recordedMeters == 177)
    #expect(impossible.facts.warnings.map(\.kind) == [.unreadableValue])
    #expect(impossible.facts.warnings.first?.detail == "a stated distance of 21475 km")
    // What a plane covers may be true.
    let far = try odd(1_500_000)
    #expect(far.facts.recordedMeters == 15_000)
    #expect(far.facts.warnings.isEmpty)
  }

  @Test("and the steps have none of a count that is damaged")
  func damagedSteps() throws {
    var builder = FITBuilder()
    builder.define(2, message: FIT.sport, [FITBuilder.Field(0, .enumeration)])
    builder.message(2, [.integer(1)])
    builder.define(0, message: FIT.record, [FIT.time, FITBuilder.Field(19, .uint32)])
    for second in 0..<60 {
      builder.message(0, [.integer(FIT.start + second), .integer(second == 40 ? second + 1 << 28 : second)])
    }
    let facts = try Recording(path: folder.write(builder.file(), "b.fit")).facts
    #expect(facts.steps == 118)
    #expect(facts.warnings.map(\.detail) == ["steps that leap"])
  }

  /// Activities that begin at a second each and count a number of metres a second.
  private func woven(_ activities: [(from: Int, seconds: Int, speed: Double)]) -> String {
    XMLFixture.tcx(
      activities.map { from, seconds, speed in
        let points = (0...seconds).map { second in
          XMLFixture.tcxPoint(
            from + second,
            "<DistanceMeters>\(Double(second) * speed)</DistanceMeters><HeartRateBpm><Value>120</Value></HeartRateBpm>")
        }
        return "<Activity Sport=\"Running\"><Id>a</Id><Lap StartTime=\"\(XMLFixture.time(from))\"><Track>"
          + points.joined() + "</Track></Lap></Activity>"
      }.joined())
  }

  @Test("is that of each activity added up where they overlap too, but for one way that two devices counted")
  func overlap() throws {
    for (activities, expected) in [
      // A ride with a run in it, and one that ends in a run.
      ([(0, 1_200, 8), (500, 100, 3)], 9_900), ([(0, 1_200, 3), (1_000, 800, 2)], 5_200),
      ([(0, 300, 3), (100, 300, 3), (200, 300, 3)], 2_700),
      // The same way, counted twice.
      ([(0, 1_000, 3), (0, 1_000, 3)], 3_000), ([(0, 1_000, 3), (0, 1_000, 2.9)], 3_000),
      ([(0, 1_000, 3), (0, 1_000, 3), (400, 100, 3)], 3_300),
    ] as [([(from: Int, seconds: Int, speed: Double)], Double)] {
      let recording = try recording(woven(activities), "a.tcx")
      for found in [recording.facts.recordedMeters, try replayed(recording)] {
        #expect(abs((found ?? 0) - expected) < 1e-6, "\(activities): \(String(describing: found))")
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
