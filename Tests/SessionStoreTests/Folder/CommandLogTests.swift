import SessionStore
import Testing
import TextFormats
import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("The log of commands")
struct CommandLogTests {
  /// The commands of a folder with this log and four heart rates.
  private func commands(_ log: String) throws -> [RecordedInput] {
    let folder = try ScratchFolder()
    let manifest = SessionManifest(
      sessionID: "s", start: .morning(), utcOffsetSeconds: 0, request: try .runner(),
      streams: SampleStream.recordable, durationLimit: nil)
    _ = try folder.write(try manifest.json(), "manifest.json")
    _ = try folder.write(
      "time,at_s,heart_rate_bpm\n" + (0...3).map { "2026-11-20T07:00:0\($0)Z,\($0),120\n" }.joined(), "heart_rate.csv")
    _ = try folder.write(log, "commands.csv")
    var found: [RecordedInput] = []
    _ = try SessionFolderRecording(path: folder.path).forEachInput { input in
      if case .command = input { found.append(input) }
    }
    return found
  }

  private static let head = "time,at_s,command,id,heart_rate_rows,steps_rows,location_rows,motion_rows"

  @Test("of before it stated values is read as it was")
  func old() throws {
    let found = try commands("\(Self.head)\n,1,pause,a,2,0,0,0\n,2,resume,b,3,0,0,0\n")
    #expect(found == [.command(.pause, at: at(1)), .command(.resume, at: at(2))])
  }

  @Test("states why the session ended; of before it did a stop is a stop")
  func ends() throws {
    let head = "\(Self.head),value\n"
    #expect(try commands(head + ",3,stop,,4,0,0,0,\n") == [.command(.stop, at: at(3))])
    #expect(try commands("\(Self.head)\n,3,stop,,4,0,0,0\n") == [.command(.stop, at: at(3))])
    for reason in [SessionEvent.EndReason.endOfInput, .durationLimit, .interrupted] {
      let found = try commands(head + ",3,stop,,4,0,0,0,\(reason.rawValue)\n")
      #expect(found == [.command(.ended(reason), at: at(3))])
    }
  }

  @Test("states targets and strategies, quoted where they have commas, and a torn last line is left out")
  func values() throws {
    let found = try commands(
      """
      \(Self.head),value
      ,1,target,a,2,0,0,0,weight control
      ,1,strategy,b,2,0,0,0,"period:every=60,window=60"
      ,2,lap,c,3,0,0,0,
      ,3,target,d,4,0,0,0,z
      """)
    let period = try FeedbackStrategy(specification: "period:every=60,window=60")
    #expect(
      found == [
        .command(.target("weight control"), at: at(1)), .command(.strategy(period), at: at(1)),
        .command(.lap, at: at(2)),
      ])
  }

  @Test(
    "with a value that is none is refused with its line",
    arguments: [
      "target,a,2,0,0,0,z9", "strategy,a,2,0,0,0,momentum", "target,a,2,0,0,0,", "lap,a,2,0,0,0,z2",
      "stop,,2,0,0,0,stop",
      "stop,,2,0,0,0,because",
    ])
  func bad(row: String) throws {
    #expect(throws: RecordingError.self) { try commands("\(Self.head),value\n,1,\(row)\n") }
  }
}
