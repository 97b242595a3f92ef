private import Glibc
package import TextFormats
package import WorkoutSession

/// Senders over the network or on this machine: lines come in, answers to commands go back to who sent them.
///
/// It connects to whoever listens at the place. Where nobody does and the place is on this machine, it waits there itself
/// for senders to connect, as many as want to and again after they have gone.
package final class SocketSource: LiveSource {
  /// The most senders at a time.
  private static let largestCount = 16
  /// How much is kept for a sender who does not read the answers, in bytes; one who lets more wait is let go.
  private static let largestBacklog = 64 << 10

  /// How long a sender may take for the secret, and how long one is left in peace who sends nothing, in nanoseconds.
  private static let patience: Int64 = 15_000_000_000

  private struct Sender {
    let descriptor: Int32
    let connection: Int
    var admission: SenderAdmission
    /// Whether it may end the session by going: it could command, or would if anybody might; or nobody knows whose it was.
    let mayEnd: Bool
    /// Whether it has sent something that was taken.
    var isHeard = false
    /// When it last sent something, or came.
    var lastHeard: Int64
    var waiting: [UInt8] = []
  }

  package var name: String { "\(place)" }
  package var origin: SessionOrigin { .live }
  package var activity: Activity? { nil }
  package var originText: String {
    switch place {
    case .tcp: "\(place)"
    case .unix(let path): "unix:" + FileSystem.name(of: path)
    }
  }
  /// What happens at the place, to be reported at the start.
  package let beginning: String
  /// What is to be known about who can reach it; `nil` where nobody else can.
  package private(set) var warning: String?

  private let place: SocketPlace
  private let access: SocketAccess
  private let listener: Int32?
  /// The path that was made to wait at.
  private var made: SocketMark?
  /// A connection that was made and is to be taken.
  private var connected: Int32?
  private var senders: [Sender] = []
  private var connections = 0
  /// Whether somebody has gone who may end the session by that.
  private var isLeft = false
  private var isOver = false

  /// Opens a place.
  ///
  /// - Throws: `FileError` when it can neither be connected to nor waited at.
  package init(_ place: SocketPlace, _ access: SocketAccess) throws(FileError) {
    self.place = place
    self.access = access
    do {
      let descriptor = try SocketCalls.connect(to: place)
      listener = nil
      beginning = "\(place): connected"
      if !SocketPeer.isLoopback(descriptor, .other) {
        warning = "\(place): another machine: nothing is encrypted on the way"
      }
      connected = descriptor
      return
    } catch {
      guard [ECONNREFUSED, ENOENT].contains(error.code) else { throw error }
      if case .unix(let path) = place, error.code == ECONNREFUSED { SocketMark.removeLeftover(path) }
      // Noted before anybody can connect: whoever was killed while it was heard has left a note.
      var mark: SocketMark?
      do {
        listener = try SocketCalls.listen(at: place) {
          if case .unix(let path) = place { mark = SocketMark(made: path) }
        }
      } catch let other {
        // Whatever it is, it was there before: what this process did not make it does not remove.
        if case .unix = place, other.code == EADDRINUSE {
          throw FileError(.create, "\(place)", code: FileError.nobodyListens)
        }
        // A host elsewhere on which nobody listens.
        throw other.code == EADDRNOTAVAIL ? error : other
      }
      made = mark
      beginning = "\(place): waiting for senders"
    }
    if let listener, !SocketPeer.isLoopback(listener, .own) {
      warning =
        "\(place): other machines can reach it, and nothing is encrypted: expected 127.0.0.1"
        + (access.secret == nil ? ", or a secret that senders know (--secret-file)" : "")
    }
  }

  package var descriptors: [Int32] { isOver ? [] : [listener].compactMap(\.self) + senders.map(\.descriptor) }
  package var isDeserted: Bool { listener != nil && senders.isEmpty && isLeft }
  /// When a sender has had enough time for the secret; at once for a connection that is to be taken.
  package var turn: Int64? {
    if connected != nil { return 0 }
    return senders.filter { !$0.admission.isAdmitted }.map { $0.lastHeard + Self.patience }.min()
  }

  package func collect(ready: Set<Int32>, now: Int64) -> [LiveSourceEvent] {
    var events: [LiveSourceEvent] = []
    if let descriptor = connected {
      connected = nil
      if let arrival = admit(descriptor, now: now, isOurs: true) { events.append(arrival) }
    }
    for sender in senders where !sender.admission.isAdmitted && now - sender.lastHeard >= Self.patience {
      events += leave(sender, because: "a sender without the secret is sent away")
    }
    for sender in senders where ready.contains(sender.descriptor) { events += read(sender, now: now) }
    if let listener, ready.contains(listener) {
      while let descriptor = SocketCalls.accept(listener) {
        if senders.count >= Self.largestCount {
          guard let idle = longestIdle(now: now) else {
            Glibc.close(descriptor)
            events.append(.notice("\(place): more than \(Self.largestCount) senders: the newest is sent away"))
            continue
          }
          events += leave(idle, because: "a sender that sends nothing gives way to another")
        }
        events.append(.notice("\(place): a sender has come"))
        if let arrival = admit(descriptor, now: now, isOurs: false) { events.append(arrival) }
      }
    }
    if listener == nil, senders.isEmpty, !isOver {
      isOver = true
      events.append(.ended)
    }
    return events
  }

  package func hear(_ events: [SessionEvent], feed: LiveFeed?) {
    guard let feed, let index = senders.firstIndex(where: { $0.connection == feed.connection }) else { return }
    var writer = JSONWriter()
    for case .acknowledgement(let answer) in events { SessionRecords.write(.acknowledgement(answer), to: &writer) }
    senders[index].waiting += writer.bytes
    flush(index)
  }

  package func close() {
    for descriptor in senders.map(\.descriptor) + [connected].compactMap(\.self) { Glibc.close(descriptor) }
    senders = []
    connected = nil
    isOver = true
    guard let listener else { return }
    Glibc.close(listener)
    made?.remove()
  }

  /// Takes a connection; an event when its sender may not send commands.
  private func admit(_ descriptor: Int32, now: Int64, isOurs: Bool) -> LiveSourceEvent? {
    let connection = connections
    connections += 1
    // Who is sent away without it knows the secret; another machine that was named is as good as its owner.
    let isTrusted =
      access.commands == .all || access.secret != nil || SocketPeer.isOwner(descriptor, isOurs: isOurs)
      || isOurs && !SocketPeer.isLoopback(descriptor, .other)
    // What sends and goes at once is mostly a script of the owner: its lines are a session that ends.
    let mayEnd = isTrusted || SocketPeer.isGone(descriptor)
    senders.append(
      Sender(
        descriptor: descriptor, connection: connection, admission: SenderAdmission(access.secret), mayEnd: mayEnd,
        lastHeard: now))
    return isTrusted && access.commands != .none ? nil : .stranger(connection: connection)
  }

  /// The sender that has been silent longest, if it has been so for a while.
  private func longestIdle(now: Int64) -> Sender? {
    senders.min { $0.lastHeard < $1.lastHeard }.flatMap { now - $0.lastHeard >= Self.patience ? $0 : nil }
  }

  private func read(_ sender: Sender, now: Int64) -> [LiveSourceEvent] {
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    let count = unsafe chunk.withUnsafeMutableBytes { unsafe Glibc.read(sender.descriptor, $0.baseAddress, $0.count) }
    guard count > 0, let index = senders.firstIndex(where: { $0.connection == sender.connection }) else {
      if count < 0, errno == EAGAIN || errno == EINTR { return [] }
      return leave(sender, because: listener == nil ? nil : "a sender has gone")
    }
    // The time for the secret does not begin anew with each byte of it.
    if sender.admission.isAdmitted { senders[index].lastHeard = now }
    switch senders[index].admission.take(Array(chunk[..<count])) {
    case .waiting: return []
    case .refused: return leave(sender, because: "a sender without the secret is sent away")
    case .admitted(let bytes):
      senders[index].lastHeard = now
      senders[index].isHeard = true
      return bytes.isEmpty ? [] : [.bytes(bytes, connection: sender.connection)]
    }
  }

  /// Lets a sender go, and says why.
  private func leave(_ sender: Sender, because reason: String?) -> [LiveSourceEvent] {
    Glibc.close(sender.descriptor)
    if let gone = senders.first(where: { $0.connection == sender.connection }) {
      isLeft = isLeft || gone.mayEnd && gone.isHeard
    }
    senders.removeAll { $0.connection == sender.connection }
    return (reason.map { [.notice("\(place): \($0)")] } ?? []) + [.left(connection: sender.connection)]
  }

  /// Sends what the sender takes now; the rest waits for the next answer.
  private func flush(_ index: Int) {
    let sender = senders[index]
    let sent = unsafe sender.waiting.withUnsafeBytes { bytes in
      unsafe send(sender.descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    }
    if sent > 0 { senders[index].waiting.removeFirst(sent) }
    // It is read to its end all the same: the closed way back shows it that it was too slow.
    if senders[index].waiting.count > Self.largestBacklog {
      senders[index].waiting.removeAll()
      shutdown(sender.descriptor, Int32(SHUT_WR))
    }
  }
}
