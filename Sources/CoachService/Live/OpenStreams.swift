internal import Synchronization

/// An event stream that somebody reads.
protocol OpenStream: AnyObject, Sendable {
  /// Who reads.
  var caller: Caller { get }
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

  /// Ends all of them.
  func end() {
    for stream in all { stream.end() }
  }
}
