@testable import CoachService
import LiveCoaching
import Testing
import TextFormats
@testable import WorkoutTestSupport

/// A service with a group that tina made, asked without a socket.
struct GroupHarness {
  let clock: ManualClock
  let service: ServiceHarness
  let tina: IssuedSecret
  let ann: IssuedSecret
  let ben: IssuedSecret
  let id: String

  init(_ folder: ScratchFolder, clock: ManualClock = ManualClock(.morning(0))) async throws {
    self.clock = clock
    service = try await ServiceHarness(folder, clock: clock)
    tina = try await service.token([.watch, .manage], person: "tina")
    ann = try await service.token(Set(Scope.allCases), person: "ann")
    ben = try await service.token(Set(Scope.allCases), person: "ben")
    let made = await service.send("POST", "/v1/groups", tina, body: #"{"name":"tuesday"}"#)
    try #require(made.status == 201, "\(made.text)")
    id = try #require(made.json?["groupID"]?.string)
  }

  /// One in which ann shares her heart rate and has run for some seconds, and her run.
  static func running(_ seconds: Range<Int>) async throws -> (group: GroupHarness, run: String) {
    let group = try await GroupHarness(ScratchFolder())
    _ = await group.join("ann", #"["heartRate"]"#, by: group.ann)
    let run = try await group.run(group.ann)
    await group.send(seconds, to: run, group.ann)
    return (group, run)
  }

  var path: String { "/v1/groups/\(id)" }

  /// Joins, or changes what is shared.
  func join(_ person: String, _ shares: String, by token: IssuedSecret) async -> HTTPResponse {
    await service.send("PUT", "\(path)/members/\(person)", token, body: #"{"shares":\#(shares)}"#)
  }

  func leave(_ person: String, by token: IssuedSecret) async -> HTTPResponse {
    await service.send("DELETE", "\(path)/members/\(person)", token)
  }

  /// Begins a run of somebody; `send` goes on with it.
  func run(_ token: IssuedSecret) async throws -> String {
    try await service.begin(
      token,
      #"{"profile":{"ageYears":30},"target":"z2","strategy":{"kind":"period","every":10,"window":10},"clock":"wall"}"#)
  }

  /// Sends a heart rate for each of some seconds, each at its time, and a place where it is asked for.
  func send(_ seconds: Range<Int>, beats: Int = 160, isAtPlace: Bool = false, to session: String, _ token: IssuedSecret)
    async
  {
    for second in seconds {
      clock.set(.morning(Double(second)))
      let time = WallClockTime.morning(Double(second)).description
      var lines = #"{"type":"heartRate","time":"\#(time)","beatsPerMinute":\#(beats)}"# + "\n"
      if isAtPlace {
        lines += #"{"type":"location","time":"\#(time)","latitude":52.5,"longitude":13.4,"accuracyMeters":5}"# + "\n"
      }
      _ = await service.send(
        "POST", "/v1/sessions/\(session)/samples", token, body: lines, type: "application/x-ndjson")
    }
  }

  /// The board now, as somebody sees it.
  func board(_ token: IssuedSecret, after: String = "") async -> HTTPResponse {
    await service.send(
      "GET", "\(path)/events\(after)", token, headers: [HTTPField("Accept", "application/x-ndjson")])
  }

  /// Opens a stream.
  func stream(_ token: IssuedSecret, last: String? = nil) async throws -> any HTTPStream {
    try await service.stream(path, token, last: last)
  }
}

/// What a stream has for its reader now.
func everything(of stream: any HTTPStream) -> String {
  var bytes: [UInt8] = []
  while case .bytes(let more) = stream.take(1 << 20) { bytes += more }
  return String(decoding: bytes, as: UTF8.self)
}

extension HTTPResponse {
  /// The tile of somebody on a board.
  func tile(_ person: String) -> JSONValue? {
    json?["members"]?.array?.first { $0["person"]?.string == person }
  }
}
