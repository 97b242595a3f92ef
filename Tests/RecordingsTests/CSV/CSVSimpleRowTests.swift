import Recordings
import TestSupport
import Testing
import TextFormats
import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

/// The samples and warnings of a file, or why it cannot be used.
private struct Read: Equatable {
  var samples: [Sample] = []
  var warnings: [String] = []
  var problem: String?

  init(_ text: String, _ folder: ScratchFolder) throws {
    let path = try folder.write(text)
    do {
      let recording = try CSVRecording(path: path)
      warnings = recording.facts.warnings.map { "\($0.kind) \($0.position) \($0.count)" }
      try recording.forEachSample { samples.append($0) }
    } catch let error as RecordingError {
      problem = error.description
    }
  }
}

private func digits(_ random: inout SplitMix64, _ range: ClosedRange<Int>) -> String {
  (0..<random.int(range)).map { _ in String(random.int(0...9)) }.joined()
}

/// A number in one of the ways in which files have them, or something that is none.
private func field(_ random: inout SplitMix64) -> String {
  switch random.int(0...11) {
  case 0: return random.pick(["", "N/A", "nan", "-", "null", "x", "+5", "1e2", "1.5E-1", "--1", "1.2.3", "0x1", "1 2"])
  case 1: return random.pick(["-1", "255", "0", "-0", ".5", "5.", ".", "1e16", "999999999999999", "1000000000000001"])
  case 2: return digits(&random, 5...22)
  case 3: return digits(&random, 0...20) + "." + digits(&random, 0...20)
  case 4: return " " + digits(&random, 1...3) + " "
  default: return (random.chance(0.2) ? "-" : "") + digits(&random, 1...3) + "." + digits(&random, 1...9)
  }
}

@Suite("Rows of plain numbers")
struct CSVSimpleRowTests {
  @Test(
    "A row is read the same whether it is simple or has quotes in it",
    arguments: 1...20 as ClosedRange<UInt64>)
  func sameAsQuoted(seed: UInt64) throws {
    let folder = try ScratchFolder()
    var random = SplitMix64(seed: seed)
    let names = [
      "hr", "steps", "cadence", "fractional_cadence", "distance", "speed", "lat", "lon", "altitude", "accuracy",
      "acc_x",
      "acc_y", "acc_z", "steps_cumulative", "note",
    ]
    let chosen = names.filter { _ in random.chance(0.5) } + ["hr"]
    let delimiter = random.pick([",", ";", "\t"])
    var rows: [[String]] = []
    for second in 0..<40 {
      let time = random.chance(0.1) ? random.pick(["0:05", "x", "", " 7 ", "12.25", "1e1"]) : "\(second)"
      rows.append([time] + chosen.map { _ in field(&random) })
      if random.chance(0.05) { rows[rows.count - 1].append("7") }
      if random.chance(0.05) { rows[rows.count - 1].removeLast() }
    }
    func text(_ quotes: Bool) -> String {
      let header = (["time"] + chosen).joined(separator: delimiter)
      return ([header] + rows.map { row in row.map { quotes ? "\"\($0)\"" : $0 }.joined(separator: delimiter) })
        .joined(separator: "\n") + "\n"
    }
    // Spaces inside of quotes belong to the field.
    rows = rows.map { $0.map { $0.filter { $0 != " " } } }
    #expect(try Read(text(false), folder) == Read(text(true), folder), "seed \(seed)")
  }

  @Test(
    "Numbers are the nearest doubles, whatever their length and place in the line",
    arguments: 1...10 as ClosedRange<UInt64>)
  func nearest(seed: UInt64) throws {
    let folder = try ScratchFolder()
    var random = SplitMix64(seed: seed)
    var values: [String] = []
    for _ in 0..<500 {
      values.append(digits(&random, 1...4) + (random.chance(0.8) ? "." + digits(&random, 0...14) : ""))
    }
    for layout in ["speed,time_s", "time_s,speed"] {
      let rows = values.enumerated().map { layout.hasPrefix("speed") ? "\($1),\($0)" : "\($0),\($1)" }
      let read = try Read(layout + "\n" + rows.joined(separator: "\n"), folder)
      #expect(read.samples.map(\.reading) == values.map { .speed(Double($0) ?? .nan) }, "seed \(seed), \(layout)")
      #expect(read.warnings.isEmpty, "seed \(seed), \(layout)")
    }
  }

  @Test("A file of more than 64 columns is read too")
  func manyColumns() throws {
    let folder = try ScratchFolder()
    let names = (0..<80).map { "c\($0)" }.joined(separator: ",")
    let values = (0..<80).map { "\($0)" }.joined(separator: ",")
    let read = try Read("\(names),time_s,hr\n\(values),0,120\n\(values),1,121.5\n", folder)
    #expect(read.samples == [Sample(.heartRate(120), at: .zero), Sample(.heartRate(121.5), at: at(1))])
  }
}
