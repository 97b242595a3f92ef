@testable import Recordings
import TestSupport
import Testing
import TextFormats
import WorkoutSession
@testable import WorkoutTestSupport

@Suite("What a FIT file says about an activity")
struct FITActivityTests {
  private let cadence = [FIT.time, FITBuilder.Field(4, .uint8), FITBuilder.Field(19, .uint32)]

  /// Messages of one local number with fields.
  private func add(
    _ message: Int, _ fields: [FITBuilder.Field], _ values: [FITBuilder.Value], to builder: inout FITBuilder
  ) {
    builder.define(5, message: message, fields)
    builder.message(5, values)
  }

  private func session(
    _ sport: Int, _ kind: Int = 0, cycles: Int? = nil, meters: Int = 100, to builder: inout FITBuilder
  ) {
    add(
      FIT.session,
      [
        FIT.time, FITBuilder.Field(5, .enumeration), FITBuilder.Field(6, .enumeration), FITBuilder.Field(9, .uint32),
        FITBuilder.Field(10, .uint32), FITBuilder.Field(94, .uint8),
      ],
      [
        .integer(FIT.start + 9), .integer(sport), .integer(kind), .integer(meters * 100),
        cycles.map { .integer($0) } ?? nil, 64,
      ], to: &builder)
  }

  private func sport(_ sport: Int, to builder: inout FITBuilder) {
    add(FIT.sport, [FITBuilder.Field(0, .enumeration)], [.integer(sport)], to: &builder)
  }

  private func records(_ cadences: [Int], to builder: inout FITBuilder) {
    builder.define(0, message: FIT.record, cadence)
    for (index, value) in cadences.enumerated() {
      builder.message(0, [.integer(FIT.start + index), .integer(value), .integer(10 * index)])
    }
  }

  @Test("an activity states how far the clock of its place was ahead of UTC, unless that is none of a place")
  func utcOffset() {
    func offset(_ local: Int?, timestamp: Int = FIT.start + 9) -> [String] {
      var builder = FIT.records([120, 121])
      add(
        34, [FIT.time, FITBuilder.Field(5, .uint32)], [.integer(timestamp), local.map { .integer($0) } ?? nil],
        to: &builder)
      return FITReading(builder.file()).emitted.filter { $0.hasPrefix("offset") }
    }
    let end = FIT.start + 9
    #expect(offset(end + 19_800) == ["offset 19800"])
    #expect(offset(end - 12_600) == ["offset -12600"])
    #expect(offset(end + 50_400) == ["offset 50400"])
    // What does not know its place writes UTC, and what has never been set nothing that belongs together.
    for local in [end, end + 50_460, end - 50_460, end + 3_601, 0, 5, Int(UInt32.max) - 1] {
      #expect(offset(local) == [], "\(local)")
    }
    #expect(offset(nil) == [])
    #expect(offset(end + 3_600, timestamp: 17_221_751) == [])
    #expect(DecodedRecording(finishing: FIT.records([120]).file()).activities.first?.utcOffsetSeconds == nil)
  }

  @Test("each of several files in a row has the clock of its own place, and one that says it first keeps it")
  func utcOffsets() {
    func file(_ hours: Int, from start: Int) -> [UInt8] {
      var builder = FITBuilder()
      builder.define(5, message: 34, [FIT.time, FITBuilder.Field(5, .uint32)])
      builder.message(5, [.integer(start), .integer(start + hours * 3_600)])
      builder.define(0, message: FIT.record, [FIT.time, FIT.heartRate])
      for second in 0..<4 { builder.message(0, [.integer(start + second), 120]) }
      return builder.file()
    }
    let recording = DecodedRecording(finishing: file(9, from: FIT.start + 90_000) + file(-5, from: FIT.start))
    #expect(recording.activities.map(\.utcOffsetSeconds) == [-18_000, 32_400])
    #expect(recording.facts(format: "fit", origin: FIT.wall(FIT.start)).utcOffsetSeconds == -18_000)
  }

  @Test("a run whose sport stands at the end has its cadence in steps")
  func runAtEnd() {
    var builder = FITBuilder()
    records([80, 81], to: &builder)
    session(1, cycles: 700, to: &builder)
    let reading = FITReading(builder.file())
    #expect(reading.points.map(\.cadence) == [160, 162])
    #expect(reading.points.map(\.steps) == [0, 20])
    #expect(reading.emitted == ["activity ?", "clock wall", "sport running", "distance 100.0"])
  }

  @Test("a ride whose sport stands at the end takes its cadence back")
  func rideAtEnd() {
    var builder = FITBuilder()
    records([80, 81], to: &builder)
    session(2, cycles: 700, to: &builder)
    #expect(
      FITReading(builder.file()).emitted == [
        "activity ?", "clock wall", "sport cycling", "distance 100.0", "not of feet",
      ])
  }

  @Test("a ride whose sport stands before has no cadence of feet", arguments: [true, false])
  func rideBefore(isSession: Bool) {
    var builder = FITBuilder()
    if isSession { session(2, to: &builder) } else { sport(2, to: &builder) }
    records([80, 81], to: &builder)
    let reading = FITReading(builder.file())
    #expect(reading.points.allSatisfy { $0.cadence.isNaN && $0.steps.isNaN })
    #expect(reading.emitted.first == "activity cycling")
    #expect(!reading.emitted.contains("not of feet"))
  }

  @Test("a sport that is never stated is not on foot")
  func unknownSport() {
    var builder = FITBuilder()
    records([80], to: &builder)
    #expect(FITReading(builder.file()).emitted.last == "not of feet")
  }

  @Test(
    "the sport of the laps counts in a file that was cut off before its session, where all have the same",
    arguments: [
      ([1, 1], "running", true), ([11], "walking", true), ([2, 2], "cycling", false), ([1, 2], nil, false),
      ([1, 255], "running", true), ([255], nil, false), ([250], nil, false),
    ] as [([Int], String?, Bool)])
  func sportOfLaps(sports: [Int], name: String?, isOnFoot: Bool) {
    var builder = FITBuilder()
    records([80], to: &builder)
    let fields = [FIT.time, FITBuilder.Field(25, .enumeration)]
    for sport in sports { add(FIT.lap, fields, [.integer(FIT.start + 1), .integer(sport)], to: &builder) }
    let emitted = FITReading(builder.file()).emitted
    #expect(emitted.filter { $0.hasPrefix("sport") } == (name.map { ["sport \($0)"] } ?? []))
    #expect(emitted.contains("not of feet") == !isOnFoot)
    // What is stated elsewhere goes before it.
    session(17, to: &builder)
    #expect(FITReading(builder.file()).emitted.filter { $0.hasPrefix("sport") } == ["sport hiking"])
    var stated = FITBuilder()
    self.sport(2, to: &stated)
    records([80], to: &stated)
    for sport in sports { add(FIT.lap, fields, [.integer(FIT.start + 1), .integer(sport)], to: &stated) }
    #expect(FITReading(stated.file()).emitted.first == "activity cycling")
    #expect(!FITReading(stated.file()).emitted.contains { $0.hasPrefix("sport") })
  }

  @Test(
    "a sport has the name of the profile, also a new one, and counts no steps",
    arguments: [(59, "grinding"), (63, "video_gaming"), (81, "motor_sports"), (84, "jump_rope"), (88, "canoeing")])
  func newSports(number: Int, name: String) throws {
    var builder = FIT.records([120, 121])
    records([80], to: &builder)
    session(number, to: &builder)
    #expect(FITReading(builder.file()).emitted.contains("sport \(name)"))
    #expect(FITReading(builder.file()).emitted.contains("not of feet"))
    #expect(FITSport.number(named: name) == number)
    let activity = try Activity(ofSport: Recording(bytes: builder.file(), name: "a.fit").facts.sport)
    #expect(activity == Activity(name))
    var unknown = FIT.records([120])
    session(89, to: &unknown)
    #expect(!FITReading(unknown.file()).emitted.contains { $0.hasPrefix("sport") })
  }

  @Test(
    "who goes on foot",
    arguments: [(1, 0, true), (11, 0, true), (17, 0, true), (4, 1, true), (4, 45, true), (4, 15, false), (5, 0, false)])
  func onFoot(sport: Int, kind: Int, isOnFoot: Bool) {
    var builder = FITBuilder()
    records([80], to: &builder)
    session(sport, kind, to: &builder)
    #expect(FITReading(builder.file()).emitted.contains("not of feet") == !isOnFoot)
  }

  @Test(
    "the kind of a sport is that of all its sessions",
    arguments: [
      ([3], "trail"), ([3, 3], "trail"), ([3, 1], nil), ([3, 0], nil), ([0, 3], nil), ([3, 1, 0], nil), ([0], nil),
      ([253], nil), ([255], nil),
    ] as [([Int], String?)])
  func kinds(kinds: [Int], name: String?) {
    var builder = FITBuilder()
    records([80], to: &builder)
    for kind in kinds { session(1, kind, to: &builder) }
    let kind = FITReading(builder.file()).emitted.filter { $0.hasPrefix("kind") }
    #expect(kind == (name.map { ["kind \($0)"] } ?? []))
  }

  @Test("steps of the session count where no record has any")
  func statedSteps() {
    var builder = FIT.records([120])
    session(11, cycles: 700, to: &builder)
    #expect(FITReading(builder.file()).emitted.last == "steps 1401")
  }

  @Test("the energy that sessions state is that of the file, and 0 says that it is not known")
  func statedEnergy() throws {
    var builder = FIT.records([120, 121])
    for kilocalories in [0, 210, 65_535, 33] {
      add(
        FIT.session, [FIT.time, FITBuilder.Field(5, .enumeration), FITBuilder.Field(11, .uint16)],
        [.integer(FIT.start + 1), 1, .integer(kilocalories)], to: &builder)
    }
    let emitted = FITReading(builder.file()).emitted
    #expect(emitted.filter { $0.hasPrefix("energy") } == ["energy 210.0", "energy 33.0"])
    let facts = try Recording(bytes: builder.file(), name: "run.fit").facts
    #expect(facts.statedKilocalories == 243)
    var writer = JSONWriter()
    facts.write(file: "run.fit", to: &writer)
    #expect(writer.text.contains(#""recordedEnergyKilocalories":243,"#))
    #expect(try Recording(bytes: FIT.records([120]).file(), name: "run.fit").facts.statedKilocalories == nil)
  }

  @Test("a count below zero that a session states in a signed field is none")
  func negativeStatements() {
    var builder = FIT.records([120])
    add(
      FIT.session,
      [
        FIT.time, FITBuilder.Field(5, .enumeration), FITBuilder.Field(9, .sint32), FITBuilder.Field(10, .sint32),
      ],
      [.integer(FIT.start + 9), 1, .integer(-700), .integer(-4)], to: &builder)
    let emitted = FITReading(builder.file()).emitted
    #expect(!emitted.contains { $0.hasPrefix("steps") })
    #expect(!emitted.contains { $0.hasPrefix("distance") })
  }

  @Test("several sessions are one activity, distances are stated of each, and differing sports have one name")
  func multisport() {
    var builder = FITBuilder()
    sport(1, to: &builder)
    records([80], to: &builder)
    sport(2, to: &builder)
    records([90], to: &builder)
    session(1, meters: 100, to: &builder)
    session(2, meters: 900, to: &builder)
    let reading = FITReading(builder.file())
    #expect(reading.emitted.first == "activity running")
    #expect(reading.emitted.count { $0.hasPrefix("activity") } == 1)
    #expect(reading.emitted.filter { $0.hasPrefix("distance") } == ["distance 100.0", "distance 900.0"])
    #expect(reading.emitted.last { $0.hasPrefix("sport") } == "sport multisport")
    #expect(reading.points.first?.cadence == 160)
    #expect(reading.points.last?.cadence.isNaN == true)
    #expect(!reading.emitted.contains("not of feet"))
  }

  /// A session with its start, in seconds.
  private func leg(_ sport: Int, from start: Int?, to builder: inout FITBuilder) {
    add(
      FIT.session, [FIT.time, FITBuilder.Field(2, .uint32), FITBuilder.Field(5, .enumeration)],
      [.integer(FIT.start + 900), start.map { .integer(FIT.start + $0) } ?? nil, .integer(sport)], to: &builder)
  }

  @Test(
    "the cadence of several sessions is of feet in those on foot", arguments: [false, true], [false, true])
  func cadenceOfSessions(areSessionsFirst: Bool, isOrdered: Bool) {
    var builder = FITBuilder()
    // Swimming, cycling, running, and a walk behind it.
    let legs = isOrdered ? [(5, 0), (2, 2), (1, 4), (11, 6)] : [(1, 4), (11, 6), (5, 0), (2, 2)]
    if areSessionsFirst { for (sport, start) in legs { leg(sport, from: start, to: &builder) } }
    records([30, 31, 90, 91, 80, 81, 55, 56, 57], to: &builder)
    if !areSessionsFirst { for (sport, start) in legs { leg(sport, from: start, to: &builder) } }
    let activity = DecodedRecording(finishing: builder.file()).activities.first
    #expect(activity?.sport == "multisport")
    let cadences = activity?.points.map(\.cadence) ?? []
    #expect(cadences.prefix(4).allSatisfy { $0.isNaN })
    #expect(cadences.dropFirst(4) == [160, 162, 110, 112, 114])
    let steps = activity?.points.map(\.steps) ?? []
    #expect(steps.prefix(4).allSatisfy { $0.isNaN })
    #expect(steps.dropFirst(4) == [80, 100, 120, 140, 160])
  }

  @Test("the cadence of a first session on foot is that of what comes before it, too")
  func cadenceOfFirstSession() {
    var builder = FITBuilder()
    records([80, 81, 90, 91], to: &builder)
    leg(1, from: 1, to: &builder)
    leg(2, from: 2, to: &builder)
    let points = DecodedRecording(finishing: builder.file()).activities.first?.points ?? []
    #expect(points.prefix(2).map(\.cadence) == [160, 162])
    #expect(points.dropFirst(2).allSatisfy { $0.cadence.isNaN && $0.steps.isNaN })
  }

  @Test("the cadence of sessions that differ is of no feet where one does not say when it began")
  func cadenceOfUntimedSessions() {
    var builder = FITBuilder()
    records([80, 81], to: &builder)
    leg(1, from: 0, to: &builder)
    leg(2, from: nil, to: &builder)
    #expect(FITReading(builder.file()).emitted.last == "not of feet")
  }

  @Test("events of the timer are emitted as they are, others are not")
  func events() {
    var builder = FITBuilder()
    builder.define(
      1, message: FIT.event, [FIT.time, FITBuilder.Field(0, .enumeration), FITBuilder.Field(1, .enumeration)])
    for (index, (event, type)) in [(0, 0), (0, 1), (0, 4), (0, 0), (9, 4), (0, 3), (0, 8), (0, 9)].enumerated() {
      builder.message(1, [.integer(FIT.start + index), .integer(event), .integer(type)])
    }
    builder.message(1, [nil, 0, 0])
    let start = FIT.start + FIT.epoch
    let reading = FITReading(builder.file())
    #expect(
      reading.emitted.filter { $0.hasPrefix("st") } == [
        "started \(start)", "stopped \(start + 1)", "stopped \(start + 2)", "started \(start + 3)",
        "stopped \(start + 6)", "stopped \(start + 7)",
      ])
    #expect(reading.warnings.count == 1)
  }

  @Test("a lap on another clock than the records is left out with a warning")
  func laps() {
    var builder = FIT.records([120])
    add(FIT.lap, [FIT.time], [.integer(FIT.start + 60)], to: &builder)
    builder.message(5, [60])
    let reading = FITReading(builder.file())
    #expect(reading.emitted.filter { $0.hasPrefix("lap") } == ["lap \(FIT.start + 60 + FIT.epoch)"])
    #expect(reading.warnings.map { $0.prefix(13) } == ["unreadableRow"])
  }

  @Test(
    "devices have their names, or numbers",
    arguments: [
      (1, 1_124, nil, "Garmin Forerunner 110"), (1, 59_999, nil, "Garmin product 59999"),
      (32, 28, "ELEMNT", "Wahoo ELEMNT"), (294, 841, "COROS PACE 2", "COROS PACE 2"),
      (40_000, 3, nil, "manufacturer 40000 product 3"), (nil, nil, "Nameless", "Nameless"),
    ] as [(Int?, Int?, String?, String)])
  func devices(manufacturer: Int?, product: Int?, name: String?, expected: String) {
    var builder = FITBuilder()
    add(
      FIT.fileID,
      [FITBuilder.Field(1, .uint16), FITBuilder.Field(2, .uint16), FITBuilder.Field(8, .string, count: 20)],
      [
        manufacturer.map { .integer($0) } ?? nil, product.map { .integer($0) } ?? nil, name.map { .text($0) } ?? nil,
      ], to: &builder)
    #expect(FITReading(builder.file()).emitted == ["device \(expected)"])
  }

  @Test("a device without a name takes the one of the creator, not of a sensor")
  func creator() {
    var builder = FITBuilder()
    add(FIT.fileID, [FITBuilder.Field(1, .uint16), FITBuilder.Field(2, .uint16)], [260, 1], to: &builder)
    let fields = [FITBuilder.Field(0, .uint8), FITBuilder.Field(2, .uint16), FITBuilder.Field(27, .string, count: 9)]
    add(FIT.deviceInfo, fields, [1, 32, "TICKR"], to: &builder)
    add(FIT.deviceInfo, fields, [0, 260, "Watopia"], to: &builder)
    builder.define(0, message: FIT.record, [FIT.time, FIT.heartRate])
    builder.message(0, [.integer(FIT.start), 100])
    #expect(FITReading(builder.file()).emitted == ["activity ?", "device Zwift Watopia", "clock wall"])
  }
}
