import Testing
@testable import WorkoutSession
import ZoneEngine

@testable import coach

@Suite("Laps on a terminal")
struct LapsViewTests {
  private func lap(_ start: Int, _ active: Int, _ name: String?, _ meters: Double?, _ beats: [Double]) -> SessionLap {
    var statistics = HeartRateStatistics()
    for beat in beats { statistics.admit(beat) }
    return SessionLap(
      start: .seconds(start), name: name, active: .seconds(active), meters: meters, heartRates: statistics)
  }

  private var laps: [SessionLap] {
    [
      lap(0, 600, "warm-up", 1_500, [110, 120]), lap(600, 92, "effort 1 of 2", 400, [150, 170]),
      lap(692, 60, "rest 1 of 2", 0, []), lap(752, 300, nil, 812.4, [140]),
    ]
  }

  private func text(_ laps: [SessionLap], units: UnitSystem = .metric, width: Int = 80) -> String {
    LapsView(laps, .pace, units: units, width: width).lines.plain
  }

  @Test("Each lap has its name, its time, its distance, its pace and its heart rates")
  func table() {
    #expect(
      text(laps) == """
        Laps
          lap                    from     time  distance      pace  bpm  max
            1  warm-up        0:00:00  0:10:00   1.50 km  6:40 /km  115  120
            2  effort 1 of 2  0:10:00  0:01:32     400 m  3:50 /km  160  170
            3  rest 1 of 2    0:11:32  0:01:00       0 m
            4                 0:12:32  0:05:00     812 m  6:09 /km  140  140

        """)
    #expect(text(laps, units: .imperial).contains("0.93 mi"))
  }

  @Test("What nobody measured or named has no column, and no line is wider than the window")
  func columns() {
    let indoors = [lap(0, 60, nil, nil, [120]), lap(60, 60, nil, nil, [130])]
    #expect(!text(indoors).contains("distance"))
    #expect(!text(indoors).contains("/km"))
    #expect(text([]).isEmpty)
    for width in 20...100 {
      for line in LapsView(laps, .speed, units: .imperial, width: width).lines { #expect(line.width <= width) }
    }
  }
}
