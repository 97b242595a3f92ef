import Recordings
import TestSupport
import Testing
import TextFormats
import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

private func samples(_ text: String) throws -> [Sample] {
  let folder = try ScratchFolder()
  return try samples(Recording(path: folder.write(text)))
}

private func samples(_ recording: Recording) throws -> [Sample] {
  var result: [Sample] = []
  try recording.forEachInput { if case .sample(let sample) = $0 { result.append(sample) } }
  return result
}

private func facts(_ text: String) throws -> RecordingFacts {
  let folder = try ScratchFolder()
  return try Recording(path: folder.write(text)).facts
}

/// What a row with these values comes to, read from the CSV and from both ways to write the JSON.
private func readings(_ changes: [String: String]) throws -> [Reading] {
  let rows = [SensoGather.row(changes)]
  let csv = try samples(SensoGather.csv(rows)).map(\.reading)
  #expect(try samples(SensoGather.json(rows)).map(\.reading) == csv, "\(changes)")
  #expect(try samples(SensoGather.json(rows, quoted: true)).map(\.reading) == csv, "\(changes)")
  return csv
}

private func motion(_ readings: [Reading]) -> MotionReading? {
  for case .motion(let motion) in readings { return motion }
  return nil
}

private func fix(_ readings: [Reading]) -> LocationFix? {
  for case .location(let fix) in readings { return fix }
  return nil
}

@Suite("SensoGather recordings")
struct SensoGatherTests {
  @Test("All 22 columns are known, and what a coach needs is read")
  func fullRow() throws {
    let expected: [Reading] = [
      .heartRate(120), .speed(2.5),
      .location(
        LocationFix(
          coordinate: try #require(Coordinate(latitudeDegrees: 46.77, longitudeDegrees: 23.59)), altitudeMeters: -12.5,
          horizontalAccuracyMeters: 4.5, speedMetersPerSecond: 2.5)),
      .motion(
        MotionReading(
          acceleration: Axes(x: 0.01, y: -1, z: 0.98), rotationRate: Axes(x: 0.1, y: -0.2, z: 0.001),
          magneticField: Axes(x: 20.5, y: -1, z: 40))),
      .direction(try #require(DirectionReading([3, 0.5, 180, 5, 181, 10]))),
    ]
    #expect(try readings([:]) == expected)
    for (text, format) in [
      (SensoGather.csv([SensoGather.full]), "sensogather-csv"),
      (SensoGather.json([SensoGather.full]), "sensogather-json"),
    ] {
      let facts = try facts(text)
      #expect(facts.format == format)
      #expect(facts.warnings.isEmpty)
      #expect(facts.start == .morning(0.25))
    }
  }

  @Test("The header is recognised in any order, case and spelling")
  func header() throws {
    let expected = try samples(SensoGather.csv([SensoGather.full]))
    let lines = SensoGather.csv([SensoGather.full]).split(separator: "\n")
    #expect(try samples(lines[0].uppercased() + "\n" + lines[1]) == expected)
    #expect(try facts(lines[0].lowercased() + "\n" + lines[1]).format == "sensogather-csv")
    let backwards = SensoGather.csv([SensoGather.full], columns: SensoGather.columns.reversed())
    #expect(try samples(backwards) == expected)
    #expect(try facts(backwards).format == "sensogather-csv")
    let spaced = lines[0].replacing("accelX", with: "accel_x").replacing(
      "coordinateAccuracy", with: "Coordinate Accuracy")
    #expect(try samples(spaced + "\n" + lines[1]) == expected)
    let more = try facts(lines[0] + ",mood\n" + lines[1] + ",good\n")
    #expect(more.format == "sensogather-csv")
    #expect(more.warnings.map(\.detail) == ["mood"])
    let fewer = SensoGather.csv([SensoGather.full], columns: SensoGather.columns.dropLast())
    #expect(try facts(fewer).format == "csv")
    #expect(try samples(fewer).count == expected.count)
  }

  @Test("Semicolons with decimal commas are the same")
  func decimalCommas() throws {
    let expected = SensoGather.csv([SensoGather.full])
    #expect(
      try samples(expected.replacing(",", with: ";").replacing(".", with: ",")) == samples(expected))
  }

  @Test("A heart rate of −1, 0, 255 or N/A is no reading", arguments: ["-1", "-1.0", "0", "255", "N/A", "n/a", ""])
  func absentHeartRates(value: String) throws {
    #expect(try readings(["heartbeat": value]).map(\.stream) == [.speed, .location, .motion, .direction])
  }

  @Test("A vector is absent when it is N/A or −1 in all axes, not when one axis is −1")
  func absentVectors() throws {
    func acceleration(_ motion: MotionReading) -> Axes? { motion.acceleration }
    func rotationRate(_ motion: MotionReading) -> Axes? { motion.rotationRate }
    func magneticField(_ motion: MotionReading) -> Axes? { motion.magneticField }
    for (name, vector) in [("accel", acceleration), ("gyro", rotationRate), ("mag", magneticField)] {
      func row(_ values: [String]) throws -> Axes? {
        let read = try readings(["\(name)X": values[0], "\(name)Y": values[1], "\(name)Z": values[2]])
        return vector(try #require(motion(read)))
      }
      for absent in [["-1", "-1", "-1"], ["-1.0", "-1", "-1.00"], ["N/A", "N/A", "N/A"], ["0.1", "N/A", "0.2"]] {
        #expect(try row(absent) == nil, "\(name) \(absent)")
      }
      for present in [["-1", "-1", "-0.999"], ["-1", "0", "0"], ["0", "-1", "-1"], ["-1.0001", "-1", "-1"]] {
        #expect(try row(present) != nil, "\(name) \(present)")
      }
    }
    var nothing: [String: String] = [:]
    for column in SensoGather.columns[1...9] { nothing[column] = "-1" }
    #expect(motion(try readings(nothing)) == nil)
  }

  @Test("A position is absent when both degrees are −1 or its accuracy is negative")
  func absentPositions() throws {
    for changes in [
      ["latitude": "-1", "longitude": "-1"], ["coordinateAccuracy": "-1"], ["coordinateAccuracy": "-0.5"],
      ["latitude": "N/A"], ["longitude": "N/A"], ["latitude": "91"],
    ] {
      #expect(fix(try readings(changes)) == nil, "\(changes)")
    }
    #expect(fix(try readings(["latitude": "-1"]))?.coordinate.latitudeDegrees == -1)
    #expect(fix(try readings(["longitude": "-1"]))?.coordinate.longitudeDegrees == -1)
    let unsure = fix(try readings(["coordinateAccuracy": "N/A"]))
    #expect(unsure != nil)
    #expect(unsure?.horizontalAccuracyMeters == nil)
  }

  @Test("An altitude is absent when its accuracy is negative, and a speed when it is negative")
  func absentAltitudesAndSpeeds() throws {
    #expect(fix(try readings(["altitudeAccuracy": "-1"]))?.altitudeMeters == nil)
    #expect(fix(try readings(["altitude": "-1"]))?.altitudeMeters == -1)
    #expect(fix(try readings(["altitude": "-1", "altitudeAccuracy": "N/A"]))?.altitudeMeters == nil)
    #expect(fix(try readings(["altitude": "N/A"]))?.altitudeMeters == nil)
    #expect(fix(try readings(["altitudeAccuracy": "N/A"]))?.altitudeMeters == -12.5)
    for speed in ["-1", "-0.1", "N/A"] {
      let readings = try readings(["speed": speed])
      #expect(!readings.contains { $0.stream == .speed }, "\(speed)")
      #expect(fix(readings)?.speedMetersPerSecond == nil, "\(speed)")
    }
    #expect(try readings(["speed": "0"]).contains(.speed(0)))
  }

  @Test("A heart rate in every row at 100 Hz counts as recorded")
  func repeatedHeartRates() throws {
    for text in [SensoGather.csv(SensoGather.rows(seconds: 5)), SensoGather.json(SensoGather.rows(seconds: 5))] {
      let facts = try facts(text)
      #expect(facts.heartRate?.statistics.count == 500)
      #expect(facts.heartRate?.statistics.sum == 100 * Double(120 + 121 + 122 + 123 + 124))
      #expect(facts.heartRate?.first == 120)
      #expect(facts.heartRate?.last == 124)
      #expect(facts.heartRate?.largestGap == at(0.01))
      #expect(facts.motionCount == 500)
      #expect(facts.motionRateHz == 100)
      #expect(facts.elapsed == at(4.99))
      #expect(facts.warnings.isEmpty)
    }
  }

  @Test("CSV, JSON and both packed are the same to the sample")
  func forms() throws {
    let folder = try ScratchFolder()
    let rows = SensoGather.rows(seconds: 2)
    let expected = try samples(Recording(path: folder.write(SensoGather.csv(rows))))
    #expect(expected.count == 1_000)
    for text in [
      SensoGather.csv(rows), SensoGather.json(rows), SensoGather.json(rows, quoted: true),
      " \n" + SensoGather.json(rows),
      "\u{FEFF}" + SensoGather.json(rows, columns: SensoGather.columns.reversed()),
    ] {
      let packed = try Recording(path: folder.write(packed(Array(text.utf8)), "a.gz"))
      #expect(try samples(packed) == expected)
      #expect(try samples(text) == expected)
      #expect(packed.facts.warnings.isEmpty)
      #expect(packed.facts.heartRate?.statistics.count == 200)
    }
  }

  @Test("Rows out of order are put in order, with a warning")
  func order() throws {
    var rows = SensoGather.rows(seconds: 1)
    let expected = try samples(SensoGather.csv(rows))
    rows.swapAt(40, 41)
    for (text, position) in [(SensoGather.csv(rows), "line 43"), (SensoGather.json(rows), "byte ")] {
      let facts = try facts(text)
      #expect(facts.warnings.map(\.kind) == [.outOfOrder])
      #expect(facts.warnings.first?.position.hasPrefix(position) == true)
      #expect(try samples(text) == expected)
    }
  }
}

@Suite("SensoGather recordings in JSON")
struct SensoGatherJSONTests {
  @Test("Keys that are not known are named once, with the byte of the first object that has one")
  func unknownKeys() throws {
    let text =
      #"[{"timestamp":1,"heartbeat":120},{"timestamp":2,"heartbeat":121,"mood":{"a":[1,"]"]},"w":null},"#
      + #"{"mood":1,"timestamp":3,"HEARTBEAT":122}]"#
    let facts = try facts(text)
    #expect(facts.heartRate?.statistics.sum == 363)
    #expect(facts.warnings.map(\.kind) == [.unknownColumns])
    #expect(facts.warnings.first?.position == "byte 33")
    #expect(facts.warnings.first?.count == 2)
    #expect(facts.warnings.first?.detail == "mood, w")
  }

  @Test("Absence is null, N/A with or without an escaped slash, −1, or no member at all")
  func absence() throws {
    let text =
      #"[{"timestamp":1,"heartbeat":null},{"timestamp":2,"heartbeat":"N\/A"},{"timestamp":3,"heartbeat":"N/A"},"#
      + #"{"timestamp":4,"heartbeat":-1},{"timestamp":5},{},{"timestamp":"6.5","heartbeat":"121"}]"#
    let facts = try facts(text)
    #expect(facts.heartRate?.statistics.count == 1)
    #expect(facts.start == nil)
    #expect(facts.warnings.map(\.kind) == [.unreadableRow])
    #expect(facts.warnings.first?.detail == "no time that can be read in 'timestamp'")
  }

  @Test("Objects that are wrong are left out and counted, values that are wrong are absent, by byte")
  func damage() throws {
    let good = #"{"timestamp":1,"heartbeat":120}"#
    for bad in [
      #"{"timestamp":2,"timestamp":2}"#, #"{"timestamp" 2}"#, #"{"timestamp":2 "heartbeat":121}"#, #"{"timestamp":}"#,
      #"{timestamp:2}"#, #"{"timestamp":2,}"#, #"{"timestamp":[2}"#, #"{"timestamp":2}]"#, #"{,}"#, #"{"a":1]"#,
    ] {
      let facts = try facts("[\(good),\(bad),\(good)]")
      // What ends the array or hides the end of an object takes the rest with it.
      let isLast = [#"{"timestamp":2}]"#, #"{"timestamp":[2}"#].contains(bad)
      #expect(facts.heartRate?.statistics.count == (isLast ? 1 : 2), "\(bad)")
      #expect(facts.warnings.first?.position.hasPrefix("byte ") == true, "\(bad)")
    }
    let value = try facts(#"[\#(good),{"timestamp":2,"heartbeat":"abc"},{"timestamp":3,"heartbeat":{"a":1}}]"#)
    #expect(value.warnings.map(\.kind) == [.unreadableValue])
    #expect(value.warnings.first?.position == "byte 33")
    #expect(value.warnings.first?.count == 2)
  }

  @Test(
    "Steps below 0 are absent as its other values are, and more than there can be are a value that cannot be",
    arguments: [("steps", [30, 70]), ("steps_cumulative", [0, 40])])
  func stepsBelowZero(column: String, expected: [Int]) throws {
    let rows = ["30", "-2", "-1", "-30.5", "2e9", "70"].enumerated().map { second, steps in
      SensoGather.row(["timestamp": "\(1_795_158_000 + second)", column: steps])
    }
    let text = SensoGather.csv(rows, columns: SensoGather.columns + [column])
    let steps = try samples(text).compactMap { if case .steps(let count) = $0.reading { count } else { nil } }
    #expect(steps == expected)
    let warnings = try facts(text).warnings.filter { $0.kind == .unreadableValue }
    #expect(warnings.map(\.count) == [1])
    #expect(warnings.map(\.position) == ["line 6"])
  }

  @Test("An array that is cut gives everything before the cut, with a warning at the byte")
  func truncation() throws {
    let folder = try ScratchFolder()
    let rows = SensoGather.rows(seconds: 1)[..<4]
    let text = SensoGather.json(Array(rows), columns: ["timestamp", "heartbeat"])
    let bytes = Array(text.utf8)
    let ends = bytes.indices.filter { bytes[$0] == UInt8(ascii: "}") }.map { $0 + 1 }
    for count in 0..<bytes.count {
      let path = try folder.write(Array(bytes[..<count]))
      do {
        let facts = try Recording(path: path).facts
        #expect(facts.heartRate?.statistics.count == ends.count { $0 <= count }, "cut at \(count)")
        #expect(facts.warnings.map(\.kind) == [.truncated])
        #expect(facts.warnings.first?.position == "byte \(count)")
      } catch is RecordingError {
        #expect(count < ends[0], "cut at \(count)")
      }
    }
    let gzip = packed(bytes)
    for count in stride(from: gzip.count - 1, to: gzip.count - 24, by: -1) {
      guard let facts = try? Recording(path: folder.write(Array(gzip[..<count]))).facts else { continue }
      #expect(facts.warnings.count { $0.kind == .truncated } == 1, "cut at \(count)")
    }
  }

  @Test("Something after the array is reported, and what is unpacked has places of its own")
  func trailing() throws {
    let folder = try ScratchFolder()
    let text = #"[{"timestamp":1,"heartbeat":120}] x"#
    #expect(try facts(text).warnings.map(\.kind) == [.trailingBytes])
    #expect(try facts(text).warnings.first?.position == "byte 34")
    let unpacked = try Recording(path: folder.write(packed(Array(text.utf8)))).facts
    #expect(unpacked.warnings.first?.position == "unpacked byte 34")
  }

  @Test("What cannot be used at all says why, in one line")
  func unusable() throws {
    func problem(_ text: String) throws -> String? {
      let folder = try ScratchFolder()
      let path = try folder.write(text)
      do {
        _ = try Recording(path: path)
        return nil
      } catch let error as RecordingError {
        return error.description.replacing(path, with: "FILE")
      }
    }
    #expect(try problem("[]") == "FILE: no object has a reading")
    #expect(try problem(#"[{"timestamp":1}]"#) == "FILE: no object has a reading")
    #expect(try problem(#"[{"a":1}]"#) == "FILE: byte 1: no time that can be read in 'timestamp'")
    #expect(try problem("[{") == "FILE: byte 2: expected the rest of the array, found its end")
    #expect(try problem("[{}x") == "FILE: byte 3: expected a comma or the end of the array, found \"x\"")
  }

  @Test("No random change of bytes is a crash, in either form", arguments: 1...6 as ClosedRange<UInt64>)
  func flips(seed: UInt64) throws {
    let folder = try ScratchFolder()
    var random = SplitMix64(seed: seed)
    let rows = Array(SensoGather.rows(seconds: 1)[..<5])
    for round in 0..<60 {
      var bytes = Array((round % 2 == 0 ? SensoGather.csv(rows) : SensoGather.json(rows)).utf8)
      for _ in 0..<random.int(1...4) {
        let index = random.int(0...bytes.count - 1)
        if random.chance(0.5) {
          bytes[index] = UInt8(random.int(0...255))
        } else {
          bytes[index] = random.pick(Array(#"{}[]",:\-1eN/"#.utf8))
        }
      }
      let path = try folder.write(bytes)
      if let recording = try? Recording(path: path) {
        let read = try samples(recording)
        #expect(read.count == recording.facts.sampleCount, "seed \(seed), round \(round)")
        #expect(zip(read, read.dropFirst()).allSatisfy { $0.time <= $1.time }, "seed \(seed), round \(round)")
      }
    }
  }
}
