/// What is decided of a request before its body is read.
package enum HTTPAdmission: Sendable {
  /// It is refused.
  case refused(HTTPResponse)
  /// It is taken, with its body; then it is answered.
  case taken(any HTTPTaken)
  /// Something has to be looked up first; nothing of a body is read meanwhile.
  case undecided(@Sendable () async -> HTTPAdmission)

  /// A request that is taken, with a body of so many bytes at most; somebody answers it in a task.
  package static func taken(
    bodyLimit: Int, tooLarge: @escaping @Sendable () -> HTTPResponse,
    answer: @escaping @Sendable (HTTPRequest) async -> HTTPResponse
  ) -> HTTPAdmission {
    .taken(TaskAnswered(bodyLimit: bodyLimit, refusal: tooLarge, work: answer))
  }
}

/// A request that is taken: how large its body may be, and who answers.
package protocol HTTPTaken: AnyObject, Sendable {
  /// How many bytes the body has at most.
  var bodyLimit: Int { get }
  /// The answer to one whose body is larger.
  func tooLarge() -> HTTPResponse
  /// Answers the whole request, once. It is called on the thread of the connections and does not wait; the answer may come at
  /// once or later, from any thread.
  func answer(_ request: HTTPRequest, to receiver: any HTTPReceiver)
}

/// Gets the answer to a request.
package protocol HTTPReceiver: AnyObject, Sendable {
  /// Whether somebody waits for the answer still.
  var isWanted: Bool { get }
  /// Whether the client has closed its side, while its answer is on its way too.
  var hasLeft: Bool { get }
  /// The answer is there; only the first one counts.
  func finish(_ response: HTTPResponse)
}

/// A request that a task answers.
private final class TaskAnswered: HTTPTaken {
  let bodyLimit: Int
  private let refusal: @Sendable () -> HTTPResponse
  private let work: @Sendable (HTTPRequest) async -> HTTPResponse

  init(
    bodyLimit: Int, refusal: @escaping @Sendable () -> HTTPResponse,
    work: @escaping @Sendable (HTTPRequest) async -> HTTPResponse
  ) {
    self.bodyLimit = bodyLimit
    self.refusal = refusal
    self.work = work
  }

  func tooLarge() -> HTTPResponse { refusal() }

  func answer(_ request: HTTPRequest, to receiver: any HTTPReceiver) {
    Task { [work] in receiver.finish(await work(request)) }
  }
}

/// Decides about requests.
package protocol HTTPHandler: Sendable {
  /// Decides about a request whose headers are there. It does not wait.
  func admit(_ head: HTTPHead) -> HTTPAdmission
  /// The same of a connection, of which something may be known from the request before.
  func admit(_ head: HTTPHead, _ memory: HTTPMemory) -> HTTPAdmission
  /// The thread of the connections begins to take what has come.
  func beginTurn()
  /// It has taken all of it.
  func endTurn()
  /// What a request gets that cannot be answered any more, because the server stops.
  func farewell(_ head: HTTPHead) -> HTTPResponse
  /// What a request gets for whose body there is no room now.
  func full(_ head: HTTPHead) -> HTTPResponse
}

extension HTTPHandler {
  /// Nothing, for one that takes each request by itself.
  package func beginTurn() {}
  /// Nothing, for one that takes each request by itself.
  package func endTurn() {}

  /// The same, whatever was decided before.
  package func admit(_ head: HTTPHead, _ memory: HTTPMemory) -> HTTPAdmission { admit(head) }

  /// 503, so that it comes again.
  package func farewell(_ head: HTTPHead) -> HTTPResponse {
    HTTPResponse(503, [HTTPField("Retry-After", "1"), HTTPField("Connection", "close")])
  }

  /// 503, so that it comes again.
  package func full(_ head: HTTPHead) -> HTTPResponse {
    HTTPResponse(503, [HTTPField("Retry-After", "10"), HTTPField("Connection", "close")])
  }
}

/// What a handler remembers of a connection from one request to the next, so that what is the same is not decided anew. Only the
/// thread of the connections looks at it.
package final class HTTPMemory: @unchecked Sendable {
  /// What the handler has put there; absent before the first request.
  package var value: AnyObject?

  /// Nothing is remembered yet.
  package init() {}
}
