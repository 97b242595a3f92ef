internal import LiveCoaching
internal import Synchronization
internal import TextFormats

/// A request that may be answered.
final class AdmittedRequest: HTTPTaken, DirectlyAnswered {
  let router: ServiceRouter
  let head: HTTPHead
  let place: AdmittedPlace
  private let query: [HTTPField]
  private let begin: Int64

  /// For how long what was asked of the other instances counts for the body that follows, in nanoseconds.
  private static let sameMoment: Int64 = 20_000_000

  /// Takes what was decided of a request.
  ///
  /// - Parameter begin: when it came, by the monotonic clock.
  init(_ router: ServiceRouter, _ head: HTTPHead, _ place: AdmittedPlace, query: [HTTPField], since begin: Int64) {
    self.router = router
    self.head = head
    self.place = place
    self.query = query
    self.begin = begin
  }

  private var route: Route { place.route }

  var bodyLimit: Int { route.body?.limit ?? 0 }

  func tooLarge() -> HTTPResponse {
    router.finish(ServiceRouter.tooLarge(bodyLimit).response, head, route.pattern, begin)
  }

  /// Answers it, now that its body is there. That may be long after its head has come, on which it was let in; and what others have changed
  /// reaches the memory by which it was let in a moment later. So who asks is looked up once more, for every route, before anything is done.
  func answer(_ request: HTTPRequest, to receiver: any HTTPReceiver) {
    let mustLook = mustLook
    guard let caller = place.caller, mustLook || head.hasBody else { return answer(request, at: place, to: receiver) }
    guard mustLook else { return answer(request, of: caller, to: receiver) }
    Task {
      if let problem = await router.look(head, route.access) {
        receiver.finish(router.refusedForNow(head, problem))
      } else {
        answer(request, of: caller, to: receiver)
      }
    }
  }

  /// Whether others may have changed something that is not in memory: other instances since the head came, or a verb of the terminal, by which
  /// a secret may be revoked and a name somebody else's.
  private var mustLook: Bool {
    guard route.access.isOfSecret else { return false }
    guard router.service.sessions.fleet == nil else {
      return head.hasBody && MonotonicClock.now - begin > Self.sameMoment
    }
    // What comes with a key is samples; who may not begin a session for them any more is found where it begins.
    if route.access == .key { return false }
    // Whose a live session is and who asks are in memory of the same moment.
    return !(route.isAskedOften && place.isOfLiveSession(in: router.service.sessions))
  }

  /// Answers it to who asks as they are now: they may be called otherwise, or be nobody any more.
  private func answer(_ request: HTTPRequest, of caller: Caller, to receiver: any HTTPReceiver) {
    do throws(ServiceProblem) {
      let now = try router.service.access.current(caller, on: route.access)
      answer(request, at: now == caller ? place : AdmittedPlace(route, place.values, now), to: receiver)
    } catch {
      deliver(.response(router.refusal(error, head, route.access)), to: receiver)
    }
  }

  private func answer(_ request: HTTPRequest, at place: AdmittedPlace, to receiver: any HTTPReceiver) {
    let call = ServiceCall(
      service: router.service, place, request: request, query: query, now: router.service.clock.now())
    // In a fleet it is looked up first which instance answers, and after a start who asks may have to wait.
    if let directly = route.directly, router.service.sessions.fleet == nil, router.service.sessions.recovery.isDone {
      do {
        if try directly(call, DirectReply(self, to: receiver)) { return }
      } catch {
        return deliver(.response(ServiceProblem(describing: error).response), to: receiver)
      }
    }
    Task { self.deliver(.response(await self.router.answer(call)), to: receiver) }
  }

  func deliver(_ answer: DirectAnswer, to receiver: any HTTPReceiver) {
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

/// What was decided of the last request of a connection, as long as the next ones say the same: the same path by the same token, with
/// other lines. Only the thread of the connections looks at it.
final class AdmittedHead: @unchecked Sendable {
  private let router: ServiceRouter
  private let place: AdmittedPlace
  private let finding: AccessMemory.Finding
  /// The newest head, with which the next one has most texts in common.
  private var last: HTTPHead

  /// Remembers a request; `nil` for one of which every next one is looked at anew, as with a cookie, which holds for longer by
  /// being used, and at an instance of several, where others may have revoked a token.
  init?(_ request: AdmittedRequest) {
    let (router, place) = (request.router, request.place)
    guard case .scopes = place.route.access, router.service.sessions.fleet == nil,
      let finding = router.service.access.finding(of: request.head)
    else { return nil }
    self.router = router
    self.place = AdmittedPlace(place.route, place.values, place.caller, finding)
    self.finding = finding
    last = request.head
  }

  /// Takes the next request; `nil` when it has to be looked at whole.
  func admit(_ head: HTTPHead) -> AdmittedRequest? {
    let last = last
    guard head.method == last.method, head.path == last.path, head.authority == last.authority,
      head.byteCount <= ServiceRouter.headerLimit,
      head.hasBody == last.hasBody, head.hasSameHeaders(as: last, butFor: .contentLength),
      (head.contentLength ?? 0) <= place.route.body?.limit ?? 0
    else { return nil }
    let begin = MonotonicClock.now
    guard let query = try? router.query(of: head, place.route), router.service.access.takeRequest(of: finding) else {
      return nil
    }
    self.last = head
    return AdmittedRequest(router, head, place, query: query, since: begin)
  }
}
