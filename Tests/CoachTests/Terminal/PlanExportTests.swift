import Foundation
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
    for name in ["\"w/u (easy)\": ", "w/u: "] {
      #expect(try RequestOptions.plan(name + "10min z1, 1km z2").steps.first?.name?.hasPrefix("w/u") == true)
    }
    let mistaken = #expect(throws: CommandFailure.self) { try RequestOptions.plan("\"w/u\": 10furlongs z1, 1km z2") }
    #expect(mistaken.map { "\($0)" }?.contains("10furlongs") == true)
    let failure = #expect(throws: FileError.self) { try RequestOptions.plan("/nowhere/a plan, of mine.txt") }
    #expect(failure?.description.contains("/nowhere/a plan, of mine.txt") == true)
  }

  @Test(
    "A workout needs a person only where its targets are zones of their heart rate",
    arguments: ["10min 5:00/km", "9min 119-137"])
  func withoutPerson(plan: String) throws {
    let program = try CoachProgram()
    let output = program.folder.url.path + "/workout.fit"
    let made = try program.run(["plan", "export", plan, "--as", "fit", "--output", output])
    #expect(made.status == 0, "\(made.errors)")
    let refused = try program.run(["plan", "export", "\(plan), 5min z2", "--as", "fit", "--output", output + "2"])
    #expect(refused.status == 64, "\(refused.errors)")
  }
}
