import ActivityRecognition
import LiveCoaching
import Recordings
import SessionStore
import Testing
import TextFormats
@testable import WorkoutHistory
import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("Activities in a session")
struct RecognizedSessionTests {
  private static let spans: [ThresholdModel.Span] = [
    .init(activity: "walking", seconds: 20), .init(activity: "standing", seconds: 15),
    .init(activity: "running", seconds: 25), .init(activity: "walking", seconds: 20),
    .init(activity: "standing", seconds: 12), .init(activity: "walking", seconds: 14),
  ]

  /// What came of a live session, and its folder.
  private struct Outcome {
    let events: [SessionEvent]
    let pipeline: SessionPipeline
    let folder: String
    let notices: [String]
  }

  private func run(
    _ lines: [String], in folder: ScratchFolder, by model: SharedModel = ThresholdModel.shared,
    pausesWhenStill: Bool = true, plan: String? = nil, cutBySeed seed: UInt64
  ) async throws -> Outcome {
    let request = try CoachingRequest.runner(
      "z2", "period:every=20,window=20", plan: plan.map { text in try PlanRequest(text: text) })
    var configuration = LiveConfiguration(
      settings: try request.settings(on: nil), clock: .samples, streams: SampleStream.recordable, durationLimit: nil)
    configuration.recognition = RecognitionSettings(model, pausesWhenStill: pausesWhenStill)
    let session = SoleSession(
      configuration,
      recording: .init(
        dataFolder: folder.path, request: SessionRequest(coaching: request, person: nil), random: UInt32(seed)))
    var dice = Dice(seed: seed)
    var (events, notices): ([SessionEvent], [String]) = ([], [])
    var bytes = Array((lines.joined(separator: "\n") + "\n").utf8)[...]
    while !bytes.isEmpty {
      let piece = bytes.prefix(dice.whole(1...5_000))
      bytes = bytes.dropFirst(piece.count)
      let report = await session.feed(Array(piece), now: .morning())
      #expect(report.badLines.isEmpty)
      events += report.events
      notices += report.notices
    }
    let last = await session.end(.endOfInput, now: .morning())
    return Outcome(
      events: events + last.events, pipeline: last.session.pipeline, folder: try #require(await session.folder),
      notices: notices + last.notices)
  }

  private func replayed(_ folder: String, with recognizer: inout ReplayRecognizer?) throws -> [SessionEvent] {
    var events: [SessionEvent] = []
    let recording = try SessionFolderRecording(path: folder)
    _ = try Replay.run(
      recording, settings: try recording.manifest.settings(), recognizing: &recognizer, pace: .events
    ) { events += $1 }
    return events
  }

  /// Ends apart, which say why a session ended.
  private func common(_ events: [SessionEvent]) -> [String] {
    records(events.filter { if case .ended = $0 { false } else { true } })
  }

  @Test("Standing still pauses after 3 s, moving goes on after 1 s, and changes are reported within 5 s")
  func delays() async throws {
    let folder = try ScratchFolder()
    let events = try await run(ThresholdModel.lines(Self.spans), in: folder, cutBySeed: 1).events
    let paused = events.compactMap { if case .engine(.paused(let time)) = $0 { time.seconds } else { nil } }
    let resumed = events.compactMap { if case .engine(.resumed(let time)) = $0 { time.seconds } else { nil } }
    #expect(zip(paused, [20.0, 80]).allSatisfy { (2.75...3.5).contains($0 - $1) }, "\(paused)")
    #expect(paused.count == 2)
    #expect(zip(resumed, [35.0, 92]).allSatisfy { (0.5...2).contains($0 - $1) }, "\(resumed)")
    #expect(resumed.count == 2)
    let activities = events.compactMap { event -> (name: String, at: Double, since: Double)? in
      guard case .activity(let time, let activity) = event else { return nil }
      return (activity.name, time.seconds, activity.since.seconds)
    }
    #expect(activities.map(\.name) == ["walking", "standing", "running", "walking", "standing", "walking"])
    let starts = [0.0, 20, 35, 60, 80, 92]
    #expect(zip(activities, starts).allSatisfy { $0.at - $1 <= 5 }, "\(activities)")
    #expect(zip(activities, starts).allSatisfy { abs($0.since - $1) <= 0.6 }, "\(activities)")
  }

  @Test(
    "A replay needs no model and prints the same, whatever the pieces in which the lines came", arguments: [1, 2, 3])
  func replay(seed: UInt64) async throws {
    let folder = try ScratchFolder()
    var lines = ThresholdModel.lines(Self.spans)
    // Motion arrives after the heart rates of its time, and some of it twice.
    for index in stride(from: 0, to: lines.count - 3, by: 2) where index % 7 < 4 { lines.swapAt(index, index + 1) }
    lines.insert(lines[40], at: 43)
    let outcome = try await run(lines, in: folder, cutBySeed: seed)
    var none: ReplayRecognizer?
    #expect(common(try replayed(outcome.folder, with: &none)) == common(outcome.events))
    let manifest = try SessionFolderRecording(path: outcome.folder).manifest
    #expect(manifest.recognition?.sha256 == ThresholdModel.shared.hash)
    var same: ReplayRecognizer? = ReplayRecognizer(
      RecognitionSettings(ThresholdModel.shared, pausesWhenStill: true), plan: TrainingPlan(constant: .open),
      recorded: manifest.recognition)
    #expect(common(try replayed(outcome.folder, with: &same)) == common(outcome.events))
    #expect(same?.contradictsLog == false)
    let digest = try #require(SessionDigest(manifest, outcome.pipeline, state: .complete, badLines: 0))
    let kept = try SessionRows(SessionDigest(folder: StoredPath(folder: outcome.folder)))
    #expect(SessionRows(digest).rows == kept.rows)
  }

  @Test("Another setting is recognised anew: without pauses there are none")
  func anew() async throws {
    let folder = try ScratchFolder()
    let outcome = try await run(ThresholdModel.lines(Self.spans), in: folder, cutBySeed: 4)
    let manifest = try SessionFolderRecording(path: outcome.folder).manifest
    var other: ReplayRecognizer? = ReplayRecognizer(
      RecognitionSettings(ThresholdModel.shared, pausesWhenStill: false), plan: TrainingPlan(constant: .open),
      recorded: manifest.recognition)
    let events = try replayed(outcome.folder, with: &other)
    #expect(!events.contains { if case .engine(.paused) = $0 { true } else { false } })
    #expect(events.count { if case .activity = $0 { true } else { false } } == 6)
  }

  @Test("Who goes on by hand while still is not paused again by the same stillness")
  func overruled() async throws {
    let folder = try ScratchFolder()
    var lines = ThresholdModel.lines([
      .init(activity: "walking", seconds: 10), .init(activity: "standing", seconds: 20),
    ])
    lines.insert(#"{"type":"command","id":"on","command":"resume","atSeconds":16}"#, at: 32)
    let events = try await run(lines, in: folder, cutBySeed: 5).events
    #expect(events.count { if case .engine(.paused) = $0 { true } else { false } } == 1)
    #expect(events.count { if case .engine(.resumed) = $0 { true } else { false } } == 1)
  }

  @Test("A pause by hand in one that stillness began is one by hand: motion does not end it, live and replayed")
  func takenOver() async throws {
    let folder = try ScratchFolder()
    var lines = ThresholdModel.lines([
      .init(activity: "walking", seconds: 10), .init(activity: "standing", seconds: 15),
      .init(activity: "walking", seconds: 15), .init(activity: "standing", seconds: 10),
    ])
    lines.insert(#"{"type":"command","id":"on","command":"resume","atSeconds":35}"#, at: 70)
    lines.insert(#"{"type":"command","id":"again","command":"pause","atSeconds":21}"#, at: 42)
    lines.insert(#"{"type":"command","id":"hand","command":"pause","atSeconds":20}"#, at: 40)
    let outcome = try await run(lines, in: folder, cutBySeed: 8)
    let answers = outcome.events.compactMap { event -> (id: String?, refusal: CommandRefusal?)? in
      if case .acknowledgement(let answer) = event { (answer.id, answer.refusal) } else { nil }
    }
    #expect(answers.map(\.id) == ["hand", "again", "on"])
    #expect(answers.map(\.refusal) == [nil, .alreadyPaused, nil])
    let paused = outcome.events.compactMap { if case .engine(.paused(let time)) = $0 { time.seconds } else { nil } }
    let resumed = outcome.events.compactMap { if case .engine(.resumed(let time)) = $0 { time.seconds } else { nil } }
    #expect(resumed == [35])
    #expect(paused.count == 2)
    #expect(zip(paused, [10.0, 40]).allSatisfy { (2.75...3.5).contains($0 - $1) }, "\(paused)")

    let decided = outcome.events.filter { if case .acknowledgement = $0 { false } else { true } }
    let manifest = try SessionFolderRecording(path: outcome.folder).manifest
    var none: ReplayRecognizer?
    #expect(common(try replayed(outcome.folder, with: &none)) == common(decided))
    var same: ReplayRecognizer? = ReplayRecognizer(
      RecognitionSettings(ThresholdModel.shared, pausesWhenStill: true), plan: TrainingPlan(constant: .open),
      recorded: manifest.recognition)
    #expect(common(try replayed(outcome.folder, with: &same)) == common(decided))
    #expect(same?.contradictsLog == false)
    let digest = try #require(SessionDigest(manifest, outcome.pipeline, state: .complete, badLines: 0))
    let kept = try SessionRows(SessionDigest(folder: StoredPath(folder: outcome.folder)))
    #expect(SessionRows(digest).rows == kept.rows)
  }

  @Test("A session whose motion ends while it is paused goes on after ten seconds")
  func silence() async throws {
    let folder = try ScratchFolder()
    var lines = ThresholdModel.lines([
      .init(activity: "walking", seconds: 10), .init(activity: "standing", seconds: 10),
    ])
    for second in 21...40 { lines.append(#"{"type":"heartRate","atSeconds":\#(second),"beatsPerMinute":130}"#) }
    let events = try await run(lines, in: folder, cutBySeed: 6).events
    let resumed = events.compactMap { if case .engine(.resumed(let time)) = $0 { time.seconds } else { nil } }
    #expect(resumed == [30])
  }

  /// The same motion with a line for each sensor, as some programs send it.
  private static func apart(_ spans: [ThresholdModel.Span]) -> [String] {
    var (lines, second): ([String], Int) = ([], 0)
    for span in spans {
      for _ in 0..<span.seconds {
        for index in 0..<50 {
          let time = Double(second) + Double(index) / 50
          let length = ThresholdModel.acceleration(span.activity, at: time)
          lines.append(#"{"type":"motion","atSeconds":\#(time + 0.004),"rotationRate":[0,0,0.5]}"#)
          lines.append(#"{"type":"motion","atSeconds":\#(time + 0.008),"acceleration":[0,0,\#(length)]}"#)
        }
        second += 1
        lines.append(#"{"type":"heartRate","atSeconds":\#(second),"beatsPerMinute":130}"#)
      }
    }
    return lines
  }

  @Test("Acceleration and turning rates in lines of their own are joined, and nothing is said to be missing")
  func linesOfTheirOwn() async throws {
    let spans = Array(Self.spans.prefix(3))
    for (number, model) in [ThresholdModel.shared, ThresholdModel.turning].enumerated() {
      let folder = try ScratchFolder()
      let outcome = try await run(Self.apart(spans), in: folder, by: model, cutBySeed: UInt64(10 + number))
      let names = outcome.events.compactMap { if case .activity(_, let activity) = $0 { activity.name } else { nil } }
      #expect(names == ["walking", "standing", "running"])
      #expect(outcome.notices.isEmpty, "\(outcome.notices)")
    }
  }

  @Test(
    "Motion without what the model needs is not recognised, which is said once",
    arguments: ["turning", "acceleration"])
  func lacking(what: String) async throws {
    let folder = try ScratchFolder()
    let all = Self.apart([.init(activity: "walking", seconds: 5)])
    let (model, lacks, word) =
      what == "turning"
      ? (ThresholdModel.turning, "rotationRate", "turning rates (gyroscope)")
      : (ThresholdModel.shared, "acceleration", "acceleration")
    let outcome = try await run(all.filter { !$0.contains(lacks) }, in: folder, by: model, cutBySeed: 12)
    #expect(!outcome.events.contains { if case .activity = $0 { true } else { false } })
    #expect(outcome.notices == ["motion without \(word), with which by hand was trained: not recognised"])
  }

  @Test("Steps are counted from motion while walking and running, and minutes of the hour are known")
  func steps() async throws {
    let folder = try ScratchFolder()
    let outcome = try await run(ThresholdModel.lines(Self.spans), in: folder, cutBySeed: 7)
    // 2 a second in 54 s, 3 a second in 25 s, without what a pause has taken and the ends of stretches.
    let steps = try #require(outcome.pipeline.engine.summary.steps)
    #expect((160...190).contains(steps), "\(steps)")
    let hour = try #require(outcome.pipeline.observation?.hours.hours.first)
    let activities = try #require(hour.activities)
    #expect(abs(activities.minutes(.walking) - 0.9) < 0.04)
    #expect(abs(activities.minutes(.running) - 0.42) < 0.04)
    #expect(abs(activities.minutes(.standing) - 0.45) < 0.04)
  }

  @Test("Stillness of which nobody knows whether it is sitting or standing pauses, and is neither sat nor stood")
  func still() async throws {
    let folder = try ScratchFolder()
    let outcome = try await run(
      ThresholdModel.lines(Self.spans), in: folder, by: ThresholdModel.still, cutBySeed: 8)
    let names = outcome.events.compactMap { if case .activity(_, let activity) = $0 { activity.name } else { nil } }
    #expect(names == ["walking", "still", "running", "walking", "still", "walking"])
    #expect(outcome.events.count { if case .engine(.paused) = $0 { true } else { false } } == 2)
    let activities = try #require(outcome.pipeline.observation?.hours.hours.first?.activities)
    #expect(activities.minutes(.standing) == 0)
    #expect(activities.minutes(.sitting) == 0)
    #expect(activities.minutes(.still) == 0)
    #expect(abs(activities.minutes(.walking) - 0.9) < 0.04)
  }

  @Test("Who does something else than the step asks for is reminded once, ten seconds after that began")
  func differs() async throws {
    let folder = try ScratchFolder()
    let spans: [ThresholdModel.Span] = [
      .init(activity: "running", seconds: 60), .init(activity: "walking", seconds: 20),
      .init(activity: "running", seconds: 30),
    ]
    let outcome = try await run(
      ThresholdModel.lines(spans), in: folder, plan: "30s run z3, 80s walk z1", cutBySeed: 8)
    let reminders = outcome.events.compactMap { event -> Double? in
      if case .activityDiffers(let time, .walking, _) = event { time.seconds } else { nil }
    }
    // The step began at 30 s, walking ended at 80 s, which was known 3.5 s later.
    #expect(reminders.count == 2)
    #expect(zip(reminders, [40.0, 93.5]).allSatisfy { abs($0 - $1) <= 1.5 }, "\(reminders)")
    var none: ReplayRecognizer?
    #expect(common(try replayed(outcome.folder, with: &none)) == common(outcome.events))
  }

  @Test(
    "Nobody can send what only a recogniser finds", arguments: ["activity", "autoPause", "autoResume", "motionSteps"])
  func refused(word: String) throws {
    let line = try LiveLine(#"{"type":"command","id":"a","command":"\#(word)"}"#.utf8.span)
    guard case .refused(_, let refusal, _) = line else {
      Issue.record("taken: \(line)")
      return
    }
    #expect(refusal == .unknownCommand)
  }
}
