private import Glibc
private import StrategyStudy
private import TextFormats
private import ZoneEngine

/// Times sweeps over a cohort inside of the process and prints one JSON line: `sweep-benchmark JOB REPEATS FOLDER`, where
/// FOLDER has `hr10k.bin`, 3,600 heart rates a session, a byte each, and `rm10k.bin`, resting and maximum heart rate.
@main
struct SweepBenchmark {
  static func main() {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let job = Job(rawValue: arguments[1]), let repeats = Int(arguments[2]), repeats > 0
    else {
      let jobs = Job.allCases.map(\.rawValue).joined(separator: ", ")
      fail("usage: sweep-benchmark JOB REPEATS FOLDER, JOB one of \(jobs)", 64)
    }
    do {
      try run(job, repeats: repeats, Cohort(folder: arguments[3]))
    } catch {
      fail("sweep-benchmark: \(error)", 65)
    }
  }

  private static func run(_ job: Job, repeats: Int, _ cohort: Cohort) throws {
    let clock = ContinuousClock()
    var seconds: [Double] = []
    var totals = Totals()
    for _ in 0..<repeats {
      totals = Totals()
      let start = clock.now
      try job.perform(on: cohort, into: &totals)
      let elapsed = (clock.now - start).components
      seconds.append(Double(elapsed.seconds) + Double(elapsed.attoseconds) * 1e-18)
    }
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("job", job.rawValue)
      writer.member("peer", "coach")
      writer.array("seconds") { for second in seconds { $0.value(second) } }
      writer.object("check") { totals.write(to: &$0) }
    }
    print(writer.text)
  }

  private static func fail(_ message: String, _ code: Int32) -> Never {
    let line = Array("\(message)\n".utf8)
    _ = unsafe line.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
    exit(code)
  }
}

/// What is timed.
private enum Job: String, CaseIterable {
  /// Time in zone and Banister's training load.
  case totals
  /// The same and one strategy that judges every minute.
  case minute
  /// The same and one strategy that judges every second.
  case second
  /// The same and 24 strategies that judge every minute.
  case minuteGrid = "minute-grid"
  /// The same and 24 strategies that judge every second.
  case secondGrid = "second-grid"
  /// The strategy that judges every second, by an engine a session.
  case engine

  /// The strategies, each with the guardrails that it is asked with.
  func strategies() throws -> [(FeedbackStrategy, Guardrails)] {
    let minute = try FeedbackStrategy(specification: "period:every=60,window=60")
    let second = try FeedbackStrategy(specification: "period:every=1,window=60,hold=0")
    let interval = try Guardrails(warmUp: .zero, minimumInterval: .seconds(30))
    switch self {
    case .totals: return []
    case .minute: return [(minute, .off)]
    case .second, .engine: return [(second, interval)]
    case .minuteGrid:
      return try [30, 60, 90, 120].flatMap { window in
        try [30, 45, 60, 75, 90, 120].map { every in
          (try FeedbackStrategy(specification: "period:every=\(every),window=\(window)"), .off)
        }
      }
    case .secondGrid:
      return try [30, 60, 90, 120].flatMap { window in
        try [10, 20, 30, 40, 60, 90].map { gap in
          (
            try FeedbackStrategy(specification: "period:every=1,window=\(window),hold=0"),
            try Guardrails(warmUp: .zero, minimumInterval: .seconds(gap))
          )
        }
      }
    }
  }

  func perform(on cohort: Cohort, into totals: inout Totals) throws {
    let strategies = try strategies()
    if self == .engine {
      for index in cohort.tracks.indices {
        for (strategy, guardrails) in strategies { totals.counts += try cohort.engine(index, strategy, guardrails) }
      }
      return
    }
    let grid = SweptGrid(strategies.compactMap { SweptStrategy($0.0, guardrails: $0.1) })
    var scales = Scales()
    var sweep: SessionSweep?
    for index in cohort.tracks.indices {
      let person = cohort.people[index]
      let held = HeldSeconds(cohort.tracks[index])
      let seconds = SecondsAtHeartRate(held)
      let scale = try scales.scale(of: person)
      totals.add(seconds.secondsInLanes(scale))
      totals.load += seconds.banister(restingBPM: person.resting, maximumBPM: person.maximum, sex: .male)
      guard !grid.strategies.isEmpty else { continue }
      if sweep == nil { sweep = SessionSweep(held, by: scale, for: grid) } else { sweep?.move(to: held, by: scale) }
      guard let sweep else { continue }
      for counts in sweep.counts(of: grid) { totals.counts += counts }
    }
  }
}

private struct Person: Hashable {
  let resting: Int
  let maximum: Int
}

/// The scales of people, each made once.
private struct Scales {
  private var scales: [Person: BandScale] = [:]

  mutating func scale(of person: Person) throws -> BandScale {
    if let scale = scales[person] { return scale }
    guard let scale = try BandScale(.zone(2), in: Self.zones(of: person)) else { throw Unusable(what: "target") }
    scales[person] = scale
    return scale
  }

  /// Fifths of the upper half of the reserve, each from the first whole number at or over its edge, as the peers cut them.
  static func zones(of person: Person) throws -> HeartRateZones {
    let reserve = Double(person.maximum - person.resting)
    let lowest = [0.5, 0.6, 0.7, 0.8, 0.9].map { Int((Double(person.resting) + reserve * $0).rounded(.up)) }
    return try HeartRateZones(
      model: .custom(boundsBPM: [lowest[0]] + lowest.dropFirst().map { $0 - 1 } + [250]), maximum: nil)
  }
}

private struct Totals {
  var seconds = [Int](repeating: 0, count: 8)
  var load = 0.0
  var counts = SweptCounts()

  mutating func add(_ lanes: [Int]) {
    for lane in lanes.indices { seconds[lane] += lanes[lane] }
  }

  func write(to writer: inout JSONWriter) {
    // Without a heart rate, and over the last zone: the peers know neither.
    writer.array("seconds") { writer in for value in seconds[1...6] { writer.value(value) } }
    writer.member("other", seconds[0] + seconds[7])
    writer.member("load", load)
    writer.member("speedUp", counts.speedUp)
    writer.member("hold", counts.hold)
    writer.member("slowDown", counts.slowDown)
    writer.member("lowCoverage", counts.lowCoverage)
    writer.member("minimumInterval", counts.minimumInterval)
    writer.member("inTarget", counts.inTarget)
  }
}

private struct Unusable: Error, CustomStringConvertible {
  let what: String
  var description: String { "\(what): cannot be used" }
}

private struct Cohort {
  static let sessionSeconds = 3_600

  let tracks: [SecondTrack]
  let people: [Person]

  init(folder: String) throws {
    let heartRates = try Self.bytes(folder + "/hr10k.bin")
    let people = try Self.bytes(folder + "/rm10k.bin")
    let count = people.count / 2
    guard count > 0, heartRates.count == count * Self.sessionSeconds else { throw Unusable(what: folder) }
    self.people = (0..<count).map { Person(resting: Int(people[2 * $0]), maximum: Int(people[2 * $0 + 1])) }
    tracks = (0..<count).compactMap { index in
      let start = index * Self.sessionSeconds
      // The last heart rate counts for a second as all others do.
      return SecondTrack(
        Array(heartRates[start..<start + Self.sessionSeconds]), endSeconds: Self.sessionSeconds)
    }
  }

  /// What an engine says of a session.
  func engine(_ index: Int, _ strategy: FeedbackStrategy, _ guardrails: Guardrails) throws -> SweptCounts {
    let settings = try CoachingSettings(
      zones: Scales.zones(of: people[index]), athlete: .unknown, plan: TrainingPlan(constant: .zone(2)),
      strategy: strategy, guardrails: guardrails, fastestMetersPerSecond: DistanceTotal.fastestOnFoot)
    var engine = CoachingEngine(settings: settings)
    var events: [EngineEvent] = []
    engine.begin(into: &events)
    let readings = tracks[index].readings
    for second in readings.indices where readings[second] != 0 {
      engine.heartRate(Double(readings[second]), at: .seconds(second), into: &events)
      events.removeAll(keepingCapacity: true)
    }
    engine.finish(at: .seconds(tracks[index].endSeconds), into: &events)
    let cues = engine.summary.cues
    var counts = SweptCounts()
    counts.speedUp = cues.given[.speedUp, default: 0]
    counts.hold = cues.given[.hold, default: 0]
    counts.slowDown = cues.given[.slowDown, default: 0]
    counts.lowCoverage = cues.withheld[.lowCoverage, default: 0]
    counts.minimumInterval = cues.withheld[.minimumInterval, default: 0]
    counts.inTarget = cues.withheld[.inTarget, default: 0]
    return counts
  }

  private static func bytes(_ path: String) throws -> [UInt8] {
    let file = unsafe fopen(path, "r")
    guard let file = unsafe file else { throw Unusable(what: path) }
    defer { unsafe fclose(file) }
    guard unsafe fseek(file, 0, SEEK_END) == 0 else { throw Unusable(what: path) }
    let size = unsafe ftell(file)
    unsafe rewind(file)
    return unsafe [UInt8](unsafeUninitializedCapacity: max(0, size)) { buffer, count in
      unsafe count = fread(buffer.baseAddress, 1, max(0, size), file)
    }
  }
}
