import LiveCoaching
import Recordings
import SessionStore
import Testing
import TextFormats
@testable import WorkoutHistory
import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("Live and replay")
struct LiveReplayPropertyTests {
  @Test("A live run, its folder and its CSV give the same records for the same samples", arguments: 0..<10)
  func sameRecords(block: Int) async throws {
    for seed in (block * 30)..<(block * 30 + 30) { try await check(seed: UInt64(seed)) }
  }

  @Test("A heart rate that lies before what other streams have decided comes after it in a replay too")
  func heartRateBehindDecisions() async throws { try await check(seed: 453) }

  private func check(seed: UInt64) async throws {
    let random = try RandomSession(seed: seed)
    let folder = try ScratchFolder()
    let settings = try random.request.settings(on: nil)
    let limit: SessionTime? = seed % 4 == 0 ? .seconds(Int(20 + seed)) : nil
    let manager = SoleSession(
      LiveConfiguration(settings: settings, clock: .samples, streams: SampleStream.recordable, durationLimit: limit),
      recording: .init(
        dataFolder: folder.path, request: SessionRequest(coaching: random.request, person: nil),
        random: UInt32(seed)))

    var dice = Dice(seed: seed &+ 1_000)
    var events: [SessionEvent] = []
    var bytes = Array((random.lines.joined(separator: dice.pick(["\n", "\r\n", "\n\n"])) + "\n").utf8)[...]
    while !bytes.isEmpty {
      let chunk = bytes.prefix(dice.whole(1...600))
      bytes = bytes.dropFirst(chunk.count)
      let report = await manager.feed(Array(chunk), now: .morning(3))
      #expect(report.badLines.isEmpty, "seed \(seed)")
      events += report.events
      if report.session.state == .ended { break }
    }
    let last = await manager.end(.endOfInput, now: .morning(3))
    events += last.events
    #expect(last.recording == nil, "seed \(seed)")
    let live = commonRecords(events, last.session.pipeline)
    let path = try #require(await manager.folder)
    #expect(try text(of: path + "/decisions.jsonl") == records(events).map { $0 + "\n" }.joined(), "seed \(seed)")

    let recording = try SessionFolderRecording(path: path)
    if let digest = SessionDigest(recording.manifest, last.session.pipeline, state: .complete, badLines: 0) {
      let kept = try SessionRows(SessionDigest(folder: StoredPath(folder: path)))
      #expect(SessionRows(digest).rows == kept.rows, "seed \(seed)")
    } else {
      Issue.record("seed \(seed): not exact")
    }
    #expect(recording.manifest.request == random.request, "seed \(seed)")
    #expect(try recording.manifest.settings() == settings, "seed \(seed)")
    var replayed: [SessionEvent] = []
    let (pipeline, warnings) = try Replay.run(recording, settings: settings, pace: .events) { replayed += $1 }
    #expect(warnings.isEmpty, "seed \(seed): \(warnings)")
    compare(commonRecords(replayed, pipeline), live, "seed \(seed), folder")
    // Why it ended is what the session said itself.
    let liveEnd = events.last { if case .ended = $0 { true } else { false } }
    #expect(replayed.last == liveEnd, "seed \(seed)")

    guard let csv = random.csv(until: limit) else { return }
    let generic = try Recording(path: try folder.write(csv))
    var fromCSV: [SessionEvent] = []
    let ended = try Replay.run(generic, settings: settings, durationLimit: limit, pace: .events) { fromCSV += $1 }
    compare(commonRecords(fromCSV, ended), live, "seed \(seed), CSV")
  }

  @Test("What a device counts in the second of a pause, or comes late over it, is where it was", arguments: 0..<8)
  func aboutPauses(block: Int) async throws {
    for seed in (block * 10)..<(block * 10 + 10) { try await checkPauses(seed: UInt64(seed)) }
  }

  /// Lines of all streams about pauses: each comes before or after the command of its second, or some seconds late.
  private func linesAboutPauses(_ dice: inout Dice) -> [String] {
    var lines = [#"{"type":"command","id":"s","command":"start"}"#]
    var late: [(due: Int, line: String)] = []
    var (meters, isPaused) = (0.0, false)
    for second in 0...150 {
      lines.append(#"{"type":"heartRate","atSeconds":\#(second),"beatsPerMinute":\#(115 + second % 40)}"#)
      meters += isPaused ? 1 : 3
      var readings = [
        #"{"type":"cadence","atSeconds":\#(second),"stepsPerMinute":\#(165 + second % 20)}"#,
        #"{"type":"distance","atSeconds":\#(second),"meters":\#(meters)}"#,
        #"{"type":"speed","atSeconds":\#(second),"metersPerSecond":\#(2.5 + Double(second % 5) / 4)}"#,
        #"{"type":"steps","atSeconds":\#(second),"count":\#(2 + second % 2)}"#,
        #"{"type":"altitude","atSeconds":\#(second),"altitudeMeters":\#(30 + second % 7)}"#,
      ].filter { _ in dice.chance(0.8) }
      if dice.chance(0.3), let moved = readings.popLast() { late.append((second + dice.whole(1...5), moved)) }
      readings += late.filter { $0.due == second }.map(\.line)
      late.removeAll { $0.due <= second }
      if dice.chance(0.12) {
        let word = dice.chance(0.2) ? "lap" : isPaused ? "resume" : "pause"
        if word != "lap" { isPaused.toggle() }
        readings.insert(
          #"{"type":"command","id":"c\#(second)","command":"\#(word)"}"#, at: dice.whole(0...readings.count))
      }
      lines += readings
    }
    return lines
  }

  private func checkPauses(seed: UInt64) async throws {
    var dice = Dice(seed: seed)
    let target = dice.pick(["z2", "170-180spm", "5:30-6:10/km", "open"])
    let request = try CoachingRequest.runner(target == "open" ? nil : target, "moment:every=15")
    let settings = try request.settings(on: nil)
    let folder = try ScratchFolder()
    let manager = SoleSession(
      LiveConfiguration(settings: settings, clock: .samples, streams: SampleStream.recordable, durationLimit: nil),
      recording: .init(
        dataFolder: folder.path, request: SessionRequest(coaching: request, person: nil), random: UInt32(seed)))
    let lines = linesAboutPauses(&dice)
    let report = await manager.feed(Array((lines.joined(separator: "\n") + "\n").utf8), now: .morning(3))
    #expect(report.badLines.isEmpty, "seed \(seed)")
    let last = await manager.end(.endOfInput, now: .morning(3))
    let live = commonRecords(report.events + last.events, last.session.pipeline)
    let path = try #require(await manager.folder)
    let recording = try SessionFolderRecording(path: path)
    var replayed: [SessionEvent] = []
    let (pipeline, _) = try Replay.run(recording, settings: settings, pace: .events) { replayed += $1 }
    compare(commonRecords(replayed, pipeline), live, "seed \(seed), \(target)")
    if let digest = SessionDigest(recording.manifest, last.session.pipeline, state: .complete, badLines: 0) {
      let kept = try SessionRows(SessionDigest(folder: StoredPath(folder: path)))
      #expect(SessionRows(digest).rows == kept.rows, "seed \(seed), \(target)")
    }
  }

  @Test(
    "ends a replay for the reason, and at the time, that the session did, also where no sample was at its end",
    arguments: [SessionEvent.EndReason.stop, .endOfInput, .interrupted, .durationLimit])
  func reasons(reason: SessionEvent.EndReason) async throws {
    let folder = try ScratchFolder()
    let request = try CoachingRequest.runner("z2", "moment:every=10")
    let manager = SoleSession(
      LiveConfiguration(
        settings: try request.settings(on: nil), clock: .wall, streams: SampleStream.recordable,
        durationLimit: reason == .durationLimit ? .seconds(40) : nil),
      recording: .init(
        dataFolder: folder.path, request: SessionRequest(coaching: request, person: nil), random: 1))
    var events: [SessionEvent] = []
    for second in 0..<30 {
      let line =
        #"{"type":"heartRate","time":"\#(WallClockTime.morning(Double(second)))","beatsPerMinute":120}"# + "\n"
      events += await manager.feed(Array(line.utf8), now: .morning(Double(second))).events
    }
    if reason == .durationLimit {
      events += await manager.tick(now: .morning(60)).events
      _ = await manager.end(.endOfInput, now: .morning(61))
    } else {
      events += await manager.end(reason, now: .morning(35)).events
    }
    let ended = try #require(events.last)
    let end = reason == .durationLimit ? at(40) : reason == .interrupted ? at(35) : at(29)
    #expect(ended == .ended(at: end, reason: reason))
    let path = try #require(await manager.folder)
    var replayed: [SessionEvent] = []
    _ = try Replay.run(
      SessionFolderRecording(path: path), settings: try request.settings(on: nil), pace: .events
    ) { replayed += $1 }
    #expect(replayed.last == ended)
  }

  /// Names the first record that differs, instead of printing hundreds.
  private func compare(_ found: [String], _ expected: [String], _ what: String) {
    let index = zip(found, expected).enumerated().first { $1.0 != $1.1 }?.offset ?? min(found.count, expected.count)
    let left = index < found.count ? found[index] : "nothing"
    let right = index < expected.count ? expected[index] : "nothing"
    guard found != expected else { return }
    Issue.record("\(what): record \(index): \(left) instead of \(right)")
  }
}
