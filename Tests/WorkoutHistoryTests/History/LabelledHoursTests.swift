import ActivityRecognition
import Recordings
@testable import TextFormats
import Testing
@testable import WorkoutHistory
@testable import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("Hours of sessions whose labels say what was done")
struct LabelledHoursTests {
  /// The minutes sat, stood, walked and run of each hour, and whether labels say so.
  private func minutes(_ history: History) async throws -> [([Double]?, Bool)] {
    try await history.hours(in: .morning(-3_600)..<(.morning(86_400)), person: nil).map { hour in
      (hour.activities.map { activities in ActivityMinutes.kinds.map { activities.minutes($0) } }, hour.isLabelled)
    }
  }

  private func add(_ text: String, to recorded: RecordedHistory) async throws -> String {
    var request = ImportRequest(try .runner(nil, "none"), person: nil)
    request.start = WallClockTime.morning()
    let recording = try Recording(path: recorded.folder.write(text, "a.csv"))
    guard case .added(let name) = try await recorded.history.add(recording, request) else {
      throw RecordedHistory.NotRecorded()
    }
    return name
  }

  /// Two hours, a row every ten seconds, with a label by the second.
  private func csv(_ label: (Int) -> String) -> String {
    let rows = (0...720).map { "\($0 * 10),0,0.\($0 % 10),1,\(label($0 * 10))\n" }
    return "time_s,acc_x_g,acc_y_g,acc_z_g,label\n" + rows.joined()
  }

  @Test("have the minutes of the labels of an imported file, and of those put on afterwards")
  func labelled() async throws {
    let recorded = try RecordedHistory()
    let name = try await add(csv { $0 < 1_800 ? "SEATED" : $0 < 5_400 ? "walking" : "jog" }, to: recorded)
    var hours = try await minutes(recorded.history)
    #expect(hours.map(\.0) == [[30, 0, 30, 0], [0, 0, 30, 30]])
    #expect(hours.map(\.1) == [true, true])
    try await recorded.history.label(name, "standing", from: .zero, until: .seconds(600))
    hours = try await minutes(recorded.history)
    #expect(hours.map(\.0) == [[20, 10, 30, 0], [0, 0, 30, 30]])
    #expect(try await recorded.history.check { _ in } == [])
    let first = try #require(try await recorded.history.hours(in: .morning()..<(.morning(10)), person: nil).first)
    var writer = JSONWriter()
    first.writeObject(to: &writer)
    #expect(
      writer.text.contains(#""satMinutes":20,"stoodMinutes":10,"walkedMinutes":30,"runMinutes":0,"labelled":true"#))
    await recorded.history.close()
  }

  @Test("have none of labels that are of no such activity")
  func others() async throws {
    let recorded = try RecordedHistory()
    let name = try await add(csv { $0 < 1_800 ? "uphill" : "" }, to: recorded)
    #expect(try await minutes(recorded.history).allSatisfy { $0.0 == nil && !$0.1 })
    try await recorded.history.label(name, "running", from: .seconds(3_000), until: .seconds(4_200))
    #expect(try await minutes(recorded.history).map(\.0) == [[0, 0, 0, 10], [0, 0, 0, 10]])
    await recorded.history.close()
  }
}
