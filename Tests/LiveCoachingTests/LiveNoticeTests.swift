@testable import LiveCoaching
@testable import SessionStore
import Testing
import TextFormats
@testable import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("What people want to know of a session beside its cues")
struct LiveNoticeTests {
  /// Lines of a heart rate and of motion each second, from a second on.
  private static func lines(_ seconds: Range<Int>, motion: Bool) -> [UInt8] {
    let lines = seconds.map { second in
      let heart = #"{"type":"heartRate","atSeconds":\#(second),"beatsPerMinute":\#(120 + second % 5)}"#
      let motion = motion ? "\n" + #"{"type":"motion","atSeconds":\#(second),"acceleration":[0,0,1]}"# : ""
      return heart + motion + "\n"
    }
    return Array(lines.joined().utf8)
  }

  private static func texts(_ notices: [LiveNotice]) -> [String] { notices.map { $0.text(in: .metric) } }

  @Test("It is kept while somebody reads the records, given once to each, and nothing of before")
  func looked() async throws {
    let folder = try ScratchFolder()
    let data = StoredPath(dataFolder: folder.path)
    let registry = SessionRegistry(
      dataFolder: data, policy: .terminal, shardCount: 1, limit: 1, clock: ManualClock(.morning(0)))
    let request = try CoachingRequest.runner("z2", "none")
    let session = try await registry.begin(
      LiveConfiguration(
        settings: try request.settings(on: nil), clock: .samples, streams: SampleStream.recordable, durationLimit: nil),
      recording: LiveRecording(
        dataFolder: data, request: SessionRequest(coaching: request, person: nil), random: 1))
    _ = await session.feed(Self.lines(0..<10, motion: true), now: .morning())
    // Nobody reads its records.
    #expect(await session.notices(after: nil).new.isEmpty)
    _ = await session.feed(Self.lines(10..<30, motion: false), now: .morning())
    #expect(await session.notices(after: 0).new.isEmpty)
    #expect(await session.session?.streams == nil)

    let (_, reader) = try #require(try await session.records(after: 0))
    let first = await session.notices(after: nil)
    #expect(first.new.isEmpty)
    _ = await session.feed(Self.lines(30..<35, motion: true), now: .morning())
    _ = await session.feed(Self.lines(35..<45, motion: false), now: .morning())
    // Of the motion, and that there was no heart rate for a while.
    _ = await session.feed(Self.lines(70..<80, motion: false), now: .morning())
    let second = await session.notices(after: first.last)
    #expect(
      Self.texts(second.new) == [
        "motion is silent since 0:00:34", "signal lost: no usable heart rate for 15 s", "signal restored: 120 bpm",
      ])
    #expect(second.new.map(\.shownSeconds) == [10, 6, 6])
    #expect(await session.notices(after: second.last).new.isEmpty)
    // Somebody else has the same; who begins to look has none of it.
    #expect(await session.notices(after: first.last).new.count == 3)
    #expect(await session.notices(after: nil).new.isEmpty)

    await session.stopReading(reader)
    #expect(await session.session?.streams == nil)
    #expect(await session.notices(after: second.last).new.isEmpty)
    let (_, again) = try #require(try await session.records(after: 0))
    let third = await session.notices(after: nil)
    #expect(third.last == second.last)
    _ = await session.feed(Self.lines(100..<110, motion: false), now: .morning())
    #expect(Self.texts(await session.notices(after: third.last).new).first?.hasPrefix("signal lost") == true)
    await session.stopReading(again)
    _ = await session.end(.endOfInput, now: .morning())
    await registry.shutDown()
  }

  @Test("Of many the newest are kept, and a name that hides something, or is as long as a line, is shown and cut")
  func hostile() {
    let notices = LiveNotices(after: 0)
    notices.note((1...40).map { .lap(at: .zero, number: $0) }, [])
    #expect(notices.last == 40)
    #expect(Self.texts(notices.after(0)).first == "lap 25")
    #expect(Self.texts(notices.after(38)) == ["lap 39", "lap 40"])
    let name = "<b>\u{202E}\u{1B}[31m\n" + String(repeating: "e\u{301}", count: 30_000)
    notices.note([.sourceChanged(at: .zero, from: nil, to: name), .started(at: .zero)], [])
    let text = Self.texts(notices.after(40))
    #expect(text.count == 1)
    let start = #"heart rate now from <b>\u{202e}\u{1b}[31m\u{a}e"#.unicodeScalars
    #expect(text.first?.unicodeScalars.starts(with: start) == true, "\(text)")
    #expect(text.first?.unicodeScalars.count == LiveNotice.longest)
  }
}
