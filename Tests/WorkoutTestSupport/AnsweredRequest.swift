package import CoachService
internal import Synchronization

extension HTTPTaken {
  /// Answers a request as the server would, and waits for the answer; one that is prepared is given as it is sent.
  package func answer(_ request: HTTPRequest) async -> HTTPResponse {
    let receiver = WaitingReceiver()
    let response = await withCheckedContinuation { continuation in
      receiver.wait(continuation)
      answer(request, to: receiver)
    }
    guard case .prepared(let prepared) = response.content else { return response }
    var sent = prepared.response
    sent.status = response.status
    return sent
  }
}

/// Waits for one answer.
private final class WaitingReceiver: HTTPReceiver {
  private let continuation = Mutex<CheckedContinuation<HTTPResponse, Never>?>(nil)

  var isWanted: Bool { true }
  var hasLeft: Bool { false }

  func wait(_ new: CheckedContinuation<HTTPResponse, Never>) { continuation.withLock { $0 = new } }

  func finish(_ response: HTTPResponse) {
    continuation.withLock { continuation in
      defer { continuation = nil }
      return continuation
    }?.resume(returning: response)
  }
}
