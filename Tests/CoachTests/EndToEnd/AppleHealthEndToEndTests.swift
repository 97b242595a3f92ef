import Foundation
import Testing

@Suite("The program: exports of Apple Health")
struct AppleHealthEndToEndTests {
  /// Ten heart rates, one every 5 s, and a workout around the last six.
  private var export: String {
    func time(_ second: Int) -> String { "2026-03-01 10:00:\(second < 10 ? "0" : "")\(second) +0100" }
    let beats = (0..<10).map { number in
      """
       <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Watch" unit="count/min" \
      startDate="\(time(5 * number))" endDate="\(time(5 * number))" value="\(120 + number)"/>

      """
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE HealthData [<!ELEMENT HealthData (Record|Workout)*>]>
      <HealthData locale="en_GB">
      \(beats.joined()) <Workout workoutActivityType="HKWorkoutActivityTypeRunning" sourceName="Watch" \
      startDate="\(time(20))" endDate="\(time(45))"/>
      </HealthData>

      """
  }

  @Test("An export is inspected and replayed; of one that is cut, what stands before the cut")
  func inspectAndReplay() throws {
    let program = try CoachProgram()
    let path = try program.folder.write(export, to: "export.xml")
    let inspected = try program.run(["inspect", path, "--format", "jsonl"])
    #expect(inspected.status == 0)
    #expect(inspected.errors.isEmpty)
    #expect(inspected.output.contains(#""format":"apple-health","activities":1,"sport":"running","device":"Watch""#))
    #expect(inspected.output.contains(#""heartRate":{"count":10,"sum":1245,"#))
    let replayed = try program.run(["replay", path, "--age", "23", "--target", "z2", "--format", "jsonl"])
    #expect(replayed.status == 0)
    #expect(replayed.output.contains(#""samples":{"accepted":6,"#))
    let cut = try program.folder.write(String(export.dropLast(200)), to: "cut.xml")
    let partial = try program.run(["inspect", cut, "--format", "jsonl"])
    #expect(partial.status == 0)
    #expect(partial.errors.isEmpty)
    #expect(partial.output.contains(#""warnings":[{"kind":"truncated","position":"byte "#))
  }

  @Test("An export whose workouts have no reading is not passed over in silence, and gives its days when asked for")
  func daysOnly() throws {
    let program = try CoachProgram()
    // The workout is moved to another hour.
    let moved = export.replacingOccurrences(
      of: #"sourceName="Watch" startDate="2026-03-01 10"#, with: #"sourceName="Watch" startDate="2026-03-01 09"#
    )
    .replacingOccurrences(
      of: "endDate=\"2026-03-01 10:00:45 +0100\"/>\n</Health", with: "endDate=\"2026-03-01 09:30:00 +0100\"/>\n</Health"
    )
    let path = try program.folder.write(moved, to: "export.xml")
    let refused = try program.run(["import", path, "--age", "23", "--format", "jsonl"])
    #expect(refused.status == 65, "\(refused.errors)")
    #expect(refused.isOneComplaint, "\(refused.errors)")
    #expect(refused.errors.contains("no reading in its workouts, and --all-days takes its day with readings"))
    #expect(refused.output.contains(#""status":"refused""#))
    let taken = try program.run(["import", path, "--age", "23", "--all-days", "--format", "jsonl"])
    #expect(taken.status == 0, "\(taken.errors)")
    #expect(taken.output.contains(#""status":"added""#), "\(taken.errors)")
  }
}
