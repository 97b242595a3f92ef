import Dispatch
import Synchronization
import Testing
@testable import WorkoutHistory
@testable import WorkoutTestSupport

@Suite("Opening a database")
struct DatabaseOpeningTests {
  @Test("Several that make the same new database at once all get it")
  func together() throws {
    for round in 0..<40 {
      let folder = try ScratchFolder()
      let path = folder.path + "/new.sqlite"
      let problems = Mutex<[String]>([])
      DispatchQueue.concurrentPerform(iterations: 6) { number in
        do {
          let database = try Database(path: path)
          try database.execute("CREATE TABLE IF NOT EXISTS written (number INTEGER)")
          try database.run("INSERT INTO written VALUES (?1)", .integer(Int64(number)))
          database.close()
        } catch {
          problems.withLock { $0.append("\(error)") }
        }
      }
      #expect(problems.withLock { $0 } == [], "round \(round)")
    }
  }
}
