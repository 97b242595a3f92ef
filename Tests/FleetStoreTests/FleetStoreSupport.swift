import FleetStore
import Foundation
import SessionStore
import Testing
import TextFormats
@testable import WorkoutTestSupport

/// Waits until a condition holds, and fails with its words when it never does. The deadline is for that case alone: what
/// a test needs is the condition, never the time.
func waitUntil(
  _ what: String, seconds: Double = 60, at location: SourceLocation = #_sourceLocation, _ condition: () throws -> Bool
) throws {
  let deadline = ContinuousClock.now + .seconds(seconds)
  while try !condition() {
    try #require(ContinuousClock.now < deadline, "after \(Int(seconds)) s not yet: \(what)", sourceLocation: location)
    Thread.sleep(forTimeInterval: 0.01)
  }
}

extension PostgresServer {
  /// Waits until every lease has expired by the clock of the database.
  func waitForExpiry(_ database: String, at location: SourceLocation = #_sourceLocation) throws {
    let connection = try connection(database)
    try waitUntil("every lease has expired", at: location) {
      try connection.run("SELECT shard FROM coach.lease WHERE holder IS NOT NULL AND expires > clock_timestamp()").rows
        .isEmpty
    }
  }
}

extension BegunSession {
  /// A session whose shard an instance holds.
  static func test(heldBy store: FleetStore, _ number: Int = 0) throws -> BegunSession {
    for attempt in 0..<100_000 {
      let digits = String(attempt + number * 100_000, radix: 16)
      let id = "20261123T070000Z-running-" + String(repeating: "0", count: max(0, 8 - digits.count)) + digits
      if store.holds(id) {
        return BegunSession(
          id: id, person: "erika", maker: "token", request: "{}", createdAt: WallClockTime(nanoseconds: 1))
      }
    }
    throw SharedSessionProblem.heldElsewhere("none of its shards")
  }
}

extension SharedLogBatch {
  /// Rows of one session.
  static func rows(_ hold: SharedHold, _ contents: [String], from index: Int = 1) -> SharedLogBatch {
    var batch = SharedLogBatch()
    for (place, content) in contents.enumerated() {
      batch.rows.append(Row(hold, index: index + place, chunks: Array(content.utf8)))
    }
    return batch
  }

  /// The same with decisions.
  func deciding(_ hold: SharedHold, _ lines: [String], from index: Int = 1) -> SharedLogBatch {
    var batch = self
    for (place, line) in lines.enumerated() {
      batch.decisions.append(Decision(hold, index: index + place, line: Array((line + "\n").utf8)))
    }
    return batch
  }
}
