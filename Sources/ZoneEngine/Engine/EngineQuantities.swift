/// How an engine judges what is no heart rate: pace, speed, cadence, grade-adjusted pace, α1.
///
/// It stands beside the way of a heart rate and never in it: a session that asks for heart rates keeps ``motion`` empty.
extension CoachingEngine {
  /// The quantity that is asked for now; absent for a heart rate, and for nothing.
  public var quantity: QuantityBand? { sorter.target?.quantity }

  /// The newest value of the quantity that is asked for, in metres per second or steps a minute; absent when none is, and when
  /// the newest is older than it holds.
  public var currentQuantity: Double? {
    guard let quantity else { return nil }
    return motion?[quantity.quantity.signal].current(at: now)?.value
  }

  /// Signals for settings; `nil` where only heart rates are asked for.
  static func motion(for settings: CoachingSettings, _ strategy: FeedbackStrategy) -> MotionSignals? {
    guard settings.targets.contains(where: { $0?.quantity != nil }) else { return nil }
    return MotionSignals(
      fastestMetersPerSecond: settings.fastestMetersPerSecond,
      altitudesAreOfOneDevice: settings.altitudesAreOfOneDevice, lookback: strategy.lookback ?? .zero)
  }

  /// Takes metres per second of a device. One in a pause, and one that nobody asks for, changes nothing.
  public mutating func speed(_ metersPerSecond: Double, at time: SessionTime) {
    guard isRunning else { return }
    follow(.deviceSpeed(metersPerSecond), at: time)
  }

  /// Keeps a reading of the movement until it takes effect.
  @inline(never)
  mutating func follow(_ reading: MotionSignals.Reading, at time: SessionTime) {
    guard followsMotion else { return }
    motion?.admit(reading, at: time)
    if let due = motion?.due { nextDue = min(nextDue, max(due, now)) }
  }

  /// When the next reading of the movement, or window of beats, takes effect; `nil` when none waits.
  var settlingDue: SessionTime? {
    guard followsMotion else { return nil }
    guard let end = beats.nextEnd else { return motion?.due }
    let due = end + StepDistance.settlingTime
    return motion?.due.map { min($0, due) } ?? due
  }

  /// Looks when the next of them takes effect, unless something happens before that.
  @inline(never)
  mutating func lookAheadAtMotion() {
    guard let due = settlingDue, max(due, now) < nextDue else { return }
    nextHappening = .motion
    nextDue = max(due, now)
  }

  /// Looks when the quantity is lost, unless something happens before that.
  @inline(never)
  mutating func lookAheadAtQuantityLoss() {
    guard let due = quantityLossDue, due < nextDue else { return }
    nextHappening = .quantityLoss
    nextDue = due
  }

  /// Lets readings take effect whose time has come.
  mutating func settleMotion(into events: inout [EngineEvent]) {
    while let due = settlingDue, due <= now {
      let changed: [MotionSignal]
      if let end = dueBeatWindow {
        changed = settleBeats(until: end)
      } else {
        changed = motion?.settleNext(at: now) ?? []
      }
      guard let quantity, changed.contains(quantity.quantity.signal) else { continue }
      beginHolding(quantity)
      if isQuantityLost {
        isQuantityLost = false
        if let value = currentQuantity { events.append(.quantityRestored(at: now, quantity, value: value)) }
      }
    }
  }

  /// The newest value of a quantity is held from now on.
  mutating func beginHolding(_ quantity: QuantityBand) {
    guard isRunning, let newest = motion?[quantity.quantity.signal].current(at: now) else { return }
    let side = quantity.side(of: newest.value)
    quantityTotal.hold(
      from: active, until: active + (newest.time + Self.holdLimit - now), isInTarget: side == .inside)
    heldSides?.append(HeldSide(start: now, end: max(now, newest.time + Self.holdLimit), side: side))
    guard nextCheck.isMovedByReadings else { return }
    let median = motion.flatMap { motion in
      nextCheck.changes.flatMap { changes in
        changes.strategy.median > .zero
          ? motion[quantity.quantity.signal].median(ofLast: changes.strategy.median, until: now) : nil
      }
    }
    nextCheck.observe(median ?? newest.value, in: quantity, at: active)
    if let check = nextCheck.due { nextDue = min(nextDue, now + max(check - active, .zero)) }
  }

  /// When the quantity is lost if no reading comes; `nil` when there was none, and when it is lost already.
  var quantityLossDue: SessionTime? {
    guard let quantity, !isQuantityLost, let newest = motion?[quantity.quantity.signal].newest else { return nil }
    return max(newest.time + Self.holdLimit, now)
  }

  /// The quantity has had no reading for too long.
  mutating func loseQuantity(into events: inout [EngineEvent]) {
    guard let quantity else { return }
    isQuantityLost = true
    nextCheck.lose()
    events.append(.quantityLost(at: now, quantity))
  }

  /// Nothing of the movement is held across a pause.
  mutating func pauseMotion() {
    guard followsMotion else { return }
    motion?.interrupt(at: now)
    releaseQuantity()
    isQuantityLost = false
  }

  /// Nothing is held of a quantity from now on.
  private mutating func releaseQuantity() {
    quantityTotal.release(at: active)
    heldSides?.append(HeldSide(start: now, end: now, side: .inside))
  }

  /// Keeps from now on what is held of the quantities that are asked for, for whoever takes it after each reading.
  package mutating func keepHeldSides() { heldSides = [] }

  /// What was held since it was taken last, in the order in which it began; each ends where the next one begins. Appends
  /// nothing unless ``keepHeldSides()`` asked for it.
  package mutating func takeHeldSides(into sides: inout [HeldSide]) {
    guard let held = heldSides, !held.isEmpty else { return }
    sides += held
    heldSides?.removeAll(keepingCapacity: true)
  }

  /// Another target is in force: what is known of its quantity is held from now on.
  mutating func beginQuantity() {
    releaseQuantity()
    isQuantityLost = false
    guard let quantity else { return }
    if !followsMotion {
      followsMotion = true
      motion = MotionSignals(
        fastestMetersPerSecond: settings.fastestMetersPerSecond,
        altitudesAreOfOneDevice: settings.altitudesAreOfOneDevice, lookback: strategy.lookback ?? .zero)
    }
    if quantity.quantity == .alpha1 { awaitBeats() }
    beginHolding(quantity)
  }

  /// What the strategy makes of this moment of a quantity; `nil` when it never judges.
  func judgement(of quantity: QuantityBand, heartRate: Judgement.Newest?) -> Judgement? {
    guard let motion else { return nil }
    let isGraded = quantity.quantity == .gradeAdjustedPace
    let isOfBeats = quantity.quantity == .alpha1
    let lacksAltitude = isGraded && motion[.speed].current(at: now) != nil && !motion.hasAltitude(at: now)
    let instant = QuantityInstant(
      band: quantity, held: motion[quantity.quantity.signal], time: now,
      lack: lacksAltitude ? .noAltitude : isOfBeats ? lackOfBeats : nil,
      gradient: isGraded ? motion.newestGradient : nil, beats: isOfBeats ? beats.newest : nil,
      heartRate: heartRate)
    return instant.judgement(strategy, nextCheck.changes, active: active)
  }
}
