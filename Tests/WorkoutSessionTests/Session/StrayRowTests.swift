import Testing
@testable import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("Stamps in a row without a place")
struct StrayRowTests {
  @Test("Three that follow each other are enough; a step back, the same once more and an hour of silence begin anew")
  func following() {
    var row = StrayRow()
    #expect(!row.isEnough)
    for (seconds, count) in [(5_000.0, 1), (5_001, 2), (5_000, 1), (5_000, 1), (8_600, 2), (12_201, 1)] {
      row.admit(at(seconds), isRepeat: false, heard: 7)
      #expect(row.count == count, "\(seconds)")
      #expect(!row.isEnough)
    }
    row.admit(at(12_202), isRepeat: false, heard: 8)
    row.admit(at(12_204), isRepeat: false, heard: 9)
    #expect(row.isEnough)
    #expect(row.first == at(12_201))
    #expect(row.begun == 7)
    #expect(row.span(until: at(12_204)) == at(4.5), "one and a half seconds between two of three")
    row.end()
    #expect(!row.isEnough)
  }

  @Test("Where one of them repeats a reading eight are needed")
  func repeats() {
    var row = StrayRow()
    for number in 1...8 {
      row.admit(at(5_000 + Double(number)), isRepeat: number == 2, heard: number)
      #expect(row.isEnough == (number == 8))
    }
  }

  @Test("Those that lie back count where they come as fast as they were measured, not where they come at once")
  func pace() {
    for (isAtOnce, enough) in [(false, true), (true, false)] {
      var row = StrayRow()
      var found = false
      for number in 0..<6 {
        let stamp = at(100 + Double(number))
        row.admit(stamp, isRepeat: false, heard: number)
        found = row.isEnoughInPace(stamp, now: at(isAtOnce ? 900 : 900 + Double(number)), isRepeat: false)
      }
      #expect(found == enough)
    }
  }
}
