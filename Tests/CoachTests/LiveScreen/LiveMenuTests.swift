import LiveCoaching
import TestSupport
import Testing
import TextFormats
@testable import WorkoutSession
import ZoneEngine
@testable import coach

@Suite("The menus of a running session")
struct LiveMenuTests {
  /// A menu, and what has to be seen of it.
  struct Menu: CustomTestStringConvertible, Sendable {
    let name: String
    let panel: LivePanel
    /// In each of them one wording has to be seen.
    let wanted: [[String]]

    var testDescription: String { name }
  }

  /// What is said at the start of a session, of usual length.
  private static let notes = [
    "runner — \(CoachPreset.runner.summary); --coach or --strategy chooses another",
    "activity running; --activity NAME says another",
    "ceiling 202 bpm: above it for 30 s you are cued to slow down, 5 above the maximum; --ceiling sets another",
    "plan: 2 min z1, 3 min z2",
  ]

  /// The menus whose lines stand for keys.
  static let keys: [Menu] = {
    let help = [
      ["space pause"], ["l lap"], ["+ − target"], ["s another strategy", "s strategy"],
      ["f choose what is shown large", "f fields"], ["i every sensor", "i sensors"], ["q stop"], ["Ctrl-C stop"],
      ["? these lines", "? help"],
    ]
    let strategies = LiveDialog.strategies.map { ["\($0.key) \($0.name)"] }
    let fields = LiveDialog.fieldKeys.map { key, field in
      field.titles(.running, unit: "").map { "\(field == .pace ? "1 " : "")\(key) \($0)" }
    }
    return [true, false].flatMap { isKept in
      [[], notes].compactMap { notes in
        LiveDialog.help.panel(isKept: isKept, notes: notes).map { Menu(name: "help", panel: $0, wanted: help) }
      }
    }
      + [LiveDialog.strategy.panel(isKept: true, notes: [])].compactMap { panel in
        panel.map { Menu(name: "strategies", panel: $0, wanted: strategies) }
      } + [Menu(name: "fields", panel: LiveDialog.fieldPanel([.pace], .running), wanted: fields)]
  }()

  static let sizes = [(40, 12), (40, 16), (59, 40), (60, 20), (80, 24), (110, 30), (200, 60)]
  private static let plan = "2min warm-up z1, 3min z2"

  /// A session with a cue to slow down, in zone 4.
  private static func session(_ plan: String?) throws -> (board: LiveBoard, pipeline: SessionPipeline) {
    try LiveFrameTests.played(plan: plan, seconds: 45) { _ in 165 }
  }

  /// The words of the lines, with one space between two of them.
  private static func words(_ lines: [StyledText]) -> String {
    lines.map(\.plain).joined(separator: " ").split(separator: " ").joined(separator: " ")
  }

  /// Whether a text stands in the lines in large letters.
  private static func hasLarge(_ text: String, _ lines: [StyledText]) -> Bool {
    let plain = lines.map(\.plain)
    return [PixelFont.Pixel.huge, .tall, .square, .narrow].contains { pixel in
      ["█", "▒"].contains { (ink: Character) in
        let rows = PixelFont.rows(text, pixel, ink: ink).map { row in
          String(row.reversed().drop { $0 == " " }.reversed())
        }
        return plain.indices.contains { start in
          rows.indices.allSatisfy { start + $0 < plain.count && plain[start + $0].contains(rows[$0]) }
        }
      }
    }
  }

  private static func expectPicture(_ menu: Menu, _ lines: [StyledText], _ size: (columns: Int, rows: Int)) {
    let text = LiveFrameTests.text(lines)
    #expect(lines.count == size.rows)
    #expect(lines.allSatisfy { $0.width <= size.columns }, "\(text)")
    #expect(text.contains("♥ 165") || hasLarge("165", lines), "the heart rate:\n\(text)")
    let isSaid = text.contains("SLOW DOWN") || hasLarge("SLOW DOWN", lines) || hasLarge("SLOW", lines)
    #expect(isSaid, "what to do:\n\(text)")
  }

  @Test(
    "Every key that can be pressed is seen on every screen, and so are the heart rate and what to do", arguments: keys)
  func everyKey(menu: Menu) throws {
    for plan in [nil, Self.plan] {
      let session = try Self.session(plan)
      for size in Self.sizes {
        for units in UnitSystem.allCases {
          let lines = LiveFrameTests.lines(session, size.0, size.1, panel: menu.panel, units: units)
          Self.expectPicture(menu, lines, size)
          let words = Self.words(lines)
          for wanted in menu.wanted {
            #expect(
              wanted.contains { words.contains($0) },
              "\(wanted) at \(size), plan \(plan ?? "none"):\n\(LiveFrameTests.text(lines))")
          }
        }
      }
    }
  }

  /// The sensors of a session that has all of them.
  private static func sensors(_ units: UnitSystem) throws -> LivePanel {
    let settings = try TerminalFixture.request().settings(on: nil)
    var configuration = LiveConfiguration(
      settings: settings, clock: .samples, streams: SampleStream.recordable, durationLimit: nil)
    configuration.watchesStreams = true
    var session = LiveSession(configuration)
    var (log, events): ([LiveSession.RawEntry], [SessionEvent]) = ([], [])
    let lines =
      [
        #"{"type":"altitude","atSeconds":0,"altitudeMeters":34}"#, #"{"type":"steps","atSeconds":0,"count":3}"#,
        #"{"type":"location","atSeconds":0,"latitude":52.5,"longitude":13.25,"horizontalAccuracyMeters":4.6,"altitudeMeters":34,"speedMetersPerSecond":3.1,"courseDegrees":182.4,"verticalAccuracyMeters":4}"#,
      ]
      + (0...50).flatMap { index in
        [
          #"{"type":"motion","atSeconds":\#(Double(index) / 20),"acceleration":[0.1,-0.98,0.05],"rotationRate":[0,0.5,-0.25]}"#
        ] + (index % 20 == 0 ? [#"{"type":"heartRate","atSeconds":\#(index / 20),"beatsPerMinute":120}"#] : [])
      }
    for line in lines {
      try session.take(
        LiveLine(line.utf8.span), from: LiveFeed(source: 0),
        arrival: WallClockTime(nanoseconds: 1_767_254_400_000_000_000),
        log: &log, into: &events)
    }
    return SensorPanel(try #require(session.streams), session.pipeline, units: units).panel
  }

  @Test("Every sensor is seen on every screen, in short where there is little room", arguments: UnitSystem.allCases)
  func everySensor(units: UnitSystem) throws {
    let panel = try Self.sensors(units)
    #expect(panel.items.count == 9)
    for plan in [nil, Self.plan] {
      let session = try Self.session(plan)
      for size in Self.sizes {
        let lines = LiveFrameTests.lines(session, size.0, size.1, panel: panel, units: units)
        Self.expectPicture(Menu(name: "sensors", panel: panel, wanted: []), lines, size)
        let words = Self.words(lines)
        for names in [
          ["heart rate"], ["times between beats", "beats"], ["steps"], ["position"], ["direction"], ["altitude"],
          ["acceleration"], ["turning"], ["field"],
        ] {
          #expect(names.contains { words.contains("\($0) ") }, "\(names) at \(size):\n\(LiveFrameTests.text(lines))")
        }
      }
    }
  }

  @Test("Where there is room for a menu at length, it is read at length")
  func atLength() throws {
    let session = try Self.session(Self.plan)
    let strategies = try #require(LiveDialog.strategy.panel(isKept: true, notes: []))
    for size in [(60, 20), (80, 24)] {
      let words = Self.words(LiveFrameTests.lines(session, size.0, size.1, panel: strategies))
      for preset in CoachPreset.allCases { #expect(words.contains("\(preset.rawValue): \(preset.summary)"), "\(size)") }
    }
    let help = try #require(LiveDialog.help.panel(isKept: true, notes: Self.notes))
    let words = Self.words(LiveFrameTests.lines(session, 80, 24, panel: help))
    for note in Self.notes { #expect(words.contains(note)) }
  }

  @Test("What is cut off is counted in the last line, whatever the room", arguments: keys)
  func counted(menu: Menu) {
    for columns in [8, 12, 20, 30, 40, 60, 120] {
      for rows in 0...30 {
        let lines = menu.panel.lines(columns: columns, rows: rows)
        #expect(lines.count <= rows, "\(columns) × \(rows)")
        #expect(lines.allSatisfy { $0.width <= columns }, "\(columns) × \(rows)")
        guard rows > 0, columns >= 20 else { continue }
        let words = Self.words(lines)
        let last = lines.last?.plain ?? ""
        let left = last.hasPrefix("… and ") ? last.split(separator: " ").compactMap { Int($0) }.first ?? 0 : 0
        guard menu.panel.notes.isEmpty else {
          let notes = menu.panel.notes.joined(separator: " ")
          #expect(left > 0 || words.hasSuffix(notes), "\(columns) × \(rows): \(words)")
          continue
        }
        let seen = menu.panel.items.count { item in
          // Of a word that is cut the key is seen, and the first letters.
          (item.line + item.cell).contains { words.contains(Self.words([StyledText($0)]).prefix(4)) }
        }
        #expect(seen + left == menu.panel.items.count, "\(columns) × \(rows): \(words)")
      }
    }
  }

  @Test("A screen that is too small for a picture shows the menu too")
  func small() throws {
    let session = try Self.session(nil)
    for menu in Self.keys where menu.name != "fields" {
      let lines = LiveFrameTests.lines(session, 39, 11, panel: menu.panel)
      #expect(lines.count == 11)
      let text = LiveFrameTests.text(lines)
      #expect(text.contains("♥ 165"), "\(text)")
      #expect(text.contains("SLOW DOWN"), "\(text)")
      let words = Self.words(lines)
      for wanted in menu.wanted { #expect(wanted.contains { words.contains($0) }, "\(wanted):\n\(text)") }
    }
  }

  @Test("On the smallest screen the target is said once, and nothing is cut off beside the digits")
  func target() throws {
    for units in UnitSystem.allCases {
      let session = try LiveFrameTests.played(seconds: 10) { _ in 125 }
      let lines = LiveFrameTests.lines(session, 40, 12, units: units)
      let text = LiveFrameTests.text(lines)
      #expect(!text.contains("…"), "\(text)")
      #expect(lines[0].plain.hasSuffix("target 119–137 bpm"), "\(text)")
      #expect(text.components(of: "119–137") == 1, "\(text)")
      #expect(lines[5].plain.hasSuffix("  Z2"), "\(text)")
      #expect(lines[2].plain.hasSuffix("  on target"), "\(text)")
    }
    let wide = LiveFrameTests.lines(try LiveFrameTests.played(seconds: 10) { _ in 125 }, 59, 20)
    #expect(LiveFrameTests.text(wide).contains("Z2 Weight control"), "where there is room the zone has its name")
  }
}

extension String {
  /// How often a text occurs.
  fileprivate func components(of part: String) -> Int {
    split(separator: part, omittingEmptySubsequences: false).count - 1
  }
}
