package import ZoneEngine

/// Which target was in force when, for pictures of a session.
///
/// It grows by one entry a step of a plan, of which there are at most a thousand, and one a change of the target.
package struct TargetTimeline: Hashable, Sendable {
  /// A target and since when it was in force; it holds until the next one, the last one to the end.
  package struct Span: Hashable, Sendable {
    /// When it began.
    package let start: SessionTime
    /// The target; absent while nothing was asked for.
    package let target: ResolvedTarget?

    /// Creates a span.
    package init(start: SessionTime, target: ResolvedTarget?) {
      self.start = start
      self.target = target
    }
  }

  /// The spans in order of time.
  package private(set) var spans: [Span]

  /// The first target of a session.
  package init(settings: CoachingSettings) {
    spans = [Span(start: .zero, target: CoachingEngine(settings: settings).target)]
  }

  /// The targets of a session that is over, in order of time.
  package init(spans: [Span]) { self.spans = spans }

  /// Takes a further target from what the session emits; other events change nothing.
  package mutating func note(_ event: SessionEvent) {
    let (time, target): (SessionTime, ResolvedTarget?)
    switch event {
    case .engine(.stepChanged(let at, _, _, let begun)): (time, target) = (at, begun)
    case .engine(.targetChanged(let at, _, let asked)): (time, target) = (at, asked)
    case .engine(.decision), .engine(.signalLost), .engine(.signalRestored), .engine(.signalSuspect),
      .engine(.quantityLost), .engine(.quantityRestored), .engine(.strategyChanged), .engine(.trialPoint),
      .engine(.paused),
      .engine(.resumed), .started, .lap, .sourceChanged, .activity,
      .activityDiffers, .countdown,
      .rejected, .acknowledgement, .ended:
      return
    }
    if spans.last?.start == time { spans.removeLast() }
    spans.append(Span(start: time, target: target))
  }

  /// The target in force at a time.
  ///
  /// - Complexity: O(number of steps).
  package func target(at time: SessionTime) -> ResolvedTarget? {
    spans.last { $0.start <= time }?.target ?? nil
  }

  /// The targets in force between two times, in order.
  package func targets(from start: SessionTime, to end: SessionTime) -> [ResolvedTarget] {
    let first = spans.lastIndex { $0.start <= start } ?? 0
    return spans[first...].prefix { $0.start <= end }.compactMap(\.target)
  }

  /// All targets that were asked for, each once, in order.
  package var targets: [ResolvedTarget] {
    spans.compactMap(\.target).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// The target, where there was only one.
  package var only: ResolvedTarget? { targets.count == 1 ? targets.first : nil }
}
