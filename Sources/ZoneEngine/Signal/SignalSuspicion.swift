/// Why a signal that is accepted may still not be the heart.
public enum SignalSuspicion: String, CaseIterable, Hashable, Sendable, Codable {
  /// The same reading for two minutes or longer, or two neighbours to and fro.
  case stuck
  /// The heart rate follows the steps instead of the heart.
  case cadenceLock
}

/// Notices both signs that a signal may not be the heart. It only flags: nothing is deleted, and cues go on.
public struct SuspicionMonitor: Hashable, Sendable {
  private var stuck = StuckSignalMonitor(durationOfTwo: StuckSignalMonitor.longDuration)
  /// Readings that no heart has are followed apart, so that they do not end what the others repeat.
  private var stuckBeyond = StuckSignalMonitor(durationOfTwo: StuckSignalMonitor.duration)
  private var cadenceLock = CadenceLockMonitor()

  /// Creates a monitor that has seen nothing.
  public init() {}

  /// Takes an accepted reading and reports every suspicion that it raises, once, with the time since when it holds.
  ///
  /// - Parameters:
  ///   - beatsPerMinute: the reading.
  ///   - displayedBPM: the reading as displayed.
  ///   - time: when it was measured.
  ///   - report: gets each suspicion.
  /// - Precondition: readings come in order of time.
  /// - Complexity: O(1), without allocation.
  @inline(__always)
  public mutating func admit(
    _ beatsPerMinute: Double, displayedBPM: Int, at time: SessionTime,
    _ report: (SignalSuspicion, _ since: SessionTime) -> Void
  ) {
    if let since = stuck.admit(displayedBPM: displayedBPM, at: time, holdLimit: SessionTime.holdLimit) {
      report(.stuck, since)
    }
    // Most recordings of a strap have no cadence, and then there is nothing to compare with.
    if cadenceLock.hasCadence, let since = cadenceLock.admit(beatsPerMinute: beatsPerMinute, at: time) {
      report(.cadenceLock, since)
    }
  }

  /// Takes accepted readings one after the other, as ``admit(_:displayedBPM:at:_:)`` does.
  ///
  /// - Parameter cadences: the steps per minute of the same instants, as many, which are taken after each; empty where there are none.
  package mutating func admit(
    _ readings: Span<Double>, cadences: Span<Double>, at times: Span<SessionTime>,
    _ report: (SignalSuspicion, _ since: SessionTime) -> Void
  ) {
    var monitor = self
    var start = 0
    while start < readings.count {
      let block = start..<min(start + Self.blockSize, readings.count)
      monitor.admit(
        readings: readings.extracting(block), cadences: cadences.isEmpty ? cadences : cadences.extracting(block),
        at: times.extracting(block), report)
      start = block.upperBound
    }
    self = monitor
  }

  /// How many readings are looked at together: of one each second less than what is suspicious.
  private static let blockSize = 64

  private mutating func admit(
    readings: Span<Double>, cadences: Span<Double>, at times: Span<SessionTime>,
    _ report: (SignalSuspicion, _ since: SessionTime) -> Void
  ) {
    let isNoneStuck = stuck.passOver(readings, at: times, holdLimit: SessionTime.holdLimit)
    let isNoneLocked = cadenceLock.passOver(readings, cadences: cadences, at: times)
    for index in readings.indices where !(isNoneStuck && isNoneLocked) {
      let (reading, time) = (readings[index], times[index])
      if !isNoneStuck {
        let displayed = HeartRateZones.displayed(reading)
        if let since = stuck.admit(displayedBPM: displayed, at: time, holdLimit: SessionTime.holdLimit) {
          report(.stuck, since)
        }
      }
      guard !isNoneLocked else { continue }
      if let since = cadenceLock.admit(beatsPerMinute: reading, at: time) { report(.cadenceLock, since) }
      if !cadences.isEmpty { cadenceLock.admit(cadence: cadences[index], at: time) }
    }
  }

  /// Takes a reading that was rejected because no heart beats so; returns since when the sensor repeats itself, once,
  /// when that becomes suspicious.
  ///
  /// - Precondition: the reading is above 0; readings come in order of time.
  /// - Complexity: O(1), without allocation.
  public mutating func admit(outOfRange beatsPerMinute: Double, at time: SessionTime) -> SessionTime? {
    stuckBeyond.admit(
      displayedBPM: HeartRateZones.displayed(min(beatsPerMinute, Self.largestFollowed)), at: time,
      holdLimit: SessionTime.holdLimit)
  }

  /// Readings beyond this are one reading.
  private static let largestFollowed = 10_000.0

  /// Takes the steps per minute, of both feet or of one.
  public mutating func admit(cadence stepsPerMinute: Double, at time: SessionTime) {
    cadenceLock.admit(cadence: stepsPerMinute, at: time)
  }
}

/// Notices a sensor that repeats one reading, or goes to and fro between two neighbours.
///
/// Two minutes and at least 12 readings (one each 10 s) of the same displayed heart rate; five minutes of two that are one
/// beat apart, because a calm heart may do that for a while, and two where no heart beats so. On 36 real runs at 1 Hz the longest honest run of equal readings was 72 s, of two neighbours 99 s; the one
/// stuck sensor repeated itself for 1,166 s. It only flags: nothing is deleted, and cues go on.
struct StuckSignalMonitor: Hashable, Sendable {
  static let duration = SessionTime.seconds(120)
  static let longDuration = SessionTime.seconds(300)
  static let readings = 12

  private let durationOfTwo: SessionTime
  private var value = -1
  private var since = SessionTime.zero
  private var count = 0
  private var last = SessionTime.zero
  /// The value that the present one goes to and fro with; −1 while there is none.
  private var neighbor = -1
  private var sinceOfTwo = SessionTime.zero
  private var countOfTwo = 0
  /// Whether these two were reported.
  private var isReported = false

  /// Creates a monitor that has seen nothing, and suspects two neighbours after `durationOfTwo`.
  init(durationOfTwo: SessionTime) { self.durationOfTwo = durationOfTwo }

  /// Takes a reading; returns the start of the repetition once, when it becomes suspicious.
  ///
  /// Whether a heart rate changes cannot be guessed: values are chosen by what is 0 or 1, for which processors mostly need no branch.
  @inline(__always)
  mutating func admit(displayedBPM: Int, at time: SessionTime, holdLimit: SessionTime) -> SessionTime? {
    let change = displayedBPM &- value
    let isGap = time - last > holdLimit ? 1 : 0
    let begins = (change != 0 ? 1 : 0) | isGap
    let isNeighbor = (change &* change == 1 ? 1 : 0) & ~isGap
    // The two are now this value and the one before, from where that began.
    let areOthers = isNeighbor & (displayedBPM != neighbor ? 1 : 0)
    let areNone = begins & ~isNeighbor
    if isReported, begins == 1 { isReported = isNeighbor == 1 && (areOthers == 0 || repeats(until: last)) }
    sinceOfTwo = areNone == 1 ? time : areOthers == 1 ? since : sinceOfTwo
    countOfTwo = areNone == 1 ? 0 : areOthers == 1 ? count : countOfTwo
    neighbor = areNone == 1 ? -1 : isNeighbor == 1 ? value : neighbor
    since = begins == 1 ? time : since
    count = begins == 1 ? 0 : count
    value = displayedBPM
    last = time
    guard !isReported else { return nil }
    count += 1
    countOfTwo += 1
    if repeats(until: time) {
      isReported = true
      return since
    }
    guard countOfTwo >= Self.readings, time - sinceOfTwo >= durationOfTwo else { return nil }
    isReported = true
    return sinceOfTwo
  }

  /// Takes readings together, as one after the other, where none of them can be suspicious: what came before is no longer than what is
  /// suspicious at the last of them. What is known after them is read from the last ones alone.
  ///
  /// - Returns: whether they were taken; `false` where they might be suspicious, or repeat themselves from the first on.
  mutating func passOver(_ readings: Span<Double>, at times: Span<SessionTime>, holdLimit: SessionTime) -> Bool {
    let end = readings.count - 1
    guard end > 0, !isReported, times[end] - since < Self.duration, times[end] - sinceOfTwo < durationOfTwo else {
      return false
    }
    func goesOn(_ index: Int) -> Bool { times[index] - times[index - 1] <= holdLimit }
    let newest = HeartRateZones.displayed(readings[end])
    var first = end
    var before = newest
    while first > 0, goesOn(first) {
      before = HeartRateZones.displayed(readings[first - 1])
      if before != newest { break }
      first -= 1
    }
    guard first > 0 else { return false }
    var (firstOfTwo, other) = (first, -1)
    if goesOn(first), (before - newest).magnitude == 1 {
      (firstOfTwo, other) = (first - 1, before)
      while firstOfTwo > 0, goesOn(firstOfTwo) {
        let reading = HeartRateZones.displayed(readings[firstOfTwo - 1])
        if reading != newest, reading != other { break }
        firstOfTwo -= 1
      }
      guard firstOfTwo > 0 else { return false }
    }
    (value, since, count, last) = (newest, times[first], end + 1 - first, times[end])
    (neighbor, sinceOfTwo, countOfTwo) = (other, times[firstOfTwo], end + 1 - firstOfTwo)
    return true
  }

  /// Whether the value alone is suspicious.
  @inline(__always)
  private func repeats(until time: SessionTime) -> Bool { count >= Self.readings && time - since >= Self.duration }
}

/// Notices a heart rate that is really the cadence, the commonest error of optical sensors.
///
/// The heart rate lies within 3 of the steps per minute, of their half or their double for 20 s or longer, and it
/// jumped by 15 or more into or out of that agreement. A heart rate of 170 at 170 steps per minute is common and
/// real, which is why agreement alone is not enough and why it only flags.
struct CadenceLockMonitor: Hashable, Sendable {
  static let duration = SessionTime.seconds(20)
  static let tolerance = 3.0
  static let jump = 15.0
  static let newestCadenceAge = SessionTime.seconds(15)
  static let newestReadingAge = SessionTime.seconds(10)

  private var cadence = 0.0
  private var cadenceTime = SessionTime.zero
  /// Whether there is a cadence to compare with.
  private(set) var hasCadence = false
  private var lastValue = 0.0
  private var lastTime = SessionTime.zero
  private var hasLast = false
  private var lockedSince: SessionTime?
  private var jumpedIn = false
  private var isReported = false

  /// Takes the steps per minute, of both feet or of one.
  mutating func admit(cadence stepsPerMinute: Double, at time: SessionTime) {
    cadence = stepsPerMinute
    cadenceTime = time
    hasCadence = stepsPerMinute > 0
    if !hasCadence { lockedSince = nil }
  }

  /// Takes an accepted reading; returns the start of the lock once, when it becomes suspicious.
  @inline(__always)
  mutating func admit(beatsPerMinute: Double, at time: SessionTime) -> SessionTime? {
    guard hasCadence else { return nil }
    defer {
      lastValue = beatsPerMinute
      lastTime = time
      hasLast = true
    }
    // Where they do not agree and did not before there is nothing to look at.
    return lockedSince != nil || agrees(beatsPerMinute) ? judge(beatsPerMinute, at: time) : nil
  }

  /// Takes readings, and the cadence of the instant after each, where that changes nothing: none agrees with the cadence before it, as
  /// none did.
  ///
  /// - Parameter cadences: as many as readings, or none.
  /// - Returns: whether they were taken.
  mutating func passOver(_ readings: Span<Double>, cadences: Span<Double>, at times: Span<SessionTime>) -> Bool {
    if cadences.isEmpty { return !hasCadence }
    guard hasCadence, lockedSince == nil, !agrees(readings[0]) else { return false }
    let end = readings.count - 1
    var disturbances = cadences[end] > 0 ? 0 : 1
    for index in 0..<end {
      disturbances |= Self.agree(readings[index + 1], cadences[index]) | (cadences[index] > 0 ? 0 : 1)
    }
    guard disturbances == 0 else { return false }
    (lastValue, lastTime, hasLast) = (readings[end], times[end], true)
    (cadence, cadenceTime) = (cadences[end], times[end])
    return true
  }

  @inline(never)
  private mutating func judge(_ beatsPerMinute: Double, at time: SessionTime) -> SessionTime? {
    guard time - cadenceTime <= Self.newestCadenceAge else {
      lockedSince = nil
      return nil
    }
    let jumped =
      hasLast && time - lastTime <= Self.newestReadingAge
      && (beatsPerMinute - lastValue).magnitude >= Self.jump
    if agrees(beatsPerMinute) {
      if lockedSince == nil {
        lockedSince = time
        jumpedIn = jumped
        isReported = false
      }
      guard let since = lockedSince, jumpedIn, !isReported, time - since >= Self.duration else { return nil }
      isReported = true
      return since
    }
    defer { lockedSince = nil }
    guard let since = lockedSince, jumped, !isReported, lastTime - since >= Self.duration else { return nil }
    return since
  }

  @inline(__always)
  private func agrees(_ beatsPerMinute: Double) -> Bool { Self.agree(beatsPerMinute, cadence) != 0 }

  /// 1 where a heart rate agrees with a cadence, else 0; without a branch, so that several are compared at once.
  @inline(__always)
  private static func agree(_ beatsPerMinute: Double, _ cadence: Double) -> Int {
    ((beatsPerMinute - cadence).magnitude <= tolerance ? 1 : 0)
      | ((beatsPerMinute - cadence * 2).magnitude <= tolerance ? 1 : 0)
      | ((beatsPerMinute - cadence / 2).magnitude <= tolerance ? 1 : 0)
  }
}
