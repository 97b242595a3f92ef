import Glibc
import LiveCoaching
import Recordings
import Synchronization
import Testing
import TextFormats
import WorkoutHistory
import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("A recording that is played")
struct PlayedRecordingTests {
  /// A clock whose time passes while somebody waits, by so many times what is waited for, and in jerks where a seed is given.
  private final class JerkyClock: PlayingClock {
    private let state: Mutex<(now: Int64, dice: Dice)>
    private let factor: Int64
    private let isJerky: Bool

    init(times factor: Int64, seed: UInt64?) {
      self.factor = factor
      isJerky = seed != nil
      state = Mutex((0, Dice(seed: seed ?? 0)))
    }

    var now: Int64 { state.withLock { $0.now } }

    func wait(nanoseconds: Int64) {
      state.withLock { state in
        let jerk = isJerky ? Int64(state.dice.whole(1...400)) : 1
        state.now += max(1, nanoseconds) * factor * jerk
      }
    }
  }

  /// Somebody who writes down what is said.
  private final class Listener: LiveAudience {
    let keyboard: Int32? = nil
    let turn: Int64? = nil
    private var announcer: LiveAnnouncer
    private(set) var said: [String] = []

    init(_ announcer: LiveAnnouncer) { self.announcer = announcer }

    func typed() throws -> [SessionCommand] { [] }
    func handle(_ signal: Int32) throws -> Bool { false }
    func refresh() throws {}
    func report(_ remark: LiveRemark) {}

    func show(_ events: [SessionEvent], _ session: LiveSession) throws {
      said += announcer.note(events, session.pipeline).map { SpokenLanguage.english.text($0.phrase) }
    }
  }

  private struct NoSignals: LiveSignals {
    let descriptor: Int32 = -1
    func pending() -> Int32? { nil }
  }

  /// Six minutes and a half at 3 m/s: two heart rates a second and a position.
  private func recording(in folder: ScratchFolder) throws -> Recording {
    let rows = (0..<780).map { (half: Int) -> String in
      let latitude = 46 + Double(half / 2) * 3 / 111_150
      let place = half % 2 == 0 ? "\(latitude),23" : ","
      return "\(half / 2).\(half % 2 == 0 ? 0 : 4),\(118 + half % 5),\(place)\n"
    }
    let header = "time_s,heart_rate_bpm,latitude,longitude\n"
    return try Recording(path: folder.write(header + rows.joined(), "run.csv"))
  }

  private func settings() throws -> CoachingSettings {
    try CoachingRequest.runner(nil, "moment:every=20", plan: PlanRequest(text: "1min z2, 2min z4, 3min z1, open z2"))
      .settings(on: nil)
  }

  /// What is said of a source that is played to its end.
  private func said(of source: PlayedRecording, _ settings: CoachingSettings) async throws -> [String] {
    let configuration = LiveConfiguration(
      settings: settings, clock: .automatic, streams: SampleStream.recordable, durationLimit: nil)
    let registry = SessionRegistry(
      dataFolder: nil, policy: .terminal, shardCount: 1, limit: 1, clock: SystemLiveClock())
    let session = try await registry.begin(configuration, recording: nil, isDriven: true)
    let audience = Listener(LiveAnnouncer(units: .metric, bests: [], fastestMetersPerSecond: 12.5))
    let loop = LiveLoop(
      session, configuration, LiveInput([source], signals: NoSignals()), sourceNames: ["run.csv"],
      audience: audience)
    try await loop.run(after: [])
    await registry.shutDown()
    return audience.said
  }

  /// The pieces that a source gives, turn by turn.
  private func pieces(of source: PlayedRecording) -> [[LiveLine]] {
    turns(of: source).compactMap { if case .lines(let lines) = $0 { lines } else { nil } }
  }

  /// What a source gives, turn by turn.
  private func turns(of source: PlayedRecording) -> [LiveSourceEvent] {
    var found: [LiveSourceEvent] = []
    while let descriptor = source.descriptors.first {
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&entry, 1, 60_000) == 1 else {
        Issue.record("nothing comes any more")
        return found
      }
      let events = source.collect(ready: [descriptor], now: 0)
      #expect(events.count <= 1, "a turn takes one piece")
      found += events
    }
    return found
  }

  private static let clocks: [(times: Int64, seed: UInt64?)] = [(1, nil), (1_000_000_000, nil), (1, 1), (1, 2), (3, 3)]

  @Test("gives the same pieces, each of one second of its time, whatever the clock does and however fast it is played")
  func pieces() throws {
    let folder = try ScratchFolder()
    let recording = try recording(in: folder)
    var all: [[[LiveLine]]] = []
    for (times, seed) in Self.clocks {
      for speed in [1, 40, Double.infinity] {
        let source = try PlayedRecording(recording, speed: speed, clock: JerkyClock(times: times, seed: seed))
        all.append(pieces(of: source))
      }
    }
    let first = try #require(all.first)
    #expect(first.count == 390)
    #expect(first.allSatisfy { $0.count == 3 })
    for (index, found) in all.enumerated() { #expect(found == first, "case \(index)") }
  }

  @Test("with readings 5 s apart counts each step down, the same whatever the clock does and however fast it is played")
  func countdownBetweenReadings() async throws {
    let folder = try ScratchFolder()
    let rows = stride(from: 0, through: 420, by: 5).map { "\($0),\(118 + $0 % 3)\n" }
    let recording = try Recording(path: folder.write("time_s,heart_rate_bpm\n" + rows.joined(), "run.csv"))
    let settings = try settings()
    for (times, seed) in Self.clocks {
      for speed in [40, Double.infinity] {
        let source = try PlayedRecording(recording, speed: speed, clock: JerkyClock(times: times, seed: seed))
        let said = try await said(of: source, settings)
        let counts = said.filter { ["3", "2", "1"].contains($0) }
        #expect(counts == ["3", "2", "1", "3", "2", "1", "3", "2", "1"], "\(said)")
      }
    }
  }

  @Test("has a turn for each whole second without a reading, and none in a pause")
  func emptySeconds() throws {
    let folder = try ScratchFolder()
    let recording = try Recording(
      path: folder.write("time_s,heart_rate_bpm\n0,118\n3.5,119\n4,120\n40000,121\n40002,122\n40003,122\n", "run.csv"))
    let source = try PlayedRecording(recording, speed: .infinity, clock: JerkyClock(times: 1, seed: nil))
    let found = turns(of: source)
    let passed = found.compactMap { event -> SessionTime? in
      if case .passed(let time) = event { time } else { nil }
    }
    // A silence of eleven hours is a pause.
    #expect(passed == [.seconds(1), .seconds(2), .seconds(3), .seconds(40_001)])
  }

  @Test("is announced in the same words and the same order, whatever the clock does and however fast it is played")
  func announcements() async throws {
    let folder = try ScratchFolder()
    let recording = try recording(in: folder)
    let settings = try settings()
    var all: [[String]] = []
    for (times, seed) in Self.clocks {
      for speed in [40, Double.infinity] {
        let source = try PlayedRecording(recording, speed: speed, clock: JerkyClock(times: times, seed: seed))
        all.append(try await said(of: source, settings))
      }
    }
    let first = try #require(all.first)
    // Three, two, one before the end of each of three steps, and one kilometre.
    for count in ["3", "2", "1"] { #expect(first.count { $0 == count } == 3, "\(first)") }
    #expect(first.count { $0.hasPrefix("Kilometer 1") || $0.hasPrefix("Kilometre 1") } == 1, "\(first)")
    for (index, said) in all.enumerated() { #expect(said == first, "case \(index)") }
  }
}
