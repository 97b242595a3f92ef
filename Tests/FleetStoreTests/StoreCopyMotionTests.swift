import Foundation
import SessionStore
import Testing
import TextFormats
import WorkoutSession
@testable import WorkoutTestSupport

/// Sessions whose motion is kept in binary go into a database and come back.
@Suite("The copy of a store with motion in binary", .serialized)
struct StoreCopyMotionTests {
  /// A store with a session that has some seconds of motion in either log.
  private func store() throws -> CopiedStore {
    let store = try CopiedStore()
    let spans: [ThresholdModel.Span] = [
      .init(activity: "walking", seconds: 20), .init(activity: "standing", seconds: 5),
      .init(activity: "running", seconds: 15),
    ]
    let lines = try store.folder.write(ThresholdModel.lines(spans).joined(separator: "\n") + "\n", "lines.jsonl")
    for kind in ["csv", "binary"] {
      let outcome = try store.coach(
        ["live", "--age", "23", "--clock", "samples", "--activity", "walking", "--motion-log", kind], input: lines)
      #expect(outcome.status == 0, "\(outcome.text)")
    }
    return store
  }

  @Test("Both logs come back byte by byte, and are read there as before")
  func roundTrip() throws {
    let store = try store()
    let before = try CopiedStore.files(store.data)
    for log in ["motion.csv", "motion.bin"] { #expect(before.keys.count { $0.hasSuffix("/" + log) } == 1, "\(log)") }
    let record = try store.record(into: "database")
    #expect(record["sessions"]?["added"]?.number?.int64 == 2)
    #expect(record["refused"]?.array?.isEmpty == true)
    #expect(try store.record(into: "database")["added"]?.number?.int64 == 0)
    let back = StoredPath(dataFolder: store.folder.path + "/back")
    #expect(try store.record(into: "folder", data: back)["sessions"]?["added"]?.number?.int64 == 2)
    #expect(try CopiedStore.files(back) == before)
    for verb in [["history", "check"], ["history", "list", "--format", "jsonl"], ["history", "hourly"]] {
      let printed = try [store.data, back].map { data in
        try store.coach(verb, data: data).text.replacing(data.path, with: "")
      }
      #expect(printed[0] == printed[1], "\(verb)")
    }
    let texts = try CopiedStore.sessions(back).map { name in
      let session = back + "/" + SessionFolder.sessions + "/" + name
      guard try SessionFolder.presentLog(of: .motion, in: session) == SessionFolder.binaryMotion else {
        return try POSIXFile(reading: session + "/" + SessionFolder.log(of: .motion)).readAll(maximumBytes: 1 << 24)
      }
      var (log, text) = (try MotionLogReader(path: session + "/" + SessionFolder.binaryMotion), [UInt8]())
      try log.forEachPiece { text.append(span: $0) }
      #expect(log.problems.isEmpty, "\(log.problems)")
      return text
    }
    // They began at the moments in which they were made, so that the times of day differ, and nothing else.
    let rows = texts.map { text in
      text.split(separator: UInt8(ascii: "\n")).map { line in Array(line.drop { $0 != UInt8(ascii: ",") }) }
    }
    #expect(rows[0].count == 2_001)
    #expect(rows[0] == rows[1])
  }
}
