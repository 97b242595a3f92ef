internal import ZoneEngine

/// What is to be reported of samples whose stamps had no place in the session: once for each stream, with the next sample of it that has
/// a place, so that a replay reports it there too.
struct StampRejections: Sendable {
  /// What is still to be reported of a stream.
  private enum State: Hashable {
    /// Nothing was rejected.
    case none
    /// Something was; it is reported with the next sample that has a place.
    case unreported
    /// It is reported once the decisions have come to a time.
    case due(SessionTime)
    case reported
  }

  private var states = [State](repeating: .none, count: SampleStream.allCases.count)
  /// The earliest time at which something is reported; `nil` when that is not known, or nothing is.
  private(set) var next: SessionTime?

  /// A sample of a stream was rejected.
  mutating func reject(_ stream: SampleStream) {
    if states[stream.rawValue] == .none { states[stream.rawValue] = .unreported }
  }

  /// Whether a stream waits for its next sample with a place.
  @inline(__always)
  func isUnreported(_ stream: SampleStream) -> Bool { states[stream.rawValue] == .unreported }

  /// What a stream waited for is reported.
  mutating func report(_ stream: SampleStream) { states[stream.rawValue] = .reported }

  /// What a stream waited for is reported when the decisions have come to a time.
  mutating func report(_ stream: SampleStream, at due: SessionTime) {
    states[stream.rawValue] = .due(due)
    next = next.map { min($0, due) } ?? due
  }

  /// The streams that are to be reported at a time, in their order; they are reported with that.
  mutating func takeDue(at time: SessionTime) -> [SampleStream] {
    let due = SampleStream.allCases.filter { states[$0.rawValue] == .due(time) }
    for stream in due { states[stream.rawValue] = .reported }
    next = states.compactMap { if case .due(let time) = $0 { time } else { nil } }.min()
    return due
  }

  /// The streams of which something is not reported yet, in their order.
  var open: [SampleStream] {
    SampleStream.allCases.filter { stream in
      switch states[stream.rawValue] {
      case .none, .reported: false
      case .unreported, .due: true
      }
    }
  }
}
