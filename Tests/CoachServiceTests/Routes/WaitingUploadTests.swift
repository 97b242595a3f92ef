@testable import CoachService
import Synchronization
import Testing
import TextFormats
import WorkoutHistory
import WorkoutSession
@testable import WorkoutTestSupport

@Suite("Uploads that wait for their turn while the name of their person becomes somebody else's")
struct WaitingUploadTests {
  private static let scopes: Set<Scope> = [.send, .watch, .manage]

  private static let csv: String = {
    var text = "time,heart_rate\n"
    for second in 0..<200 {
      let (minutes, seconds) = (second / 60, second % 60)
      text += "2026-01-05T07:0\(minutes):\(seconds < 10 ? "0" : "")\(seconds)Z,\(110 + second % 40)\n"
    }
    return text
  }()

  /// Whether the verbs are let go that have both places.
  private final class Gate: Sendable {
    private let isShut = Mutex(true)
    var keeps: Bool { isShut.withLock { $0 } }
    func open() { isShut.withLock { $0 = false } }
  }

  /// Runs verbs that have both places until the gate opens: each replays a recording as fast as it was run.
  private static func occupy(_ programs: ProgramRunner, until gate: Gate) async throws -> [Task<Void, any Error>] {
    let long = "seconds,heart_rate\n" + (0..<3_600).map { "\($0),120\n" }.joined()
    let tasks = (0..<2).map { _ in
      Task<Void, any Error> {
        _ = try await programs.run(
          ["replay", "/dev/stdin", "--age", "30", "--target", "z2", "--speed", "1", "--format", "jsonl"],
          input: HTTPBody(Array(long.utf8)), isWanted: { gate.keeps })
      }
    }
    while programs.depth < 2 { try await Task.sleep(for: .milliseconds(5)) }
    return tasks
  }

  @Test(
    "They are done for whoever was meant, or for nobody, and never for whoever has the name by then",
    .enabled(if: !SanitizedBuild.isRunning, "a sanitizer takes more memory than the limit"), arguments: [true, false])
  func anotherPerson(isRenamed: Bool) async throws {
    let harness = try await ServiceHarness(ScratchFolder(), program: ServiceHarness.builtProgram)
    let owner = try await harness.token(Self.scopes)
    _ = await harness.send("POST", "/v1/people", owner, body: #"{"name":"ann","birthDate":"1990-05-17"}"#)
    let (ann, watch) = (
      try await harness.token(Self.scopes, person: "ann"), try await harness.token([.watch], person: "ann")
    )
    let (programs, gate) = (harness.service.programs, Gate())
    let others = try await Self.occupy(programs, until: gate)
    @Sendable func send(_ path: String, _ token: IssuedSecret) -> Task<HTTPResponse, Never> {
      Task { await harness.send("POST", path, token, body: Self.csv, type: "text/csv") }
    }
    let (own, byOwner) = (send("/v1/import", ann), send("/v1/import?person=ann", owner))
    let replay = send("/v1/replay?profile=ann&target=z2", watch)
    while programs.depth < 5 { try await Task.sleep(for: .milliseconds(5)) }
    let profiles = ProfileStore(dataFolder: harness.service.settings.dataFolder)
    if isRenamed {
      try profiles.renameEverywhere("ann", to: "anna", id: ProfileID.drawn())
    } else {
      let terminal = ServiceStore(dataFolder: harness.service.settings.dataFolder)
      try await terminal.forgetAuthority(of: "ann")
      try profiles.remove("ann", keepsName: true)
      await terminal.close()
    }
    var next = StoredProfile(id: ProfileID.drawn(), name: "ann")
    next.birthDate = CivilDate(year: 1950, month: 2, day: 3)
    try profiles.create(next)
    gate.open()
    for other in others { try await other.value }
    let (ownAnswer, ownersAnswer, replayed) = (await own.value, await byOwner.value, await replay.value)
    #expect(ownAnswer.status == 401, "\(ownAnswer.text)")
    #expect(replayed.status == 401, "\(replayed.text)")
    #expect(ownersAnswer.status == 404, "\(ownersAnswer.text)")
    #expect(ownersAnswer.json?["parameter"]?.string == "person")
    #expect(await harness.send("GET", "/v1/sessions", owner).json?["sessions"]?.array?.isEmpty == true)
    // Whoever is meant now has it.
    let newcomer = try await harness.token(Self.scopes, person: "ann")
    #expect(await send("/v1/import", newcomer).value.json?["status"]?.string == "added")
    #expect(await send("/v1/replay?profile=ann&target=z2", newcomer).value.status == 200)
    if isRenamed { #expect(await send("/v1/import", ann).value.json?["status"]?.string == "added") }
    await harness.service.close()
  }
}
