import Testing
import ZoneEngine
@testable import WorkoutSession
@testable import coach

@Suite("The view of a session")
struct SessionViewTests {
  @Test("A run with a target and kilometres")
  func run() async throws {
    let fixture = try await HistoryFixture.week()
    let detail = try await fixture.detail()
    for (width, expected) in Self.run {
      #expect(
        SessionView(detail, units: .metric, width: width, glyphs: .unicode).lines.plain == expected, "\(width) columns")
    }
  }

  private static let run = [
    40: """
    running  2026-11-20 07:40 (UTC+1)
    anna, target z2, strategy
      period:every=60,window=60.
    20261120T064000Z-running-00000708

    Session  0:29:59
      heart rate  130 bpm (94–158)
      distance    4.91 km
      pace        6:06 /km
      steps       5040
      cadence     168 steps/min
      energy      283 kcal
      load        55 (Edwards)
      load        25 (Banister)

    Heart rate in bpm, ┃ target 119–137
         │          ⡖⣄
     150 ┤         ⢸⠁⠸⡄
         │         ⣸  ⢳⡀
     140 ┤         ⡇   ⢳          ⢀⡤⢄     ⢠⠖
     137 ┫┄┄┄┄┄┄┄┄⢠⠇┄┄┄⠸⡄┄⡴┄┄┄┄┄┄┄⡞┄⠈⢧┄┄┄⢠⠏┄
     130 ┫        ⡼     ⡇⢰⠃      ⣸⠁  ⠘⡆  ⡞
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
      Z1  98–118   ███▍        0:04:21  15 %
    ▸ Z2  119–137  ███████████ 0:14:24  48 %
      Z3  138–157  █████▌      0:07:16  24 %
      Z4  158–177  ▏           0:00:06  <1 %
      Z5  178–197              0:00:00   0 %
      >Z5 over 197             0:00:00   0 %
      no data      ░░░         0:03:46  13 %

    In the target (119–137 bpm) for 0:14:24:
      55 % of the time with a heart rate,
      48 % of all active time.

    Cues  25  ▲ 4 speed up
              ● 15 hold
              ▼ 6 slow down
    Withheld 4: 3 without usable heart rate,
      1 with too little heart rate.
    Samples: 1558 accepted, 2 rejected.

    Kilometres
         km    time     pace bpm slower →
          1 0:06:06 6:06 /km 115 ██████████▉
          2 0:06:06 6:06 /km 141 ██████████▉
          3 0:06:06 6:06 /km 129 ██████████▉
          4 0:06:06 6:06 /km 132 ██████████▉
      909 m 0:05:36 6:10 /km 130 ███████████

    Decoupling 2.4 %: that much less speed
      for a heartbeat in the second half
      than in the first.

    """,
    80: """
    running  2026-11-20 07:40 (UTC+1)
    anna, target z2, strategy period:every=60,window=60.
    20261120T064000Z-running-00000708

    Session  0:29:59
      heart rate  130 bpm (94–158)    distance    4.91 km
      pace        6:06 /km            steps       5040
      cadence     168 steps/min       energy      283 kcal
      load        55 (Edwards)        load        25 (Banister)

    Heart rate in bpm, ┃ target 119–137
     155 ┤                     ⢰⠋⠒⢄
         │                     ⡞   ⠳⡀
     145 ┤                    ⢸⠁    ⠘⠦⡀
         │                    ⡏       ⠈⠱⡄                       ⡠⠔⠤⠤⡀           ⢀⡤⠒⠒
     137 ┫┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄⣸⠁┄┄┄┄┄┄┄┄┄⢧┄┄┄┄⢀⠔┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄⣠⠊┄┄┄┄⠈⢢⡀┄┄┄┄┄┄┄┄⣠⠊┄┄┄
         ┃                  ⡰⠃          ⠘⡆  ⡰⠃               ⡴⠁       ⠱⡄      ⡴⠁
     125 ┫                ⢀⡜⠁            ⢹⣀⠜⠁              ⡠⠊          ⠈⠢⣀⣀⣀⡠⠊
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
      Z1 Low intensity   98–118    ██████████                         0:04:21   15 %
    ▸ Z2 Weight control  119–137   █████████████████████████████████  0:14:24   48 %
      Z3 Aerobic         138–157   ████████████████▋                  0:07:16   24 %
      Z4 Anaerobic       158–177   ▎                                  0:00:06   <1 %
      Z5 Maximum         178–197                                      0:00:00    0 %
      above Z5           over 197                                     0:00:00    0 %
      no data                      ░░░░░░░░░                          0:03:46   13 %

    In the target (119–137 bpm) for 0:14:24: 55 % of the time with a heart rate,
      48 % of all active time.

    Cues  25  ▲ 4 speed up  ● 15 hold  ▼ 6 slow down
    Withheld 4: 3 without usable heart rate, 1 with too little heart rate.
    Samples: 1558 accepted, 2 rejected.

    Kilometres
         km     time      pace  bpm  slower →
          1  0:06:06  6:06 /km  115  ███████████████████████████████████████▌
          2  0:06:06  6:06 /km  141  ███████████████████████████████████████▌
          3  0:06:06  6:06 /km  129  ███████████████████████████████████████▌
          4  0:06:06  6:06 /km  132  ███████████████████████████████████████▌
      909 m  0:05:36  6:10 /km  130  ████████████████████████████████████████

    Decoupling 2.4 %: that much less speed for a heartbeat in the second half than
      in the first.

    """,
    200: """
    running  2026-11-20 07:40 (UTC+1)
    anna, target z2, strategy period:every=60,window=60.
    20261120T064000Z-running-00000708

    Session  0:29:59
      heart rate  130 bpm (94–158)    distance    4.91 km             pace        6:06 /km            steps       5040
      cadence     168 steps/min       energy      283 kcal            load        55 (Edwards)        load        25 (Banister)

    Heart rate in bpm, ┃ target 119–137
     155 ┤                                                         ⡰⠋⠉⠑⠒⠢⠤⢄⡀
         │                                                       ⣠⠊        ⠈⠉⠢⢄
     145 ┤                                                      ⣰⠃             ⠉⠑⠤⠤⣀⡀
         │                                                    ⢀⡔⠁                   ⠈⠉⠉⠑⢄                                                              ⢀⣀⠤⠤⠤⠢⠔⠒⠤⠤⢄⣀                                 ⣀⠤⠤⠒⠒⠒⠒⠒
     137 ┫┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄⢠⠎┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄⠱⡄┄┄┄┄┄┄┄┄┄┄┄┄⣀⠤⠔⠊┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄⡠⠤⠒⠉⠁┄┄┄┄┄┄┄┄┄┄┄⠉⠉⠒⠤⡀┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄⢀⡠⠔⠊⠉┄┄┄┄┄┄┄┄
         ┃                                               ⣀⡠⠒⠊⠁                            ⠙⢄       ⢀⠤⠔⠉                                        ⢀⡠⠔⠊                    ⠈⠑⠢⣀⡀                ⣀⡠⠔⠁
     125 ┫              ⢀                             ⣀⠤⠊                                   ⠑⣄ ⢀⣀⠤⠒⠁                                      ⢀⣀⠤⠢⠒⠁                           ⠈⠒⠒⠤⠤⣀⣀⡀⣀⡀⣀⣀⣀⠤⠔⠒⠊
     119 ┫┄┄┄┄┄┄┄┄┄⡠⠤⠒⠉⠉⠁⠉⠉⠉⠉⠑⠒⠤⢄⡀┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄⢀⣀⠔⠊┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄⠈⠊⠁┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄⠉⠉⠊⠉⠉⠁┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄⠈┄⠈┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄
     115 ┤      ⡠⠔⠉              ⠈⠑⠒⠤⠤⣀⣀⣀⣀⣀⣀⣀⣀⠤⠤⠒⠊⠁
         │    ⡰⠋
     105 ┤  ⡠⠊
         │⢀⡞
      95 ┤⠊
         └┬───────────┬────────────┬────────────┬────────────┬────────────┬────────────┬────────────┬────────────┬────────────┬────────────┬────────────┬────────────┬────────────┬────────────┬────────────
          0:00:00     0:02:00      0:04:00      0:06:00      0:08:00      0:10:00      0:12:00      0:14:00      0:16:00      0:18:00      0:20:00      0:22:00      0:24:00      0:26:00      0:28:00

    Time in zones
      below Z1           under 98  ▍                                                             0:00:06   <1 %
      Z1 Low intensity   98–118    ██████████████████▏                                           0:04:21   15 %
    ▸ Z2 Weight control  119–137   ████████████████████████████████████████████████████████████  0:14:24   48 %
      Z3 Aerobic         138–157   ██████████████████████████████▎                               0:07:16   24 %
      Z4 Anaerobic       158–177   ▍                                                             0:00:06   <1 %
      Z5 Maximum         178–197                                                                 0:00:00    0 %
      above Z5           over 197                                                                0:00:00    0 %
      no data                      ░░░░░░░░░░░░░░░░                                              0:03:46   13 %

    In the target (119–137 bpm) for 0:14:24: 55 % of the time with a heart rate, 48 % of all active time.

    Cues  25  ▲ 4 speed up  ● 15 hold  ▼ 6 slow down
    Withheld 4: 3 without usable heart rate, 1 with too little heart rate.
    Samples: 1558 accepted, 2 rejected.

    Kilometres
         km     time      pace  bpm  slower →
          1  0:06:06  6:06 /km  115  ███████████████████████████████████████▌
          2  0:06:06  6:06 /km  141  ███████████████████████████████████████▌
          3  0:06:06  6:06 /km  129  ███████████████████████████████████████▌
          4  0:06:06  6:06 /km  132  ███████████████████████████████████████▌
      909 m  0:05:36  6:10 /km  130  ████████████████████████████████████████

    Decoupling 2.4 %: that much less speed for a heartbeat in the second half than in the first.

    """,
  ]

  @Test("A ride that was imported, with a pause in which the heart slows down")
  func ride() async throws {
    let fixture = try await HistoryFixture.week()
    let detail = try await fixture.detail(of: "20261118")
    for (width, expected) in Self.ride {
      #expect(
        SessionView(detail, units: .metric, width: width, glyphs: .unicode).lines.plain == expected, "\(width) columns")
    }
  }

  private static let ride = [
    40: """
    cycling  2026-11-18 17:40 (UTC+1)
    from ride.fit (fit), Edge 530, strategy
      none.
    20261118T164000Z-cycling-00000708

    Session  0:27:59 active of 0:29:59
      heart rate  129 bpm (94–158)
      energy      261 kcal
      load        51 (Edwards)
      load        23 (Banister)

    Heart rate in bpm
         │          ⡖⣄
     150 ┤         ⢸⠁⠸⡄
         │         ⣸  ⢳⡀
     140 ┤         ⡇   ⢳          ⢀⠤⢄     ⢠⠖
         │        ⢠⠇   ⠸⡄ ⡴         ⠈⢧   ⢠⠏
     130 ┤        ⡼     ⡇⢰⠃          ⠘⡆  ⡞
         │       ⢰⠃     ⢳⡏      ⢀     ⠹⣀⡸⠁
     120 ┤ ⢰⠋⢳⡀  ⡞      ⠈      ⠈⠁
         │ ⡏  ⠳⣀⡼⠁
     110 ┤⢸⠁
         │⡞
     100 ┤⠃
         └┬──────────┬──────────┬───────────
          0:00:00    0:10:00    0:20:00

    Time in zones
      <Z1 under 98 ▏           0:00:06  <1 %
      Z1  98–118   ███▉        0:04:21  16 %
      Z2  119–137  ███████████ 0:12:32  45 %
      Z3  138–157  ██████▎     0:07:06  25 %
      Z4  158–177  ▏           0:00:06  <1 %
      Z5  178–197              0:00:00   0 %
      >Z5 over 197             0:00:00   0 %
      no data      ░░░         0:03:48  14 %

    Samples: 1556 accepted, 4 rejected.

    Heart-rate recovery 14 bpm: the largest
      fall in the first minute of a pause.

    """,
    80: """
    cycling  2026-11-18 17:40 (UTC+1)
    from ride.fit (fit), Edge 530, strategy none.
    20261118T164000Z-cycling-00000708

    Session  0:27:59 active, 0:29:59 from start to end
      heart rate  129 bpm (94–158)    energy      261 kcal
      load        51 (Edwards)        load        23 (Banister)

    Heart rate in bpm
     155 ┤                     ⢰⠋⠒⢄
         │                     ⡞   ⠳⡀
     145 ┤                    ⢸⠁    ⠘⠦⡀
         │                    ⡏       ⠈⠱⡄                       ⡠⠔⠤⠤⡀           ⢀⡤⠒⠒
     135 ┤                   ⣸⠁         ⢧    ⢀⠔                     ⠈⢢⡀        ⣠⠊
         │                  ⡰⠃          ⠘⡆  ⡰⠃                        ⠱⡄      ⡴⠁
     125 ┤                ⢀⡜⠁            ⢹⣀⠜⠁              ⡀           ⠈⠢⣀⣀⣀⡠⠊
         │   ⢠⠎⠉⠉⠑⢄      ⢠⠎               ⠁             ⠈⠉⠉
     115 ┤  ⣰⠃     ⠑⢄⣀⣀⡠⠔⠁
         │ ⣰⠃
     105 ┤⢠⠇
         │⡼
      95 ┤⠁
         └┬───────────┬───────────┬────────────┬───────────┬───────────┬────────────
          0:00:00     0:05:00     0:10:00      0:15:00     0:20:00     0:25:00

    Time in zones
      below Z1           under 98  ▎                                  0:00:06   <1 %
      Z1 Low intensity   98–118    ███████████▌                       0:04:21   16 %
      Z2 Weight control  119–137   █████████████████████████████████  0:12:32   45 %
      Z3 Aerobic         138–157   ██████████████████▊                0:07:06   25 %
      Z4 Anaerobic       158–177   ▎                                  0:00:06   <1 %
      Z5 Maximum         178–197                                      0:00:00    0 %
      above Z5           over 197                                     0:00:00    0 %
      no data                      ░░░░░░░░░░                         0:03:48   14 %

    Samples: 1556 accepted, 4 rejected.

    Heart-rate recovery 14 bpm: the largest fall in the first minute of a pause.

    """,
    200: """
    cycling  2026-11-18 17:40 (UTC+1)
    from ride.fit (fit), Edge 530, strategy none.
    20261118T164000Z-cycling-00000708

    Session  0:27:59 active, 0:29:59 from start to end
      heart rate  129 bpm (94–158)    energy      261 kcal            load        51 (Edwards)        load        23 (Banister)

    Heart rate in bpm
     155 ┤                                                         ⡰⠋⠉⠑⠒⠢⠤⢄⡀
         │                                                       ⣠⠊        ⠈⠉⠢⢄
     145 ┤                                                      ⣰⠃             ⠉⠑⠤⠤⣀⡀
         │                                                    ⢀⡔⠁                   ⠈⠉⠉⠑⢄                                                               ⢀⠤⠤⠤⠢⠔⠒⠤⠤⢄⣀                                 ⣀⠤⠤⠒⠒⠒⠒⠒
     135 ┤                                                   ⢠⠎                          ⠱⡄            ⣀⠤⠔⠊                                                        ⠉⠉⠒⠤⡀                       ⢀⡠⠔⠊⠉
         │                                               ⣀⡠⠒⠊⠁                            ⠙⢄       ⢀⠤⠔⠉                                                                ⠈⠑⠢⣀⡀                ⣀⡠⠔⠁
     125 ┤              ⢀                             ⣀⠤⠊                                   ⠑⣄ ⢀⣀⠤⠒⠁                                      ⢀⡀                               ⠈⠒⠒⠤⠤⣀⣀⡀⣀⡀⣀⣀⣀⠤⠔⠒⠊
         │         ⡠⠤⠒⠉⠉⠁⠉⠉⠉⠉⠑⠒⠤⢄⡀                ⢀⣀⠔⠊                                       ⠈⠊⠁                                     ⠉⠉⠊⠉⠉⠁                                       ⠈ ⠈
     115 ┤      ⡠⠔⠉              ⠈⠑⠒⠤⠤⣀⣀⣀⣀⣀⣀⣀⣀⠤⠤⠒⠊⠁
         │    ⡰⠋
     105 ┤  ⡠⠊
         │⢀⡞
      95 ┤⠊
         └┬───────────┬────────────┬────────────┬────────────┬────────────┬────────────┬────────────┬────────────┬────────────┬────────────┬────────────┬────────────┬────────────┬────────────┬────────────
          0:00:00     0:02:00      0:04:00      0:06:00      0:08:00      0:10:00      0:12:00      0:14:00      0:16:00      0:18:00      0:20:00      0:22:00      0:24:00      0:26:00      0:28:00

    Time in zones
      below Z1           under 98  ▌                                                             0:00:06   <1 %
      Z1 Low intensity   98–118    ████████████████████▉                                         0:04:21   16 %
      Z2 Weight control  119–137   ████████████████████████████████████████████████████████████  0:12:32   45 %
      Z3 Aerobic         138–157   ██████████████████████████████████                            0:07:06   25 %
      Z4 Anaerobic       158–177   ▌                                                             0:00:06   <1 %
      Z5 Maximum         178–197                                                                 0:00:00    0 %
      above Z5           over 197                                                                0:00:00    0 %
      no data                      ░░░░░░░░░░░░░░░░░░                                            0:03:48   14 %

    Samples: 1556 accepted, 4 rejected.

    Heart-rate recovery 14 bpm: the largest fall in the first minute of a pause.

    """,
  ]
}
