import ActivityRecognition
import Recordings
import SessionStore
import Synchronization
import Testing
@testable import TextFormats
@testable import WorkoutHistory
@testable import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("An import by a model")
struct RecognizedImportTests {
  private static let spans: [ThresholdModel.Span] = [
    .init(activity: "walking", seconds: 20), .init(activity: "standing", seconds: 15),
    .init(activity: "running", seconds: 25), .init(activity: "walking", seconds: 20),
  ]

  /// What was said of recordings.
  private final class Said: Sendable {
    private let lines = Mutex<[(sessionID: String, line: String)]>([])
    func note(_ sessionID: String, _ line: String) { lines.withLock { $0.append((sessionID, line)) } }
    var all: [String] { lines.withLock { $0.map(\.line) } }
    var sessions: [String] { lines.withLock { $0.map(\.sessionID) } }
  }

  /// A recording at 50 Hz with a heart rate each second.
  private static func csv(
    _ spans: [ThresholdModel.Span] = spans, hasMotion: Bool = true, hasSteps: Bool = false
  ) -> String {
    var (rows, second): (String, Int) = ("", 0)
    for span in spans {
      for _ in 0..<span.seconds {
        for index in 0..<(hasMotion ? 50 : 1) {
          let time = Double(second) + Double(index) / 50
          let motion = hasMotion ? ",0,0,\(ThresholdModel.acceleration(span.activity, at: time))" : ""
          let steps = hasSteps ? ",\(index == 0 ? "\(second * 2)" : "")" : ""
          rows += "\(time),\(index == 0 ? "\(120 + second % 30)" : "")\(motion)\(steps)\n"
        }
        second += 1
      }
    }
    let names = (hasMotion ? ",acc_x_g,acc_y_g,acc_z_g" : "") + (hasSteps ? ",steps" : "")
    return "time_s,heart_rate_bpm" + names + "\n" + rows
  }

  private func request(_ settings: RecognitionSettings?, replaces: Bool = false, _ said: Said? = nil) throws
    -> ImportRequest
  {
    var request = ImportRequest(try .runner("z2", "period:every=20,window=20"), person: nil)
    request.start = .morning()
    request.recognition = settings
    request.replaces = replaces
    if let said { request.notice = { said.note($0, $1) } }
    return request
  }

  private func settings(
    _ model: SharedModel = ThresholdModel.shared, pausesWhenStill: Bool = true
  ) -> RecognitionSettings { RecognitionSettings(model, pausesWhenStill: pausesWhenStill) }

  @Test(
    "decides as a replay of the file by the model, and is replayed and indexed without it", arguments: [true, false])
  func sameAsReplay(pausesWhenStill: Bool) async throws {
    let recorded = try RecordedHistory()
    let recording = try Recording(path: recorded.folder.write(Self.csv(), "run.csv"))
    let recognition = settings(pausesWhenStill: pausesWhenStill)
    let importing = try request(recognition)
    guard case .added(let name) = try await recorded.history.add(recording, importing) else {
      throw RecordedHistory.NotRecorded()
    }
    let coaching = try importing.requestOfDay(nil).coaching.settings(on: nil)
    var recognizer: ReplayRecognizer? = ReplayRecognizer(recognition, plan: coaching.plan, recorded: nil)
    var direct: [SessionEvent] = []
    let replayed = try Replay.run(recording, settings: coaching, recognizing: &recognizer, pace: .events) {
      direct += $1
    }
    let activities = direct.compactMap { if case .activity(_, let activity) = $0 { activity.name } else { nil } }
    #expect(activities == ["walking", "standing", "running", "walking"])
    let pauses = direct.count { if case .engine(.paused) = $0 { true } else { false } }
    #expect(pauses == (pausesWhenStill ? 1 : 0))
    let journal = try text(of: recorded.path(name) + "/decisions.jsonl").split(separator: "\n").map(String.init)
    #expect(journal == records(direct))
    let session = try SessionFolderRecording(path: recorded.path(name))
    #expect(session.manifest.recognition == recognition.facts)
    for isByModel in [false, true] {
      var again: ReplayRecognizer? =
        isByModel
        ? ReplayRecognizer(recognition, plan: coaching.plan, recorded: session.manifest.recognition) : nil
      var kept: [SessionEvent] = []
      let (pipeline, warnings) = try Replay.run(session, settings: coaching, recognizing: &again, pace: .events) {
        kept += $1
      }
      #expect(warnings.isEmpty)
      #expect(commonRecords(kept, pipeline) == commonRecords(direct, replayed))
      #expect(again?.contradictsLog != true)
    }
    #expect(try await recorded.history.check { _ in } == [])
    #expect(try #require(replayed.engine.summary.steps) > 80)
    let hours = try await recorded.history.hours(in: .morning(-3_600)..<(.morning(86_400)), person: nil)
    let minutes = try #require(hours.first?.activities)
    #expect(abs(minutes.minutes(.running) - 0.42) < 0.04)
    #expect(abs(minutes.minutes(.standing) - 0.25) < 0.04)
    await recorded.history.close()
  }

  @Test("says that there is no motion in a recording, or none that the model can use, and adds it all the same")
  func withoutMotion() async throws {
    let recorded = try RecordedHistory()
    let none = Said()
    let flat = try Recording(path: recorded.folder.write(Self.csv(hasMotion: false), "flat.csv"))
    guard case .added(let name) = try await recorded.history.add(flat, request(settings(), none)) else {
      throw RecordedHistory.NotRecorded()
    }
    #expect(none.all == ["no motion in it: nothing is recognised"])
    #expect(none.sessions == [name])
    #expect(try SessionFolderRecording(path: recorded.path(name)).manifest.recognition == nil)
    let other = try RecordedHistory()
    let turnless = Said()
    let run = try Recording(path: other.folder.write(Self.csv(), "run.csv"))
    guard case .added = try await other.history.add(run, request(settings(ThresholdModel.turning), turnless)) else {
      throw RecordedHistory.NotRecorded()
    }
    #expect(
      turnless.all == ["motion without turning rates (gyroscope), with which by hand was trained: not recognised"])
    await recorded.history.close()
    await other.history.close()
  }

  @Test("of what is there without one says more, and takes its place when asked to; once is enough")
  func replacing() async throws {
    let recorded = try RecordedHistory()
    let run = try Recording(path: recorded.folder.write(Self.csv(), "run.csv"))
    guard case .added(let old) = try await recorded.history.add(run, request(nil)) else {
      throw RecordedHistory.NotRecorded()
    }
    try await recorded.history.label(old, "hill", from: .zero, until: .seconds(10))
    #expect(
      try await recorded.history.add(run, request(settings()))
        == .outdone(sessionID: old, gains: [.activities], obstacle: nil))
    guard case .replaced(let new, old) = try await recorded.history.add(run, request(settings(), replaces: true)) else {
      throw RecordedHistory.NotRecorded()
    }
    let session = try SessionFolderRecording(path: recorded.path(new))
    #expect(session.manifest.recognition?.sha256 == ThresholdModel.shared.hash)
    #expect(try session.labels().first?.text == "hill", "what was put on it afterwards stays")
    for recognition in [nil, settings()] {
      for replaces in [false, true] {
        #expect(
          try await recorded.history.add(run, request(recognition, replaces: replaces)) == .duplicate(sessionID: new))
      }
    }
    #expect(try await recorded.history.sessions(History.Filter()).map(\.sessionID) == [new])
    #expect(try await recorded.history.check { _ in } == [])
    await recorded.history.close()
  }

  @Test("takes nothing away that was recognised: a better file without a model stays out, and says what brings it in")
  func keepsWhatWasRecognized() async throws {
    let recorded = try RecordedHistory()
    let run = try Recording(path: recorded.folder.write(Self.csv(), "run.csv"))
    guard case .added(let old) = try await recorded.history.add(run, request(settings())) else {
      throw RecordedHistory.NotRecorded()
    }
    let better = try Recording(path: recorded.folder.write(Self.csv(hasSteps: true), "better.csv"))
    let still = try Recording(path: recorded.folder.write(Self.csv(hasMotion: false, hasSteps: true), "still.csv"))
    for replaces in [false, true] {
      for (recording, settings, hasMotion) in [(better, nil, true), (still, nil, false), (still, settings(), false)] {
        let outcome = try await recorded.history.add(recording, request(settings, replaces: replaces))
        #expect(
          outcome == .outdone(sessionID: old, gains: [.steps], obstacle: .recognized(hasMotion: hasMotion)),
          "\(outcome)")
      }
    }
    #expect(try SessionFolderRecording(path: recorded.path(old)).manifest.recognition != nil)
    let outcome = try await recorded.history.add(better, request(settings(), replaces: true))
    guard case .replaced(let new, old) = outcome else {
      Issue.record("not replaced: \(outcome)")
      return
    }
    #expect(try SessionFolderRecording(path: recorded.path(new)).manifest.recognition != nil)
    #expect(try await recorded.history.check { _ in } == [])
    await recorded.history.close()
  }
}
