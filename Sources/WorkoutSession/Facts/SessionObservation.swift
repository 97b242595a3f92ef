internal import ActivityRecognition
internal import TextFormats
package import ZoneEngine

/// What an index keeps of a session beside its totals: hours, kilometres, targets, judged moments.
///
/// ``SessionPipeline`` gathers it on the way of the samples, in a live session and in a replay of its folder, and both come to
/// the same, although samples of several devices arrive in another order than a replay takes them. Where that is not
/// certain, or a session outgrows its ``Bounds``, ``isExact`` is false: then the folder has to be read.
package struct SessionObservation: Sendable {
  /// A moment at which the session was judged.
  package struct JudgedMoment: Hashable, Sendable {
    /// The moment.
    package let at: SessionTime
    /// The action of a cue; `nil` for a withheld one.
    package let action: CueAction?
    /// Why it was withheld; `nil` for a cue.
    package let reason: WithholdingReason?
    /// The heart rate that was judged, as displayed; `nil` when there was none.
    package let heartRateBPM: Int16?
    /// The band that was judged; `nil` when there was nothing to judge.
    package let band: JudgedBand?

    init(_ decision: Decision) {
      at = decision.time
      switch decision.outcome {
      case .cue(let action): (self.action, reason) = (action, nil)
      case .withheld(let reason): (action, self.reason) = (nil, reason)
      }
      band = decision.band
      heartRateBPM = decision.evidence.heartRateBPM.map { Int16(clamping: $0) }
    }
  }

  /// How much is kept in memory.
  package struct Bounds: Hashable, Sendable {
    /// The most moments and changes of the target.
    let moments: Int
    /// The longest active time.
    let active: SessionTime
    /// The most readings of a distance.
    let distances: Int

    /// For a session among thousands: 4,096 moments, which is more than one every minute for two days, two days, and four
    /// hours and a half of one distance a second. That is under 400 KB; an hour that is judged every minute takes 8 KB, and
    /// one with a distance a second 11 KB more.
    package static let live = Bounds(moments: 4_096, active: .seconds(172_800), distances: 16_384)
    /// For a replay, which nothing else can be asked instead.
    package static let none = Bounds(moments: .max, active: .distantFuture, distances: .max)
  }

  /// Whether a replay of the folder comes to the same.
  package var isExact: Bool { !isDoubtful && course.isExact }
  /// Steps and heart rate of each hour.
  package private(set) var hours: HourTotals
  /// Which target was in force when.
  package private(set) var targets: TargetTimeline
  /// Every evaluated moment, in order.
  package private(set) var moments: [JudgedMoment] = []
  /// The kilometres.
  package var splits: [DistanceSplits.Split] { course.splits.splits }
  /// The miles.
  package var mileSplits: [DistanceSplits.Split] { course.mileSplits.splits }
  /// The aerobic decoupling as a part of 1; `nil` where the session does not allow it.
  package var decoupling: Double? { course.decoupling.value }
  /// The largest fall of the heart rate in the first minute of a pause, in beats per minute; `nil` where none was measured.
  package var heartRateRecovery: Double? { recovery.largestFall }
  /// The best efforts of a session that ended.
  ///
  /// - Complexity: O(number of readings).
  package var efforts: [BestEffort] { course.efforts }
  /// What became of the steps of the plan of a session that ended; absent where none asks for anything.
  package var verdict: PlanVerdict? {
    course.held.flatMap { plan.verdict(heartRates: $0.values, sides: sides?.values ?? []) }
  }

  /// The first position that counted.
  package private(set) var firstPlace: Coordinate?

  private let bounds: Bounds
  private var recovery = HeartRateRecovery()
  private let settings: CoachingSettings
  private var course: ObservedCourse
  private var plan = PlanCourse()
  /// Where the quantities lay that are no heart rates; absent where no step of a plan asks for one.
  private var sides: HeldSeconds?
  private var isDoubtful = false

  /// Creates what is known at the start of a session; hours begin where the clock of its place shows them.
  init(settings: CoachingSettings, start: WallClockTime, utcOffsetSeconds: Int, bounds: Bounds) {
    hours = HourTotals(start: start, utcOffsetSeconds: utcOffsetSeconds)
    targets = TargetTimeline(settings: settings)
    self.settings = settings
    course = ObservedCourse(settings)
    self.bounds = bounds
    if settings.plan.steps.count > 1, settings.targets.contains(where: { $0?.quantity != nil }) {
      sides = HeldSeconds()
    }
  }

  /// Lets an engine keep what has to be known of it.
  func prepare(_ engine: inout CoachingEngine) { if sides != nil { engine.keepHeldSides() } }

  // MARK: - What happens in the pipeline

  /// Takes note of what the engine emitted.
  mutating func note(_ event: EngineEvent) {
    guard !isDoubtful else { return }
    switch event {
    case .decision(let decision): moments.append(JudgedMoment(decision))
    case .stepChanged(let at, let number, let step, let target):
      plan.begin(step, number: number, at: at, target: target)
      targets.note(.engine(event))
    case .targetChanged(let at, _, _):
      plan.end(at: at)
      targets.note(.engine(event))
    case .paused, .resumed, .signalLost, .signalRestored, .signalSuspect, .quantityLost, .quantityRestored,
      .strategyChanged, .trialPoint:
      return
    }
    if moments.count + targets.spans.count > bounds.moments { giveUp() }
  }

  /// Takes a heart rate that the engine has taken.
  mutating func admit(
    heartRate beatsPerMinute: Double, at time: SessionTime, isAccepted: Bool, isPaused: Bool, active: SessionTime
  ) {
    bound(active)
    guard !isDoubtful else { return }
    if isAccepted {
      hours.admit(heartRate: beatsPerMinute, at: time)
      recovery.admit(heartRate: beatsPerMinute, at: time)
    }
    course.admit(heartRate: isAccepted && !isPaused ? beatsPerMinute : nil, at: time)
  }

  /// Takes the steps since the last step sample.
  mutating func admit(steps count: Int, at time: SessionTime) { hours.admit(steps: count, at: time) }

  /// Takes what was recognised from one time to another.
  mutating func admit(_ activity: RecognizedActivity, until end: SessionTime) {
    guard let kind = ActivityKind(rawValue: activity.name) else { return }
    hours.admit(kind, from: max(.zero, activity.since), until: end)
  }

  /// Takes the metres up to a distance of a device that had waited, and that the reading at a later time showed to be true.
  mutating func admit(lateMeters meters: Double, of measured: SessionTime, at time: SessionTime) {
    guard !isDoubtful else { return }
    course.admit(lateMeters: meters, of: measured, at: time)
  }

  /// Takes the metres after a reading of a position or a distance, and whether that counted; of a distance that waits for
  /// what follows there are none.
  mutating func admit(
    meters: Double?, of stream: SampleStream, at time: SessionTime, isCounted: Bool, active: SessionTime
  ) {
    bound(active)
    guard !isDoubtful else { return }
    course.admit(meters: meters, of: stream, at: time, isCounted: isCounted)
    if course.pointCount > bounds.distances { giveUp() }
  }

  /// Takes what an engine has held of the quantities that are asked for.
  @inline(__always)
  mutating func takeSides(of engine: inout CoachingEngine) {
    guard sides != nil else { return }
    var held: [HeldSide] = []
    engine.takeHeldSides(into: &held)
    for side in held { sides?.admit(side) }
  }

  /// Takes note of a reading that is no heart rate, of a session that is decided up to a time. One that comes after it should have
  /// taken effect is held later than in a replay, which has it in the order of time.
  mutating func note(_ time: SessionTime, decidedTo now: SessionTime) {
    if sides != nil, time + SampleStream.skewAllowance < now { giveUp() }
  }

  /// Takes a position that counted.
  mutating func admit(place: Coordinate) { firstPlace = firstPlace ?? place }

  /// The session was paused, or went on.
  mutating func run(_ isRunning: Bool, at time: SessionTime) {
    settle(at: time)
    course.run(isRunning)
    sides?.run(isRunning, at: time)
    if isRunning { recovery.resume() } else { recovery.pause(at: time) }
  }

  /// A command was carried out, or the clock moved the session on, in a place that the logs say.
  mutating func settle(at time: SessionTime) { course.settle(at: time) }

  /// The session ended.
  ///
  /// - Parameter isStepCovered: whether the metres of the step of the plan were covered.
  mutating func finish(at time: SessionTime, active: SessionTime, meters: Double?, isStepCovered: Bool) {
    plan.finish(isCovered: isStepCovered)
    course.finish(at: time, active: active, meters: meters)
    sides?.run(false, at: time)
  }

  /// Gives up when the session lasts too long for what is kept of each minute.
  private mutating func bound(_ active: SessionTime) { if active > bounds.active { giveUp() } }

  /// A replay may come to something else. Nothing is kept any more.
  mutating func giveUp() {
    guard bounds != .none else { return }
    isDoubtful = true
    moments = []
    sides = nil
    course = ObservedCourse(settings)
  }
}
