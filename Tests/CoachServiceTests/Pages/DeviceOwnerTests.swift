@testable import CoachService
import Foundation
import Testing
import TextFormats
@testable import WorkoutHistory
import WorkoutSession
@testable import WorkoutTestSupport

@Suite("Whose a run on a device is")
struct DeviceOwnerTests {
  /// By what `/send` knows that for who is signed in.
  private static func names(_ harness: ServiceHarness, _ cookie: HTTPField) async throws -> [String] {
    let text = await harness.send("GET", "/send", headers: [cookie]).text
    let parts = text.components(separatedBy: "data-owner=\"")
    try #require(parts.count == 2)
    return parts[1].prefix { $0 != "\"" }.split(separator: " ").map(String.init)
  }

  private static func person(_ name: String, _ harness: ServiceHarness) async throws {
    let made = await harness.send(
      "POST", "/v1/people", try await harness.token([.manage]), body: #"{"name":"\#(name)","birthDate":"1990-05-17"}"#)
    try #require(made.status == 201, "\(made.text)")
  }

  @Test("It is the same at each sign-in of a person, another for everybody else, and says nothing of them")
  func people() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    for name in ["ann", "bob"] { try await Self.person(name, harness) }
    var seen: Set<String> = []
    for person in [nil, "ann", "bob", "cleo"] {
      let names = try await Self.names(harness, try await harness.signIn(person: person))
      #expect(try await Self.names(harness, try await harness.signIn(person: person)) == names, "\(person ?? "owner")")
      // What is kept is of the first.
      let first = try #require(names.first)
      for name in names {
        #expect(name.utf8.count == 16)
        #expect(!name.contains("ann"))
        #expect(!name.contains("bob"))
        #expect(seen.insert(name).inserted, "\(person ?? "owner")")
      }
      let profile = try? ProfileStore(dataFolder: harness.service.settings.dataFolder).profile(named: person ?? "")
      #expect(profile?.id.map { first.contains($0.description) } ?? false == false)
    }
    await harness.service.close()
  }

  @Test("A run is theirs still when they are called otherwise, and not of whoever has the old name")
  func renamed() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    try await Self.person("ann", harness)
    let cookie = try await harness.signIn(person: "ann")
    let before = try await Self.names(harness, cookie)
    try ProfileStore(dataFolder: harness.service.settings.dataFolder)
      .renameEverywhere("ann", to: "anna", id: ProfileID.drawn())
    await harness.service.tick()
    #expect(try await Self.names(harness, cookie).contains(before[0]))
    try await Self.person("ann", harness)
    #expect(try await !Self.names(harness, try await harness.signIn(person: "ann")).contains(before[0]))
    await harness.service.close()
  }

  @Test("A run from before somebody had a profile is theirs when they have one")
  func withoutProfile() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let cookie = try await harness.signIn(person: "ann")
    let before = try await Self.names(harness, cookie)
    #expect(before.count == 1)
    try await Self.person("ann", harness)
    let after = try await Self.names(harness, cookie)
    #expect(after.contains(before[0]))
    #expect(after[0] != before[0])
    await harness.service.close()
  }

  @Test("A run from before the profile had an identity is theirs under another name")
  func oldProfile() {
    let old = StoredProfile(id: nil, name: "ann", recordedAs: nil)
    let before = DeviceOwner.names(of: "ann", old)
    #expect(before.count == 1)
    let identified = old.identified(by: ProfileID.drawn())
    #expect(DeviceOwner.names(of: "anna", identified).contains(before[0]))
  }

  @Test("What is kept on a device is asked for by those names, and never by another's")
  func script() {
    for part in ["isOfOthers(cursor.value)", "owner: this.owners[0]", "this.isOwn(row)", "this.isOwn(cursor.value)"] {
      #expect(QueueScript.text.contains(part), "\(part)")
    }
    #expect(SendScript.text.contains("Queue.open(owners"))
  }
}
