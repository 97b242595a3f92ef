internal import LiveCoaching
internal import TextFormats

/// A request that may be answered: where it leads, and who asks.
final class AdmittedRequest: HTTPTaken {
  let router: ServiceRouter
  let head: HTTPHead
  let route: Route
  let values: PathValues
  let caller: Caller?
  private let query: [HTTPField]
  private let begin: Int64

  /// Takes what was decided of a request.
  ///
  /// - Parameter begin: when it came, by the monotonic clock.
  init(
    _ router: ServiceRouter, _ head: HTTPHead, route: Route, values: PathValues, query: [HTTPField], caller: Caller?,
    since begin: Int64
  ) {
    self.router = router
    self.head = head
    self.route = route
    self.values = values
    self.query = query
    self.caller = caller
    self.begin = begin
  }

  var bodyLimit: Int { route.body?.limit ?? 0 }

  func tooLarge() -> HTTPResponse {
    router.finish(ServiceRouter.tooLarge(bodyLimit).response, head, route.pattern, begin)
  }

  func answer(_ request: HTTPRequest, to receiver: any HTTPReceiver) {
    let call = ServiceCall(
      service: router.service, route: route, request: request, values: values, query: query, caller: caller,
      now: router.service.clock.now())
    // In a fleet it is looked up first which instance answers.
    if let directly = route.directly, router.service.sessions.fleet == nil {
      do {
        if try directly(call, { self.deliver($0, to: receiver) }) { return }
      } catch {
        return deliver(.response(ServiceProblem(describing: error).response), to: receiver)
      }
    }
    Task { self.deliver(.response(await self.router.answer(call)), to: receiver) }
  }

  private func deliver(_ answer: DirectAnswer, to receiver: any HTTPReceiver) {
    switch answer {
    case .response(let response): receiver.finish(router.finish(response, head, route.pattern, begin))
    case .taken(let lines):
      router.note(200, head, route.pattern, begin)
      let isStrict = router.isStrict(head)
      let prepared = router.service.takenAnswers.answer(lines, isStrict: isStrict) {
        router.complete(.json(200, TakenRecord.bytes(lines)), isStrict: isStrict)
      }
      receiver.finish(HTTPResponse(200, [], .prepared(prepared)))
    }
  }
}

/// What a route answers that needs no task for it.
package enum DirectAnswer: Sendable {
  /// An answer of its own.
  case response(HTTPResponse)
  /// Lines were taken, and nothing came of them.
  case taken(TakenLines)
}

/// What was decided of the last request of a connection, as long as the next ones say the same: the same path by the same token, with
/// other lines.
final class AdmittedHead: Sendable {
  private let request: AdmittedRequest
  private let finding: ServiceAccess.Finding

  /// Remembers a request; `nil` for one of which every next one is looked at anew, as with a cookie, which holds for longer by
  /// being used, and at an instance of several, where others may have revoked a token.
  init?(_ request: AdmittedRequest) {
    guard case .scopes = request.route.access, request.router.service.sessions.fleet == nil,
      let finding = request.router.service.access.finding(of: request.head)
    else { return nil }
    self.request = request
    self.finding = finding
  }

  /// Takes the next request; `nil` when it has to be looked at whole.
  func admit(_ head: HTTPHead) -> AdmittedRequest? {
    let (last, route, router) = (request.head, request.route, request.router)
    guard head.method == last.method, head.path == last.path, head.byteCount <= ServiceRouter.headerLimit,
      head.hasBody == last.hasBody, head.hasSameHeaders(as: last, butFor: .contentLength),
      (head.contentLength ?? 0) <= route.body?.limit ?? 0
    else { return nil }
    let begin = MonotonicClock.now
    guard let query = try? router.query(of: head, route), router.service.access.takeRequest(of: finding) else {
      return nil
    }
    return AdmittedRequest(
      router, head, route: route, values: request.values, query: query, caller: request.caller, since: begin)
  }
}
