package import WorkoutSession

/// The numbers of the model of runners that fit a person's sessions best, by maximum likelihood, and how well they foresee what
/// they were not fitted to.
package struct RunnerFit: Sendable {
  /// Why nothing can be said of a person.
  package enum Refusal: Error, Hashable, Sendable {
    /// Fewer seconds with heart rate and speed than ``shortest``, in stretches of at least ``shortestStretch``.
    case tooShort(seconds: Int)
    /// The heart rate does not rise with what the movement costs, or so little that it may be chance.
    case noResponse
    /// The time constant lies at an end of what is looked at.
    case noTimeConstant
    /// The likeliest delay is the longest one that is looked at, so that it may be any longer one.
    case noDelay
  }

  /// A number with its 95 % interval.
  package struct Interval: Hashable, Sendable {
    /// The most likely value.
    package let value: Double
    /// The lower end.
    package let lower: Double
    /// The upper end.
    package let upper: Double

    /// The interval of a value with a standard error, by the normal distribution.
    init(_ value: Double, error: Double) {
      self.value = value
      lower = value - 1.96 * error
      upper = value + 1.96 * error
    }

    /// A value with its interval.
    init(_ value: Double, _ interval: ClosedRange<Double>) {
      (self.value, lower, upper) = (value, interval.lowerBound, interval.upperBound)
    }
  }

  /// How the last quarter of each stretch came out, foreseen from its movement by what was fitted to the rest.
  package struct HeldOut: Hashable, Sendable {
    /// How many seconds.
    package let seconds: Int
    /// The root of the mean square of the error, in bpm.
    package let rmseBPM: Double
    /// The mean of what was foreseen less what was measured, in bpm.
    package let biasBPM: Double
    /// The error of who says that the heart rate stays as in the last minute before.
    package let lastMinuteRMSEBPM: Double
    /// The error of who fits the same without a delay; absent where nothing fits.
    package let withoutDelayRMSEBPM: Double?
  }

  /// The fewest seconds of a person.
  package static let shortest = 900
  /// The fewest seconds of a stretch without a gap.
  package static let shortestStretch = 300
  /// Time constants that are looked at, in seconds.
  package static let timeConstants = 8.0...250.0
  /// Delays that are looked at, in seconds.
  package static let delays = 0...20
  /// From so far apart readings on, in seconds, the lines between them make noise look as if it was remembered for longer.
  private static let longestSpacing = 1.5
  /// By how much the logarithm of the likelihood has to be higher for recordings that begin in standing. Source: ours; by chance it is
  /// higher by less.
  private static let needed = 2.0
  /// The latest second at which a stretch may begin to be the beginning of its session.
  private static let latestBeginning = 30
  /// The part of each stretch that is fitted when the rest is held out.
  private static let fittedPart = 0.75

  /// Whom the sessions belong to.
  package let person: String
  /// How many sessions had something to fit.
  package let sessions: Int
  /// How many of these came from where; what is not known counts nowhere.
  package let origins: [SessionOrigin: Int]
  /// How many seconds were fitted.
  package let seconds: Int
  /// Whether more of them were run than walked.
  package let gait: Gait
  /// How much the steady heart rate rises with the speed, in bpm a m/s: running on the level, or at the mean speed of walking.
  package let gain: Interval
  /// The same, in bpm for each ml/(kg·min).
  package let risePerUptake: Double
  /// Time constant of the heart rate in seconds.
  package let timeConstant: Interval
  /// Whole seconds from the movement to the begin of the answer: body, sensor and the watch's own filter together.
  package let delay: Interval
  /// Drift at an even effort, in bpm a minute.
  package let drift: Interval
  /// The standard deviation of the noise around the course, in bpm.
  package let noiseBPM: Double
  /// Its time constant in seconds.
  package let noiseSeconds: Double
  /// The speed at which the person changes from walking to running, in m/s; absent where the cadence does not show both.
  package let transition: Double?
  /// Whether hills were known in every session; without them a run uphill is taken for a slow one.
  package let knowsGrades: Bool
  /// Whether no session has altitudes.
  package let knowsNoGrades: Bool
  /// The median of seconds from one reading of the heart rate to the next, where it is so long that the noise is remembered for
  /// shorter than ``noiseSeconds``, and intervals are not to be trusted: what lies on a line between two readings counts as measured.
  package let sparseSpacing: Double?
  /// What was held out; absent where nothing was left.
  package let heldOut: HeldOut?
  /// How the gait of the last quarter of each session is foreseen by the speed; absent where the rest does not show both.
  package let heldOutGait: WalkRunTransition.HeldOut?

  /// Fits the sessions of a person.
  ///
  /// - Throws: ``Refusal`` when they say too little.
  /// - Complexity: about 1,100 passes over all seconds, twice as many where readings are in whole beats.
  package init(_ person: String, _ traces: [MovementTrace]) throws(Refusal) {
    self.person = person
    let perSession = traces.map { (origin: $0.origin, stretches: Self.stretches(of: $0)) }
      .filter { !$0.stretches.isEmpty }
    let stretches = perSession.flatMap(\.stretches)
    sessions = perSession.count
    origins = Dictionary(perSession.compactMap(\.origin).map { ($0, 1) }, uniquingKeysWith: +)
    seconds = stretches.reduce(0) { $0 + $1.heartRate.count }
    guard seconds >= Self.shortest else { throw .tooShort(seconds: seconds) }
    let (response, found, (best, errors)) = try Self.mostLikely(stretches)
    var profile = found
    let gait = Self.gait(of: traces)
    self.gait = gait.usual
    let slope = gait.usual == .run ? 12 : Self.walkingSlope(at: gait.meanSpeed)
    risePerUptake = best.rise
    gain = Interval(best.rise * slope, error: errors.rise * slope)
    drift = Interval(best.drift, error: errors.drift)
    timeConstant = Interval(best.timeConstant, error: errors.timeConstant)
    delay = Interval(Double(best.delay), profile.interval(around: best))
    noiseBPM = best.noise
    noiseSeconds = best.noiseSeconds
    transition = WalkRunTransition(traces)?.metersPerSecond
    knowsGrades = traces.allSatisfy(\.hasAltitude)
    knowsNoGrades = !traces.contains(where: \.hasAltitude)
    let spacings = traces.filter(Self.canFit).flatMap(\.heartRateSpacings)
    let spacing = spacings.isEmpty ? 0 : spacings.quantile(0.5)
    sparseSpacing = spacing > Self.longestSpacing ? spacing : nil
    heldOut = Self.heldOut(response)
    heldOutGait = WalkRunTransition.heldOut(of: traces, fitted: Self.fittedPart)
  }

  /// Whether a session has something to fit.
  static func canFit(_ trace: MovementTrace) -> Bool { !stretches(of: trace).isEmpty }

  /// Stretches in which heart rate and movement are known.
  private static func stretches(of trace: MovementTrace) -> [HeartRateResponse.Stretch] {
    let costs = trace.costs
    var result: [HeartRateResponse.Stretch] = []
    var first: Int?
    for second in 0...costs.count {
      let isKnown = second < costs.count && !costs[second].isNaN && !trace.heartRate[second].isNaN
      if isKnown, first == nil { first = second }
      guard !isKnown, let start = first else { continue }
      first = nil
      guard second - start >= shortestStretch else { continue }
      result.append(
        HeartRateResponse.Stretch(
          heartRate: Array(trace.heartRate[start..<second]), cost: Array(costs[start..<second]), start: start,
          rounding: trace.hasWholeBeats ? ResponseNoise.wholeBeats : 0))
    }
    return result
  }

  private static func gait(of traces: [MovementTrace]) -> (usual: Gait, meanSpeed: Double) {
    var (runs, walks, sum) = (0, 0, 0.0)
    for trace in traces {
      for second in trace.speed.indices where trace.speed[second] >= 0.3 {
        sum += trace.speed[second]
        if trace.gait(at: second) == .run { runs += 1 } else { walks += 1 }
      }
    }
    return (runs >= walks ? .run : .walk, sum / Double(max(1, runs + walks)))
  }

  /// How much the uptake of walking rises a m/s, in ml/(kg·min).
  private static func walkingSlope(at speed: Double) -> Double {
    (Gait.walk.oxygenUptake(speed: speed + 0.05, grade: 0) - Gait.walk.oxygenUptake(speed: speed - 0.05, grade: 0))
      / 0.1
  }

  /// The fit of the more likely of two assumptions of what was done before the recordings: what the first second of each does, or
  /// nothing, standing. A stretch after a gap of a recording goes on as it begins.
  ///
  /// Source: ours; a heart that waits for a delay as a recording begins shows which of them it was.
  private static func mostLikely(
    _ stretches: [HeartRateResponse.Stretch]
  ) throws(Refusal) -> (HeartRateResponse, DelayProfile, DelayProfile.MostLikely) {
    let response = HeartRateResponse(stretches: stretches)
    var profile = DelayProfile(response)
    let going = try profile.mostLikely()
    let afterRest = HeartRateResponse(
      stretches: stretches.map { stretch in
        var stretch = stretch
        if stretch.start <= latestBeginning { stretch.costBefore = 0 }
        return stretch
      })
    var profileAfterRest = DelayProfile(afterRest)
    guard let standing = try? profileAfterRest.mostLikely(),
      standing.estimate.logLikelihood > going.estimate.logLikelihood + needed
    else {
      // Of the more likely assumption alone: the other one may well end where this one does not.
      guard going.estimate.delay < delays.upperBound else { throw .noDelay }
      return (response, profile, going)
    }
    guard standing.estimate.delay < delays.upperBound else { throw .noDelay }
    return (afterRest, profileAfterRest, standing)
  }

  private static func heldOut(_ response: HeartRateResponse) -> HeldOut? {
    func known(_ stretch: HeartRateResponse.Stretch) -> Int { Int(Double(stretch.heartRate.count) * fittedPart) }
    let parts = response.stretches.map { stretch in
      var part = stretch.prefix(known(stretch))
      // What was done before is decided by what is not held out, too.
      part.costBefore = nil
      return part
    }
    guard let (fitted, parted, (estimate, _)) = try? mostLikely(parts) else { return nil }
    var profile = parted
    let response = HeartRateResponse(
      stretches: zip(response.stretches, fitted.stretches).map { whole, part in
        var stretch = whole
        stretch.costBefore = part.costBefore
        return stretch
      })
    let atOnce = estimate.delay == 0 ? estimate : profile.mostLikely(at: 0)
    let foreseenAtOnce = atOnce.map { response.foreseen($0, known: known) }
    var (count, squares, sum, still, squaresAtOnce) = (0, 0.0, 0.0, 0.0, 0.0)
    for (place, (stretch, foreseen)) in zip(response.stretches, response.foreseen(estimate, known: known)).enumerated()
    {
      let first = known(stretch)
      let minute = stretch.heartRate[max(0, first - 60)..<first]
      let last = minute.reduce(0, +) / Double(minute.count)
      for second in first..<stretch.heartRate.count {
        let error = foreseen[second] - stretch.heartRate[second]
        count += 1
        squares += error * error
        sum += error
        still += (last - stretch.heartRate[second]) * (last - stretch.heartRate[second])
        if let foreseenAtOnce {
          let other = foreseenAtOnce[place][second] - stretch.heartRate[second]
          squaresAtOnce += other * other
        }
      }
    }
    guard count > 0 else { return nil }
    let n = Double(count)
    return HeldOut(
      seconds: count, rmseBPM: (squares / n).squareRoot(), biasBPM: sum / n,
      lastMinuteRMSEBPM: (still / n).squareRoot(),
      withoutDelayRMSEBPM: foreseenAtOnce.map { _ in (squaresAtOnce / n).squareRoot() })
  }
}
