/// Where the answer of a route goes that needs no task for it.
package struct DirectReply: Sendable {
  private let request: any DirectlyAnswered
  private let receiver: any HTTPReceiver

  init(_ request: any DirectlyAnswered, to receiver: any HTTPReceiver) {
    self.request = request
    self.receiver = receiver
  }

  /// The answer is there, from whatever thread.
  package func deliver(_ answer: DirectAnswer) { request.deliver(answer, to: receiver) }
}

/// What a route answers that needs no task for it.
package enum DirectAnswer: Sendable {
  /// An answer of its own.
  case response(HTTPResponse)
  /// Lines were taken, and nothing came of them.
  case taken(TakenLines)
}

/// A request that a route may answer without a task for it.
protocol DirectlyAnswered: AnyObject, Sendable {
  /// Hands over an answer that is there, from whatever thread.
  func deliver(_ answer: DirectAnswer, to receiver: any HTTPReceiver)
}
