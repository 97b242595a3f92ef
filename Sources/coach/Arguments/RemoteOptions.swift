import CoachService

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
