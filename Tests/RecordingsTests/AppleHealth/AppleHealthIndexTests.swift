@testable import Recordings
import WorkoutSession
import TestSupport
import Testing
@testable import TextFormats
import ZoneEngine
@testable import WorkoutTestSupport

private func time(_ seconds: Int) -> AppleHealthTime { AppleHealthTime(seconds: UInt32(seconds)) }

@Suite("Times of records")
struct RecordTimesTests {
  @Test("come in order from pieces of any kind, each of them once")
  func merge() {
    for seed in 0..<200 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      let chunks = (0..<random.int(0...9)).map { _ in
        let base = random.int(0...500)
        return (0..<random.int(0...40)).map { _ in UInt32(base + random.int(0...60)) }.sorted()
      }
      var merged: [UInt32] = []
      var merge = RecordTimeMerge(chunks)
      merge.forEach { merged.append($0.seconds) }
      #expect(merged == chunks.flatMap { $0 }.sorted(), "seed \(seed)")
    }
  }

  @Test("are kept, however many there are")
  func growth() {
    var times = RecordTimes()
    #expect(times.count == 0)
    for second in (0..<200_000).reversed() { times.append(time(second)) }
    #expect(times.count == 200_000)
    times.sortChunks()
    var merged: [UInt32] = []
    var merge = RecordTimeMerge(times.chunks)
    merge.forEach { merged.append($0.seconds) }
    #expect(merged == (0..<200_000).map { UInt32($0) })
  }

  @Test("reach from 1950 to 2086, in whole seconds")
  func range() throws {
    func read(_ text: String) throws -> AppleHealthTime? {
      AppleHealthTime(try #require(WallClockTimeText(iso8601: text)))
    }
    #expect(try read("1950-01-01 01:00:00 +0100")?.seconds == 0)
    #expect(try read("1949-12-31 23:59:59 +0000") == nil)
    #expect(try read("1970-01-01 00:00:00 +0100")?.nanoseconds == -3_600_000_000_000)
    #expect(try read("2086-02-06 06:28:15 +0000")?.seconds == .max)
    #expect(try read("2086-02-06 06:28:16 +0000") == nil)
    #expect(try read("2026-03-01 10:00:00.9 +0000") == read("2026-03-01 11:00:00 +0100"))
    #expect(AppleHealthTime.middle(time(10), time(15)) == time(12))
    #expect(try read("1950-01-01 00:00:00 +0000")?.day(utcOffsetSeconds: -1) == -1)
  }
}

@Suite("Workouts of an Apple Health export")
struct WorkoutSpansTests {
  @Test("a time belongs to the workout around it that began first, to one at most")
  func spans() {
    for seed in 0..<300 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      let workouts = (0..<random.int(0...6)).map { number in
        let start = random.int(0...60)
        return (number: number, start: time(start), end: time(start + random.int(0...30)))
      }.sorted { $0.start < $1.start }
      let spans = WorkoutSpans(workouts)
      for second in 0...100 {
        let around = workouts.filter { $0.start <= time(second) && time(second) <= $0.end }
        let found = spans.number(at: time(second))
        #expect((found == nil) == around.isEmpty, "seed \(seed), second \(second)")
        #expect(found == nil || around.contains { $0.number == found }, "seed \(seed), second \(second)")
      }
    }
    let two = WorkoutSpans([(number: 1, start: time(0), end: time(10)), (number: 2, start: time(10), end: time(20))])
    #expect(two.number(at: time(10)) == 1)
    #expect(two.number(at: time(11)) == 2)
    #expect(two.number(at: time(21)) == nil)
  }

  @Test("pause by the runner and by the watch; what nothing ends lasts until the workout does")
  func events() {
    func pauses(_ named: [(String, Int)]) -> [[UInt32]] {
      var events = WorkoutEvents()
      for (name, second) in named {
        let bytes = Array("HKWorkoutEventType\(name)".utf8)
        if let kind = WorkoutEvents.Kind(bytes.span) { events.add(kind, at: time(second)) }
      }
      return events.pauses(from: time(10), until: time(100)).map { [$0.from.seconds, $0.until.seconds] }
    }
    #expect(pauses([("Pause", 20), ("Resume", 30)]) == [[20, 30]])
    #expect(pauses([("MotionPaused", 20), ("MotionResumed", 30)]) == [[20, 30]])
    #expect(pauses([("Resume", 30), ("Pause", 20), ("Lap", 25), ("Segment", 26), ("Marker", 27)]) == [[20, 30]])
    #expect(pauses([("PauseOrResumeRequest", 20), ("Resume", 30)]) == [])
    #expect(pauses([("Pause", 20), ("MotionPaused", 25), ("MotionResumed", 30), ("Resume", 40)]) == [[20, 40]])
    #expect(pauses([("MotionPaused", 20), ("Resume", 30), ("MotionResumed", 35)]) == [[20, 30]])
    #expect(pauses([("Pause", 90)]) == [[90, 100]])
    #expect(pauses([("Pause", 0), ("Resume", 15), ("Pause", 95), ("Resume", 200)]) == [[10, 15], [95, 100]])
    #expect(
      pauses([("Pause", 20), ("Resume", 20), ("Pause", 30), ("Resume", 40), ("Pause", 40), ("Resume", 50)]) == [
        [30, 50]
      ])
    #expect(pauses([("Pause", 0), ("Resume", 5), ("Pause", 150), ("Resume", 160)]) == [])
  }

  @Test("sums keep their small parts")
  func sums() {
    var sum = ExactSum()
    sum.add(1e12)
    for _ in 0..<1_000_000 { sum.add(0.000_1) }
    sum.add(-1e12)
    #expect(sum.value == 100)
    #expect(ExactSum().value == 0)
  }

  @Test("names of sources have numbers in the order in which they come, at most a thousand")
  func sources() {
    var sources = AppleHealthSources()
    let first = (0..<1_100).map { number in sources.number(of: Array("source \(number)".utf8).span) }
    #expect(first == (0..<1_100).map { min($0, 999) })
    #expect(sources.names.count == 1_000)
    #expect(sources.names[998] == "source 998")
    #expect(sources.names[999] == "other sources")
    #expect(sources.number(of: "source 5".utf8.span) == 5)
    let long = String(repeating: "x", count: 300)
    var others = AppleHealthSources()
    #expect(others.number(of: long.utf8.span) == 0)
    #expect(others.names[0].utf8.count == 200)
    #expect(others.number(of: Span()) == 1)
    #expect(others.names[1].isEmpty)
  }
}

@Suite("An Apple Health export of any content")
struct AppleHealthPropertyTests {
  private struct Record {
    let kind: AppleHealthRecord.Kind
    let start: Int
    let end: Int
    let value: Int
    let source: String
    let offsetHours: Int

    var middle: Int { kind == .heartRate ? start : (start + end) / 2 }
    var sampleTime: Int { kind == .heartRate ? start : end }
    var day: Int { (middle + 3_600 * offsetHours + 86_400) / 86_400 }

    var text: String {
      let (type, unit) =
        switch kind {
        case .heartRate: ("HeartRate", "count/min")
        case .steps: ("StepCount", "count")
        case .distance: ("DistanceWalkingRunning", "m")
        }
      return HealthFixture.record(type, "\(value)", unit, start, end, source, offsetHours: offsetHours)
    }
  }

  private struct Workout {
    let start: Int
    let end: Int
    let source: String

    func holds(_ record: Record) -> Bool { start <= record.middle && record.middle <= end }
  }

  private static func records(_ random: inout SplitMix64, count: Int) -> [Record] {
    (0..<count).map { _ in
      let kind = random.pick(AppleHealthRecord.Kind.allCases)
      let start = random.int(0...300_000)
      return Record(
        kind: kind, start: start, end: start + (kind == .heartRate ? 0 : random.int(0...400)),
        value: random.int(0...200), source: random.pick(["A", "B", "C"]), offsetHours: random.pick([1, 1, 1, -5, 0]))
    }
  }

  /// What an activity has of a record.
  private struct Part {
    let record: Record
    let value: Double
  }

  /// What was counted of a record from one time to another, as if evenly: of steps those up to a time are whole ones.
  private static func counted(_ record: Record, from: Int, until: Int) -> Double {
    func counted(until time: Int) -> Double {
      let seconds = min(max(time, record.start), record.end) - record.start
      let part = Double(record.value) * (Double(seconds) / Double(record.end - record.start))
      return record.kind == .steps ? part.rounded() : part
    }
    return counted(until: until) - counted(until: from)
  }

  /// What a workout has: readings in it, and of what was counted over a span the share of the time in it.
  private static func parts(_ records: [Record], of workout: Workout) -> [Part] {
    records.compactMap { record in
      guard record.kind != .heartRate, record.start < record.end else {
        return workout.holds(record) ? Part(record: record, value: Double(record.value)) : nil
      }
      guard max(record.start, workout.start) < min(record.end, workout.end) else { return nil }
      let value = counted(record, from: workout.start, until: workout.end)
      return value > 0 || workout.holds(record) ? Part(record: record, value: value) : nil
    }
  }

  /// What a day has: readings outside of the workouts, and of what was counted over a span what they do not have.
  private static func parts(_ records: [Record], ofDay day: Int, outside workouts: [Workout]) -> [Part] {
    records.filter { $0.day == day }.compactMap { record in
      let isOutside = !workouts.contains { $0.holds(record) }
      guard record.kind != .heartRate, record.start < record.end else {
        return isOutside ? Part(record: record, value: Double(record.value)) : nil
      }
      var (shared, reached) = (0.0, record.start)
      for workout in workouts where workout.end > reached {
        let from = max(workout.start, reached)
        guard from < min(workout.end, record.end) else { continue }
        shared += counted(record, from: from, until: workout.end)
        reached = workout.end
      }
      let rest = max(0, Double(record.value) - shared)
      return rest > 1e-6 || isOutside ? Part(record: record, value: rest) : nil
    }
  }

  /// The sum of one source, as the words of the documentation say it: the owner's where it has some, else the largest.
  private func sum(_ parts: [Part], _ kind: AppleHealthRecord.Kind, owner: String?) -> Double? {
    var seen: Set<[Int]> = []
    let sources = Dictionary(grouping: parts.filter { $0.record.kind == kind }, by: \.record.source)
    func total(_ parts: [Part]) -> Double {
      seen = []
      return parts.filter { seen.insert([$0.record.start, $0.record.end, $0.record.value]).inserted }
        .map(\.value).reduce(0, +)
    }
    guard let largest = sources.values.max(by: { $0.map(\.value).reduce(0, +) < $1.map(\.value).reduce(0, +) }) else {
      return nil
    }
    return total(owner.flatMap { sources[$0] } ?? largest)
  }

  private func check(
    _ recording: AppleHealthRecording, _ number: Int, _ parts: [Part], owner: String?, _ what: String
  ) throws {
    var beats: [Int] = []
    var steps: Int?
    var meters: Double?
    var last = SessionTime(nanoseconds: -1)
    try recording.forEachInput(activity: number) { input in
      guard case .sample(let sample) = input else { return }
      #expect(sample.time >= last, "\(what)")
      #expect(sample.time >= .zero, "\(what)")
      last = sample.time
      switch sample.reading {
      case .heartRate(let value): beats.append(Int(value))
      case .steps(let count): steps = (steps ?? 0) + count
      case .distance(let distance): meters = distance
      case .cadence, .speed, .location, .motion, .rrInterval, .direction, .altitude: Issue.record("\(what)")
      }
    }
    let expected = parts.map(\.record).filter { $0.kind == .heartRate }.enumerated()
      .sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }.map(\.element.value)
    #expect(beats == expected, "\(what)")
    #expect(steps.map(Double.init) == sum(parts, .steps, owner: owner), "\(what)")
    let way = sum(parts, .distance, owner: owner)
    #expect((meters == nil) == (way == nil), "\(what)")
    if let meters, let way { #expect(abs(meters - way) < 1e-6, "\(what)") }
    #expect(recording.activities[number - 1].heartRateCount == expected.count { $0 > 0 }, "\(what)")
  }

  @Test("has the sums, workouts and days that a calculation by hand finds", arguments: 0..<12 as Range<UInt64>)
  func byHand(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var records = Self.records(&random, count: random.int(0...120))
    if records.count > 3 { records += records.prefix(3) }
    let workouts = (0..<random.int(0...4)).map { _ in
      let start = random.int(0...300_000)
      return Workout(start: start, end: start + random.int(0...40_000), source: random.pick(["A", "B", "none"]))
    }.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
    guard !records.isEmpty else { return }
    var texts = records.map(\.text)
    texts += workouts.map { HealthFixture.workout("Running", $0.start, $0.end, source: $0.source) }
    // Workouts may stand anywhere; the order of the records is the order of readings of one instant.
    for _ in workouts { texts.insert(texts.removeLast(), at: random.int(0...texts.count - 1)) }
    let folder = try ScratchFolder()
    let recording = try folder.health(HealthFixture.export(texts.joined()))

    let beats = records.filter { $0.kind == .heartRate && $0.value > 0 }
    let facts = recording.facts
    #expect(facts.heartRate?.statistics.count ?? 0 == beats.count, "seed \(seed)")
    #expect(facts.sampleCount == records.count, "seed \(seed)")
    #expect(facts.heartRate?.statistics.sum ?? 0 == Double(beats.map(\.value).reduce(0, +)), "seed \(seed)")
    let times = beats.map(\.start).sorted()
    let gap = zip(times, times.dropFirst()).map { $1 - $0 }.max() ?? 0
    #expect(facts.heartRate?.largestGap ?? .zero == .seconds(gap), "seed \(seed)")
    #expect(facts.steps == records.filter { $0.kind == .steps }.map(\.value).reduce(0, +), "seed \(seed)")
    let origin = records.map(\.sampleTime).min() ?? 0
    #expect(facts.elapsed == .seconds((records.map(\.sampleTime).max() ?? 0) - origin), "seed \(seed)")

    let outside = Dictionary(grouping: records.filter { record in !workouts.contains { $0.holds(record) } }, by: \.day)
    #expect(recording.activities.count == workouts.count + outside.count, "seed \(seed)")
    for (index, workout) in workouts.enumerated() {
      // Workouts of equal times stand in the order of the file, which was shuffled.
      let inside = Self.parts(records, of: workout)
      #expect(recording.activities[index].start == .seconds(workout.start - origin), "seed \(seed)")
      try check(recording, index + 1, inside, owner: workout.source, "seed \(seed), workout \(index + 1)")
    }
    for (index, day) in outside.keys.sorted().enumerated() {
      let parts = Self.parts(records, ofDay: day, outside: workouts)
      try check(recording, workouts.count + index + 1, parts, owner: nil, "seed \(seed), day \(day)")
    }
    var last = SessionTime(nanoseconds: .min)
    var beatsEmitted = 0
    try recording.forEachInput(activity: nil) { input in
      switch input {
      case .sample(let sample):
        #expect(sample.time >= last, "seed \(seed)")
        last = sample.time
        if case .heartRate = sample.reading { beatsEmitted += 1 }
      case .command(_, let time): #expect(time >= last, "seed \(seed)")
      case .unplaced, .advance: Issue.record("seed \(seed): \(input)")
      }
    }
    let expected = records.filter { record in
      record.kind == .heartRate && (workouts.isEmpty || workouts.contains { $0.holds(record) })
    }
    #expect(beatsEmitted == expected.count, "seed \(seed)")
  }
}
