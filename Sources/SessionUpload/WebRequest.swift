internal import TextFormats
internal import WorkoutSession

/// A request to a service of somebody else, such as one that signs people in: small, and soon answered.
package struct WebRequest: Sendable {
  /// How long an answer is at most, its head and its body.
  static let longestAnswer = 256 << 10
  /// How long all of it takes at most.
  static let milliseconds = 10_000

  /// The address.
  package let url: String
  /// Lines of its head, `name: value`.
  package let headers: [String]
  /// What is sent by POST; absent for GET.
  package let body: [UInt8]?

  /// Creates a request.
  package init(url: String, headers: [String] = [], body: [UInt8]? = nil) {
    self.url = url
    self.headers = headers
    self.body = body
  }
}

/// An answer to it.
package struct WebAnswer: Sendable {
  /// The status.
  package let status: Int
  /// What it says.
  package let body: [UInt8]
  /// Its header `Location`; absent for none.
  package let location: String?

  /// Creates an answer.
  package init(status: Int, body: [UInt8], location: String? = nil) {
    self.status = status
    self.body = body
    self.location = location
  }
}

/// There is no answer; what is wrong and what was expected.
package struct WebFailure: Error, Hashable, Sendable {
  /// What is wrong; nothing of the request stands in it.
  package let description: String

  /// Creates a failure.
  package init(_ description: String) { self.description = description }
}

/// Who makes requests. They wait: on a queue of their own.
package protocol WebFetching: Sendable {
  /// Makes a request.
  ///
  /// - Throws: `WebFailure` when there is no answer.
  func fetch(_ request: WebRequest) throws(WebFailure) -> WebAnswer
}

/// Makes requests by libcurl: certificates are verified, nothing is redirected, and nothing goes on for long.
package struct CurlFetching: WebFetching {
  /// Creates it; the library is opened with the first request.
  package init() {}

  package func fetch(_ request: WebRequest) throws(WebFailure) -> WebAnswer {
    guard let library = CurlLibrary.shared, let handle = CurlHandle(library) else {
      throw WebFailure(StoreError(.noLibrary).description)
    }
    handle.prepare(
      url: request.url, patience: StorePatience(connectSeconds: 5, silentSeconds: 5),
      milliseconds: WebRequest.milliseconds, certificates: nil)
    // What is not encrypted goes to this machine alone.
    if request.url.hasPrefix("http://") { handle.avoidProxies() }
    for line in request.headers { handle.add(header: line) }
    if let body = request.body {
      handle.add(header: "expect:")
      handle.post(byteCount: body.count)
    }
    let transfer = SmallTransfer(request.body ?? [])
    do throws(CurlFailure) {
      return WebAnswer(
        status: try handle.perform(transfer), body: transfer.answer, location: transfer.location)
    } catch {
      throw WebFailure(transfer.isTooLong ? "the answer is longer than \(WebRequest.longestAnswer) bytes" : error.words)
    }
  }
}

/// What is sent and answered, all of it in memory.
private final class SmallTransfer: CurlTransfer {
  private(set) var answer: [UInt8] = []
  private var headers = AnswerHeaders()
  private(set) var isTooLong = false
  private let body: [UInt8]
  private var sent = 0
  private var headBytes = 0

  init(_ body: [UInt8]) { self.body = body }

  /// Where the answer is, when it is elsewhere: an address has no white space.
  var location: String? { headers["location"].map { String($0.prefix { !$0.isWhitespace }) } }

  func bytesToSend(_ limit: Int) -> ArraySlice<UInt8>? {
    let piece = body[sent..<min(body.count, sent + limit)]
    sent = piece.endIndex
    return piece
  }

  func rewind() -> Bool {
    sent = 0
    return true
  }

  func take(headerLine: [UInt8]) -> Bool {
    headBytes += headerLine.count
    headers.take(headerLine)
    return isInBounds()
  }

  func take(body piece: [UInt8]) -> Bool {
    answer += piece
    return isInBounds()
  }

  func isContinued(bytesSent: Int) -> Bool { true }

  private func isInBounds() -> Bool {
    isTooLong = headBytes + answer.count > WebRequest.longestAnswer
    return !isTooLong
  }
}
