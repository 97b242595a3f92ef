import Dispatch
import LiveCoaching
import SessionUpload
import TextFormats

/// A service that is asked by libcurl, one request at a time, on a queue of its own.
struct CurlService: RemoteService {
  private let url: String
  private let token: Secret
  private let queue = DispatchQueue(label: "coach.server")

  /// A service at an address without a slash at its end.
  init(url: String, token: Secret) {
    self.url = url
    self.token = token
  }

  func ask(_ path: String, body: [UInt8]?, type: String, key: String?) async throws(RemoteFailure) -> RemoteAnswer {
    var headers = ["Authorization: Bearer \(token.text)", "\(body == nil ? "Accept" : "Content-Type"): \(type)"]
    if let key { headers.append("Idempotency-Key: \(key)") }
    let request = WebRequest(url: url + path, headers: headers, body: body)
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
    case .success(let answer): return RemoteAnswer(status: answer.status, body: answer.body)
    case .failure(let failure): throw RemoteFailure(failure.description)
    }
  }
}
