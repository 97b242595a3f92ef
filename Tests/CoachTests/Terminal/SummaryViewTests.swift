import Testing
@testable import WorkoutSession
import ZoneEngine
@testable import coach

@Suite("The summary")
struct SummaryViewTests {
  static func view(_ played: TerminalFixture.Played, width: Int, _ glyphs: GlyphSet = .unicode) -> String {
    SummaryView(played.outcome, units: .metric, width: width, glyphs: glyphs).lines
      .map { $0.rendered(usingColor: false, in: glyphs) + "\n" }.joined()
  }

  @Test("The energy of the file goes before the estimate, and each says which it is")
  func statedEnergy() throws {
    let outcome = try TerminalFixture.halfHour().outcome
    let stated = SessionOutcome(
      summary: outcome.summary, zones: outcome.zones, targets: outcome.targets, curve: outcome.curve,
      unused: outcome.unused, activity: outcome.activity, statedKilocalories: 312)
    let lines = SummaryView(stated, units: .metric, width: 40, glyphs: .unicode).lines.map(\.plain)
    #expect(lines.contains("  energy      312 kcal (file)"))
    #expect(lines.contains("  energy      259 kcal (heart rate)"))
    let place = lines.firstIndex { $0.contains("(file)") }
    #expect(place.map { lines[$0 + 1].contains("(heart rate)") } == true)
  }

  @Test("Half an hour at 80 columns")
  func at80() throws {
    #expect(
      Self.view(try TerminalFixture.halfHour(), width: 80) == """
        Session  0:28:00 active, 0:30:00 from start to end
          heart rate  129 bpm (94–158)    distance    4.95 km
          pace        5:40 /km            steps       4704
          cadence     168 steps/min       energy      259 kcal
          load        50 (Edwards)        load        23 (Banister)

        Heart rate in bpm, ┃ target 119–137
         155 ┤                     ⢰⠋⠒⢄
             │                     ⡞   ⠳⡀
         145 ┤                    ⢸⠁    ⠘⠦⡀
             │                    ⡏       ⠈⠱⡄                       ⡀               ⢀⡤⠒⠒
         137 ┫┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄⣸⠁┄┄┄┄┄┄┄┄┄⢧┄┄┄┄⢀⠔┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄⣠⠊┄┄┄┄┄⢢⡀┄┄┄┄┄┄┄┄⡠⠊┄┄┄
             ┃                  ⡴⠁          ⠸⡄  ⡰⠃               ⡴⠁       ⠱⡄     ⢀⡜⠁
         125 ┫                ⢀⡜⠁            ⢳⢀⠜⠁              ⡠⠊          ⠈⠢⣀⣀⣀⡠⠊
         119 ┫┄┄┄⢠⠎⠉⠉⠑⢄┄┄┄┄┄┄⢠⠎┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄⠁┄┄┄┄┄┄┄┄┄┄┄┄┄⠈⠉⠉┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄
         115 ┤  ⣰⠃     ⠑⢄⣀⣀⡠⠔⠁
             │ ⣰⠃
         105 ┤⢠⠇
             │⡼
          95 ┤⠁
             └┬───────────┬───────────┬────────────┬───────────┬───────────┬────────────
              0:00:00     0:05:00     0:10:00      0:15:00     0:20:00     0:25:00

        Time in zones
          below Z1           under 98  ▎                                  0:00:06   <1 %
          Z1 Low intensity   98–118    ██████████▏                        0:04:21   16 %
        ▸ Z2 Weight control  119–137   █████████████████████████████████  0:14:06   50 %
          Z3 Aerobic         138–157   █████████████▏                     0:05:35   20 %
          Z4 Anaerobic       158–177   ▎                                  0:00:06   <1 %
          Z5 Maximum         178–197                                      0:00:00    0 %
          above Z5           over 197                                     0:00:00    0 %
          no data                      ░░░░░░░░░                          0:03:46   13 %

        In the target (119–137 bpm) for 0:14:06: 58 % of the time with a heart rate,
          50 % of all active time.

        Cues  23  ▲ 4 speed up  ● 14 hold  ▼ 5 slow down
        Withheld 5: 1 paused, 3 without usable heart rate, 1 with too little heart rate.
        Samples: 1438 accepted, 2 rejected, 1 late, 1 duplicate.

        """)
  }

  @Test("Half an hour at 40 columns")
  func at40() throws {
    #expect(
      Self.view(try TerminalFixture.halfHour(), width: 40) == """
        Session  0:28:00 active of 0:30:00
          heart rate  129 bpm (94–158)
          distance    4.95 km
          pace        5:40 /km
          steps       4704
          cadence     168 steps/min
          energy      259 kcal
          load        50 (Edwards)
          load        23 (Banister)

        Heart rate in bpm, ┃ target 119–137
             │          ⡖⣄
         150 ┤         ⢸⠁⠸⡄
             │         ⣸  ⢳⡀
         140 ┤         ⡇   ⢳                  ⢠⠖
         137 ┫┄┄┄┄┄┄┄┄⢠⠇┄┄┄⠸⡄┄⡴┄┄┄┄┄┄⢀⡞┄┄⣄┄┄┄⢠⠏┄
         130 ┫        ⡼     ⡇⢰⠃      ⣸   ⠘⡆  ⡞
             ┃       ⢰⠃     ⢳⡏      ⢠⠇    ⠹⣀⡸⠁
         119 ┫┄⢰⠋⢳⡀┄┄⡞┄┄┄┄┄┄⠈┄┄┄┄┄┄⠈⠁┄┄┄┄┄┄┄┄┄┄┄
             │ ⡏  ⠳⣀⡼⠁
         110 ┤⢸⠁
             │⡞
         100 ┤⠃
             └┬──────────┬──────────┬───────────
              0:00:00    0:10:00    0:20:00

        Time in zones
          <Z1 under 98 ▏           0:00:06  <1 %
          Z1  98–118   ███▍        0:04:21  16 %
        ▸ Z2  119–137  ███████████ 0:14:06  50 %
          Z3  138–157  ████▍       0:05:35  20 %
          Z4  158–177  ▏           0:00:06  <1 %
          Z5  178–197              0:00:00   0 %
          >Z5 over 197             0:00:00   0 %
          no data      ░░░         0:03:46  13 %

        In the target (119–137 bpm) for 0:14:06:
          58 % of the time with a heart rate,
          50 % of all active time.

        Cues  23  ▲ 4 speed up
                  ● 14 hold
                  ▼ 5 slow down
        Withheld 5: 1 paused, 3 without usable
          heart rate, 1 with too little heart
          rate.
        Samples: 1438 accepted, 2 rejected, 1
          late, 1 duplicate.

        """)
  }

  @Test("Half an hour in ASCII")
  func ascii() throws {
    #expect(
      Self.view(try TerminalFixture.halfHour(), width: 80, .ascii) == """
        Session  0:28:00 active, 0:30:00 from start to end
          heart rate  129 bpm (94-158)    distance    4.95 km
          pace        5:40 /km            steps       4704
          cadence     168 steps/min       energy      259 kcal
          load        50 (Edwards)        load        23 (Banister)

        Heart rate in bpm, # target 119-137
         155 +                     ****
             |                     *   **
         145 +                    **    ***
             |                    *       ***                       *               ****
         137 #...................**.........*....**...............**.....**........**...
             #                  **          **  **               **       **     ***
         125 #                ***            ****              **          *******
         119 #...******......**...............*.............***.........................
         115 +  **     *******
             | **
         105 +**
             |*
          95 +*
             ++-----------+-----------+------------+-----------+-----------+------------
              0:00:00     0:05:00     0:10:00      0:15:00     0:20:00     0:25:00

        Time in zones
          below Z1           under 98  :                                  0:00:06   <1 %
          Z1 Low intensity   98-118    ##########:                        0:04:21   16 %
        > Z2 Weight control  119-137   #################################  0:14:06   50 %
          Z3 Aerobic         138-157   #############:                     0:05:35   20 %
          Z4 Anaerobic       158-177   :                                  0:00:06   <1 %
          Z5 Maximum         178-197                                      0:00:00    0 %
          above Z5           over 197                                     0:00:00    0 %
          no data                      .........                          0:03:46   13 %

        In the target (119-137 bpm) for 0:14:06: 58 % of the time with a heart rate,
          50 % of all active time.

        Cues  23  ^ 4 speed up  = 14 hold  v 5 slow down
        Withheld 5: 1 paused, 3 without usable heart rate, 1 with too little heart rate.
        Samples: 1438 accepted, 2 rejected, 1 late, 1 duplicate.

        """)
  }

  @Test("Intervals show the targets of their steps")
  func intervals() throws {
    #expect(
      Self.view(try TerminalFixture.intervals(), width: 80) == """
        Session  0:30:00
          heart rate  140 bpm (90–164)    distance    4.95 km
          pace        6:04 /km            steps       5040
          cadence     168 steps/min       energy      373 kcal
          load        81 (Edwards)        load        41 (Banister)

        Heart rate in bpm, ┄ limits of the targets
             │            ┄┄┄┄┄┄       ┄┄┄┄┄┄      ┄┄┄┄┄┄      ┄┄┄┄┄┄       ┄┄┄┄┄┄
         170 ┤
             │            ┄┄┄┄⡠⠊⠉⠑⢄    ┄┄┄⡠⠒⠉⠑⠢⡀   ┄┄┄⢀⠔⠊⠉⠒⢄   ┄┄┄┄⡠⠊⠉⠑⢄    ┄┄┄⡠⠒⠉⠑⠢⡀
         150 ┤              ⢠⠎     ⠱⡄   ⢀⡜⠁    ⠘⢆    ⣰⠃    ⠈⢣⡀   ⢠⠎     ⠱⡄   ⢀⡜⠁    ⠘⢆
             │             ⢠⠏   ┄┄┄┄⠹⡄┄⢀⡞    ┄┄┄⠈⢧┄ ⣰⠃   ┄┄┄┄⢳⡀ ⢠⠏   ┄┄┄┄⠹⡄┄⢀⡞    ┄┄┄⠈⢧┄
         130 ┤            ⢠⠏         ⠹⡄⡼         ⠘⣆⣰⠃         ⢳⢠⠏         ⠹⡄⡼         ⠘⣆
             │            ⡼     ┄┄┄┄┄┄⠙⠁     ┄┄┄┄┄⠘⠃     ┄┄┄┄┄⠈⠋     ┄┄┄┄┄┄⠙⠁     ┄┄┄┄┄⠘
         110 ┤         ⣀⣀⠴⠃
             │   ⣀⡠⠤⠒⠊⠉
          90 ┤⠒⠊⠉
             └┬───────────┬───────────┬────────────┬───────────┬───────────┬────────────
              0:00:00     0:05:00     0:10:00      0:15:00     0:20:00     0:25:00

        Time in zones
          below Z1           under 98  ██████▍                            0:01:53    6 %
          Z1 Low intensity   98–118    ██████████▋                        0:03:09   11 %
          Z2 Weight control  119–137   ████████████████████▎              0:06:01   20 %
          Z3 Aerobic         138–157   █████████████████████████████████  0:09:50   33 %
          Z4 Anaerobic       158–177   ██████████████████████████████▋    0:09:07   30 %
          Z5 Maximum         178–197                                      0:00:00    0 %
          above Z5           over 197                                     0:00:00    0 %
          no data                                                         0:00:00    0 %

        In the target of each step for 0:07:29: 30 % of the time with a target.

        Cues  25  ▲ 10 speed up  ● 5 hold  ▼ 10 slow down
        Withheld 5: 5 without a target.

        """)
  }

  @Test("A session without a heart rate claims nothing")
  func empty() throws {
    let text = Self.view(try TerminalFixture.Played(TerminalFixture.request()), width: 80)
    #expect(text.hasPrefix("Session  0:00:00\n\nTime in zones\n"))
    #expect(!text.contains("kcal"))
    #expect(!text.contains("target"))
    #expect(!text.contains("Cues"))
  }

  @Test("A target without any heart rate is shown as unknown")
  func unknownCompliance() throws {
    var request = TerminalFixture.request()
    request.target = "z2"
    var played = try TerminalFixture.Played(request)
    played.finish(at: 60)
    #expect(
      Self.view(played, width: 80).contains("In the target (119–137 bpm): unknown, because there was no heart rate."))
  }

  @Test("No line is wider than the terminal or ends in a space")
  func width() throws {
    for played in [try TerminalFixture.halfHour(), try TerminalFixture.intervals()] {
      for columns in Array(10...120) + [200, 1000] {
        for glyphs in [GlyphSet.unicode, .ascii] {
          let view = SummaryView(played.outcome, units: .metric, width: columns, glyphs: glyphs)
          let wrong = view.lines.filter { line in
            let text = line.rendered(usingColor: false, in: glyphs)
            return line.width > columns || text.last == " " || (glyphs == .ascii && !text.allSatisfy(\.isASCII))
          }
          #expect(wrong.isEmpty, "\(columns): \(wrong.plain)")
        }
      }
    }
  }

  @Test("Bars are as long as their share, and something is never nothing")
  func bars() {
    #expect(BandBars.bar(0, width: 10) == "")
    #expect(BandBars.bar(0.0001, width: 10) == "▏")
    #expect(BandBars.bar(0.5, width: 10) == "█████")
    #expect(BandBars.bar(0.55, width: 10) == "█████▌")
    #expect(BandBars.bar(1, width: 10) == "██████████")
    #expect(BandBars.bar(1, width: -3) == "")
  }
}
