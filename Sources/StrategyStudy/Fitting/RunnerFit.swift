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
    /// How many seconds; what the errors are of are the readings in them.
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
  package static let shortestStretch = ResponseStretches.shortest
  /// Time constants that are looked at, in seconds.
  package static let timeConstants = 8.0...250.0
  /// Delays that are looked at, in seconds.
  package static let delays = 0...20
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
  /// Over how many seconds speeds are measured: what makes the heart rate the most likely.
  package let speedSpan: Int
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
  /// How these numbers differ between sessions; absent where too few sessions say something by themselves.
  package let betweenSessions: BetweenSessions?
  /// What was held out; absent where nothing was left.
  package let heldOut: HeldOut?
  /// How the gait of the last quarter of each session is foreseen by the speed; absent where the rest does not show both.
  package let heldOutGait: WalkRunTransition.HeldOut?

  /// Fits the sessions of a person.
  ///
  /// - Throws: ``Refusal`` when they say too little.
  /// - Complexity: about 2,200 passes over all seconds, twice as many for several sessions.
  package init(_ person: String, _ traces: [MovementTrace]) throws(Refusal) {
    self.person = person
    let perSession = traces.map { (origin: $0.origin, stretches: ResponseStretches($0)) }
      .filter { !$0.stretches.isEmpty }
    let stretches = ResponseStretches(perSession.map(\.stretches))
    sessions = perSession.count
    origins = Dictionary(perSession.compactMap(\.origin).map { ($0, 1) }, uniquingKeysWith: +)
    seconds = stretches.seconds
    guard seconds >= Self.shortest else { throw .tooShort(seconds: seconds) }
    var likeliest = try LikeliestResponse(stretches)
    let (best, errors) = likeliest.best
    speedSpan = likeliest.speedSpan
    let gait = Self.gait(of: traces)
    self.gait = gait.usual
    let slope = gait.usual.uptakeSlope(speed: gait.meanSpeed, grade: 0)
    risePerUptake = best.rise
    gain = Interval(best.rise * slope, error: errors.rise * slope)
    drift = Interval(best.drift, error: errors.drift)
    timeConstant = Interval(best.timeConstant, error: errors.timeConstant)
    delay = Interval(Double(best.delay), likeliest.profile.interval(around: best))
    let alone = perSession.map(\.stretches).filter { $0.seconds >= Self.shortest }
    betweenSessions = BetweenSessions(
      perSession.count > 1 ? alone.compactMap { try? LikeliestResponse($0).best } : [], slope: slope)
    noiseBPM = best.noise
    noiseSeconds = best.noiseSeconds
    transition = WalkRunTransition(traces)?.metersPerSecond
    knowsGrades = traces.allSatisfy(\.hasAltitude)
    knowsNoGrades = !traces.contains(where: \.hasAltitude)
    heldOut = Self.heldOut(stretches)
    heldOutGait = WalkRunTransition.heldOut(of: traces, fitted: Self.fittedPart)
  }

  /// Whether a session has something to fit.
  static func canFit(_ trace: MovementTrace) -> Bool { !ResponseStretches.known(in: trace).isEmpty }

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

  private static func heldOut(_ stretches: ResponseStretches) -> HeldOut? {
    func known(_ stretch: HeartRateResponse.Stretch) -> Int { Int(Double(stretch.seconds) * fittedPart) }
    // What is assumed is decided by what is not held out, too.
    guard var fitted = try? LikeliestResponse(stretches.map { $0.prefix(known($0)) }) else { return nil }
    let estimate = fitted.best.estimate
    let response = HeartRateResponse(
      stretches: zip(stretches.bySpan[fitted.place], fitted.response.stretches).map { whole, part in
        var stretch = whole
        stretch.costBefore = part.costBefore
        return stretch
      })
    let atOnce = estimate.delay == 0 ? estimate : fitted.profile.mostLikely(at: 0)
    let foreseenAtOnce = atOnce.map { response.foreseen($0, known: known) }
    var (seconds, count, squares, sum, still, squaresAtOnce) = (0, 0, 0.0, 0.0, 0.0, 0.0)
    for (place, (stretch, foreseen)) in zip(response.stretches, response.foreseen(estimate, known: known)).enumerated()
    {
      seconds += stretch.seconds - known(stretch)
      let first = Double(known(stretch))
      let minute = stretch.readings.filter { (first - 60..<first).contains($0.seconds) }.map(\.value)
      let last = minute.reduce(0, +) / Double(minute.count)
      for (index, reading) in stretch.readings.enumerated() where reading.seconds >= first {
        let error = foreseen[index] - reading.value
        count += 1
        squares += error * error
        sum += error
        still += (last - reading.value) * (last - reading.value)
        if let foreseenAtOnce {
          let other = foreseenAtOnce[place][index] - reading.value
          squaresAtOnce += other * other
        }
      }
    }
    guard count > 0 else { return nil }
    let n = Double(count)
    return HeldOut(
      seconds: seconds, rmseBPM: (squares / n).squareRoot(), biasBPM: sum / n,
      lastMinuteRMSEBPM: (still / n).squareRoot(),
      withoutDelayRMSEBPM: foreseenAtOnce.map { _ in (squaresAtOnce / n).squareRoot() })
  }
}
