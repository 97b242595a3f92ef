/// The speed at which a person changes from walking to running: where a logistic function of the speed says that both are as
/// likely, of the highest likelihood.
struct WalkRunTransition: Hashable, Sendable {
  /// So many seconds of each have to be there.
  static let fewestSeconds = 60
  /// Speeds that are looked at, in centimetres a second.
  private static let speeds = 120...320
  /// Widths of the change that are looked at, in m/s.
  private static let widths = [0.05, 0.1, 0.15, 0.2, 0.3, 0.4]

  /// The speed in m/s.
  let metersPerSecond: Double

  /// Finds it in sessions; `nil` where the cadence does not show both.
  init?(_ traces: [MovementTrace]) {
    // Seconds by speed in centimetres a second.
    var runs = [Int](repeating: 0, count: 601)
    var walks = runs
    for trace in traces {
      for second in trace.speed.indices where trace.speed[second] >= 0.5 && !trace.cadence[second].isNaN {
        let place = min(600, Int((trace.speed[second] * 100).rounded()))
        if trace.gait(at: second) == .run { runs[place] += 1 } else { walks[place] += 1 }
      }
    }
    guard runs.reduce(0, +) >= Self.fewestSeconds, walks.reduce(0, +) >= Self.fewestSeconds else { return nil }
    var best = (logLikelihood: -Double.infinity, speed: 0)
    for speed in Self.speeds {
      for width in Self.widths {
        var sum = 0.0
        for place in runs.indices where runs[place] + walks[place] > 0 {
          let z = max(-30, min(30, Double(place - speed) / 100 / width))
          let unlikely = PortableMath.log(1 + PortableMath.exp(-z))
          sum -= Double(runs[place]) * unlikely + Double(walks[place]) * (unlikely + z)
        }
        if sum > best.logLikelihood { best = (sum, speed) }
      }
    }
    guard best.speed > Self.speeds.lowerBound, best.speed < Self.speeds.upperBound else { return nil }
    metersPerSecond = Double(best.speed) / 100
  }
}
