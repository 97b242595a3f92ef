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

  /// The pieces that a source gives, turn by turn.
  private func pieces(of source: PlayedRecording) -> [[LiveLine]] {
    var found: [[LiveLine]] = []
    while let descriptor = source.descriptors.first {
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&entry, 1, 60_000) == 1 else {
        Issue.record("nothing comes any more")
        return found
      }
      let events = source.collect(ready: [descriptor], now: 0)
      #expect(events.count <= 1, "a turn takes one piece")
      for case .lines(let lines) in events { found.append(lines) }
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

  @Test("is announced in the same words and the same order, whatever the clock does and however fast it is played")
  func announcements() async throws {
    let folder = try ScratchFolder()
    let recording = try recording(in: folder)
    let settings = try settings()
    var all: [[String]] = []
    for (times, seed) in Self.clocks {
      for speed in [40, Double.infinity] {
        let source = try PlayedRecording(recording, speed: speed, clock: JerkyClock(times: times, seed: seed))
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
        all.append(audience.said)
      }
    }
    let first = try #require(all.first)
    // Three, two, one before the end of each of three steps, and one kilometre.
    for count in ["3", "2", "1"] { #expect(first.count { $0 == count } == 3, "\(first)") }
    #expect(first.count { $0.hasPrefix("Kilometer 1") || $0.hasPrefix("Kilometre 1") } == 1, "\(first)")
    for (index, said) in all.enumerated() { #expect(said == first, "case \(index)") }
  }
}
