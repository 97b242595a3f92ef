/// The stretches of some sessions in which heart rate and movement are known, by each of the spans over which speeds may be measured.
///
/// Over long spans changes of speed are blurred, so that hearts look quicker than they are; over short ones single distances are off, which
/// makes gains too small. Which of them is worse depends on the device, and shows in how likely the heart rate is.
struct ResponseStretches {
  /// Spans in seconds, of which the first one is taken where no other is clearly more likely. Source: ours.
  static let spans = [MovementTrace.speedSpan, 1, 3, 5, 17]
  /// The fewest seconds of a stretch without a gap.
  static let shortest = 300

  /// The same stretches for each of ``spans``.
  private(set) var bySpan: [[HeartRateResponse.Stretch]]

  /// The stretches of a session; there may be none.
  init(_ trace: MovementTrace) {
    bySpan = Self.spans.map { span in
      let costs = trace.costs(span: span)
      return Self.known(trace, costs).map { seconds in
        let start = Double(seconds.lowerBound)
        let readings = trace.heartRates.lazy.filter { (start..<Double(seconds.upperBound)).contains($0.seconds) }
        return HeartRateResponse.Stretch(
          readings: readings.map { MovementTrace.Point(seconds: $0.seconds - start, value: $0.value) },
          cost: Array(costs[seconds]), start: seconds.lowerBound,
          rounding: trace.hasWholeBeats ? ResponseNoise.wholeBeats : 0)
      }
    }
  }

  /// Those of several sessions.
  init(_ sessions: [ResponseStretches]) {
    bySpan = Self.spans.indices.map { span in sessions.flatMap { $0.bySpan[span] } }
  }

  /// How many seconds they last.
  var seconds: Int { bySpan[0].reduce(0) { $0 + $1.seconds } }
  /// Whether there is none.
  var isEmpty: Bool { bySpan[0].isEmpty }

  /// The same, each stretch as what it is made to.
  func map(_ change: (HeartRateResponse.Stretch) -> HeartRateResponse.Stretch) -> ResponseStretches {
    var changed = self
    changed.bySpan = bySpan.map { $0.map(change) }
    return changed
  }

  /// The seconds of each stretch.
  private static func known(_ trace: MovementTrace, _ costs: [Double]) -> [Range<Int>] {
    var result: [Range<Int>] = []
    var first: Int?
    for second in 0...costs.count {
      let isKnown = second < costs.count && !costs[second].isNaN && !trace.heartRate[second].isNaN
      if isKnown, first == nil { first = second }
      guard !isKnown, let start = first else { continue }
      first = nil
      if second - start >= shortest { result.append(start..<second) }
    }
    return result
  }
}
