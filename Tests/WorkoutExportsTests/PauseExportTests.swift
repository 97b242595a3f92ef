import Recordings
@testable import SessionStore
import TestSupport
import Testing
@testable import WorkoutExports
@testable import WorkoutHistory
import WorkoutSession
@testable import WorkoutTestSupport
import ZoneEngine

@Suite("What is measured in a pause, in an export")
struct PauseExportTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func tcx(_ bytes: [UInt8], _ element: String) -> [Double] {
    String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
      guard line.hasPrefix("<\(element)>") else { return nil }
      return Double(line.dropFirst(element.count + 2).prefix { $0 != "<" })
    }
  }

  private func summary(_ bytes: [UInt8]) throws -> FITMessage {
    try #require(FITMessage.all(in: bytes).first { $0.number == FIT.session })
  }

  private func laps(_ bytes: [UInt8]) throws -> [FITMessage] {
    try FITMessage.all(in: bytes).filter { $0.number == FIT.lap }
  }

  @Test("is no way: two segments that lie far apart are as long as both of them")
  func segments() throws {
    func point(_ second: Int, _ latitude: Double) -> String {
      "<trkpt lat=\"\(latitude)\" lon=\"8\"><time>\(XMLFixture.time(second))</time></trkpt>"
    }
    let track =
      "<trk><trkseg>\(point(0, 50))\(point(4, 50.0001))</trkseg>"
      + "<trkseg>\(point(3_000, 50.1))\(point(3_004, 50.1001))</trkseg></trk>"
    let recording = try Recording(path: folder.write(XMLFixture.gpx(track)))
    let meters = try #require(recording.facts.locationMeters)
    #expect(abs(meters - 22.25) < 0.01)
    let written = try #require(tcx(RoundTrip.export(recording, as: .tcx).bytes, "DistanceMeters").first)
    #expect(abs(written - meters) < 1e-6)
    #expect(try summary(RoundTrip.export(recording, as: .fit).bytes).value(9) == Int((meters * 100).rounded()))
  }

  /// A run of a minute with a heart rate and steps each second, whose timer stands still from 20 to 40 while both go on.
  private func run(laps starts: [Int] = []) throws -> Recording {
    var builder = FITBuilder()
    typealias Field = FITBuilder.Field
    builder.define(0, message: FIT.record, [FIT.time, FIT.heartRate, Field(19, .uint32)])
    builder.define(1, message: FIT.event, [FIT.time, Field(0, .enumeration), Field(1, .enumeration)])
    builder.define(2, message: FIT.lap, [FIT.time, Field(2, .uint32), Field(7, .uint32), Field(8, .uint32)])
    builder.define(3, message: FIT.session, [Field(5, .enumeration)])
    for second in 0...60 {
      let isPaused = (21..<40).contains(second)
      builder.message(0, [.integer(FIT.start + second), .integer(isPaused ? 90 : 150), .integer(2 * second)])
      if second == 20 { builder.message(1, [.integer(FIT.start + 20), 0, 4]) }
      if second == 40 { builder.message(1, [.integer(FIT.start + 40), 0, 0]) }
    }
    for (from, until) in zip([0] + starts, starts + [60]) where !starts.isEmpty {
      let paused = max(0, min(until, 40) - max(from, 20))
      builder.message(
        2,
        [
          .integer(FIT.start + until), .integer(FIT.start + from), .integer((until - from) * 1_000),
          .integer((until - from - paused) * 1_000),
        ])
    }
    builder.message(3, [1])
    return try Recording(path: folder.write(builder.file(), "run"))
  }

  @Test("is none of the heart rates and strides of a FIT file, whose readings are all there")
  func fit() throws {
    let trip = try RoundTrip(run(), as: .fit, in: folder)
    let session = try summary(trip.bytes)
    // The mean and the highest heart rate, strides, and strides a minute: two a second in forty seconds, but for those of the second
    // in which the timer goes on, which were counted after it did.
    #expect([16, 17, 10, 18].map(session.value) == [150, 150, 82, 123])
    #expect(trip.copy.facts.heartRate?.statistics.count == 61)
    #expect(try RoundTrip.export(trip.copy, as: .fit).bytes == trip.bytes)
  }

  @Test("is none of those of a lap of it", arguments: [10, 30, 50])
  func fitLaps(second: Int) throws {
    let bytes = try RoundTrip.export(run(laps: [second]), as: .fit).bytes
    let laps = try laps(bytes)
    #expect(laps.map { $0.value(15) } == [150, 150])
    #expect(laps.map { $0.value(16) } == [150, 150])
    let strides = laps.map { $0.value(10) ?? 0 }
    #expect(strides.reduce(0, +) == (try summary(bytes).value(10)))
    #expect(strides[0] == [10: 20, 30: 40, 50: 62][second])
  }

  /// A session of a walk to the north of two steps and three metres each second, with a pause of a minute in which somebody walks on.
  ///
  /// - Parameter endsPaused: whether it ends in another pause, and a heart rate came late.
  private func session(
    _ recorded: RecordedHistory, _ request: CoachingRequest, laps: [Int], endsPaused: Bool = false
  ) async throws -> SessionFolderRecording {
    func command(_ name: String, _ second: Int) -> String {
      "{\"type\":\"command\",\"id\":\"\(name)\(second)\",\"command\":\"\(name)\",\"issuedAt\":\"\(XMLFixture.time(second))\"}"
    }
    var lines = [command("start", 0)]
    for second in 0..<300 {
      if second == 120 { lines.append(command("pause", second)) }
      if second == 180 { lines.append(command("resume", second)) }
      if laps.contains(second) { lines.append(command("lap", second)) }
      let time = "\"time\":\"\(XMLFixture.time(second))\""
      let isPaused = (120..<180).contains(second)
      lines.append("{\"type\":\"heartRate\",\"beatsPerMinute\":\(isPaused ? 90 : 150),\(time)}")
      lines.append("{\"type\":\"location\",\"latitude\":\(50 + 0.000027 * Double(second)),\"longitude\":8,\(time)}")
      lines.append("{\"type\":\"steps\",\"count\":2,\(time)}")
    }
    if endsPaused {
      lines.swapAt(100, 160)
      lines.append(command("pause", 300))
    }
    lines.append(command("stop", endsPaused ? 310 : 300))
    let name = try await recorded.record(lines, request, digits: 7)
    return try SessionFolderRecording(path: recorded.path(name))
  }

  private func bytes(_ session: SessionFolderRecording, as format: ExportFormat) throws -> [UInt8] {
    var bytes: [UInt8] = []
    _ = try format.write(ExportedWorkout(session)) { piece in for index in piece.indices { bytes.append(piece[index]) }
    }
    return bytes
  }

  @Test("of a session of our own is left out as in its history", arguments: [[], [60], [150]])
  func own(laps: [Int]) async throws {
    let recorded = try RecordedHistory()
    var request = try CoachingRequest.runner("z2")
    request.activity = .running
    let session = try await session(recorded, request, laps: laps)
    let history = try #require(try ReplayedSession(session) { _ in }.meters)
    #expect(abs(history - 3 * 237) < 10)
    let written = tcx(try bytes(session, as: .tcx), "DistanceMeters").prefix(1 + laps.count)
    #expect(abs(written.reduce(0, +) - history) < 1e-5)
    let summary = try summary(bytes(session, as: .fit))
    #expect(summary.value(9) == Int((history * 100).rounded()))
    #expect([16, 17].map(summary.value) == [150, 150])
    // Steps of both feet at four minutes.
    let strides = try #require(summary.value(10))
    #expect((239...241).contains(strides))
    #expect(summary.value(18).map { (59...61).contains($0) } == true)
    await recorded.history.close()
  }

  @Test("of a session of our own is left out where readings came late and it ended in a pause, too")
  func late() async throws {
    let recorded = try RecordedHistory()
    var request = try CoachingRequest.runner("z2")
    request.activity = .running
    let session = try await session(recorded, request, laps: [], endsPaused: true)
    let history = try #require(try ReplayedSession(session) { _ in }.meters)
    let written = try #require(tcx(bytes(session, as: .tcx), "DistanceMeters").first)
    #expect(abs(written - history) < 1e-5)
    #expect(try summary(bytes(session, as: .fit)).value(9) == Int((history * 100).rounded()))
    await recorded.history.close()
  }

  @Test(
    "at the very second of a pause counts as in the session, by the order in which it came",
    arguments: [false, true], [false, true])
  func edges(pausesFirst: Bool, resumesFirst: Bool) async throws {
    func command(_ name: String, _ second: Int) -> String {
      "{\"type\":\"command\",\"id\":\"\(name)\",\"command\":\"\(name)\",\"issuedAt\":\"\(XMLFixture.time(second))\"}"
    }
    var lines = [command("start", 0)]
    for second in 0...30 {
      let time = "\"time\":\"\(XMLFixture.time(second))\""
      let isPaused =
        (11..<20).contains(second) || second == 10 && pausesFirst || second == 20 && !resumesFirst
      let readings = [
        "{\"type\":\"heartRate\",\"beatsPerMinute\":\(isPaused ? 158 : 150),\(time)}",
        "{\"type\":\"steps\",\"count\":\(isPaused ? 4 : 2),\(time)}",
      ]
      switch second {
      case 10: lines += pausesFirst ? [command("pause", 10)] + readings : readings + [command("pause", 10)]
      case 20: lines += resumesFirst ? [command("resume", 20)] + readings : readings + [command("resume", 20)]
      default: lines += readings
      }
    }
    lines.append(command("stop", 30))
    let recorded = try RecordedHistory()
    var request = try CoachingRequest.runner("z2")
    request.activity = .running
    let name = try await recorded.record(lines, request, digits: 7)
    let session = try SessionFolderRecording(path: recorded.path(name))
    let replayed = try ReplayedSession(session) { _ in }
    // Of what came in the pause a session takes the heart rate of the very second in which it goes on.
    #expect(replayed.heartRates.maximum == (resumesFirst ? 150 : 158))
    let mean = try #require(replayed.heartRates.mean)
    let highest = try #require(replayed.heartRates.maximum)
    let fit = try summary(bytes(session, as: .fit))
    #expect([16, 17].map(fit.value) == [mean, highest].map { Int($0.rounded()) })
    #expect(fit.value(10) == replayed.steps.map { $0 / 2 })
    let tcx = String(decoding: try bytes(session, as: .tcx), as: UTF8.self)
    #expect(tcx.contains("<MaximumHeartRateBpm><Value>\(Int(highest))</Value>"), "\(tcx.prefix(1_000))")
    await recorded.history.close()
  }

  @Test("A lap by hand divides a step of a plan, which goes on: both parts say in FIT what the step is")
  func dividedStep() async throws {
    let recorded = try RecordedHistory()
    let plan = PlanRequest(steps: [
      .init(name: "warm-up", duration: .seconds(200), target: nil),
      .init(name: "effort", duration: nil, target: nil),
    ])
    let session = try await session(recorded, try .runner(nil, "none", plan: plan), laps: [60])
    let laps = try laps(bytes(session, as: .fit))
    // Warm-up is 2 and active is 0.
    #expect(laps.map { $0.value(23) } == [2, 2, 0])
    #expect(laps.map { $0.text(1_002) }.map { $0?.hasPrefix("warm-up") } == [true, true, false])
    #expect(laps.map { $0.value(24) } == [0, 1, 7])
    await recorded.history.close()
  }
}
