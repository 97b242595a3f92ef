/// A workout as it is written into a file: all readings in rows, and what is known beside them.
///
/// - Complexity: 80 bytes of memory a row and 112 a reading of the motion sensors; at most ``largestCount`` of both.
package struct ExportedWorkout: Sendable {
  /// The most rows that a workout may have; a reading of the motion sensors counts as another.
  package static let largestCount = ReadingBudget.standard.points

  /// A span in which the timer stood still; times are nanoseconds of session time.
  struct Pause: Hashable, Sendable {
    let from: Int64
    /// Later than `from`.
    let until: Int64
  }

  /// One activity; times are nanoseconds of session time.
  struct Activity: Sendable {
    /// The sport as its recording names it.
    var sport: String?
    /// When it began: not after the first row.
    var from: Int64 = 0
    /// When it ended: not before the last row.
    var until: Int64 = 0
    /// The readings of one instant each, in order of time; `steps` counts from the start of the activity.
    var rows: [RecordedPoint] = []
    /// The readings of the motion sensors with the rows that they stand in, in the order of the rows.
    var motions: [(row: Int, reading: MotionReading)] = []
    /// The times between two beats, in milliseconds, in order of time; they stand in no row.
    var intervals: [(time: Int64, milliseconds: Double)] = []
    /// In order; none overlaps another.
    var pauses: [Pause] = []
    /// Metres that the recording states beside its points.
    var statedMeters: Double?
    /// Metres that the points count.
    var countedMeters: Double?
    /// Metres between the positions.
    var measuredMeters: Double?
    /// Steps that the recording states although its points have none.
    var statedSteps: Int?
  }

  /// The time of day of session time zero; `nil` when it is not known.
  package let start: WallClockTime?
  /// The device or program that recorded; of a workout in which no person was measured the name that says so.
  package let device: String?
  /// In order of their beginning; each has a row.
  let activities: [Activity]
  /// What was noted, in order of time.
  let labels: [RecordedLabel]

  /// Takes a recording.
  ///
  /// - Parameter start: when it began, for a recording that does not tell.
  /// - Throws: `ExportError` when there is nothing to write or too much of it, or when the times lie outside of
  ///   1678…2200; `FileError` when the recording cannot be read again.
  package init(_ recording: Recording, start: WallClockTime? = nil) throws {
    activities = try Self.activities(of: recording)
    self.start = recording.facts.start ?? start
    device = recording.origin == .simulated ? SessionOrigin.simulatedDevice : recording.facts.device
    labels = recording.facts.labels.changes
    try requireWritable()
  }

  /// Takes a session of our own as it took part in its decisions: of a heart rate that several devices told that of the
  /// one in charge, and nothing twice. What came late stands where it belongs.
  ///
  /// - Throws: `ExportError` when there is nothing to write or too much of it; `FileError` or `RecordingError` when the
  ///   folder cannot be read.
  /// - Complexity: O(n log n) time and 100 bytes more a sample, where samples are not in order.
  package init(_ session: SessionFolderRecording) throws {
    let manifest = session.manifest
    var samples: [Sample] = []
    var builder = ExportedWorkoutBuilder(manifest.request.activity, part: nil)
    let settings = try manifest.settings()
    _ = try Replay.run(
      session, settings: settings, pace: .events, endReason: .endOfInput,
      observer: { input, admission, _ in
        switch input {
        case .sample(let sample):
          if admission == .admitted || admission == .late { samples.append(sample) }
        case .unplaced, .advance: break
        case .command(let command, let time): builder.admit(command, at: time)
        }
      }, step: { _, _ in })
    let isInOrder = zip(samples, samples.dropFirst()).allSatisfy { !Self.comesBefore($1, $0) }
    // The sort of the library is stable, so what arrived first stays first.
    for sample in isInOrder ? samples : samples.sorted(by: Self.comesBefore) { try builder.admit(sample) }
    start = manifest.start
    device = manifest.origin == .simulated ? SessionOrigin.simulatedDevice : manifest.source?.device
    var activity = builder.finish()
    activity?.sport = manifest.request.activity == .unlabelled ? nil : manifest.request.activity.label
    activities = activity.map { [$0] } ?? []
    labels = try session.labels()
    try requireWritable()
  }

  /// Whether no person was measured.
  var isSimulated: Bool { SessionOrigin.isSimulated(device: device) }

  /// Takes activities that were made from those of another workout.
  init(start: WallClockTime?, device: String?, activities: [Activity], labels: [RecordedLabel]) {
    self.start = start
    self.labels = labels
    self.device = device
    self.activities = activities
  }

  private static func comesBefore(_ left: Sample, _ right: Sample) -> Bool {
    (left.time, left.reading.stream) < (right.time, right.reading.stream)
  }

  /// Throws when there is nothing that a file can hold.
  private func requireWritable() throws(ExportError) {
    guard let first = activities.first else { throw ExportError("no reading: there is nothing to write") }
    guard let start else { return }
    let ends = [first.from, activities.reduce(first.until) { max($0, $1.until) }]
    guard ends.allSatisfy({ start.adding(nanoseconds: $0).map(Self.isWritten) ?? false }) else {
      throw ExportError("a time outside of the years 1678 to 2200")
    }
  }

  /// The activities of a recording, each in rows of its own even where they overlap.
  private static func activities(of recording: Recording) throws -> [Activity] {
    guard !recording.activities.isEmpty else {
      let activity = WorkoutSession.Activity(ofSport: recording.facts.sport)
      var builder = ExportedWorkoutBuilder(activity, part: nil)
      try recording.forEachInput { try builder.admit($0) }
      guard var activity = builder.finish() else { return [] }
      activity.sport = recording.facts.sport
      activity.statedMeters = recording.facts.statedMeters
      return [activity]
    }
    let workouts = recording.activities.filter(\.isWorkout)
    var activities: [Activity] = []
    var count = 0
    try recording.forEachActivity(workouts.isEmpty ? recording.activities : workouts) { activity, alone in
      let parts = recording.facts.parts
      var builder = ExportedWorkoutBuilder(
        WorkoutSession.Activity(ofSport: activity.sport),
        part: parts.indices.contains(activity.number - 1) ? parts[activity.number - 1] : nil,
        startingAt: activity.start,
        rowsBefore: count)
      try alone.forEachInput { try builder.admit($0) }
      count = builder.rowCount
      if var built = builder.finish() {
        built.sport = activity.sport
        activities.append(built)
      }
    }
    return activities
  }

  /// Whether what is written of a time can be read again.
  private static func isWritten(_ time: WallClockTime) -> Bool {
    guard let date = time.civilDate(utcOffsetSeconds: 0) else { return false }
    return (1678...2200).contains(date.year)
  }

  /// Metres that a format states of an activity: what its recording states, else what its points count. Where any
  /// activity has a stated distance, only those count.
  func meters(of activity: Activity) -> Double? {
    activities.contains { $0.statedMeters != nil } ? activity.statedMeters : activity.countedMeters
  }
}

extension RecordedPoint {
  /// Whether there is a position.
  var hasPosition: Bool { !latitude.isNaN && !longitude.isNaN }

  /// How many samples there are in the row, without those of motion.
  var sampleCount: Int {
    [heartRate, cadence, steps, distance, speed].count { !$0.isNaN } + (hasPosition ? 1 : 0)
  }
}
