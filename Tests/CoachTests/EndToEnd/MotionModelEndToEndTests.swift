import Foundation
import Testing
import TextFormats

/// A model of people who never lived: learned, shown, tested, tuned and written for others.
@Suite("The program: a model of motion")
struct MotionModelEndToEndTests {
  private let program: CoachProgram

  init() throws { program = try CoachProgram() }

  /// Somebody who stands, walks and runs for four seconds each, made of whole numbers alone, so that it is the same everywhere.
  private static func recording(of person: Int, _ labels: [String] = ["stand", "walk", "run"]) -> String {
    var state = 1 + person
    var text = "time_ms,acc_x_mg,acc_y_mg,acc_z_mg,gyro_x_dps,gyro_y_dps,gyro_z_dps,activity\n"
    let swings: [(period: Int, size: Int)] = [(50, 4), (56, 250), (36, 900)]
    for (number, (label, swing)) in zip(labels, swings).enumerated() {
      for point in 0..<400 {
        state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
        let noise = (state >> 16) % 21 - 10
        let wave = swing.size * abs(2 * (point % swing.period) - swing.period) / swing.period
        let values = [
          (number * 400 + point) * 10, noise + 100 * person, wave / 3, 1_000 + wave + noise, wave / 5, noise,
          3 * person,
        ]
        text += values.map(String.init).joined(separator: ",") + ",\(label)\n"
      }
    }
    return text
  }

  /// The files of three people.
  private func recordings() throws -> [String] {
    try ["anna", "bert", "carl"].enumerated().map {
      try program.folder.write(Self.recording(of: $0), to: $1 + "_1.csv")
    }
  }

  private static let learning = ["--network", "compact", "--epochs", "2"]

  private func path(_ name: String) -> String { program.folder.url.appendingPathComponent(name).path }

  private func bytes(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path(name)))) }

  /// A model that has learned from two people.
  private func trained(_ files: [String], _ name: String, threads: Int) throws {
    let outcome = try program.run(
      ["motion", "train"] + files.prefix(2) + ["--model", path(name), "--threads", "\(threads)"] + Self.learning)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.isEmpty, "\(outcome.errors)")
  }

  @Test(
    "Where all recordings are tested it is said that nobody is left, and of turning rates that they are left out as asked"
  )
  func reasons() throws {
    _ = try recordings()
    let folder = program.folder.url.path
    let tested = try program.run(["motion", "evaluate", folder, "--test", folder] + Self.learning)
    #expect(tested.status == 65)
    #expect(tested.errorLines.last?.contains("nobody is left to learn from") == true, "\(tested.errors)")
    let without = try program.run(
      ["motion", "train", folder, "--model", path("a.coachmotion"), "--no-gyroscope"] + Self.learning)
    #expect(without.status == 0, "\(without.errors)")
    #expect(
      without.errorLines.contains("coach: turning rates (gyroscope) are left out: learned from the acceleration alone"),
      "\(without.errors)")
  }

  @Test("What is tested is not learned, however its path is spelt, nor a copy of it; what is given twice counts once")
  func halves() throws {
    let folder = path("people")
    for (person, name) in ["anna", "bert", "carl"].enumerated() {
      try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
      _ = try program.folder.write(Self.recording(of: person), to: "people/\(name)/run_1.csv")
    }
    func tested(_ place: String, _ notice: String? = nil) throws -> NSArray? {
      let outcome = try program.run(
        ["motion", "evaluate", folder, "--test", place, "--format", "json"] + Self.learning)
      #expect(outcome.status == 0, "\(place): \(outcome.errors)")
      #expect(outcome.errorLines.map(String.init) == (notice.map { ["coach: " + $0] } ?? []), "\(place)")
      let record = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
      return record?["byPerson"] as? NSArray
    }
    let plain = try #require(try tested(folder + "/carl"))
    #expect(plain.count == 1)
    #expect((plain.firstObject as? [String: Any])?["person"] as? String == "carl")
    for spelling in ["/./carl", "/anna/../carl/", "/carl/run_1.csv", "/carl/."] {
      #expect(try tested(folder + spelling) == plain, "\(spelling)")
    }
    try FileManager.default.createSymbolicLink(atPath: path("other"), withDestinationPath: folder + "/carl")
    #expect(try tested(path("other")) == plain)
    try FileManager.default.copyItem(atPath: folder + "/carl", toPath: path("copy"))
    let left = path("copy") + "/run_1.csv: left out: the same recording as \(folder)/carl/run_1.csv"
    #expect(try tested(path("copy"), left) == plain)

    let twice = try program.run(
      ["motion", "train", folder, folder + "/./bert", "--model", path("a.coachmotion")] + Self.learning)
    #expect(twice.status == 0, "\(twice.errors)")
    #expect(twice.output.contains("learned from 114 windows of 3 people"), "\(twice.output)")
    #expect(twice.isOneComplaint, "\(twice.errors)")
    #expect(twice.errors.contains("/./bert: adds nothing: what is there was read before"), "\(twice.errors)")
  }

  @Test("What is before a window is shown as it was asked for")
  func past() throws {
    let files = try recordings()
    for past in ["0.5", "2"] {
      let outcome = try program.run(
        ["motion", "train"] + files + ["--model", path("\(past).coachmotion"), "--past", past] + Self.learning)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.output.contains(", windows of 1.00 s and the \(past) s before\n"), "\(outcome.output)")
    }
  }

  @Test("A model has the same bytes on every machine, and is shown, tuned and written for others")
  func model() throws {
    let files = try recordings()
    for (name, threads) in [("one.coachmotion", 1), ("two.coachmotion", 2)] {
      try trained(files, name, threads: threads)
      let written = try bytes(name)
      let hash = SHA256.hex(of: written.span)
      #expect(hash == "c47687443711a2e48dc903280b4006f7e212ff9c31677417946688c34ebe2a25", "\(threads) threads")
    }
    let model = path("one.coachmotion")
    let show = try program.run(["motion", "show", model])
    #expect(show.status == 0, "\(show.errors)")
    #expect(show.output.contains("labels: run, stand, walk\n"), "\(show.output)")
    #expect(show.output.contains("76 windows of 2 people"), "\(show.output)")
    #expect(show.output.contains("one person not learned"), "\(show.output)")
    let export = try program.run(["motion", "export", model, "--as", "onnx", "--output", path("one.onnx")])
    #expect(export.status == 0, "\(export.errors)")
    // The first field of an ONNX file is its version.
    #expect(try bytes("one.onnx").first == 0x08)

    let before = try bytes("one.coachmotion")
    let own = try program.folder.write(Self.recording(of: 3, ["standing", "walk", "spin"]), to: "own_1.csv")
    let unasked = try program.run(["motion", "tune", own, "--model", model])
    #expect(unasked.status == 64)
    #expect(unasked.isOneComplaint, "\(unasked.errors)")
    #expect(unasked.errors.contains("--output FILE"), "\(unasked.errors)")
    let beside = try program.run(["motion", "tune", own, "--model", model, "--output", path("own.coachmotion")])
    #expect(beside.status == 0, "\(beside.errors)")
    #expect(beside.errors.contains("standing: a class of its own beside stand,"), "\(beside.errors)")
    #expect(beside.output.contains("labels: run, stand, walk, spin, standing\n"), "\(beside.output)")
    #expect(try bytes("one.coachmotion") == before)
    let merged = try program.run(["motion", "tune", own, "--model", model, "--merge", "stand=standing", "--force"])
    #expect(merged.status == 0, "\(merged.errors)")
    #expect(merged.errors.isEmpty, "\(merged.errors)")
    #expect(merged.output.contains("labels: run, stand, walk, spin\n"), "\(merged.output)")
    #expect(try bytes("one.coachmotion") != before)
  }

  @Test("A model of weights beyond all that is learned is refused by all who read it, and not written over")
  func hugeWeights() throws {
    let files = try recordings()
    try trained(files, "one.coachmotion", threads: 1)
    var damaged = try bytes("one.coachmotion").dropLast(32)
    let header = (0..<4).reduce(0) { $0 | Int(damaged[12 + $1]) << (8 * $1) }
    // Behind the means and spreads: 3e38 with either sign.
    for number in 1_242..<21_242 {
      let pattern = Float(number % 2 == 0 ? 3e38 : -3e38).bitPattern
      for byte in 0..<4 {
        damaged[16 + header + 4 * number + byte] = UInt8(truncatingIfNeeded: pattern >> (8 * byte))
      }
    }
    var hash = SHA256()
    hash.update(Array(damaged).span)
    let huge = path("huge.coachmotion")
    let written = Array(damaged) + hash.finish()
    try Data(written).write(to: URL(fileURLWithPath: huge))
    for words in [
      ["motion", "recognize", files[0], "--model", huge, "--format", "jsonl"],
      ["motion", "tune", files[2], "--model", huge, "--force"], ["motion", "show", huge],
      ["live", "--recognize", huge, "--age", "30"],
    ] {
      let outcome = try program.run(words)
      #expect(outcome.status == 65, "\(words): \(outcome.errors)")
      #expect(outcome.isOneComplaint, "\(words): \(outcome.errors)")
      #expect(outcome.errors.contains(": a number of 3e+38: expected a magnitude of at most "), "\(outcome.errors)")
    }
    #expect(try bytes("huge.coachmotion") == written)
  }

  @Test("An evaluation gives an interval over people where there are several, and says what it cannot know")
  func evaluation() throws {
    let files = try recordings()
    let all = try program.run(["motion", "evaluate"] + files + Self.learning)
    #expect(all.status == 0, "\(all.errors)")
    #expect(all.errors.isEmpty, "\(all.errors)")
    #expect(all.output.contains("114 windows of 3 people, tested in 3 groups"), "\(all.output)")
    #expect(all.output.contains(" over people"), "\(all.output)")
    let one = try program.run(["motion", "evaluate"] + files + Self.learning + ["--fold", "1"])
    #expect(one.output.contains("38 windows of one person, tested in one group"), "\(one.output)")
    #expect(!one.output.contains(" over people"), "\(one.output)")
    let other = try program.folder.write(Self.recording(of: 4, ["stand", "Walk", "spin"]), to: "dora_1.csv")
    let tested = try program.run(
      ["motion", "evaluate"] + files + Self.learning + ["--test", other, "--format", "json"])
    #expect(tested.status == 0, "\(tested.errors)")
    #expect(tested.output.contains(#""confidence95":null"#), "\(tested.output)")
    #expect(tested.output.contains(#""unlearnedLabels":["Walk","spin"]"#), "\(tested.output)")
    #expect(tested.errors.contains("spin: nobody who was learned from has it"), "\(tested.errors)")
    #expect(tested.errors.contains("Walk, walk: learned as different activities"), "\(tested.errors)")
    let tuned = try program.run(["motion", "evaluate"] + files + Self.learning + ["--tuned", "1"])
    #expect(tuned.status == 65)
    #expect(tuned.isOneComplaint, "\(tuned.errors)")
    #expect(tuned.errors.contains("--tuned 1: nobody who is tested has labelled windows"), "\(tuned.errors)")
  }

  @Test("Several people of a file are recognised apart, and trials are where their times say")
  func peopleAndTrials() throws {
    try trained(try recordings(), "one.coachmotion", threads: 1)
    let model = path("one.coachmotion")
    func rows(_ person: Int, later milliseconds: Int = 0, _ end: String) -> String {
      Self.recording(of: person).split(separator: "\n").dropFirst().map { row in
        let cells = row.split(separator: ",", maxSplits: 1)
        return "\((Int(cells[0]) ?? 0) + milliseconds),\(cells[1]),\(end)\n"
      }.joined()
    }
    let header = Self.recording(of: 0).prefix { $0 != "\n" }
    let both = try program.folder.write("\(header),person\n" + rows(0, "anna") + rows(1, "ben"), to: "both.csv")
    let steps = try program.run(["motion", "steps", both, "--format", "jsonl"])
    #expect(steps.status == 0, "\(steps.errors)")
    #expect(steps.lines.count == 2)
    #expect(steps.lines.first?.contains(#""person":"anna""#) == true, "\(steps.output)")
    let found = try program.run(["motion", "recognize", both, "--model", model, "--format", "jsonl"])
    #expect(found.status == 0, "\(found.errors)")
    #expect(found.lines.count { $0.contains(#""type":"activityTotals","person":"#) } == 2, "\(found.output)")
    #expect(found.lines.allSatisfy { $0.contains(#""person":""#) }, "\(found.output)")
    let text = try program.run(["motion", "recognize", both, "--model", model])
    #expect(text.lines.contains("anna"), "\(text.output)")
    #expect(text.lines.contains("ben"), "\(text.output)")
    let page = try program.run(["motion", "recognize", both, "--model", model, "--output", path("both.html")])
    #expect(page.status == 65)
    #expect(page.errors.contains("of 2 people: expected one for a page"), "\(page.errors)")
    let trials = try program.folder.write(
      "\(header),trial\n" + rows(0, "1") + rows(0, later: 3_600_000, "2"), to: "trials.csv")
    let later = try program.run(["motion", "recognize", trials, "--model", model, "--format", "jsonl"])
    #expect(later.status == 0, "\(later.errors)")
    #expect(later.output.contains(#""fromSeconds":3600"#), "\(later.output)")
  }

  @Test("A folder of recordings is no recording, and unknown no label")
  func refused() throws {
    let folder = path("people")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    for person in 0..<2 { _ = try program.folder.write(Self.recording(of: person), to: "people/p\(person)_1.csv") }
    let files = try recordings()
    try trained(files, "one.coachmotion", threads: 1)
    for words in [["motion", "steps", folder], ["motion", "recognize", folder, "--model", path("one.coachmotion")]] {
      let outcome = try program.run(words)
      #expect(outcome.status == 65)
      #expect(outcome.isOneComplaint, "\(outcome.errors)")
      #expect(outcome.errors.contains("people: a folder: expected one recording"), "\(outcome.errors)")
    }
    let label = try program.run(["history", "label", "latest", "0:05", "0:18", "unknown"])
    #expect(label.status == 64)
    #expect(label.isOneComplaint, "\(label.errors)")
    #expect(label.errors.contains("expected the name of an activity"), "\(label.errors)")
  }
}
