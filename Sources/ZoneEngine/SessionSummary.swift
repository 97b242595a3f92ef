/// How many cues were given and withheld.
public struct CueCounts: Hashable, Sendable {
  /// Cues of each action.
  public private(set) var given: [CueAction: Int] = [:]
  /// Withheld cues by reason.
  public private(set) var withheld: [WithholdingReason: Int] = [:]

  /// Nothing counted yet.
  public init() {}

  /// Counts that were kept.
  package init(given: [CueAction: Int], withheld: [WithholdingReason: Int]) {
    self.given = given
    self.withheld = withheld
  }

  /// All cues.
  public var givenTotal: Int { given.values.reduce(0, +) }
  /// All withheld cues.
  public var withheldTotal: Int { withheld.values.reduce(0, +) }

  mutating func count(_ action: CueAction) { given[action, default: 0] += 1 }
  mutating func count(_ reason: WithholdingReason) { withheld[reason, default: 0] += 1 }
}

/// What a session comes to. What is unknown is absent.
public struct SessionSummary: Sendable {
  /// Time from the start to the end.
  public let elapsed: SessionTime
  /// Time that was not paused. The durations of all bands and ``noData`` add up to it exactly.
  public let active: SessionTime
  /// The time in each band, slowest first; every band of the model is listed.
  public let inBand: [(band: Band, duration: SessionTime)]
  /// Active time without an accepted heart rate.
  public let noData: SessionTime
  /// Active time with a heart rate in the target.
  public let inTarget: SessionTime
  /// Active time in which there was a target and an accepted heart rate.
  public let coveredWithTarget: SessionTime
  /// Active time in which there was a target.
  public let activeWithTarget: SessionTime
  /// Accepted heart rates of the active session.
  public let readings: HeartRateStatistics
  /// The mean heart rate over the covered time, in beats per minute.
  public let timeWeightedMeanHeartRate: Double?
  /// Metres.
  public let distanceMeters: Double?
  /// Seconds of active time for a kilometre.
  public let averagePaceSecondsPerKilometer: Double?
  /// Steps.
  public let steps: Int?
  /// Mean cadence in steps per minute.
  public let cadenceStepsPerMinute: Double?
  /// Energy by heart rate (Keytel 2005); absent when sex, weight or age is unknown.
  public let energyKilocalories: Double?
  /// Training load by Edwards; absent without a maximum.
  public let edwards: Double?
  /// Training load by Banister; absent without a maximum, a resting heart rate or the sex.
  public let banister: Double?
  /// Training load by Lucía; absent when the model has not three zones.
  public let lucia: Double?
  /// Cues given and withheld.
  public let cues: CueCounts
  /// Heart rates that counted, pauses included.
  public let acceptedHeartRates: Int
  /// Heart rates that did not.
  public let rejectedHeartRates: Int
  /// Positions that counted.
  public let acceptedLocations: Int
  /// Positions that did not.
  public let rejectedLocations: Int

  /// Seconds in target ÷ covered seconds; absent when nothing with a target is covered.
  public var compliance: Double? {
    coveredWithTarget > .zero ? inTarget.seconds / coveredWithTarget.seconds : nil
  }

  /// Seconds in target ÷ active seconds; absent when there never was a target.
  public var complianceOfActive: Double? {
    activeWithTarget > .zero ? inTarget.seconds / activeWithTarget.seconds : nil
  }

  init(
    settings: CoachingSettings, elapsed: SessionTime, active: SessionTime, held: HeldHeartRate, inTarget: SessionTime,
    coveredWithTarget: SessionTime, activeWithTarget: SessionTime, readings: HeartRateStatistics, accepted: Int,
    rejected: Int, cues: CueCounts, distance: DistanceTotal, steps: StepTotal
  ) {
    self.elapsed = elapsed
    self.active = active
    inBand = held.durations(in: settings.zones)
    noData = active - held.total
    self.inTarget = inTarget
    self.coveredWithTarget = coveredWithTarget
    self.activeWithTarget = activeWithTarget
    self.readings = readings
    timeWeightedMeanHeartRate = held.timeWeightedMean
    distanceMeters = distance.meters
    averagePaceSecondsPerKilometer = distance.meters.flatMap { meters in
      active > .zero ? Pace.secondsPerKilometer(metersPerSecond: meters / active.seconds) : nil
    }
    self.steps = steps.steps
    cadenceStepsPerMinute = steps.meanCadence
    energyKilocalories = EnergyExpenditure.keytel(held, athlete: settings.athlete)
    let maximum = settings.zones.maximum
    edwards = maximum.map { TrainingLoad.edwards(held, maximum: $0) }
    if let maximum, let sex = settings.athlete.sex, let resting = settings.athlete.restingHeartRate,
      resting < maximum.beatsPerMinute
    {
      banister = TrainingLoad.banister(held, restingBPM: resting, maximumBPM: maximum.beatsPerMinute, sex: sex)
    } else {
      banister = nil
    }
    lucia = TrainingLoad.lucia(held, zones: settings.zones)
    self.cues = cues
    acceptedHeartRates = accepted
    rejectedHeartRates = rejected
    acceptedLocations = distance.acceptedFixes
    rejectedLocations = distance.rejectedFixes
  }

  /// A summary that was kept.
  package init(
    elapsed: SessionTime, active: SessionTime, inBand: [(band: Band, duration: SessionTime)], noData: SessionTime,
    inTarget: SessionTime, coveredWithTarget: SessionTime, activeWithTarget: SessionTime,
    readings: HeartRateStatistics, timeWeightedMeanHeartRate: Double?, distanceMeters: Double?,
    averagePaceSecondsPerKilometer: Double?, steps: Int?, cadenceStepsPerMinute: Double?, energyKilocalories: Double?,
    edwards: Double?, banister: Double?, lucia: Double?, cues: CueCounts, acceptedHeartRates: Int,
    rejectedHeartRates: Int, acceptedLocations: Int, rejectedLocations: Int
  ) {
    self.elapsed = elapsed
    self.active = active
    self.inBand = inBand
    self.noData = noData
    self.inTarget = inTarget
    self.coveredWithTarget = coveredWithTarget
    self.activeWithTarget = activeWithTarget
    self.readings = readings
    self.timeWeightedMeanHeartRate = timeWeightedMeanHeartRate
    self.distanceMeters = distanceMeters
    self.averagePaceSecondsPerKilometer = averagePaceSecondsPerKilometer
    self.steps = steps
    self.cadenceStepsPerMinute = cadenceStepsPerMinute
    self.energyKilocalories = energyKilocalories
    self.edwards = edwards
    self.banister = banister
    self.lucia = lucia
    self.cues = cues
    self.acceptedHeartRates = acceptedHeartRates
    self.rejectedHeartRates = rejectedHeartRates
    self.acceptedLocations = acceptedLocations
    self.rejectedLocations = rejectedLocations
  }
}
