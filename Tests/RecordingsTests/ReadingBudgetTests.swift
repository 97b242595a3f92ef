@testable import Recordings
import TestSupport
import Testing
@testable import TextFormats
@testable import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("The budget of a recording")
struct ReadingBudgetTests {
  private typealias Budget = ReadingBudget
  private typealias Health = HealthFixture

  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// Why a recording is refused, without its path; `nil` when it is not.
  private func refusal(_ bytes: [UInt8], _ budget: ReadingBudget) throws -> String? {
    let path = try folder.write(bytes, "recording")
    do {
      let recording = try Recording(path: path, budget: budget)
      try recording.forEachInput { _ in }
      if !recording.activities.isEmpty { try recording.forEachActivity(recording.activities) { _, _ in } }
      return nil
    } catch let error as RecordingError {
      #expect(error.path == path)
      return [error.position, error.problem].compactMap(\.self).joined(separator: ": ")
    }
  }

  private func refusal(_ text: String, _ budget: ReadingBudget) throws -> String? {
    try refusal(Array(text.utf8), budget)
  }

  private func bytes(before text: String, in whole: String) -> Int {
    whole.ranges(of: text).last.map { whole.utf8.distance(from: whole.startIndex, to: $0.lowerBound) } ?? -1
  }

  // MARK: - Points and activities of files of devices

  @Test("FIT: as many points as allowed are read, one more is refused with its byte, packed and in any pieces")
  func fitPoints() throws {
    let file = FIT.records((0..<10).map { _ in .integer(120) }).file()
    // Header 14, definition 12, records of 6; behind the last one stands the checksum.
    let last = file.count - 2 - 6
    #expect(try refusal(file, Budget.standard.with(\.points, 10)) == nil)
    #expect(
      try refusal(file, Budget.standard.with(\.points, 9)) == "byte \(last): expected at most 9 points")
    #expect(
      try refusal(packed(file), Budget.standard.with(\.points, 9)) == "unpacked byte \(last): expected at most 9 points"
    )
    for pieces in [1, 7, 64] {
      let problem = FITReading(file, pieces: pieces, budget: Budget.standard.with(\.points, 9)).problem
      #expect(problem == .exceeds(9, "points", at: "byte \(last)"), "in pieces of \(pieces)")
    }
  }

  @Test("Laps are held like points, of FIT and of TCX")
  func laps() throws {
    var builder = FIT.records([120, 121])
    builder.define(1, message: FIT.lap, [FIT.time, FITBuilder.Field(2, .uint32), FITBuilder.Field(7, .uint32)])
    for second in 0..<5 { builder.message(1, [.integer(FIT.start + 1 + second), .integer(FIT.start + second), 1000]) }
    #expect(try refusal(builder.file(), Budget.standard.with(\.points, 7)) == nil)
    #expect(try refusal(builder.file(), Budget.standard.with(\.points, 6))?.hasSuffix("at most 6 points") == true)
    let points = XMLFixture.tcxPoint(0) + XMLFixture.tcxPoint(1)
    let laps = (0..<5).map { XMLFixture.lap(at: $0, seconds: "1", meters: "3", $0 == 0 ? points : "") }.joined()
    let text = XMLFixture.tcx(XMLFixture.activity("Running", laps))
    #expect(try refusal(text, Budget.standard.with(\.points, 7)) == nil)
    #expect(try refusal(text, Budget.standard.with(\.points, 6))?.hasSuffix("at most 6 points") == true)
  }

  // MARK: - Memory

  @Test("What is held in memory is less where less may be taken, and as much as ever where that is a gigabyte")
  func memory() {
    let standard = Budget.standard.fitting(memory: nil)
    #expect(standard.fitting(memory: 1_000_000_000) == standard)
    let small = standard.fitting(memory: (32 << 20) + 400_000_000)
    #expect(small.points == standard.points / 2)
    #expect(small.healthRecords == standard.healthRecords / 2)
    #expect(small.sortedBytes == standard.sortedBytes / 2)
    #expect(small.rows == standard.rows, "rows are not held")
    for memory in [0, 1, 32 << 20] {
      let least = standard.fitting(memory: memory)
      #expect(least.points == 1)
      #expect(least.sortedBytes == 1)
    }
  }

  @Test("The limits of control groups are those of all that a process is in, of both versions")
  func controlGroups() {
    #expect(
      MemoryAllowance.groupFiles("9:name=systemd:/\n4:cpu,memory:/a\n0::/b/c\nx\n") == [
        "/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/a/memory.limit_in_bytes",
        "/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/b/memory.max", "/sys/fs/cgroup/b/c/memory.max",
      ])
    #expect(MemoryAllowance.limit("268435456\n") == 268_435_456)
    #expect(MemoryAllowance.limit("max\n") == nil)
    #expect(MemoryAllowance.limit("9223372036854771712\n") == nil)
    #expect(MemoryAllowance.limit("") == nil)
  }

  // MARK: - Times of day

  @Test("A table without a time of day is refused at its third row where a session needs one")
  func timeOfDay() throws {
    let budget = Budget.standard.with(\.needsTimeOfDay, true)
    // Were it read on, it would have too many rows, and they would be sorted.
    let rows = "3,120\n2,121\n1,122\n0,123\n"
    let error = #expect(throws: RecordingError.self) {
      try Recording(path: folder.write("time_s,hr\n" + rows), budget: budget.with(\.rows, 3))
    }
    #expect(error?.problem == "it states no time of day: say when it began with --start")
    #expect(error?.lacksTimeOfDay == true)
    #expect(error?.position == nil)
    #expect(try refusal("time_s,hr\n" + rows, .standard) == nil)
    let dated = "1700000000,120\n1700000001,121\n1700000002,122\n"
    #expect(try refusal("time,hr\n" + dated, budget) == nil)
    let stray = try Recording(path: folder.write("time,hr\n0,118\n1,119\n" + dated), budget: budget)
    #expect(stray.facts.start?.nanoseconds == 1_700_000_000_000_000_000, "a clock that was not set at first")
    #expect(stray.facts.elapsed == .seconds(2))
  }

  @Test("FIT: compressed time stamps, and files in a file, are held against the budget")
  func fitSmall() throws {
    var builder = FIT.records([.integer(120)])
    builder.define(1, message: FIT.record, [FIT.heartRate])
    for second in 1...50 { builder.message(1, timeOffset: second % 32, [.integer(121)]) }
    #expect(try refusal(builder.file(), Budget.standard.with(\.points, 51)) == nil)
    let refused = try refusal(builder.file(), Budget.standard.with(\.points, 50))
    #expect(refused?.hasSuffix(": expected at most 50 points") == true)
    let one = FIT.records([.integer(120)]).file()
    #expect(try refusal(one + one + one, Budget.standard.with(\.activities, 3)) == nil)
    #expect(
      try refusal(one + one + one, Budget.standard.with(\.activities, 2))
        == "byte \(2 * one.count): expected at most 2 files in one")
  }

  @Test("GPX: points and tracks are refused with their bytes")
  func gpx() throws {
    let track = "<trk><trkseg>" + (0..<4).map { XMLFixture.gpxPoint($0) }.joined() + "</trkseg></trk>"
    let text = XMLFixture.gpx(track + track)
    #expect(try refusal(text, Budget.standard.with(\.points, 8)) == nil)
    let point = bytes(before: "</trkpt>", in: text)
    #expect(try refusal(text, Budget.standard.with(\.points, 7)) == "byte \(point): expected at most 7 points")
    let segment = bytes(before: "<trkseg>", in: text)
    #expect(
      try refusal(text, Budget.standard.with(\.activities, 1)) == "byte \(segment): expected at most 1 activities")
  }

  @Test("TCX: points and activities are refused with their bytes")
  func tcx() throws {
    let lap = XMLFixture.lap(at: 0, seconds: "4", meters: "9", (0..<4).map { XMLFixture.tcxPoint($0) }.joined())
    let text = XMLFixture.tcx(XMLFixture.activity("Running", lap) + XMLFixture.activity("Running", lap))
    // Laps are held as points are.
    #expect(try refusal(text, Budget.standard.with(\.points, 10)) == nil)
    let refused = try #require(try refusal(text, Budget.standard.with(\.points, 9)))
    #expect(refused.hasPrefix("byte "))
    #expect(refused.hasSuffix(": expected at most 9 points"))
    let activity = bytes(before: "<Activity ", in: text)
    #expect(
      try refusal(text, Budget.standard.with(\.activities, 1)) == "byte \(activity): expected at most 1 activities")
  }

  // MARK: - Rows

  @Test("CSV and JSON: one row more than allowed is refused with its place, plain, packed and out of order")
  func rows() throws {
    let inOrder = "time_s,hr\n1,120\n2,121\n3,122\n"
    let unordered = "time_s,hr\n9,120\n2,121\n3,122\n"
    for text in [inOrder, unordered] {
      for bytes in [Array(text.utf8), packed(Array(text.utf8))] {
        #expect(try refusal(bytes, Budget.standard.with(\.rows, 3)) == nil)
        #expect(
          try refusal(bytes, Budget.standard.with(\.rows, 2)) == "line 4: expected at most 2 rows with a reading")
      }
    }
    let objects = #"[{"timestamp":1,"heartbeat":120},{"timestamp":2,"heartbeat":120}]"#
    #expect(
      try refusal(objects, Budget.standard.with(\.rows, 1)) == "byte 33: expected at most 1 rows with a reading")
  }

  @Test("Rows out of order give the same from a temporary file as from memory, however little of it there is")
  func sorting() throws {
    for seed in 0..<20 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      let rows = (0..<random.int(2...400)).map { row in
        let time = "\(random.int(0...60)).\(random.int(0...9))"
        return switch random.int(0...3) {
        case 0: "\(time),\(random.int(40...200)),,,,\(row),,,,,,,,,,\n"
        case 1: "\(time),,\(row % 5),,,,47.\(row),8.\(row),4\(row % 10),\(row % 7),,,,,,\n"
        case 2: "\(time),\(row % 200),,,,,,,,,\(row),2,3,,,\n"
        default: "\(time),,,16\(row % 10),3.\(row % 10),,47,8,,,1,2,3,4,5,6\n"
        }
      }
      let header = "time_s,hr,steps,cadence,speed,distance,lat,lon,altitude,horizontal_accuracy,"
      let text = header + "acc_x,acc_y,acc_z,gyro_x,gyro_y,gyro_z\n" + rows.joined()
      for bytes in [Array(text.utf8), packed(Array(text.utf8))] {
        let path = try folder.write(bytes, "rows")
        func read(_ budget: ReadingBudget) throws -> (samples: [Sample], record: [UInt8]) {
          let recording = try Recording(path: path, budget: budget)
          var samples: [Sample] = []
          try recording.forEachInput { if case .sample(let sample) = $0 { samples.append(sample) } }
          var writer = JSONWriter()
          recording.facts.write(file: "-", to: &writer)
          return (samples, writer.bytes)
        }
        let memory = try read(.standard)
        #expect(!memory.samples.isEmpty, "seed \(seed)")
        #expect(zip(memory.samples, memory.samples.dropFirst()).allSatisfy { $0.time <= $1.time }, "seed \(seed)")
        for held in [1, 100, 3_000] {
          let spilled = try read(Budget.standard.with(\.sortedBytes, held))
          #expect(spilled.samples == memory.samples, "seed \(seed), \(held) bytes")
          #expect(spilled.record == memory.record, "seed \(seed), \(held) bytes")
        }
      }
    }
  }

  // MARK: - Bytes, what is packed, time

  @Test("A file with more bytes than allowed is refused before it is read")
  func fileBytes() throws {
    let text = "time_s,hr\n1,120\n"
    #expect(try refusal(text, Budget.standard.with(\.bytes, text.utf8.count)) == nil)
    #expect(
      try refusal(text, Budget.standard.with(\.bytes, 10)) == "byte 10: expected at most 10 bytes, found 16")
  }

  @Test("More unpacked than allowed is refused with the packed byte and never read in part", arguments: ["csv", "gpx"])
  func unpacked(format: String) throws {
    let point = XMLFixture.gpxPoint(1)
    let text =
      format == "csv"
      ? "time_s,hr\n" + String(repeating: "1,120\n", count: 50_000)
      : XMLFixture.gpx("<trk><trkseg>" + String(repeating: point, count: 3_000) + "</trkseg></trk>")
    let bytes = packed(Array(text.utf8))
    let limits = GzipLimits(freeBytes: 100_000, ratio: 2, totalBytes: 1 << 30)
    let refused = try refusal(bytes, Budget.standard.with(\.unpacked, limits))
    #expect(refused?.hasPrefix("byte ") == true, "\(refused ?? "read")")
    #expect(refused?.hasSuffix(": expected at most 100000 unpacked bytes up to here") == true, "\(refused ?? "read")")
    #expect(try refusal(bytes, .standard) == nil)
  }

  @Test("A recording that goes on for longer than allowed is refused, silences of more than six hours not counted")
  func runningTime() throws {
    let budget = Budget.standard.with(\.runningSeconds, 2 * 86_400)
    let dense = "time_s,hr\n" + (0...9).map { "\($0 * 21_600),120\n" }.joined()
    #expect(try refusal(dense, budget) == "sample 10: goes on for 2 days up to here: expected at most 2")
    let sparse = "time_s,hr\n" + (0...99).map { "\($0 * 21_601),120\n" }.joined()
    #expect(try refusal(sparse, budget) == nil)
    #expect(try refusal("time_s,hr\n" + (0...8).map { "\($0 * 21_600),120\n" }.joined(), budget) == nil)
  }

  // MARK: - Apple Health

  @Test(
    "Apple Health: records, samples of an activity, paths and time have their limits, with the byte where one stands")
  func health() throws {
    let beats = (0..<5).map { Health.beat(10 * $0) }.joined()
    let text = Health.export(Health.workout("Running", 0, 100, Health.route("a.gpx")) + beats)
    #expect(try refusal(text, .standard) == nil)
    let last = bytes(before: "<Record ", in: text)
    #expect(
      try refusal(text, Budget.standard.with(\.healthRecords, 4)) == "byte \(last): expected at most 4 records")
    #expect(
      try refusal(text, Budget.standard.with(\.healthRecordsAtOnce, 4))
        == "byte \(last): expected at most 4 records at once")
    let workout = bytes(before: "<Workout ", in: text)
    #expect(
      try refusal(text, Budget.standard.with(\.healthSamples, 4))
        == "byte \(workout): expected at most 4 samples of an activity")
    #expect(
      try refusal(text, Budget.standard.with(\.routePathBytes, 10))?
        .hasSuffix(": expected at most 10 bytes of paths of routes") == true)
    #expect(
      try refusal(text, Budget.standard.with(\.healthRunningSeconds, 39))
        == "goes on for more than 0 days: expected an activity of it")
    #expect(try refusal(text, Budget.standard.with(\.healthRunningSeconds, 40)) == nil)
  }

  @Test("Workouts that overlap are collected in few passes, and a record belongs to one of them in any batch")
  func batches() {
    func activity(_ number: Int) -> RecordedActivity {
      RecordedActivity(
        number: number, sport: nil, start: .zero, end: .zero, startTime: nil, heartRateCount: 900_000, isWorkout: true)
    }
    let wanted = (1...1_000).map(activity)
    let overlapping = HealthBatches(
      (0..<1_000).map { HealthBatches.Ranks(heartRates: $0..<900_000 + $0, others: 0..<0) })
    #expect(overlapping.divided(wanted).map(\.count) == [1_000])
    let apart = HealthBatches(
      (0..<1_000).map { HealthBatches.Ranks(heartRates: $0 * 900_000..<($0 + 1) * 900_000, others: 0..<0) })
    #expect(apart.divided(wanted).map(\.count) == [Int](repeating: 2, count: 500))
  }
}
