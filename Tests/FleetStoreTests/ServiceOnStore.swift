@testable import CoachService
import FleetStore
import Foundation
import LiveCoaching
import SessionStore
import Testing
import TextFormats
@testable import WorkoutTestSupport

/// A service on one of both stores, asked without a socket. It is closed and opened again with nothing but what its store
/// has.
final class ServiceOnStore {
  private let place: StorePlace
  private let program: String
  private let clock: any LiveClock
  private var settings: ServiceSettings
  private(set) var service: Service

  /// Opens a service on an empty store.
  ///
  /// - Parameters:
  ///   - program: what reads the files of others.
  ///   - clock: that of its machine.
  init(
    _ kind: StoreKind, program: String = "/nonexistent", clock: any LiveClock = SystemLiveClock()
  ) async throws {
    self.clock = clock
    self.program = program
    place = try StorePlace(kind)
    settings = ServiceSettings(dataFolder: StoredPath(dataFolder: place.folder.path))
    service = Service(settings, url: Self.url, clock: clock)
    try await open()
  }

  private static let url = "http://127.0.0.1:9000"

  private func open() async throws {
    settings = try place.settings(url: Self.url)
    settings.program = program
    service = Service(settings, url: Self.url, clock: clock)
    try await service.open()
    await service.waitForSessions()
    let deadline = ContinuousClock.now + .seconds(60)
    while let fleet = settings.fleet, fleet.store.leases.count < FleetShard.count, ContinuousClock.now < deadline {
      try await Task.sleep(nanoseconds: 10_000_000)
    }
  }

  /// Closes the service and opens another one on the same store.
  func reopen() async throws {
    await service.close()
    try await open()
  }

  func close() async { await service.close() }

  // MARK: - Asking

  /// A token for everything.
  func token(person: String? = nil) async throws -> IssuedSecret {
    let made = IssuedSecret.token(
      Set(Scope.allCases), person: person, session: nil, group: nil, days: 1, now: service.clock.now())
    try await service.store.add(made.grant)
    try await service.access.refresh(always: true)
    return made
  }

  /// Sends a request; one that comes while a session is taken over is sent again.
  func send(
    _ method: String, _ path: String, _ token: IssuedSecret? = nil, body: String? = nil,
    type: String = "application/json", headers: [HTTPField] = []
  ) async throws -> HTTPResponse {
    var response = HTTPResponse(500)
    for _ in 0..<200 {
      response = await service.call(method, path, token, body: body, type: type, headers: headers)()
      if response.status != 503 { break }
      try await Task.sleep(nanoseconds: 50_000_000)
    }
    return response
  }

  /// Begins a session with a judgement each twenty seconds; its identity.
  func begin(_ token: IssuedSecret, headers: [HTTPField] = []) async throws -> String {
    let response = try await send("POST", "/v1/sessions", token, body: Self.order, headers: headers)
    try #require(response.status == 201, "\(response.text)")
    return try #require(response.json?["sessionID"]?.string)
  }

  /// Sends heart rates, one a second, as a batch; the answer.
  func take(_ id: String, _ seconds: Range<Int>, _ token: IssuedSecret) async throws -> HTTPResponse {
    try await send(
      "POST", "/v1/sessions/\(id)/samples?batch=\(seconds.lowerBound)", token,
      body: FleetServiceHarness.heartRates(seconds), type: FleetServiceHarness.lines)
  }

  /// Stops a session.
  func stop(_ id: String, _ token: IssuedSecret) async throws {
    let stop = #"{"type":"command","id":"stop","command":"stop"}"#
    let answer = try await send("POST", "/v1/sessions/\(id)/commands", token, body: stop)
    try #require(answer.status == 200, "\(answer.text)")
  }

  /// A session of some seconds that is over.
  func session(of seconds: Int, _ token: IssuedSecret) async throws -> String {
    let id = try await begin(token)
    try #require(try await take(id, 0..<seconds, token).status == 200)
    try await stop(id, token)
    return id
  }

  /// The sessions of a list, as it has them.
  func listed(_ query: String, _ token: IssuedSecret) async throws -> [String] {
    let answer = try await send("GET", "/v1/sessions" + query, token)
    try #require(answer.status == 200, "\(answer.text)")
    return answer.json?["sessions"]?.array?.compactMap { $0["sessionID"]?.string } ?? []
  }

  static let order =
    #"{"profile":{"ageYears":23},"target":"z2","strategy":{"kind":"moment","every":20},"clock":"samples"}"#

  // MARK: - What is kept

  /// A file of a session that is over; an export of the store has the same.
  func file(_ name: String, of id: String) throws -> String {
    let folder = SessionFolder.path(of: id, in: settings.dataFolder)
    return try String(contentsOfFile: (folder + "/" + name).path, encoding: .utf8)
  }

  /// The lines of the audit, read by somebody else, after the service was closed.
  func audit() throws -> [String] {
    try place.audit(in: settings.dataFolder).split(separator: "\n").map(String.init)
  }
}
