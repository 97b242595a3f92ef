import Testing
import ZoneEngine

@testable import coach

@Suite("Tables of zones and strategies")
struct TablesTests {
  @Test("The zones of the Wise paper")
  func wiseZones() throws {
    #expect(
      ZonesTable(try TerminalFixture.wiseZones()).lines(width: 80).plain == """
        Zones    percent of the maximum
        Maximum  197 bpm, estimated by fox

          █ Z1  Low intensity   98–118  bpm  cyan     50–60 % of the maximum
          █ Z2  Weight control  119–137 bpm  blue     60–70 % of the maximum
          █ Z3  Aerobic         138–157 bpm  green    70–80 % of the maximum
          █ Z4  Anaerobic       158–177 bpm  orange   80–90 % of the maximum
          █ Z5  Maximum         178–197 bpm  red      90–100 % of the maximum

        """)
    #expect(
      ZonesTable(try TerminalFixture.wiseZones()).lines(width: 40).plain == """
        Zones    percent of the maximum
        Maximum  197 bpm, estimated by fox

          █ Z1  Low intensity   98–118  bpm
          █ Z2  Weight control  119–137 bpm
          █ Z3  Aerobic         138–157 bpm
          █ Z4  Anaerobic       158–177 bpm
          █ Z5  Maximum         178–197 bpm

        """)
  }

  @Test("Zones of a threshold have open ends and no maximum")
  func thresholdZones() throws {
    let zones = try HeartRateZones(
      model: .percentOfThreshold(thresholdBPM: 168, scheme: .frielRunning), maximum: nil)
    #expect(
      ZonesTable(zones).lines(width: 80).plain == """
        Zones    friel-running, threshold 168 bpm

          █ Z1   Recovery            to 142   bpm  cyan
          █ Z2   Aerobic             143–151  bpm  blue
          █ Z3   Tempo               152–159  bpm  green
          █ Z4   Sub-threshold       160–167  bpm  yellow
          █ Z5a  Super-threshold     168–173  bpm  orange
          █ Z5b  Aerobic capacity    174–178  bpm  red
          █ Z5c  Anaerobic capacity  from 179 bpm  magenta

        """)
  }

  @Test("The strategies")
  func strategies() {
    let text = StrategiesList().lines(width: 80).plain
    #expect(
      text.hasPrefix(
        """
        none
          Never judges; the session is only recorded.
          Source: the control condition of the Wise study (RoCHI 2023, Table 2)

        moment:every=120,median=0,jitter=0,seed=0,hold=1
          Judges the newest accepted heart rate, not older than 15 s, at every interval.
          every: active time between two judgements (1 to 86400 s)
          median: time whose median heart rate is judged; 0 takes the newest alone (0 to
            600 s)

        """))
    // Every strategy and every preset begins a block.
    let heads = text.split(separator: "\n").filter { !$0.hasPrefix(" ") }
      .map { String($0.prefix { $0 != ":" }) }
    let coaches = CoachPreset.allCases.map { "--coach \($0.rawValue)" }
    #expect(heads == StrategyDescription.all.map(\.kind) + coaches + StrategyPreset.all.map(\.name))
    #expect(text.contains("  The same as --strategy zone-change:dwell=10,margin=2,reminder=60 --warm-up 120\n"))
    #expect(text.contains("  The same as moment:every=30,median=20,hold=0\n"))
  }

  @Test("No line is wider than the terminal", arguments: 1...120)
  func width(columns: Int) throws {
    let lines =
      ZonesTable(try TerminalFixture.wiseZones()).lines(width: columns) + StrategiesList().lines(width: columns)
    for line in lines { #expect(line.width <= columns, "\(line.plain)") }
  }
}
