import Testing
import TextFormats

@testable import ActivityRecognition

private func read(_ text: String, name: String = "a.csv") throws -> MotionFile {
  var reader = MotionCSVReader(source: name)
  try reader.feed(text.utf8.span)
  return try reader.finish()
}

private func problem(_ text: String) -> String? {
  do {
    _ = try read(text)
    return nil
  } catch {
    return "\(error)"
  }
}

/// Rows every `step` of the file's unit with the same values.
private func rows(_ count: Int, step: Double, _ values: String, from: Double = 0) -> String {
  (0..<count).map { "\(from + Double($0) * step),\(values)\n" }.joined()
}

@Suite("Motion in CSVs")
struct MotionReadingTests {
  @Test(
    "Columns are known by their usual spellings",
    arguments: [
      ("acc_x", MotionColumnName.Quantity.acceleration, 0, nil), ("x_acc", .acceleration, 0, nil),
      ("accelY", .acceleration, 1, nil), ("acc_z_g", .acceleration, 2, 1),
      ("userAcceleration.x", .userAcceleration, 0, nil), ("gravity.y", .gravity, 1, nil),
      ("Acceleration z (m/s^2)", .acceleration, 2, 1 / 9.80665), ("gyro_x_rad_s", .rotationRate, 0, 1),
      ("z_gyro", .rotationRate, 2, nil), ("rotationRate.x", .rotationRate, 0, nil),
      ("Gyroscope y (deg/s)", .rotationRate, 1, Double.pi / 180), ("ax", .acceleration, 0, nil),
      ("gz", .rotationRate, 2, nil), ("gFx", .acceleration, 0, nil), ("wy", .rotationRate, 1, nil),
      ("accelerometerAccelerationZ(G)", .acceleration, 2, 1), ("motionRotationRateX(rad/s)", .rotationRate, 0, 1),
      ("body_gyro_x", .rotationRate, 0, nil),
      ("mag_x", .magneticField, 0, 1), ("magneticField.z", .magneticField, 2, 1),
    ] as [(String, MotionColumnName.Quantity, Int, Double?)])
  func spellings(name: String, quantity: MotionColumnName.Quantity, axis: Int, factor: Double?) throws {
    let column = try #require(MotionColumnName(name))
    #expect(column.quantity == quantity)
    #expect(column.axis == axis)
    #expect(column.factor == factor)
  }

  @Test(
    "Other columns are none of motion",
    arguments: ["label", "time_s", "heart_rate", "accuracy", "", "attitude.roll", "temperature"])
  func otherNames(name: String) {
    #expect(MotionColumnName(name) == nil)
  }

  @Test("Values between samples are interpolated, and a label is that of the last sample before")
  func grid() throws {
    let file = try read("time_s,acc_x_g,acc_y_g,acc_z_g,label\n0,0,0,1,a\n0.02,2,0,1,b\n0.04,4,0,1,b\n0.06,4,0,1,b\n")
    let recording = try #require(file.recordings.first)
    #expect(recording.samples.map { $0[0] } == [0, 1, 2, 3, 4, 4])
    #expect(recording.labels == [0, 0, 1, 1, 1, 1])
    #expect(file.labels == ["a", "b"])
    #expect(recording.sampledHz == 50)
    #expect(!recording.hasRotationRate)
  }

  @Test(
    "Times are in the unit that gives a usual rate, or in the one that is named",
    arguments: [
      ("time", 0.02), ("timestamp", 20), ("t", 20_000), ("timestamp", 2e7), ("time_ms", 20), ("seconds_elapsed", 0.02),
      ("Zeit (s)", 0.02), ("Zeit", 0.02), ("Zeitstempel", 20), ("Sekunden", 0.02), ("at_s", 0.02), ("utc", 20),
      ("Zeit (ms)", 20), ("zeitstempel_us", 20_000), ("zeit_ns", 2e7),
    ])
  func timeUnits(name: String, step: Double) throws {
    let file = try read("\(name),acc_x,acc_y,acc_z\n" + rows(51, step: step, "0,0,1"))
    #expect(file.recordings.first?.samples.count == 100)
  }

  @Test("A column of times that is named as motion usually has it goes before others, wherever it stands")
  func otherTimes() throws {
    let text = "utc,acc_x_g,acc_y_g,acc_z_g,time_s\n" + (0..<51).map { "7,0,0,1,\(Double($0) / 50)\n" }.joined()
    #expect(try read(text).recordings.first?.samples.count == 100)
  }

  @Test("Rows from the last to the first are sorted, and those at a time that was there are counted")
  func orderOfRows() throws {
    let header = "time_s,acc_x_g,acc_y_g,acc_z_g\n"
    let lines = (0..<100).map { "\(Double($0) / 50),0,0,\(Double($0 % 7) / 8 + 0.5)\n" }
    let forward = try read(header + lines.joined())
    #expect(forward.notices.isEmpty)
    let backward = try read(header + lines.reversed().joined())
    #expect(backward.recordings.first?.samples == forward.recordings.first?.samples)
    #expect(backward.recordings.first?.sampledHz == 50)
    #expect(backward.notices.map(\.text) == ["99 rows out of order of time, sorted"])
    // Of rows in no order within blocks of ten the usual step is not that from one row to the next, in whatever unit.
    let mixed = (0..<100).map { $0 / 10 * 10 + $0 % 10 * 7 % 10 }
    let shuffled = try read(header + mixed.map { lines[$0] }.joined())
    #expect(shuffled.recordings.map(\.samples) == forward.recordings.map(\.samples))
    #expect(shuffled.recordings.first?.sampledHz == 50)
    let thousandths = mixed.map { "\($0 * 20),0,0,1\n" }
    #expect(try read("t,acc_x_g,acc_y_g,acc_z_g\n" + thousandths.joined()).recordings.first?.sampledHz == 50)
    let again = lines.enumerated().map { $0 % 10 == 5 ? $1 + $1.replacing(",0,0,", with: ",9,9,") : $1 }
    let repeated = try read(header + again.joined())
    #expect(repeated.recordings.first?.samples == forward.recordings.first?.samples)
    #expect(repeated.notices.map(\.text) == ["10 rows at the time of one before, of which the first counts"])
  }

  @Test("A gap of more than half a second begins another recording, and so does a trial")
  func gaps() throws {
    let gap = try read(
      "time_s,acc_x_g,acc_y_g,acc_z_g\n" + rows(50, step: 0.01, "0,0,1") + rows(50, step: 0.01, "0,0,1", from: 2))
    #expect(gap.recordings.map(\.startSeconds) == [0, 2])
    #expect(gap.notices.map(\.text) == ["1 gap of more than half a second"])
    let trials = try read(
      "time_s,acc_x_g,acc_y_g,acc_z_g,trial\n" + rows(50, step: 0.01, "0,0,1,first")
        + rows(50, step: 0.01, "0,0,1,second"))
    #expect(trials.recordings.map(\.trial) == ["first", "second"])
    #expect(trials.recordings.map(\.startSeconds) == [0, 0])
  }

  @Test("Units that nobody names are guessed by all files with the same columns, and it is said")
  func guessedUnits() throws {
    let header = "time_s,acc_x,acc_y,acc_z,gyro_x,gyro_y,gyro_z\n"
    let quiet = try read(header + rows(100, step: 0.01, "0,0,9.81,1,0,0"), name: "a_1.csv")
    let fast = try read(header + rows(100, step: 0.01, "0,0,9.81,180,0,0"), name: "b_1.csv")
    let corpus = MotionCorpus([quiet, fast], personFrom: .file)
    let sample = try #require(corpus.recordings.last?.samples.first)
    #expect(abs(sample[2] - 1) < 0.001)
    #expect(abs(sample[3] - .pi) < 0.001)
    let first = try #require(corpus.recordings.first?.samples.first)
    #expect(abs(first[3] - .pi / 180) < 0.001)
    #expect(
      MotionNotice.lines(corpus.notices) == [
        "2 files, first a_1.csv: the names of the columns have no unit, taken for acceleration in m/s², rotation in °/s"
      ])
    #expect(corpus.people == ["a", "b"])
  }

  @Test(
    "What cannot be read is refused in one line that says where",
    arguments: [
      ("", "a.csv: line 1: expected a header with the names of columns, found no line"),
      (
        "time_s,speed\n1,2\n",
        "a.csv: line 1: expected columns of acceleration, such as acc_x, acc_y, acc_z, found time_s, speed"
      ),
      (
        "a,b,c,d,e,f,g,h,i,j\n1\n",
        "a.csv: line 1: expected columns of acceleration, such as acc_x, acc_y, acc_z, found a, b, c, d, e, f, g, h "
          + "and 2 more"
      ),
      (
        "acc_x,acc_y,acc_z\n1,2,3\n",
        "a.csv: line 1: expected a column of times, such as time_s or timestamp, found acc_x, acc_y, acc_z"
      ),
      ("time_s,acc_x,acc_y,acc_z\n", "a.csv: line 2: expected rows with acceleration, found none"),
      (
        "time_s,acc_x,acc_y,acc_z\n0,1,x,3\n",
        "a.csv: line 2: 1 of 1 rows cannot be read: expected 4 columns with numbers"
      ),
      (
        "time_s,acc_x,acc_y,acc_z\n0,1,2,3\n0.1,1,2,3\n0.2,1,2,3\n",
        "a.csv: line 2: 10.0 samples a second: expected 20 to 200"
      ),
      (
        "time,acc_x,acc_y,acc_z\n0,1,2,3\n700,1,2,3\n1400,1,2,3\n",
        "a.csv: line 2: the unit of the times is not known, mostly 700.0 from one to the next: expected 20 to 200 samples a "
          + "second"
      ),
    ])
  func refused(text: String, expected: String) {
    #expect(problem(text) == expected)
  }

  @Test("Gravity is added where a column has it, and its absence is said")
  func gravity() throws {
    let header = "time_s,userAcceleration.x,userAcceleration.y,userAcceleration.z"
    let added = try read(header + ",gravity.x,gravity.y,gravity.z\n" + rows(50, step: 0.02, "0.5,0,0,0,0,-1"))
    #expect(added.recordings.first?.samples.first == SIMD8(0.5, 0, -1, 0, 0, 0, 0, 0))
    #expect(added.notices.isEmpty)
    let without = try read(header + "\n" + rows(50, step: 0.02, "0.5,0,0"))
    #expect(
      without.notices.map(\.text) == ["the acceleration has no gravity in it, which most of what is looked at needs"])
  }

  @Test("Columns called by the axes alone are acceleration")
  func bareAxes() throws {
    let file = try read("time,seconds_elapsed,z,y,x\n" + rows(50, step: 2e7, "0,3,2,1", from: 1.6e18))
    #expect(file.recordings.first?.samples.first == SIMD8(1, 2, 3, 0, 0, 0, 0, 0))
    #expect(file.recordings.first?.sampledHz == 50)
  }

  @Test(
    "Times of day are read alone, behind a date in any order and beside one, and go on at midnight",
    arguments: [
      ("time", ""), ("timestamp", "11/27/2026 "), ("datetime", "27.11.2026 "), ("Date,Time", "2026-11-27,"),
      ("Date,Time", "27/11/2026,"), ("elapsed", ""),
    ])
  func timesOfDay(names: String, before: String) throws {
    var text = names + ",acc_x_g,acc_y_g,acc_z_g\n"
    for sample in 0..<200 {
      let (seconds, part) = ((86_398 + sample / 50) % 86_400, sample % 50 * 20)
      let two = { (number: Int) in (number < 10 ? "0" : "") + "\(number)" }
      let clock = [seconds / 3_600, seconds / 60 % 60, seconds % 60].map(two).joined(separator: ":")
      text += "\(before)\(clock).\(part < 100 ? "0" : "")\(two(part)),\(Double(sample) / 100),0,1\n"
    }
    let file = try read(text)
    let recording = try #require(file.recordings.first)
    #expect(file.recordings.count == 1)
    #expect(abs(recording.sampledHz - 50) < 0.01)
    #expect(abs(recording.samples.count - 398) <= 1)
    #expect(recording.samples.indices.allSatisfy { abs(recording.samples[$0][0] - Float($0) / 200) < 0.0005 })
  }

  @Test("A time of day among numbers, one without seconds, and one of years later are rows that cannot be read")
  func oddTimesOfDay() throws {
    let header = "time,acc_x_g,acc_y_g,acc_z_g\n"
    for odd in ["10:00:00.5", "10:00", "27.11.2026", ":", "x 10:00:00", "25:00:00"] {
      let file = try read(header + rows(100, step: 0.02, "0,0,1") + "\(odd),0,0,1\n")
      #expect(file.notices.map(\.text) == ["1 row cannot be read, left out, first in line 102"], "\(odd)")
    }
    for odd in ["10:00", ":", " :", "t:", "1x:00:00"] {
      #expect(problem(header + "\(odd),0,0,1\n") != nil, "\(odd)")
    }
    // None of these is on another day than the one before.
    var clock = MotionClock()
    var last: Double?
    for row in 0..<40_000 { last = clock.seconds(["00:00:00", "11:59:59"][row % 2].utf8.span) }
    #expect(last == 43_199)
    // A day in three rows.
    for row in 0..<120_001 { last = clock.seconds(["00:00:00", "08:00:00", "16:00:00"][row % 3].utf8.span) }
    #expect(last == nil)
  }

  @Test(
    "Labels are known by other names where no usual one is there",
    arguments: [
      ("activity_id", "7", "7"), ("act,activity", "x,walk", "walk"), ("Activity,ActivityID", "walk,3", "walk"),
      ("class_label", "walk", "walk"),
    ])
  func labelNames(names: String, values: String, label: String) throws {
    let file = try read("time_s,\(names),acc_x_g,acc_y_g,acc_z_g\n" + rows(100, step: 0.02, values + ",0,0,1"))
    #expect(file.labels == [label])
  }

  @Test("The times of SensorLog are dates in a column whose brackets hold no unit")
  func sensorLog() throws {
    let body = (0..<50).map { index in
      let time = index * 20
      return "2026-03-21 10:52:0\(time / 1000).\(String(String(time % 1000 + 1000).dropFirst())) +0100,\(index),0,0,1\n"
    }
    let file = try read(
      "loggingTime(txt),loggingSample(N),accelerometerAccelerationX(G),accelerometerAccelerationY(G),"
        + "accelerometerAccelerationZ(G)\n" + body.joined())
    // Of seconds since 1970 a tenth of a microsecond is left.
    #expect(try (#require(file.recordings.first?.sampledHz) - 50).magnitude < 1e-3)
    #expect(file.recordings.first?.samples.last == SIMD8(0, 0, 1, 0, 0, 0, 0, 0))
  }

  @Test("A row or two that cannot be read are left out and counted")
  func leftOutRows() throws {
    let file = try read(
      "time_s,acc_x_g,acc_y_g,acc_z_g\n" + rows(50, step: 0.01, "0,0,1") + "0.5,0,0\n0.5,,,\n"
        + rows(50, step: 0.01, "0,0,1", from: 0.51))
    #expect(
      file.notices.map(\.text) == [
        "1 row cannot be read, left out, first in line 52", "1 row without acceleration, left out, first in line 53",
      ])
  }

  @Test("A row or two without turning rates are left out and counted, and take them from no other row")
  func turnlessRows() throws {
    let header = "time_s,acc_x_g,acc_y_g,acc_z_g,gyro_x_rad_s,gyro_y_rad_s,gyro_z_rad_s\n"
    let file = try read(
      header + "0,0,0,1,,,\n" + rows(30, step: 0.01, "0,0,1,1,2,3", from: 0.01) + "0.31,0,0,9,,,\n"
        + rows(30, step: 0.01, "0,0,1,1,2,3", from: 0.32))
    let recording = try #require(file.recordings.first)
    #expect(recording.hasRotationRate)
    #expect(recording.samples.allSatisfy { $0 == SIMD8(0, 0, 1, 1, 2, 3, 0, 0) })
    #expect(file.notices.map(\.text) == ["2 rows without turning rates, left out, first in line 2"])
  }

  @Test("A trial in which more rows than that lack turning rates has none, and that is said with the line")
  func halfTurning() throws {
    let header = "time_s,acc_x_g,acc_y_g,acc_z_g,gyro_x_rad_s,gyro_y_rad_s,gyro_z_rad_s\n"
    let half = try read(
      header + rows(20, step: 0.01, "0,0,1,1,2,3") + rows(2, step: 0.01, "0,0,1,,,", from: 0.2)
        + rows(10, step: 0.01, "0,0,1,1,2,3", from: 0.22))
    let recording = try #require(half.recordings.first)
    #expect(!recording.hasRotationRate)
    #expect(recording.samples.count == 31)
    #expect(recording.samples.allSatisfy { $0 == SIMD8(0, 0, 1, 0, 0, 0, 0, 0) })
    #expect(
      half.notices.map(\.text) == [
        "2 rows without turning rates, more than one in twenty of a trial, which is read as of a device without a gyroscope, "
          + "first in line 22"
      ])
    let none = try read(header + rows(30, step: 0.01, "0,0,1,,,"))
    #expect(none.recordings.first?.hasRotationRate == false)
    #expect(none.notices.isEmpty)
  }

  @Test("A text cut anywhere gives what stands before the cut, or one line", arguments: [7 as UInt64, 8])
  func cutAnywhere(seed: UInt64) {
    let whole = "time_s,acc_x_g,acc_y_g,acc_z_g,label\n" + rows(30, step: 0.02, "0.5,-1e-2,1,walk")
    for count in 0..<whole.utf8.count {
      let text = String(decoding: whole.utf8.prefix(count), as: UTF8.self)
      if let line = problem(text) { #expect(!line.contains("\n"), "cut at \(count)") }
    }
  }

  @Test("What files have in common is one line, with how many they have at least and at most")
  func noticesInCommon() {
    func notice(_ number: Int, _ noun: String, _ problem: String, _ source: String, line: Int? = nil) -> MotionNotice {
      MotionNotice(
        .init(number: number, noun: noun), problem: problem, position: line.map { ", first in line \($0)" } ?? "",
        source: source)
    }
    let (repeated, unreadable) = ("at the time of one before, of which the first counts", "cannot be read, left out")
    let lines = MotionNotice.lines([
      notice(1, "row", repeated, "a.csv"), MotionNotice(text: "no gravity", source: "a.csv"),
      notice(6, "row", repeated, "b.csv"), notice(2, "row", unreadable, "b.csv", line: 5),
      MotionNotice(text: "no gravity", source: "b.csv"), notice(3, "row", repeated, "c.csv"),
      notice(2, "row", unreadable, "d.csv", line: 9), notice(1, "gap", "of more than half a second", "d.csv"),
    ])
    #expect(
      lines == [
        "3 files, first a.csv: 1 to 6 rows \(repeated)", "2 files, first a.csv: no gravity",
        "2 files, first b.csv: 2 rows cannot be read, left out, first in line 5",
        "d.csv: 1 gap of more than half a second",
      ])
  }

  @Test("The person is the one that is named, or the folder of several, or the beginning of the file's name")
  func persons() throws {
    let body = rows(50, step: 0.01, "0,0,1")
    func corpus(_ names: [String], _ source: MotionPersonSource) throws -> [String] {
      MotionCorpus(try names.map { try read("time_s,acc_x_g,acc_y_g,acc_z_g\n" + body, name: $0) }, personFrom: source)
        .people
    }
    let byFile = try corpus(["d/s07_02_sw.csv", "d/s07_03_sw.csv", "d/s08_01_sw.csv"], .session)
    #expect(byFile == ["s07", "s08"])
    let folders = try corpus(["ada/walk.csv", "ben/walk.csv"], .session)
    #expect(folders == ["ada", "ben"])
    let files = try corpus(["ada/walk.csv", "ben/walk.csv"], .file)
    #expect(files == ["walk"])
    let folder = try corpus(["d/s07_02.csv", "d/s08_02.csv"], .folder)
    #expect(folder == ["d"])
    func tested(_ names: [String], beside others: [String]) throws -> [String] {
      let files = try (others + names).map { try read("time_s,acc_x_g,acc_y_g,acc_z_g\n" + body, name: $0) }
      return MotionCorpus(files, personFrom: .session, tested: Set(names)).people
    }
    let halves = try tested(["t/s09_01.csv", "t/s10_01.csv"], beside: ["d/s07_02.csv", "d/s08_02.csv"])
    #expect(halves == ["s07", "s08", "s09", "s10"])
    // One rule for both halves, or somebody would be another person in the other one.
    let one = try tested(["cy/walk.csv"], beside: ["ada/walk.csv", "ben/walk.csv", "cy/run.csv"])
    #expect(one == ["ada", "ben", "cy"])
    let others = try tested(["ada/walk.csv", "ben/walk.csv"], beside: ["cy/walk.csv"])
    #expect(others == ["ada", "ben", "cy"])
    let named = try read("time_s,acc_x_g,acc_y_g,acc_z_g,subject\n" + rows(50, step: 0.01, "0,0,1,eve"))
    #expect(MotionCorpus([named], personFrom: .session).people == ["eve"])
  }
  @Test("Sessions without a person are of one person for each folder in which they lie, which is said")
  func personsOfSessions() throws {
    let header = "time_s,acc_x_g,acc_y_g,acc_z_g,person\n"
    func session(_ number: Int, in folder: String, of person: String = "") throws -> MotionFile {
      var file = try read(header + rows(50, step: 0.01, "0,0,1,\(person)"), name: "\(folder)/\(number)/motion.csv")
      (file.folder, file.isOfSession) = (folder, true)
      return file
    }
    let sessions = try [
      session(1, in: "/home/data"), session(2, in: "/home/data"), session(3, in: "/home/data", of: "eve"),
    ]
    let one = MotionCorpus(sessions, personFrom: .session)
    #expect(one.people == ["data", "eve"])
    #expect(one.persons == [0, 0, 1])
    #expect(
      MotionNotice.lines(one.notices) == [
        "/home/data: 2 sessions without a person, taken for those of one, data: expected sessions of profiles "
          + "(coach live --profile NAME), or those of each person in a folder of their own"
      ])
    let two = MotionCorpus([sessions[0], try session(1, in: "/home/ben")], personFrom: .session)
    #expect(two.people == ["ben", "data"])
    #expect(two.notices.isEmpty)
    // Where sessions lie says nothing about whose the files beside them are.
    let file = try read("time_s,acc_x_g,acc_y_g,acc_z_g\n" + rows(50, step: 0.01, "0,0,1"), name: "/home/ada_1.csv")
    #expect(MotionCorpus([sessions[0], file], personFrom: .session).people == ["ada", "data"])
    #expect(MotionCorpus(sessions, personFrom: .folder).people == ["data"])
  }

  @Test("Copies of a recording have the same samples, whatever they are called and whatever their labels are")
  func copies() throws {
    let header = "time_s,acc_x_g,acc_y_g,acc_z_g,label\n"
    func file(_ name: String, _ z: [String], _ label: String) throws -> MotionFile {
      let rows = z.enumerated().map { "\(Double($0) / 50),0,0,\($1),\(label)\n" }.joined()
      return try read(header + rows, name: name)
    }
    let waves = (0..<100).map { "1.0\($0 % 7)" }
    let (first, copy) = (try file("a/run.csv", waves, "walk"), try file("b.csv", waves, "run"))
    #expect(first.outline == copy.outline)
    #expect(first.hasSamples(of: copy))
    var changed = waves
    changed[50] = "1.5"
    let other = try file("a/run.csv", changed, "walk")
    #expect(first.outline == other.outline)
    #expect(!first.hasSamples(of: other))
    #expect(try first.outline != file("a/run.csv", waves.dropLast(), "walk").outline)
  }

  @Test("Axes without a name are those of the sensor that Sensor Logger names the file by")
  func sensorLogger() throws {
    let text = "time,seconds_elapsed,z,y,x\n" + rows(50, step: 2e7, "0,9.80665,0,4.903325", from: 1.6e18)
    let own = try read(text, name: "walk/Accelerometer.csv")
    #expect(own.notices.map(\.text) == [MotionColumns.gravityLacking])
    let corpus = MotionCorpus([own], personFrom: .file)
    #expect(corpus.notices.map(\.text) == [MotionColumns.gravityLacking])
    let sample = try #require(corpus.recordings.first?.samples.first)
    #expect(abs(sample[0] - 0.5) < 1e-6)
    #expect(abs(sample[2] - 1) < 1e-6)
    for name in ["Gyroscope.csv", "walk/magnetometer.csv.gz", "Gravity.csv", "GyroscopeUncalibrated.csv"] {
      let error = #expect(throws: RecordingError.self) { try read(text, name: name) }
      #expect(error?.problem.hasPrefix("expected columns of acceleration") == true, "\(name)")
    }
    #expect(!(try read(text, name: "TotalAcceleration.csv")).columns.lacksGravity)
    // Another table of that name has gravity in it as ever.
    let other = "time_s,x,y,z\n" + rows(50, step: 0.02, "0,0,1")
    #expect(try read(other, name: "Accelerometer.csv").columns.acceleration.factors == nil)
  }

  @Test("That accelerations are too short to have gravity in them is said")
  func withoutGravity() throws {
    func said(_ header: String, _ z: String) throws -> [String] {
      let file = try read("time_s,\(header)\n" + rows(50, step: 0.02, "0,0,\(z)"))
      return MotionCorpus([file], personFrom: .file).notices.map(\.text).filter { !$0.contains("have no unit") }
    }
    let expected = [
      "an acceleration of 0.21 g in the mean, so that it has no gravity in it, or another unit: what is recognised in it, "
        + "and its steps, may be wrong"
    ]
    #expect(try said("x,y,z", "0.21") == expected)
    #expect(try said("acc_x_g,acc_y_g,acc_z_g", "0.21") == expected)
    #expect(try said("acc_x_mg,acc_y_mg,acc_z_mg", "210") == expected)
    #expect(try said("x,y,z", "0.6").isEmpty)
    #expect(try said("acc_x,acc_y,acc_z", "9.8").isEmpty)
    let user = try said("userAcceleration.x,userAcceleration.y,userAcceleration.z", "0.1")
    #expect(user == [MotionColumns.gravityLacking])
  }
}
