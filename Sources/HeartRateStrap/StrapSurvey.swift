/// Listens for a while to which straps are in the room.
///
/// It is pure, as ``StrapLink`` is.
package struct StrapSurvey: Sendable {
  /// When it wants to be asked again although nothing has happened, in nanoseconds of the clock of `now`.
  package private(set) var deadline: Int64?
  /// Whether it has listened for long enough.
  package private(set) var isOver = false
  /// Why it cannot listen.
  package private(set) var problem: StrapProblem?

  private let length: Int64
  private var tree = BluezTree()
  private var isListed = false
  private var adapter: String?
  private var seen: [String: StrapDevice] = [:]

  /// A survey of some nanoseconds that was not begun.
  package init(length: Int64) { self.length = length }

  /// The straps that were heard, or are connected, by their address; each as it was last heard.
  package var straps: [StrapDevice] { seen.values.sorted { $0.address < $1.address } }

  /// Begins; the first call.
  package mutating func begin(now: Int64) -> [StrapAction] {
    deadline = now + StrapPatience.answer
    return [.open, .call(.list)]
  }

  /// Takes what has happened.
  package mutating func handle(_ event: BluezEvent, now: Int64) -> [StrapAction] {
    guard problem == nil, !isOver else { return [] }
    tree.take(event)
    switch event {
    case .objects:
      isListed = true
      deadline = now + StrapPatience.adapter
    case .refused(.list, let error): problem = StrapProblem(error)
    case .refused(.startDiscovery, let error) where error.kind != .alreadyDone: problem = StrapProblem(error)
    case .lost(let error): problem = StrapProblem(error)
    case .vanished: if isListed { problem = .noBluez }
    case .added, .removed, .changed, .answered, .refused, .appeared: break
    }
    for device in tree.devices where device.offersHeartRate && device.isHere { seen[device.address] = device }
    guard problem == nil, isListed, adapter == nil, case .ready(let ready) = tree.adapter else { return [] }
    adapter = ready
    deadline = now + length
    return [.call(.setFilter(ready)), .call(.startDiscovery(ready))]
  }

  /// Advances to `now`; returns what is due.
  package mutating func tick(now: Int64) -> [StrapAction] {
    guard problem == nil, !isOver, let due = deadline, now >= due else { return [] }
    deadline = nil
    if let adapter {
      isOver = true
      return [.call(.stopDiscovery(adapter)), .close]
    }
    switch tree.adapter {
    case .off(let name, let isBlocked): problem = .adapterOff(name, isBlocked: isBlocked)
    case .none: problem = isListed ? .noAdapter : .other("it does not answer")
    case .ready: problem = .other("it does not answer")
    }
    return [.close]
  }
}

/// Carries a survey out on the system bus, turn by turn.
package final class StrapSearch {
  private var survey: StrapSurvey
  private let bus = BluezBus()
  private var latest: Int64

  /// Begins to listen for some nanoseconds.
  package init(length: Int64, now: Int64) {
    survey = StrapSurvey(length: length)
    latest = now
    perform(survey.begin(now: now))
  }

  /// The straps that were heard until now.
  package var straps: [StrapDevice] { survey.straps }
  /// Whether it has listened for long enough.
  package var isOver: Bool { survey.isOver }
  /// Why it cannot listen.
  package var problem: StrapProblem? { survey.problem }
  /// The descriptors that it waits to read from.
  package var descriptors: [Int32] { [bus.descriptor].compactMap(\.self) }
  /// When it wants a turn although none of them can be read, in nanoseconds of the monotonic clock.
  package var turn: Int64? { [survey.deadline, bus.turn(after: latest)].compactMap(\.self).min() }

  /// Takes what has come.
  package func collect(now: Int64) {
    latest = now
    for event in bus.receive() { perform(survey.handle(event, now: now)) }
    perform(survey.tick(now: now))
  }

  private func perform(_ actions: [StrapAction]) {
    for action in actions {
      switch action {
      case .open: if let error = bus.open() { return lose(error) }
      case .close: bus.close()
      case .call(let call): if let error = bus.send(call) { return lose(error) }
      case .report: break
      }
    }
  }

  private func lose(_ error: BluezError) {
    bus.close()
    perform(survey.handle(.lost(error), now: latest))
  }
}
