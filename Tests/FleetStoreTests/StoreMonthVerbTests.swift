import FleetStore
import Foundation
import SessionStore
import Testing
import TextFormats
@testable import WorkoutTestSupport

/// The months of a database by the verbs of the terminal.
@Suite("The verbs of months", .serialized)
struct StoreMonthVerbTests {
  /// A database with two sessions of January, one of February, and one of March that is not over.
  private func filled() throws -> (store: CopiedStore, fleet: FleetStore) {
    let store = try CopiedStore()
    let fleet = try store.server.store(store.database, "instance")
    try fleet.open()
    try fleet.keepLeases()
    let copies = FleetCopies(try store.address, name: "copies")
    for (number, day) in ["20240131", "20240101", "20240201"].enumerated() {
      let session = session(day, number)
      let files = [SessionFolderContent.File(SessionFolder.summary, Array("{}".utf8))]
      let content = SessionFolderContent(sessionID: session.id, files: files)
      #expect(try copies.add(session, endedAt: session.createdAt, content) == .added)
    }
    _ = try fleet.begin(session("20240301", 4))
    return (store, fleet)
  }

  private func session(_ day: String, _ number: Int) -> BegunSession {
    BegunSession(
      id: "\(day)T070000Z-running-0000000\(number)", person: "ann", maker: "m", request: "{}",
      createdAt: WallClockTime(nanoseconds: 1))
  }

  private func run(_ store: CopiedStore, _ words: [String]) throws -> CopiedStore.Outcome {
    try store.coach(words + ["--database", store.url], takesFolder: false)
  }

  @Test("The months are listed with their sessions and bytes, the oldest first, as text and as records")
  func months() throws {
    let (store, fleet) = try filled()
    let text = try run(store, ["store", "months"])
    #expect(text.status == 0, "\(text.text)")
    let months = try fleet.months()
    #expect(months.map(\.name).starts(with: ["202401", "202402"]))
    let lines = months.map { month in
      let sessions = month.sessionCount == 1 ? "1 session" : "\(month.sessionCount) sessions"
      return "\(month.name)  \(sessions)  \(month.byteCount) bytes"
    }
    #expect(text.lines == lines)
    let records = try run(store, ["store", "months", "--format", "jsonl"])
    let first = try JSONValue.parse(try #require(records.lines.first))
    #expect(first["month"]?.string == "202401")
    #expect(first["sessions"]?.number?.int64 == 2)
    #expect(first["bytes"]?.number?.int64 == months.first.map { Int64($0.byteCount) })
    let document = try run(store, ["store", "months", "--format", "json"])
    #expect(try JSONValue.parse(document.text)["months"]?.array?.count == months.count)
  }

  @Test("A month is deleted when that is agreed to, in one line that says what went, and no other one is")
  func drop() throws {
    let (store, fleet) = try filled()
    let asked = try run(store, ["store", "drop-month", "202401"])
    #expect(asked.status == 64, "nobody is there to be asked: \(asked.text)")
    #expect(try fleet.months().first?.sessionCount == 2)
    let dropped = try run(store, ["store", "drop-month", "202401", "--yes"])
    #expect(dropped.status == 0, "\(dropped.text)")
    #expect(dropped.lines == ["202401: 2 sessions deleted"])
    #expect(try fleet.months().first?.name == "202402")
    #expect(try fleet.log(of: session("20240201", 2).id)?.isOver == true)
    let again = try run(store, ["store", "drop-month", "202401", "--yes"])
    #expect(again.status == 66, "\(again.text)")
    let open = try run(store, ["store", "drop-month", "202403", "--yes"])
    #expect(open.status == 65, "\(open.text)")
    #expect(open.text.contains("not over"))
    #expect(try fleet.log(of: session("20240301", 4).id)?.isOver == false)
  }

  @Test("Verbs that only read make no schema: one that is missing or older is refused, with what brings it up to date")
  func reading() throws {
    let store = try CopiedStore()
    let connection = try store.server.connection(store.database)
    let out = store.folder.path + "/out"
    let verbs = [
      ["store", "months"], ["store", "audit"], ["history", "export", "--all", "--output", out], ["token", "list"],
      ["key", "list"], ["identity", "list"], ["profile", "list"], ["profile", "show", "ann"],
      ["store", "copy", "--into", "folder"],
    ]
    for steps in [[], Array(FleetSchema.migrations.dropLast())] {
      if !steps.isEmpty { _ = try FleetSchema.make(in: connection, steps) }
      for verb in verbs {
        let refused = try store.coach(
          verb + ["--database", store.url], data: StoredPath(dataFolder: store.folder.path + "/back"),
          takesFolder: verb != ["store", "months"])
        #expect(refused.status == 65, "\(verb): \(refused.text)")
        #expect(refused.lines.count == 1, "\(verb): \(refused.text)")
        #expect(refused.text.contains("`coach serve --database`"), "\(verb): \(refused.text)")
      }
      let table = steps.isEmpty ? "pg_namespace WHERE nspname = 'coach'" : "coach.migration"
      let found = try connection.run("SELECT count(*) FROM \(table)").rows
      #expect(found.first?.integer(0) == Int64(steps.count))
    }
    #expect(!FileSystem.exists(StoredPath(folder: out)))
  }

  @Test("What is no month, and what is asked without a database, is refused in one line")
  func wrong() throws {
    let (store, fleet) = try filled()
    let before = try fleet.months()
    for month in ["2024", "other", "before", "202413", "'; --"] {
      let refused = try run(store, ["store", "drop-month", month, "--yes"])
      #expect(refused.status == 64, "\(month)")
      #expect(refused.lines.count == 1, "\(month): \(refused.text)")
    }
    #expect(try fleet.months() == before)
    for verb in [["store", "months"], ["store", "drop-month", "202401", "--yes"]] {
      let refused = try store.coach(verb, takesFolder: false)
      #expect(refused.status == 64, "\(refused.text)")
    }
  }
}
