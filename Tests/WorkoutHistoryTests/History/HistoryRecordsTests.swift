import Foundation
import Recordings
import SessionStore
import TestSupport
import Testing
@testable import TextFormats
@testable import WorkoutHistory
@testable import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("Records in the history")
struct HistoryRecordsTests {
  /// Records a run of some seconds northwards at an even speed.
  private static func record(
    _ recorded: RecordedHistory, day: Int, metersPerSecond: Double, seconds: Int = 200, activity: String = "running",
    person: String? = nil, origin: SessionOrigin? = nil
  ) async throws -> String {
    var request = try CoachingRequest.runner("z2", "none")
    request.activity = try #require(Activity(activity))
    let date = "2026-11-" + (day < 10 ? "0" : "") + "\(day)T07:"
    let lines = (0...seconds).flatMap { second in
      let minute = (second / 60 < 10 ? "0" : "") + "\(second / 60)"
      let time = date + minute + ":" + (second % 60 < 10 ? "0" : "") + "\(second % 60)Z"
      let latitude = 46 + Double(second) * metersPerSecond / 111_150
      return [
        #"{"type":"heartRate","time":"\#(time)","beatsPerMinute":130}"#,
        #"{"type":"location","time":"\#(time)","latitude":\#(latitude),"longitude":23}"#,
      ]
    }
    return try await recorded.record(lines, request, digits: UInt32(day), person: person, origin: origin)
  }

  private static func holders(_ recorded: RecordedHistory, _ filter: History.Filter = .init()) async throws -> [String]
  {
    let records = try await recorded.history.records(filter, activity: nil)
    return records.filter { $0.effort.span == .distance(meters: 400) }
      .map { "\($0.person ?? "-") \($0.activity) \($0.sessionID)" }
  }

  @Test("are of each person and activity, the first of those that are as good, and go to the next best with a deletion")
  func holders() async throws {
    let recorded = try RecordedHistory()
    let slow = try await Self.record(recorded, day: 1, metersPerSecond: 2.5)
    let fast = try await Self.record(recorded, day: 2, metersPerSecond: 3)
    let ride = try await Self.record(recorded, day: 3, metersPerSecond: 9, activity: "cycling")
    let other = try await Self.record(recorded, day: 4, metersPerSecond: 4, person: "anna")
    let virtual = try await Self.record(recorded, day: 5, metersPerSecond: 5, origin: .simulated)
    var filter = History.Filter()
    filter.includesSimulated = false
    let expected = ["- cycling \(ride)", "- running \(fast)", "anna running \(other)"]
    #expect(try await Self.holders(recorded, filter) == expected)
    #expect(try await Self.holders(recorded).contains("- running \(virtual)"))
    // An index that is made from the folders says the same as one that grew.
    let before = try recorded.dump()
    _ = try await recorded.history.rebuild { _ in }
    #expect(try recorded.dump() == before)
    try await recorded.history.delete(fast)
    #expect(try await Self.holders(recorded, filter).contains("- running \(slow)"))
    filter.person = "anna"
    #expect(try await Self.holders(recorded, filter) == ["anna running \(other)"])
    await recorded.history.close()
  }

  @Test("say over what, how much, where and when")
  func fields() async throws {
    let recorded = try RecordedHistory()
    let sessionID = try await Self.record(recorded, day: 1, metersPerSecond: 4, seconds: 190)
    let records = try await recorded.history.records(.init(), activity: "running")
    #expect(records.map(\.effort.span) == [.distance(meters: 400), .duration(seconds: 60)])
    let record = try #require(records.first)
    var writer = JSONWriter()
    record.writeObject(to: &writer)
    let value = try JSONValue.parse(writer.text.utf8.span)
    let keys = value.members?.map(\.key)
    #expect(
      keys == ["version", "type", "distanceMeters", "seconds", "sessionID", "atSeconds", "startTime", "activity"])
    #expect(record.sessionID == sessionID)
    #expect(abs(record.effort.value - 100) < 0.2)
    #expect(try await recorded.history.records(.init(), activity: "rowing").isEmpty)
    await recorded.history.close()
  }

  @Test(
    "are reported at the end of a session that beats an earlier one of the same person and activity, and of no other")
  func beaten() async throws {
    let recorded = try RecordedHistory()
    let first = try await Self.record(recorded, day: 1, metersPerSecond: 3)
    #expect(try await recorded.history.standing(of: first)?.records.isEmpty == true)
    _ = try await Self.record(recorded, day: 2, metersPerSecond: 5, activity: "cycling")
    _ = try await Self.record(recorded, day: 3, metersPerSecond: 5, person: "anna")
    _ = try await Self.record(recorded, day: 4, metersPerSecond: 5, origin: .simulated)
    let slower = try await Self.record(recorded, day: 5, metersPerSecond: 2.9)
    #expect(try await recorded.history.standing(of: slower)?.records.isEmpty == true)
    let faster = try await Self.record(recorded, day: 6, metersPerSecond: 3.2)
    let records = try #require(try await recorded.history.standing(of: faster)).records
    #expect(records.map(\.effort.span) == [.distance(meters: 400), .duration(seconds: 60)])
    #expect(abs((records.first?.before.value ?? 0) - 400 / 3.0) < 0.3)
    #expect(abs((records.first?.effort.value ?? 0) - 125) < 0.3)
    await recorded.history.close()
  }

  @Test("of an index from before there were any are asked of the folders once")
  func older() throws {
    let folder = try ScratchFolder()
    let database = try Database(path: folder.path + "/coach.sqlite")
    defer { database.close() }
    let known = try #require(HistorySchema.migrations.firstIndex { $0.name.hasPrefix("best efforts") })
    try HistorySchema.migrate(database, Array(HistorySchema.migrations.prefix(known)))
    try database.execute(
      """
      INSERT INTO session (id, start_ns, utc_offset_s, activity, state, strategy, zone_model, elapsed_ns, active_ns,
        no_data_ns, in_target_ns, covered_with_target_ns, active_with_target_ns)
      VALUES ('one', 0, 0, 'running', 'complete', 'none', 'percentOfMaximum', 1, 1, 0, 0, 0, 0)
      """)
    try HistorySchema.migrate(database)
    #expect(try database.query("SELECT is_whole FROM upkeep") { $0.int(0) } == [0])
    let fresh = try Database(path: folder.path + "/fresh.sqlite")
    defer { fresh.close() }
    try HistorySchema.migrate(fresh)
    #expect(try fresh.query("SELECT is_whole FROM upkeep") { $0.int(0) } == [1])
  }
}

@Suite(
  "Best efforts of real runs", .enabled(if: !RealRecordings.paths.isEmpty, "no recordings beside the package"))
struct RealEffortsTests {
  /// Every sixth run where the code is not optimised, which takes ten times as long, and one whose distance stands still and
  /// leaps; else all.
  private static var runs: [String] {
    let runs = RealRecordings.paths.filter { $0.contains("/cohort/") }
    #if DEBUG
      return runs.enumerated()
        .filter { $0.offset % 6 == 0 || $0.element.contains("RUN_2021-04-21-10-03-47") }.map(\.element)
    #else
      return runs
    #endif
  }

  @Test("are those of windows that are tried one by one from the file itself", arguments: runs)
  func bruteForce(path: String) async throws { try await WindowsByHand.check(path) }
}

@Suite("Best efforts of made-up runs whose distance grows unevenly")
struct UnevenEffortsTests {
  /// How far a runner has come at each second.
  private static let runs: [[Double]] = [
    // 3 m/s, and 8 m/s for nine seconds of each minute.
    grown((0..<800).map { $0 % 60 < 9 && $0 >= 60 ? 8 : 3 }),
    // One reading is late: nothing, then twice as much, then nothing.
    grown((0..<500).map { [50: 0, 51: 7.4, 52: 0][$0] ?? 3.7 }),
    // The device writes nothing in a second, and what it owes in the next, again and again.
    grown((0..<700).map { $0 % 40 == 20 ? 0 : $0 % 40 == 21 ? 7.32 : 3.66 }),
    // Short bursts of one and of two seconds.
    grown((0..<700).map { $0 % 50 == 30 ? 9 : $0 % 70 < 2 ? 11 : 2.5 }),
  ]

  private static func grown(_ steps: [Double]) -> [Double] {
    var meters = 0.0
    return [0]
      + steps.map { step in
        meters = ((meters + step) * 100).rounded() / 100
        return meters
      }
  }

  private static func time(_ second: Int) -> String {
    let (minute, rest) = (second / 60, second % 60)
    return "2026-11-22T07:" + (minute < 10 ? "0" : "") + "\(minute):" + (rest < 10 ? "0" : "") + "\(rest)Z"
  }

  private static func write(_ run: Int, in folder: ScratchFolder) throws -> String {
    let rows = runs[run].enumerated().map { "\(time($0.offset)),150,\($0.element)\n" }
    return try folder.write("timestamp,heart_rate,distance\n" + rows.joined(), "run.csv")
  }

  @Test("are those of windows that are tried one by one from the file itself", arguments: runs.indices)
  func bruteForce(run: Int) async throws {
    let folder = try ScratchFolder()
    try await WindowsByHand.check(Self.write(run, in: folder))
  }

  @Test("are the same of an import as of the folder that it wrote", arguments: runs.indices)
  func rebuilt(run: Int) async throws {
    let recorded = try RecordedHistory()
    var request = try CoachingRequest.runner("z2", "none")
    request.activity = try #require(Activity("running"))
    let folder = try ScratchFolder()
    _ = try await recorded.history.add(
      Recording(path: Self.write(run, in: folder)), ImportRequest(request, person: nil), withDays: false)
    #expect(try await !recorded.history.records(.init(), activity: nil).isEmpty)
    let before = try recorded.dump()
    _ = try await recorded.history.rebuild { _ in }
    #expect(try recorded.dump() == before)
    await recorded.history.close()
  }
}

/// The best efforts of a recording in CSV against all of its windows, which are tried one by one.
private enum WindowsByHand {
  /// The time of each row in seconds since the first, and its metres: by hand, since there are no quotes in these files.
  private static func places(_ path: String) throws -> [(seconds: Double, meters: Double)] {
    let lines = try text(of: path).split(whereSeparator: \.isNewline)
    let header = lines[0].split(separator: ",", omittingEmptySubsequences: false)
    let (time, meters) = (
      try #require(header.firstIndex(of: "timestamp")), try #require(header.firstIndex(of: "distance"))
    )
    let rows = try lines.dropFirst().compactMap { line -> (Double, Double)? in
      let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      guard let value = Double(fields[meters]) else { return nil }
      let stamp = String(fields[time]).replacing(" ", with: "T").replacing("+00:00", with: "Z")
      return (try Date(stamp, strategy: .iso8601).timeIntervalSince1970, value)
    }
    let start = rows.first?.0 ?? 0
    return rows.map { ($0.0 - start, $0.1) }
  }

  /// Imports the recording, and compares its records with what its rows say.
  static func check(_ path: String) async throws {
    let recorded = try RecordedHistory()
    var request = try CoachingRequest.runner("z2", "none")
    request.activity = try #require(Activity("running"))
    let outcome = try await recorded.history.add(
      Recording(path: path), ImportRequest(request, person: nil), withDays: false)
    #expect(outcome.count == 1)
    let records = try await recorded.history.records(.init(), activity: nil)
    let places = try Self.places(path)
    for meters in BestEffort.distances {
      var best = Double.infinity
      for (index, start) in places.enumerated() {
        // To the first row from which the distance lies behind, and from the last one from which it is left.
        let end = Self.count(places) { $0.meters < start.meters + meters }
        if end < places.count, end > index {
          best = min(best, Self.time(start.meters + meters, places[end - 1], places[end]) - start.seconds)
        }
        let from = Self.count(places) { $0.meters <= start.meters - meters } - 1
        if from >= 0 {
          best = min(best, start.seconds - Self.time(start.meters - meters, places[from], places[from + 1]))
        }
      }
      let found = records.first { $0.effort.span == .distance(meters: meters) }?.effort.value
      #expect((found == nil) == (best == .infinity), "\(meters) m")
      if let found { #expect(abs(found - best) < 0.001, "\(meters) m") }
    }
    for seconds in BestEffort.durations {
      let found = records.first { $0.effort.span == .duration(seconds: seconds) }?.effort.value
      let best = Self.most(in: Double(seconds), places)
      #expect((found == nil) == (best == nil), "\(seconds) s")
      if let found, let best { #expect(abs(found - best) < 0.001, "\(seconds) s") }
    }
    await recorded.history.close()
  }

  /// The most metres in some seconds: of windows that begin or that end at a row.
  private static func most(in seconds: Double, _ places: [(seconds: Double, meters: Double)]) -> Double? {
    func meters(at time: Double) -> Double {
      let next = count(places) { $0.seconds < time }
      guard next > 0, places[next].seconds > time else { return places[next].meters }
      let (a, b) = (places[next - 1], places[next])
      return a.meters + (time - a.seconds) / (b.seconds - a.seconds) * (b.meters - a.meters)
    }
    guard let first = places.first, let last = places.last else { return nil }
    return places.flatMap { place -> [Double] in
      let after = place.seconds + seconds <= last.seconds ? [meters(at: place.seconds + seconds) - place.meters] : []
      return after
        + (place.seconds - seconds >= first.seconds ? [place.meters - meters(at: place.seconds - seconds)] : [])
    }.max()
  }

  /// How many at the beginning are so, of which none is behind one that is not.
  private static func count(
    _ places: [(seconds: Double, meters: Double)], _ isSo: ((seconds: Double, meters: Double)) -> Bool
  ) -> Int {
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if isSo(places[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private static func time(
    _ meters: Double, _ a: (seconds: Double, meters: Double), _ b: (seconds: Double, meters: Double)
  ) -> Double {
    b.meters > a.meters ? a.seconds + (meters - a.meters) / (b.meters - a.meters) * (b.seconds - a.seconds) : b.seconds
  }
}
