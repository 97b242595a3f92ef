import FleetStore
import Foundation
import Glibc
import Synchronization

/// A PostgreSQL of the machine that a test starts for itself, in a folder of its own, at a socket in there. A guardian, whose
/// standard input is held by the tests, stops it and removes the folder when they are gone, whatever way.
final class PostgresServer: Sendable {
  struct Missing: Error, CustomStringConvertible {
    let description: String
  }

  /// The server that tests share which do not stop it.
  static let shared = Result {
    let server = try PostgresServer()
    // Nothing of it is left when the last test has ended.
    atexit { PostgresServer.endShared() }
    return server
  }

  private static func endShared() { try? shared.get().end() }

  let folder: String
  private let guardian: TestProcess
  private let databases = Atomic(0)

  /// Where the programs of the server are.
  static func binaries() throws -> String {
    let folders = ["/usr/lib/postgresql/15/bin", "/usr/lib/postgresql/16/bin", "/usr/lib/postgresql/17/bin"]
    let found = folders.first { FileManager.default.isExecutableFile(atPath: $0 + "/initdb") }
    guard let found else {
      throw Missing(description: "PostgreSQL is not installed: scripts/prepare --list scripts/test-packages")
    }
    return found
  }

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - settings: of the server, such as `fsync=on`. Without it nothing waits for the disk: none of these tests cuts the power.
  ///   - source: the server that it is a replica of, which follows by streaming, made by `pg_basebackup`.
  init(_ settings: [String] = [], following source: PostgresServer? = nil) throws {
    let binaries = try Self.binaries()
    var template = Array("/tmp/coach-postgres.XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw Missing(description: "no folder can be made") }
    let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    self.folder = folder
    // The server refuses to run as root.
    let user = getuid() == 0 ? "setpriv --reuid=postgres --regid=postgres --clear-groups" : ""
    let making =
      source.map { "pg_basebackup -D data -h '\($0.folder)' -U coach -R -X stream -c fast --no-sync" }
      ?? "initdb -D data -U coach -A trust -E UTF8 --no-sync"
    let script = """
      export PATH=\(binaries):$PATH LC_ALL=C
      [ "$(id -u)" != 0 ] || chown postgres '\(folder)'
      cd '\(folder)'
      end() {
        [ -z "$server" ] || { kill -CONT $server; kill -QUIT $server; wait $server; }
        cd /
        rm -rf '\(folder)'
      }
      server=
      trap end EXIT
      trap 'exit 1' TERM INT
      \(user) \(making) >making.log 2>&1 || { echo failed; exit 1; }
      start() {
        \(user) postgres -D data -k '\(folder)' -c listen_addresses= -c fsync=off -c max_connections=200 \
          -c shared_buffers=32MB \(settings.map { "-c " + $0 }.joined(separator: " ")) >>server.log 2>&1 &
        server=$!
        i=0
        until pg_isready -q -h '\(folder)' -U coach; do
          i=$((i + 1)); [ $i -lt 300 ] || { echo failed; exit 1; }
          sleep 0.1
        done
        echo started $server
      }
      start
      while read -r verb; do
        case $verb in
        stop) kill -INT $server; wait $server; server=; echo stopped ;;
        crash) kill -QUIT $server; wait $server; server=; echo stopped ;;
        start) start ;;
        freeze) all="$server $(cat /proc/$server/task/$server/children)"; kill -STOP $all; echo frozen ;;
        thaw) kill -CONT $all; echo thawed ;;
        esac
      done
      """
    guardian = try TestProcess("/bin/sh", ["-c", script])
    guard guardian.line(seconds: source == nil ? 60 : 120)?.hasPrefix("started") == true else {
      throw Missing(description: "PostgreSQL does not start: \(folder)/server.log")
    }
  }

  deinit { end() }

  func end() {
    guardian.closeInput()
    guardian.wait()
  }

  /// Waits for what the guardian says of what it was told to do.
  private func expect(_ word: String, seconds: Double) throws {
    let line = guardian.line(seconds: seconds)
    guard line?.hasPrefix(word) == true else {
      throw Missing(description: "PostgreSQL: expected \(word), found \(line ?? "nothing"): \(folder)/server.log")
    }
  }

  /// Stops it as its owner does, or as if it had died.
  func stop(crashing: Bool = false) throws {
    guardian.send(crashing ? "crash" : "stop")
    try expect("stopped", seconds: 30)
  }

  /// Starts it again.
  func start() throws {
    guardian.send("start")
    try expect("started", seconds: 60)
  }

  /// Stops all its processes where they are, as when its machine hangs: connections stay, and nothing is answered.
  func freeze() throws {
    guardian.send("freeze")
    try expect("frozen", seconds: 30)
  }

  /// Lets them go on.
  func thaw() throws {
    guardian.send("thaw")
    try expect("thawed", seconds: 30)
  }

  /// The URL of a database.
  func url(_ database: String, user: String = "coach", more: String = "") -> String {
    let host = folder.replacingOccurrences(of: "/", with: "%2F")
    return "postgresql://\(user)@\(host)/\(database)\(more)"
  }

  /// A new database without anything in it.
  func database() throws -> String {
    let name = "test_\(databases.add(1, ordering: .relaxed).newValue)"
    let connection = try PostgresConnection(PostgresAddress(url("postgres")), name: "test", seconds: 10)
    try connection.execute("CREATE DATABASE \(name)")
    return name
  }

  /// A connection to a database.
  func connection(_ database: String, name: String = "test") throws -> PostgresConnection {
    try PostgresConnection(PostgresAddress(url(database)), name: name, seconds: 10)
  }

  /// An instance of a fleet.
  func store(
    _ database: String, _ name: String, leaseSeconds: Double = 30,
    migrations: [FleetMigration] = FleetSchema.migrations
  ) throws -> FleetStore {
    try FleetStore(
      PostgresAddress(url(database)), name: name, url: "http://\(name).test", leaseSeconds: leaseSeconds,
      migrations: migrations)
  }
}
