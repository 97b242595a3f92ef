import TextFormats
import Testing
import WorkoutSession
import ZoneEngine

@testable import coach

@Suite("Plans on a command line")
struct PlanExportTests {
  @Test("A plan whose targets have a slash is no path")
  func slashes() throws {
    let steps = try RequestOptions.plan("10min 5:30/km, 1km 12km/h, 4x(400m 8:30/mi \"effort\", 90s 3m/s)").steps
    #expect(steps.count == 10)
    #expect(steps[2].target == "8:30/mi")
    let failure = #expect(throws: FileError.self) { try RequestOptions.plan("/nowhere/a plan, of mine.txt") }
    #expect(failure?.description.contains("/nowhere/a plan, of mine.txt") == true)
  }
}
