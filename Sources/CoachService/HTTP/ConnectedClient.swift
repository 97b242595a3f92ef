internal import Glibc
internal import Synchronization
internal import TextFormats

/// Somebody who is connected: the socket, until when it has to go on, the request that is under way, and what the one before was like.
@safe
final class ConnectedClient: @unchecked Sendable {
  /// What the handler remembers.
  let memory = HTTPMemory()
  /// The head of the request before, whose texts the next one shares where it says the same. Only the thread of the connections
  /// looks at it.
  var lastHead: HTTPHead?

  private let place: Atomic<Int32>
  private let until = Atomic<Int64>(0)
  private let current = Mutex<HTTPExchange?>(nil)

  private let certificates = Mutex<[CertificatePair]>([])

  init(socket: Int32) { place = Atomic(socket) }

  /// The socket; -1 once it is closed.
  var socket: Int32 { place.load(ordering: .relaxed) }

  /// The request that is under way; absent between two.
  var exchange: HTTPExchange? { current.withLock { $0 } }

  /// Holds a certificate that the connection may have begun with, which is shown to no others any more.
  func hold(_ certificate: CertificatePair) { certificates.withLock { $0.append(certificate) } }

  /// Says which request is under way.
  func begin(_ exchange: HTTPExchange) { current.withLock { $0 = exchange } }

  /// Says that a request is over.
  func end(_ exchange: HTTPExchange) { current.withLock { if $0 === exchange { $0 = nil } } }

  /// Says what the connection has to go on with, and within how many nanoseconds from now.
  func expect(_ part: ConnectionTally.Lack, within nanoseconds: Int64) {
    until.store(Deadline(part: part, time: MonotonicClock.now + nanoseconds).packed, ordering: .relaxed)
  }

  /// Says that the connection may take as long as it likes.
  func expectNothing() { until.store(0, ordering: .relaxed) }

  /// Until when the connection has to go on, and with what; `nil` for as long as it likes.
  var deadline: Deadline? { Deadline(packed: until.load(ordering: .relaxed)) }

  /// Until when something has to come.
  struct Deadline {
    /// What is awaited.
    let part: ConnectionTally.Lack
    /// By the monotonic clock, in nanoseconds.
    let time: Int64

    init(part: ConnectionTally.Lack, time: Int64) {
      self.part = part
      self.time = time
    }

    /// Both in one number, so that they belong together whoever looks: the lowest two bits say what is awaited.
    var packed: Int64 { time & ~3 | part.number }

    /// What ``packed`` says; `nil` for 0.
    init?(packed: Int64) {
      guard let part = ConnectionTally.Lack(number: packed & 3) else { return nil }
      self.init(part: part, time: packed & ~3)
    }
  }

  /// The connection is closed.
  func leave() { place.store(-1, ordering: .relaxed) }

  /// Whether the client has closed its side. The socket has to be the connection's still: its request waits for an answer.
  var hasLeft: Bool {
    let socket = socket
    guard socket >= 0 else { return true }
    // POLLRDHUP, which the C library hides from programs that do not ask for GNU's extensions.
    let closed: Int16 = 0x2000
    var place = pollfd(fd: socket, events: closed, revents: 0)
    return unsafe poll(&place, 1, 0) > 0
  }
}
