internal import CMicroHTTPD
internal import Glibc
internal import Synchronization

/// One request and its answer, as libmicrohttpd asks for them. Its thread calls; only ``finish(_:)`` comes from elsewhere.
@safe
final class HTTPExchange: HTTPReceiver, @unchecked Sendable {
  private enum Phase {
    /// It is looked up whether the request is taken; the connection waits.
    case deciding
    /// That is known; the library comes with the headers again, for it has not gone on from there.
    case decided
    case reading
    /// Somebody answers; the connection waits.
    case answering
    case answered(HTTPResponse)
    /// The answer is on its way.
    case sent
  }

  private static let largestDrain = 1 << 20

  let server: HTTPServer
  let connection: HTTPConnection
  private let client: ConnectedClient
  private let head: HTTPHead
  private var admission: HTTPAdmission
  private var body: HTTPBody?
  private var dropped = 0
  /// Held while a body is thrown away whose request is refused.
  private var place: RefusedBodies.Place?
  private var isRefusedForSpace = false
  private let phase = Mutex(Phase.reading)
  /// Whether the server has given it up; it is changed where the phase is.
  private var isAbandoned = false
  /// Whether the client has its answer, or has left; it is changed where the phase is.
  private var isComplete = false
  private let sender = Mutex<HTTPStreamSender?>(nil)

  init(_ server: HTTPServer, _ connection: HTTPConnection, _ client: ConnectedClient, _ head: HTTPHead) {
    self.server = server
    self.connection = connection
    self.client = client
    self.head = head
    admission = server.handler.admit(head, client.memory)
  }

  /// Whether the library waits for somebody else.
  var isSuspended: Bool {
    let isWaiting = phase.withLock { phase in
      switch phase {
      case .deciding, .answering: true
      case .decided, .reading, .answered, .sent: false
      }
    }
    return isWaiting || sender.withLock { $0?.isSuspended ?? false }
  }

  /// Whether the client has not sent all of it: nothing was taken, so that nobody has to wait for the rest.
  var isReading: Bool { phase.withLock { phase in if case .reading = phase { true } else { false } } }

  /// The headers are there: a refusal before the body is read, else nothing.
  func begin() -> Bool {
    client.begin(self)
    // Without a body it is whole at once, and until that is so the connection has the time that it had for the head.
    if head.hasBody { client.expect(.body, within: server.settings.bodyNanoseconds) }
    if case .undecided = admission {
      if !head.hasBody { client.expectNothing() }
      guard wait(.deciding) else { return send(server.handler.farewell(head)) }
      Task { [admission] in
        var decided = admission
        while case .undecided(let look) = decided { decided = await look() }
        self.go(on: decided)
      }
      return true
    }
    return beginBody()
  }

  /// Lets the connection wait; `false` when the server stops: the library cannot stop while anything waits. Nobody lets it go
  /// on before it waits, which would be forgotten.
  private func wait(_ reason: Phase) -> Bool {
    phase.withLock { phase in
      // Whoever was not there when all were abandoned was made after the server had begun to stop.
      guard !isAbandoned, !server.isStopping else { return false }
      phase = reason
      server.library.suspend(connection)
      return true
    }
  }

  private func beginBody() -> Bool {
    guard head.hasBody else { return true }
    switch admission {
    case .undecided: return false
    case .refused(let response):
      return mayDropFirst(response) && isDroppedFirst || send(response)
    case .taken(let taken):
      if let length = head.contentLength, length > taken.bodyLimit {
        return isDroppedFirst || send(taken.tooLarge())
      }
      body = HTTPBody(length: head.contentLength, limit: taken.bodyLimit, server.settings.bodies)
      // Before a client that asks first has sent anything.
      guard body == nil else { return true }
      return send(server.handler.full(head))
    }
  }

  /// Whether a refusal may wait for the body: one that ends the connection, as of a head that two programs could read differently, says
  /// so at once, for nobody knows where that body ends.
  private func mayDropFirst(_ response: HTTPResponse) -> Bool {
    if case .close = response.content { return false }
    return !response.headers.contains { $0.name == "Connection" }
  }

  /// Whether the body is thrown away before the request is refused. Of a client that asks first nothing has come, and nothing will.
  private var isDroppedFirst: Bool {
    guard head.value(of: "Expect") == nil else { return false }
    place = server.settings.refusedBodies.place(of: head.contentLength)
    return place != nil
  }

  /// It is decided; nothing of a body was read meanwhile.
  private func go(on decided: HTTPAdmission) {
    phase.withLock { phase in
      guard case .deciding = phase else { return }
      admission = decided
      phase = .decided
      server.resume(connection)
    }
  }

  /// Takes a piece of the body; `false` when the connection has to be closed.
  func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
    // Whoever says that there is no body sends none.
    guard head.hasBody else { return false }
    // As much as it said, which the library sees to as well.
    if place != nil {
      dropped += bytes.count
      return dropped <= head.contentLength ?? 0
    }
    guard case .taken(let taken) = admission else {
      dropped += bytes.count
      return dropped <= Self.largestDrain
    }
    if dropped == 0, let body {
      if body.count + bytes.count <= taken.bodyLimit {
        if unsafe body.append(bytes) { return true }
        isRefusedForSpace = true
      }
      body.drop()
    }
    // The rest is read so that the client sees the answer, up to a point.
    dropped += bytes.count
    return dropped <= Self.largestDrain
  }

  /// The whole request is there, or its answer is; `false` when the connection has to be closed.
  func proceed() -> Bool {
    let current = phase.withLock { $0 }
    switch current {
    case .sent: return true
    case .answered(let response): return send(response)
    case .answering, .deciding: return true
    case .decided:
      // Also without a body: of what is answered before the library has gone on from the headers it closes the connection.
      phase.withLock { $0 = .reading }
      return beginBody()
    case .reading: break
    }
    client.expectNothing()
    place = nil
    if server.isStopping { return send(server.handler.farewell(head)) }
    switch admission {
    case .undecided: return false
    case .refused(let response): return send(response)
    case .taken where isRefusedForSpace: return send(server.handler.full(head))
    case .taken(let taken) where dropped > 0: return send(taken.tooLarge())
    case .taken(let taken):
      guard wait(.answering) else { return send(server.handler.farewell(head)) }
      let request = HTTPRequest(head, body: body ?? HTTPBody(), for: self)
      body = nil
      taken.answer(request, to: self)
      return true
    }
  }

  /// The answer is there; it comes from any thread.
  func finish(_ response: HTTPResponse) {
    phase.withLock { phase in
      switch phase {
      case .answering, .deciding: break
      case .decided, .reading, .answered, .sent: return
      }
      phase = .answered(response)
      server.resume(connection)
    }
  }

  /// Whether the client waits for the answer still: it has not closed its side, and the server has not given up.
  var isWanted: Bool {
    phase.withLock { phase in
      // The socket is the connection's as long as that waits for the answer.
      guard case .answering = phase else { return false }
      return !client.hasLeft
    }
  }

  /// Whether the client has closed its side, or has had the whole answer.
  var hasLeft: Bool { phase.withLock { _ in isComplete || client.hasLeft } }

  /// Nobody waits any longer: the server stops.
  func abandon() {
    phase.withLock { _ in isAbandoned = true }
    finish(server.handler.farewell(head))
    sender.withLock { $0 }?.end()
  }

  /// The client has its answer, or has left.
  func complete() {
    // The socket may belong to another request from here on, or to another client.
    phase.withLock { _ in isComplete = true }
    place = nil
    sender.withLock { $0 }?.over()
    client.expect(.request, within: server.settings.idleNanoseconds)
    client.end(self)
  }

  private func send(_ response: HTTPResponse) -> Bool {
    phase.withLock { $0 = .sent }
    let library = server.library
    let made: OpaquePointer?
    switch response.content {
    case .close: return false
    case .prepared(let prepared):
      return unsafe prepared.withMade(by: library) { made in
        unsafe library.functions.queue_response(connection.pointer, UInt32(response.status), made) == .YES
      } ?? false
    case .bytes(let bytes): unsafe made = library.makeResponse(bytes)
    case .stream(let stream):
      let streamSender = HTTPStreamSender(stream, connection, server)
      sender.withLock { $0 = streamSender }
      unsafe made = library.functions.create_response_from_callback(
        .max, 16 << 10, httpRead, Unmanaged.passRetained(streamSender).toOpaque(), httpReleaseStream)
      if head.method == HTTPMethod.head.rawValue, let made = unsafe made,
        unsafe withUnsafePointer(to: library.functions, { unsafe coach_mhd_without_pieces($0, made) }) == 0
      {
        unsafe library.functions.destroy_response(made)
        return false
      }
    }
    guard let made = unsafe made else { return false }
    defer { unsafe library.functions.destroy_response(made) }
    guard unsafe library.add(response.headers, to: made) else { return false }
    return unsafe library.functions.queue_response(connection.pointer, UInt32(response.status), made) == .YES
  }
}

/// A stream on its way to a client.
@safe
final class HTTPStreamSender: @unchecked Sendable {
  private struct State {
    var isSuspended = false
    var isReady = false
    var isOver = false
    var mustEnd = false
  }

  private let stream: any HTTPStream
  private let connection: HTTPConnection
  private let server: HTTPServer
  private let state = Mutex(State())

  init(_ stream: any HTTPStream, _ connection: HTTPConnection, _ server: HTTPServer) {
    self.stream = stream
    self.connection = connection
    self.server = server
    stream.onReady { [weak self] in self?.wake() }
  }

  var isSuspended: Bool { state.withLock { $0.isSuspended } }

  /// What the library sends next: how many bytes were put there, 0 for none now, -1 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    while true {
      switch stream.take(buffer.count) {
      case .bytes(let bytes):
        unsafe buffer.copyBytes(from: bytes)
        return bytes.count
      case .end: return -1
      case .nothing:
        let next = state.withLock { state -> Int? in
          if state.mustEnd { return -1 }
          if state.isReady {
            state.isReady = false
            return nil
          }
          state.isSuspended = true
          server.library.suspend(connection)
          return 0
        }
        if let next { return next }
      }
    }
  }

  private func wake() { change { $0.isReady = true } }

  /// Ends it soon.
  func end() { change { $0.mustEnd = true } }

  private func change(_ body: (inout State) -> Void) {
    state.withLock { state in
      guard !state.isOver else { return }
      body(&state)
      guard state.isSuspended else { return }
      state.isSuspended = false
      state.isReady = false
      server.resume(connection)
    }
  }

  /// The client has left, or everything is sent.
  func over() {
    state.withLock { $0.isOver = true }
    stream.cancel()
  }
}

// MARK: - What libmicrohttpd calls

let httpHandle:
  @convention(c) (
    UnsafeMutableRawPointer?, OpaquePointer?, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
    UnsafePointer<CChar>?, UnsafeMutablePointer<Int>?, UnsafeMutablePointer<UnsafeMutableRawPointer?>?
  ) -> MHD_Result = { context, connection, path, method, version, upload, uploadCount, place in
    guard let context = unsafe context, let connection = unsafe connection, let place = unsafe place,
      let uploadCount = unsafe uploadCount
    else { return .NO }
    guard let known = unsafe place.pointee else {
      let server = unsafe Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue()
      guard
        let kept = unsafe withUnsafePointer(
          to: server.library.functions, { unsafe coach_mhd_client_kept($0, connection) })
      else { return .NO }
      let client = unsafe Unmanaged<ConnectedClient>.fromOpaque(kept).takeUnretainedValue()
      let head = unsafe HTTPHead(
        server.library, HTTPConnection(connection), method: method, path: path, after: client.lastHead)
      client.lastHead = head
      server.loop.requests += 1
      let exchange = unsafe HTTPExchange(server, HTTPConnection(connection), client, head)
      unsafe place.pointee = Unmanaged.passRetained(exchange).toOpaque()
      return exchange.begin() ? .YES : .NO
    }
    let exchange = unsafe Unmanaged<HTTPExchange>.fromOpaque(known).takeUnretainedValue()
    let count = unsafe uploadCount.pointee
    guard count > 0 else { return exchange.proceed() ? .YES : .NO }
    unsafe uploadCount.pointee = 0
    return unsafe exchange.take(UnsafeRawBufferPointer(start: upload, count: count)) ? .YES : .NO
  }

let httpCompleted:
  @convention(c) (
    UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    MHD_RequestTerminationCode
  ) -> Void = { _, _, place, _ in
    guard let place = unsafe place, let known = unsafe place.pointee else { return }
    unsafe place.pointee = nil
    unsafe Unmanaged<HTTPExchange>.fromOpaque(known).takeRetainedValue().complete()
  }

let httpConnected:
  @convention(c) (
    UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    MHD_ConnectionNotificationCode
  ) -> Void = { context, connection, place, code in
    guard let context = unsafe context, let connection = unsafe connection, let place = unsafe place else { return }
    let server = unsafe Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue()
    if code.rawValue == 0 {
      unsafe place.pointee = server.connected(HTTPConnection(connection)).toOpaque()
    } else {
      unsafe server.disconnected(HTTPConnection(connection))
      if let kept = unsafe place.pointee { unsafe Unmanaged<ConnectedClient>.fromOpaque(kept).release() }
      unsafe place.pointee = nil
    }
  }

private let httpRead: @convention(c) (UnsafeMutableRawPointer?, UInt64, UnsafeMutablePointer<CChar>?, Int) -> Int = {
  context, _, buffer, limit in
  guard let context = unsafe context, let buffer = unsafe buffer else { return -2 }
  let sender = unsafe Unmanaged<HTTPStreamSender>.fromOpaque(context).takeUnretainedValue()
  return unsafe sender.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: limit))
}

private let httpReleaseStream: @convention(c) (UnsafeMutableRawPointer?) -> Void = { context in
  guard let context = unsafe context else { return }
  unsafe Unmanaged<HTTPStreamSender>.fromOpaque(context).release()
}
