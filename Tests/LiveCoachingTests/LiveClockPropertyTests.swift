import LiveCoaching
import SessionStore
import Testing
import TextFormats
import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

/// A workout at one sample a second whose sender has a clock that is sometimes wrong for one stamp, and sometimes set.
private struct OddClock {
  let lines: [(text: String, arrival: Double, stamp: WallClockTime, beatsPerMinute: Int)]

  init(seed: UInt64, isLive: Bool) {
    var dice = Dice(seed: seed)
    var lines: [(text: String, arrival: Double, stamp: WallClockTime, beatsPerMinute: Int)] = []
    var shift = 0.0
    var untilNext = 40
    let lone = [-1_795_158_000.0, -86_400, -3_600, -600, -100, 70, 300, 3_600, 21_540, 86_400, 3e8]
    let sets = [-3_600.0, -600, -180, -40, 90, 600, 3_600, 7_200, 86_400]
    for second in 0..<dice.whole(120...500) {
      var stamp = Double(second) + shift
      untilNext -= 1
      if dice.chance(0.03) || second == 0 && dice.chance(0.5) {
        // A first stamp that is off by less than a usual gap cannot be distinguished from one before a gap.
        stamp += dice.pick(second == 0 ? lone.filter { $0.magnitude > 300 } : lone)
      } else if untilNext < 0, dice.chance(0.01) {
        shift += dice.pick(sets)
        stamp = Double(second) + shift
        untilNext = 40
      }
      let time = WallClockTime.morning(stamp)
      let beats = 100 + second / 5 + dice.whole(0...4)
      lines.append(
        (
          #"{"type":"heartRate","time":"\#(time)","beatsPerMinute":\#(beats)}"#,
          isLive ? Double(second) + Double(dice.whole(0...400)) / 1_000 : 1e7, time, beats
        ))
    }
    self.lines = lines
  }
}

@Suite("Live sessions of senders with odd clocks")
struct LiveClockPropertyTests {
  @Test(
    "Nothing is lost, a clock that is set is followed soon, and the folder decides the same", arguments: 0..<60
  )
  func oddClocks(number: Int) async throws {
    let seed = UInt64(number)
    let isLive = number.isMultiple(of: 2)
    let odd = OddClock(seed: seed, isLive: isLive)
    let folder = try ScratchFolder()
    let request = try CoachingRequest.runner("z2", "moment:every=20")
    let settings = try request.settings(on: nil)
    let manager = SoleSession(
      LiveConfiguration(
        settings: settings, clock: isLive ? .automatic : .samples, streams: SampleStream.recordable,
        durationLimit: nil),
      recording: .init(
        dataFolder: folder.path, request: SessionRequest(coaching: request, person: nil), random: UInt32(seed)))
    var events: [SessionEvent] = []
    var unused = 0
    var (longest, place) = (0, "")
    var accepted = 0
    for (index, line) in odd.lines.enumerated() {
      let report = await manager.feed(Array((line.text + "\n").utf8), now: .morning(line.arrival))
      #expect(report.badLines.isEmpty, "seed \(seed): line \(index)")
      events += report.events
      let now = report.session.pipeline.engine.summary.acceptedHeartRates
      unused = now > accepted || report.session.start == nil ? 0 : unused + 1
      accepted = now
      if unused > longest { (longest, place) = (unused, "line \(index): \(line.text)") }
    }
    #expect(longest <= 6, "seed \(seed): \(place)")
    let last = await manager.end(.endOfInput, now: .morning(odd.lines.last?.arrival ?? 0))
    events += last.events
    let path = try #require(await manager.folder)
    let manifest = try SessionFolderRecording(path: path).manifest
    #expect(abs(Double(manifest.start.nanoseconds - WallClockTime.morning().nanoseconds)) <= 5e9, "seed \(seed)")

    let rows = try text(of: path + "/heart_rate.csv").split(separator: "\n").dropFirst()
    let kept = rows.map { row in row.split(separator: ",", omittingEmptySubsequences: false) }
    let sent = odd.lines.map { ["\($0.stamp)", "\($0.beatsPerMinute)"] }
    #expect(kept.map { [String($0[0]), String($0[2])] } == sent, "seed \(seed)")

    var replayed: [SessionEvent] = []
    let (pipeline, warnings) = try Replay.run(
      SessionFolderRecording(path: path), settings: settings, pace: .events
    ) { replayed += $1 }
    #expect(warnings.isEmpty, "seed \(seed): \(warnings)")
    let (found, expected) = (commonRecords(replayed, pipeline), commonRecords(events, last.session.pipeline))
    let difference = zip(found, expected).first { $0 != $1 }
    #expect(difference == nil, "seed \(seed): \(String(describing: difference))")
    #expect(found.count == expected.count, "seed \(seed): \(String(describing: difference))")
    let counts = last.session.pipeline.intake
    let summary = last.session.pipeline.engine.summary
    #expect(
      summary.acceptedHeartRates + summary.rejectedHeartRates + counts.late + counts.duplicates == odd.lines.count,
      "seed \(seed)")
  }

  /// Lines of heart rates, steps and positions, each stream with a delay of its own, in which some stamps are an hour off;
  /// and how many of a stream are.
  private static func scattered(seed: UInt64) -> (lines: [String], lone: [String: Int]) {
    var dice = Dice(seed: seed)
    var lines: [(arrival: Double, text: String)] = []
    var lone: [String: Int] = [:]
    for (stream, value) in [("heartRate", "beatsPerMinute"), ("steps", "count"), ("location", "latitude")] {
      let delay = Double(dice.whole(0...1_900)) / 1_000
      for second in 0..<dice.whole(60...200) {
        let isLone = second > 5 && dice.chance(0.02)
        if isLone { lone[stream, default: 0] += 1 }
        let time = WallClockTime.morning(Double(second) + (isLone ? dice.pick([-3_600, 3_600, 90_000]) : 0))
        let more =
          stream == "location" ? ",\"longitude\":23.5" : stream == "heartRate" ? ",\"rrMilliseconds\":[500]" : ""
        let number = stream == "location" ? 46 + Double(second) * 1e-5 : Double(second % 9 + 120)
        let text = stream == "steps" ? "\(second % 4)" : "\(number)"
        lines.append(
          (
            Double(second) + delay,
            "{\"type\":\"\(stream)\",\"time\":\"\(time)\",\"\(value)\":\(text)\(more)}\n"
          ))
      }
    }
    return (lines.sorted { $0.arrival < $1.arrival }.map(\.text), lone)
  }

  @Test("Lone stamps are reported once for each stream, live and in a replay of the folder alike", arguments: 0..<30)
  func loneStamps(number: Int) async throws {
    let seed = UInt64(number)
    let (lines, lone) = Self.scattered(seed: seed)
    let folder = try ScratchFolder()
    let request = try CoachingRequest.runner("z2", "moment:every=20")
    let settings = try request.settings(on: nil)
    let limit: SessionTime? = number.isMultiple(of: 3) ? .seconds(45) : nil
    let manager = SoleSession(
      LiveConfiguration(
        settings: settings, clock: .samples, streams: SampleStream.recordable, durationLimit: limit),
      recording: .init(dataFolder: folder.path, request: SessionRequest(coaching: request, person: nil), random: 7))
    var events: [SessionEvent] = []
    for line in lines { events += await manager.feed(Array(line.utf8), now: .morning(1e7)).events }
    let last = await manager.end(.endOfInput, now: .morning(1e7))
    events += last.events
    let path = try #require(await manager.folder)
    var replayed: [SessionEvent] = []
    let (pipeline, _) = try Replay.run(
      SessionFolderRecording(path: path), settings: settings, pace: .events
    ) { replayed += $1 }
    let (found, expected) = (commonRecords(replayed, pipeline), commonRecords(events, last.session.pipeline))
    let difference = zip(found, expected).first { $0 != $1 }
    #expect(difference == nil, "seed \(seed): \(String(describing: difference))")
    #expect(found.count == expected.count, "seed \(seed)")
    let rejected = expected.filter { $0.contains("\"type\":\"rejected\"") }
    for stream in ["heartRate", "steps", "location"] {
      let count = rejected.count { $0.contains("\"stream\":\"\(stream)\"") }
      if limit == nil { #expect(count == min(1, lone[stream] ?? 0), "seed \(seed), \(stream)") }
      #expect(count <= 1, "seed \(seed), \(stream)")
    }
  }

  @Test("Of senders whose clocks are apart, slow and set a replay of the folder decides the same", arguments: 0..<30)
  func severalSenders(number: Int) async throws {
    let seed = UInt64(number)
    var dice = Dice(seed: seed)
    let clock: SessionClock = number.isMultiple(of: 2) ? .automatic : .samples
    var strap = SenderClocks.Sender(feed: 0, source: "strap", stream: "heartRate")
    var other = SenderClocks.Sender(feed: 1, source: "other", stream: "steps")
    strap.ahead = dice.pick([-50, -30, 0, 20])
    other.ahead = dice.pick([-3_600, -600, -40, 16, 30, 70, 299, 600, 3_600])
    strap.set = dice.chance(0.5) ? (dice.whole(60...150), dice.pick([-3_600, -40, 40, 3_600])) : nil
    strap.lone = [dice.whole(20...40): dice.pick([21, 30, 58, 200, -3_600]), 199: 30]
    if dice.chance(0.5) { other.queue = 40..<dice.whole(60...190) }
    other.first = dice.whole(0...20)
    let clocks = SenderClocks(clock: clock, seconds: 200, senders: [strap, other].shuffled(using: &dice))
    let folder = try ScratchFolder()
    let request = try CoachingRequest.runner("z2", "moment:every=20")
    let settings = try request.settings(on: nil)
    let manager = SoleSession(
      LiveConfiguration(settings: settings, clock: clock, streams: SampleStream.recordable, durationLimit: nil),
      recording: .init(dataFolder: folder.path, request: SessionRequest(coaching: request, person: nil), random: 3))
    var events: [SessionEvent] = []
    for arrival in clocks.arrivals {
      let now = WallClockTime.morning(arrival.seconds)
      if let line = arrival.line {
        events += await manager.feed(Array((line + "\n").utf8), from: LiveFeed(source: arrival.feed), now: now).events
      } else {
        events += await manager.tick(now: now).events
      }
    }
    let last = await manager.end(.endOfInput, now: .morning(200))
    events += last.events
    let path = try #require(await manager.folder)
    var replayed: [SessionEvent] = []
    let (pipeline, warnings) = try Replay.run(
      SessionFolderRecording(path: path), settings: settings, pace: .events
    ) { replayed += $1 }
    #expect(warnings.isEmpty, "seed \(seed): \(warnings)")
    let (found, expected) = (commonRecords(replayed, pipeline), commonRecords(events, last.session.pipeline))
    let difference = zip(found, expected).first { $0 != $1 }
    #expect(difference == nil, "seed \(seed): \(String(describing: difference))")
    #expect(found.count == expected.count, "seed \(seed)")
  }

  @Test("What a strap kept for two minutes is decided in a replay as it was live")
  func buffered() async throws {
    let folder = try ScratchFolder()
    let request = try CoachingRequest.runner("z2", "moment:every=30")
    let settings = try request.settings(on: nil)
    let manager = SoleSession(
      LiveConfiguration(settings: settings, clock: .automatic, streams: SampleStream.recordable, durationLimit: nil),
      recording: .init(dataFolder: folder.path, request: SessionRequest(coaching: request, person: nil), random: 1))
    var events: [SessionEvent] = []
    func send(_ second: Int, arrival: Double) async {
      let line = #"{"type":"heartRate","time":"\#(WallClockTime.morning(Double(second)))","beatsPerMinute":128}"#
      events += await manager.feed(Array((line + "\n").utf8), now: .morning(arrival)).events
    }
    for second in 0...100 { await send(second, arrival: Double(second) + 0.2) }
    for second in 101...220 { events += await manager.tick(now: .morning(Double(second))).events }
    for second in 101...220 { await send(second, arrival: 220.4) }
    for second in 221...300 { await send(second, arrival: Double(second) + 0.2) }
    let last = await manager.end(.endOfInput, now: .morning(301))
    events += last.events
    #expect(last.session.pipeline.intake.implausible == 0)
    let lost = events.filter { if case .engine(.signalLost) = $0 { true } else { false } }
    #expect(lost.first == .engine(.signalLost(at: at(115))))
    let path = try #require(await manager.folder)
    var replayed: [SessionEvent] = []
    let (pipeline, _) = try Replay.run(
      SessionFolderRecording(path: path), settings: settings, pace: .events
    ) { replayed += $1 }
    #expect(commonRecords(replayed, pipeline) == commonRecords(events, last.session.pipeline))
  }
}
