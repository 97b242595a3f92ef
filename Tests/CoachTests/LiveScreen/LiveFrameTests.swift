import LiveCoaching
import TestSupport
import Testing
@testable import WorkoutSession
import ZoneEngine
@testable import coach

@Suite("The picture of a running session")
struct LiveFrameTests {
  /// A session in zone 2 judged each half minute, as it stands after some seconds.
  static func played(
    plan: String? = nil, activity: Activity = .running, seconds: Int, _ heartRate: (Int) -> Double?
  ) throws -> (board: LiveBoard, pipeline: SessionPipeline) {
    var request = TerminalFixture.request()
    if let plan { request.plan = try PlanRequest(text: plan) } else { request.target = "z2" }
    request.strategy = try FeedbackStrategy(specification: "moment:every=30")
    let settings = try request.settings(on: nil)
    var played = try TerminalFixture.Played(request)
    var board = LiveBoard(settings: settings, activity: activity)
    board.note(played.events, played.pipeline)
    for second in 0...seconds {
      played.events = []
      played.run(second..<second + 1, heartRate)
      played.pipeline.advance(to: .seconds(second), into: &played.events)
      board.note(played.events, played.pipeline)
    }
    return (board, played.pipeline)
  }

  static func lines(
    _ session: (board: LiveBoard, pipeline: SessionPipeline), _ columns: Int, _ rows: Int, glyphs: GlyphSet = .unicode,
    panel: [StyledText]? = nil
  ) -> [StyledText] {
    LiveFrame(
      session.board, session.pipeline, panel: panel, footer: LiveDialog.keys(isPaused: false).map { StyledText($0) },
      size: ScreenSize(columns: columns, rows: rows), glyphs: glyphs
    ).lines
  }

  static func text(_ lines: [StyledText]) -> String { lines.map { $0.plain + "\n" }.joined() }

  @Test("The smallest screen shows heart rate, cue, target, curve, numbers and keys")
  func smallest() throws {
    let session = try Self.played(seconds: 100) { 105 + Double($0) / 10 }
    let lines = Self.lines(session, 40, 12)
    #expect(
      Self.text(Array(lines.prefix(7))) == """
        0:01:40               target 119–137 bpm
          ██      ██    ██████  ▲ SPEED UP
        ████    ████    ██      ██████████████
          ██      ██    ██████  below 119–137
          ██      ██        ██  check in 20 s
        ██████  ██████  ██████  Z1 Low intensity
        101 ────────◆─━━━━━━━━━━━━────────── 155

        """)
    #expect(lines.count == 12)
    #expect(lines[11].plain == "space pause  q stop  ? help")
    #expect(lines[10].plain == "275 m   6:04 /km   0 % in target")
  }

  @Test(
    "What to do is shown by words and by shape, never by colour alone",
    arguments: [(100.0, "▲ SPEED UP"), (125, "● HOLD"), (150, "▼ SLOW DOWN")])
  func cues(bpm: Double, words: String) throws {
    let session = try Self.played(seconds: 40) { _ in bpm }
    for (columns, rows) in [(40, 12), (60, 14), (80, 24)] {
      let text = Self.text(Self.lines(session, columns, rows))
      #expect(text.contains(words), "\(columns) × \(rows)")
    }
    let others = try [100.0, 125, 150].filter { $0 != bpm }.map { other in
      try Self.text(Self.lines(Self.played(seconds: 40) { _ in other }, 120, 34))
    }
    let text = Self.text(Self.lines(session, 120, 34))
    #expect(!others.contains(text), "a large screen writes the words large")
    let ascii = Self.lines(session, 80, 24, glyphs: .ascii).map { $0.rendered(usingColor: false, in: .ascii) }
    #expect(ascii.joined().allSatisfy { $0.isASCII })
    #expect(ascii.joined().contains(words.dropFirst(2)))
  }

  @Test("Whatever the size, nothing is wider or higher than the screen", arguments: 1...12 as ClosedRange<UInt64>)
  func sizes(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let plan = Bool.random(using: &random) ? "2m z1, 3x(1m z4, 30s z1), 5m z2" : nil
    let seconds = Int.random(in: 0...700, using: &random)
    let session = try Self.played(plan: plan, seconds: seconds) { second in
      second % 200 > 180 ? nil : 90 + Double(second % 100)
    }
    for _ in 1...40 {
      let (columns, rows) = (Int.random(in: 10...240, using: &random), Int.random(in: 1...90, using: &random))
      let lines = Self.lines(session, columns, rows)
      #expect(lines.count <= rows, "\(columns) × \(rows)")
      #expect(lines.allSatisfy { $0.width <= columns }, "\(columns) × \(rows)")
      guard columns >= 40, rows >= 12 else { continue }
      #expect(lines.count == rows, "\(columns) × \(rows): the keys stand in the last row")
      #expect(lines.last?.plain.contains("? help") == true)
    }
  }

  @Test("A plan says which step it is in and what comes next")
  func plan() throws {
    let session = try Self.played(plan: "2m z1, 3m z4", seconds: 45) { _ in 110 }
    let text = Self.text(Self.lines(session, 80, 24))
    #expect(text.contains("step 1 of 2"))
    #expect(text.contains("target 98–118 bpm"))
    #expect(text.contains("next in 0:01:15: 3 min, 158–177 bpm"))
    let last = Self.text(try Self.lines(Self.played(plan: "1m z1, 3m z4", seconds: 70) { _ in 110 }, 80, 24))
    #expect(last.contains("step 2 of 2"))
    #expect(last.contains("last step, over in 0:02:50"))
    let over = Self.text(try Self.lines(Self.played(plan: "30s z1, 30s z4", seconds: 70) { _ in 110 }, 80, 24))
    #expect(over.contains("plan finished"))
  }

  @Test("A signal that is lost is no heart rate of 0 and no cue")
  func loss() throws {
    let session = try Self.played(seconds: 75) { $0 < 40 ? 100 : nil }
    let text = Self.text(Self.lines(session, 80, 24))
    #expect(text.contains("no usable heart rate"))
    #expect(text.contains("check the strap"))
    #expect(!text.contains("SPEED UP"))
  }

  @Test("A pause, an open target and a session that has not begun are shown")
  func states() throws {
    var session = try Self.played(seconds: 45) { _ in 100 }
    var events: [SessionEvent] = []
    session.pipeline.pause(at: .seconds(46), into: &events)
    session.board.note(events, session.pipeline)
    #expect(Self.text(Self.lines(session, 80, 24)).contains("paused"))
    let settings = session.pipeline.engine.settings
    let fresh = (
      LiveBoard(settings: settings, activity: .running), SessionPipeline(settings: settings, durationLimit: nil)
    )
    let text = Self.text(Self.lines(fresh, 80, 24))
    #expect(text.contains("waiting for the first heart rate"))
    let open = try Self.played(plan: "1m free, 1m z1", seconds: 20) { _ in 100 }
    #expect(Self.text(Self.lines(open, 80, 24)).contains("no target"))
  }

  @Test("The clock shows the active time, which stands still in a pause")
  func clock() throws {
    var session = try Self.played(seconds: 45) { _ in 100 }
    var events: [SessionEvent] = []
    session.pipeline.pause(at: .seconds(46), into: &events)
    for (seconds, clock) in [(47, "0:00:46"), (346, "0:00:46")] {
      session.pipeline.advance(to: .seconds(seconds), into: &events)
      session.board.note(events, session.pipeline)
      let text = Self.text(Self.lines(session, 80, 24))
      #expect(text.hasPrefix("\(clock)  ‖ paused"), "after \(seconds) s:\n\(text)")
      #expect(StatusLine(session.pipeline, activity: .running).line(width: 80).plain.hasPrefix("\(clock)  ‖ paused"))
      #expect(StateLine(session.board, session.pipeline).line(width: 80).plain.contains("paused  \(clock)"))
    }
    session.pipeline.resume(at: .seconds(400), into: &events)
    session.pipeline.advance(to: .seconds(410), into: &events)
    #expect(Self.text(Self.lines(session, 80, 24)).hasPrefix("0:00:56  "))
  }

  @Test("Speed is a pace on foot, and kilometres an hour on wheels", arguments: ["cycling", "E-Bike", "rowing"])
  func speed(activity: String) throws {
    let ride = try Self.played(activity: try #require(Activity(activity)), seconds: 100) { _ in 110 }
    #expect(Self.lines(ride, 40, 12)[10].plain == "275 m   9.9 km/h   0 % in target")
    #expect(
      StatusLine(ride.pipeline, activity: ride.board.activity).line(width: 200).plain.contains("  9.9 km/h  "))
  }

  @Test("A panel takes the place of the curve")
  func panel() throws {
    let session = try Self.played(seconds: 45) { _ in 100 }
    let lines = Self.lines(session, 80, 24, panel: [StyledText("space    pause, and go on")])
    #expect(lines.count == 24)
    #expect(Self.text(lines).contains("space    pause, and go on\n"))
  }
}
