/// How many cues were given and withheld.
public struct CueCounts: Hashable, Sendable {
  /// By the place of the action, or of the reason, among all.
  private var givenByPlace = [Int](repeating: 0, count: CueAction.allCases.count)
  private var withheldByPlace = [Int](repeating: 0, count: WithholdingReason.allCases.count)

  /// Nothing counted yet.
  public init() {}

  /// Counts that were kept.
  package init(given: [CueAction: Int], withheld: [WithholdingReason: Int]) {
    for (action, count) in given { givenByPlace[action.place] = count }
    for (reason, count) in withheld { withheldByPlace[reason.place] = count }
  }

  /// Cues of each action; what never came is absent.
  public var given: [CueAction: Int] { Self.named(CueAction.allCases, givenByPlace) }
  /// Withheld cues by reason; what never came is absent.
  public var withheld: [WithholdingReason: Int] { Self.named(WithholdingReason.allCases, withheldByPlace) }
  /// All cues.
  public var givenTotal: Int { givenByPlace.reduce(0, +) }
  /// All withheld cues.
  public var withheldTotal: Int { withheldByPlace.reduce(0, +) }

  mutating func count(_ action: CueAction) { givenByPlace[action.place] += 1 }
  mutating func count(_ reason: WithholdingReason) { withheldByPlace[reason.place] += 1 }

  private static func named<Name: Hashable>(_ names: [Name], _ counts: [Int]) -> [Name: Int] {
    Dictionary(uniqueKeysWithValues: zip(names, counts).filter { $1 != 0 })
  }
}

extension CueAction {
  /// Its place among all.
  fileprivate var place: Int {
    switch self {
    case .speedUp: return 0
    case .hold: return 1
    case .slowDown: return 2
    }
  }
}

extension WithholdingReason {
  /// Its place among all.
  package var place: Int {
    switch self {
    case .paused: return 0
    case .noTarget: return 1
    case .signalLost: return 2
    case .noAltitude: return 3
    case .artefacts: return 4
    case .lowCoverage: return 5
    case .aboveCeiling: return 6
    case .warmUp: return 7
    case .grace: return 8
    case .minimumInterval: return 9
    case .returning: return 10
    case .notWorthACue: return 11
    case .inTarget: return 12
    case .silent: return 13
    case .unanswered: return 14
    case .drawn: return 15
    }
  }
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
  /// Active time with a heart rate, or another quantity that was asked for, in the target.
  public let inTarget: SessionTime
  /// Active time in which there was a target and an accepted heart rate, or a value of the quantity that it asks for.
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
  /// Energy by heart rate (Keytel 2005); absent when sex, weight or age is unknown, and without a heart rate that was held.
  public let energyKilocalories: Double?
  /// Training load by Edwards; absent without a maximum, and without a heart rate that was held.
  public let edwards: Double?
  /// Training load by Banister; absent without a maximum, a resting heart rate or the sex, and without a heart rate that was
  /// held.
  public let banister: Double?
  /// Training load by Lucía; absent when the model has not three zones, and without a heart rate that was held.
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
    edwards = maximum.flatMap { TrainingLoad.edwards(held, maximum: $0) }
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
