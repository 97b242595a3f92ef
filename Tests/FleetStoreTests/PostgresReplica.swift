import FleetStore
import Glibc
@testable import WorkoutTestSupport

extension PostgresServer {
  /// A server with its replica that tests share, one after another: some stop the replica.
  static let replicated = Result {
    let server = try PostgresServer()
    let replica = try PostgresServer(["max_standby_streaming_delay=1s"], following: server)
    atexit { PostgresServer.endReplicated() }
    return (server: server, replica: replica)
  }

  private static func endReplicated() {
    guard let (server, replica) = try? replicated.get() else { return }
    replica.end()
    server.end()
  }

  /// Has a replica fall behind from now on, or go on.
  func hold(_ isHeld: Bool) throws {
    try connection("postgres").execute("SELECT pg_wal_replay_\(isHeld ? "pause" : "resume")()")
  }
}
