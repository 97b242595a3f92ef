import FleetStore
import Foundation
import Testing
import TextFormats
@testable import WorkoutTestSupport

/// `coach token create --session`, in a folder and in a database.
@Suite("A token of one session from the terminal", .serialized)
struct SessionTokenVerbTests {
  private static let words = ["token", "create", "--scope", "watch", "--session"]
  private static let missing = [
    "20261120T070000Z-running-ffffffff", "20261120T070000Z", "../sessions",
  ]

  @Test("A token of a session that is there is made, in both stores; of one that is not, none is, and one line says so")
  func onlyOfSessions() async throws {
    let store = try CopiedStore()
    try await store.fill()
    _ = try store.record(into: "database")
    let sessions = try CopiedStore.sessions(store.data)
    #expect(sessions.count == 3)
    let database = ["--database", store.url, "--data-dir", store.folder.path + "/none"]
    for place in [[], database] {
      func count() throws -> Int { try store.coach(["token", "list", "--format", "jsonl"] + place).lines.count }
      let before = try count()
      for id in sessions {
        let made = try store.coach(Self.words + [id] + place)
        #expect(made.status == 0, "\(made.text)")
      }
      #expect(try count() == before + sessions.count)
      for id in Self.missing {
        let refused = try store.coach(Self.words + [id] + place)
        #expect(refused.status == 66, "\(id): \(refused.text)")
        #expect(refused.lines == ["coach: --session: there is no such session: expected the whole identity of one"])
      }
      #expect(try count() == before + sessions.count)
    }
  }

  @Test("A folder in which nothing was ever kept stays as it is when a token is refused")
  func nothingIsMade() throws {
    let store = try CopiedStore()
    let folder = store.folder.path + "/new"
    for id in Self.missing {
      #expect(try store.coach(Self.words + [id, "--data-dir", folder]).status == 66)
    }
    #expect(!FileManager.default.fileExists(atPath: folder))
  }

  @Test("A session that only the folder of an instance has is none of the database")
  func cacheIsNoStore() async throws {
    let store = try CopiedStore()
    try await store.fill()
    let id = try #require(CopiedStore.sessions(store.data).first)
    let refused = try store.coach(Self.words + [id, "--database", store.url])
    #expect(refused.status == 66, "\(refused.text)")
    #expect(try store.count("grant_ WHERE session = '\(id)'") == 0)
  }
}
