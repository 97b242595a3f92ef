import Foundation
import Testing
import TextFormats
@testable import WorkoutTestSupport

/// Which libraries a process of the program has opened: those that the system lists among what it has mapped.
@Suite("When libpq is opened", .serialized)
struct LibraryOpeningTests {
  /// The libraries of a process, as the system names their files.
  private func libraries(of process: TestProcess) throws -> Set<String> {
    let maps = String(
      decoding: try POSIXFile(reading: "/proc/\(process.identifier)/maps").readAll(maximumBytes: 1 << 22), as: UTF8.self
    )
    let names = maps.split(separator: "\n").compactMap { line in
      line.split(separator: "/").last.map(String.init).flatMap { $0.hasPrefix("lib") ? $0 : nil }
    }
    return Set(names.map { String($0.prefix { $0 != "." }) })
  }

  /// Runs the service until it listens; what it has opened by then.
  private func librariesOfService(_ folder: ScratchFolder, _ more: [String]) throws -> Set<String> {
    let service = try TestProcess(
      CopiedStore.program(),
      ["serve", "--listen", "127.0.0.1:0", "--data-dir", folder.path + "/data", "--format", "jsonl"] + more,
      environment: ["HOME": folder.path])
    defer { service.end(SIGTERM) }
    let line = try #require(service.line(seconds: 60))
    try #require(line.contains(#""type":"listening""#), "\(line)")
    return try libraries(of: service)
  }

  @Test("A service alone has not opened it, and one in front of a database has")
  func service() throws {
    let alone = try librariesOfService(ScratchFolder(), [])
    // Where nothing at all was found the other expectation would say nothing.
    #expect(alone.contains("libmicrohttpd"), "\(alone)")
    #expect(!alone.contains("libpq"), "\(alone)")
    let server = try PostgresServer.shared.get()
    let shared = try librariesOfService(ScratchFolder(), ["--database", server.url(try server.database())])
    #expect(shared.contains("libpq"), "\(shared)")
  }

  @Test("No verb of a folder needs it, and what asks for a database says in one line where it is missing")
  func missing() throws {
    // A name in front of the library of the system, which is none.
    let folder = try ScratchFolder()
    _ = try folder.write("no library", "libpq.so.5")
    let store = try CopiedStore()
    let environment = ["LD_LIBRARY_PATH": folder.path]
    for verb in [["history", "list"], ["profile", "create", "ann", "--birth-date", "1990-05-01"], ["token", "list"]] {
      let outcome = try store.coach(verb, environment: environment)
      #expect(outcome.status == 0, "\(verb): \(outcome.text)")
    }
    for verb in [["token", "list"], ["store", "copy", "--into", "database"]] {
      let outcome = try store.coach(verb + ["--database", store.url], environment: environment)
      #expect(outcome.status == 69, "\(verb): \(outcome.text)")
      #expect(outcome.lines.count == 1, "\(verb): \(outcome.text)")
      #expect(outcome.text.contains("libpq"), "\(verb): \(outcome.text)")
    }
  }
}
