import Recordings
import TestSupport
import Testing
import TextFormats
import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

/// What a table comes to: its samples, and its facts in words; or why it cannot be used.
private struct Read: Equatable {
  var samples: [Sample] = []
  var facts: [String] = []
  var problem: String?

  init(_ text: String, _ folder: ScratchFolder, rows: Int = .max) throws {
    let path = try folder.write(text)
    do {
      let recording = try CSVRecording(path: path, budget: ReadingBudget.standard.with(\.rows, rows))
      try recording.forEachSample { samples.append($0) }
      let found = recording.facts
      facts = [
        "\(found.sampleCount) samples, \(found.elapsed.nanoseconds) ns", "\(found.heartRate?.statistics as Any)",
        "\(found.heartRate?.first as Any) to \(found.heartRate?.last as Any)",
        "\(found.heartRate?.largestGap.nanoseconds as Any)", "\(found.start as Any)",
        "\(found.pauses.map { [$0.from.nanoseconds, $0.until.nanoseconds] })",
        "\(found.warnings.map { "\($0.kind) \($0.position) \($0.count) \($0.detail ?? "")" })",
      ]
    } catch let error as RecordingError {
      problem = error.description.replacing(path, with: "FILE")
    }
  }
}

/// Rows of time, heart rate and speed as files have them: most in order, some late, far away, empty, or no numbers.
private func rows(_ random: inout SplitMix64) -> [String] {
  var time = random.pick([0, 1_770_000_000, 99_999_990, 1_000_000_000_000])
  let hasFractions = random.chance(0.3)
  return (0..<random.int(1...400)).map { _ in
    time += random.chance(0.02) ? random.int(-40...40_000) : random.int(0...2)
    let fraction = hasFractions ? ".\(random.int(0...999))" : ""
    let seconds = random.chance(0.02) ? random.pick(["", "x", "-5", "1e3", "99999999999999"]) : "\(time)\(fraction)"
    let heartRate =
      random.chance(0.1)
      ? random.pick(["", "-1", "255", "0", "nan", "x", "250", "-0", "12345678", "1e2"])
      : "\(random.int(100...140))\(random.chance(0.1) ? ".5" : "")"
    let speed =
      random.chance(0.1)
      ? random.pick(["", "-1", "x", "3", ".5", "2.123456789", "2.12345678", "1234567.12345678"])
      : "\(random.int(0...5)).\(random.int(0...99))"
    return "\(seconds),\(heartRate),\(speed)"
  }
}

/// Rows of a run as a strap records it: heart rates that go on from the last one, or repeat themselves, and seldom something odd.
private func steadyRows(_ random: inout SplitMix64) -> [String] {
  var time = random.pick([0, 1_770_000_000])
  let step = random.pick([1, 1, 5, 240])
  var (heartRate, repeated, swing) = (random.int(60...180), 0, 0)
  return (0..<random.int(130...1_500)).map { row in
    time += random.chance(0.002) ? random.int(0...30_000) : random.chance(0.02) ? 0 : step
    if repeated == 0, random.chance(0.01) { (repeated, swing) = (random.int(20...330), random.int(0...2)) }
    if repeated > 0 {
      repeated -= 1
    } else {
      heartRate = min(max(heartRate + random.int(-2...2), 31), 229)
    }
    let shown = heartRate + (repeated > 0 && row.isMultiple(of: 2) ? swing : 0)
    let odd = random.chance(0.002) ? random.pick(["", "255", "0", "20", "240", "\(shown + 30)", "x"]) : nil
    let speed = random.chance(0.01) ? "" : "\(random.int(2...4)).\(random.int(0...99))"
    return "\(time)\(random.chance(0.01) ? ".5" : ""),\(odd ?? "\(shown)"),\(speed)"
  }
}

/// What lines come to, and what they come to with an empty column besides, which make them none that are narrow.
private func read(
  _ lines: [String], delimiter: String = ",", end: String, last: String, rows: Int = .max, _ folder: ScratchFolder
) throws -> (narrow: Read, wide: Read) {
  let wide = ([lines[0] + delimiter + "steps"] + lines.dropFirst().map { $0 + delimiter })
  func text(_ lines: [String]) -> String { lines.joined(separator: end) + last }
  return (try Read(text(lines), folder, rows: rows), try Read(text(wide), folder, rows: rows))
}

@Suite("Tables of a heart rate and a speed alone")
struct CSVNarrowRowTests {
  @Test(
    "of a run are read as those that have an empty column besides, to the last fact",
    arguments: 1...120 as ClosedRange<UInt64>)
  func steadySameAsWider(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let rows = steadyRows(&random).map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    let order = random.pick([[0, 1, 2], [2, 1, 0], [1, 0, 2], [0, 1], [1, 0], [0, 2]])
    let delimiter = random.pick([",", ";", "\t"])
    let end = random.pick(["\n", "\r\n"])
    let header = order.map { ["time", "hr", "speed"][$0] }
    let lines = ([header] + rows.map { row in order.map { String(row[$0]) } }).map { $0.joined(separator: delimiter) }
    let (narrow, wide) = try read(lines, delimiter: delimiter, end: end, last: end, ScratchFolder())
    #expect(narrow == wide, "seed \(seed)")
  }

  @Test(
    "are read as those that have an empty column besides, to the last fact", arguments: 1...60 as ClosedRange<UInt64>)
  func sameAsWider(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let rows = rows(&random)
    let (end, most) = (random.pick(["\n", "\r\n"]), random.pick([Int.max, .max, 50]))
    let (narrow, wide) = try read(
      ["time,hr,speed"] + rows, end: end, last: random.pick(["", end]), rows: most, ScratchFolder())
    #expect(narrow.problem == wide.problem, "seed \(seed)")
    #expect(narrow.samples == wide.samples, "seed \(seed)")
    #expect(narrow.facts == wide.facts, "seed \(seed)")
  }

  @Test("count a heart rate alone, a speed alone, and neither")
  func absent() throws {
    let read = try Read("time,hr,speed\n10,120,\n11,,2.5\n12,,\n13,121,2.5\n", ScratchFolder())
    #expect(
      read.samples == [
        Sample(.heartRate(120), at: .zero), Sample(.speed(2.5), at: at(1)), Sample(.heartRate(121), at: at(3)),
        Sample(.speed(2.5), at: at(3)),
      ])
    #expect(read.facts.first == "4 samples, 3000000000 ns")
  }
}
