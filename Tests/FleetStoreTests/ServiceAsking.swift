@testable import CoachService
import TextFormats
@testable import WorkoutTestSupport

extension Service {
  /// A request that can be sent beside others, without a socket.
  ///
  /// - Parameters:
  ///   - path: the path with its query, as it is sent.
  ///   - headers: beside `Host`, `Authorization` and those of the body.
  func call(
    _ method: String, _ path: String, _ token: IssuedSecret? = nil, body: String? = nil,
    type: String = "application/json", headers: [HTTPField] = []
  ) -> @Sendable () async -> HTTPResponse {
    var all = headers + [HTTPField("Host", url.replacing("http://", with: ""))]
    if let token { all.append(HTTPField("Authorization", "Bearer \(token.secret)")) }
    if let body { all += [HTTPField("Content-Type", type), HTTPField("Content-Length", "\(body.utf8.count)")] }
    let parts = path.split(separator: "?", maxSplits: 1).map(String.init)
    let query = (parts.count < 2 ? [] : parts[1].split(separator: "&")).map { pair in
      let sides = pair.split(separator: "=", maxSplits: 1).map(String.init)
      return HTTPField(sides[0], sides.count < 2 ? "" : sides[1])
    }
    let head = HTTPHead(
      method: method, path: parts[0], query: query, headers: all, address: "127.0.0.1", byteCount: 200)
    let handler = handler
    return {
      var admission = handler.admit(head)
      while case .undecided(let look) = admission { admission = await look() }
      switch admission {
      case .undecided: return HTTPResponse(500)
      case .refused(let response): return response
      case .taken(let taken): return await taken.answer(HTTPRequest(head, body: Array((body ?? "").utf8)))
      }
    }
  }
}
