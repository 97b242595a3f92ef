package import Recordings
package import SessionStore
package import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// A workout as it is written into a file: all readings in rows, and what is known beside them.
///
/// - Complexity: a memory of 32 MiB an activity, however many rows it has: what goes beyond stands in a temporary file.
///   Formats whose files begin with what comes last, or whose points are looked at together, take 80 bytes more a point, of
///   which they write at most ``largestCount``.
package struct ExportedWorkout: Sendable {
  /// The most points that are written into a format other than a table.
  static let largestCount = ReadingBudget.standard.points

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
    /// The more precise kind of it, in words of the FIT profile; `nil` where its recording does not state it.
    var subSport: String?
    /// When it began: not after the first row.
    var from: Int64 = 0
    /// When it ended: not before the last row.
    var until: Int64 = 0
    /// The readings of one instant each and the times between beats, in order of time.
    var items = ExportedItems()
    /// The rows without those of the motion sensors alone, in memory; empty until ``ExportedWorkout/holdingPoints()``.
    var points: [RecordedPoint] = []
    /// In order; none overlaps another.
    var pauses: [Pause] = []
    /// Metres that the recording states beside its points.
    var statedMeters: Double?
    /// Metres that the points count.
    var countedMeters: Double?
    /// Metres between the positions outside of pauses, of a session of our own as its history has them.
    var measuredMeters: Double?
    /// Steps that the recording states although its points have none.
    var statedSteps: Int?
    /// Laps, and of a session of our own its steps and cues.
    var marks = ExportedMarks()
    /// What the laps of a session of our own came to, as its history has it; none where it was one, or of a file.
    var lapResults: [SessionLap] = []
    /// The heart rates of a session of our own outside of pauses, as its history has them: at the very time of a pause the order in
    /// which readings came decides, which rows do not show. `nil` for a file.
    var heartRates: HeartRateStatistics?
    /// Its steps, in the same way; `nil` where nothing counted them, too.
    var steps: Int?
    /// Kilocalories that the recording states, or that a session of our own comes to; `nil` where they are not known.
    var energyKilocalories: Double?
    /// Readings of a live session that a device had sent before, which are not among the rows again.
    var repeatedReadings = 0

    /// How many laps and steps there are; none where there is no more than one.
    var lapCount: Int {
      let later = marks.laps.count { $0.from > from }
      return later > 0 ? later + 1 : 0
    }
  }

  /// The time of day of session time zero; `nil` when it is not known.
  package let start: WallClockTime?
  /// How far the clock of its place was ahead of UTC; `nil` where that is not known.
  let utcOffsetSeconds: Int?
  /// The device or program that recorded; of a workout in which no person was measured the name that says so.
  package let device: String?
  /// In order of their beginning; each has a row.
  let activities: [Activity]
  /// What was noted, in order of time.
  let labels: [RecordedLabel]
  /// The names of fields that the recording has and that are not read.
  let unreadFields: [String]
  /// Whether altitudes beside a position and beside none are those of one device, as of a recording.
  let altitudesAreOfOneDevice: Bool
  /// Which rows the layout of SensoGather has.
  package var sampling = RowSampling.asMeasured

  /// Takes a recording.
  ///
  /// - Parameter start: when it began, for a recording that does not state it.
  /// - Throws: `ExportError` when there is nothing to write or too much of it, or when the times lie outside of
  ///   1678…2200; `FileError` when the recording cannot be read again.
  package init(_ recording: Recording, start: WallClockTime? = nil) throws {
    activities = try Self.activities(of: recording, holding: ReadingBudget.standard.sortedBytes)
    self.start = recording.facts.start ?? start
    utcOffsetSeconds = recording.facts.utcOffsetSeconds
    device = recording.origin == .simulated ? SessionOrigin.simulatedDevice : recording.facts.device
    labels = recording.facts.labels.changes
    unreadFields = recording.facts.unreadFields
    altitudesAreOfOneDevice = true
    try requireWritable()
  }

  /// Takes a session of our own as its decisions saw it: of several heart-rate sources the one in charge, and nothing twice
  /// that was sent twice. What a recording holds twice that was imported is there twice. Late samples are put in order of
  /// time. The session begins and ends when it did, whenever something was measured.
  ///
  /// - Throws: `ExportError` when there is nothing to write or too much of it; `FileError` or `RecordingError` when the
  ///   folder cannot be read.
  /// - Complexity: O(n) time where samples are in order, else O(n log n).
  package init(_ session: SessionFolderRecording) throws {
    try self.init(session, holding: ReadingBudget.standard.sortedBytes)
  }

  /// The same with some bytes of memory.
  init(_ session: SessionFolderRecording, holding bytes: Int) throws {
    let manifest = session.manifest
    let makeBuilder = {
      ExportedWorkoutBuilder(manifest.request.activity, part: nil, in: .streams, holding: bytes)
    }
    var builder = makeBuilder()
    var latest: Sample?
    var isInOrder = true
    let replayed = try ReplayedSession(session) { input in
      guard isInOrder else { return }
      guard case .sample(let sample) = input else { return try builder.admit(input) }
      isInOrder = !(latest.map { Self.comesBefore(sample, $0) } ?? false)
      latest = sample
      if isInOrder { try builder.admit(input) }
    }
    if !isInOrder {
      var sorter = SampleSorter(holding: bytes, tie: .stream)
      builder = makeBuilder()
      _ = try ReplayedSession(session) { input in
        if case .sample(let sample) = input { try sorter.append(sample) } else { try builder.admit(input) }
      }
      try sorter.finish().forEach(shiftedBy: .zero) { try builder.admit($0) }
    }
    start = manifest.start
    utcOffsetSeconds = manifest.utcOffsetSeconds
    device = manifest.origin == .simulated ? SessionOrigin.simulatedDevice : manifest.source?.device
    var activity = try builder.finish(.zero...max(.zero, replayed.end))
    activity?.marks = replayed.marks
    activity?.lapResults = replayed.laps
    activity?.measuredMeters = replayed.meters
    activity?.heartRates = replayed.heartRates
    activity?.steps = replayed.steps
    activity?.energyKilocalories = manifest.source?.energyKilocalories ?? replayed.energyKilocalories
    activity?.repeatedReadings = replayed.repeatedReadings
    activity?.sport = manifest.request.activity == .unlabelled ? nil : manifest.request.activity.label
    activity?.subSport = manifest.source?.subSport
    activities = activity.map { [$0] } ?? []
    labels = try session.labels()
    unreadFields = []
    altitudesAreOfOneDevice = manifest.altitudesAreOfOneDevice
    try requireWritable()
  }

  /// Whether no person was measured.
  var isSimulated: Bool { SessionOrigin.isSimulated(device: device) }

  /// Takes activities that were made from those of another workout.
  init(_ workout: ExportedWorkout, _ activities: [Activity]) {
    unreadFields = workout.unreadFields
    start = workout.start
    utcOffsetSeconds = workout.utcOffsetSeconds
    labels = workout.labels
    device = workout.device
    altitudesAreOfOneDevice = workout.altitudesAreOfOneDevice
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
  private static func activities(of recording: Recording, holding bytes: Int) throws -> [Activity] {
    guard !recording.activities.isEmpty else {
      let activity = WorkoutSession.Activity(ofSport: recording.facts.sport)
      var builder = ExportedWorkoutBuilder(activity, part: nil, in: .rows, holding: bytes)
      try recording.forEachInput { try builder.admit($0) }
      guard var activity = try builder.finish() else { return [] }
      activity.sport = recording.facts.sport
      activity.statedMeters = recording.facts.statedMeters
      activity.energyKilocalories = recording.facts.statedKilocalories
      return [activity]
    }
    let workouts = recording.activities.filter(\.isWorkout)
    var activities: [Activity] = []
    try recording.forEachActivity(workouts.isEmpty ? recording.activities : workouts) { activity, alone in
      let parts = recording.facts.parts
      var builder = ExportedWorkoutBuilder(
        WorkoutSession.Activity(ofSport: activity.sport),
        part: parts.indices.contains(activity.number - 1) ? parts[activity.number - 1] : nil,
        in: .rows, startingAt: activity.start, holding: bytes)
      try alone.forEachInput { try builder.admit($0) }
      if var built = try builder.finish() {
        built.sport = activity.sport
        if parts.isEmpty {
          // Where the file has no parts, each activity has facts of its own.
          built.statedMeters = alone.facts.statedMeters
          built.energyKilocalories = alone.facts.statedKilocalories
        }
        activities.append(built)
      }
    }
    if recording.facts.parts.isEmpty, activities.contains(where: { $0.statedMeters != nil }) {
      // Beside a distance that is stated those that are counted would count for nothing.
      for index in activities.indices where activities[index].statedMeters == nil {
        activities[index].statedMeters = activities[index].countedMeters
      }
    }
    return activities
  }

  /// The workout with its points in memory, for formats that are no tables.
  ///
  /// - Throws: `ExportError` when there are too many, `FileError` when they cannot be read.
  func holdingPoints() throws -> ExportedWorkout {
    var count = 0
    let held = try activities.map { activity in
      var points: [RecordedPoint] = []
      try activity.items.forEach { item in
        guard case .row(let row, let motion, _) = item, motion == nil || row.sampleCount > 0 else { return }
        guard count < Self.largestCount else {
          throw ExportError(
            "second \(row.time / 1_000_000_000): expected at most \(Self.largestCount) points, found more: export as csv"
          )
        }
        count += 1
        points.append(row)
      }
      var activity = activity
      activity.points = points
      return activity
    }
    return ExportedWorkout(self, held)
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
