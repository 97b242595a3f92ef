import LiveCoaching
import TestSupport
import Testing
@testable import WorkoutSession
import ZoneEngine
@testable import coach

@Suite("Parts of the live screen")
struct LivePartsTests {
  @Test("Digits are five rows high, equally wide, and differ")
  func digits() {
    let all = (0...9).map { PixelFont.rows("\($0)", .square, ink: "█") }
    #expect(Set(all).count == 10)
    for rows in all {
      #expect(rows.count == 5)
      #expect(Set(rows.map(\.count)) == [6])
    }
    let wide = PixelFont.rows("146", .huge, ink: "█")
    #expect(wide.count == 10)
    #expect(Set(wide.map(\.count)) == [PixelFont.width("146", .huge)])
    for word in ["SPEED", "UP", "HOLD", "SLOW", "DOWN"] {
      let letters = word.map { PixelFont.rows(String($0), .square, ink: "█") }
      #expect(Set(letters).count == Set(word).count, "each letter of \(word) has its own form")
      #expect(!letters.contains { $0.joined().allSatisfy { $0 == " " } })
    }
  }

  @Test("The shapes of the cues differ, and are as large as they say")
  func shapes() {
    let shapes =
      CueAction.allCases.map { CueShape.rows(of: $0, scale: 1) }
      + [CueShape.pause(scale: 1), CueShape.missing(scale: 1)]
    #expect(Set(shapes).count == 5)
    for shape in shapes {
      #expect(shape.count == CueShape.height)
      #expect(Set(shape.map(\.count)) == [CueShape.width(scale: 1)])
    }
    #expect(CueShape.rows(of: .speedUp, scale: 1) == CueShape.rows(of: .slowDown, scale: 1).reversed())
    let twice = CueShape.rows(of: .hold, scale: 2)
    #expect(twice.count == 10)
    #expect(twice[0].count == CueShape.width(scale: 2))
  }

  @Test("The needle stands in the band when the heart rate is in the target, and never leaves the scale")
  func gauge() throws {
    let zones = try TerminalFixture.wiseZones()
    for (text, columns) in [("z2", 80), ("119-137", 40), ("100-101", 33), ("z5", 200)] {
      let target = try #require(try ResolvedTarget(TrainingTarget(text, in: zones), in: zones))
      let gauge = TargetGauge(target)
      var last = -1
      for bpm in 30...230 {
        let line = gauge.line(bpm, ink: nil, width: columns)
        #expect(line.width == columns)
        let characters = Array(line.plain)
        let needle = try #require(characters.firstIndex(of: "◆"))
        #expect(needle >= last, "a higher heart rate never stands further left")
        last = needle
        let isInside = target.side(ofDisplayedBPM: bpm) == .inside
        let neighbours = [characters[needle - 1], characters[needle + 1]]
        if isInside { #expect(neighbours.contains("━"), "\(bpm) of \(text)") }
        if bpm == gauge.ends.lowerBound || bpm == gauge.ends.upperBound { #expect(!neighbours.contains("━")) }
      }
      #expect(!gauge.line(nil, ink: nil, width: columns).plain.contains("◆"))
    }
  }

  @Test("The course of the last minutes is what a list of all readings gives", arguments: 1...20 as ClosedRange<UInt64>)
  func course(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var course = RecentCourse()
    var readings: [Int: Int] = [:]
    var second = 0
    for _ in 1...400 {
      second += Int.random(in: 0...(Int.random(in: 0...30, using: &random) == 0 ? 900 : 4), using: &random)
      let bpm = Int.random(in: 30...230, using: &random)
      course.note(bpm, at: SessionTime(nanoseconds: Int64(second) * 1_000_000_000 + 400_000_000))
      readings[second] = bpm
    }
    let end = second + Int.random(in: 0...100, using: &random)
    let seconds = [60, 300, 500].randomElement(using: &random) ?? 60
    let count = [10, 60, 72].randomElement(using: &random) ?? 10
    var sums = [Double](repeating: 0, count: count)
    var counts = [Double](repeating: 0, count: count)
    for (time, bpm) in readings where time > end - seconds && time <= end {
      let place = (time - (end - seconds + 1)) * count / seconds
      sums[place] += Double(bpm)
      counts[place] += 1
    }
    let expected = zip(sums, counts).map { $1 > 0 ? $0 / $1 : nil }
    #expect(course.means(count, last: seconds, until: .seconds(end)) == expected)
  }

  @Test("Keys are distinguished, and what is no key is left out")
  func keys() {
    #expect(KeyReader.keys(Array("q L?".utf8)) == ["q", " ", "l", "?"].map { .character($0) })
    #expect(KeyReader.keys([0x1B, 0x5B, 0x41, 0x1B, 0x4F, 0x42, 0x0D]) == [.up, .down, .enter])
    #expect(KeyReader.keys([0x1B]) == [.escape])
    #expect(KeyReader.keys([0x1B, 0x5B, 0x31, 0x3B, 0x35, 0x41, 0x70]) == [.up, .character("p")])
    #expect(KeyReader.keys([0x1B, 0x5B]) == [])
    #expect(KeyReader.keys([0xC3, 0xA9, 0x00, 0x7F, 0xFF, 0x79]) == [.character("y")])
  }

  @Test("Keys act on the session; to stop is asked first")
  func dialog() {
    var dialog = LiveDialog.none
    func take(_ key: Key, hasStarted: Bool = true, isPaused: Bool = false) -> LiveWish? {
      dialog.take(key, hasStarted: hasStarted, isPaused: isPaused)
    }
    #expect(take(.character(" ")) == .command(.pause))
    #expect(take(.character(" "), isPaused: true) == .command(.resume))
    #expect(take(.character("l")) == .command(.lap))
    #expect(take(.character("l"), hasStarted: false) == nil)
    #expect(take(.enter, hasStarted: false) == .command(.start))
    #expect(take(.character("q")) == nil)
    #expect(dialog == .stop)
    #expect(take(.character("x")) == nil)
    #expect(dialog == .none)
    #expect(take(.character("q")) == nil)
    #expect(take(.character("y")) == .command(.stop))
    #expect(dialog == .none)
    #expect(take(.character("?")) == nil)
    #expect(dialog == .help)
    #expect(take(.character(" ")) == nil, "a key that closes the help does nothing else")
    #expect(dialog == .none, "a key that closes the help does nothing else")
    #expect(take(.character("q"), hasStarted: false) == .command(.stop))
    #expect(take(.character("+")) == .moveTarget(.up))
    #expect(take(.down) == .moveTarget(.down))
    #expect(take(.character("+"), hasStarted: false) == nil)
    #expect(take(.character("s")) == nil)
    #expect(dialog == .strategy)
    #expect(take(.character("9")) == nil, "a key that chooses nothing goes back")
    #expect(dialog == .none, "a key that chooses nothing goes back")
    for (key, _, strategy, _) in LiveDialog.strategies {
      #expect(take(.character("s")) == nil)
      #expect(take(.character(key)) == .command(.strategy(strategy)))
      #expect(dialog == .none)
    }
    #expect(Set(LiveDialog.strategies.map(\.key)).count == CoachPreset.allCases.count + 1)
  }

  @Test("Keys that are typed at once count one after another: two steps up are two, and a second space goes on")
  func typedAtOnce() throws {
    let zones = try HeartRateZones(percentOf: MaximumHeartRate(measured: 190))
    var dialog = LiveDialog.none
    var session = TypedSession(hasStarted: false, isPaused: false, target: .zone(2))
    var commands: [SessionCommand] = []
    for key in KeyReader.keys(Array(" +++  -".utf8)) {
      switch dialog.take(key, hasStarted: session.hasStarted, isPaused: session.isPaused) {
      case .command(let command):
        session.note(command)
        commands.append(command)
      case .moveTarget(let direction):
        if let moved = session.moveTarget(direction, in: zones, under: nil) {
          commands.append(.target(TargetRequest(moved.text(in: zones))))
        }
      case .toggle, nil: Issue.record("no key of those does that")
      }
    }
    let targets = [3, 4, 5].map { SessionCommand.target(TargetRequest(TrainingTarget.zone($0).text(in: zones))) }
    #expect(commands == [.start] + targets + [.pause, .resume, targets[1]])
    #expect(session.target == .zone(4))
    var open = TypedSession(hasStarted: true, isPaused: false, target: nil)
    #expect(open.moveTarget(.up, in: zones, under: nil) == nil)
  }

  @Test("A key opens the fields, letters choose them, and every other key goes back")
  func fields() {
    var dialog = LiveDialog.none
    #expect(dialog.take(.character("f"), hasStarted: true, isPaused: false) == nil)
    #expect(dialog == .fields)
    #expect(dialog.take(.character("b"), hasStarted: true, isPaused: false) == .toggle(.averagePace))
    #expect(dialog == .fields)
    #expect(dialog.take(.escape, hasStarted: true, isPaused: false) == nil)
    #expect(dialog == .none)
    #expect(LiveDialog.fieldKeys.map(\.field) == LiveField.allCases)
    var watching = LiveDialog.none
    #expect(watching.takeOfWatcher(.character("f")) == nil)
    #expect(watching.takeOfWatcher(.character("a")) == .toggle(.pace))
    #expect(watching.takeOfWatcher(.character("q")) == nil)
    #expect(watching.takeOfWatcher(.character("q")) == .command(.stop))
  }

  @Test("All fields can be seen in four lines, whatever the width", arguments: [40, 80, 120])
  func fieldLines(width: Int) {
    let lines = LiveDialog.fieldPanel([.compliance, .pace], .running).lines(columns: width, rows: 4).map(\.plain)
    #expect(lines.count == 4)
    #expect(lines.allSatisfy { $0.count <= width })
    let text = lines.joined(separator: "\n")
    for (key, field) in LiveDialog.fieldKeys {
      let place = field == .compliance ? "1" : field == .pace ? "2" : " "
      // What does not fit is cut, or said in a shorter way.
      let titles = field.titles(.running, unit: "").map { "\(place) \(key) \($0.prefix(8))" }
      #expect(titles.contains { text.contains($0) }, "\(field)")
    }
  }

  @Test("W, N and D of the large letters are no H, no M and no O")
  func letters() {
    func glyph(_ letter: Character) -> [String] { PixelFont.rows(String(letter), .narrow, ink: "#") }
    #expect(glyph("W") == ["#   #", "#   #", "# # #", "# # #", " # # "])
    #expect(glyph("N") == ["#   #", "##  #", "# # #", "#  ##", "#   #"])
    #expect(glyph("D") == ["### ", "#  #", "#  #", "#  #", "### "])
    let all = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".map(glyph)
    #expect(Set(all).count == 26)
    #expect(all.allSatisfy { $0.count == PixelFont.height })
  }

  @Test("The bell rings once, twice or three times, with a pause between")
  func bell() {
    var rings = 0
    let bell = CueBell { rings += 1 }
    for (action, count) in [(CueAction.hold, 1), (.speedUp, 2), (.slowDown, 3)] {
      rings = 0
      bell.ring(for: action, now: 1_000)
      #expect(rings == 1, "the first one at once")
      var now: Int64 = 1_000
      while let turn = bell.turn {
        bell.advance(now: turn - 1)
        #expect(turn == now + CueBell.spacing)
        now = turn
        bell.advance(now: now)
      }
      #expect(rings == count)
    }
    rings = 0
    bell.ring(for: .slowDown, now: 0)
    bell.ring(for: .hold, now: 10)
    bell.advance(now: .max)
    #expect(rings == 2, "a newer cue takes the place of an older one")
    #expect(bell.turn == nil, "a newer cue takes the place of an older one")
  }

  @Test("The line of state has what a bar wants, and gives way from the right")
  func stateLine() throws {
    let session = try LiveFrameTests.played(seconds: 100) { 105 + Double($0) / 10 }
    let line = StateLine(session.board, session.pipeline, units: .metric)
    #expect(line.line(width: 200).plain == "♥ 115 Z1  ▲ speed up  0:01:40  → 119–137  0 %")
    #expect(line.line(width: 32).plain == "♥ 115 Z1  ▲ speed up  0:01:40")
    #expect(line.line(width: 5).plain == "♥ 11…")
  }

  @Test("Nobody is asked to save what is not kept")
  func question() {
    #expect(LiveDialog.stop.question(isKept: true)?.first?.hasPrefix("Stop and save the session?") == true)
    #expect(LiveDialog.stop.question(isKept: false)?.joined().contains("save") == false)
    #expect(LiveDialog.stop.question(isKept: false)?.first?.hasPrefix("Stop? Nothing is kept of the session.") == true)
    func help(_ isKept: Bool) -> [String]? {
      LiveDialog.help.panel(isKept: isKept, notes: [])?.items.flatMap { $0.line + $0.cell }
    }
    #expect(help(false)?.joined().contains("save") == false)
    #expect(help(true)?.contains("q        stop and save, after a question") == true)
    #expect(LiveDialog.none.question(isKept: false) == nil)
  }
}
