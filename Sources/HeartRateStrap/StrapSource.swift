private import Glibc
internal import TextFormats
package import WorkoutSession

/// A Bluetooth heart-rate strap as a source of a live session, over BlueZ.
///
/// It is opened step by step, like everything that it does: it takes turns until ``isOpen`` or ``problem`` says how that
/// went. After that it never ends by itself; a strap that drops out is waited for.
package final class StrapSource: LiveSource {
  /// Why there is no strap to begin with; `nil` as long as there may be one.
  package private(set) var problem: StrapProblem?

  private var link: StrapLink
  private let bus = BluezBus()
  private var waiting: [LiveSourceEvent] = []
  private var hasBegun = false
  private var latest: Int64 = 0
  /// The clock of the samples, from the first one on: that of the machine may be set while they come.
  private var clock: SteadyWallClock?

  /// A strap that is looked for from the first turn on.
  package init(_ choice: StrapChoice) { link = StrapLink(choice) }

  // A command that fails between its parts lets go of the strap as well.
  deinit { close() }

  /// Whether the strap is connected and was asked to send.
  package var isOpen: Bool { link.isOpen && problem == nil }

  package var name: String { "strap" + (link.device.map { " " + ($0.name ?? $0.address) } ?? "") }

  package var origin: SessionOrigin { .live }
  package var activity: Activity? { nil }
  package var originText: String { "strap" + (link.device.map { ":" + ($0.name ?? $0.address) } ?? "") }

  package var descriptors: [Int32] { [bus.descriptor].compactMap(\.self) }
  package var isDeserted: Bool { false }

  package var turn: Int64? {
    guard problem == nil else { return nil }
    guard hasBegun, waiting.isEmpty else { return 0 }
    return [link.deadline, bus.turn(after: latest)].compactMap(\.self).min()
  }

  package func collect(ready: Set<Int32>, now: Int64) -> [LiveSourceEvent] {
    latest = now
    guard problem == nil else { return [] }
    if !hasBegun {
      hasBegun = true
      perform(link.begin(now: now), now)
    }
    for event in bus.receive() { perform(link.handle(event, now: now), now) }
    perform(link.tick(now: now), now)
    guard isOpen || problem != nil else { return takeNotices() }
    defer { waiting.removeAll() }
    return waiting
  }

  package func hear(_ events: [SessionEvent], feed: LiveFeed?) {}

  package func close() {
    let actions = link.end()
    perform(actions, latest)
    bus.close()
  }

  /// What may be reported before a session has begun; samples wait.
  private func takeNotices() -> [LiveSourceEvent] {
    let notices = waiting.filter { if case .notice = $0 { true } else { false } }
    waiting.removeAll { notices.contains($0) }
    return notices
  }

  private func perform(_ actions: [StrapAction], _ now: Int64) {
    for action in actions {
      switch action {
      case .open: if let error = bus.open() { return lose(error, now) }
      case .close: bus.close()
      case .call(let call): if let error = bus.send(call) { return lose(error, now) }
      case .report(let report): take(report)
      }
    }
  }

  private func lose(_ error: BluezError, _ now: Int64) {
    bus.close()
    perform(link.handle(.lost(error), now: now), now)
  }

  private func take(_ report: StrapReport) {
    switch report {
    case .notice(let text): waiting.append(.notice("\(name): \(text)"))
    case .heartRate(let beats, let intervals):
      let clock = clock ?? SteadyWallClock()
      self.clock = clock
      let sample = LiveSample(
        .heartRate(Double(beats)), at: .wall(clock.now()), source: link.device?.fullName,
        beside: intervals.map { .rrInterval(Double($0) * 1_000 / 1_024) })
      waiting.append(.lines([.sample(sample)]))
    case .failed(let problem): self.problem = problem
    }
  }
}
