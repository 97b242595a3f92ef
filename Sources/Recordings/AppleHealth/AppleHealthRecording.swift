internal import TextFormats
package import WorkoutSession
internal import ZoneEngine

/// An export of Apple Health: `export.xml`, packed by gzip or not, or the zip archive that holds it with its routes.
///
/// The export is read once for its facts, its workouts and its days, a second time for them where a time is stray, and once
/// more for the samples of what is asked for. It is never held: an export may have gigabytes.
package struct AppleHealthRecording: Sendable {
  /// The file.
  package let path: String
  /// What the export holds: sums over all records, whatever they belong to.
  package let facts: RecordingFacts
  /// The workouts in order of their starts, then the days that have records outside of every workout.
  package let activities: [RecordedActivity]

  private let source: RecordingSource
  private let isPacked: Bool
  private let workouts: [AppleHealthWorkout]
  /// The days by their numbers since 1950, in the order of the activities.
  private let days: [Int]
  /// How far the clock of each activity was ahead of UTC, where it is known.
  private let utcOffsets: [Int?]
  /// The first sample of all, in nanoseconds since the Unix epoch.
  private let origin: Int64
  private let batches: HealthBatches
  private let budget: ReadingBudget

  /// Reads an export once.
  ///
  /// - Throws: `FileError` when it cannot be read, `RecordingError` when nothing in it can be used.
  init(_ source: RecordingSource, isPacked: Bool, _ budget: ReadingBudget = .standard) throws {
    path = source.path
    self.source = source
    self.isPacked = isPacked
    self.budget = budget
    var survey = HealthSurvey(budget)
    let (index, problem) = try Self.pass(source, isPacked: isPacked, budget, survey.index) { survey.warnings.admit($0) }
    survey.index = index
    if let kept = survey.index.keptTimes() {
      // What is stray is in the sums already, so that they are made anew without it.
      survey.index = try Self.pass(source, isPacked: isPacked, budget, AppleHealthIndex(budget, keeping: kept)) { _ in }
        .consumer
    }
    try survey.finish(source, isPacked: isPacked, problem)
    facts = survey.facts
    activities = survey.activities
    workouts = survey.index.workouts
    days = survey.days
    utcOffsets = survey.utcOffsets
    origin = survey.origin
    batches = HealthBatches(survey.ranks)
  }

  /// Gives every input of an activity to `body`, or of all workouts in order with pauses between them, or of all days
  /// where there is no workout.
  ///
  /// Samples come in order of time, then of stream. Times are counted from the start of the activity, and from the first
  /// sample of the recording without a number. A record belongs to the workout in which it was measured, one that was
  /// counted over a span to the one in which its middle lies; without a number, where workouts overlap, to the one that
  /// began first. Steps and metres of an activity come from one source.
  ///
  /// - Precondition: `number` is one of an activity.
  /// - Throws: `FileError` or `RecordingError` when the export cannot be read again, or what `body` throws.
  package func forEachInput(activity number: Int?, _ body: (RecordedInput) throws -> Void) throws {
    precondition(number.map { $0 >= 1 && $0 <= activities.count } ?? true, "an activity has a number")
    let wanted = number.map { [activities[$0 - 1]] } ?? activities.filter { $0.isWorkout == !workouts.isEmpty }
    let zero = number.map { origin + activities[$0 - 1].start.nanoseconds } ?? origin
    var emitter = HealthEmitter()
    var meters = 0.0
    var running = RunningTime()
    let largestDays = budget.healthRunningSeconds / 86_400
    func give(_ input: RecordedInput) throws {
      if case .sample(let sample) = input { running.admit(sample.time) } else { running.pause() }
      guard running.seconds <= budget.healthRunningSeconds else {
        throw RecordingError(
          path: path, problem: "goes on for more than \(largestDays) days: expected an activity of it")
      }
      try body(input)
    }
    try forEachCollected(wanted) { activity, collection, routes in
      if number != nil { meters = 0 }
      try emit(activity, collection, routes, from: zero, meters: &meters, &emitter, give)
    }
    try emitter.finish(give)
  }

  /// Gives each of some activities with its inputs and its facts to `body`; the export is read once for as many of them
  /// as have a million records.
  ///
  /// - Throws: `FileError` or `RecordingError` when the export cannot be read again, or what `body` throws.
  func forEachActivity(
    _ wanted: [RecordedActivity], _ body: (RecordedActivity, [RecordedInput], RecordingFacts) throws -> Void
  ) throws {
    try forEachCollected(wanted) { activity, collection, routes in
      var inputs: [RecordedInput] = []
      var emitter = HealthEmitter()
      var meters = 0.0
      let zero = origin + activity.start.nanoseconds
      try emit(activity, collection, routes, from: zero, meters: &meters, &emitter) { inputs.append($0) }
      emitter.finish { inputs.append($0) }
      guard !inputs.isEmpty else { return }
      var facts = RecordingFacts(sport: activity.sport)
      for input in inputs { facts.admit(input) }
      describe(activity, &facts)
      try body(activity, inputs, facts)
    }
  }

  /// Gives each of some activities with the records of a batch to `body`.
  private func forEachCollected(
    _ wanted: [RecordedActivity],
    _ body: (RecordedActivity, AppleHealthCollection, HealthRoutes?) throws -> Void
  ) throws {
    let routes = source.archive.map { HealthRoutes(in: $0, budget) }
    for batch in batches.divided(wanted) {
      var collection = try collect(batch, of: wanted)
      collection.finish()
      for activity in batch { try body(activity, collection, routes) }
    }
  }

  private func describe(_ activity: RecordedActivity, _ facts: inout RecordingFacts) {
    let workout = activity.isWorkout ? workouts[activity.number - 1] : nil
    facts.format = self.facts.format
    facts.device = self.facts.device
    facts.start = activity.startTime
    facts.utcOffsetSeconds = utcOffsets[activity.number - 1]
    if let stated = workout?.statedMeters, stated > 0 { facts.statedMeters = stated }
    facts.statedKilocalories = workout?.statedKilocalories
  }

  /// Gives the inputs of one activity, with times from `zero` on and metres from `meters` on.
  private func emit(
    _ activity: RecordedActivity, _ collection: AppleHealthCollection, _ routes: HealthRoutes?, from zero: Int64,
    meters: inout Double, _ emitter: inout HealthEmitter, _ body: (RecordedInput) throws -> Void
  ) throws {
    let workout = activity.isWorkout ? workouts[activity.number - 1] : nil
    try require(collection.count(of: activity.number), activity)
    func time(_ time: AppleHealthTime) -> SessionTime { SessionTime(nanoseconds: time.nanoseconds - zero) }
    let pauses = workout?.pauses.map { (from: time($0.from), until: time($0.until)) } ?? []
    var samples = collection.samples(
      of: activity.number, pauses: pauses, owner: workout?.source, origin: zero, meters: &meters)
    if let workout, let routes {
      for point in try routes.read(workout).points {
        let time = SessionTime(nanoseconds: point.time - zero)
        guard time >= .zero else { continue }
        point.recorded.forEachSample(at: time, steps: nil) { samples.append($0) }
      }
    }
    try require(samples.count, activity)
    try emitter.admit(samples, pauses, body)
    try require(emitter.count, activity)
  }

  /// Makes sure that an activity, with those that it overlaps, has no more samples than are held.
  ///
  /// - Throws: `RecordingError` with the place of the workout, or the day.
  private func require(_ samples: Int, _ activity: RecordedActivity) throws(RecordingError) {
    guard samples > budget.healthSamples else { return }
    let isUnpacked = isPacked || source.isInArchive
    let position =
      activity.isWorkout ? (isUnpacked ? "unpacked " : "") + "byte \(workouts[activity.number - 1].position)" : nil
    throw RecordingError(
      path: path, position: position ?? activity.startTime.map { "the day from \($0) on" },
      problem: "expected at most \(budget.healthSamples) samples of an activity")
  }

  /// The records of a batch of activities, in a pass of its own. Where activities that are wanted overlap, a record belongs
  /// to the one that began first, whichever batch that is in.
  private func collect(
    _ batch: ArraySlice<RecordedActivity>, of wanted: [RecordedActivity]
  ) throws -> AppleHealthCollection {
    func spans(_ activities: [RecordedActivity]) -> WorkoutSpans {
      WorkoutSpans(
        activities.lazy.filter(\.isWorkout)
          .map { ($0.number, workouts[$0.number - 1].start, workouts[$0.number - 1].end) })
    }
    let numbers = Set(batch.map(\.number))
    let kind: AppleHealthCollection.Wanted
    if batch.first?.isWorkout ?? true {
      kind = .workouts(spans(wanted), numbers)
    } else {
      let wantedDays = batch.map { (days[$0.number - 1 - workouts.count], $0.number) }
      kind = .days(Dictionary(uniqueKeysWithValues: wantedDays), outside: spans(activities))
    }
    let collection = AppleHealthCollection(kind, budget)
    return try Self.pass(source, isPacked: isPacked, budget, collection) { _ in }.consumer
  }

  /// Reads the export from its beginning to its end.
  private static func pass<Consumer: AppleHealthConsumer>(
    _ source: RecordingSource, isPacked: Bool, _ budget: ReadingBudget, _ consumer: Consumer,
    _ sink: (DecodedItem) -> Void
  ) throws -> (consumer: Consumer, problem: DecodingProblem?) {
    let file = try source.open()
    let decoder = AppleHealthDecoder(consumer)
    let problem =
      if isPacked {
        try GzipStream(decoder, limits: budget.unpackedArchive).decoded(file, source.path, sink).problem
      } else {
        try decoder.decoded(file, source.path, sink).problem
      }
    return (decoder.consumer, problem)
  }
}

extension RecordingWarnings {
  /// Takes a warning of a decoder.
  fileprivate mutating func admit(_ item: DecodedItem) {
    guard case .warning(let kind, let position, let detail) = item else { return }
    add(kind, at: position, detail: detail)
  }
}
