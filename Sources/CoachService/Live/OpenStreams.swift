internal import Synchronization

/// An event stream that somebody reads, or a request that waits for an event.
protocol OpenStream: AnyObject, Sendable {
  /// Who reads.
  var caller: Caller { get }
  /// Whether the reader has closed its side. Nothing is read from it and perhaps nothing written to it for a while, so that nobody
  /// else would notice.
  var hasLeft: Bool { get }
  /// Ends it; the reader may come back.
  func end()
}

/// The event streams of a kind that are open, each until its reader leaves.
final class OpenStreams<Stream: OpenStream>: Sendable {
  private let streams = Mutex<[ObjectIdentifier: Stream]>([:])
  private let metrics: ServiceMetrics

  init(_ metrics: ServiceMetrics) { self.metrics = metrics }

  /// All of them.
  var all: [Stream] { streams.withLock { Array($0.values) } }

  /// How many somebody has.
  func count(of caller: Caller) -> Int { streams.withLock { $0.values.count { $0.caller.id == caller.id } } }

  func add(_ stream: Stream) {
    metrics.countStream(1)
    streams.withLock { $0[ObjectIdentifier(stream)] = stream }
  }

  func remove(_ stream: Stream) {
    if streams.withLock({ $0.removeValue(forKey: ObjectIdentifier(stream)) }) != nil { metrics.countStream(-1) }
  }

  /// Ends those of somebody whose readers have left, so that they do not count.
  func endLeft(of caller: Caller) {
    for stream in all where stream.caller.id == caller.id && stream.hasLeft { endLeft(stream) }
  }

  /// Ends one whose reader has left, so that it does not count.
  func endLeft(_ stream: Stream) {
    stream.end()
    remove(stream)
  }

  /// Ends all of them.
  func end() {
    for stream in all { stream.end() }
  }
}
