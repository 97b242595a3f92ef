import Foundation
import Recordings
import SessionStore
import Testing
import TextFormats
import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

private func samples(_ text: String) throws -> [Sample] { try samples(Array(text.utf8)) }

private func samples(_ bytes: [UInt8]) throws -> [Sample] {
  let folder = try ScratchFolder()
  var result: [Sample] = []
  try CSVRecording(path: folder.write(bytes)).forEachSample { result.append($0) }
  return result
}

private func facts(_ text: String) throws -> RecordingFacts {
  let folder = try ScratchFolder()
  return try CSVRecording(path: folder.write(text)).facts
}

private func problem(_ bytes: [UInt8]) throws -> String? {
  let folder = try ScratchFolder()
  let path = try folder.write(bytes)
  do {
    _ = try CSVRecording(path: path)
    return nil
  } catch let error as RecordingError {
    return error.description.replacing(path, with: "FILE")
  }
}

private func problem(_ text: String) throws -> String? { try problem(Array(text.utf8)) }

private let two = [Sample(.heartRate(120), at: .zero), Sample(.heartRate(121.5), at: at(1))]

@Suite("CSV recordings")
struct CSVRecordingTests {
  @Test(
    "The heart rate is recognised by many names",
    arguments: [
      "heart_rate", "heart_rate_bpm", "Heart Rate", "Heart Rate (bpm)", "HEARTRATE", "heartRate", "heartbeat", "hr",
      "HR [bpm]", "bpm", "Pulse", "\"heart-rate\"", " heart_rate ", "hr_bpm",
    ])
  func heartRateNames(name: String) throws {
    #expect(try samples("time_s,\(name)\n0,120\n1,121.5\n") == two)
  }

  @Test(
    "The time is recognised by many names and in many forms",
    arguments: [
      ("time", "0", "1"), ("time_s", "5", "6"), ("at_s", "0.25", "1.25"), ("elapsed", "0", "1"),
      ("t", "1e3", "1.001e3"), ("seconds", "-1", "0"), ("timestamp", "1605855600", "1605855601"),
      ("timestamp", "1605855600.5", "1605855601.5"), ("timestamp", "1605855600000", "1605855601000"),
      ("timestamp_ms", "1605855600000", "1605855601000"), ("time_ms", "500", "1500"),
      ("Unix Time", "1605855600", "1605855601"), ("time", "2026-11-20T07:00:00Z", "2026-11-20T07:00:01Z"),
      ("date", "2026-11-20 07:00:00+02:00", "2026-11-20 07:00:01+02:00"),
      ("time", "2026-11-20T23:59:59.5-01:30", "2026-11-21T00:00:00.5-01:30"),
      ("datetime", "2026-11-20 07:00:00", "2026-11-20 07:00:01"), ("time", "0:59", "1:00"),
      ("elapsed_time", "59:59", "1:00:00"), ("time", "12:59.75", "13:00.75"), ("Time (s)", "0", "1"),
    ])
  func times(name: String, first: String, second: String) throws {
    #expect(try samples("\(name),hr\n\(first),120\n\(second),121.5\n") == two)
  }

  @Test("The time of day is kept, with its offset taken off")
  func startTime() throws {
    #expect(try facts("time,hr\n2026-11-20T09:00:00.25+02:00,120\n").start == .morning(0.25))
    #expect(try facts("timestamp,hr\n1795158000,120\n").start == .morning())
    #expect(try facts("timestamp,hr\n1795158000125,120\n").start == .morning(0.125))
    #expect(try facts("time_s,hr\n0,120\n").start == nil)
    #expect(try facts("time,at_s,hr\n2026-11-20T07:00:00Z,0,120\n").elapsed == .zero)
  }

  @Test("Delimiters, quotes, byte order mark, line ends and decimal commas")
  func dialects() throws {
    for text in [
      "time_s;hr\n0;120\n1;121,5\n", "time_s\thr\n0\t120\n1\t121.5\n", "\u{FEFF}time_s,hr\r\n0,120\r\n1,121.5\r\n",
      "\"time_s\",\"hr\"\n\"0\",\"120\"\n\"1\",\"121.5\"", "\n# made by hand\n\ntime_s,hr\n\n0,120\n\n1,121.5",
      "time_s , hr\n 0 , 120 \n 1 , 121.5 \n", "time_s;hr;note\n0;120;\"a;b\"\n1;121.5;\"c \"\"d\"\"\"\n",
    ] {
      #expect(try samples(text) == two, "\(text)")
    }
  }

  @Test("Missing values are absent, whatever they are called")
  func missingValues() throws {
    let values = ["", "-", "NA", "n/a", "NaN", "null", "None", "-1", "255"]
    let rows = values.enumerated().map { "\($0.offset + 1),\($0.element),7\n" }.joined()
    let read = try samples("time_s,hr,steps\n0,120,7\n\(rows)")
    #expect(read.filter { $0.reading.stream == .heartRate } == [Sample(.heartRate(120), at: .zero)])
    #expect(read.filter { $0.reading == .steps(7) }.count == values.count + 1)
    #expect(try facts("time_s,hr,steps\n0,120,7\n\(rows)").warnings.isEmpty)
  }

  @Test("Zeros and implausible heart rates are readings as they came")
  func implausible() throws {
    #expect(
      try samples("time_s,hr\n0,0\n1,12\n2,900\n").map(\.reading) == [.heartRate(0), .heartRate(12), .heartRate(900)])
  }

  @Test("255 and 0 are no heart rate: neither in the facts nor when the recording is judged")
  func noReadings() throws {
    let folder = try ScratchFolder()
    let path = try folder.write("time_s,hr\n0,0\n1,255\n2,120\n3,0\n4,255\n5,121\n6,255.0\n7,0.0\n")
    let recording = try Recording(path: path)
    #expect(recording.facts.heartRate?.statistics.count == 2)
    #expect(recording.facts.heartRate?.statistics.sum == 241)
    #expect(recording.facts.heartRate?.first == 120)
    #expect(recording.facts.heartRate?.last == 121)
    #expect(recording.facts.heartRate?.largestGap == at(3))
    let settings = try CoachingRequest.runner("z2", "none").settings(on: nil)
    let summary = try Replay.run(recording, settings: settings, pace: .events) { _, _ in }.engine.summary
    #expect(summary.acceptedHeartRates == 2)
    #expect(summary.rejectedHeartRates == 3)
    let never = try Recording(path: folder.write("time_s,hr,steps\n0,0,1\n1,255,2\n")).facts
    #expect(never.heartRate == nil)
    #expect(never.steps == 3)
  }

  @Test("A row has its readings in the order of the streams")
  func allStreams() throws {
    let read = try samples(
      "time_s,lat,lon,altitude_m,accuracy,speed_kmh,distance_km,cadence,steps,hr,acc_x_g,acc_y_g,acc_z_g\n"
        + "3,46.77,23.59,340.5,4,9,1.5,170,3,120,0.5,-1,0\n")
    #expect(
      read.map(\.reading) == [
        .heartRate(120), .steps(3), .cadence(170), .distance(1_500), .speed(2.5),
        .location(
          LocationFix(
            coordinate: try #require(Coordinate(latitudeDegrees: 46.77, longitudeDegrees: 23.59)),
            altitudeMeters: 340.5, horizontalAccuracyMeters: 4, speedMetersPerSecond: 2.5)),
        .motion(MotionReading(acceleration: Axes(x: 0.5, y: -1, z: 0), rotationRate: nil, magneticField: nil)),
      ])
    #expect(read.allSatisfy { $0.time == .zero })
  }

  @Test(
    "A unit in brackets counts",
    arguments: [
      ("Distance (km)", "1.5", .distance(1_500)), ("distance [mi]", "1", .distance(1_609.344)),
      ("Distance (m)", "1.5", .distance(1.5)), ("Distance (GPS)", "1.5", .distance(1.5)),
      ("Total Distance (ft)", "10", .distance(3.048)), ("distance_mi", "1", .distance(1_609.344)),
      ("Speed (km/h)", "9", .speed(2.5)), ("Speed [ m/s ]", "9", .speed(9)), ("Speed (mph)", "10", .speed(4.4704)),
      ("speed_mph", "10", .speed(4.4704)), ("distance_km (GPS)", "1.5", .distance(1_500)),
    ] as [(String, String, Reading)])
  func unitInBrackets(column: String, value: String, reading: Reading) throws {
    #expect(try samples("time_s,\(column)\n0,\(value)\n").map(\.reading) == [reading])
  }

  @Test("A time in milliseconds is one, and a column in a unit that it is not read in is left out with a warning")
  func unitsOfTime() throws {
    for column in ["Time (ms)", "elapsed [ms]"] {
      #expect(try samples("\(column),hr\n0,120\n1000,121.5\n") == two, "\(column)")
    }
    #expect(try problem("Time (min),hr\n0,120\n1,121\n")?.contains("no column for the time") == true)
    let warnings = try facts("time_s,Altitude (ft),Speed (min/km),hr\n0,1200,5.5,120\n").warnings
    #expect(warnings.map(\.kind) == [.unknownColumns])
    #expect(warnings.first?.detail == "Altitude (ft), Speed (min/km)")
  }

  @Test("Steps that are counted up become steps since the row before, across a reset too")
  func cumulativeSteps() throws {
    let counts = try samples("time_s,steps_cumulative\n0,100\n1,103\n2,103\n3,2\n4,5\n").map(\.reading)
    #expect(counts == [.steps(0), .steps(3), .steps(0), .steps(2), .steps(3)])
  }

  @Test("A cadence with a fraction beside it counts strides of one leg")
  func cadence() throws {
    #expect(try samples("time_s,cadence,fractional_cadence\n0,85,0.5\n").map(\.reading) == [.cadence(171)])
    #expect(try samples("time_s,cadence\n0,85\n").map(\.reading) == [.cadence(85)])
  }

  @Test("Columns that are not known are named in a warning")
  func unknownColumns() throws {
    let warnings = try facts("time_s,mood,hr,Shoe size (EU)\n0,good,120,43\n").warnings
    #expect(warnings.map(\.kind) == [.unknownColumns])
    #expect(warnings.first?.position == "line 1")
    #expect(warnings.first?.count == 2)
    #expect(warnings.first?.detail == "mood, Shoe size (EU)")
  }

  @Test("Bad rows and values are counted, with the line of the first")
  func badRows() throws {
    let text = "time_s,hr,steps\n0,120,1\n1,121\n2,abc,2\nx,123,3\n4,124,4,5\n5,\"125,6\n6,x,y\n7,127,7\n"
    let warnings = try facts(text).warnings
    #expect(warnings.map(\.kind) == [.unreadableRow, .unreadableValue])
    #expect(warnings.map(\.count) == [4, 3])
    #expect(warnings.map(\.position) == ["line 3", "line 4"])
    #expect(warnings.first?.detail == "expected 3 columns, found 2")
    #expect(try samples(text).filter { $0.reading.stream == .heartRate }.count == 2)
  }

  @Test("Rows out of order are put in order, with a warning, and the earliest is the start")
  func outOfOrder() throws {
    let folder = try ScratchFolder()
    let text = "time,hr\n2026-11-20T07:00:05Z,125\n2026-11-20T07:00:00Z,120\n2026-11-20T07:00:03Z,123\n"
    let recording = try CSVRecording(path: folder.write(text))
    #expect(recording.facts.start == .morning())
    #expect(recording.facts.elapsed == at(5))
    #expect(recording.facts.heartRate?.first == 120)
    #expect(recording.facts.heartRate?.last == 125)
    #expect(recording.facts.warnings.map(\.kind) == [.outOfOrder])
    #expect(recording.facts.warnings.map(\.position) == ["line 3"])
    #expect(recording.facts.warnings.map(\.count) == [2])
    var read: [Sample] = []
    try recording.forEachSample { read.append($0) }
    #expect(
      read == [(0, 120.0), (3, 123), (5, 125)].map { Sample(.heartRate($0.1), at: .seconds($0.0)) })
  }

  @Test("Rows of one instant stay as they stand, in a file, packed, and in a file out of order")
  func sameInstant() throws {
    let folder = try ScratchFolder()
    let text = "time_s,hr,steps\n0,120,1\n1,121,2\n1,122,3\n"
    let expected: [Reading] = [
      .heartRate(120), .steps(1), .heartRate(121), .steps(2), .heartRate(122), .steps(3),
    ]
    for bytes in [
      Array(text.utf8), packed(Array(text.utf8)), Array("time_s,hr,steps\n1,121,2\n1,122,3\n0,120,1\n".utf8),
    ] {
      var read: [Reading] = []
      try Recording(path: folder.write(bytes)).forEachInput {
        if case .sample(let sample) = $0 { read.append(sample.reading) }
      }
      #expect(read == expected)
    }
  }

  @Test("What cannot be used at all says why, in one line")
  func unusable() throws {
    #expect(try problem("") == "FILE: empty: expected a header line with the names of columns")
    #expect(try problem("\n\n# nothing\n") == "FILE: empty: expected a header line with the names of columns")
    #expect(try problem("time_s,hr\n") == "FILE: no row has a reading")
    #expect(try problem("time_s,hr\n0,\n1,NaN\n") == "FILE: no row has a reading")
    #expect(
      try problem("hr,steps\n120,1\n")
        == "FILE: line 1: no column for the time: expected a CSV with a header such as time,heart_rate")
    #expect(
      try problem("time_s,mood\n0,1\n")
        == "FILE: line 1: no column with readings: expected one of heart_rate, steps, cadence, distance, speed, latitude, altitude, or acc_x, acc_y and acc_z"
    )
    #expect(try problem("time_s,lat\n0,46\n")?.hasPrefix("FILE: line 1: no column with readings") == true)
    #expect(try problem("time_s,hr\nx,1\n") == "FILE: line 2: no time that can be read in 'time_s'")
    #expect(try problem([0x89, 0x50, 0x4E, 0x47, 0x00, 0x01]) == "FILE: byte 4: expected text, found a zero byte")
    #expect(
      try problem([0xFF, 0xFE, 0x74, 0x00, 0x0A, 0x00]) == "FILE: byte 0: expected UTF-8 text, found UTF-16")
    #expect(
      try problem(String(repeating: "a", count: (1 << 20) + 1)) == "FILE: line 1: longer than 1048576 bytes")
  }

  @Test("A very long line ends the reading with a warning, and what stands before it is used")
  func veryLongLine() throws {
    let text = "time_s,hr\n0,120\n1,121.5\n2," + String(repeating: "1", count: 1 << 20) + "\n3,123\n"
    #expect(try samples(text) == two)
    let warnings = try facts(text).warnings
    #expect(warnings.map(\.kind) == [.truncated])
    #expect(warnings.first?.position == "line 4")
  }

  @Test("A file that is missing, a folder or not for us to read is an error of the file")
  func unreadable() throws {
    let folder = try ScratchFolder()
    func code(_ path: String) -> Int32? {
      do {
        _ = try CSVRecording(path: path)
        return nil
      } catch let error as FileError {
        return error.exitCode
      } catch {
        return 0
      }
    }
    #expect(code(folder.path + "/none.csv") == 66)
    #expect(code(folder.path) == 65)
    guard getuid() != 0 else { return }
    let path = try folder.write("time_s,hr\n0,120\n")
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
    #expect(code(path) == 66)
  }

  @Test("A pipe, which cannot be read twice, gives the same samples, in order or not")
  func pipe() throws {
    for text in ["time_s,hr\n0,120\n1,121.5\n", "time_s,hr\n1,121.5\n0,120\n"] {
      let folder = try ScratchFolder()
      let path = folder.path + "/pipe"
      #expect(unsafe mkfifo(path, 0o600) == 0)
      // A thread of its own: opening a pipe waits for the other end, and tests share few threads.
      Thread.detachNewThread {
        let file = try? POSIXFile(writing: path, .append)
        try? file?.write(Array(text.utf8).span)
      }
      var read: [Sample] = []
      let recording = try CSVRecording(path: path)
      for _ in 0..<2 {
        read = []
        try recording.forEachSample { read.append($0) }
      }
      #expect(read == two)
      #expect(recording.facts.heartRate?.statistics.count == 2)
    }
  }

  @Test("Silence of days is bridged as a pause, silence of hours is not")
  func bridging() throws {
    let folder = try ScratchFolder()
    let rows = "0,120\n10,120\n21610,120\n21620,120\n200000,121\n200005,121\n200010,121\n"
    let path = try folder.write("time_s,hr\n" + rows)
    var emitted: [SessionEvent] = []
    let settings = try CoachingRequest.runner("z2", "none").settings(on: nil)
    let pipeline = try Replay.run(Recording(path: path), settings: settings, pace: .events) { emitted += $1 }
    let events = records(emitted).filter { $0.contains("paused") || $0.contains("resumed") }
    #expect(
      events == [
        #"{"version":1,"type":"paused","atSeconds":21620}"#, #"{"version":1,"type":"resumed","atSeconds":200000}"#,
      ])
    #expect(pipeline.engine.summary.active == at(21_630))
    #expect(pipeline.engine.summary.elapsed == at(200_010))
    // 10 and 15 s, 10 s before the pause, 10 s after it.
    #expect(pipeline.engine.summary.noData == at(21_630 - 45))
  }
}
