import Dispatch
import Glibc
import Synchronization
import TextFormats

/// Watches for the signals that end a service, on a thread of its own: whatever a disk or a session holds up, the first one is seen, the
/// second one ends the process at once, and no stop takes longer than ``longestStop``.
final class ServiceEnding: Sendable {
  /// How long a stop takes at most, in nanoseconds; five seconds are promised.
  static let longestStop: Int64 = 4_500_000_000

  private let hasBegun = Atomic(false)
  private let queue = DispatchQueue(label: "coach.signals")

  /// Watches from now on, as long as the process lives.
  init(_ interrupts: Interrupts) {
    queue.async { [self] in watch(interrupts) }
  }

  private func watch(_ interrupts: Interrupts) {
    while interrupts.wait(nanoseconds: 1_000_000_000) == nil {}
    hasBegun.store(true, ordering: .sequentiallyConsistent)
    let deadline = MonotonicClock.now + Self.longestStop
    while true {
      let rest = deadline - MonotonicClock.now
      guard rest > 0 else { break }
      if interrupts.wait(nanoseconds: rest) != nil { _exit(128 + SIGTERM) }
    }
    // What was answered is on the disk, so that nothing is lost by it.
    let line = Array("coach: not all could be finished in time: the next start goes on by the journals\n".utf8)
    try? POSIXFile(borrowing: 2, named: "standard error").write(line.span)
    _exit(ExitCode.inputOutput.rawValue)
  }

  /// Waits until a signal has come.
  ///
  /// - Parameter turn: what is done several times a second meanwhile.
  func wait(_ turn: () -> Void) async {
    while !hasBegun.load(ordering: .sequentiallyConsistent) {
      turn()
      try? await Task.sleep(nanoseconds: 100_000_000)
    }
  }
}
