import Dispatch
import LiveCoaching
import SessionUpload
import TextFormats

/// A service that is asked by libcurl, one request at a time, on a queue of its own, at whichever instance has the session.
struct CurlService: RemoteService {
  private let service: FollowingService

  /// A service at an address without a slash at its end.
  init(url: String, token: Secret) {
    let queue = DispatchQueue(label: "coach.server")
    service = FollowingService(url: url) { (url, body, type, key) throws(RemoteFailure) in
      try await Self.fetch(url, token, body: body, type: type, key: key, on: queue)
    }
  }

  func ask(_ path: String, body: [UInt8]?, type: String, key: String?) async throws(RemoteFailure) -> RemoteAnswer {
    try await service.ask(path, body: body, type: type, key: key)
  }

  private static func fetch(
    _ url: String, _ token: Secret, body: [UInt8]?, type: String, key: String?, on queue: DispatchQueue
  ) async throws(RemoteFailure) -> RemoteAnswer {
    var headers = ["Authorization: Bearer \(token.text)", "\(body == nil ? "Accept" : "Content-Type"): \(type)"]
    if let key { headers.append("Idempotency-Key: \(key)") }
    let request = WebRequest(url: url, headers: headers, body: body)
    let outcome: Result<WebAnswer, WebFailure> = await withCheckedContinuation { continuation in
      queue.async {
        do throws(WebFailure) {
          continuation.resume(returning: .success(try CurlFetching().fetch(request)))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    switch outcome {
    case .success(let answer):
      return RemoteAnswer(status: answer.status, body: answer.body, location: answer.location)
    case .failure(let failure): throw RemoteFailure(failure.description)
    }
  }
}
