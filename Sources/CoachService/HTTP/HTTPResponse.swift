/// An answer.
package struct HTTPResponse: Sendable {
  /// What is sent after the headers.
  package enum Content: Sendable {
    /// Bytes that are there.
    case bytes([UInt8])
    /// Bytes and headers that many requests get; the headers of the answer itself are left out.
    case prepared(PreparedAnswer)
    /// Bytes as they come, until the stream ends or the client leaves.
    case stream(any HTTPStream)
    /// Nothing at all: the connection is closed without an answer.
    case close
  }

  /// The status.
  package var status: Int
  /// The headers beside those of every answer.
  package var headers: [HTTPField]
  /// What is sent.
  package var content: Content

  /// Creates an answer.
  package init(_ status: Int, _ headers: [HTTPField] = [], _ content: Content = .bytes([])) {
    self.status = status
    self.headers = headers
    self.content = content
  }

  /// An answer with a body of a media type.
  package init(_ status: Int = 200, type: String, _ body: [UInt8], _ headers: [HTTPField] = []) {
    self.init(status, [HTTPField("Content-Type", type)] + headers, .bytes(body))
  }

  /// An answer in JSON.
  package static func json(_ status: Int = 200, _ body: [UInt8], _ headers: [HTTPField] = []) -> HTTPResponse {
    HTTPResponse(status, type: "application/json", body, headers)
  }

  /// Closes the connection without an answer.
  package static let close = HTTPResponse(503, [], .close)
}

/// Bytes that are sent as they come.
///
/// The thread of the connections asks for them; it never waits.
package protocol HTTPStream: AnyObject, Sendable {
  /// Takes what is there, at most so many bytes.
  func take(_ limit: Int) -> HTTPStreamPart
  /// Says whom to call, from any thread, when there is something after `take` found nothing.
  func onReady(_ wake: @escaping @Sendable () -> Void)
  /// The client has left, or the stream is over: nothing is asked any more.
  func cancel()
}

/// What a stream has.
package enum HTTPStreamPart: Sendable {
  /// The next bytes, at least one.
  case bytes([UInt8])
  /// Nothing now.
  case nothing
  /// Nothing any more.
  case end
}
