@testable import CoachService
import Dispatch
import FleetStore
import Foundation
import Testing
import WorkoutHistory
@testable import WorkoutTestSupport

/// An instance that is stopped where it is, or whose machine is gone, keeps its connections: what it has locked is free all the same.
@Suite("An instance that is stopped in a transaction", .serialized)
struct StoppedTransactionTests {
  /// What is under way when it is stopped.
  enum Change: CaseIterable, Sendable {
    /// A change of what the service keeps beside the sessions: changes of that come one after another.
    case ofService
    /// A change of sessions.
    case ofSessions

    /// Begins it at a database, calls `stop` in the middle of it, and goes on.
    func make(_ address: PostgresAddress, _ stop: () -> Void) throws {
      switch self {
      case .ofService:
        let tables = SharedTables(address, name: "coach stopped")
        defer { tables.close() }
        try tables.transaction(.changing) {
          stop()
          _ = try tables.perform("SELECT 1", [])
        }
      case .ofSessions:
        let connection = try PostgresConnection(address, name: "coach stopped", seconds: 10)
        try connection.transaction { () throws(PostgresError) in
          try connection.execute("LOCK TABLE coach.session IN EXCLUSIVE MODE")
          stop()
          _ = try connection.run("SELECT 1")
        }
      }
    }
  }

  @Test("Others begin sessions soon, and nothing of its change stays when it goes on", arguments: Change.allCases)
  func locks(_ change: Change) async throws {
    let fleet = try await FleetServiceHarness(PostgresServer.shared.get())
    let token = try await fleet.token(person: "ann")
    let address = try PostgresAddress(fleet.server.url(fleet.database))
    let (stopped, hasStopped) = AsyncStream<Void>.makeStream()
    let (ended, hasEnded) = AsyncStream<Result<Void, any Error>>.makeStream()
    let goesOn = DispatchSemaphore(value: 0)
    // A thread of its own, which waits in the middle.
    DispatchQueue(label: "stopped").async {
      let result = Result {
        try change.make(address) {
          hasStopped.finish()
          goesOn.wait()
        }
      }
      hasStopped.finish()
      hasEnded.yield(result)
      hasEnded.finish()
    }
    for await _ in stopped {}
    let begun = await fleet.send(
      0, "POST", "/v1/sessions", token, body: #"{"profile":{"ageYears":23},"target":"z2","clock":"samples"}"#)
    #expect(begun.status == 201, "\(begun.text)")
    goesOn.signal()
    for await result in ended {
      let error = #expect(throws: PostgresError.self) { try result.get() }
      #expect(error?.kind == .lost, "\(result)")
    }
    await fleet.close()
  }
}
