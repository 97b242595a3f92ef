@testable import CoachService
import FleetStore
import Foundation
import LiveCoaching
import Testing
import TextFormats
@testable import WorkoutTestSupport

/// A service in a scratch folder, or in front of a database, asked without a socket.
struct ServiceHarness {
  private static let url = "http://127.0.0.1:8080"

  let place: StorePlace
  let service: Service

  /// What its store has beside a database.
  var folder: ScratchFolder { place.folder }

  /// Opens a service in a folder; `clock` is its time, and `waits` whether sessions of before go on before anything is asked.
  init(
    _ folder: ScratchFolder, clock: any LiveClock = SystemLiveClock(), program: String = "/nonexistent",
    waits: Bool = true,
    settings change: (inout ServiceSettings) -> Void = { _ in }
  ) async throws {
    try await self.init(StorePlace(folder), clock: clock, program: program, waits: waits, settings: change)
  }

  /// Opens a service on a store, with all shards where instances share it.
  init(
    _ place: StorePlace, clock: any LiveClock = SystemLiveClock(), program: String = "/nonexistent",
    waits: Bool = true,
    settings change: (inout ServiceSettings) -> Void = { _ in }
  ) async throws {
    self.place = place
    var settings = try place.settings(url: Self.url)
    settings.program = program
    change(&settings)
    service = Service(settings, url: Self.url, clock: clock)
    try await service.open()
    if waits { await service.waitForSessions() }
    let deadline = ContinuousClock.now + .seconds(60)
    while let fleet = settings.fleet, fleet.store.leases.count < FleetShard.count, ContinuousClock.now < deadline {
      try await Task.sleep(nanoseconds: 10_000_000)
    }
  }

  /// A new token.
  func token(_ scopes: Set<Scope>, person: String? = nil, session: String? = nil) async throws -> IssuedSecret {
    let made = IssuedSecret.token(
      scopes, person: person, session: session, group: nil, days: 1, now: service.clock.now())
    try await service.store.add(made.grant)
    try await service.access.refresh(always: true)
    return made
  }

  /// Sends a request; at an instance one that comes while a session is taken over is sent again.
  ///
  /// - Parameters:
  ///   - path: the path with its query, as it is sent.
  ///   - headers: beside `Host`, `Authorization` and those of the body.
  func send(
    _ method: String, _ path: String, _ token: IssuedSecret? = nil, body: String? = nil,
    type: String = "application/json",
    headers: [HTTPField] = []
  ) async -> HTTPResponse {
    var response = await sendOnce(method, path, token, body: body, type: type, headers: headers)
    for _ in 0..<100 where place.kind == .shared && response.status == 503 {
      // It is not answered at all.
      if case .close = response.content { break }
      try? await Task.sleep(nanoseconds: 50_000_000)
      response = await sendOnce(method, path, token, body: body, type: type, headers: headers)
    }
    return response
  }

  private func sendOnce(
    _ method: String, _ path: String, _ token: IssuedSecret?, body: String?, type: String, headers: [HTTPField]
  ) async -> HTTPResponse {
    var all = headers
    if !headers.contains(where: { $0.name == "Host" }) { all.append(HTTPField("Host", "127.0.0.1:8080")) }
    if let token { all.append(HTTPField("Authorization", "Bearer \(token.secret)")) }
    if let body {
      all.append(HTTPField("Content-Type", type))
      all.append(HTTPField("Content-Length", "\(body.utf8.count)"))
    }
    let parts = path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let query: [HTTPField] =
      parts.count < 2
      ? []
      : parts[1].split(separator: "&").map { pair in
        let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return HTTPField(String(sides[0]), sides.count < 2 ? "" : String(sides[1]))
      }
    let head = HTTPHead(
      method: method, path: String(parts[0]), query: query, headers: all, address: "127.0.0.1", byteCount: 200)
    var admission = service.handler.admit(head)
    while case .undecided(let look) = admission { admission = await look() }
    switch admission {
    case .undecided: return HTTPResponse(500)
    case .refused(let response): return response
    case .taken(let taken):
      let bytes = Array((body ?? "").utf8)
      return bytes.count > taken.bodyLimit ? taken.tooLarge() : await taken.answer(HTTPRequest(head, body: bytes))
    }
  }

  /// Begins a session of somebody of 23 with a check each minute; its identity.
  func begin(_ token: IssuedSecret, _ order: String = Self.order) async throws -> String {
    let response = await send("POST", "/v1/sessions", token, body: order)
    try #require(response.status == 201, "\(response.text)")
    return try #require(response.json?["sessionID"]?.string)
  }

  /// Opens the stream of the events of a session or a board.
  ///
  /// - Parameter last: the number of the last event that its reader has.
  func stream(_ path: String, _ token: IssuedSecret, last: String? = nil) async throws -> any HTTPStream {
    var headers = [HTTPField("Accept", "text/event-stream")]
    if let last { headers.append(HTTPField("Last-Event-ID", last)) }
    let answer = await send("GET", "\(path)/events", token, headers: headers)
    guard answer.status == 200, case .stream(let stream) = answer.content else {
      throw NoStream(answer: "\(answer.status) \(answer.text)")
    }
    return stream
  }

  /// That there is no stream, and what was answered.
  private struct NoStream: Error { let answer: String }

  /// The audit, read by somebody else, after the service was closed.
  func audit() throws -> String { try place.audit(in: service.settings.dataFolder) }

  /// The program that is built beside the tests.
  static var builtProgram: String {
    let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent("coach").path
  }

  static let order =
    #"{"profile":{"ageYears":23},"target":"z2","strategy":{"kind":"moment","every":60},"clock":"samples"}"#

  /// Lines of heart rates, one a second from a second on.
  static func heartRates(_ seconds: Range<Int>) -> String {
    seconds.map { #"{"type":"heartRate","atSeconds":\#($0),"beatsPerMinute":\#(100 + $0 % 60)}"# + "\n" }.joined()
  }
}

extension HTTPResponse {
  /// The body as text; empty for a stream.
  var text: String {
    guard case .bytes(let bytes) = content else { return "" }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The body as JSON.
  var json: JSONValue? { try? JSONValue.parse(text) }

  /// The first header of a name.
  func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}
