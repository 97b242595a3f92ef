public import TextFormats
public import WorkoutSession
public import ZoneEngine

/// What a recording holds, as it was recorded and before anything is judged.
///
/// Times count from the first sample of the recording.
public struct RecordingFacts: Sendable {
  /// Facts of the heart rates above 0.
  public struct HeartRate: Sendable {
    /// Count, sum and extremes, in beats per minute.
    public fileprivate(set) var statistics = HeartRateStatistics()
    /// The first in time, in beats per minute.
    public fileprivate(set) var first = 0.0
    /// The last in time, in beats per minute.
    public fileprivate(set) var last = 0.0
    /// The longest time between two neighbours; zero for a single heart rate.
    public fileprivate(set) var largestGap = SessionTime.zero
    fileprivate var lastTime = SessionTime.zero

    fileprivate init() {}

    /// Takes a heart rate above 0.
    @inline(__always)
    fileprivate mutating func admit(_ beatsPerMinute: Double, at time: SessionTime) {
      if statistics.count == 0 {
        first = beatsPerMinute
      } else {
        largestGap = max(largestGap, time - lastTime)
      }
      statistics.admit(beatsPerMinute)
      last = beatsPerMinute
      lastTime = time
    }

    /// Takes heart rates above 0, at least one.
    fileprivate mutating func admit(_ heartRates: Span<Double>, at times: Span<SessionTime>) {
      if statistics.count == 0 { (first, lastTime) = (heartRates[0], times[0]) }
      var (gap, previous) = (largestGap, lastTime)
      for index in times.indices {
        gap = max(gap, times[index] - previous)
        previous = times[index]
      }
      statistics.admit(heartRates)
      (largestGap, last, lastTime) = (gap, heartRates[heartRates.count - 1], previous)
    }

    /// Facts of heart rates that were counted elsewhere.
    init(statistics: HeartRateStatistics, first: Double, last: Double, largestGap: SessionTime) {
      (self.statistics, self.first, self.last, self.largestGap) = (statistics, first, last, largestGap)
    }
  }

  /// What kind of file it is: the raw value of a ``RecordingFormat``, `sensogather-csv` for the columns of SensoGather, or
  /// `coach-session` for the folder of a session.
  public package(set) var format = "csv"
  /// How many activities the file holds; 1 for a file that knows of none, such as a CSV.
  public internal(set) var activityCount = 1
  /// The activities of a FIT, GPX or TCX file one by one, in order of their first points; empty for other formats.
  public private(set) var parts: [ActivityFacts] = []
  /// The sport, as the file names it; several joined by `+`.
  public internal(set) var sport: String?
  /// The device or program that recorded; `nil` where the file names none.
  public package(set) var device: String?
  /// Where the samples came from; `nil` where the file does not say so.
  public var origin: SessionOrigin? {
    statedOrigin ?? (SessionOrigin.isSimulated(device: device) ? .simulated : nil)
  }
  /// What the file says of its origin beside its device.
  package var statedOrigin: SessionOrigin?
  /// The time of day of the first sample; `nil` where the file has only times since a start.
  public package(set) var start: WallClockTime?
  /// How far the clock of the place of the first activity was ahead of UTC, in seconds; `nil` where the file states nothing.
  package internal(set) var utcOffsetSeconds: Int?
  /// The time from the first sample to the last.
  public package(set) var elapsed = SessionTime.zero
  /// The heart rates above 0; `nil` where there is none.
  public internal(set) var heartRate: HeartRate?
  /// How many step samples there are.
  public internal(set) var stepSampleCount = 0
  /// The steps of all samples.
  public internal(set) var steps = 0
  /// How many positions there are.
  public private(set) var locationCount = 0
  /// Altitudes beside no position.
  public private(set) var altitudeCount = 0
  /// How many readings of motion there are.
  public private(set) var motionCount = 0
  /// How many samples there are in all.
  public internal(set) var sampleCount = 0
  /// What is odd about the file itself.
  package internal(set) var oddities: [RecordingWarning] = []

  /// The names of fields that an app or a developer added to a FIT file and that are read past, in the order of the file.
  package internal(set) var unreadFields: [String] = []

  /// What was noted of the rows of a CSV.
  public internal(set) var labels = RecordedLabels()

  /// Metres as the file itself states them.
  package var statedMeters: Double?
  /// Kilocalories as the file itself states them, in whatever way its device came to them; `nil` where it states none.
  public package(set) var statedKilocalories: Double?
  private var beatAnalysis: BeatAnalysis?
  private var distance: DistanceTotal
  /// How fast the sport is at most, in metres per second.
  let fastestMetersPerSecond: Double
  /// From when to when positions were too far from the last good one.
  private var tooFast: ClosedRange<SessionTime>?
  private var stops = RecordedStops()
  private var firstMotion = SessionTime.zero
  private var lastMotion = SessionTime.zero
  private var signal = SignalFacts()
  private var running = RunningTime()

  /// Facts of nothing yet, of a sport as a file names it.
  package init(sport: String?) { self.init(sport: sport, judgedAs: Activity(ofSport: sport)) }

  /// Facts of nothing yet, whose positions are judged by what somebody says that it was.
  init(sport: String?, judgedAs activity: Activity) {
    self.sport = sport
    fastestMetersPerSecond = activity.fastestMetersPerSecond
    distance = DistanceTotal(fastestMetersPerSecond: fastestMetersPerSecond)
  }

  /// What is odd: about the file itself and its clock, then about the heart rate in it.
  public var warnings: [RecordingWarning] { warningsOfFile + warningsOfSignal }
  /// What is odd about the file itself and its clock, one of each kind; a replay finds the rest.
  package var warningsOfFile: [RecordingWarning] {
    var warnings = RecordingWarnings(oddities)
    stops.warnings.all.forEach { warnings.add($0) }
    return warnings.all + distanceWarning
  }
  /// What is odd about the heart rate: it may be something else than the heart.
  package var warningsOfSignal: [RecordingWarning] { signal.warnings.all }

  /// The more precise kind of the sport of a recording of one activity, in words of the FIT profile; `nil` where the file states
  /// none, and for a session that is called another sport.
  package func subSport(as activity: Activity) -> String? {
    guard parts.count == 1, activity == Activity(ofSport: sport) else { return nil }
    return parts[0].subSport
  }

  /// What is odd about the file itself and its clock where an activity is chosen for it; one that may be faster than the
  /// sport of the file believes more of its positions. For one that is slower they have to be read again
  /// (``Recording/warningsOfFile(as:)``).
  package func warningsOfFile(as activity: Activity?) -> [RecordingWarning] {
    guard let activity, activity.fastestMetersPerSecond > fastestMetersPerSecond else { return warningsOfFile }
    return warningsOfFile.filter { $0.kind != .fasterThanSport }
  }

  /// That more than a tenth of the positions, and at least a minute of them, count for no distance where no device counted one.
  var distanceWarning: [RecordingWarning] {
    let (left, all) = (distance.tooFastFixes, distance.acceptedFixes + distance.tooFastFixes)
    guard let tooFast, 10 * left > all, distance.recordedMeters == nil else { return [] }
    // Positions may come each second or seldom.
    let lastsLong = tooFast.upperBound - tooFast.lowerBound >= .seconds(Self.fewestTooFast)
    guard left >= Self.fewestTooFast || lastsLong && left >= Self.fewestSeldomTooFast else { return [] }
    let isOnFoot = fastestMetersPerSecond < DistanceTotal.fastestOnWheels
    return [
      RecordingWarning(
        kind: .fasterThanSport, position: "second \(tooFast.lowerBound.nanoseconds / 1_000_000_000)", count: left,
        detail: "of \(all) positions, faster than \(Int(fastestMetersPerSecond)) m/s"
          + (isOnFoot ? "; was it another sport, as --activity cycling?" : ""))
    ]
  }
  private static let fewestTooFast = 60
  private static let fewestSeldomTooFast = 6
  /// Spans in which the timer stood still, and silences so long that they are no workout; between the first sample and the
  /// last, in order.
  public var pauses: [RecordedPause] { stops.spans(until: elapsed) }

  /// Metres between good positions; `nil` when there are fewer than two.
  public var locationMeters: Double? { distance.acceptedFixes > 1 ? distance.measuredMeters : nil }
  /// Metres as the file itself states them: in its summary where it has one, else as its points count them.
  public var recordedMeters: Double? { statedMeters ?? distance.recordedMeters }
  /// Readings of motion a second; `nil` for fewer than two.
  public var motionRateHz: Double? {
    let span = (lastMotion - firstMotion).seconds
    return motionCount > 1 && span > 0 ? Double(motionCount - 1) / span : nil
  }

  /// The day on which it begins, on the clock of its place where the file states that, else in UTC, so that it is the same
  /// everywhere; `nil` where the recording has only times since a start.
  package var day: CivilDate? { start?.civilDate(utcOffsetSeconds: utcOffsetSeconds ?? 0) }

  /// Takes a sample; samples come in order of time.
  mutating func admit(_ sample: Sample) {
    switch sample.reading {
    case .heartRate(let beatsPerMinute):
      noteSample(at: sample.time)
      take(heartRate: beatsPerMinute, at: sample.time)
    case .steps(let count):
      noteSample(at: sample.time)
      take(steps: count, at: sample.time)
    case .cadence(let stepsPerMinute):
      noteSample(at: sample.time)
      signal.admit(cadence: stepsPerMinute, at: sample.time)
    case .distance(let meters):
      noteSample(at: sample.time)
      distance.admit(recordedMeters: meters, at: sample.time)
    case .speed: noteSample(at: sample.time)
    case .location(let fix): admit(fix, at: sample.time)
    case .motion: admitMotion(at: sample.time)
    case .rrInterval(let milliseconds): admit(interval: milliseconds, at: sample.time)
    case .direction: noteSample(at: sample.time)
    case .altitude: admitAltitude(at: sample.time)
    }
  }

  /// Takes numbers of one instant, as if their samples came one by one in the order of their streams; what is absent is
  /// not a number or `nil`. A position and motion of the same instant come after them.
  @inline(__always)
  mutating func admit(
    heartRate: Double, steps: Int?, cadence: Double, distance: Double, speed: Double, at time: SessionTime
  ) {
    let count =
      (heartRate.isNaN ? 0 : 1) + (steps == nil ? 0 : 1) + (cadence.isNaN ? 0 : 1) + (distance.isNaN ? 0 : 1)
      + (speed.isNaN ? 0 : 1)
    guard count > 0 else { return }
    noteSamples(count, at: time)
    if !heartRate.isNaN { take(heartRate: heartRate, at: time) }
    if let steps { take(steps: steps, at: time) }
    if !cadence.isNaN { signal.admit(cadence: cadence, at: time) }
    if !distance.isNaN { self.distance.admit(recordedMeters: distance, at: time) }
  }

  /// The same where there is nothing but a heart rate and perhaps a speed: `count` samples in all.
  @inline(__always)
  mutating func admit(heartRate: Double, samples count: Int, at time: SessionTime) {
    noteSamples(count, at: time)
    if !heartRate.isNaN { take(heartRate: heartRate, at: time) }
  }

  /// Takes heart rates that nothing is odd of, with as many samples in all as said: the same as one by one.
  ///
  /// - Parameters:
  ///   - heartRates: at least one.
  ///   - cadences: those of the same instants, finite and not negative; empty where there are none.
  ///   - count: how many samples there are of them and beside them.
  ///   - times: as many, in order, none of them after a long silence.
  /// - Returns: whether nothing is odd; otherwise none is taken.
  mutating func admitSteady(
    _ heartRates: Span<Double>, cadences: Span<Double> = Span(), samples count: Int, at times: Span<SessionTime>
  ) -> Bool {
    guard !stops.isPaused, !stops.isJump(to: times[0]),
      signal.admitSteady(heartRates, cadences: cadences, at: times)
    else { return false }
    let last = times[times.count - 1]
    noteSamples(0, at: times[0])
    noteSamples(count, at: last)
    if heartRate == nil { heartRate = HeartRate() }
    heartRate?.admit(heartRates, at: times)
    return true
  }

  /// Takes points that nothing is odd of, as if they came one by one; whether nothing is odd, otherwise none is taken.
  mutating func admitSteady(_ steady: borrowing SteadyPoints, _ points: Span<RecordedPoint>) -> Bool {
    let count = points.count
    let times = steady.times.span.extracting(first: count)
    let cadences = steady.cadences.span.extracting(first: steady.hasCadences ? count : 0)
    guard
      admitSteady(
        steady.heartRates.span.extracting(first: count), cadences: cadences, samples: steady.sampleCount, at: times)
    else { return false }
    altitudeCount += steady.altitudeCount
    distance.admit(recordedMeters: steady.meters.span.extracting(first: steady.hasMeters ? count : 0), at: times)
    let places = steady.places
    locationCount += places.count
    var index = 0
    while index < places.count {
      let rest = index..<places.count
      index += distance.admitSteady(places.span.extracting(rest), at: times.extracting(rest))
      guard index < places.count else { break }
      if let fix = points[index].fix { take(fix, at: times[index]) }
      index += 1
    }
    return true
  }

  /// Takes a position.
  @inline(__always)
  mutating func admit(_ fix: LocationFix, at time: SessionTime) {
    noteSample(at: time)
    locationCount += 1
    take(fix, at: time)
  }

  @inline(__always)
  private mutating func take(_ fix: LocationFix, at time: SessionTime) {
    let before = distance.tooFastFixes
    if !stops.isPaused, !distance.admit(fix, at: time), distance.tooFastFixes > before {
      tooFast = (tooFast?.lowerBound ?? time)...max(time, tooFast?.upperBound ?? time)
    }
  }

  /// Takes note of an altitude beside no position.
  @inline(__always)
  mutating func admitAltitude(at time: SessionTime) {
    noteSample(at: time)
    altitudeCount += 1
  }

  /// Takes note of a reading of motion.
  @inline(__always)
  mutating func admitMotion(at time: SessionTime) {
    noteSample(at: time)
    if motionCount == 0 { firstMotion = time }
    lastMotion = time
    motionCount += 1
  }

  /// Takes the time between two beats.
  mutating func admit(interval milliseconds: Double, at time: SessionTime) {
    noteSample(at: time)
    if beatAnalysis == nil { beatAnalysis = BeatAnalysis() }
    beatAnalysis?.admit(milliseconds, at: time)
  }

  /// What the times between beats come to; `nil` without one.
  ///
  /// - Complexity: O(n) of the windows and of the intervals that were not yet judged.
  package var beats: BeatReport? { beatAnalysis.flatMap { BeatReport($0) } }

  /// Takes an input: a sample, or a pause, in which nothing is suspected of the heart rate.
  package mutating func admit(_ input: RecordedInput) {
    switch input {
    case .sample(let sample): admit(sample)
    case .unplaced, .advance: break
    case .command(let command, let time): admit(command, at: time)
    }
  }

  /// Takes a command, of which only pauses matter.
  mutating func admit(_ command: SessionCommand, at time: SessionTime) {
    switch command {
    case .pause, .recognized(.pause):
      stops.pause(at: time)
      signal.isPaused = true
      distance.breakTrack()
      running.pause()
    case .resume, .recognized(.resume):
      stops.resume(at: time)
      signal.isPaused = false
    case .start, .lap, .stop, .ended, .target, .strategy, .recognized(.activity), .recognized(.differs),
      .recognized(.steps), .answered:
      break
    }
  }

  /// Takes pauses of samples that were counted elsewhere.
  mutating func admit(pauses: [RecordedPause]) { stops.add(pauses) }

  @inline(__always)
  mutating func noteSample(at time: SessionTime) { noteSamples(1, at: time) }

  /// Takes note of samples of one instant.
  @inline(__always)
  private mutating func noteSamples(_ count: Int, at time: SessionTime) {
    if stops.isJump(to: time) { admitJump(to: time) }
    sampleCount += count
    stops.note(time)
    running.admit(time)
    elapsed = max(elapsed, time)
  }

  /// Takes note of a silence in which a replay is paused.
  @inline(never)
  private mutating func admitJump(to time: SessionTime) {
    stops.jump(to: time)
    distance.breakTrack()
    signal.isPaused = true
    signal.isPaused = false
  }

  @inline(__always)
  private mutating func take(heartRate beatsPerMinute: Double, at time: SessionTime) {
    signal.admit(beatsPerMinute, at: time)
    guard beatsPerMinute > 0, beatsPerMinute < .infinity else { return }
    if heartRate == nil { heartRate = HeartRate() }
    heartRate?.admit(beatsPerMinute, at: time)
  }

  private mutating func take(steps count: Int, at time: SessionTime) {
    stepSampleCount += 1
    steps += count
    signal.admit(steps: count, at: time)
  }

  /// Makes sure that the samples do not go on for longer than a budget allows.
  ///
  /// - Throws: `RecordingError` when they do.
  func requireRunningTime(within budget: ReadingBudget, of path: String) throws(RecordingError) {
    guard running.seconds > budget.runningSeconds else { return }
    throw RecordingError(
      path: path, position: "sample \(sampleCount)",
      problem: "goes on for \(running.seconds / 86_400) days up to here: "
        + "expected at most \(budget.runningSeconds / 86_400)")
  }

  /// Takes note that the next position does not follow the last one.
  mutating func breakTrack() {
    distance.breakTrack()
    stops.breakOff()
  }

  /// Takes what a file states beside its samples.
  mutating func describe(_ recording: DecodedRecording, origin: Int64) {
    activityCount = recording.activities.count
    parts = recording.activities.compactMap { ActivityFacts($0, origin: origin) }
    sport = recording.sport
    device = recording.device
    statedMeters = StatedMeters.sum(recording.activities.compactMap(\.statedMeters))
    let energies = recording.activities.compactMap(\.statedKilocalories)
    statedKilocalories = energies.isEmpty ? nil : energies.reduce(0, +)
    if recording.clock == .wall { start = WallClockTime(nanoseconds: origin) }
    utcOffsetSeconds = recording.activities.first?.utcOffsetSeconds
    oddities = recording.warnings.all
    unreadFields = recording.unreadFields
  }

  /// Adds an oddity that is known only outside of the file.
  package mutating func add(_ kind: RecordingWarning.Kind, at position: String, _ detail: String) {
    add([RecordingWarning(kind: kind, position: position, count: 1, detail: detail)])
  }

  /// Adds what was odd around the recording; one kind is one warning, wherever it was met.
  package mutating func add(_ warnings: [RecordingWarning]) {
    var all = RecordingWarnings(oddities)
    warnings.forEach { all.add($0) }
    oddities = all.all
  }
}
