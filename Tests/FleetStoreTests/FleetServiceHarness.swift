import ActivityRecognition
@testable import CoachService
import FleetStore
import Foundation
import LiveCoaching
import SessionStore
import Synchronization
import Testing
import TextFormats
@testable import WorkoutTestSupport

/// The clock that nobody sets, and that goes ahead when a test says so, as for a program that was stopped.
final class MovedClock: Sendable {
  private let ahead = Atomic<Int64>(0)

  /// Nanoseconds.
  var elapsed: Int64 { MonotonicClock.sinceBoot &+ ahead.load(ordering: .relaxed) }

  /// Goes ahead.
  func advance(seconds: Double) { ahead.add(Int64(seconds * 1e9), ordering: .relaxed) }
}

/// The clock of a machine that is wrong by some seconds, and that goes ahead when a test says so.
final class WrongClock: LiveClock {
  private let offset: Int64
  private let ahead = Atomic<Int64>(0)

  /// - Parameter seconds: how far it is ahead of the time of day; below 0 it is behind.
  init(seconds: Int64 = 0) { offset = seconds * 1_000_000_000 }

  /// Lets time go by.
  func advance(seconds: Int64) { ahead.add(seconds * 1_000_000_000, ordering: .relaxed) }

  func now() -> WallClockTime {
    WallClockTime(nanoseconds: SystemWallClock.now().nanoseconds + offset + ahead.load(ordering: .relaxed))
  }

  func elapsed() -> Int64 { MonotonicClock.sinceBoot + ahead.load(ordering: .relaxed) }

  func call(at elapsed: Int64, _ body: @escaping @Sendable () -> Void) {
    SystemLiveClock().call(at: elapsed - ahead.load(ordering: .relaxed), body)
  }
}

/// Instances of a service in one process, in front of one database, asked without sockets.
final class FleetServiceHarness {
  static let leaseSeconds = StorePlace.leaseSeconds

  let server: PostgresServer
  let database: String
  let folder: ScratchFolder
  private(set) var services: [Service] = []
  /// What instances count their leases by.
  let clock = MovedClock()

  private let program: String
  private let replica: PostgresServer?
  private let relay: SocketRelay?
  private let models: [[SharedModel]]
  private let isBehindProxy: Bool
  private let leases: Double
  private let clocks: [any LiveClock]

  /// - Parameters:
  ///   - program: what reads the files of others.
  ///   - replica: what instances read the history from.
  ///   - relay: what stands between the instances and the server.
  ///   - models: those of the first instances, which recognise activities; the others have none.
  ///   - isBehindProxy: whether a proxy is in front of them.
  ///   - leaseSeconds: how long leases last: with many an instance asks for them when a test has it do so, and at no other time.
  ///   - clocks: those of the machines of the first instances; the others have the right time.
  init(
    _ server: PostgresServer, instances: Int = 2, program: String = "/nonexistent", replica: PostgresServer? = nil,
    relay: SocketRelay? = nil, models: [[SharedModel]] = [], isBehindProxy: Bool = false, clocks: [any LiveClock] = [],
    leaseSeconds: Double = FleetServiceHarness.leaseSeconds
  ) async throws {
    leases = leaseSeconds
    self.clocks = clocks
    self.isBehindProxy = isBehindProxy
    self.models = models
    self.relay = relay
    self.server = server
    self.program = program
    self.replica = replica
    database = try server.database()
    folder = try ScratchFolder()
    for _ in 0..<instances { try await start() }
    try await share()
  }

  /// Starts another instance; its number.
  @discardableResult
  func start() async throws -> Int {
    let number = services.count
    var settings = ServiceSettings(dataFolder: StoredPath(dataFolder: folder.path + "/instance-\(number)"))
    settings.program = program
    settings.models = number < models.count ? models[number] : []
    settings.isBehindProxy = isBehindProxy
    settings.fleet = try serviceFleet(number)
    let clock = number < clocks.count ? clocks[number] : SystemLiveClock()
    let service = Service(settings, url: Self.url(number), clock: clock)
    try await service.open()
    await service.waitForSessions()
    services.append(service)
    return number
  }

  /// Starts an instance that was closed again, in its folder; its number.
  func restart(_ old: Int) async throws -> Int {
    let number = services.count
    var settings = ServiceSettings(dataFolder: services[old].settings.dataFolder)
    settings.program = services[old].settings.program
    settings.models = services[old].settings.models
    settings.isBehindProxy = isBehindProxy
    settings.fleet = try serviceFleet(number)
    let service = Service(settings, url: Self.url(number))
    try await service.open()
    await service.waitForSessions()
    services.append(service)
    return number
  }

  private func serviceFleet(_ number: Int) throws -> ServiceFleet {
    let url = server.url(database)
    let through = relay.map { url.replacing(Self.host(server.folder), with: Self.host($0.folder)) }
    return ServiceFleet(
      try PostgresAddress(through ?? url), url: Self.url(number), leaseSeconds: leases,
      replica: try replica.map { try PostgresAddress($0.url(database)) }, restSeconds: 0.2,
      elapsed: { [clock] in clock.elapsed })
  }

  private static func host(_ folder: String) -> String { folder.replacing("/", with: "%2F") }

  static func url(_ number: Int) -> String { "http://127.0.0.1:\(9_000 + number)" }

  /// Waits until the shards are spread over the instances, which know it.
  private func share() async throws {
    let share = (FleetShard.count + services.count - 1) / services.count
    func counts() -> [Int] { services.map { $0.settings.fleet?.store.leases.count ?? 0 } }
    let deadline = ContinuousClock.now + .seconds(60)
    while counts().contains(where: { $0 > share }) || counts().reduce(0, +) < FleetShard.count,
      ContinuousClock.now < deadline
    {
      for service in services { await service.settings.fleet?.takeExpired() }
      try await Task.sleep(nanoseconds: 10_000_000)
    }
    try #require(counts().reduce(0, +) == FleetShard.count, "\(counts())")
  }

  func close() async {
    for service in services { await service.close() }
  }

  /// A token for everybody's things.
  func token(
    _ scopes: Set<Scope> = Set(Scope.allCases), person: String? = nil
  ) async throws -> IssuedSecret {
    let made = IssuedSecret.token(
      scopes, person: person, session: nil, group: nil, days: 1, now: SystemWallClock.now())
    try await services[0].store.add(made.grant)
    return made
  }

  /// Sends a request to an instance.
  func send(
    _ number: Int, _ method: String, _ path: String, _ token: IssuedSecret? = nil, body: String? = nil,
    type: String = "application/json", headers: [HTTPField] = []
  ) async -> HTTPResponse {
    await call(number, method, path, token, body: body, type: type, headers: headers)()
  }

  /// A request to an instance that can be sent beside others.
  func call(
    _ number: Int, _ method: String, _ path: String, _ token: IssuedSecret? = nil, body: String? = nil,
    type: String = "application/json", headers: [HTTPField] = []
  ) -> @Sendable () async -> HTTPResponse {
    services[number].call(method, path, token, body: body, type: type, headers: headers)
  }

  /// Sends it to whom the answer says, and again while a session is being taken over, for ten seconds at most.
  func sendAnywhere(
    _ number: Int, _ method: String, _ path: String, _ token: IssuedSecret, body: String? = nil,
    type: String = "application/json", headers: [HTTPField] = [], without gone: Set<Int> = []
  ) async throws -> (response: HTTPResponse, number: Int) {
    var number = number
    var response = HTTPResponse(500)
    for _ in 0..<200 {
      response = await send(number, method, path, token, body: body, type: type, headers: headers)
      if response.status == 421 {
        let location = try #require(response.header("Location"))
        let next = try #require(services.indices.first { location == Self.url($0) + path })
        if !gone.contains(next) { number = next }
      } else if response.status != 503 {
        break
      }
      try await Task.sleep(nanoseconds: 50_000_000)
    }
    return (response, number)
  }

  /// Begins a session with a check each minute at an instance; its identity.
  func begin(
    _ number: Int, _ token: IssuedSecret, more: String = "", headers: [HTTPField] = []
  ) async throws -> String {
    let order =
      #"{"profile":{"ageYears":23},"target":"z2","strategy":{"kind":"moment","every":20},"clock":"samples"\#(more)}"#
    let response = await send(number, "POST", "/v1/sessions", token, body: order, headers: headers)
    try #require(response.status == 201, "\(response.text)")
    return try #require(response.json?["sessionID"]?.string)
  }

  /// Lines of heart rates, one a second.
  static func heartRates(_ seconds: Range<Int>) -> String {
    seconds.map { #"{"type":"heartRate","atSeconds":\#($0),"beatsPerMinute":\#(100 + $0 % 60)}"# + "\n" }.joined()
  }

  static let lines = "application/x-ndjson"
}

extension HTTPResponse {
  /// The body as text; empty for a stream.
  var text: String {
    guard case .bytes(let bytes) = content else { return "" }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// What a stream sends until it has some words, or for ten seconds; the body of an answer that is whole.
  func sent(until words: String) async throws -> String {
    guard case .stream(let stream) = content else { return text }
    var sent = ""
    for _ in 0..<500 where !sent.contains(words) {
      guard case .bytes(let bytes) = stream.take(1 << 20) else {
        try await Task.sleep(nanoseconds: 20_000_000)
        continue
      }
      sent += String(decoding: bytes, as: UTF8.self)
    }
    return sent
  }

  /// The body as JSON.
  var json: JSONValue? { try? JSONValue.parse(text) }

  /// The first header of a name.
  func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}
