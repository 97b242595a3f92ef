import Foundation
import Testing
@testable import WorkoutTestSupport

@Suite("The program: laps, steps and cues in a FIT file")
struct FITMarksEndToEndTests {
  private let program: CoachProgram

  init() throws { program = try CoachProgram() }

  private static let plan =
    "warm-up: 1min z1, 2x(effort: 1min z4, rest: 1min z1), cool-down: 1min z1"

  /// Seven minutes of a heart rate that goes up and down between 120 and 150.
  private static var lines: String {
    (0...420).map { second in
      #"{"type":"heartRate","atSeconds":\#(second),"beatsPerMinute":\#(120 + min(second % 120, 120 - second % 120) / 2)}"#
        + "\n"
        + #"{"type":"steps","atSeconds":\#(second),"count":3}"# + "\n"
    }.joined()
  }

  /// The same with positions, four metres a second to the east on the equator.
  private static var placedLines: [String] {
    lines.split(separator: "\n").enumerated().flatMap { index, line -> [String] in
      guard index.isMultiple(of: 2) else { return [String(line)] }
      let longitude = -30 + Double(index / 2) * 4 / 111_319.49
      return [
        String(line),
        #"{"type":"location","atSeconds":\#(index / 2),"latitude":0,"longitude":\#(longitude),"#
          + #""horizontalAccuracyMeters":5}"#,
      ]
    }
  }

  private func exported(_ lines: String, _ options: [String]) throws -> (messages: [FITMessage], cues: [[String: Any]])
  {
    let outcome = try program.run(
      ["live", "--age", "30", "--format", "jsonl", "--clock", "samples"] + options, input: lines)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let cues = try outcome.lines.filter { $0.contains(#""type":"cue""#) }.map {
      try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    let file = program.folder.url.appendingPathComponent("run.fit")
    let export = try program.run(
      ["history", "export", program.session().lastPathComponent, "--as", "fit", "--output", file.path])
    #expect(export.status == 0, "\(export.errors)")
    let inspected = try program.run(["inspect", file.path, "--format", "jsonl"]).output
    #expect(inspected.contains(#""count":421"#), "\(inspected)")
    #expect(inspected.contains(#""pauses":[],"warnings":[]"#), "\(inspected)")
    return (try FITMessage.all(in: Array(Data(contentsOf: file))), cues)
  }

  @Test("Each step is a lap with its name, and each cue stands in the record of its second, with its words")
  func plan() throws {
    let (messages, cues) = try exported(Self.lines, ["--plan", Self.plan, "--strategy", "moment:every=20"])
    let laps = messages.filter { $0.number == 19 }
    let begin = try #require(messages.first { $0.number == 0 }?.value(4))
    #expect(laps.map { ($0.value(2) ?? 0) - begin } == [0, 60, 120, 180, 240, 300, 360])
    #expect(laps.map { $0.value(7) } == [Int?](repeating: 60_000, count: 7))
    #expect(
      laps.map { $0.text(1_002) } == [
        "warm-up", "effort 1 of 2", "rest 1 of 2", "effort 2 of 2", "rest 2 of 2", "cool-down", "",
      ])
    #expect(laps.map { $0.value(23) } == [2, 0, 1, 0, 1, 3, 0])
    #expect(laps.map { $0.value(254) } == Array(0..<7))
    // By time, and where the session ends.
    #expect(laps.map { $0.value(24) } == [1, 1, 1, 1, 1, 1, 7])
    #expect(laps.compactMap { $0.value(10) }.reduce(0, +) == 421 * 3 / 2)
    // The heart rate of the second in which a step ends is of that step, as in the history.
    #expect(laps.map { $0.value(16) } == [150, 149, 150, 149, 150, 149, 150])
    // Three steps a second are 90 strides a minute; the first has those of its first second too.
    #expect(laps.map { $0.value(17) } == [91, 90, 90, 90, 90, 90, 90])
    #expect(messages.first { $0.number == 18 }?.value(18) == 90)
    #expect(messages.first { $0.number == 18 }?.value(26) == 7)
    let described = messages.filter { $0.number == 206 }.compactMap { $0.text(3) }
    #expect(described == ["coach_cue", "coach_message", "coach_step"])
    let marked = messages.filter { $0.number == 20 && $0.fields[1_000] != nil }
    #expect(!cues.isEmpty)
    #expect(marked.count == cues.count)
    for (record, cue) in zip(marked, cues) {
      #expect((record.value(253) ?? 0) - begin == cue["atSeconds"] as? Int)
      #expect(record.text(1_001) == cue["message"] as? String)
      let value = ["speedUp": 1, "hold": 0, "slowDown": 255][cue["action"] as? String ?? ""]
      #expect(record.value(1_000) == value)
      #expect(record.value(3) == cue["heartRateBPM"] as? Int)
    }
    // Laps, steps and cues are read again.
    let (file, copy) = (program.folder.url.path + "/run.fit", program.folder.url.path + "/copy.fit")
    let again = try program.run(["export", file, "--as", "fit", "--output", copy])
    #expect(again.status == 0, "\(again.errors)")
    #expect(!again.errors.contains("coach_"), "\(again.errors)")
    let kept = try FITMessage.all(in: Array(Data(contentsOf: URL(fileURLWithPath: copy))))
    let keptLaps = kept.filter { $0.number == 19 }
    for field in [2, 7, 10, 16, 23, 24, 254] {
      #expect(keptLaps.map { $0.value(field) } == laps.map { $0.value(field) }, "field \(field)")
    }
    #expect(keptLaps.map { $0.text(1_002) } == laps.map { $0.text(1_002) })
    #expect(kept.filter { $0.number == 206 }.compactMap { $0.text(3) } == described)
    let keptCues = kept.filter { $0.number == 20 && $0.fields[1_000] != nil }
    for field in [253, 3, 1_000] {
      #expect(keptCues.map { $0.value(field) } == marked.map { $0.value(field) }, "field \(field)")
    }
    #expect(keptCues.map { $0.text(1_001) } == marked.map { $0.text(1_001) })
    let csv = try program.run(["export", file, "--as", "csv", "--output", program.folder.url.path + "/copy.csv"])
    #expect(csv.errors.contains("csv has no place for laps: 7, with the steps of a plan, became one"), "\(csv.errors)")
    #expect(csv.errors.contains("csv has no place for \(cues.count) cues: left out"), "\(csv.errors)")
  }

  @Test("Where nothing counts metres, the session and each lap state those between the positions")
  func positions() throws {
    let lines = Self.placedLines
    let command = #"{"type":"command","id":"1","command":"lap"}"#
    let (messages, _) = try exported(
      (lines.prefix(3 * 201) + [command] + lines.dropFirst(3 * 201)).joined(separator: "\n") + "\n",
      ["--target", "z2", "--strategy", "none"])
    let laps = messages.filter { $0.number == 19 }.compactMap { $0.value(9) }
    let session = try #require(messages.first { $0.number == 18 }?.value(9))
    #expect(abs(session - 168_000) < 500, "\(session)")
    #expect(laps.count == 2)
    #expect(laps.reduce(0, +) == session)
    #expect(abs((laps.first ?? 0) - 80_000) < 900, "\(laps)")
    // The first ended by hand.
    #expect(messages.filter { $0.number == 19 }.map { $0.value(24) } == [0, 7])
  }

  @Test("The laps are in FIT and TCX what the history shows, and both have the energy of the session")
  func agreement() throws {
    let (messages, _) = try exported(
      Self.placedLines.joined(separator: "\n") + "\n",
      ["--plan", Self.plan, "--strategy", "none", "--weight-kg", "70", "--sex", "male"])
    let name = try program.session().lastPathComponent
    let shown = try program.run(["history", "show", name, "--format", "jsonl"])
    let object = try JSONSerialization.jsonObject(with: Data(shown.output.utf8))
    let record = try #require(object as? [String: Any])
    let history = try #require(record["laps"] as? [[String: Any]])
    let meters = history.map { ($0["distanceMeters"] as? NSNumber)?.doubleValue ?? -1 }
    let highest = history.map { $0["maximumHeartRateBPM"] as? Int }
    let mean = history.map { (($0["averageHeartRateBPM"] as? NSNumber)?.doubleValue ?? -1).rounded() }
    #expect(history.count == 7)
    let laps = messages.filter { $0.number == 19 }
    let session = try #require(messages.first { $0.number == 18 })
    #expect(laps.map { $0.value(16) } == highest)
    #expect(laps.map { Double($0.value(15) ?? 0) } == mean)
    let inFIT = laps.map { Double($0.value(9) ?? 0) / 100 }
    for (written, known) in zip(inFIT, meters) { #expect(abs(written - known) < 0.011, "\(inFIT)") }
    #expect(laps.compactMap { $0.value(9) }.reduce(0, +) == session.value(9))
    let energy = try #require(session.value(11))
    #expect((40..<120).contains(energy))

    let file = program.folder.url.appendingPathComponent("run.tcx")
    let export = try program.run(["history", "export", name, "--as", "tcx", "--output", file.path])
    #expect(export.errors.contains("tcx has no place for names of steps: 6 left out"), "\(export.errors)")
    #expect(!export.errors.contains("laps"), "\(export.errors)")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    let texts = { (element: String) in
      lines.filter { $0.hasPrefix("<\(element)>") }.map { line in
        String(line.replacing("<Value>", with: "").dropFirst(element.count + 2).prefix { $0 != "<" })
      }
    }
    #expect(texts("TotalTimeSeconds") == [String](repeating: "60", count: 7))
    #expect(texts("TriggerMethod") == [String](repeating: "Time", count: 6) + ["Manual"])
    #expect(texts("MaximumHeartRateBpm").map { Int($0) } == highest)
    #expect(texts("AverageHeartRateBpm").map { Double($0) } == mean)
    for (written, known) in zip(texts("DistanceMeters"), meters) {
      #expect(abs((Double(written) ?? 0) - known) < 1e-5, "\(written)")
    }
    #expect(texts("Calories").compactMap { Int($0) }.reduce(0, +) == energy)
  }

  @Test("A lap by hand is a lap, and a session without laps and cues has the one it had, and nothing of our own")
  func laps() throws {
    let command = #"{"type":"command","id":"1","command":"lap"}"# + "\n"
    let lines = Self.lines.split(separator: "\n", omittingEmptySubsequences: true)
    let middle = lines.prefix(2 * 201).joined(separator: "\n") + "\n" + command
    let (messages, _) = try exported(
      middle + lines.dropFirst(2 * 201).joined(separator: "\n") + "\n", ["--target", "z2", "--strategy", "none"])
    #expect(messages.filter { $0.number == 19 }.map { $0.value(7) } == [200_000, 220_000])
    #expect(messages.filter { $0.number == 20 }.count == 421)

    let other = try Self.init()
    let plain = try other.exported(Self.lines, ["--target", "z2", "--strategy", "none"]).messages
    #expect(plain.filter { $0.number == 19 }.count == 1)
    #expect(!plain.contains { $0.number == 206 || $0.number == 207 })
  }
}
