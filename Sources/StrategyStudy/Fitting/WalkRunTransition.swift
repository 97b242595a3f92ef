/// The speed at which a person changes from walking to running: where a logistic function of the speed says that both are as
/// likely, of the highest likelihood.
package struct WalkRunTransition: Hashable, Sendable {
  /// How the gait of a part of the sessions is foreseen by what was fitted to the rest: running from the speed of the change on.
  package struct HeldOut: Hashable, Sendable {
    /// How many seconds.
    package let seconds: Int
    /// The share of them in which it is another gait.
    package let wrongShare: Double
    /// The same of who says that it is always the gait that was seen more.
    package let usualGaitWrongShare: Double
  }

  /// Seconds of each gait by the speed in centimetres a second.
  private struct Counts {
    private(set) var runs = [Int](repeating: 0, count: 601)
    private(set) var walks = [Int](repeating: 0, count: 601)

    /// Counts the seconds of some part of each session.
    init(_ traces: [MovementTrace], in part: (MovementTrace) -> Range<Int>) {
      for trace in traces {
        for second in part(trace) where trace.speed[second] >= 0.5 && !trace.cadence[second].isNaN {
          let place = min(600, Int((trace.speed[second] * 100).rounded()))
          if trace.gait(at: second) == .run { runs[place] += 1 } else { walks[place] += 1 }
        }
      }
    }

    var allRuns: Int { runs.reduce(0, +) }
    var allWalks: Int { walks.reduce(0, +) }
  }

  /// So many seconds of each have to be there.
  static let fewestSeconds = 60
  /// Speeds that are looked at, in centimetres a second.
  private static let speeds = 120...320
  /// Widths of the change that are looked at, in m/s.
  private static let widths = [0.05, 0.1, 0.15, 0.2, 0.3, 0.4]

  /// The speed in m/s.
  let metersPerSecond: Double

  /// Finds it in sessions; `nil` where the cadence does not show both.
  init?(_ traces: [MovementTrace]) { self.init(Counts(traces) { $0.speed.indices }) }

  private init?(_ counts: Counts) {
    let (runs, walks) = (counts.runs, counts.walks)
    guard counts.allRuns >= Self.fewestSeconds, counts.allWalks >= Self.fewestSeconds else { return nil }
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

  /// How well the end of each session is foreseen by what was fitted to its beginning; `nil` where that does not show both gaits, or
  /// nothing is left.
  static func heldOut(of traces: [MovementTrace], fitted part: Double) -> HeldOut? {
    func end(_ trace: MovementTrace) -> Int { Int(Double(trace.speed.count) * part) }
    let known = Counts(traces) { 0..<end($0) }
    let rest = Counts(traces) { end($0)..<$0.speed.count }
    let seconds = rest.allRuns + rest.allWalks
    guard seconds > 0, let fitted = WalkRunTransition(known) else { return nil }
    let change = Int((fitted.metersPerSecond * 100).rounded())
    let wrong = rest.walks[change...].reduce(0, +) + rest.runs[..<change].reduce(0, +)
    let other = known.allRuns >= known.allWalks ? rest.allWalks : rest.allRuns
    return HeldOut(
      seconds: seconds, wrongShare: Double(wrong) / Double(seconds),
      usualGaitWrongShare: Double(other) / Double(seconds))
  }
}
