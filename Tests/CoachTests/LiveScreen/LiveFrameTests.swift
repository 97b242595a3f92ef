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
    panel: LivePanel? = nil, fields: [LiveField] = LiveField.usual, units: UnitSystem = .metric
  ) -> [StyledText] {
    LiveFrame(
      session.board, session.pipeline, LiveFrame.Choice(fields: fields, units: units), timeOfDay: "17:05",
      panel: panel, footer: LiveDialog.keys(isPaused: false).map { StyledText($0) },
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
          ▒▒      ▒▒    ▒▒▒▒▒▒  ▲ SPEED UP
        ▒▒▒▒    ▒▒▒▒    ▒▒      ██████████████
          ▒▒      ▒▒    ▒▒▒▒▒▒  below 119–137
          ▒▒      ▒▒        ▒▒  check in 20 s
        ▒▒▒▒▒▒  ▒▒▒▒▒▒  ▒▒▒▒▒▒  Z1 Low intensity
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
    for (columns, rows) in [(40, 12), (60, 14)] {
      let text = Self.text(Self.lines(session, columns, rows))
      #expect(text.contains(words), "\(columns) × \(rows)")
    }
    let place = [100.0: "19 below", 125: "on target", 150: "13 above"][bpm] ?? ""
    #expect(Self.lines(session, 80, 24)[7].plain.hasPrefix(place), "where it lies stands first")
    let others = try [100.0, 125, 150].filter { $0 != bpm }.map { other in
      try Self.text(Self.lines(Self.played(seconds: 40) { _ in other }, 80, 24))
    }
    let text = Self.text(Self.lines(session, 80, 24))
    #expect(!others.contains(text), "the words are written large")
    let ascii = Self.lines(session, 60, 14, glyphs: .ascii).map { $0.rendered(usingColor: false, in: .ascii) }
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
    #expect(text.contains("next: step 2 of 2, 3 min z4, 158–177 bpm"))
    let last = Self.text(try Self.lines(Self.played(plan: "1m z1, 3m z4", seconds: 70) { _ in 110 }, 80, 24))
    #expect(last.contains("step 2 of 2"))
    #expect(last.contains("the last step"))
    let over = Self.text(try Self.lines(Self.played(plan: "30s z1, 30s z4", seconds: 70) { _ in 110 }, 80, 24))
    #expect(over.contains("plan finished"))
  }

  @Test("A signal that is lost is no heart rate of 0 and no cue")
  func loss() throws {
    let session = try Self.played(seconds: 75) { $0 < 40 ? 100 : nil }
    let text = Self.text(Self.lines(session, 80, 24))
    #expect(text.contains("no usable heart rate"))
    #expect(text.contains("check the strap"))
    #expect(!Self.text(Self.lines(session, 60, 14)).contains("SPEED UP"))
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
      #expect(
        StatusLine(session.pipeline, activity: .running, units: .metric).line(width: 80).plain.hasPrefix(
          "\(clock)  ‖ paused"))
      #expect(
        StateLine(session.board, session.pipeline, units: .metric).line(width: 80).plain.contains("paused  \(clock)"))
    }
    session.pipeline.resume(at: .seconds(400), into: &events)
    session.pipeline.advance(to: .seconds(410), into: &events)
    #expect(Self.text(Self.lines(session, 80, 24)).hasPrefix("0:00:56  "))
  }

  @Test("The clock and what is left of a step go on between readings, as the voice counts, and never below nothing")
  func clockBetweenReadings() throws {
    var session = try Self.played(plan: "1min warm-up z1, 1min effort z4", seconds: 55) { _ in 100 }
    for (second, left) in [(57, 3), (58, 2), (63, 0)] {
      session.pipeline.pass(to: .seconds(second))
      #expect(LiveStep(session.board, session.pipeline, units: .metric)?.left == .time(.seconds(left)))
      let clock = QuantityText.clock(.seconds(second)) + "  "
      #expect(Self.text(Self.lines(session, 80, 24)).hasPrefix(clock))
      #expect(
        StatusLine(session.pipeline, activity: .running, units: .metric).line(width: 80).plain.hasPrefix(clock))
      #expect(StateLine(session.board, session.pipeline, units: .metric).line(width: 80).plain.contains("  " + clock))
    }
  }

  @Test("What is left until the next check, and since the last cue, go on between readings, on each screen")
  func checkBetweenReadings() throws {
    var session = try Self.played(seconds: 55) { _ in 100 }
    for (second, left) in [(57, 3), (58, 2), (63, 0)] {
      session.pipeline.pass(to: .seconds(second))
      for size in [(40, 12), (80, 24), (120, 40)] {
        let text = Self.text(Self.lines(session, size.0, size.1))
        #expect(text.contains("check in \(left) s"), "\(second) s, \(size): \(text)")
      }
      #expect(Self.text(Self.lines(session, 80, 24)).contains("\(second - 30) s ago"), "\(second) s")
      let status = StatusLine(session.pipeline, activity: .running, units: .metric).line(width: 80)
      #expect(status.plain.contains("  check in \(left) s  "))
    }
  }

  @Test("Speed is a pace on foot, and kilometres an hour on wheels", arguments: ["cycling", "E-Bike", "rowing"])
  func speed(activity: String) throws {
    let ride = try Self.played(activity: try #require(Activity(activity)), seconds: 100) { _ in 110 }
    #expect(Self.lines(ride, 40, 12)[10].plain == "275 m   9.9 km/h   0 % in target")
    #expect(
      StatusLine(ride.pipeline, activity: ride.board.activity, units: .metric).line(width: 200).plain.contains(
        "  9.9 km/h  "))
  }

  @Test("A panel takes the place of the curve")
  func panel() throws {
    let session = try Self.played(seconds: 45) { _ in 100 }
    let lines = Self.lines(session, 80, 24, panel: .text(["space    pause, and go on"]))
    #expect(lines.count == 24)
    #expect(Self.text(lines).contains("space    pause, and go on\n"))
  }

  @Test(
    "A step for walking or running is called so, and so is the next one", arguments: [(60, 20), (80, 24), (40, 12)])
  func stepActivities(columns: Int, rows: Int) throws {
    let plan = "1min walk z1, 2x(1min run z2, 30s walk z1), 1min easy run z1"
    func text(_ seconds: Int) throws -> String {
      Self.text(Self.lines(try Self.played(plan: plan, seconds: seconds) { _ in 105 }, columns, rows))
    }
    let first = try text(10)
    #expect(first.contains("walking"), "\(first)")
    #expect(first.contains("next: running 1 of 2, 60 s z2"), "\(first)")
    let second = try text(70)
    #expect(second.contains("running 1 of 2"), "\(second)")
    #expect(second.contains("next: walking 1 of 2, 30 s z1"), "\(second)")
    let last = try text(220)
    #expect(last.contains("next: easy, running, 60 s z1"), "\(last)")
  }

  // MARK: - Intervals

  private static let intervals = "1min warm-up z1, 4x(1min effort z4, 30s rest z1), 400m effort z3, open cool-down z1"

  private static func heartRate(_ second: Int) -> Double? {
    second < 60 ? 105 : (second - 60) % 90 < 60 ? 140 + Double((second - 60) % 90) / 2 : 150
  }

  @Test(
    "An interval session looks as it is kept, at three moments and four sizes",
    arguments: ["effort": 97, "rest": 130, "distance": 445].sorted { $0.value < $1.value }.map { ($0.key, $0.value) },
    [(60, 20), (80, 24), (100, 30), (200, 60)])
  func intervalPictures(moment: (name: String, seconds: Int), size: (columns: Int, rows: Int)) throws {
    let session = try Self.played(plan: Self.intervals, seconds: moment.seconds, Self.heartRate)
    let lines = Self.lines(session, size.columns, size.rows)
    #expect(lines.count == size.rows)
    try KeptPicture.expect(Self.text(lines), named: "\(moment.name)-\(size.columns)x\(size.rows)")
  }

  @Test(
    "A step that was in its target in time and long enough has a tick, another one a cross",
    arguments: [(105.0, "✓ step 1 of 2"), (150.0, "✕ step 1 of 2")])
  func completed(bpm: Double, words: String) throws {
    let session = try Self.played(plan: "1min z1, 3min z4", seconds: 65) { _ in bpm }
    for (columns, rows) in [(60, 20), (80, 24), (200, 60)] {
      #expect(Self.text(Self.lines(session, columns, rows)).contains(words), "\(columns) × \(rows)")
    }
  }

  @Test("A steady run looks as it is kept", arguments: [(80, 24), (200, 60)])
  func steadyPictures(columns: Int, rows: Int) throws {
    let session = try Self.played(seconds: 160) { 118 + Double($0) / 8 }
    try KeptPicture.expect(Self.text(Self.lines(session, columns, rows)), named: "steady-\(columns)x\(rows)")
  }

  @Test(
    "What is left of a step is the largest, whatever happened last",
    arguments: [(60, 20), (80, 24), (200, 60), (40, 12)])
  func countdown(columns: Int, rows: Int) throws {
    let pixel: PixelFont.Pixel = columns == 200 ? .huge : .square
    var session = try Self.played(plan: Self.intervals, seconds: 97, Self.heartRate)
    func shows(_ text: String) -> Bool {
      let lines = Self.lines(session, columns, rows).map(\.plain)
      let digits = PixelFont.rows(text, pixel, ink: "█")
      return lines.indices.contains(where: { start in
        digits.indices.allSatisfy { start + $0 < lines.count && lines[start + $0].hasPrefix(digits[$0].trimmed) }
      })
    }
    #expect(shows("0:23"))
    var events: [SessionEvent] = []
    session.pipeline.markLap(at: .seconds(98), into: &events)
    session.board.note(events, session.pipeline)
    #expect(shows("0:22"), "after a lap")
    events = []
    session.pipeline.pause(at: .seconds(99), into: &events)
    session.board.note(events, session.pipeline)
    #expect(shows("0:21"), "in a pause")
    if columns >= 60 { #expect(Self.text(Self.lines(session, columns, rows)).contains("space goes on")) }
    events = []
    session.pipeline.resume(at: .seconds(120), into: &events)
    session.pipeline.advance(to: .seconds(143), into: &events)
    session.board.note(events, session.pipeline)
    #expect(shows("0:28"), "after a change of the step")
    for size in [(60, 20), (80, 24), (200, 60), (40, 12)] {
      #expect(!Self.text(Self.lines(session, size.0, size.1)).contains("no cue yet"))
    }
  }

  @Test("Digits are solid on target and hatched off it, and so nobody has to see colours")
  func texture() throws {
    let on = try Self.lines(Self.played(seconds: 40) { _ in 125 }, 80, 24)[1...6].map(\.plain).joined()
    let off = try Self.lines(Self.played(seconds: 40) { _ in 150 }, 80, 24)[1...6].map(\.plain).joined()
    #expect(!on.contains("▒"))
    #expect(off.contains("▒"))
  }

  @Test("What to do and the digits have no colour, because colours are those of zones")
  func inks() throws {
    for bpm in [100.0, 125, 150, 190] {
      let session = try Self.played(plan: "2min z2, 1min z4", seconds: 70) { _ in bpm }
      for size in [(80, 24), (60, 20), (200, 60)] {
        let runs = Self.lines(session, size.0, size.1).flatMap(\.runs)
        let large = runs.filter { $0.text.contains("█") || $0.text.contains("▒") }
        #expect(!large.isEmpty)
        #expect(large.allSatisfy { $0.style.ink == nil }, "\(bpm) at \(size)")
      }
    }
  }

  // MARK: - Fields

  @Test("Every field that can be chosen has a title, and a value or a dash", arguments: LiveField.allCases)
  func field(_ field: LiveField) throws {
    let session = try Self.played(seconds: 200) { _ in 125 }
    let text = Self.text(Self.lines(session, 80, 24, fields: [field]))
    #expect(text.contains(field.title(.running)))
    let source = LiveField.Source(session.board, session.pipeline, units: .metric, timeOfDay: "17:05")
    let expected: [LiveField: UnitSystem.Measure] = [
      .pace: .init("6:04", "/km"), .averagePace: .init("6:04", "/km"), .distance: .init("550", "m"),
      .time: .init("3:20", ""), .lapTime: .init("3:20", ""), .lapPace: .init("6:04", "/km"),
      .cadence: .init("168", "spm"), .energy: .init("34", "kcal"), .clock: .init("17:05", ""),
      .compliance: .init("100", "%"), .load: .init("7", ""),
    ]
    #expect(field.value(source) == expected[field])
  }

  @Test("Fields in miles say so, and six of them have room")
  func units() throws {
    let session = try Self.played(seconds: 200) { _ in 125 }
    let text = Self.text(
      Self.lines(session, 100, 30, fields: Array(LiveField.allCases.prefix(6)), units: .imperial))
    #expect(text.contains("distance mi"))
    #expect(text.contains("pace /mi"))
    #expect(!text.contains("km"))
  }

  @Test("A lap begins the lap's numbers anew, and so does a step")
  func laps() throws {
    var session = try Self.played(seconds: 100) { _ in 125 }
    var events: [SessionEvent] = []
    session.pipeline.markLap(at: .seconds(100), into: &events)
    session.board.note(events, session.pipeline)
    session.pipeline.advance(to: .seconds(110), into: &events)
    let source = LiveField.Source(session.board, session.pipeline, units: .metric, timeOfDay: nil)
    #expect(LiveField.lapTime.value(source)?.number == "0:10")
    #expect(LiveField.clock.value(source) == nil)
  }
}

extension String {
  /// Without spaces at the end, which no line of a picture has.
  fileprivate var trimmed: String {
    var text = self[...]
    while text.last == " " { text = text.dropLast() }
    return String(text)
  }
}
