import Foundation
import LiveCoaching
import Recordings
import SessionStore
@testable import StrategyStudy
import TestSupport
import Testing
import TextFormats
import WorkoutSession
import ZoneEngine

@Suite("Heart rates that are read once and replayed often")
struct HeartRateTrackTests {
  private static let strategies = [
    "moment:every=30", "period:every=60,window=60", "zone-change", "trend", "qdomyos-like", "none",
  ]

  @Test("A track gives the decisions of an engine that is driven by hand, and its totals, over seeds")
  func engine() throws {
    for seed in UInt64(0)..<120 {
      var random = SplitMix64(seed: seed)
      let timeline = Timeline.random(around: [120, 140], using: &random)
      let settings = try CoachingSettings.compared("120-140", Self.strategies[Int(seed) % 6])
      let run = EngineRun(timeline, settings: settings)
      var events: [EngineEvent] = []
      let engine = HeartRateTrack(timeline).replay(settings) { events.append($0) }
      #expect(events == run.events, "seed \(seed)")
      #expect(engine.active == run.engine.active, "seed \(seed)")
      #expect(engine.now == run.engine.now, "seed \(seed)")
    }
  }

  @Test("A recording whose other streams run ahead gives the decisions of its replay, over seeds")
  func recording() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("track-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for seed in UInt64(0)..<60 {
      var random = SplitMix64(seed: seed)
      var text = "time_s,heart_rate_bpm,distance_m\n"
      var (time, level) = (0.0, 130.0)
      while time < 600 {
        let isSilent = random.chance(0.2)
        level = min(180, max(90, level + Double(random.int(-3...3))))
        text += "\(time),\(isSilent ? "" : "\(Int(level))"),\(Int(time * 3))\n"
        time += random.chance(0.02) ? Double(random.int(5...40)) : 1
        // Days without anything are a pause.
        if random.chance(0.002) { time += 30_000 }
      }
      let path = folder.appendingPathComponent("\(seed).csv").path
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      let recording = try Recording(path: path)
      let settings = try CoachingSettings.compared("120-140", Self.strategies[Int(seed) % 6])
      #expect(try decisions(HeartRateTrack(recording, settings: settings), settings) == replayed(recording, settings))
    }
  }

  @Test(
    "A session in which the target was changed gives the decisions of its replay, and keeps the target beyond a cut")
  func changedTargets() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("track-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var changes = 0
    for seed in UInt64(0)..<40 {
      var random = SplitMix64(seed: seed)
      var lines: [String] = []
      var level = 130.0
      for second in 0..<400 {
        level = min(180, max(90, level + Double(random.int(-3...3))))
        lines.append(#"{"type":"heartRate","atSeconds":\#(second),"beatsPerMinute":\#(Int(level))}"#)
        if random.chance(0.02) {
          changes += 1
          let target = random.pick(["110-125", "120-140", "open", "150-170"])
          lines.append(#"{"type":"command","id":"\#(second)","command":"target","target":"\#(target)"}"#)
        }
        if random.chance(0.004) { lines.append(#"{"type":"command","id":"p\#(second)","command":"pause"}"#) }
        if random.chance(0.05) { lines.append(#"{"type":"command","id":"r\#(second)","command":"resume"}"#) }
      }
      var request = CoachingRequest()
      request.profile.ageYears = 23
      request.target = "120-140"
      request.strategy = try FeedbackStrategy(specification: Self.strategies[Int(seed) % 6])
      let settings = try request.settings(on: nil)
      let dataFolder = StoredPath(dataFolder: folder.path)
      let registry = SessionRegistry(
        dataFolder: dataFolder, policy: .terminal, shardCount: 1, limit: 1, clock: SystemLiveClock())
      let live = try await registry.begin(
        LiveConfiguration(
          settings: settings, clock: .samples, streams: SampleStream.recordable, durationLimit: nil),
        recording: LiveRecording(
          dataFolder: dataFolder, request: SessionRequest(coaching: request, person: nil), random: UInt32(seed)),
        isDriven: true)
      let now = WallClockTime(nanoseconds: 1_795_158_000_000_000_000)
      _ = await live.feed(Array((lines.joined(separator: "\n") + "\n").utf8), now: now)
      _ = await live.end(.endOfInput, now: now)
      let session = try SessionFolderRecording(path: #require(await live.folder))
      var replayed: [Decision] = []
      _ = try Replay.run(session, settings: settings, pace: .events) { _, events in
        for case .engine(.decision(let decision)) in events { replayed.append(decision) }
      }
      let track = try HeartRateTrack(session, settings: settings)
      #expect(decisions(track, settings) == replayed, "seed \(seed)")
      var other: [Decision] = []
      _ = try Replay.run(session, settings: settings, following: .strategy, pace: .events) { _, events in
        for case .engine(.decision(let decision)) in events { other.append(decision) }
      }
      #expect(decisions(track.withoutTargets, settings) == other, "seed \(seed)")
      // The target in force at the cut is that of the cut track from its start.
      var before: ResolvedTarget? = nil
      var after: ResolvedTarget? = nil
      _ = track.forEachHeldSpan(settings) {
        if $0.start <= .seconds(200), $0.end > .seconds(200) { before = $0.target }
      }
      _ = track.from(.seconds(200)).forEachHeldSpan(settings) { if $0.start == .zero { after = $0.target } }
      #expect(before == after || after == nil, "seed \(seed)")
    }
    #expect(changes > 200)
  }

  // The recordings are no part of the package; where `shared/data` is not beside it, this test is shown as skipped.
  @Test(
    "Recordings of devices give the decisions of their replay",
    .enabled(if: !recordings.isEmpty, "needs real recordings in ../shared/data"))
  func devices() throws {
    var turns = 0
    for path in Self.recordings {
      guard let recording = try? Recording(path: path), recording.people.count < 2 else { continue }
      let settings = try CoachingSettings.compared("120-140", "period:every=60,window=60")
      let track = try HeartRateTrack(recording, settings: settings)
      turns += track.turns.count
      #expect(try decisions(track, settings) == replayed(recording, settings), "\(path)")
    }
    #expect(turns > 0)
  }

  @Test("From a time on it is the track of a recording that began then, and a pause goes on")
  func cut() throws {
    for seed in UInt64(0)..<120 {
      var random = SplitMix64(seed: seed)
      let timeline = Timeline.random(around: [120, 140], using: &random)
      let start = random.int(1...Int(timeline.end))
      var later = Timeline(end: timeline.end - Double(start))
      later.samples = timeline.samples.filter { $0.seconds >= Double(start) }.map {
        ($0.seconds - Double(start), $0.bpm)
      }
      // A pause that is over by then is forgotten, one under way begins with the track.
      later.pauses = timeline.pauses.filter { $0.1 >= Double(start) }.map {
        (max(0, $0.0 - Double(start)), $0.1 - Double(start))
      }
      let settings = try CoachingSettings.compared("120-140", "moment:every=30")
      let cut = HeartRateTrack(timeline).from(.seconds(start))
      #expect(cut.count == later.samples.count, "seed \(seed)")
      #expect(cut.end == .at(later.end), "seed \(seed)")
      // In a pause from the very beginning a reading of that instant comes after its beginning, not before.
      guard !later.pauses.contains(where: { $0.0 == 0 }) else { continue }
      #expect(decisions(cut, settings) == decisions(HeartRateTrack(later), settings), "seed \(seed)")
    }
    let paused = HeartRateTrack(
      times: [.seconds(1), .seconds(50)], beatsPerMinute: [100, 101],
      turns: [.init(turn: .pause, time: .seconds(10), index: 1), .init(turn: .resume, time: .seconds(40), index: 1)],
      end: .seconds(60)
    ).from(.seconds(20))
    #expect(paused.turns.map(\.time) == [.zero, .seconds(20)])
    #expect(paused.turns.map(\.turn) == [.pause, .resume])
    #expect(paused.times == [.seconds(30)])
    #expect(paused.end == .seconds(40))
    #expect(paused.from(.seconds(1_000)).count == 0)
    #expect(paused.from(.seconds(1_000)).end == .zero)
  }

  @Test("The median heart rate is that of the time held, the lower one of two")
  func median() throws {
    let settings = try CoachingSettings.compared("120-140", "none")
    var timeline = Timeline(end: 40)
    timeline.samples = [(0, 100), (10, 110), (20, 120), (30, 130)]
    #expect(HeartRateTrack(timeline).medianHeldBPM(settings) == 110)
    timeline.samples[0].seconds = 1
    #expect(HeartRateTrack(timeline).medianHeldBPM(settings) == 120)
    #expect(HeartRateTrack(Timeline(end: 40)).medianHeldBPM(settings) == nil)
  }

  @Test("Being in the target at the moments and not midway between them is distinguished")
  func phase() throws {
    var timeline = Timeline(end: 301)
    timeline.add(from: 0, until: 301) { second in
      let rest = second.truncatingRemainder(dividingBy: 60)
      return 130 + min(min(rest, 60 - rest), 20)
    }
    let track = HeartRateTrack(timeline)
    let moment = try CoachingSettings.compared("120-140", "moment:every=60")
    let phase = try #require(CheckPhase(track, moment, from: .zero))
    #expect((phase.checks, phase.checksInTarget, phase.midways, phase.midwaysInTarget) == (5, 5, 4, 0))
    #expect(phase.checkMinusMidway == 1)
    let late = try #require(CheckPhase(track, moment, from: .seconds(100)))
    #expect((late.checks, late.midways) == (4, 3))
    let twice = try #require(CheckPhase(track, .compared("120-140", "moment:every=30"), from: .zero))
    #expect((twice.checks, twice.checksInTarget) == (10, 5))
    #expect(CheckPhase(track, try .compared("120-140", "zone-change"), from: .zero) == nil)
    #expect(CheckPhase(track, try .compared("120-140", "moment:every=60,jitter=5"), from: .zero) == nil)
    #expect(CheckPhase().checkMinusMidway == nil)
  }

  @Test("After the last moment nothing is midway, however long the session goes on")
  func phaseAtEnd() throws {
    for (end, checks, midways) in [(60, 0, 0), (61, 1, 0), (119, 1, 0), (399, 6, 5), (420, 6, 5), (421, 7, 6)] {
      var timeline = Timeline(end: Double(end))
      timeline.add(from: 0, until: Double(end)) { _ in 130 }
      let track = HeartRateTrack(timeline)
      for strategy in ["moment:every=60", "period:every=60,window=60", "trend:every=60"] {
        let phase = try #require(CheckPhase(track, .compared("120-140", strategy), from: .zero))
        #expect((phase.checks, phase.midways) == (checks, midways), "\(strategy), \(end) s")
        #expect((phase.checksInTarget, phase.midwaysInTarget) == (checks, midways), "\(strategy), \(end) s")
      }
    }
  }

  private func decisions(_ track: HeartRateTrack, _ settings: CoachingSettings) -> [Decision] {
    var decisions: [Decision] = []
    _ = track.replay(settings) { if case .decision(let decision) = $0 { decisions.append(decision) } }
    return decisions
  }

  private func replayed(_ recording: Recording, _ settings: CoachingSettings) throws -> [Decision] {
    var decisions: [Decision] = []
    _ = try Replay.run(recording, settings: settings, pace: .events) { _, events in
      for case .engine(.decision(let decision)) in events { decisions.append(decision) }
    }
    return decisions
  }

  private static let recordings: [String] = {
    let root = "\(#filePath)".split(separator: "/").dropLast(4).map { "/" + $0 }.joined()
    let folder = root + "/../shared/data/recordings"
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    let suffixes = [".fit", ".tcx", ".gpx"]
    return names.filter { name in suffixes.contains { name.lowercased().hasSuffix($0) } }.sorted()
      .prefix(40).map { folder + "/" + $0 }
  }()
}
