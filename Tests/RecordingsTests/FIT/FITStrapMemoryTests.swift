@testable import Recordings
import TestSupport
import Testing
@testable import WorkoutTestSupport
import ZoneEngine

@Suite("The memory of a strap behind a workout")
struct FITStrapMemoryTests {
  /// A part that holds the memory of a strap: a heart rate a second, in messages of one with a time of its own.
  private func memory(_ heartRates: [Int], from start: Int, extra: (inout FITBuilder) -> Void = { _ in }) -> [UInt8] {
    var builder = FITBuilder()
    builder.define(4, message: FIT.fileID, [FITBuilder.Field(0, .enumeration), FITBuilder.Field(1, .uint16)])
    builder.message(4, [4, 1])
    extra(&builder)
    builder.define(1, message: FIT.hr, [FIT.time, FITBuilder.Field(9, .uint32), FITBuilder.Field(6, .uint8)])
    for (index, value) in heartRates.enumerated() {
      builder.message(1, [.integer(start + index), .integer(1024 * index), .integer(value)])
    }
    return builder.file()
  }

  /// A swim of `seconds`, with records every tenth second, of which some have a heart rate of their own.
  private func swim(_ seconds: Int, from start: Int = FIT.start, own: (Int) -> FITBuilder.Value = { _ in nil })
    -> [UInt8]
  {
    var builder = FITBuilder()
    builder.define(0, message: FIT.record, [FIT.time, FIT.heartRate, FITBuilder.Field(5, .uint32)])
    for second in stride(from: 0, through: seconds, by: 10) {
      builder.message(0, [.integer(start + second), own(second), .integer(100 * second)])
    }
    Self.addSession(from: start, seconds, to: &builder)
    return builder.file()
  }

  private static func addSession(from start: Int, _ seconds: Int, to builder: inout FITBuilder) {
    builder.define(
      5, message: FIT.session,
      [
        FIT.time, FITBuilder.Field(2, .uint32), FITBuilder.Field(5, .enumeration), FITBuilder.Field(7, .uint32),
        FITBuilder.Field(8, .uint32),
      ])
    builder.message(
      5, [.integer(start + seconds + 5), .integer(start), 5, .integer(1000 * seconds), .integer(1000 * seconds)])
  }

  private func heartRates(_ recording: DecodedRecording) -> [[Double]] {
    recording.activities.map { $0.points.map(\.heartRate).filter { !$0.isNaN } }
  }

  @Test("in parts of their own is one workout with it, and what lies outside is left out with one warning")
  func chain() {
    // Five minutes before, the workout in two pieces, ten minutes after.
    let recording = DecodedRecording(
      finishing: swim(60) + memory(Array(repeating: 70, count: 100), from: FIT.start - 300)
        + memory((0..<40).map { 100 + $0 }, from: FIT.start - 10)
        + memory((0..<60).map { 140 - $0 }, from: FIT.start + 30))
    let (rising, falling) = (Array(110..<140), Array(stride(from: 140, through: 110, by: -1)))
    let expected: [Double] = (rising + falling).map { Double($0) }
    #expect(heartRates(recording) == [expected])
    #expect(recording.activities.first?.points.first?.time == FIT.wall(FIT.start))
    #expect(recording.activities.first?.points.last?.time == FIT.wall(FIT.start + 60))
    #expect(recording.activities.first?.sport == "swimming")
    #expect(recording.warnings.all.map(\.kind) == [.heartRateFromHrMessages, .heartRateOutsideWorkout])
    #expect(recording.warnings.all.map(\.count) == [1, 139])
    #expect(
      recording.warnings.all.map(\.detail) == [
        "61 heart rates of parts 2, 3, 4", "part 2: 100 of 100, part 3: 10 of 40, part 4: 29 of 60",
      ])
  }

  @Test("comes to the same wherever the bytes are cut and in whatever order its parts follow")
  func order() {
    let swim = swim(60)
    let parts = [
      memory((0..<40).map { 100 + $0 }, from: FIT.start - 10), memory((0..<60).map { 140 - $0 }, from: FIT.start + 30),
    ]
    let expected = heartRates(DecodedRecording(finishing: swim + parts[0] + parts[1]))
    #expect(expected.map(\.count) == [61])
    for chain in [swim + parts[1] + parts[0], parts[0] + swim + parts[1], parts[1] + parts[0] + swim] {
      #expect(heartRates(DecodedRecording(finishing: chain)) == expected)
      #expect(heartRates(DecodedRecording(finishing: FITReading(chain, pieces: 7).items)) == expected)
    }
  }

  @Test("is named by its part where it stands first in a chain, and by none in a file that is alone")
  func firstPart() {
    let part = memory((0..<61).map { 100 + $0 }, from: FIT.start)
    let first = DecodedRecording(finishing: part + swim(60))
    #expect(first.warnings.all.map(\.kind) == [.heartRateFromHrMessages])
    #expect(first.warnings.all.map(\.detail) == ["61 heart rates of part 1"])
    let second = DecodedRecording(finishing: swim(60) + part)
    #expect(second.warnings.all.map(\.detail) == ["61 heart rates of part 2"])
    #expect(DecodedRecording(finishing: part).warnings.all.map(\.detail) == ["61 heart rates"])
  }

  @Test("has its warning behind those of the parts before it, each at its place in the file")
  func warningsInOrder() {
    // That its clock was never set is true of a whole part, and known behind its checksum alone.
    var relative = swim(60, from: 5_000)
    relative[relative.count - 1] ^= 0xFF
    let chain = relative + swim(60) + memory(Array(repeating: 70, count: 100), from: FIT.start - 300)
    let warnings = DecodedRecording(finishing: chain).warnings.all
    #expect(warnings.map(\.kind) == [.clockNeverSet, .wrongChecksum, .heartRateOutsideWorkout])
    let places = warnings.compactMap { Int($0.position.dropFirst("byte ".count)) }
    #expect(places.count == 3)
    #expect(places == places.sorted())
  }

  @Test("handed over twice counts once")
  func twice() {
    let part = memory((0..<61).map { 100 + $0 }, from: FIT.start)
    let expected: [Double] = (100..<161).map { Double($0) }
    #expect(heartRates(DecodedRecording(finishing: swim(60) + part + part)) == [expected])
  }

  @Test("fills only where the workout has no heart rate of its own nearby")
  func fills() {
    let recording = DecodedRecording(
      finishing: swim(120) { $0 < 60 ? 130 : nil } + memory(Array(repeating: 99, count: 121), from: FIT.start))
    let beats = recording.activities.flatMap(\.points).filter { $0.heartRate > 0 }
    #expect(beats.filter { $0.heartRate == 130 }.count == 6)
    #expect(beats.filter { $0.heartRate == 99 }.map(\.time) == (61...120).map { FIT.wall(FIT.start + $0) })
    #expect(recording.warnings.all.map(\.kind) == [.heartRateFromHrMessages, .heartRateBesideOwn])
    #expect(recording.warnings.all.last?.count == 61)
    #expect(recording.warnings.all.last?.detail == "part 2: 61 of 121")
  }

  @Test("goes to the workout in which it was measured, where several stand in a row")
  func severalWorkouts() {
    let recording = DecodedRecording(
      finishing: swim(60) + swim(60, from: FIT.start + 600)
        + memory((0..<700).map { $0 < 300 ? 100 : 150 }, from: FIT.start))
    let expected: [[Double]] = [Array(repeating: 100, count: 61), Array(repeating: 150, count: 61)]
    #expect(heartRates(recording) == expected)
    #expect(recording.warnings.all.last?.detail == "part 3: 578 of 700")
  }

  @Test("is of the session that states its time, where nothing else was recorded")
  func sessionWithoutRecords() {
    var builder = FITBuilder()
    Self.addSession(from: FIT.start, 60, to: &builder)
    let recording = DecodedRecording(
      finishing: builder.file() + memory((0..<200).map { 60 + $0 / 2 }, from: FIT.start - 20))
    #expect(recording.activities.map(\.sport) == ["swimming"])
    #expect(recording.activities.map(\.points.count) == [61])
    #expect(recording.warnings.all.last?.detail == "part 2: 139 of 200")
  }

  @Test("alone is one workout, in however many parts")
  func alone() {
    let recording = DecodedRecording(
      finishing: memory([90, 91], from: FIT.start) + memory([92, 93], from: FIT.start + 2))
    #expect(heartRates(recording) == [[90, 91, 92, 93]])
    #expect(recording.warnings.all.map(\.kind) == [.heartRateFromHrMessages])
  }

  @Test("alone in parts that are hours apart is paused between them, in whatever order they follow")
  func apart() throws {
    let hours = 2 * 3_600
    let parts = [
      memory([90, 91], from: FIT.start), memory([92, 93], from: FIT.start + 2),
      memory([120, 121, 122], from: FIT.start + hours),
    ]
    for chain in [parts, parts.reversed()] {
      let recording = DecodedRecording(finishing: chain.flatMap { $0 })
      #expect(heartRates(recording) == [[90, 91, 92, 93, 120, 121, 122]])
      #expect(
        recording.activities.map(\.pauses) == [
          [DecodedRecording.Pause(from: FIT.wall(FIT.start + 3), until: FIT.wall(FIT.start + hours))]
        ])
      var commands: [String] = []
      recording.forEachInput(origin: FIT.wall(FIT.start)) { input in
        if case .command(let command, let time) = input { commands.append("\(command.word) \(time.seconds)") }
      }
      #expect(commands == ["pause 3.0", "resume \(Double(hours))"])
    }
  }

  @Test(
    "alone in parts as near as a heart rate holds is not paused, and a gap within a part is none", arguments: [15, 16])
  func near(gap: Int) {
    let recording = DecodedRecording(
      finishing: memory([90], from: FIT.start) + memory([91], from: FIT.start + gap))
    #expect(recording.activities.map(\.pauses.count) == [gap > 15 ? 1 : 0])
    #expect(DecodedRecording.Pause.between([0...100_000_000_000, 20_000_000_000...30_000_000_000]).isEmpty)
  }

  @Test("with events of the timer, and parts of settings, monitoring and intervals between beats, add no workout")
  func otherParts() {
    let withEvents = memory((0..<61).map { 100 + $0 }, from: FIT.start) { builder in
      builder.define(
        6, message: FIT.event, [FIT.time, FITBuilder.Field(0, .enumeration), FITBuilder.Field(1, .enumeration)])
      builder.message(6, [.integer(FIT.start - 100), 0, 0])
    }
    let others = [2, 55, 78, 103].map { message in
      var builder = FITBuilder()
      builder.define(0, message: message, [FIT.time, FITBuilder.Field(0, .uint16)])
      builder.message(0, [.integer(FIT.start), 5])
      return builder.file()
    }
    let recording = DecodedRecording(finishing: swim(60) + withEvents + others.flatMap { $0 })
    let expected: [Double] = (100..<161).map { Double($0) }
    #expect(heartRates(recording) == [expected])
    #expect(recording.warnings.all.map(\.kind) == [.heartRateFromHrMessages])
  }

  @Test("names only so many parts of a chain that was made up")
  func manyParts() throws {
    var chain = swim(60)
    for part in 0..<200 { chain += memory([80], from: FIT.start + 1_000 + part) }
    let recording = DecodedRecording(finishing: chain)
    let warning = try #require(recording.warnings.all.first)
    #expect((warning.kind, warning.count) == (.heartRateOutsideWorkout, 200))
    #expect(warning.detail?.hasSuffix("part 41: 1 of 1, and 160 more parts") == true)
  }
}
