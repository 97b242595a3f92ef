internal import CMicroHTTPD
private import Dispatch
internal import Glibc
internal import Synchronization
internal import TextFormats

/// How a server listens, and what it bears.
package struct HTTPServerSettings: Sendable {
  /// A certificate with its chain, and its key, as PEM.
  package struct TLS: Hashable, Sendable {
    /// The certificate and what leads to its root.
    package let certificate: [UInt8]
    /// The private key.
    package let key: [UInt8]

    /// Creates the pair.
    package init(certificate: [UInt8], key: [UInt8]) {
      self.certificate = certificate
      self.key = key
    }
  }

  /// The certificate; absent for plain HTTP.
  package var tls: TLS?
  /// How many connections there are at most.
  package var connections = 12_000
  /// How many connections an address has at most.
  package var connectionsPerAddress = 12_000
  /// How long the headers of a request take at most, in nanoseconds.
  package var headerNanoseconds: Int64 = 10_000_000_000
  /// How long the body of a request takes at most, in nanoseconds.
  package var bodyNanoseconds: Int64 = 30_000_000_000
  /// How long a connection without a request stays, in nanoseconds.
  package var idleNanoseconds: Int64 = 75_000_000_000
  /// How many bytes of bodies are held at once.
  package var bodies = HTTPBodyBudget()
  /// Which bodies of refused requests are read before the answer.
  package var refusedBodies = RefusedBodies()
  /// What is counted of the connections.
  package var tally = ConnectionTally()

  /// The usual settings.
  package init() {}

  /// The shortest of the times that a connection has.
  var shortestNanoseconds: Int64 { min(headerNanoseconds, bodyNanoseconds, idleNanoseconds) }
}

/// A server on libmicrohttpd: one thread waits for all connections (``HTTPLoop``) and does nothing that could make it wait; requests
/// are answered elsewhere.
@safe
package final class HTTPServer: @unchecked Sendable {
  /// libmicrohttpd is not there, or does not start.
  package struct Unavailable: Error, CustomStringConvertible {
    /// What is wrong and what was expected.
    package let description: String
  }

  private static let watchInterval = DispatchTimeInterval.milliseconds(500)

  let library: HTTPLibrary
  let handler: any HTTPHandler
  let settings: HTTPServerSettings
  let loop: HTTPLoop
  private let stopping = Atomic(false)
  private let clients = Mutex<[HTTPConnection: ConnectedClient]>([:])
  private let daemon = Mutex<Daemon?>(nil)
  private let watch = DispatchQueue(label: "coach.http.watch")
  /// Comes twice a second, to see who is idle.
  private let watchTimer: any DispatchSourceTimer
  /// Before this nobody is late.
  private let watchDue = Atomic(Int64.min)

  @safe
  private struct Daemon: @unchecked Sendable {
    let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { unsafe self.pointer = pointer }
  }

  /// Starts a server at a socket that listens; it belongs to the server from then on.
  ///
  /// - Throws: ``Unavailable`` when the library is not there or refuses the certificate.
  package init(
    listener: Int32, settings: HTTPServerSettings = HTTPServerSettings(), handler: any HTTPHandler
  ) throws(Unavailable) {
    guard let library = HTTPLibrary.shared else {
      Glibc.close(listener)
      throw Unavailable(
        description: "libmicrohttpd: it is not there or too old: expected version 0.9.75 or newer (libmicrohttpd12)")
    }
    let certificate: ServedCertificate?
    do throws(Unavailable) {
      certificate = try settings.tls.map { texts throws(Unavailable) in ServedCertificate(try CertificatePair(texts)) }
    } catch {
      Glibc.close(listener)
      throw error
    }
    guard let loop = HTTPLoop(library, handler, certificate) else {
      Glibc.close(listener)
      throw Unavailable(description: "there is no descriptor for the thread of the connections")
    }
    self.library = library
    self.handler = handler
    self.settings = settings
    self.loop = loop
    watchTimer = DispatchSource.makeTimerSource(queue: watch)
    watchTimer.schedule(deadline: .now() + Self.watchInterval, repeating: Self.watchInterval)
    // One that never ran may not be let go.
    watchTimer.activate()
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    let started = unsafe Self.start(library, listener, settings, context)
    guard let started = unsafe started else {
      Glibc.close(listener)
      throw Unavailable(description: "libmicrohttpd does not start")
    }
    daemon.withLock { unsafe $0 = Daemon(started) }
    guard unsafe loop.begin(started) else {
      unsafe library.functions.stop_daemon(started)
      throw Unavailable(description: "there is no thread for the connections")
    }
    watchTimer.setEventHandler { [weak self] in self?.closeIdle() }
  }

  private static func start(
    _ library: HTTPLibrary, _ listener: Int32, _ settings: HTTPServerSettings, _ context: UnsafeMutableRawPointer
  ) -> OpaquePointer? {
    var plain = unsafe coach_mhd_settings()
    unsafe plain.listener = listener
    unsafe plain.connections = UInt32(settings.connections)
    unsafe plain.connections_per_address = UInt32(settings.connectionsPerAddress)
    unsafe plain.idle_seconds = 120
    // The largest head with forty headers and what the library notes of each, and the headers of an answer.
    unsafe plain.connection_bytes = 11 << 10
    if settings.tls != nil { unsafe plain.retrieve = ServedCertificate.retrieve }
    let launch = { (settings: coach_mhd_settings) in
      unsafe withUnsafePointer(to: library.functions) {
        unsafe coach_mhd_start($0, settings, httpHandle, context, httpCompleted, httpConnected)
      }
    }
    return unsafe launch(plain)
  }

  /// From when to when the certificate holds that is shown; absent for plain HTTP.
  package var certificateSpan: CertificateSpan? { loop.certificate?.current.span }

  /// Shows another certificate to who connects from now on. Connections that are there go on with theirs.
  ///
  /// - Returns: from when to when it holds.
  /// - Throws: ``Unavailable`` where it cannot be used; the one before stays then.
  @discardableResult
  package func renew(_ tls: HTTPServerSettings.TLS) throws(Unavailable) -> CertificateSpan {
    guard let certificate = loop.certificate else { throw Unavailable(description: "the server does not speak TLS") }
    let new = try CertificatePair(tls)
    let old = certificate.replace(with: new)
    // Who connects from here on gets the new one. Any other connection may be in the middle of beginning with the old one.
    for client in clients.withLock({ Array($0.values) }) { client.hold(old) }
    return new.span
  }

  /// Whether the server stops.
  package var isStopping: Bool { stopping.load(ordering: .sequentiallyConsistent) }

  /// How many connections there are.
  package var connectionCount: Int { clients.withLock { $0.count } }

  /// The requests that are under way.
  private var open: [HTTPExchange] { clients.withLock { $0.values.compactMap(\.exchange) } }

  /// Stops: no new connection is taken, requests that are being answered have some time, streams end. Of requests that have
  /// not come to their end nothing was taken, and nobody waits for them.
  package func stop(withinNanoseconds limit: Int64 = 3_000_000_000) async {
    guard !stopping.exchange(true, ordering: .sequentiallyConsistent) else { return }
    watchTimer.cancel()
    let library = library
    daemon.withLock { daemon in
      guard let daemon else { return }
      loop.pause {
        let listener = unsafe library.functions.quiesce_daemon(daemon.pointer)
        if listener >= 0 { Glibc.close(listener) }
      }
    }
    let deadline = MonotonicClock.now + limit
    while MonotonicClock.now < deadline, open.contains(where: { !$0.isReading }) {
      try? await Task.sleep(nanoseconds: 5_000_000)
    }
    // What is not answered by now is refused: the library cannot stop while anything waits.
    for exchange in open { exchange.abandon() }
    let last = MonotonicClock.now + 500_000_000
    while MonotonicClock.now < last, open.contains(where: \.isSuspended) {
      try? await Task.sleep(nanoseconds: 2_000_000)
    }
    let pointer = daemon.withLock { daemon in
      defer { daemon = nil }
      return daemon
    }
    guard let pointer else { return }
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      watch.async { [loop] in
        loop.end()
        unsafe library.functions.stop_daemon(pointer.pointer)
        continuation.resume()
      }
    }
  }

  /// Lets a connection go on that waits; from any thread.
  func resume(_ connection: HTTPConnection) {
    library.resume(connection)
    loop.wake()
  }

  // MARK: - On the thread of the connections

  /// Somebody has connected. The library keeps the reference that is returned until ``disconnected(_:)``.
  func connected(_ connection: HTTPConnection) -> Unmanaged<ConnectedClient> {
    let socket = unsafe withUnsafePointer(to: library.functions) { unsafe coach_mhd_socket($0, connection.pointer) }
    let client = ConnectedClient(socket: socket)
    client.expect(.head, within: settings.headerNanoseconds)
    settings.tally.countOpen(1)
    clients.withLock { $0[connection] = client }
    return unsafe Unmanaged.passRetained(client)
  }

  func disconnected(_ connection: HTTPConnection) {
    guard let client = clients.withLock({ $0.removeValue(forKey: connection) }) else { return }
    client.leave()
    settings.tally.countOpen(-1)
  }

  private func closeIdle() {
    let now = MonotonicClock.now
    guard now >= watchDue.load(ordering: .relaxed) else { return }
    // Whatever is expected from now on is later than this.
    var due = now + settings.shortestNanoseconds
    clients.withLock { clients in
      for client in clients.values {
        guard let deadline = client.deadline else { continue }
        guard deadline.time < now else {
          due = min(due, deadline.time)
          continue
        }
        // The thread of the connections sees it closed, and lets it go.
        Glibc.shutdown(client.socket, Int32(SHUT_RDWR))
        client.expectNothing()
        settings.tally.countClosed(deadline.part)
      }
    }
    watchDue.store(due, ordering: .relaxed)
  }
}
