internal import CMicroHTTPD
internal import Glibc
internal import Synchronization
internal import TextFormats

/// The thread of the connections: it waits until something has come or an answer is there, and has the library do all of that in one
/// turn. While many requests come it rests between two turns, as ``TurnPacing`` says.
@safe
final class HTTPLoop: @unchecked Sendable {
  /// How many requests have come; only the thread of the connections looks at it.
  var requests = 0

  /// What is shown to who connects; absent for plain HTTP.
  let certificate: ServedCertificate?

  private let library: HTTPLibrary
  private let handler: any HTTPHandler
  /// Has something when ``wake()`` was called while the thread waited.
  private let alarm: Int32
  private var daemon: OpaquePointer?
  /// Has something when traffic has come.
  private var traffic: Int32 = -1
  private var thread: pthread_t?

  private let hasNews = Atomic(false)
  private let isWaiting = Atomic(false)
  private let isOver = Atomic(false)
  /// Held during a turn.
  private let turn = Mutex(())

  /// A loop that has not begun; `nil` where there is no descriptor for it.
  init?(_ library: HTTPLibrary, _ handler: any HTTPHandler, _ certificate: ServedCertificate?) {
    self.library = library
    self.certificate = certificate
    self.handler = handler
    alarm = coach_alarm_make()
    guard alarm >= 0 else { return nil }
  }

  deinit { Glibc.close(alarm) }

  /// Begins to serve; `false` when there is no thread for it.
  func begin(_ daemon: OpaquePointer) -> Bool {
    unsafe self.daemon = daemon
    traffic = unsafe withUnsafePointer(to: library.functions) { unsafe coach_mhd_epoll($0, daemon) }
    var made = pthread_t()
    let code = unsafe pthread_create(&made, nil, httpServe, Unmanaged.passRetained(self).toOpaque())
    guard code == 0 else {
      unsafe Unmanaged.passUnretained(self).release()
      return false
    }
    thread = made
    return true
  }

  /// Has a turn come soon: a connection was let go on.
  func wake() {
    hasNews.store(true, ordering: .sequentiallyConsistent)
    if isWaiting.exchange(false, ordering: .sequentiallyConsistent) { coach_alarm_ring(alarm) }
  }

  /// Does something between two turns.
  func pause(_ body: () -> Void) { turn.withLock { _ in body() } }

  /// Serves no more, and waits until the last turn is over.
  func end() {
    isOver.store(true, ordering: .sequentiallyConsistent)
    wake()
    guard let thread else { return }
    _ = pthread_join(thread, nil)
    self.thread = nil
  }

  // MARK: - On the thread

  fileprivate func run() {
    guard let daemon = unsafe daemon else { return }
    certificate?.serveThread()
    var pacing = TurnPacing()
    while !isOver.load(ordering: .sequentiallyConsistent) {
      unsafe wait(daemon)
      let (begin, before) = (MonotonicClock.now, requests)
      unsafe take(daemon)
      let rest = pacing.rest(afterTurnWith: requests - before, from: begin, now: MonotonicClock.now)
      guard rest > 0 else { continue }
      var span = timespec(tv_sec: 0, tv_nsec: Int(rest))
      unsafe nanosleep(&span, nil)
    }
    // Whoever was answered meanwhile gets the answer.
    unsafe take(daemon)
  }

  /// Has the library do all that there is to do.
  private func take(_ daemon: OpaquePointer) {
    handler.beginTurn()
    turn.withLock { _ in _ = unsafe library.functions.run(daemon) }
    handler.endTurn()
  }

  /// Waits until there is something to do.
  private func wait(_ daemon: OpaquePointer) {
    isWaiting.store(true, ordering: .sequentiallyConsistent)
    var limit: UInt64 = 0
    let isLimited = unsafe library.functions.get_timeout(daemon, &limit) == .YES
    if !hasNews.load(ordering: .sequentiallyConsistent), !isLimited || limit > 0 {
      var places = [
        pollfd(fd: traffic, events: Int16(POLLIN), revents: 0), pollfd(fd: alarm, events: Int16(POLLIN), revents: 0),
      ]
      _ = unsafe poll(&places, 2, isLimited ? Int32(clamping: limit) : -1)
      if places[1].revents != 0 { coach_alarm_silence(alarm) }
    }
    isWaiting.store(false, ordering: .sequentiallyConsistent)
    // What was let go on before is in the turn that follows.
    hasNews.store(false, ordering: .sequentiallyConsistent)
  }
}

private let httpServe: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
  if let context = unsafe context { unsafe Unmanaged<HTTPLoop>.fromOpaque(context).takeRetainedValue().run() }
  return nil
}
