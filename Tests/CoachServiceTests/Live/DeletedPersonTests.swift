@testable import CoachService
import SessionStore
import Testing
import TextFormats
import WorkoutHistory
@testable import WorkoutTestSupport

@Suite("A session that is begun for somebody who is deleted")
struct DeletedPersonTests {
  @Test("An owner begins none once the profile is gone, though it was there when the request was read")
  func begin() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let owner = try await harness.token([.manage])
    let body = #"{"name":"ann","birthDate":"1990-05-17"}"#
    #expect(await harness.send("POST", "/v1/people", owner, body: body).status == 201)
    let profiles = ProfileStore(dataFolder: harness.service.settings.dataFolder)
    let ann = try #require(try profiles.profile(named: "ann").id)
    let rows = (0..<3).map { number in
      BegunSession(
        id: "20261120T070000Z-running-0000000\(number)", person: "ann", maker: owner.grant.caller.id,
        request: ServiceHarness.order, createdAt: .morning())
    }
    let store = harness.service.store
    #expect(try await store.begin(rows[0], key: nil, liveLimit: 3, as: ann) == .new)
    // As at a terminal, where the profile goes before what the service keeps by the name.
    try profiles.remove("ann", keepsName: false)
    #expect(try await store.begin(rows[1], key: ("k", [1]), liveLimit: 3, as: ann) == .gone)
    #expect(await harness.send("POST", "/v1/people", owner, body: body).status == 201)
    #expect(try await store.begin(rows[1], key: ("k", [1]), liveLimit: 3, as: ann) == .gone)
    #expect(try await store.openSession(rows[1].id) == nil)
    let next = try #require(try profiles.profile(named: "ann").id)
    #expect(try await store.begin(rows[2], key: ("k", [1]), liveLimit: 3, as: next) == .new)
    await harness.service.close()
  }
}
