internal import ZoneEngine

/// Distance and heart rate of a session in the order in which a replay takes them, for whatever depends on which of the two
/// came first.
///
/// In a live session they come from different devices, and one is often a moment behind the other; a replay takes them by
/// their times, and all that came before a command before it. The last few are held here until nothing is expected
/// before them. What comes later still is noted in ``isExact``, never guessed.
struct ObservedCourse: Sendable {
  /// How many readings are held; half of them are let go when there are more.
  static let capacity = 32

  private struct Reading {
    /// When it came, by which it has its place.
    let time: SessionTime
    /// When it was measured: before that for a distance that waited for what followed.
    let measured: SessionTime
    /// Beats per minute, or metres since the start; not a number for none.
    private let number: Double
    let stream: SampleStream
    /// Whether a position or a distance counted.
    let isCounted: Bool

    /// Beats per minute, or metres since the start; absent for a heart rate that does not count, and where no distance is
    /// known.
    var value: Double? { number.isNaN ? nil : number }

    /// Whether it is a distance that waits for what follows.
    var isWaiting: Bool { stream == .distance && !isCounted }

    init(
      time: SessionTime, measured: SessionTime? = nil, stream: SampleStream, value: Double?, isCounted: Bool = true
    ) {
      self.time = time
      self.measured = measured ?? time
      number = value ?? .nan
      self.stream = stream
      self.isCounted = isCounted
    }

    static func < (left: Reading, right: Reading) -> Bool {
      left.time == right.time ? left.stream < right.stream : left.time < right.time
    }
  }

  /// Whether everything was taken in the order of a replay.
  private(set) var isExact = true
  /// The kilometres.
  private(set) var splits = DistanceSplits(.metric)
  /// The miles.
  private(set) var mileSplits = DistanceSplits(.imperial)
  /// The loss of speed a heartbeat.
  private(set) var decoupling = AerobicDecoupling()
  private var distances: DistanceCourse
  private var hardest = HeartRateWindow(seconds: BestEffort.heartRateSeconds)
  private var peak = HeartRateWindow(seconds: BestEffort.peakSeconds)
  /// What was held at each second; absent where no steps are judged.
  private(set) var held: HeldSeconds?

  private var waiting: [Reading] = []
  /// The distances that wait for what follows, and the active time at each.
  private var unbelieved: [(time: SessionTime, active: SessionTime)] = []
  /// The last reading that was let go since a command.
  private var last: Reading?
  /// How far a replay has decided, and the active time there.
  private var now = SessionTime.zero
  private var active = SessionTime.zero
  private var isRunning = true

  /// Creates the course of a session that begins, by its settings.
  init(_ settings: CoachingSettings) {
    distances = DistanceCourse(fastestMetersPerSecond: settings.fastestMetersPerSecond)
    if settings.plan.steps.count > 1 { held = HeldSeconds() }
  }

  /// The best efforts of a session that ended: distances, times, heart rates.
  ///
  /// - Complexity: O(number of readings).
  var efforts: [BestEffort] { distances.efforts + [hardest.effort, peak.effort].compactMap(\.self) }

  /// How much is kept of each reading of a distance.
  var pointCount: Int { distances.count }

  /// Takes a heart rate that moved the session on; absent beats per minute for one that does not count.
  mutating func admit(heartRate beatsPerMinute: Double?, at time: SessionTime) {
    insert(Reading(time: time, stream: .heartRate, value: beatsPerMinute))
  }

  /// Takes the metres up to a distance that waited, which the reading at a later time showed to be true.
  mutating func admit(lateMeters meters: Double, of measured: SessionTime, at time: SessionTime) {
    insert(Reading(time: time, measured: measured, stream: .distance, value: meters))
  }

  /// Takes the metres after a reading of a position or a distance, and whether that counted; a distance that does not waits
  /// for what follows.
  mutating func admit(meters: Double?, of stream: SampleStream, at time: SessionTime, isCounted: Bool) {
    insert(Reading(time: time, stream: stream, value: meters, isCounted: isCounted))
  }

  /// A command was carried out, or the clock moved the session on: in a replay too it comes after everything before it.
  mutating func settle(at time: SessionTime) {
    letGo(waiting.count)
    last = nil
    move(to: time)
  }

  /// The clock of the session stands still, or runs, from now on.
  mutating func run(_ isRunning: Bool) {
    self.isRunning = isRunning
    decoupling.run(isRunning, at: now)
    hardest.interrupt(at: now)
    peak.interrupt(at: now)
    held?.run(isRunning, at: now)
  }

  /// The session ended.
  mutating func finish(at time: SessionTime, active: SessionTime, meters: Double?) {
    settle(at: time)
    if self.active != active { isExact = false }
    admit(meters: meters, active: active)
    decoupling.finish(at: time)
    distances.finish()
    hardest.interrupt(at: time)
    peak.interrupt(at: time)
    held?.run(false, at: time)
  }

  private mutating func insert(_ reading: Reading) {
    var place = waiting.count
    while place > 0, reading < waiting[place - 1] {
      place -= 1
      // Which of the two counts depends on which came first.
      let other = waiting[place].stream
      if other != .heartRate, reading.stream != .heartRate, other != reading.stream { isExact = false }
    }
    if place == 0, let last, reading < last { isExact = false }
    if waiting.isEmpty { waiting.reserveCapacity(Self.capacity + 1) }
    waiting.insert(reading, at: place)
    if waiting.count > Self.capacity { letGo(Self.capacity / 2) }
  }

  private mutating func letGo(_ count: Int) {
    guard count > 0 else { return }
    for reading in waiting[..<count] {
      if reading.stream == .heartRate {
        move(to: reading.time)
        guard let beatsPerMinute = reading.value else { continue }
        splits.admit(heartRate: beatsPerMinute, active: active)
        mileSplits.admit(heartRate: beatsPerMinute, active: active)
        decoupling.admit(heartRate: beatsPerMinute, at: reading.time)
        hardest.admit(heartRate: beatsPerMinute, at: reading.time)
        peak.admit(heartRate: beatsPerMinute, at: reading.time)
        held?.admit(heartRate: beatsPerMinute, at: reading.time)
      } else {
        move(to: reading.time - SampleStream.skewAllowance)
        admitDistance(reading)
      }
    }
    last = waiting[count - 1]
    waiting.removeFirst(count)
  }

  private mutating func admitDistance(_ reading: Reading) {
    if reading.isWaiting {
      unbelieved.append((reading.time, active(at: reading.time)))
      return
    }
    let isLate = reading.measured < reading.time
    let then = isLate ? unbelieved.first { $0.time == reading.measured }?.active : active(at: reading.time)
    if let then {
      admit(meters: reading.value, active: then)
      if reading.isCounted { decoupling.admit(meters: reading.value, of: reading.stream, at: reading.measured) }
    }
    if reading.stream == .distance, !isLate, !unbelieved.isEmpty { unbelieved.removeAll(keepingCapacity: true) }
    if reading.isCounted { distances.admit(meters: reading.value, of: reading.stream, at: reading.measured) }
  }

  /// The active time at a reading, which what is decided lags behind.
  private func active(at time: SessionTime) -> SessionTime { isRunning ? active + max(.zero, time - now) : active }

  private mutating func admit(meters: Double?, active: SessionTime) {
    guard let meters else { return }
    splits.admit(meters: meters, active: active)
    mileSplits.admit(meters: meters, active: active)
  }

  private mutating func move(to time: SessionTime) {
    guard time > now else { return }
    if isRunning { active = active + (time - now) }
    now = time
  }
}
