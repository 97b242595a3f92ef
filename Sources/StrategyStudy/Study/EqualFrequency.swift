package import ZoneEngine

/// Arms that a fair comparison lacks: two kinds of strategy that judge at different intervals differ in two things at
/// once.
package enum EqualFrequency {
  /// For each two arms of different kinds and intervals the first at the interval of the second, unless it is there.
  package static func missing(_ strategies: [FeedbackStrategy]) -> [FeedbackStrategy] {
    var missing: [FeedbackStrategy] = []
    for strategy in strategies {
      for other in strategies where other.kind != strategy.kind {
        guard let own = strategy.schedule?.every, let every = other.schedule?.every, own != every else { continue }
        let hasEqual = strategies.contains { $0.kind == strategy.kind && $0.schedule?.every == every }
        guard !hasEqual, let equal = strategy.judging(every: every), !missing.contains(equal) else { continue }
        missing.append(equal)
      }
    }
    return missing
  }
}

extension FeedbackStrategy {
  /// The same strategy at another interval; `nil` when it has none to change.
  fileprivate func judging(every: SessionTime) -> FeedbackStrategy? {
    let changed = parameters.map { (key: $0.key, value: $0.key == "every" ? every.seconds : $0.value) }
    return try? FeedbackStrategy(kind: kind, parameters: changed)
  }
}
