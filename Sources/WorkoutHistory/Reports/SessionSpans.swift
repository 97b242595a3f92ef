package import ZoneEngine

/// A part of a session.
package struct SessionSpan: Hashable, Sendable {
  /// When it begins.
  package let from: SessionTime
  /// When it ends; later than ``from``.
  package let until: SessionTime

  /// The length.
  package var duration: SessionTime { until - from }
}

/// Follows a session and notes when it was paused, and when its active time had no heart rate: the `noData` of its
/// summary, span by span.
struct SessionSpans {
  /// The pauses so far, in order.
  private(set) var pauses: [SessionSpan] = []
  /// Active time without a heart rate so far, in order. Spans that touch each other are two.
  private(set) var withoutHeartRate: [SessionSpan] = []

  private enum State {
    case paused(since: SessionTime)
    case uncovered(since: SessionTime)
    case held(until: SessionTime)
  }

  private var state = State.uncovered(since: .zero)

  /// Takes a heart rate that is held from `now` of a session that is not paused.
  mutating func hold(from now: SessionTime, reading time: SessionTime) {
    endUncovered(at: now)
    state = .held(until: max(now, time + CoachingEngine.holdLimit))
  }

  /// Takes note of a pause.
  mutating func pause(at now: SessionTime) {
    endUncovered(at: now)
    state = .paused(since: now)
  }

  /// Takes note that the session goes on.
  mutating func resume(at now: SessionTime) {
    if case .paused(let since) = state, now > since { pauses.append(SessionSpan(from: since, until: now)) }
    state = .uncovered(since: now)
  }

  /// Takes note of the end.
  mutating func finish(at end: SessionTime) {
    endUncovered(at: end)
    if case .paused(let since) = state, end > since { pauses.append(SessionSpan(from: since, until: end)) }
  }

  private mutating func endUncovered(at now: SessionTime) {
    let since: SessionTime
    switch state {
    case .paused: return
    case .uncovered(let begin): since = begin
    case .held(let until): since = until
    }
    if now > since { withoutHeartRate.append(SessionSpan(from: since, until: now)) }
  }
}
