internal import Synchronization

/// How many streams everybody has open, of whatever kind, and is about to open: who asks for several at once gets no more than who
/// asks for one after another.
final class StreamPlaces: Sendable {
  /// How many somebody has at most.
  static let mostPerCaller = 8

  private let taken = Mutex<[String: Int]>([:])

  /// How many somebody has.
  func count(of caller: Caller) -> Int { taken.withLock { $0[caller.id] ?? 0 } }

  /// Takes a place for a stream that is about to open; `nil` where somebody has as many as they may.
  func take(for caller: Caller, atMost most: Int) -> StreamPlace? {
    let isTaken = taken.withLock { taken in
      guard taken[caller.id] ?? 0 < most else { return false }
      taken[caller.id, default: 0] += 1
      return true
    }
    return isTaken ? StreamPlace(of: caller, in: self) : nil
  }

  /// Counts a stream that is open, whether there is a place or not.
  func add(_ caller: Caller) { taken.withLock { $0[caller.id, default: 0] += 1 } }

  /// Gives a place back.
  func leave(_ caller: Caller) {
    taken.withLock { taken in
      let rest = (taken[caller.id] ?? 0) - 1
      taken[caller.id] = rest > 0 ? rest : nil
    }
  }
}

/// The place of a stream that is about to open: given back when it does not, and the stream's own from when it does.
final class StreamPlace: Sendable {
  private let caller: Caller
  private let places: StreamPlaces
  private let isHeld = Atomic(true)

  fileprivate init(of caller: Caller, in places: StreamPlaces) {
    self.caller = caller
    self.places = places
  }

  /// Hands it over to a stream, which gives it back when it ends; `false` where it was given back or handed over before.
  func handOver() -> Bool { isHeld.exchange(false, ordering: .acquiringAndReleasing) }

  /// Gives it back, unless a stream has it.
  func release() { if handOver() { places.leave(caller) } }
}
