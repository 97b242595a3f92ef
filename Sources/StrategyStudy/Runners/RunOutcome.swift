/// What came of one session of a virtual runner. "In target" is the true heart rate, as it would be displayed, not what
/// the sensor reported.
package struct RunOutcome: Hashable, Sendable {
  /// Seconds in the target.
  package var secondsInTarget: Int32 = 0
  /// The same after the start-up: 3 min, or 5 min for the driven treadmill.
  package var secondsInTargetAfterStart: Int32 = 0
  /// The first second in the target; absent when there was none.
  package var secondsToTarget: Int32?
  /// Cues, `hold` too.
  package var cues: Int32 = 0
  /// Cues to go faster or slower.
  package var directionalCues: Int32 = 0
  /// Those of them that were followed.
  package var followedCues: Int32 = 0
  /// Directional cues against the one before.
  package var directionChanges: Int32 = 0
  /// Checks, the moments at which a strategy with an interval judged.
  package var checks: Int32 = 0
  /// Checks in the target.
  package var checksInTarget: Int32 = 0
  /// Instants midway between two checks.
  package var midways: Int32 = 0
  /// Those of them in the target.
  package var midwaysInTarget: Int32 = 0
  /// Root of the mean squared distance from the middle of the target after the start-up, in bpm; absent of a session that
  /// is not longer.
  package var rootMeanSquareErrorBPM: Float?
  /// How far the heart rate went over the upper limit at most, in bpm; 0 when it never did.
  package var overshootBPM: Float = 0

  /// Nothing yet.
  package init() {}

  /// The bits of ``rootMeanSquareErrorBPM`` as parts and temporary files have them: 0, the distance of no session, where it is absent.
  var rootMeanSquareErrorBits: UInt32 {
    get { rootMeanSquareErrorBPM?.bitPattern ?? 0 }
    set { rootMeanSquareErrorBPM = newValue == 0 ? nil : Float(bitPattern: newValue) }
  }

  /// Share of checks in the target less the share of the instants midway between two checks; absent without either.
  package var checkMinusMidway: Double? {
    guard checks > 0, midways > 0 else { return nil }
    return Double(checksInTarget) / Double(checks) - Double(midwaysInTarget) / Double(midways)
  }
}

/// What is summed up second by second while a session runs.
struct OutcomeTally {
  private let target: StudyTarget
  private let middle: Double
  private let lowest: Double
  private let end: Double
  private let startUp: Int
  private var seconds = 0
  private var squares = 0.0
  private var highest = 0.0
  private var first = -1
  private var inTarget = 0
  private var inTargetEarly = 0

  init(_ target: StudyTarget, startUpSeconds: Int) {
    self.target = target
    middle = target.middle
    // A half is displayed rounded up.
    lowest = Double(target.lowerBPM) - 0.5
    end = Double(target.upperBPM) + 0.5
    startUp = startUpSeconds
  }

  /// Takes the heart rate of the next second; returns whether it is in the target.
  @inline(__always)
  mutating func add(_ heartRate: Double) -> Bool {
    if seconds == startUp {
      squares = 0
      inTargetEarly = inTarget
    }
    let isIn = heartRate >= lowest && heartRate < end
    if isIn {
      inTarget &+= 1
      if first < 0 { first = seconds }
    }
    let error = heartRate - middle
    squares += error * error
    if heartRate > highest { highest = heartRate }
    seconds &+= 1
    return isIn
  }

  /// The outcome so far.
  var outcome: RunOutcome {
    var outcome = RunOutcome()
    outcome.secondsInTarget = Int32(inTarget)
    outcome.secondsToTarget = first < 0 ? nil : Int32(first)
    outcome.overshootBPM = Float(max(0, highest - Double(target.upperBPM)))
    guard seconds > startUp else { return outcome }
    outcome.secondsInTargetAfterStart = Int32(inTarget - inTargetEarly)
    outcome.rootMeanSquareErrorBPM = Float((squares / Double(seconds - startUp)).squareRoot())
    return outcome
  }
}
