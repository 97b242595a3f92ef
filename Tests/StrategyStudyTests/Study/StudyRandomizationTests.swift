import StrategyStudy
import Testing
import TextFormats
@testable import WorkoutHistory
@testable import WorkoutSession
import ZoneEngine

@Suite("Studies that sessions are drawn from")
struct StudyRandomizationTests {
  private func study(_ courses: String, name: String = #""name": "pilot","#) throws -> Study {
    let text = """
      {"version": 1, \(name) "seed": 7, "runners": 50, "ageYears": 23, "behaviours": ["reflex"], "courses": [\(courses)]}
      """
    return try Study(json: text.utf8.span)
  }

  private func course(_ arms: String, _ activity: String = "run") -> String {
    #"{"activity": "\#(activity)", "target": "z2", "seconds": 900, "arms": [\#(arms)]}"#
  }

  @Test("The arms of each course are drawn from, by their names, for the activity that it is of")
  func courses() throws {
    let both =
      course(#""none", {"name": "M", "strategy": "moment:every=120"}"#) + "," + course(#""none", "trend""#, "walk")
    let courses = try study(both).randomizedCourses(hash: "ab")
    #expect(courses.map(\.activity) == ["running", "walking"])
    #expect(courses.map(\.target) == ["z2", "z2"])
    #expect(courses.map(\.design.course) == ["run", "walk"])
    #expect(courses[0].design.study == "pilot")
    #expect(courses[0].design.studyHash == "ab")
    #expect(courses[0].design.arms.map(\.name) == ["none", "M"])
    #expect(courses[0].design.arms[1].strategy.specification == "moment:every=120")
  }

  @Test("The study of the paper's test can be drawn from")
  func paper() throws {
    let bytes = try POSIXFile(reading: "studies/wise-table-2.json").readAll(maximumBytes: Study.largestFile)
    let courses = try Study(json: bytes.span).randomizedCourses(hash: SHA256.hex(of: bytes.span))
    #expect(courses.map(\.design.arms.count) == [7, 7])
    #expect(courses.map(\.activity) == ["walking", "running"])
  }

  @Test("A study that nothing can be drawn from is refused with the place")
  func refusals() throws {
    let pair = course(#""none", "trend""#)
    let cases: [(study: Study, line: String)] = [
      (try study(pair, name: ""), "name: missing, expected what distinguishes its sessions from others"),
      (try study(course(#""none""#)), "courses[0].arms: found one, expected at least two to draw from"),
      (
        try study(pair + "," + course(#""none", "trend", "none""#, "walk")),
        "courses[1].arms[2]: found 'none' again, expected a name of its own for each arm"
      ),
      (try study(pair + "," + pair), "courses[1].activity: found 'run' again, expected one course of each activity"),
    ]
    for (study, line) in cases {
      let error = #expect(throws: StudyRandomizationError.self) { try study.randomizedCourses(hash: "ab") }
      #expect("\(error?.description ?? "")" == line)
    }
  }
}
