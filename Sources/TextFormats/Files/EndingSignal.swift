internal import Synchronization

/// Whether a signal has asked the program to end while it waits for what another program writes into a pipe.
///
/// A program that takes its signals over is not ended by them any more. Without this it would stay in such a wait, for the system
/// begins it again, or gives the signal to another thread.
package enum EndingSignal {
  /// How often a wait looks, in milliseconds.
  static let lookMilliseconds: Int32 = 100
  private static let number = Atomic<Int32>(0)
  private static let isWaitEnded = Atomic<Bool>(false)

  /// Notes a signal; 0 for none, so that everything is there before the first. It may be called by a handler of signals.
  package static func note(_ signal: Int32) { number.store(signal, ordering: .sequentiallyConsistent) }

  /// The signal that has ended a wait; `nil` where none has.
  package static var ofEndedWait: Int32? {
    isWaitEnded.load(ordering: .sequentiallyConsistent) ? number.load(ordering: .sequentiallyConsistent) : nil
  }

  /// Whether a wait has to end; it is noted that it did.
  package static func endsWait() -> Bool {
    guard number.load(ordering: .sequentiallyConsistent) != 0 else { return false }
    isWaitEnded.store(true, ordering: .sequentiallyConsistent)
    return true
  }
}
