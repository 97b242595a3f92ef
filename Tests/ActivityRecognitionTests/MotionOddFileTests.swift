import Testing
import TextFormats

@testable import ActivityRecognition

private let header = "time_s,acc_x_g,acc_y_g,acc_z_g"

private func read(_ text: String, name: String = "a.csv", mostPoints: Int = MotionLimits.mostPoints) throws
  -> MotionFile
{
  var reader = MotionCSVReader(source: name, mostPoints: mostPoints)
  try reader.feed(text.utf8.span)
  return try reader.finish()
}

private func problem(_ text: String, mostPoints: Int = MotionLimits.mostPoints) -> String? {
  do {
    _ = try read(text, mostPoints: mostPoints)
    return nil
  } catch {
    return "\(error)"
  }
}

/// A time of hundredths of a second.
private func time(_ hundredths: Int) -> String {
  "\(hundredths / 100).\(String(String(hundredths % 100 + 100).dropFirst()))"
}

/// Rows at times of hundredths of a second, whose values differ.
private func rows(_ times: some Sequence<Int>, _ values: String = "0,0,1", end: String = "") -> [String] {
  times.map { "\(time($0)),\(values)\(end)\n" }
}

private func corpus(_ files: MotionFile...) -> MotionCorpus { MotionCorpus(files, personFrom: .session) }

@Suite("Odd files of motion")
struct MotionOddFileTests {
  @Test("Rows of two people, or of two trials, that alternate are those of each", arguments: ["person", "trial"])
  func alternating(column: String) throws {
    let one = rows(0..<100, "0,0,1", end: ",anna")
    let other = rows(0..<100, "0,0.5,1", end: ",ben")
    let file = try read(header + ",\(column)\n" + zip(one, other).map { $0 + $1 }.joined())
    #expect(file.recordings.map { column == "trial" ? $0.trial : $0.statedPerson } == ["anna", "ben"])
    #expect(file.recordings.map(\.samples.count) == [99, 99])
    #expect(file.recordings.map { $0.samples.allSatisfy { $0[1] == 0 } } == [true, false])
    #expect(file.notices.isEmpty)
  }

  @Test(
    "Of columns of one axis of a sensor that is read the first counts, and the others are named",
    arguments: [
      // Names, values behind the time, and what is named.
      ("acc_x_g,acc_y_g,acc_z_g,accel_x", "0,0,1,5", "accel_x"),
      ("acc_x_g,acc_y_g,acc_z_g,acc_x_g,acc_z", "0,0,1,5,5", "acc_x_g, acc_z"),
      ("acc_x_g,acc_y_g,acc_z_g,gyro_x,gyro_y,gyro_z,gyro_z", "0,0,1,0,0,0,9", "gyro_z"),
      ("x,y,z,X", "0,0,1,5", "X"),
      // What is not read is no double: gravity beside an acceleration that has it, half a gyroscope.
      ("acc_x_g,acc_y_g,acc_z_g,gravity_x,gravity_x", "0,0,1,5,6", nil),
      ("acc_x_g,acc_y_g,acc_z_g,gyro_x,gyro_x", "0,0,1,5,6", nil),
    ])
  func doubled(names: String, values: String, leftOut: String?) throws {
    let file = try read("time_s,\(names)\n" + rows(0..<100, values).joined())
    let text = leftOut.map { "columns that hold the same as another one were left out: \($0)" }
    #expect(file.notices.map(\.text).filter { $0.contains("columns that hold") } == (text.map { [$0] } ?? []))
    #expect(file.recordings.first?.samples.allSatisfy { $0[0] == 0 && $0[2] == 1 && $0[5] == 0 } == true)
  }

  @Test(
    "Delimiters that a line states, comments, decimal commas and ends of lines change nothing",
    arguments: ["sep", "quoted sep", "comment", "tab", "quotes", "returns", "mark"], [3, 1 << 20])
  func spelling(of kind: String, piece: Int) throws {
    let plain = header + "\n" + (0..<200).map { "\(time($0)),\($0 % 7 - 3).25,0.125,1.\($0 % 3)5\n" }.joined()
    let commas = { (delimiter: String) in
      plain.split(separator: "\n").map { line in
        line.split(separator: ",").map { field in
          let text = field.replacing(".", with: ",")
          return delimiter == "," ? "\"\(text)\"" : text
        }.joined(separator: delimiter)
      }.joined(separator: "\r\n")
    }
    let text =
      switch kind {
      case "sep": "sep=;\r\n" + commas(";")
      case "quoted sep": "\"sep=\t\"\n\n" + commas("\t")
      case "comment": "# made by hand\n\n" + plain
      case "tab": commas("\t")
      case "quotes": commas(",")
      case "returns": plain.replacing("\n", with: "\r")
      default: "\u{FEFF}" + plain
      }
    var reader = MotionCSVReader(source: "a.csv")
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: piece) {
      try reader.feed(bytes[start..<min(bytes.count, start + piece)].span)
    }
    let (found, expected) = (try reader.finish(), try read(plain))
    #expect(found.recordings.map(\.samples) == expected.recordings.map(\.samples))
    #expect(found.recordings.map(\.startSeconds) == expected.recordings.map(\.startSeconds))
    #expect(found.notices == expected.notices)
  }

  @Test("Units in the row below the names count as those in brackets do")
  func unitsBelow() throws {
    let values = (0..<200).map { "\(time($0)),\($0 % 7 - 3).25,0.125,9.\($0 % 3)5\n" }.joined()
    let below = try read("time,acc_x,acc_y,acc_z\ns,m/s^2,m/s^2,m/s^2\n" + values)
    let beside = try read("time (s),acc_x (m/s^2),acc_y (m/s^2),acc_z (m/s^2)\n" + values)
    #expect(below.recordings.map(\.samples) == beside.recordings.map(\.samples))
    #expect(below.notices == beside.notices)
  }

  @Test("A comma that could divide thousands is no decimal comma, and a delimiter that is not read is said")
  func ambiguous() {
    let thousands = (0..<100).map { "\(time($0))\t\"1,\($0 + 100)\"\t\"1,000\"\t\"9,810\"\n" }.joined()
    #expect(
      problem(header.replacing(",", with: "\t") + "\n" + thousands)
        == "a.csv: line 2: 100 of 100 rows cannot be read: expected 4 columns with numbers")
    #expect(
      problem("sep=|\n" + header) == "a.csv: line 1: fields divided by '|': expected a comma, a semicolon or a tab")
  }

  @Test("A trial that comes back goes on at its time, and pieces stay in the order of their rows")
  func returning() throws {
    let file = try read(
      header + ",trial\n" + rows(0..<50, end: ",a").joined() + rows(60..<110, end: ",b").joined()
        + rows(120..<170, end: ",a").joined())
    #expect(file.recordings.map(\.trial) == ["a", "b", "a"])
    #expect(file.recordings.map(\.startSeconds) == [0, 0, 1.2])
  }

  @Test("A row that no other of its trial is near is counted, and a file of such alone refused")
  func lonely() throws {
    let file = try read(
      header + ",trial\n" + rows(0..<50, end: ",a").joined() + "7,0,0,1,b\n" + rows([200], end: ",a").joined()
        + rows(300..<350, end: ",a").joined())
    #expect(file.recordings.count == 2)
    #expect(
      file.notices.map(\.text) == [
        "2 gaps of more than half a second",
        "2 rows without another of the trial within half a second, left out, first in line 52",
      ])
    let alone = (0..<30).map { "\($0),0,0,1,\($0)\n" }.joined()
    #expect(
      problem(header + ",trial\n" + alone)
        == "a.csv: line 2: no two rows of a trial within half a second of each other: expected 20 to 200 samples a second"
    )
  }

  @Test("Names of trials are at most so many")
  func manyTrials() {
    let text = (0...100_000).map { "0,0,0,1,\($0)\n" }.joined()
    #expect(
      problem(header + ",trial\n" + text)
        == "a.csv: line 100002: more than 100000 trials, or names of them of more than 16 MiB: expected the names of people "
        + "and trials")
  }

  @Test("A file that is too long is refused with its line before it is brought onto the grid")
  func tooLong() throws {
    let text = header + "\n" + rows(0..<50).joined() + rows(stride(from: 200, to: 400, by: 5)).joined()
    #expect(try read(text, mostPoints: 49 + 195).recordings.map(\.samples.count) == [49, 195])
    #expect(
      problem(text, mostPoints: 49 + 194)
        == "a.csv: line 52: more than 33 hours of motion: expected fewer recordings")
  }

  @Test(
    "Times that begin anew, or step back and go on, are of another stretch behind the one before", arguments: [0, 100])
  func anew(from begin: Int) throws {
    let first = rows(0..<300, "0,0,1")
    let second = rows(begin..<begin + 200, "0,0.5,1")
    let file = try read(header + "\n" + (first + second).joined())
    #expect(file.recordings.map(\.startSeconds) == [0, 2.99])
    #expect(file.recordings.map(\.samples.count) == [299, 199])
    #expect(file.recordings.first?.samples.allSatisfy { $0[1] == 0 } == true)
    #expect(file.recordings.last?.samples.allSatisfy { $0[1] == 0.5 } == true)
    #expect(
      file.notices.map(\.text) == [
        "1 place where times begin anew, behind which another stretch begins, first in line 302"
      ])
    let third = try read(header + "\n" + (first + second + rows(0..<100, "0.5,0,1")).joined())
    #expect(third.recordings.map(\.startSeconds) == [0, 2.99, 4.98], "from \(begin)")
  }

  @Test(
    "Rows that are late fill what was left open: single ones, whole seconds, rows twice and from the last to the first")
  func late() throws {
    let all = (0..<400).map { "\(time($0)),0,\(Double($0 % 7) / 8),1\n" }
    let forward = try read(header + "\n" + all.joined())
    let orders: [[Range<Int>]] = [
      // A second that comes after the one behind it.
      [0..<100, 200..<300, 100..<200, 300..<400],
      // Two rows that come a second late.
      [0..<100, 102..<202, 100..<102, 202..<400],
      // Five that do, from a hole in what was there.
      [0..<100, 105..<205, 100..<105, 205..<400],
      // A second twice.
      [0..<300, 200..<300, 300..<400],
      // From the last to the first.
      all.indices.reversed().map { $0..<$0 + 1 },
    ]
    for (number, order) in orders.enumerated() {
      let ordered = order.flatMap { all[$0] }
      let file = try read(header + "\n" + ordered.joined())
      #expect(file.recordings.map(\.samples) == forward.recordings.map(\.samples), "\(number)")
      #expect(!file.notices.contains { $0.text.contains("anew") }, "\(number)")
    }
  }

  @Test("Rows that leap about by thousands are read in time", .timeLimit(.minutes(1)))
  func leaping() throws {
    let text = (0..<39_999).map { row in
      let block = row / 3
      return "\(time((block % 2 == 0 ? 3 * block : 120_000 - 3 * block) + row % 3)),0,0,1\n"
    }
    #expect(try read(header + "\n" + text.joined()).recordings.count >= 1)
  }

  @Test("Trials are where their times say in time, behind each other where these begin anew, for each person")
  func timeline() throws {
    func starts(_ parts: [(times: Range<Int>, names: String)]) throws -> [Double] {
      try read(header + ",person,trial\n" + parts.flatMap { rows($0.times, end: ",\($0.names)") }.joined())
        .recordings.map { $0.trialStartSeconds + $0.startSeconds }
    }
    #expect(try starts([(0..<201, "anna,1"), (360_000..<360_100, "anna,2")]) == [0, 3600])
    #expect(try starts([(0..<201, "anna,1"), (0..<101, "anna,2"), (0..<100, "anna,3")]) == [0, 2, 3])
    #expect(try starts([(0..<201, "anna,1"), (0..<101, "ben,1"), (500..<600, "anna,2")]) == [0, 0, 5])
  }

  @Test("What is said to be g and looks like m/s² is read so, and what looks like nothing is refused")
  func wrongUnit() throws {
    let wrong = try read(header + "\n" + rows(0..<100, "0,0,9.80665").joined())
    #expect(
      wrong.notices.map(\.text) == [
        "the names of the columns say acceleration in g, which looks like m/s² and is read so"
      ])
    let sample = try #require(corpus(wrong).recordings.first?.samples.first)
    #expect(abs(sample[2] - 1) < 1e-5)
    #expect(
      problem(header + "\n" + rows(0..<100, "0,0,16384").joined())
        == "a.csv: line 2: an acceleration of 16384.0 g in the mean: expected that of a person, in g, mg or m/s²")
    #expect(
      problem("time_s,acc_x,acc_y,acc_z\n" + rows(0..<100, "0,0,16384").joined())
        == "a.csv: line 2: an acceleration of 16384.0 in the mean: expected that of a person, in g, mg or m/s²")
    let turning = try read(
      header + ",gyro_x_rad_s,gyro_y_rad_s,gyro_z_rad_s\n" + rows(0..<100, "0,0,1,90,0,0").joined())
    #expect(
      turning.notices.map(\.text) == [
        "the names of the columns say rotation in rad/s, which looks like °/s and is read so"
      ])
    #expect(abs((corpus(turning).recordings.first?.samples.first?[3] ?? 0) - .pi / 2) < 1e-5)
  }

  @Test("Thousandths of g without a unit are read as such")
  func thousandths() throws {
    let thousandths = corpus(try read("time_s,acc_x,acc_y,acc_z\n" + rows(0..<100, "0,0,1000").joined()))
    #expect(abs((thousandths.recordings.first?.samples.first?[2] ?? 0) - 1) < 1e-5)
    #expect(thousandths.notices.map(\.text) == ["the names of the columns have no unit, taken for acceleration in mg"])
  }

  @Test("Each axis is in the unit of its own name, gravity too")
  func unitsOfAxes() throws {
    let mixed = corpus(
      try read("time_s,acc_x_g,acc_y (m/s^2),acc_z\n" + rows(0..<100, "0.5,4.903325,0.5").joined()))
    let sample = try #require(mixed.recordings.first?.samples.first)
    #expect((0..<3).allSatisfy { abs(sample[$0] - 0.5) < 1e-5 })
    let user = "userAcceleration.x (m/s^2),userAcceleration.y (m/s^2),userAcceleration.z (m/s^2)"
    let gravity = corpus(
      try read("time_s,\(user),gravity.x (g),gravity.y (g),gravity.z (g)\n" + rows(0..<100, "0,0,0,0,0,-1").joined()))
    #expect(abs((gravity.recordings.first?.samples.first?[2] ?? 0) + 1) < 1e-5)
  }

  @Test("A row that glitches decides the unit of nothing")
  func glitches() throws {
    let names = "time_s,acc_x,acc_y,acc_z,gyro_x,gyro_y,gyro_z\n"
    func guesses(_ glitch: String) throws -> [String] {
      let text = rows(0..<100, "0,0,1,2,0,0") + rows(100..<102, glitch) + rows(102..<200, "0,0,1,2,0,0")
      return corpus(try read(names + text.joined())).notices.map(\.text)
    }
    let expected = ["the names of the columns have no unit, taken for acceleration in g, rotation in rad/s"]
    #expect(try guesses("0,0,1,40,0,0") == expected)
    #expect(try guesses("0,4000,1,2,0,0") == expected)
  }

  @Test("A file that is plainly in another unit than others with its columns is read so, and that is said")
  func otherUnit() throws {
    let names = "time_s,acc_x,acc_y,acc_z\n"
    let metric = try (0..<3).map { try read(names + rows(0..<100, "0,0,9.8").joined(), name: "m\($0).csv") }
    let plain = try read(names + rows(0..<100, "0,0,1").joined(), name: "g.csv")
    for files in [metric + [plain], [plain] + metric] {
      let corpus = MotionCorpus(files, personFrom: .file)
      #expect(corpus.recordings.allSatisfy { abs($0.samples[0][2] - 1) < 0.01 })
      #expect(
        corpus.notices.filter { $0.source == "g.csv" }.map(\.text) == [
          "the names of the columns have no unit, taken for acceleration in g, unlike in other files with these columns"
        ])
    }
    let one = MotionCorpus([plain, plain, plain, metric[0]], personFrom: .file)
    #expect(one.recordings.allSatisfy { abs($0.samples[0][2] - 1) < 0.01 })
  }

  @Test("A trial at another rate is left out where it is small, else refused with its line and name")
  func unusualTrial() throws {
    let stray = header + ",trial\n" + rows(0..<100, end: ",1").joined() + "0,0,0,1,2\n5,0,0,1,2\n"
    #expect(
      try read(stray).notices.map(\.text) == [
        "2 rows of trials at other than 20 to 200 samples a second, left out, first in line 102"
      ])
    let good = rows(0..<100, end: ",1").joined()
    let first = try read("time,acc_x_g,acc_y_g,acc_z_g,trial\n0,0,0,1,2\n5,0,0,1,2\n" + good)
    #expect(first.recordings.map(\.trial) == ["1"])
    let large =
      header + ",trial\n" + rows(0..<100, end: ",1").joined()
      + rows(stride(from: 0, to: 1_000, by: 100), end: ",2").joined()
    #expect(problem(large) == "a.csv: line 102: trial 2: 1.0 samples a second: expected 20 to 200")
  }

  @Test(
    "Rates that are not usual are said, and what makes them",
    arguments: [
      (15, "15.2 samples a second by times in milliseconds"), (250, "250.0 samples a second by times in milliseconds"),
    ])
  func rates(rate: Int, expected: String) {
    let text = (0..<100).map { "\($0 * (1000 / rate)),0,0,1\n" }.joined()
    #expect(problem("timestamp,acc_x_g,acc_y_g,acc_z_g\n" + text) == "a.csv: line 2: \(expected): expected 20 to 200")
  }

  @Test("Batches of rows with one time, and times that never change, are said to be so")
  func sameTimes() {
    let batches = (0..<100).map { "\($0 / 10 * 100),0,0,1\n" }.joined()
    #expect(
      problem("timestamp,acc_x_g,acc_y_g,acc_z_g\n" + batches)
        == "a.csv: line 2: 10.0 samples a second by times in milliseconds, for 90 of 100 rows have the time of the one before: "
        + "expected 20 to 200")
    #expect(
      problem(header + "\n" + (0..<30).map { _ in "7,0,0,1\n" }.joined())
        == "a.csv: line 2: all 30 times are the same: expected 20 to 200 samples a second")
  }

  @Test("A date among numbers, and a number among dates, is a row that cannot be read")
  func mixedTimes() throws {
    let date = "2026-11-22T10:00:00Z,0,0,1\n"
    let numbers = try read("time_ms,acc_x_g,acc_y_g,acc_z_g\n" + (0..<50).map { "\($0 * 10),0,0,1\n" }.joined() + date)
    #expect(numbers.recordings.first?.sampledHz == 100)
    #expect(numbers.notices.map(\.text) == ["1 row cannot be read, left out, first in line 52"])
  }
}
