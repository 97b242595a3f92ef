package import ZoneEngine

/// What a recording holds, as it was recorded and before anything is judged.
package struct RecordingFacts: Sendable {
  /// Facts of the heart rates above 0.
  package struct HeartRate: Sendable {
    /// Count, sum and extremes.
    package fileprivate(set) var statistics = HeartRateStatistics()
    /// The first in time.
    package fileprivate(set) var first = 0.0
    /// The last in time.
    package fileprivate(set) var last = 0.0
    /// The longest time between two neighbours.
    package fileprivate(set) var largestGap = SessionTime.zero
    fileprivate var lastTime = SessionTime.zero

    fileprivate init() {}

    /// Facts of heart rates that were counted elsewhere.
    init(statistics: HeartRateStatistics, first: Double, last: Double, largestGap: SessionTime) {
      (self.statistics, self.first, self.last, self.largestGap) = (statistics, first, last, largestGap)
    }
  }

  /// What kind of file it is, such as `csv`.
  package internal(set) var format = "csv"
  /// How many activities the file holds.
  package internal(set) var activities = 1
  /// The activities one by one, in order of their first points; none for a file that knows of none, such as a CSV.
  package private(set) var parts: [ActivityFacts] = []
  /// The sport, as the file names it; several joined by `+`.
  package internal(set) var sport: String?
  /// The device or program that recorded.
  package internal(set) var device: String?
  /// Spans in which the timer stood still.
  package internal(set) var pauses: [(from: SessionTime, until: SessionTime)] = []
  /// The time of day of the start, where the file tells one.
  package internal(set) var start: WallClockTime?
  /// The time from the first sample to the last.
  package internal(set) var elapsed = SessionTime.zero
  /// Heart rates.
  package internal(set) var heartRate: HeartRate?
  /// How many step samples there are.
  package internal(set) var stepSamples = 0
  /// The steps of all samples.
  package internal(set) var steps = 0
  /// How many positions there are.
  package private(set) var locations = 0
  /// How many readings of motion there are.
  package private(set) var motions = 0
  /// How many samples there are in all.
  package internal(set) var samples = 0
  /// What is odd about the file itself.
  package internal(set) var oddities: [RecordingWarning] = []

  /// Metres as the file itself states them.
  var statedMeters: Double?
  private var distance = DistanceTotal(fastestMetersPerSecond: DistanceTotal.fastestOnWheels)
  private var firstMotion = SessionTime.zero
  private var lastMotion = SessionTime.zero
  private var signal = SignalFacts()

  init() {}

  /// What is odd: about the file itself, then about the heart rate in it.
  package var warnings: [RecordingWarning] { oddities + signal.warnings.all }

  /// Metres between good positions; `nil` when there are fewer than two.
  package var locationMeters: Double? { distance.acceptedFixes > 1 ? distance.measuredMeters : nil }
  /// Metres as the file itself states them: in its summary where it has one, else as its points count them.
  package var recordedMeters: Double? { statedMeters ?? distance.recordedMeters }
  /// Readings of motion a second.
  package var motionRateHz: Double? {
    let span = (lastMotion - firstMotion).seconds
    return motions > 1 && span > 0 ? Double(motions - 1) / span : nil
  }

  /// Takes a sample; samples come in order of time.
  mutating func admit(_ sample: Sample) {
    samples += 1
    elapsed = max(elapsed, sample.time)
    switch sample.reading {
    case .heartRate(let beatsPerMinute):
      signal.admit(beatsPerMinute, at: sample.time)
      guard beatsPerMinute > 0, beatsPerMinute.isFinite else { return }
      var facts = heartRate ?? HeartRate()
      if facts.statistics.count == 0 {
        facts.first = beatsPerMinute
      } else {
        facts.largestGap = max(facts.largestGap, sample.time - facts.lastTime)
      }
      facts.statistics.admit(beatsPerMinute)
      facts.last = beatsPerMinute
      facts.lastTime = sample.time
      heartRate = facts
    case .steps(let count):
      stepSamples += 1
      steps += count
      signal.admit(steps: count, at: sample.time)
    case .distance(let meters): distance.admit(recordedMeters: meters, at: sample.time)
    case .location(let fix):
      locations += 1
      _ = distance.admit(fix, at: sample.time)
    case .motion:
      if motions == 0 { firstMotion = sample.time }
      lastMotion = sample.time
      motions += 1
    case .cadence(let stepsPerMinute): signal.admit(cadence: stepsPerMinute, at: sample.time)
    case .speed: break
    }
  }

  /// Takes an input: a sample, or a pause, in which nothing is suspected of the heart rate.
  mutating func admit(_ input: RecordedInput) {
    switch input {
    case .sample(let sample): admit(sample)
    case .command(.pause, _): signal.isPaused = true
    case .command(.resume, _): signal.isPaused = false
    case .command(.start, _), .command(.lap, _), .command(.stop, _): break
    }
  }

  /// Takes note that the next position does not follow the last one.
  mutating func breakTrack() { distance.breakTrack() }

  /// Takes what a file tells of itself beside its samples.
  mutating func describe(_ recording: DecodedRecording, origin: Int64) {
    func time(_ clock: Int64) -> SessionTime { SessionTime(nanoseconds: clock) - SessionTime(nanoseconds: origin) }
    activities = recording.activities.count
    parts = recording.activities.compactMap { ActivityFacts($0, origin: origin) }
    var sports: [String] = []
    for sport in recording.activities.compactMap(\.sport) where !sports.contains(sport) { sports.append(sport) }
    sport = sports.isEmpty ? nil : sports.joined(separator: "+")
    device = recording.device
    pauses = recording.activities.flatMap(\.pauses).map { (time($0.from), time($0.until)) }
    let stated = recording.activities.compactMap(\.statedMeters)
    statedMeters = stated.isEmpty ? nil : stated.reduce(0, +)
    let statedSteps = recording.activities.compactMap(\.statedSteps)
    if stepSamples == 0, !statedSteps.isEmpty {
      steps = statedSteps.reduce(0, +)
      stepSamples = statedSteps.count
    }
    if recording.clock == .wall { start = WallClockTime(nanoseconds: origin) }
    oddities = recording.warnings.all
  }

  /// Adds something odd that only somebody who knows more than the file can tell.
  package mutating func add(_ kind: RecordingWarning.Kind, at position: String, _ detail: String) {
    add([RecordingWarning(kind: kind, position: position, count: 1, detail: detail)])
  }

  /// Adds what was odd around the recording; one kind is one warning, wherever it was met.
  mutating func add(_ warnings: [RecordingWarning]) {
    var all = RecordingWarnings(oddities)
    for warning in warnings {
      all.add(warning.kind, at: warning.position, count: warning.count, detail: warning.detail)
    }
    oddities = all.all
  }

  /// Writes the record of an inspection as one line.
  package func write(file: String, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", "recording")
      writer.member("file", file)
      writer.member("format", format)
      writer.member("activities", activities)
      writer.member("sport", sport)
      writer.member("device", device)
      writer.member("startTime", start)
      writer.member("endTime", start?.adding(nanoseconds: elapsed.nanoseconds))
      writer.member("elapsedSeconds", secondsFromNanoseconds: elapsed.nanoseconds)
      if let heartRate {
        writer.object("heartRate") { writer in
          writer.member("count", heartRate.statistics.count)
          writer.member("sum", heartRate.statistics.sum)
          writer.member("minimum", heartRate.statistics.minimum)
          writer.member("maximum", heartRate.statistics.maximum)
          writer.member("mean", heartRate.statistics.mean)
          writer.member("first", heartRate.first)
          writer.member("last", heartRate.last)
          writer.member("largestGapSeconds", secondsFromNanoseconds: heartRate.largestGap.nanoseconds)
        }
      }
      if stepSamples > 0 {
        writer.object("steps") { writer in
          writer.member("count", stepSamples)
          writer.member("total", steps)
        }
      }
      if locations > 0 {
        writer.object("location") { writer in
          writer.member("count", locations)
          writer.member("distanceMeters", locationMeters)
        }
      }
      if motions > 0 {
        writer.object("motion") { writer in
          writer.member("count", motions)
          writer.member("rateHz", motionRateHz)
        }
      }
      writer.member("recordedDistanceMeters", recordedMeters)
      writer.array("pauses") { writer in
        for (from, until) in pauses {
          writer.object { writer in
            writer.member("fromSeconds", secondsFromNanoseconds: from.nanoseconds)
            writer.member("untilSeconds", secondsFromNanoseconds: until.nanoseconds)
          }
        }
      }
      writer.array("warnings") { writer in
        for warning in warnings {
          writer.object { writer in
            writer.member("kind", warning.kind.rawValue)
            writer.member("position", warning.position)
            writer.member("count", warning.count)
            writer.member("detail", warning.detail)
          }
        }
      }
    }
    writer.endLine()
  }
}
