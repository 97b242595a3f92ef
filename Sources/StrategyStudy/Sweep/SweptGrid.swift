internal import ZoneEngine

/// Strategies that are asked together, of many sessions: where several judge the same, and together often, what it shows is
/// made once for every second of a session.
package struct SweptGrid: Hashable, Sendable {
  /// The strategies, in the order in which they are counted.
  package let strategies: [SweptStrategy]
  /// What is judged by several.
  let shared: [SweptStrategy.Evidence]
  /// Where in ``shared`` stands what a strategy judges; `nil` for one that is judged alone.
  let places: [Int?]

  /// The longest window that any of them judges, in seconds.
  var longestWindow: Int {
    strategies.reduce(0) { longest, strategy in
      if case .window(let seconds) = strategy.evidence { max(longest, seconds) } else { longest }
    }
  }

  /// The seconds between two rows of ``BandCounts`` that all of them find what they judge in.
  let rowSeconds: Int

  /// Moments a second of all that judge the same, up to which each is judged alone.
  private static let fewMoments = 0.25

  /// Takes strategies, which may repeat themselves.
  package init(_ strategies: [SweptStrategy]) {
    self.strategies = strategies
    var shared: [SweptStrategy.Evidence] = []
    for strategy in strategies where !shared.contains(strategy.evidence) {
      let group = strategies.filter { $0.evidence == strategy.evidence }
      let moments = group.reduce(0) { $0 + 1 / Double($1.every.value) }
      if group.count > 1, moments > Self.fewMoments { shared.append(strategy.evidence) }
    }
    self.shared = shared
    places = strategies.map { shared.firstIndex(of: $0.evidence) }
    let alone = strategies.filter { !shared.contains($0.evidence) }
    let rows = alone.reduce(0) { Self.divisor($0, Self.rowSeconds($1.every.value, $1.evidence)) }
    rowSeconds = shared.isEmpty && rows > 0 ? rows : 1
  }

  /// The seconds between two rows in which moments every so many seconds find what they judge: windows begin and end there.
  static func rowSeconds(_ every: Int, _ evidence: SweptStrategy.Evidence) -> Int {
    switch evidence {
    case .newest: every
    case .window(let seconds): divisor(every, seconds)
    }
  }

  /// The greatest number that divides two; of 0 and another the other.
  private static func divisor(_ one: Int, _ other: Int) -> Int {
    var (one, other) = (one, other)
    while other != 0 { (one, other) = (other, one % other) }
    return one
  }
}
