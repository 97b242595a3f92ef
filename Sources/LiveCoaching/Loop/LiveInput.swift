private import Dispatch
private import Glibc
internal import TextFormats
package import WorkoutSession

/// Signals to the process, as something that can be waited for.
package protocol LiveSignals: Sendable {
  /// What can be read when a signal came.
  var descriptor: Int32 { get }
  /// The signal that came; `nil` when none did.
  func pending() -> Int32?
}

/// What comes next from the outside.
package enum LiveInputEvent: Sendable {
  /// Something of a source, by its place on the command line.
  case source(Int, LiveSourceEvent)
  /// Nothing came for a while.
  case silence
  /// A signal came.
  case signal(Int32)
  /// Keys were typed.
  case typed
  /// What somebody at the keyboard wanted before the session could take it.
  case wish(SessionCommand)
}

/// Waits for sources, for a signal, or for a while to pass, away from the shared threads.
///
/// Sources are asked and notified on one queue only.
package final class LiveInput: @unchecked Sendable {
  private let sources: [any LiveSource]
  private let signals: any LiveSignals
  private let queue = DispatchQueue(label: "coach.input")
  private var waiting: [LiveInputEvent] = []

  /// Creates an input over sources that nobody else uses any more.
  package init(_ sources: [any LiveSource], signals: any LiveSignals) {
    self.sources = sources
    self.signals = signals
  }

  /// The next thing that happens; `.silence` at a time of the monotonic clock, never when that is `nil`.
  ///
  /// - Parameter keyboard: what keys are read from now; `nil` while nobody may read them.
  package func next(until deadline: Int64?, keyboard: Int32?) async -> LiveInputEvent {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: self.wait(deadline, keyboard)) }
    }
  }

  /// Delivers the events of the session to every source, before waiting for the next input.
  package func deliver(_ events: [SessionEvent], answering feed: LiveFeed?) {
    guard !events.isEmpty else { return }
    queue.async {
      for (index, source) in self.sources.enumerated() {
        source.hear(events, feed: feed?.source == index ? feed : nil)
      }
    }
  }

  /// Whether every source waits for senders who may never come.
  package func isDeserted() async -> Bool {
    await withCheckedContinuation { continuation in
      queue.async {
        let isDeserted = self.waiting.isEmpty && self.sources.allSatisfy { $0.isDeserted || Self.isOver($0) }
        continuation.resume(returning: isDeserted)
      }
    }
  }

  /// Lets go of all sources.
  package func close() { queue.sync { for source in sources { source.close() } } }

  private static func isOver(_ source: any LiveSource) -> Bool { source.descriptors.isEmpty && source.turn == nil }

  private func wait(_ deadline: Int64?, _ keyboard: Int32?) -> LiveInputEvent {
    while true {
      if let signal = signals.pending() { return .signal(signal) }
      if !waiting.isEmpty { return waiting.removeFirst() }
      let turn = sources.compactMap(\.turn).min()
      let until = [turn, deadline].compactMap(\.self).min()
      let ready = poll(keyboard, until: until)
      if let signal = signals.pending() { return .signal(signal) }
      if let keyboard, ready.contains(keyboard) { return .typed }
      let now = MonotonicClock.now
      for (index, source) in sources.enumerated() {
        waiting += source.collect(ready: ready, now: now).map { .source(index, $0) }
      }
      if waiting.isEmpty, let deadline, now >= deadline { return .silence }
    }
  }

  /// The descriptors of sources that can be read, at once or until some time.
  private func poll(_ keyboard: Int32?, until: Int64?) -> Set<Int32> {
    let descriptors = [keyboard].compactMap(\.self) + sources.flatMap(\.descriptors)
    var entries = ([signals.descriptor] + descriptors).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    // Rounded up, so that a turn is due when the wait is over.
    let milliseconds = until.map { Int32(clamping: max(0, $0 - MonotonicClock.now + 999_999) / 1_000_000) } ?? -1
    let count = unsafe Glibc.poll(&entries, nfds_t(entries.count), milliseconds)
    guard count > 0 else { return [] }
    return Set(entries.dropFirst().filter { $0.revents != 0 }.map(\.fd))
  }
}
