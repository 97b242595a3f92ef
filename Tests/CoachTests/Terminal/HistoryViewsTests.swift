import Testing
@testable import TextFormats
@testable import WorkoutHistory
import ZoneEngine
@testable import WorkoutSession
@testable import coach

@Suite("The views of the history")
struct HistoryViewsTests {
  @Test("A list")
  func list() async throws {
    let fixture = try await HistoryFixture.week()
    let entries = try await fixture.history.sessions(History.Filter())
    for (width, expected) in Self.list {
      #expect(SessionListView.lines(entries, width: width).plain == expected, "\(width) columns")
    }
  }

  private static let list = [
    40: """
      start             active bpm state
      2026-11-20 07:40 0:29:59 130
      2026-11-18 17:40 0:27:59 129
      2026-11-16 18:30 0:11:39 127 recovered
      2026-11-03 12:00 0:21:39 128

    4 sessions. One of them: coach history
      show latest, or 20261120T064000…

    """,
    80: """
      start             activity   active  bpm  in target  distance  state
      2026-11-20 07:40  running   0:29:59  130       55 %   4.91 km
      2026-11-18 17:40  cycling   0:27:59  129
      2026-11-16 18:30  running   0:11:39  127       32 %   1.90 km  recovered
      2026-11-03 12:00  walking   0:21:39  128       59 %   3.54 km

    4 sessions. One of them: coach history show latest, or 20261120T064000…

    """,
    200: """
      start             activity   active  bpm  in target  distance  steps  state      person  session
      2026-11-20 07:40  running   0:29:59  130       55 %   4.91 km   5040             anna    20261120T064000Z-running-00000708
      2026-11-18 17:40  cycling   0:27:59  129                                                 20261118T164000Z-cycling-00000708
      2026-11-16 18:30  running   0:11:39  127       32 %   1.90 km   1960  recovered  anna    20261116T173000Z-running-000002bc
      2026-11-03 12:00  walking   0:21:39  128       59 %   3.54 km   3640             ben     20261103T110000Z-walking-00000514

    4 sessions. One of them: coach history show latest, or 20261120T064000…

    """,
  ]

  @Test("A list that is put together of lists is the same as one of all sessions", arguments: 0...4)
  func parts(first count: Int) async throws {
    let fixture = try await HistoryFixture.week()
    let entries = try await fixture.history.sessions(History.Filter())
    let empty = SessionListView(isFiltered: false, units: .metric, width: 200)
    var list = empty
    for part: ArraySlice<SessionEntry> in [entries.prefix(count), [], entries.dropFirst(count)] {
      var other = empty
      for entry in part { other.append(entry.line) }
      list.append(other)
    }
    #expect(list.lines == SessionListView.lines(entries, width: 200))
  }

  @Test("An empty list says that there is no session where none is, and not where one was cut off")
  func emptyLists() {
    let empty = SessionListView(isFiltered: false, units: .metric, width: 200)
    #expect(
      empty.lines.plain == "No session yet: coach live records one, from any stream of heart rates.\n")
    let others = SessionListView(isFiltered: false, hasOthers: true, units: .metric, width: 200)
    #expect(
      others.lines.plain
        == "No session is in the history: what is there is being recorded, was cut off and is not closed, or cannot be read.\n"
    )
    let filtered = SessionListView(isFiltered: true, hasOthers: true, units: .metric, width: 200)
    #expect(filtered.lines.plain == "No session in this span.\n")
  }

  @Test("Under a list of what was looked for, the latest session of all is not named")
  func found() async throws {
    let fixture = try await HistoryFixture.week()
    let entries = try await fixture.history.sessions(History.Filter())
    let all = SessionListView.lines(entries, isFiltered: true, width: 80).plain
    #expect(all.hasSuffix("4 sessions. One of them: coach history show 20261120T064000…\n"), "\(all)")
    let one = SessionListView.lines(Array(entries.suffix(1)), isFiltered: true, width: 80).plain
    #expect(one.hasSuffix("1 session. See: coach history show 20261103T110000…\n"), "\(one)")
  }

  @Test("The dashboard")
  func dashboard() async throws {
    let fixture = try await HistoryFixture.week()
    let dashboard = try await fixture.history.dashboard(fixture.clock, person: nil)
    for (width, expected) in Self.dashboard {
      #expect(DashboardView(dashboard, units: .metric, width: width).lines.plain == expected, "\(width) columns")
    }
  }

  private static let dashboard = [
    40: """
    Latest  running, 2026-11-20 07:40
      active      0:29:59
      heart rate  130 bpm (94–158)
      in target   55 %
      distance    4.91 km
      steps       5040
      energy      283 kcal
      person      anna

    Last 7 days
      day     active distance bpm
      Sat 14       –
      Sun 15       –
      Mon 16 0:11:39  1.90 km 127 ███▉
      Tue 17       –
      Wed 18 0:27:59          129 █████████▍
      Thu 19       –
      Fri 20 0:29:59  4.91 km 130 ██████████
      total  1:09:37  6.81 km 129

    Time in zones
      zone       time share
      below Z1 <1 min  <1 % ▏
      Z1       13 min  19 % ██████▊
      Z2       31 min  44 % ████████████████
      Z3       18 min  25 % █████████▎
      Z4       <1 min  <1 % ▏
      Z5        0 min   0 %
      no data   8 min  11 % ████

    In the target for 48 % of the time with
      a target and a heart rate.

    """,
    80: """
    Latest workout  running, 2026-11-20 07:40
      active      0:29:59             heart rate  130 bpm (94–158)
      in target   55 %                distance    4.91 km
      steps       5040                energy      283 kcal
      person      anna

    Last 7 days  Sat 14 November 2026 to Fri 20 November 2026
      day      active  sessions  distance  steps  bpm  in target  m/beat
      Sat 14        –
      Sun 15        –
      Mon 16  0:11:39         1   1.90 km   1960  127       32 %    1.28  ███▉
      Tue 17        –
      Wed 18  0:27:59         1                   129                     █████████▍
      Thu 19        –
      Fri 20  0:29:59         1   4.91 km   5040  130       55 %    1.26  ██████████
      total   1:09:37         3   6.81 km   7000  129       48 %    1.27

    Time in zones
      zone        time  share
      below Z1  <1 min   <1 %  ▍
      Z1        13 min   19 %  █████████████████
      Z2        31 min   44 %  ████████████████████████████████████████
      Z3        18 min   25 %  ███████████████████████▏
      Z4        <1 min   <1 %  ▍
      Z5         0 min    0 %
      no data    8 min   11 %  █████████▉

    In the target for 48 % of the time with a target and a heart rate.

    """,
    200: """
    Latest workout  running, 2026-11-20 07:40
      active      0:29:59             heart rate  130 bpm (94–158)    in target   55 %                distance    4.91 km
      steps       5040                energy      283 kcal            person      anna

    Last 7 days  Sat 14 November 2026 to Fri 20 November 2026
      day      active  sessions  distance  steps  bpm  in target  m/beat
      Sat 14        –
      Sun 15        –
      Mon 16  0:11:39         1   1.90 km   1960  127       32 %    1.28  ███████████████▌
      Tue 17        –
      Wed 18  0:27:59         1                   129                     █████████████████████████████████████▍
      Thu 19        –
      Fri 20  0:29:59         1   4.91 km   5040  130       55 %    1.26  ████████████████████████████████████████
      total   1:09:37         3   6.81 km   7000  129       48 %    1.27

    Time in zones
      zone        time  share
      below Z1  <1 min   <1 %  ▍
      Z1        13 min   19 %  █████████████████
      Z2        31 min   44 %  ████████████████████████████████████████
      Z3        18 min   25 %  ███████████████████████▏
      Z4        <1 min   <1 %  ▍
      Z5         0 min    0 %
      no data    8 min   11 %  █████████▉

    In the target for 48 % of the time with a target and a heart rate.

    """,
  ]

  @Test("The weeks")
  func trends() async throws {
    let fixture = try await HistoryFixture.week()
    let weeks = try await fixture.history.weeks(12, fixture.clock, person: nil)
    for (width, expected) in Self.trends {
      #expect(TrendsView(weeks, units: .metric, width: width).lines.plain == expected, "\(width) columns")
    }
  }

  @Test("Of more weeks than there is room for the last ones are drawn")
  func manyWeeks() throws {
    let monday = try #require(CivilDate(iso8601: "2020-01-06"))
    let weeks = try (0..<60).map {
      WeekTotals(monday: try #require(monday.adding(days: 7 * $0)), totals: PeriodTotals())
    }
    #expect(TrendsView(weeks, units: .metric, width: 40).lines.plain.contains("The last 32 weeks\n"))
    #expect(TrendsView(weeks, units: .metric, width: 80).lines.plain.contains("Week by week\n"))
  }

  private static let trends = [
    40: """
    Weeks
      week      active distance bpm
      2026-W45 0:21:39  3.54 km 128 ██▌
      2026-W46       –
      2026-W47 1:09:37  6.81 km 129 ████████

    Week by week
    █ active minutes  ♥ heart rate in bpm
     70┤            █████ │
       │            █████ ├140
       │            █████ │
       │            █████ ├136
       │            █████ │
       │▄▄▄▄▄       █████ ├132
       │█████       ♥████ │
      0┤♥████       █████ ├128
        W45   W46   W47

    Time in zones
      week         Z1     Z2     Z3     Z4
      2026-W45  4 min  9 min  4 min <1 min
      2026-W46
      2026-W47 13 min 31 min 18 min <1 min

    """,
    80: """
    Weeks
      week       active  sessions  distance  steps  bpm  in target  m/beat
      2026-W45  0:21:39         1   3.54 km   3640  128       59 %    1.28  ██▌
      2026-W46        –
      2026-W47  1:09:37         3   6.81 km   7000  129       48 %    1.27  ████████

    Week by week
    █ active minutes  ♥ heart rate in bpm
     70┤            █████ │
       │            █████ ├140
       │            █████ │
       │            █████ ├136
       │            █████ │
       │▄▄▄▄▄       █████ ├132
       │█████       ♥████ │
      0┤♥████       █████ ├128
        W45   W46   W47

    Time in zones
      week      below Z1      Z1      Z2      Z3      Z4
      2026-W45    <1 min   4 min   9 min   4 min  <1 min
      2026-W46
      2026-W47    <1 min  13 min  31 min  18 min  <1 min

    """,
    200: """
    Weeks
      week       active  sessions  distance  steps  bpm  in target  m/beat
      2026-W45  0:21:39         1   3.54 km   3640  128       59 %    1.28  ████████████▌
      2026-W46        –
      2026-W47  1:09:37         3   6.81 km   7000  129       48 %    1.27  ████████████████████████████████████████

    Week by week
    █ active minutes  ♥ heart rate in bpm
     70┤            █████ │
       │            █████ ├140
       │            █████ │
       │            █████ ├136
       │            █████ │
       │▄▄▄▄▄       █████ ├132
       │█████       ♥████ │
      0┤♥████       █████ ├128
        W45   W46   W47

    Time in zones
      week      below Z1      Z1      Z2      Z3      Z4
      2026-W45    <1 min   4 min   9 min   4 min  <1 min
      2026-W46
      2026-W47    <1 min  13 min  31 min  18 min  <1 min

    """,
  ]
}
