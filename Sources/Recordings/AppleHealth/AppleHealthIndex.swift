internal import ZoneEngine

/// What one pass over an export of Apple Health finds: the sums of all records, the workouts, and the times of the
/// records, by which the days and the largest gap are known at the end.
///
/// A record takes four bytes, a workout some 200.
struct AppleHealthIndex: AppleHealthConsumer, Sendable {
  /// The most workouts that an export may have.
  static let mostWorkouts = 100_000

  /// What one source has counted.
  struct SourceTotals: Sendable {
    var records = 0
    var counts = [0, 0, 0]
    /// Where the first record of each kind stands.
    var firstPositions = [0, 0, 0]
  }

  /// Records whose clocks show the same time, apart by what they are.
  struct Clock: Hashable {
    /// What is asked of the times of records: those of heart rates above 0, those of a distance, those of all else.
    enum Content: Int, Hashable { case heartRate, distance, other }

    let utcOffsetSeconds: Int
    let content: Content

    var isHeartRate: Bool { content == .heartRate }
  }

  /// Heart rates above 0.
  private(set) var heartRates = HeartRateStatistics()
  private(set) var firstHeartRate: (time: AppleHealthTime, value: Double)?
  private(set) var lastHeartRate: (time: AppleHealthTime, value: Double)?
  private(set) var stepRecords = 0
  private(set) var distanceRecords = 0
  private(set) var steps = ExactSum()
  private(set) var meters = ExactSum()
  /// The first and the last sample of all.
  private(set) var first: AppleHealthTime?
  private(set) var last: AppleHealthTime?
  private(set) var records = 0
  /// The workouts in the order of the file; by time when the pass is over.
  private(set) var workouts: [AppleHealthWorkout] = []
  private(set) var sources: [SourceTotals] = []
  private(set) var names = AppleHealthSources()
  private(set) var clocks: [Clock] = []
  private(set) var times: [RecordTimes] = []

  private var clockNumbers: [Clock: Int] = [:]
  private var lastClocks = [0, 0, 0]
  private var routePathBytes = 0
  private let budget: ReadingBudget
  /// The times of what belongs together, once they are known.
  private let kept: ClosedRange<AppleHealthTime>?
  /// Records at other times, which are left out: how many, and the first in time.
  private(set) var strays: (count: Int, first: AppleHealthTime)?

  /// Begins a pass.
  ///
  /// - Parameter kept: the times of what is taken; `nil` for all, as long as nobody knows which are stray.
  init(_ budget: ReadingBudget, keeping kept: ClosedRange<AppleHealthTime>? = nil) {
    self.budget = budget
    self.kept = kept
  }

  mutating func take(_ record: AppleHealthRecord, _ names: AppleHealthSources) -> String? {
    guard kept?.contains(record.place) ?? true else {
      strays = strays.map { ($0.count + 1, min($0.first, record.place)) } ?? (1, record.place)
      return nil
    }
    guard records < budget.healthRecords else { return "expected at most \(budget.healthRecords) records" }
    records += 1
    let time = record.sampleTime
    if first.map({ time < $0 }) ?? true { first = time }
    if last.map({ time > $0 }) ?? true { last = time }
    var content = Clock.Content.other
    switch record.kind {
    case .heartRate where record.value > 0:
      content = .heartRate
      heartRates.admit(record.value)
      if firstHeartRate.map({ time < $0.time }) ?? true { firstHeartRate = (time, record.value) }
      if lastHeartRate.map({ time >= $0.time }) ?? true { lastHeartRate = (time, record.value) }
    case .heartRate: break
    case .steps:
      stepRecords += 1
      steps.add(record.value)
    case .distance:
      content = .distance
      distanceRecords += 1
      meters.add(record.value)
    }
    note(record, names)
    times[clockNumber(Clock(utcOffsetSeconds: record.utcOffsetSeconds, content: content))].append(record.place)
    return nil
  }

  /// Beats stand beside what else is measured: they begin no day, and are of no span of their own.
  mutating func take(_ beats: HealthBeatList, _ names: AppleHealthSources) -> String? { nil }

  mutating func take(_ workout: AppleHealthWorkout) -> String? {
    guard workouts.count < Self.mostWorkouts else { return "expected at most \(Self.mostWorkouts) workouts" }
    routePathBytes += workout.routes.reduce(0) { $0 + $1.utf8.count }
    guard routePathBytes <= budget.routePathBytes else {
      return "expected at most \(budget.routePathBytes) bytes of paths of routes"
    }
    workouts.append(workout)
    return nil
  }

  private mutating func note(_ record: AppleHealthRecord, _ names: AppleHealthSources) {
    if record.source >= sources.count {
      self.names = names
      while sources.count <= record.source { sources.append(SourceTotals()) }
    }
    let kind = Int(record.kind.rawValue)
    sources[record.source].records += 1
    if sources[record.source].counts[kind] == 0 { sources[record.source].firstPositions[kind] = record.position }
    sources[record.source].counts[kind] += 1
  }

  private mutating func clockNumber(_ clock: Clock) -> Int {
    let kind = clock.content.rawValue
    if lastClocks[kind] < clocks.count, clocks[lastClocks[kind]] == clock { return lastClocks[kind] }
    let number = clockNumbers[clock] ?? clocks.count
    if number == clocks.count {
      clocks.append(clock)
      times.append(RecordTimes())
      clockNumbers[clock] = number
    }
    lastClocks[kind] = number
    return number
  }

  // MARK: - When the pass is over

  /// How far from everything else records lie at least that are stray. Who measures little has days with a reading or two, and
  /// an export has years of them; a clock that was not set is decades behind.
  private static let longestSilence = SessionTime.seconds(3_653 * 86_400)
  /// A workout that is said to take longer says nothing of when somebody measured.
  private static let longestWorkoutSeconds: UInt32 = 12 * 3_600

  /// The times of what belongs together; `nil` where nothing is stray. One or two instants far from all others are, and those of
  /// a workout are none of them.
  /// - Complexity: O(n log n)
  mutating func keptTimes() -> ClosedRange<AppleHealthTime>? {
    for index in times.indices { times[index].sortChunks() }
    let chunks = times.flatMap(\.chunks)
    guard let first = chunks.compactMap(\.first).min(), let last = chunks.compactMap(\.last).max(),
      SessionTime.seconds(Int(last - first)) > Self.longestSilence
    else { return nil }
    let ofWorkouts = workouts.filter { $0.end.seconds - $0.start.seconds <= Self.longestWorkoutSeconds }
      .flatMap { [$0.start, .middle($0.start, $0.end), $0.end].map(\.seconds) }
    var strays = StrayTimes()
    var merge = RecordTimeMerge(chunks + [ofWorkouts.sorted()])
    merge.forEach { strays.admit($0.nanoseconds) }
    guard let kept = strays.kept(beyond: Self.longestSilence) else { return nil }
    return AppleHealthTime(nanoseconds: kept.lowerBound)...AppleHealthTime(nanoseconds: kept.upperBound)
  }

  /// Puts the workouts and the times in order. A workout that reaches to a stray time begins or ends with what is kept.
  mutating func finish() {
    if let kept {
      for (index, workout) in workouts.enumerated() where (workout.start...workout.end).overlaps(kept) {
        workouts[index].clamp(to: kept)
      }
    }
    workouts = workouts.enumerated()
      .sorted { left, right in
        let (a, b) = (left.element, right.element)
        return (a.start.seconds, a.end.seconds, left.offset) < (b.start.seconds, b.end.seconds, right.offset)
      }
      .map(\.element)
    for index in times.indices { times[index].sortChunks() }
  }

  /// The source with most records, the first seen of several; `nil` when none has a name.
  var mostUsedSource: String? {
    var best: Int?
    for number in sources.indices where !names.names[number].isEmpty {
      if best.map({ sources[number].records > sources[$0].records }) ?? true { best = number }
    }
    return best.map { names.names[$0] }
  }

  /// The sources that have counted something: names and where the second of them begins.
  func counting(_ kind: AppleHealthRecord.Kind) -> (names: [String], position: Int) {
    let place = Int(kind.rawValue)
    let counting = sources.indices.filter { sources[$0].counts[place] > 0 }
    let position = counting.map { sources[$0].firstPositions[place] }.sorted().dropFirst().first ?? 0
    return (counting.map { names.names[$0] }, position)
  }

  /// The largest time between two heart rates, and which of them in order of time each of `workouts` has; ends are inside.
  /// - Complexity: O(n log n)
  func heartRateTimes() -> (largestGapSeconds: Int, ranks: [Range<Int>]) { ranks { $0.isHeartRate } }

  /// Which of the other records in order of time each of `workouts` has; ends are inside.
  /// - Complexity: O(n log n)
  func otherRanks() -> [Range<Int>] { ranks { !$0.isHeartRate }.ranks }

  /// Metres that workouts state of which no record of a distance is; `nil` where there is none.
  /// - Complexity: O(n log n)
  func metersWithoutRecords() -> Double? {
    guard workouts.contains(where: { $0.statedMeters != nil }) else { return nil }
    let records = distanceRecords > 0 ? ranks { $0.content == .distance }.ranks : []
    let stated = workouts.indices.filter { !records.indices.contains($0) || records[$0].isEmpty }
      .compactMap { workouts[$0].statedMeters }
    return stated.isEmpty ? nil : stated.reduce(into: ExactSum()) { $0.add($1) }.value
  }

  private func ranks(
    where isWanted: (Clock) -> Bool
  ) -> (largestGapSeconds: Int, ranks: [Range<Int>]) {
    // A workout has those up to its end, less those before its start.
    var bounds: [(time: UInt32, workout: Int, isEnd: Bool)] = []
    for (number, workout) in workouts.enumerated() {
      bounds.append((workout.start.seconds, number, false))
      bounds.append((workout.end.seconds, number, true))
    }
    bounds.sort { ($0.time, $0.isEnd ? 1 : 0) < ($1.time, $1.isEnd ? 1 : 0) }
    var ranks = [Range<Int>](repeating: 0..<0, count: workouts.count)
    var next = 0
    var seen = 0
    var lastTime: AppleHealthTime?
    var gap = 0
    func pass(_ isOver: (UInt32, Bool) -> Bool) {
      while next < bounds.count, isOver(bounds[next].time, bounds[next].isEnd) {
        let workout = bounds[next].workout
        ranks[workout] = bounds[next].isEnd ? ranks[workout].lowerBound..<seen : seen..<seen
        next += 1
      }
    }
    var merge = RecordTimeMerge(
      clocks.indices.filter { isWanted(clocks[$0]) }.flatMap { times[$0].chunks })
    merge.forEach { time in
      pass { bound, isEnd in isEnd ? bound < time.seconds : bound <= time.seconds }
      seen += 1
      if let lastTime { gap = max(gap, Int(time.seconds - lastTime.seconds)) }
      lastTime = time
    }
    pass { _, _ in true }
    return (gap, ranks)
  }

  /// A day with records outside of every workout.
  struct Day: Sendable {
    var heartRates = 0
    var records = 0
    var first: AppleHealthTime
    var last: AppleHealthTime
    /// How far the clock of the first record is ahead of UTC.
    var utcOffsetSeconds: Int
  }

  /// The days, by their number since 1950, with records that belong to no workout; the day is that of the record's clock.
  /// - Complexity: O(n log w)
  func days(outside spans: WorkoutSpans) -> [Int: Day] {
    var days: [Int: Day] = [:]
    for (clock, times) in zip(clocks, times) {
      for chunk in times.chunks {
        for seconds in chunk {
          let time = AppleHealthTime(seconds: seconds)
          guard spans.number(at: time) == nil else { continue }
          let number = time.day(utcOffsetSeconds: clock.utcOffsetSeconds)
          let offset = clock.utcOffsetSeconds
          var day = days[number] ?? Day(first: time, last: time, utcOffsetSeconds: offset)
          if time < day.first { day.utcOffsetSeconds = offset }
          if clock.isHeartRate { day.heartRates += 1 }
          day.records += 1
          (day.first, day.last) = (min(day.first, time), max(day.last, time))
          days[number] = day
        }
      }
    }
    return days
  }
}

/// A sum that does not lose the small parts of many numbers.
///
/// Source: A. Neumaier 1974, *Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen*,
/// 10.1002/zamm.19740540106, algorithm IV.
struct ExactSum: Hashable, Sendable {
  private var sum = 0.0
  private var lost = 0.0

  mutating func add(_ value: Double) {
    let next = sum + value
    lost += abs(sum) >= abs(value) ? (sum - next) + value : (value - next) + sum
    sum = next
  }

  /// The sum, rounded to millionths, which is finer than any of the numbers is known.
  var value: Double { ((sum + lost) * 1e6).rounded() / 1e6 }
}
