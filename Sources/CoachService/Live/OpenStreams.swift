internal import Synchronization

/// An event stream that somebody reads, or a request that waits for an event.
protocol OpenStream: AnyObject, Sendable {
  /// Who reads, and whether they still do.
  var client: StreamClient { get }
  /// Ends it; the reader may come back.
  func end()
}

extension OpenStream {
  /// Who reads.
  var caller: Caller { client.caller }
}

/// Who reads a stream, or waits for an event.
struct StreamClient: Sendable {
  /// Who that is, as far as rights go.
  let caller: Caller
  private let departure: @Sendable () -> Bool

  /// A client.
  ///
  /// - Parameter departure: says whether it has closed its side.
  init(_ caller: Caller, _ departure: @escaping @Sendable () -> Bool) {
    self.caller = caller
    self.departure = departure
  }

  /// Whether it has closed its side. Nothing is read from it and perhaps nothing written to it for a while, so that nobody else
  /// would notice.
  var hasLeft: Bool { departure() }
}

/// The event streams of a kind that are open, each until its reader leaves.
final class OpenStreams<Stream: OpenStream>: Sendable {
  private let streams = Mutex<[ObjectIdentifier: Stream]>([:])
  private let metrics: ServiceMetrics
  private let places: StreamPlaces

  /// Streams of a kind, which have their places among those of all kinds.
  init(_ metrics: ServiceMetrics, _ places: StreamPlaces) {
    self.metrics = metrics
    self.places = places
  }

  /// All of them.
  var all: [Stream] { streams.withLock { Array($0.values) } }

  /// Adds a stream, in the place that was taken for it; without one it takes one.
  func add(_ stream: Stream, in place: StreamPlace? = nil) {
    metrics.countStream(1)
    if place?.handOver() != true { places.add(stream.caller) }
    streams.withLock { $0[ObjectIdentifier(stream)] = stream }
  }

  func remove(_ stream: Stream) {
    guard streams.withLock({ $0.removeValue(forKey: ObjectIdentifier(stream)) }) != nil else { return }
    metrics.countStream(-1)
    places.leave(stream.caller)
  }

  /// Ends those of somebody whose readers have left, so that they do not count.
  func endLeft(of caller: Caller) {
    for stream in all where stream.caller.id == caller.id && stream.client.hasLeft { endLeft(stream) }
  }

  /// Ends one whose reader has left, so that it does not count.
  func endLeft(_ stream: Stream) {
    stream.end()
    remove(stream)
  }

  /// Ends those of secrets that do not hold any more, and of those who have left.
  func endUnheld(_ access: ServiceAccess) {
    for stream in all {
      if stream.client.hasLeft { endLeft(stream) } else if !access.holds(stream.caller) { stream.end() }
    }
  }

  /// Ends all of them.
  func end() {
    for stream in all { stream.end() }
  }
}
