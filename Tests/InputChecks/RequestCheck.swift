internal import CoachService
internal import TextFormats

extension InputCheck {
  /// The head of a request as the service looks at it: line, host, headers, query, cookies and tokens. Whatever it is, it is
  /// admitted or refused in the one form of refusals, which repeats no secret.
  package static let requests = InputCheck(
    name: "requests", longestInput: 4_096, seeds: RequestSeeds.all,
    violation: { bytes in
      let head = RequestText.head(bytes)
      switch RequestText.service.handler.admit(head) {
      case .taken(let taken):
        return taken.bodyLimit < 0
          ? "a body of \(taken.bodyLimit) bytes" : RequestText.fault(of: taken.tooLarge(), head)
      // Who asks is looked up first; the form of the request was in order.
      case .undecided: return nil
      case .refused(let response): return RequestText.fault(of: response, head)
      }
    },
    isUsable: { bytes in
      switch RequestText.service.handler.admit(RequestText.head(bytes)) {
      case .taken, .undecided: true
      case .refused(let response): ![400, 431].contains(response.status)
      }
    })
}

/// Heads of requests as text: what libmicrohttpd makes of one, without its own refusals.
private enum RequestText {
  /// A service that nothing is opened of: it knows no secret, and writes nothing.
  static let service = Service(
    ServiceSettings(dataFolder: StoredPath(dataFolder: "/nonexistent")), url: "http://127.0.0.1:8080")

  static func head(_ bytes: [UInt8]) -> HTTPHead {
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
    let words = (lines.popFirst() ?? []).split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    let target = words.count > 1 ? words[1] : []
    let parts = target.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
    let query = parts.count < 2 ? [] : parts[1].split(separator: UInt8(ascii: "&")).map { field($0, "=") }
    return HTTPHead(
      method: text(words.first ?? []), path: text(parts.first ?? []), query: query,
      headers: lines.map { field($0, ":") }, address: "127.0.0.1", byteCount: bytes.count)
  }

  private static func text(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self) }

  private static func field(_ bytes: ArraySlice<UInt8>, _ divider: Unicode.Scalar) -> HTTPField {
    let sides = bytes.split(
      separator: UInt8(ascii: divider), maxSplits: 1, omittingEmptySubsequences: false)
    return HTTPField(text(sides[0]), sides.count < 2 ? "" : text(sides[1]).trimmingSpaces)
  }

  static func fault(of response: HTTPResponse, _ head: HTTPHead) -> String? {
    for header in response.headers where (header.name + header.value).utf8.contains(where: { $0 < 0x20 || $0 == 0x7F })
    {
      return "a header with a control character"
    }
    // Pages send browsers to where they sign in.
    if response.status == 303 { return nil }
    guard case .bytes(let bytes) = response.content else { return "a refusal without a body" }
    // Browsers get a page in place of a problem.
    if response.headers.contains(where: { $0.name.lowercased() == "content-type" && $0.value.hasPrefix("text/html") }) {
      return (400...599).contains(response.status) && !head.path.hasPrefix("/v1/") ? nil : "a page that is no refusal"
    }
    guard (400...599).contains(response.status), bytes.count < 4_096,
      let value = try? JSONValue.parse(bytes.span), value["status"]?.number?.int64 == Int64(response.status),
      let detail = value["detail"]?.string, !detail.isEmpty, !detail.contains("\n")
    else { return "a refusal that is no problem of one line: \(response.status)" }
    let body = text(bytes)
    for header in head.headers
    where ["authorization", "cookie"].contains(header.name.lowercased()) && header.value.utf8.count > 20 {
      if body.contains(header.value) { return "a refusal that repeats a secret" }
    }
    return nil
  }
}

/// Heads of every kind.
enum RequestSeeds {
  static let all = [
    InputCheck.Seed(
      "page", "GET / HTTP/1.1\nHost: 127.0.0.1:8080\nCookie: coach=page_abc; other=\"x\"\nAccept: text/html"),
    InputCheck.Seed(
      "token", "GET /v1/sessions?limit=5&person=ann%20b HTTP/1.1\nHost: localhost\nAuthorization: Bearer coach_abc"),
    InputCheck.Seed(
      "samples",
      "POST /v1/sessions/20261120T070000Z-running-4f3a0b1c/samples?batch=1 HTTP/1.1\nHost: [::1]:8080\nContent-Type: application/x-ndjson; charset=utf-8\nContent-Length: 17"
    ),
    InputCheck.Seed(
      "write",
      "POST /auth/sign-out HTTP/1.1\nHost: localhost\nCookie: coach=page_x\nOrigin: http://localhost\nX-Coach: 1"),
    InputCheck.Seed("key", "GET /v1/in/key_abc?lat=1&lon=2&a=%2B+%zz HTTP/1.1\nHost: 127.0.0.1"),
    InputCheck.Seed(
      "callback", "GET /auth/oidc/callback?code=a&state=b HTTP/1.1\nHost: 127.0.0.1\nCookie: coach-begun=c"),
    InputCheck.Seed("chunked", "POST /v1/import HTTP/1.1\nHost: localhost\nTransfer-Encoding: chunked"),
    InputCheck.Seed("method", "BREW /healthz HTTP/1.1\nHost: localhost"),
  ]
}
