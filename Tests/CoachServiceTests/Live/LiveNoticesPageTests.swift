@testable import CoachService
import Foundation
import LiveCoaching
import Testing
import TextFormats
import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("What a page shows of a live session beside its cues")
struct LiveNoticesPageTests {
  /// The states among what a stream has for its reader now.
  private static func states(_ stream: any HTTPStream) throws -> [JSONValue] {
    try everything(of: stream).split(separator: "\n").filter { $0.hasPrefix(#"data: {"version":1,"type":"state""#) }
      .map { try JSONValue.parse(String($0.dropFirst(6))) }
  }

  private static func texts(_ states: [JSONValue]) -> [String] {
    states.flatMap { $0["notices"]?.array ?? [] }.compactMap { $0["text"]?.string }
  }

  private static func heartRates(_ seconds: Range<Int>, of source: String) -> String {
    seconds.map { second in
      #"{"type":"heartRate","atSeconds":\#(second),"beatsPerMinute":\#(120 + second % 5),"source":"\#(source)"}"# + "\n"
    }.joined()
  }

  @Test("A state has what happened since the one before, once, in words for the reader, and of before nothing")
  func notices() async throws {
    let clock = ManualClock(.morning(0))
    let harness = try await ServiceHarness(ScratchFolder(), clock: clock)
    let token = try await harness.token([.send, .watch])
    let id = try await harness.begin(token)
    func send(_ lines: String) async {
      let answer = await harness.send(
        "POST", "/v1/sessions/\(id)/samples", token, body: lines, type: "application/x-ndjson")
      #expect(answer.status == 200, "\(answer.text)")
    }
    await send(Self.heartRates(0..<10, of: "strap") + Self.heartRates(40..<50, of: "strap"))
    let stream = try await harness.stream("/v1/sessions/\(id)", token)
    await harness.service.tick()
    let first = try Self.states(stream)
    #expect(first.count == 1)
    #expect(Self.texts(first).isEmpty)

    await send(Self.heartRates(80..<85, of: #"<img src=x onerror=alert(1)>\u202e"#))
    clock.set(.morning(1))
    await harness.service.tick()
    let second = try Self.states(stream)
    let texts = Self.texts(second)
    #expect(texts.contains("signal lost: no usable heart rate for 15 s"), "\(texts)")
    #expect(texts.contains { $0.hasPrefix("signal restored: ") }, "\(texts)")
    #expect(
      texts.contains(#"heart rate now from <img src=x onerror=alert(1)>\u{202e}, strap is silent"#), "\(texts)")
    #expect(second.first?["notices"]?.array?.allSatisfy { $0["seconds"]?.number?.double == 6 } == true)

    await send(Self.heartRates(85..<86, of: "strap"))
    clock.set(.morning(2))
    await harness.service.tick()
    let third = try Self.states(stream)
    #expect(third.count == 1)
    #expect(third.first?["notices"] == nil, "\(third)")
    await harness.service.close()
  }

  @Test("A state that is the same comes again after three seconds, with the real age of its heart rate")
  func same() async throws {
    let clock = ManualClock(.morning(0))
    let harness = try await ServiceHarness(ScratchFolder(), clock: clock)
    let token = try await harness.token([.send, .watch])
    let id = try await harness.begin(token)
    _ = await harness.send(
      "POST", "/v1/sessions/\(id)/samples", token, body: Self.heartRates(0..<10, of: "strap"),
      type: "application/x-ndjson")
    let stream = try await harness.stream("/v1/sessions/\(id)", token)
    var ages: [[Double?]] = []
    for second in [0, 2, 3] {
      clock.set(.morning(Double(second)))
      await harness.service.tick()
      ages.append(try Self.states(stream).map { $0["heartRateAgeSeconds"]?.number?.double })
    }
    #expect(ages == [[0], [], [3]])
    await harness.service.close()
    #expect(BoardScript.text.contains("record.heartRateAgeSeconds"))
  }

  @Test("A state ends with the age of its heart rate, and all before that is the same whatever the age is")
  func age() throws {
    var pipeline = SessionPipeline(settings: try CoachingRequest.runner().settings(on: nil), durationLimit: nil)
    var events: [SessionEvent] = []
    _ = pipeline.take(Sample(.heartRate(120), at: .zero), into: &events)
    let watch = LiveWatch(.running, Preferences(), bests: [], pipeline.engine.settings)
    var (known, unknown) = (JSONWriter(), JSONWriter())
    let lasting = LiveState.write(pipeline, to: watch, saying: [], heartRateAge: 1_500_000_000, &known)
    let same = LiveState.write(pipeline, to: watch, saying: [], &unknown)
    #expect(lasting == same)
    let text = String(decoding: lasting, as: UTF8.self)
    #expect(known.text == text + #","heartRateAgeSeconds":1.5}"#)
    #expect(unknown.text == text + "}")
  }

  @Test("The page has a place for them that is read aloud politely, before the advice, and puts them there as text")
  func place() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let id = try await harness.begin(try await harness.token([.send]))
    let page = await harness.send("GET", "/live/\(id)", headers: [try await harness.signIn()]).text
    let notices = try #require(page.range(of: #"<div class="notices" id="notices" role="status""#))
    let cue = try #require(page.range(of: #"id="cue""#))
    #expect(notices.lowerBound < cue.lowerBound)
    await harness.service.close()
    #expect(BoardScript.text.contains("'notices'"))
    #expect(BoardScript.text.contains("node.textContent = text"))
    for markup in ["innerHTML", "insertAdjacentHTML", "document.write"] {
      for script in [BoardScript.text, LiveScript.text] { #expect(!script.contains(markup), "\(markup)") }
    }
    // It takes room of its own and lies over nothing.
    #expect(PageStyle.text.contains(".notices{min-height:1.5em"))
    #expect(!PageStyle.text.contains(".notices{position"))
  }
}
