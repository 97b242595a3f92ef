internal import WorkoutSession
internal import ZoneEngine

/// What the history has of the laps of a session, put to the laps of a file, of which one may be several of these: those that
/// begin in one second, or in one pause.
struct LapResults {
  /// The heart rates of each lap; `nil` where the history has none of it.
  let heartRates: [HeartRateStatistics?]
  /// How far the session had come at the end of each lap, in metres; `nil` where the history does not know it of each.
  let meters: [Double]?

  /// Puts results to laps.
  ///
  /// - Parameters:
  ///   - starts: when the laps begin, in order; what begins before the first is of the first.
  ///   - start: when a result begins, on the same clock.
  /// - Complexity: O(n) in the results and the laps.
  init(_ results: [SessionLap], starts: [Int64], start: (SessionLap) -> Int64) {
    var heartRates: [HeartRateStatistics?] = []
    var ends: [Double] = []
    var meters = 0.0
    var rest = results[...]
    for index in starts.indices {
      let isLast = index + 1 == starts.count
      let part = isLast ? rest : rest.prefix { start($0) < starts[index + 1] }
      rest = rest.dropFirst(part.count)
      heartRates.append(part.isEmpty ? nil : HeartRateStatistics(joining: part.map(\.heartRates)))
      meters = part.reduce(meters) { $0 + ($1.meters ?? 0) }
      ends.append(meters)
    }
    self.heartRates = heartRates
    self.meters = results.isEmpty || results.contains { $0.meters == nil } ? nil : ends
  }
}

extension HeartRateStatistics {
  /// The statistics of several laps together.
  init(joining all: [HeartRateStatistics]) {
    self.init(
      count: all.reduce(0) { $0 + $1.count }, sum: all.reduce(0) { $0 + $1.sum },
      minimum: all.compactMap(\.minimum).min(), maximum: all.compactMap(\.maximum).max())
  }
}
