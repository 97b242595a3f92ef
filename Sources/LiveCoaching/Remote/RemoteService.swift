internal import TextFormats

/// A service that holds sessions for others, asked by HTTP.
package protocol RemoteService: Sendable {
  /// Makes a request and waits for its answer.
  ///
  /// - Parameters:
  ///   - path: the path with its query.
  ///   - body: what is sent by POST; absent for GET.
  ///   - type: what kind of body that is, or that is asked for by GET.
  ///   - key: the name of the request, so that it can be sent again.
  /// - Throws: `RemoteFailure` when there is no answer.
  func ask(_ path: String, body: [UInt8]?, type: String, key: String?) async throws(RemoteFailure) -> RemoteAnswer
}

/// What a service answers.
package struct RemoteAnswer: Sendable {
  /// The status.
  package let status: Int
  /// What it says.
  package let body: [UInt8]
  /// Where the same is answered, when it is elsewhere.
  package let location: String?

  /// Creates an answer.
  package init(status: Int, body: [UInt8], location: String? = nil) {
    self.status = status
    self.body = body
    self.location = location
  }

  /// What is wrong in the words of the service; of the status where it says nothing.
  var problem: String {
    let detail = (try? JSONValue.parse(body.span))?["detail"]?.string
    return "answered \(status)" + (detail.map { ": \($0)" } ?? "")
  }
}

/// Why there is no answer, or none that helps.
package struct RemoteFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  package let description: String
  /// Whether the service was reached, and refused.
  package let isRefusal: Bool

  /// Creates a failure.
  package init(_ description: String, isRefusal: Bool = false) {
    self.description = description
    self.isRefusal = isRefusal
  }
}
