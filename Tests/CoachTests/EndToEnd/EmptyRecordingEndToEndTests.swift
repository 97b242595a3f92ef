import Testing
@testable import WorkoutTestSupport

/// A recording of a device whose points have times and nothing that is read, such as those of a power meter alone.
@Suite("A recording without any reading")
struct EmptyRecordingEndToEndTests {
  private let program: CoachProgram
  private let path: String

  init() throws {
    program = try CoachProgram()
    let watts = { (count: Int) in "<Extensions><ns3:TPX><ns3:Watts>\(count)</ns3:Watts></ns3:TPX></Extensions>" }
    let points = (0...60).map { XMLFixture.tcxPoint($0 * 10, watts(200 + $0)) }.joined()
    let text = XMLFixture.tcx(XMLFixture.activity("Biking", XMLFixture.lap(at: 0, seconds: "600", meters: "0", points)))
    path = try program.folder.write(text, to: "power.tcx")
  }

  @Test("is refused by an import, a replay and an export, in one line each, and is described by an inspection")
  func refused() throws {
    for arguments in [
      ["import", path, "--age", "40"], ["replay", path, "--age", "40"], ["export", path, "--as", "json"],
    ] {
      let refused = try program.run(arguments)
      #expect(refused.status == 65, "\(arguments)")
      #expect(refused.isOneComplaint, "\(arguments): \(refused.errors)")
      let problem = "power.tcx: no reading in its workouts: expected heart rates"
      #expect(refused.errors.contains(problem), "\(refused.errors)")
      #expect(refused.output.isEmpty, "\(arguments): \(refused.output)")
    }
    let listed = try program.run(["history", "list", "--format", "jsonl"])
    #expect(listed.output.isEmpty, "\(listed.output)")
    let inspected = try program.run(["inspect", path, "--format", "jsonl"])
    #expect(inspected.status == 0, "\(inspected.errors)")
    #expect(inspected.output.contains(#""sport":"biking""#), "\(inspected.output)")
  }

  @Test("counts among others as one that cannot be used, and they are added")
  func among() throws {
    let run = try program.folder.write("time,hr\n2026-03-01T10:00:00Z,120\n2026-03-01T10:00:01Z,121\n", to: "run.csv")
    let both = try program.run(["import", path, run, "--age", "40", "--format", "jsonl"])
    #expect(both.status == 65, "\(both.errors)")
    #expect(both.isOneComplaint, "\(both.errors)")
    #expect(both.lines.count == 2, "\(both.output)")
    #expect(both.lines.first?.contains(#""status":"refused","reason":"no reading in its workouts: "#) == true)
    #expect(both.lines.last?.contains(#""status":"added""#) == true)
  }
}
