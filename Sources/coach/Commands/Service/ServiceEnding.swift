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
  private let isRenewalAsked = Atomic(false)
  private let hangupRenews: Bool
  private let queue = DispatchQueue(label: "coach.signals")

  /// Watches from now on, as long as the process lives.
  ///
  /// - Parameter hangupRenews: whether SIGHUP asks to read the certificate again, and ends nothing.
  init(_ interrupts: Interrupts, hangupRenews: Bool) {
    self.hangupRenews = hangupRenews
    if hangupRenews { interrupts.takeHangupForRequest() }
    queue.async { [self] in watch(interrupts) }
  }

  private func watch(_ interrupts: Interrupts) {
    while !isEnd(interrupts.wait(nanoseconds: 1_000_000_000)) {}
    hasBegun.store(true, ordering: .sequentiallyConsistent)
    let deadline = MonotonicClock.now + Self.longestStop
    while true {
      let rest = deadline - MonotonicClock.now
      guard rest > 0 else { break }
      if isEnd(interrupts.wait(nanoseconds: rest)) { _exit(128 + SIGTERM) }
    }
    // What was answered is on the disk, so that nothing is lost by it.
    let line = Array("coach: not all could be finished in time: the next start goes on by the journals\n".utf8)
    try? POSIXFile(borrowing: 2, named: "standard error").write(line.span)
    _exit(ExitCode.inputOutput.rawValue)
  }

  /// Whether a signal is one that ends the service; one that asks for something is noted.
  private func isEnd(_ signal: Int32?) -> Bool {
    guard hangupRenews, signal == SIGHUP else { return signal != nil }
    isRenewalAsked.store(true, ordering: .sequentiallyConsistent)
    return false
  }

  /// Whether somebody has asked since the last call to read the certificate again.
  func takeRenewal() -> Bool { isRenewalAsked.exchange(false, ordering: .sequentiallyConsistent) }

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
