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
    let rounding = trace.hasWholeBeats ? ResponseNoise.wholeBeats : 0
    let stretches = Self.known(in: trace).map { seconds in
      let (start, end) = (Double(seconds.lowerBound), Double(seconds.upperBound))
      let readings = trace.heartRates.filter { $0.seconds >= start && $0.seconds < end }
        .map { MovementTrace.Point(seconds: $0.seconds - start, value: $0.value) }
      return (seconds: seconds, readings: readings)
    }
    bySpan = Self.spans.map { span in
      let costs = trace.costs(span: span)
      return stretches.map { seconds, readings in
        HeartRateResponse.Stretch(
          readings: readings, cost: Array(costs[seconds]), start: seconds.lowerBound, rounding: rounding)
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

  /// The seconds of each stretch of a session, the same for each of ``spans``.
  static func known(in trace: MovementTrace) -> [Range<Int>] {
    var result: [Range<Int>] = []
    var first: Int?
    let count = trace.speed.count
    for second in 0...count {
      let isKnown = second < count && !trace.speed[second].isNaN && !trace.heartRate[second].isNaN
      if isKnown, first == nil { first = second }
      guard !isKnown, let start = first else { continue }
      first = nil
      if second - start >= shortest { result.append(start..<second) }
    }
    return result
  }
}
