import Recordings
import SessionStore
import TestSupport
import Testing
import TextFormats
import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("A recording")
struct RecordingTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// 300 s of heart rates in FIT, with the timer stopped from 100 s to 160 s.
  private var fit: [UInt8] {
    var builder = FIT.records((0..<101).map { .integer(120 + $0 / 10) })
    let enumeration = FITBuilder.Field(0, .enumeration)
    builder.define(1, message: FIT.event, [FIT.time, enumeration, FITBuilder.Field(1, .enumeration)])
    builder.message(1, [.integer(FIT.start + 100), .integer(0), .integer(4)])
    builder.message(1, [.integer(FIT.start + 160), .integer(0), .integer(0)])
    builder.define(0, message: FIT.record, [FIT.time, FIT.heartRate])
    for second in 160...300 { builder.message(0, [.integer(FIT.start + second), .integer(140)]) }
    return builder.file()
  }

  private var tcx: [UInt8] {
    let points = (0..<30).map { XMLFixture.fullPoint($0) }.joined()
    return Array(
      XMLFixture.tcx(XMLFixture.activity("Running", XMLFixture.lap(at: 0, seconds: "29", meters: "87", points))).utf8)
  }

  private var gpx: [UInt8] { Array(XMLFixture.gpxRun.utf8) }
  private var csv: [UInt8] { Array("time_s,heart_rate\n0,120\n1,121\n2,122\n".utf8) }

  private func settings() throws -> CoachingSettings {
    var request = CoachingRequest()
    request.profile.ageYears = 23
    request.target = "z2"
    request.strategy = try FeedbackStrategy(specification: "moment:every=60")
    return try request.settings(on: nil)
  }

  @Test("is recognised by its content, whatever its name, and packed or not")
  func formats() throws {
    for (format, bytes) in [("fit", fit), ("gpx", gpx), ("tcx", tcx), ("csv", csv)] {
      for name in ["a.fit", "a.gpx", "a.csv", "a"] {
        let plain = try Recording(path: folder.write(bytes, name)).facts
        let unpacked = try Recording(path: folder.write(packed(bytes), name)).facts
        #expect(plain.format == format, "\(format) as \(name)")
        #expect(unpacked.format == format, "\(format) as \(name)")
        #expect(plain.sampleCount > 0, "\(format) as \(name)")
        #expect(plain.sampleCount == unpacked.sampleCount, "\(format) as \(name)")
        #expect(plain.heartRate?.statistics.sum == unpacked.heartRate?.statistics.sum, "\(format) as \(name)")
        #expect(plain.elapsed == unpacked.elapsed, "\(format) as \(name)")
        #expect(plain.start == unpacked.start, "\(format) as \(name)")
      }
    }
  }

  @Test("in UTF-16 is recognised by its content too", arguments: [true, false])
  func utf16(isBigEndian: Bool) throws {
    for (format, bytes) in [("gpx", gpx), ("tcx", tcx)] {
      let text = String(decoding: bytes, as: UTF8.self).replacing("encoding=\"UTF-8\"", with: "encoding=\"UTF-16\"")
      let wide = ("\u{FEFF}" + text).utf16.flatMap { unit in
        let pair = [UInt8(unit & 0xFF), UInt8(unit >> 8)]
        return isBigEndian ? pair.reversed() : pair
      }
      let facts = try Recording(path: folder.write(wide)).facts
      #expect(facts.format == format)
      #expect(try facts.sampleCount == Recording(path: folder.write(bytes)).facts.sampleCount)
    }
  }

  @Test("has no reading where 255 or 0 beats per minute are written", arguments: ["gpx", "tcx", "csv"])
  func noReading(format: String) throws {
    let values = [120, 255, 0, 121]
    let points = values.enumerated().map { second, bpm in
      format == "gpx"
        ? XMLFixture.gpxPoint(second, "<extensions><x:hr>\(bpm)</x:hr></extensions>")
        : "<Trackpoint><Time>\(XMLFixture.time(second))</Time><HeartRateBpm><Value>\(bpm)</Value></HeartRateBpm></Trackpoint>"
    }.joined()
    let rows = values.enumerated().map { "\($0.offset),\($0.element)\n" }.joined()
    let text =
      switch format {
      case "gpx": XMLFixture.gpx("<trk><trkseg>\(points)</trkseg></trk>")
      case "tcx":
        XMLFixture.tcx(XMLFixture.activity("Running", XMLFixture.lap(at: 0, seconds: "3", meters: "9", points)))
      default: "time_s,hr\n" + rows
      }
    let recording = try Recording(path: folder.write(text))
    let statistics = try #require(recording.facts.heartRate).statistics
    #expect(recording.facts.format == format)
    #expect(statistics.count == 2)
    #expect(statistics.sum == 241)
    #expect(statistics.maximum == 121)
  }

  @Test("of a device states sport, device, pauses and distance")
  func facts() throws {
    let run = try Recording(path: folder.write(tcx)).facts
    #expect(run.sport == "running")
    #expect(run.device == "Forerunner 945")
    #expect(run.activityCount == 1)
    #expect(run.recordedMeters == 87)
    #expect(run.heartRate?.statistics.count == 30)
    #expect(run.heartRate?.first == 120)
    #expect(run.heartRate?.last == 149)
    #expect(run.start?.description == "2026-03-01T10:00:00Z")
    #expect(run.elapsed == .seconds(29))
    let paused = try Recording(path: folder.write(fit)).facts
    #expect(paused.pauses.map(\.from) == [.seconds(100)])
    #expect(paused.pauses.map(\.until) == [.seconds(160)])
    var writer = JSONWriter()
    paused.write(file: "a.fit", to: &writer)
    #expect(writer.text.contains(#""pauses":[{"fromSeconds":100,"untilSeconds":160}]"#))
    #expect(writer.text.contains(#""format":"fit","activities":1,"#))
  }

  @Test("is replayed with its pauses")
  func pauses() throws {
    var emitted: [SessionEvent] = []
    let pipeline = try Replay.run(Recording(path: folder.write(fit)), settings: settings(), pace: .events) {
      emitted += $1
    }
    #expect(pipeline.engine.active == .seconds(240))
    #expect(pipeline.engine.now == .seconds(300))
    #expect(emitted.contains(.engine(.paused(at: .seconds(100)))))
    #expect(emitted.contains(.engine(.resumed(at: .seconds(160)))))
    let summary = pipeline.engine.summary
    #expect(summary.noData == .zero)
    #expect(summary.cues.givenTotal == 4)
  }

  @Test("of several activities is one session with pauses between them")
  func activities() throws {
    let second = (600...620).map { XMLFixture.fullPoint($0) }.joined()
    let text = XMLFixture.tcx(
      XMLFixture.activity("Running", XMLFixture.lap(at: 600, seconds: "20", meters: "60", second))
        + XMLFixture.activity(
          "Biking",
          XMLFixture.lap(at: 0, seconds: "29", meters: "87", (0..<30).map { XMLFixture.fullPoint($0) }.joined())))
    let recording = try Recording(path: folder.write(text))
    #expect(recording.facts.activityCount == 2)
    #expect(recording.facts.sport == "biking+running")
    #expect(recording.facts.recordedMeters == 147)
    let parts = recording.facts.parts
    #expect(parts.map(\.sport) == ["biking", "running"])
    #expect(parts.map(\.statedMeters) == [87, 60])
    #expect(parts.map(\.from) == [.zero, .seconds(600)])
    #expect(parts.map(\.until) == [.seconds(29), .seconds(620)])
    let pipeline = try Replay.run(recording, settings: settings(), pace: .events) { _, _ in }
    #expect(pipeline.engine.now == .seconds(620))
    #expect(pipeline.engine.active == .seconds(49))
  }

  @Test("of two devices at once is woven, and each counts its own steps")
  func overlap() throws {
    let first = [0, 2, 4].map { XMLFixture.gpxPoint($0, XMLFixture.garmin("\(100 + $0)")) }.joined()
    let second = [1, 3, 9].map { XMLFixture.gpxPoint($0, XMLFixture.garmin("\(100 + $0)")) }.joined()
    let text = XMLFixture.gpx([first, second].map { "<trk><trkseg>\($0)</trkseg></trk>" }.joined())
    let recording = try Recording(path: folder.write(text))
    #expect(recording.facts.activityCount == 2)
    #expect(recording.facts.heartRate?.last == 109)
    let pipeline = try Replay.run(recording, settings: settings(), pace: .events) { _, _ in }
    let summary = pipeline.engine.summary
    #expect(summary.acceptedHeartRates == 6)
    #expect(summary.active == .seconds(9))

    var steps: [Int] = []
    let files = [(0, 10), (5, 100)].flatMap { start, strides in
      var builder = FITBuilder()
      builder.define(0, message: FIT.record, [FIT.time, FITBuilder.Field(19, .uint32)])
      builder.define(1, message: FIT.session, [FIT.time, FITBuilder.Field(5, .enumeration)])
      for index in 0..<4 {
        builder.message(0, [.integer(FIT.start + start + 10 * index), .integer(strides * index)])
      }
      builder.message(1, [.integer(FIT.start + 40), 1])
      return builder.file()
    }
    try Recording(path: folder.write(files)).forEachInput { input in
      if case .sample(let sample) = input, case .steps(let count) = sample.reading { steps.append(count) }
    }
    #expect(steps == [0, 0, 20, 200, 20, 200, 20, 200])
  }

  @Test("whose timer was stopped before its first point begins with that point")
  func stoppedBefore() throws {
    var builder = FITBuilder()
    let enumeration = FITBuilder.Field(0, .enumeration)
    builder.define(1, message: FIT.event, [FIT.time, enumeration, FITBuilder.Field(1, .enumeration)])
    builder.message(1, [.integer(FIT.start - 30), 0, 4])
    builder.message(1, [.integer(FIT.start + 2), 0, 0])
    builder.define(0, message: FIT.record, [FIT.time, FIT.heartRate])
    for second in 0..<5 { builder.message(0, [.integer(FIT.start + second), 120]) }
    var times: [SessionTime] = []
    try Recording(path: folder.write(builder.file())).forEachInput { input in
      switch input {
      case .sample(let sample): times.append(sample.time)
      case .command(_, let time): times.append(time)
      case .unplaced, .advance: Issue.record("\(input)")
      }
    }
    #expect(times == [0, 0, 1, 2, 2, 3, 4].map { .seconds($0) })
  }

  @Test("whose timer is stopped days after its last point is no workout of days")
  func lateStop() throws {
    var builder = FIT.records([120, 121, 122])
    let enumeration = FITBuilder.Field(0, .enumeration)
    builder.define(1, message: FIT.event, [FIT.time, enumeration, FITBuilder.Field(1, .enumeration)])
    builder.message(1, [.integer(FIT.start + 9 * 86_400), 0, 4])
    builder.message(1, [.integer(FIT.start + 9 * 86_400 + 60), 0, 0])
    builder.message(0, [.integer(FIT.start + 9 * 86_400 + 60), 123])
    builder.message(0, [.integer(FIT.start + 9 * 86_400 + 61), 124])
    builder.message(0, [.integer(FIT.start + 9 * 86_400 + 62), 125])
    let recording = try Recording(path: folder.write(builder.file()))
    var emitted: [SessionEvent] = []
    let pipeline = try Replay.run(recording, settings: settings(), pace: .events) { emitted += $1 }
    #expect(pipeline.engine.active == .seconds(4))
    #expect(emitted.count { if case .engine(.paused) = $0 { true } else { false } } == 1)
  }

  @Test("that is packed and damaged twice has one warning of each kind")
  func damagedTwice() throws {
    var bytes = packed(Array("time_s,hr\n0,120\n1,121\n\0,1\n".utf8))
    bytes[bytes.count - 6] ^= 1
    let warnings = try Recording(path: folder.write(bytes)).facts.warnings
    #expect(warnings.map(\.kind) == [.truncated])
    #expect(warnings.map(\.count) == [2])
  }

  @Test("out of order is put in order, with a warning")
  func order() throws {
    let seconds = [0, 1, 5, 3, 4, 2, 6]
    let points = seconds.map { XMLFixture.gpxPoint($0, XMLFixture.garmin("\(100 + $0)")) }.joined()
    let text = XMLFixture.gpx("<trk><trkseg>\(points)</trkseg></trk>")
    let recording = try Recording(path: folder.write(text))
    #expect(recording.facts.warnings.map(\.kind) == [.outOfOrder])
    #expect(recording.facts.warnings.first?.count == 2)
    var heartRates: [Double] = []
    try recording.forEachInput { input in
      if case .sample(let sample) = input, case .heartRate(let value) = sample.reading { heartRates.append(value) }
    }
    #expect(heartRates == [100, 101, 102, 103, 104, 105, 106])
  }

  @Test("with a clock that jumps days is no workout of days")
  func jump() throws {
    let points = [0, 1, 2].map { XMLFixture.gpxPoint($0, XMLFixture.garmin("120")) }.joined()
    let later = points.replacing("2026-03-01", with: "2026-03-21")
    let recording = try Recording(path: folder.write(XMLFixture.gpx("<trk><trkseg>\(points)\(later)</trkseg></trk>")))
    let pipeline = try Replay.run(recording, settings: settings(), pace: .events) { _, _ in }
    #expect(pipeline.engine.active == .seconds(4))
    #expect(pipeline.engine.now > .seconds(20 * 86_400 - 1))
  }

  @Test("that is cut gives everything before the cut and a warning with the place; nothing is one error")
  func damage() throws {
    for (format, bytes) in [("fit", fit), ("gpx", gpx), ("tcx", tcx)] {
      let whole = try Recording(path: folder.write(bytes)).facts.sampleCount
      var seen = 0
      for count in stride(from: 1, to: bytes.count, by: 173) {
        do {
          let facts = try Recording(path: folder.write(Array(bytes[..<count]))).facts
          #expect(facts.sampleCount <= whole, "\(format) cut at \(count)")
          #expect(facts.sampleCount >= seen, "\(format) cut at \(count)")
          #expect(facts.warnings.contains { $0.position.hasPrefix("byte ") }, "\(format) cut at \(count)")
          seen = facts.sampleCount
        } catch is RecordingError {
          #expect(seen == 0, "\(format) cut at \(count)")
        }
      }
      #expect(seen > 0, "\(format)")
      let half = try Recording(path: folder.write(Array(packed(bytes).dropLast(20)))).facts
      #expect(half.warnings.contains { $0.kind == .truncated }, "\(format)")
      #expect(half.sampleCount <= whole, "\(format)")
    }
  }

  @Test("with declared entities is refused, and nothing outside is read")
  func entities() throws {
    let bomb = "<?xml version=\"1.0\"?><!DOCTYPE gpx [<!ENTITY a SYSTEM \"file:///etc/passwd\">]><gpx>&a;</gpx>"
    let error = #expect(throws: RecordingError.self) { try Recording(path: folder.write(bomb)) }
    #expect(error?.position?.hasPrefix("byte ") == true)
  }
}
