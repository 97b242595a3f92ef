private import Glibc

/// Senders over the network or on this machine: lines come in, answers to commands go back to who sent them.
///
/// It connects to whoever listens at the place. Where nobody does and the place is on this machine, it waits there itself
/// for senders to connect, as many as want to and again after they have gone.
package final class SocketSource: LiveSource {
  /// The most senders at a time.
  private static let largestCount = 16
  /// How much is kept for a sender who does not read the answers, in bytes; one who lets more wait is let go.
  private static let largestBacklog = 64 << 10

  private struct Sender {
    let descriptor: Int32
    let connection: Int
    var waiting: [UInt8] = []
  }

  package var name: String { "\(place)" }
  package var origin: SessionOrigin { .live }
  package var originText: String {
    switch place {
    case .tcp: "\(place)"
    case .unix(let path): "unix:" + FileSystem.name(of: path)
    }
  }
  /// What happens at the place, to be told at the start.
  package let beginning: String

  private let place: SocketPlace
  private let listener: Int32?
  /// The path that was made to wait at.
  private var made: SocketMark?
  private var senders: [Sender] = []
  private var connections = 0
  private var isOver = false

  /// Opens a place.
  ///
  /// - Throws: `FileError` when it can neither be connected to nor waited at.
  package init(_ place: SocketPlace) throws(FileError) {
    self.place = place
    do {
      let descriptor = try SocketCalls.connect(to: place)
      listener = nil
      senders = [Sender(descriptor: descriptor, connection: 0)]
      connections = 1
      beginning = "\(place): connected"
      return
    } catch {
      guard [ECONNREFUSED, ENOENT].contains(error.code) else { throw error }
      if case .unix(let path) = place, error.code == ECONNREFUSED { SocketMark.removeLeftover(path) }
      do {
        listener = try SocketCalls.listen(at: place)
      } catch let other {
        // Whatever it is, it was there before: what this process did not make it does not remove.
        if case .unix = place, other.code == EADDRINUSE {
          throw FileError(.create, "\(place)", code: FileError.nobodyListens)
        }
        // A host elsewhere on which nobody listens.
        throw other.code == EADDRNOTAVAIL ? error : other
      }
      if case .unix(let path) = place { made = SocketMark(made: path) }
      beginning = "\(place): waiting for senders"
    }
  }

  package var descriptors: [Int32] { isOver ? [] : [listener].compactMap(\.self) + senders.map(\.descriptor) }
  package var isDeserted: Bool { listener != nil && senders.isEmpty && connections > 0 }
  package var turn: Int64? { nil }

  package func collect(ready: Set<Int32>, now: Int64) -> [LiveSourceEvent] {
    var events: [LiveSourceEvent] = []
    if let listener, ready.contains(listener) {
      while let descriptor = SocketCalls.accept(listener) {
        guard senders.count < Self.largestCount else {
          Glibc.close(descriptor)
          events.append(.notice("\(place): more than \(Self.largestCount) senders: the newest is sent away"))
          continue
        }
        senders.append(Sender(descriptor: descriptor, connection: connections))
        connections += 1
        events.append(.notice("\(place): a sender has come"))
      }
    }
    for sender in senders where ready.contains(sender.descriptor) { events += read(sender) }
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
    for sender in senders { Glibc.close(sender.descriptor) }
    senders = []
    isOver = true
    guard let listener else { return }
    Glibc.close(listener)
    made?.remove()
  }

  private func read(_ sender: Sender) -> [LiveSourceEvent] {
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    let count = unsafe chunk.withUnsafeMutableBytes { unsafe Glibc.read(sender.descriptor, $0.baseAddress, $0.count) }
    if count > 0 { return [.bytes(Array(chunk[..<count]), connection: sender.connection)] }
    if count < 0, errno == EAGAIN || errno == EINTR { return [] }
    return leave(sender)
  }

  /// Lets a sender go.
  private func leave(_ sender: Sender) -> [LiveSourceEvent] {
    Glibc.close(sender.descriptor)
    senders.removeAll { $0.connection == sender.connection }
    return (listener == nil ? [] : [.notice("\(place): a sender has gone")]) + [.left(connection: sender.connection)]
  }

  /// Sends what the sender takes now; the rest waits for the next answer.
  private func flush(_ index: Int) {
    let sender = senders[index]
    let sent = unsafe sender.waiting.withUnsafeBytes { bytes in
      unsafe send(sender.descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    }
    if sent > 0 { senders[index].waiting.removeFirst(sent) }
    // It is read to its end all the same: shutting the way back down tells it that it has been too slow.
    if senders[index].waiting.count > Self.largestBacklog {
      senders[index].waiting.removeAll()
      shutdown(sender.descriptor, Int32(SHUT_WR))
    }
  }
}
