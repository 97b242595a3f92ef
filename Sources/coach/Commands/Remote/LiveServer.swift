import ActivityRecognition
import CoachService
import LiveCoaching
import TextFormats
import WorkoutSession
import ZoneEngine

/// The service that holds a live session of the terminal, as the command line names it.
struct LiveServer {
  /// Where it is.
  let url: PublicURL
  private let service: CurlService

  /// Reads the options; `nil` when the session is held here.
  ///
  /// - Throws: `CommandFailure` for options that contradict each other, `FileError` or `RecordingError` for a token that cannot
  ///   be read.
  init?(_ parsed: ParsedArguments) throws {
    guard let url = parsed[RemoteOptions.server] else {
      guard parsed[RemoteOptions.tokenFile] == nil else {
        throw CommandFailure("--token-file: expected --server too", .usage)
      }
      return nil
    }
    guard let path = parsed[RemoteOptions.tokenFile] else {
      throw CommandFailure("--server: expected --token-file FILE too: coach token create --scope send,watch", .usage)
    }
    let others = [
      "--no-save": parsed[SessionOptions.noSave], "--streams": parsed[SessionOptions.streams] != nil,
      "--randomize": parsed[RandomizationOptions.study] != nil,
    ].filter(\.value).keys.sorted()
    guard others.isEmpty else {
      throw CommandFailure(
        "--server, \(others.joined(separator: ", ")): the service keeps the session: expected one of them", .usage)
    }
    guard parsed[LiveSourceOptions.source].count < 2 else {
      throw CommandFailure("--server: several sources: expected one", .usage)
    }
    guard url.isEncrypted || url.isLoopback else {
      throw CommandFailure(
        "--server \(url.text): others on the way could read the token and the heart rate: expected https://", .usage)
    }
    self.url = url
    service = CurlService(url: url.text, token: try Secret(file: path, of: "the token of the service"))
  }

  /// A request with what the service knows of the person of the token; `nil` where it knows nobody, or too little of them.
  ///
  /// - Throws: `CommandFailure` when it cannot be reached or refuses.
  func request(like request: CoachingRequest, on day: CivilDate?) async throws -> CoachingRequest? {
    do throws(RemoteFailure) {
      return try await RemoteZones(ofWhoAsks: service)?.request(like: request, on: day)
    } catch {
      throw CommandFailure("\(url.text): \(error)", .unavailable)
    }
  }

  /// Has the service begin a session, which recognises the same as the session here by the same model.
  ///
  /// - Parameter hasUsualCeiling: whether nobody said what the ceiling is, so that the service takes the usual one of the profile
  ///   that it coaches by.
  /// - Throws: `CommandFailure` when it cannot be reached or refuses.
  func begin(
    _ request: CoachingRequest, hasUsualCeiling: Bool, _ configuration: LiveConfiguration, _ origin: SessionOrigin
  ) async throws -> RemoteBeginning {
    var request = request
    if hasUsualCeiling { request.ceiling = nil }
    // Of both, which a profile of an old version may have, the age is the one that counts here.
    if request.profile.ageYears != nil { request.profile.birthDate = nil }
    var writer = JSONWriter()
    writer.object { writer in
      request.write(to: &writer)
      if request.ceiling == nil, !hasUsualCeiling { writer.member("ceiling", "off") }
      writer.member("durationLimitSeconds", secondsFromNanoseconds: configuration.durationLimit?.nanoseconds)
      writer.member("clock", configuration.clock.rawValue)
      writer.member("origin", origin.rawValue)
      if let recognition = configuration.recognition {
        writer.member("recognize", recognition.model.name)
        writer.member("autoPause", recognition.pausesWhenStill)
      }
    }
    do throws(RemoteFailure) {
      return try await RemoteBeginning(writer.bytes, on: service)
    } catch {
      throw CommandFailure("\(url.text): \(error)", .unavailable)
    }
  }

  /// What the session here has to be coached by where the service coaches by other zones, and the line that says so.
  ///
  /// - Returns: `nil` where the zones are the same, and where the service does not say which they are.
  func settled(
    _ request: CoachingRequest, hasUsualCeiling: Bool, by beginning: RemoteBeginning, zones: HeartRateZones,
    on day: CivilDate?
  ) throws -> (request: CoachingRequest, line: String)? {
    guard let decisive = beginning.zones, !decisive.areSame(as: zones) else { return nil }
    let whose = decisive.person.map { "the profile of \($0.visible)" } ?? "the service"
    let head = "\(url.text): \(whose) decides, not what was said here of the runner: zones \(decisive.text)"
    guard var settled = decisive.request(like: request, on: day) else {
      return (request, head + "; the screen shows others")
    }
    if hasUsualCeiling { settled.useUsualCeiling(on: day) }
    return (settled, head)
  }
}
