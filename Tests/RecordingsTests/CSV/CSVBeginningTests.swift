@testable import Recordings
import Testing

@Suite("The beginning of a table")
struct CSVBeginningTests {
  @Test(
    "has a row of units below names that a table can be read by, and none below others",
    arguments: [
      ("time,heart_rate\ns,bpm\n0,120\n", true), ("time,heart_rate\n0,120\n1,121\n", false),
      // What is refused by its names is refused the same before the line below them is there.
      ("3,121\nmg,]2\n3,1\n", false), ("heart_rate,speed\nbpm,m/s\n120,3\n", false), ("time,note\ns,m\n0,1\n", false),
    ])
  func units(text: String, hasUnits: Bool) {
    #expect(CSVBeginning(Array(text.utf8).span).hasUnits == hasUnits)
  }
}
