internal import WorkoutSession

/// Requests that stay open: streams, and those that wait for an event. Each counts among the streams of who asks.
extension ServiceCall {
  /// Takes a place for another stream of who asks, or for another request that waits. Whoever calls gives it back in the end, which
  /// does nothing when a stream has it by then.
  ///
  /// - Throws: `ServiceProblem` when they have too many.
  func takeStreamPlace() throws(ServiceProblem) -> StreamPlace {
    let caller = try requireCaller()
    let (places, most) = (service.sessions.streamPlaces, StreamPlaces.mostPerCaller)
    if let place = places.take(for: caller, atMost: most) { return place }
    service.sessions.streams.endLeft(of: caller)
    service.sessions.polls.endLeft(of: caller)
    service.boards.streams.endLeft(of: caller)
    if let place = places.take(for: caller, atMost: most) { return place }
    throw .tooMany("\(most) streams are open: expected one of them to end", retryAfterSeconds: 5)
  }

  /// Answers a request that may wait for an event: as long as it does it counts among the streams of who asks.
  ///
  /// - Parameter seconds: how long it waits at most; not at all for 0.
  /// - Throws: `ServiceProblem` when they have too many, or what `body` throws.
  func polling<Answer>(seconds: Int, _ body: (LongPoll?) async throws -> Answer) async throws -> Answer {
    guard seconds > 0 else { return try await body(nil) }
    let place = try takeStreamPlace()
    defer { place.release() }
    let poll = LongPoll(StreamClient(try requireCaller(), request.departure), seconds: seconds)
    service.sessions.polls.add(poll, in: place)
    defer { service.sessions.polls.remove(poll) }
    // A service that stops has ended all that were known.
    if service.isStopping { poll.end() }
    return try await body(poll)
  }
}
