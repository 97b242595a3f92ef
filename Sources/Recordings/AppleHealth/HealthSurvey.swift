internal import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// Makes the facts and the activities of an export of what one pass has found.
struct HealthSurvey {
  /// The most names that a message lists.
  private static let mostNames = 10

  var index: AppleHealthIndex
  var warnings = RecordingWarnings()
  private(set) var facts = RecordingFacts(sport: nil)
  private(set) var activities: [RecordedActivity] = []
  /// The days by their numbers since 1950, in the order of the activities.
  private(set) var days: [Int] = []
  /// How far the clock of each activity was ahead of UTC, where it is known; those of days behind those of workouts.
  private(set) var utcOffsets: [Int?] = []
  /// Which records each activity has, those of days counted behind those of workouts.
  private(set) var ranks: [HealthBatches.Ranks] = []
  /// The first sample of all, in nanoseconds since the Unix epoch.
  private(set) var origin: Int64 = 0

  /// What the routes of a workout span, in nanoseconds since the Unix epoch.
  private var routeSpans: [ClosedRange<Int64>?] = []
  private var routePoints = 0
  private let budget: ReadingBudget

  init(_ budget: ReadingBudget) {
    self.budget = budget
    index = AppleHealthIndex(budget)
  }

  /// Closes the pass.
  ///
  /// - Throws: `FileError` when a route cannot be read, `RecordingError` when nothing could be used.
  mutating func finish(_ source: RecordingSource, isPacked: Bool, _ problem: DecodingProblem?) throws {
    guard index.records > 0 || !index.workouts.isEmpty else {
      throw RecordingError(
        path: source.path, position: problem?.position,
        problem: problem?.problem ?? "expected records of heart rate, steps or distance, or workouts, found none")
    }
    if let problem { warnings.add(.truncated, at: problem.position, detail: problem.problem) }
    index.finish()
    if let (count, first) = index.strays {
      warnings.add(.implausibleTime, at: StrayTimes.position(of: first.nanoseconds, isWall: true), count: count)
    }
    let isUnpacked = isPacked || source.isInArchive
    try readRoutes(source, isUnpacked: isUnpacked)
    warnOfSources(isUnpacked: isUnpacked)
    let last = decideSpan()
    describe(elapsed: SessionTime(nanoseconds: last - origin))
    describeActivities()
    facts.oddities = warnings.all
  }

  private func position(_ byte: Int, isUnpacked: Bool) -> String { (isUnpacked ? "unpacked " : "") + "byte \(byte)" }

  // MARK: - Routes

  private mutating func readRoutes(_ source: RecordingSource, isUnpacked: Bool) throws {
    routeSpans = [ClosedRange<Int64>?](repeating: nil, count: index.workouts.count)
    let routes = source.archive.map { HealthRoutes(in: $0, budget) }
    // A route that several workouts name is read for each of them.
    var (readPoints, readBytes) = (0, 0)
    for (number, workout) in index.workouts.enumerated() where !workout.routes.isEmpty {
      let position = position(workout.position, isUnpacked: isUnpacked)
      guard let routes else {
        warnings.add(
          .routeNotRead, at: position, count: workout.routes.count, detail: "they stand in the archive of the export")
        continue
      }
      let reading = try routes.read(workout)
      routePoints += reading.points.count
      readPoints += reading.readPoints
      readBytes += reading.readBytes
      guard readPoints <= budget.routePoints, readBytes <= budget.bytes else {
        let limit = readBytes > budget.bytes ? "\(budget.bytes) bytes" : "\(budget.routePoints) points"
        throw RecordingError(path: source.path, position: position, problem: "expected at most \(limit) of routes")
      }
      for problem in reading.problems { warnings.add(.unreadableRoute, at: position, detail: problem) }
      guard let first = reading.points.first, let last = reading.points.last else { continue }
      routeSpans[number] = first.time...last.time
      facts.breakTrack()
      for point in reading.points {
        let time = SessionTime(nanoseconds: point.time - first.time)
        point.recorded.forEachSample(at: time, steps: nil) { facts.admit($0) }
      }
    }
  }

  // MARK: - Facts

  private mutating func warnOfSources(isUnpacked: Bool) {
    var details: [String] = []
    var (count, first) = (0, Int.max)
    for (kind, what) in [(AppleHealthRecord.Kind.steps, "steps"), (.distance, "distance")] {
      let counting = index.counting(kind)
      guard counting.names.count > 1 else { continue }
      let names = counting.names.prefix(Self.mostNames).joined(separator: ", ")
      details.append("\(what): \(names)\(counting.names.count > Self.mostNames ? " …" : "")")
      count = max(count, counting.names.count)
      first = min(first, counting.position)
    }
    guard count > 0 else { return }
    let position = position(first, isUnpacked: isUnpacked)
    warnings.add(.severalSources, at: position, count: count, detail: details.joined(separator: "; "))
  }

  /// Decides where the recording begins: at its first sample, or its first workout where there is none; where it ends.
  private mutating func decideSpan() -> Int64 {
    let spans = routeSpans.compactMap(\.self)
    let firsts = [index.first?.nanoseconds, spans.map(\.lowerBound).min()].compactMap(\.self)
    let lasts = [index.last?.nanoseconds, spans.map(\.upperBound).max()].compactMap(\.self)
    origin = firsts.min() ?? index.workouts.first?.start.nanoseconds ?? 0
    return lasts.max() ?? index.workouts.map(\.end.nanoseconds).max() ?? origin
  }

  private func time(_ time: AppleHealthTime) -> SessionTime {
    SessionTime(nanoseconds: time.nanoseconds - origin)
  }

  private mutating func describe(elapsed: SessionTime) {
    facts.format = RecordingFormat.appleHealth.rawValue
    facts.start = WallClockTime(nanoseconds: origin)
    facts.elapsed = elapsed
    facts.sampleCount = index.records + routePoints
    facts.device = index.mostUsedSource ?? "Apple Health"
    facts.stepSampleCount = index.stepRecords
    facts.steps = Int(index.steps.value.rounded())
    let recorded = index.distanceRecords > 0 ? index.meters.value : nil
    facts.statedMeters = StatedMeters.sum([recorded, index.metersWithoutRecords()].compactMap(\.self))
    let energies = index.workouts.compactMap(\.statedKilocalories)
    if !energies.isEmpty { facts.statedKilocalories = energies.reduce(into: ExactSum()) { $0.add($1) }.value }
    var sports: [String] = []
    for workout in index.workouts where !sports.contains(workout.sport) && sports.count < Self.mostNames {
      sports.append(workout.sport)
    }
    facts.sport = sports.isEmpty ? nil : sports.joined(separator: "+")
    facts.admit(
      pauses: index.workouts.flatMap(\.pauses).map { RecordedPause(from: time($0.from), until: time($0.until)) })
  }

  // MARK: - Activities

  private mutating func describeActivities() {
    let (gap, heartRates) = index.heartRateTimes()
    ranks = zip(heartRates, index.otherRanks()).map { HealthBatches.Ranks(heartRates: $0, others: $1) }
    if let first = index.firstHeartRate, let last = index.lastHeartRate {
      facts.heartRate = RecordingFacts.HeartRate(
        statistics: index.heartRates, first: first.value, last: last.value, largestGap: .seconds(gap))
    }
    for (number, workout) in index.workouts.enumerated() {
      let route = routeSpans[number]
      let start = min(workout.start.nanoseconds, route?.lowerBound ?? .max)
      let end = max(workout.end.nanoseconds, route?.upperBound ?? .min)
      utcOffsets.append(workout.utcOffsetSeconds)
      add(workout.sport, start, end, heartRates: heartRates[number].count, isWorkout: true)
    }
    let spans = WorkoutSpans(index.workouts.enumerated().lazy.map { ($0.offset, $0.element.start, $0.element.end) })
    var recordsOfDays = 0
    for (number, day) in index.days(outside: spans).sorted(by: { $0.key < $1.key }) {
      days.append(number)
      utcOffsets.append(PlaceOffset.seconds(day.utcOffsetSeconds))
      ranks.append(HealthBatches.Ranks(heartRates: recordsOfDays..<recordsOfDays + day.records, others: 0..<0))
      recordsOfDays += day.records
      add(
        nil, max(origin, day.first.nanoseconds), day.last.nanoseconds, heartRates: day.heartRates, isWorkout: false)
    }
    facts.activityCount = index.workouts.isEmpty ? days.count : index.workouts.count
    facts.utcOffsetSeconds = utcOffsets.first ?? nil
  }

  private mutating func add(_ sport: String?, _ start: Int64, _ end: Int64, heartRates: Int, isWorkout: Bool) {
    activities.append(
      RecordedActivity(
        number: activities.count + 1, sport: sport, start: SessionTime(nanoseconds: start - origin),
        end: SessionTime(nanoseconds: max(start, end) - origin), startTime: WallClockTime(nanoseconds: start),
        heartRateCount: heartRates, isWorkout: isWorkout))
  }
}
