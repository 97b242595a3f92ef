import FleetStore
import Foundation
import Glibc
import Testing

/// A replica that follows a server of the tests by streaming, in a folder of its own, made by `pg_basebackup`. Its guardian ends it as
/// that of the server does.
final class PostgresReplica: Sendable {
  /// A server with its replica that tests share, one after another: some stop the replica.
  static let shared = Result {
    let server = try PostgresServer()
    let replica = try PostgresReplica(of: server)
    atexit { PostgresReplica.endShared() }
    return (server: server, replica: replica)
  }

  private static func endShared() {
    guard let (server, replica) = try? shared.get() else { return }
    replica.end()
    server.end()
  }

  let folder: String
  private let guardian: TestProcess

  /// Makes a replica of a server, and starts it.
  init(of server: PostgresServer) throws {
    let binaries = try PostgresServer.binaries()
    var template = Array("/tmp/coach-replica.XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw PostgresServer.Missing(description: "no folder can be made") }
    let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    self.folder = folder
    let user = getuid() == 0 ? "setpriv --reuid=postgres --regid=postgres --clear-groups" : ""
    let script = """
      export PATH=\(binaries):$PATH LC_ALL=C
      [ "$(id -u)" != 0 ] || chown postgres '\(folder)'
      cd '\(folder)'
      server=
      end() {
        [ -z "$server" ] || { kill -QUIT $server; wait $server; }
        cd /
        rm -rf '\(folder)'
      }
      trap end EXIT
      trap 'exit 1' TERM INT
      \(user) pg_basebackup -D data -h '\(server.folder)' -U coach -R -X stream -c fast --no-sync >backup.log 2>&1 \
        || { echo failed; exit 1; }
      start() {
        \(user) postgres -D data -k '\(folder)' -c listen_addresses= -c fsync=off -c max_connections=50 \
          -c shared_buffers=32MB -c max_standby_streaming_delay=1s >>server.log 2>&1 &
        server=$!
        i=0
        until pg_isready -q -h '\(folder)' -U coach; do
          i=$((i + 1)); [ $i -lt 300 ] || { echo failed; exit 1; }
          sleep 0.1
        done
        echo started
      }
      start
      while read -r verb; do
        case $verb in
        stop) kill -INT $server; wait $server; server=; echo stopped ;;
        start) start ;;
        esac
      done
      """
    guardian = try TestProcess("/bin/sh", ["-c", script])
    guard guardian.line(seconds: 120) == "started" else {
      throw PostgresServer.Missing(description: "the replica does not start: \(folder)")
    }
  }

  deinit { end() }

  private func end() {
    guardian.closeInput()
    guardian.wait()
  }

  /// Stops it as its owner does.
  func stop() throws {
    guardian.send("stop")
    try #require(guardian.line(seconds: 30) == "stopped")
  }

  /// Starts it again.
  func start() throws {
    guardian.send("start")
    try #require(guardian.line(seconds: 60) == "started")
  }

  /// The URL of a database.
  func url(_ database: String) -> String {
    "postgresql://coach@\(folder.replacingOccurrences(of: "/", with: "%2F"))/\(database)"
  }

  /// A connection to a database.
  func connection(_ database: String) throws -> PostgresConnection {
    try PostgresConnection(PostgresAddress(url(database)), name: "test", seconds: 10)
  }

  /// Has it fall behind from now on, or go on.
  func hold(_ isHeld: Bool) throws {
    try connection("postgres").execute("SELECT pg_wal_replay_\(isHeld ? "pause" : "resume")()")
  }
}
