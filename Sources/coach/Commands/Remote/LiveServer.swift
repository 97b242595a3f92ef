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

  /// Has the service begin a session; `mirror` is coached by the same, here, and recognises the same by the same model.
  ///
  /// - Throws: `CommandFailure` when it cannot be reached or refuses.
  func begin(
    _ request: CoachingRequest, _ configuration: LiveConfiguration, _ origin: SessionOrigin, mirror: RunningSession
  ) async throws -> RemoteSession {
    var writer = JSONWriter()
    writer.object { writer in
      request.write(to: &writer)
      if request.ceiling == nil { writer.member("ceiling", "off") }
      writer.member("durationLimitSeconds", secondsFromNanoseconds: configuration.durationLimit?.nanoseconds)
      writer.member("clock", configuration.clock.rawValue)
      writer.member("origin", origin.rawValue)
      if let recognition = configuration.recognition {
        writer.member("recognize", recognition.model.name)
        writer.member("autoPause", recognition.pausesWhenStill)
      }
    }
    do throws(RemoteFailure) {
      return try await RemoteSession.begin(writer.bytes, mirror: mirror, on: service)
    } catch {
      throw CommandFailure("\(url.text): \(error)", .unavailable)
    }
  }
}

/// Where a live session is held, when it is not here.
enum RemoteOptions {
  static let server = Option(
    "server", "URL", kind: .text, in: .session,
    help:
      "Send everything to coach serve at this address, which decides and keeps it; the screen shows what it answers",
    reader: { (text: String) throws(ValueProblem) in
      guard let url = PublicURL(text) else {
        throw ValueProblem(expected: "https://HOST or http://127.0.0.1:8080, without a path")
      }
      return url
    })

  static let tokenFile = Option.file(
    "token-file", "FILE", in: .session, help: "The token for --server: the only line of a file that only you can read")

  /// Both, in the order of the help.
  static let all: [any DeclaredOption] = [server, tokenFile]
}
