import Testing
import ZoneEngine
@testable import WorkoutSession
@testable import WorkoutTestSupport

@Suite("The pace of stamps that lie back")
struct StampPaceTests {
  @Test("Stamps that come as fast as they were made are a row, and the least that one was behind is its distance")
  func steady() {
    var pace = StampPace(at(10), now: at(50))
    #expect(!pace.row.isSteady)
    for (stamp, now) in [(11.0, 51.4), (12, 52), (13, 52.9)] { pace.admit(at(stamp), now: at(now)) }
    #expect(pace.row.isSteady)
    #expect(pace.row.count == 4)
    #expect(pace.row.distance == .zero - at(39.9))
  }

  @Test("What comes at once shows nothing, and is no row of its own")
  func atOnce() {
    var pace = StampPace(at(10), now: at(100))
    for second in 11..<60 {
      pace.admit(at(Double(second)), now: at(100.2))
      #expect(!pace.row.isSteady)
      #expect(pace.row.count <= 3, "\(second)")
    }
  }

  @Test("One that is wrong by itself leaves the row that it stands in", arguments: [-3_600.0, -30, 30, 3_600])
  func lone(offset: Double) {
    var pace = StampPace(at(5_000), now: at(9_000))
    for second in 1...6 {
      pace.admit(at(5_000 + Double(second) + (second == 3 ? offset : 0)), now: at(9_000 + Double(second)))
      #expect(pace.row.count == (second < 3 ? second + 1 : second == 3 ? 1 : second))
      #expect(pace.row.isSteady == (second != 3))
    }
  }

  @Test("A first one that is wrong by itself is forgotten, and a repeat counts in its row alone")
  func first() {
    var pace = StampPace(at(20), now: at(9_000), isRepeat: true)
    for second in 1...4 { pace.admit(at(5_000 + Double(second)), now: at(9_000 + Double(second))) }
    #expect(pace.row.count == 4)
    #expect(pace.row.isSteady)
    #expect(!pace.row.hasRepeats)
    pace.admit(at(5_005), now: at(9_005), isRepeat: true)
    #expect(pace.row.hasRepeats)
  }

  @Test("The machine's clock that is set back begins another row")
  func setBack() {
    var pace = StampPace(at(10), now: at(100))
    pace.admit(at(11), now: at(101))
    pace.admit(at(12), now: at(60))
    #expect(pace.row.count == 1)
    pace.admit(at(13), now: at(61))
    #expect(pace.row.count == 2)
  }
}
