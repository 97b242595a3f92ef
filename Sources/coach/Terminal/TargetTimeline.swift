internal import WorkoutSession
internal import ZoneEngine

/// Which target was in force when, for pictures of a session.
///
/// It grows by one entry a step of a plan, of which there are at most a thousand.
struct TargetTimeline: Sendable {
  private var spans: [(start: SessionTime, target: ResolvedTarget?)]

  /// The first target of a session.
  init(settings: CoachingSettings) {
    spans = [(.zero, CoachingEngine(settings: settings).target)]
  }

  /// Takes a further target from what the session tells; other events change nothing.
  mutating func note(_ event: SessionEvent) {
    guard case .engine(.stepChanged(let time, _, _, let target)) = event else { return }
    if spans.last?.start == time { spans.removeLast() }
    spans.append((time, target))
  }

  /// The target in force at a time.
  ///
  /// - Complexity: O(number of steps).
  func target(at time: SessionTime) -> ResolvedTarget? {
    spans.last { $0.start <= time }?.target ?? nil
  }

  /// All targets that were asked for, each once, in order.
  var targets: [ResolvedTarget] {
    spans.compactMap(\.target).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// The target, where there was only one.
  var only: ResolvedTarget? { targets.count == 1 ? targets.first : nil }
}
