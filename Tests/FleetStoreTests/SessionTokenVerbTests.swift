import CoachService
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

  @Test("With a person the session has to be theirs, in both stores; foreign and missing are alike")
  func foreign() async throws {
    let store = try CopiedStore()
    try await store.fill()
    #expect(try store.coach(["profile", "create", "bea", "--birth-date", "1991-05-01"]).status == 0)
    _ = try store.record(into: "database")
    // Of anna are the first import and what the service held, of nobody the second import.
    let nobodys = try CopiedStore.sessions(store.data).filter { $0.hasPrefix("20261119T070000Z") }
    let annas = try CopiedStore.sessions(store.data).filter { !nobodys.contains($0) }
    try #require(annas.count == 2)
    try #require(nobodys.count == 1)
    for place in [[], ["--database", store.url, "--data-dir", store.folder.path + "/none"]] {
      func create(_ id: String, _ person: String) throws -> (status: Int, lines: [String]) {
        let outcome = try store.coach(Self.words + [id, "--person", person] + place)
        return (outcome.status, outcome.lines)
      }
      for id in annas { #expect(try create(id, "anna").status == 0, "\(id) \(place)") }
      let missing = try create(Self.missing[0], "bea")
      #expect(missing.status == 66)
      for (id, person) in annas.map({ ($0, "bea") }) + nobodys.flatMap({ [($0, "bea"), ($0, "anna")] }) {
        let refused = try create(id, person)
        #expect(refused == missing, "\(id) of \(person), \(place): \(refused)")
      }
    }
  }

  @Test("A group has to be there, and with a person theirs or joined by them; a session beside it is a usage error")
  func groups() async throws {
    let store = try CopiedStore()
    try await store.fill()
    _ = try store.record(into: "database")
    let service = ServiceStore(dataFolder: store.data)
    let group = try #require(try await service.groups().first?.id)
    await service.close()
    for place in [[], ["--database", store.url, "--data-dir", store.folder.path + "/none"]] {
      func create(_ words: String...) throws -> (status: Int, lines: [String]) {
        let outcome = try store.coach(["token", "create", "--scope", "watch"] + words + place)
        return (outcome.status, outcome.lines)
      }
      #expect(try create("--group", group).status == 0)
      #expect(try create("--group", group, "--person", "anna").status == 0)
      let missing = try create("--group", "ffffffffffffffff", "--person", "bea")
      #expect(missing.status == 66)
      #expect(
        missing.lines == ["coach: --group: there is no such group: expected the identity of one that was made"])
      #expect(try create("--group", group, "--person", "bea") == missing, "\(place)")
      let both = try create("--group", group, "--session", Self.missing[0])
      #expect(both.status == 64)
      #expect(both.lines.count == 1, "\(both)")
    }
  }
}
