import Recordings
import TestSupport
import Testing
import TextFormats
import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

/// What a table comes to: its samples, its start and its warnings; or why it cannot be used.
private struct Read {
  var samples: [Sample] = []
  var start: String?
  var warnings: [RecordingWarning] = []
  var problem: String?

  init(_ text: String) throws { try self.init(Array(text.utf8)) }

  init(_ lines: [String]) throws { try self.init(lines.map { $0 + "\n" }.joined()) }

  init(_ bytes: [UInt8]) throws {
    let folder = try ScratchFolder()
    let path = try folder.write(bytes)
    do {
      let recording = try Recording(path: path)
      try recording.forEachInput { if case .sample(let sample) = $0 { samples.append(sample) } }
      start = recording.facts.start.map { "\($0)" }
      warnings = recording.facts.warnings
    } catch let error as RecordingError {
      problem = error.description.replacing(path, with: "FILE")
    }
  }

  var seconds: [Double] { samples.map { $0.time.seconds } }
  var readings: [Reading] { samples.map(\.reading) }
  var kinds: [RecordingWarning.Kind] { warnings.map(\.kind) }
  var guess: String? { warnings.first { $0.kind == .guessedUnit }?.detail }
}

private let two = [Sample(.heartRate(120), at: .zero), Sample(.heartRate(121.5), at: at(1))]

@Suite("CSVs as programs and people write them")
struct CSVSpellingTests {
  // MARK: - Lines and fields

  @Test(
    "A first line says what divides the fields, as spreadsheets write it",
    arguments: [
      "sep=;\ntime_s;hr\n0;120\n1;121,5\n", "sep=,\r\ntime_s,hr\r\n0,120\r\n1,121.5\r\n",
      "SEP=\t\ntime_s\thr\n0\t120\n1\t121.5\n", "\u{FEFF}sep=;\ntime_s;hr\n0;120\n1;121.5\n",
      "\"sep=;\"\ntime_s;hr\n0;120\n1;121.5\n",
    ])
  func statedDelimiter(text: String) throws {
    let read = try Read(text)
    #expect(read.samples == two)
    #expect(read.warnings.isEmpty)
  }

  @Test(
    "Units in the row below the names count as those in brackets do",
    arguments: [
      "Time,Heart Rate,Speed,Distance\ns,bpm,km/h,km\n0,120,9,0\n1,121.5,9,0.0025\n",
      "Time,Heart Rate,Speed,Distance\r\n[s],[1/min],[km/h],[km]\r\n\r\n0,120,9,0\r\n1,121.5,9,0.0025\r\n",
      "# of a treadmill\nTime;Heart Rate;Speed (km/h);Distance\n;;-;km\n0;120;9;0\n1;121,5;9;0,0025\n",
      "Time\tHeart Rate\tSpeed\tDistance\nms\tbpm\tkm/h\tkm\n0\t120\t9\t0\n1000\t121.5\t9\t0.0025\n",
      "Time,Heart Rate,Speed,Distance\rs,bpm,km/h,km\r0,120,9,0\r1,121.5,9,0.0025\r",
    ])
  func unitsBelow(text: String) throws {
    let read = try Read(text)
    let expected = try Read("time_s,hr,speed (km/h),distance (km)\n0,120,9,0\n1,121.5,9,0.0025\n")
    #expect(read.samples == expected.samples)
    #expect(read.samples.count == 6)
    #expect(read.warnings.isEmpty)
  }

  @Test("A unit below a name in which its column is not read leaves it out, and a row of words is a damaged row")
  func unitsThatAreNotRead() throws {
    let read = try Read("Time,Heart Rate,Altitude\ns,bpm,ft\n0,120,100\n1,121.5,100\n")
    #expect(read.samples == two)
    #expect(read.kinds == [.unknownColumns])
    let words = try Read("Time,Heart Rate\nnow,high\n0,120\n1,121.5\n")
    #expect(words.samples == two)
    #expect(words.warnings.map(\.position) == ["line 2"])
  }

  @Test("A comma before the decimals of times alone is one, with tabs too", arguments: [";", "\t"])
  func decimalCommasOfTimes(delimiter: String) throws {
    let read = try Read("time_s;hr\n0,5;120\n1,25;121\n2;122\n".replacing(";", with: delimiter))
    #expect(read.seconds == [0, 0.75, 1.5])
    #expect(read.readings == [.heartRate(120), .heartRate(121), .heartRate(122)])
    #expect(read.warnings.isEmpty)
  }

  @Test("Another sign between fields than those that are read is named")
  func otherDelimiter() throws {
    #expect(
      try Read("sep=|\ntime|hr\n0|120\n").problem
        == "FILE: line 1: fields divided by '|': expected a comma, a semicolon or a tab")
  }

  @Test("Carriage returns alone end lines, as on old Macs, and the lines are counted by them")
  func carriageReturns() throws {
    let read = try Read("time_s,hr\r0,120\rx,1\r1,121.5\r")
    #expect(read.samples == two)
    #expect(read.warnings.map(\.position) == ["line 3"])
    #expect(try Read("time_s,hr\r0,120\r1,121.5").samples == two)
    let many = "time_s,hr\r" + (0..<20_000).map { "\($0),\(100 + $0 % 50)\r" }.joined()
    #expect(try Read(many).samples.count == 20_000, "beyond the beginning that is looked at")
  }

  @Test("A field in quotes may have line feeds in it where nothing is read from it, in the header and in rows")
  func lineFeeds() throws {
    for text in [
      "time_s,note,hr\n0,\"a\nb, c\n\n\"\"d\"\"\",120\n1,,121.5\n",
      "time_s,hr,note\n0,120,\"a\nb\"\n1,121.5,\"c\n\n\"\n",
      "time_s,\"heart rate\n(bpm)\",\"a\nnote\"\n0,120,\n1,121.5,\"x\"\n", "time_s,hr,note\n0,120,x\n1,121.5,\"y\nz\"",
    ] {
      let read = try Read(text)
      #expect(read.samples == two, "\(text)")
      #expect(read.kinds == [.unknownColumns], "\(text)")
    }
  }

  @Test("Quotes that nothing closes cost their line alone, and so do those that a row stands behind")
  func openQuotes() throws {
    let open = try Read("time_s,hr,note\n0,120,\"a\n1,121.5,b\n2,122,\n")
    #expect(open.readings == [.heartRate(121.5), .heartRate(122)])
    #expect(open.warnings.map(\.position) == ["line 1", "line 2"])
    let numbers = try Read("time_s,note,hr\n0,,120\n1,,\"121\n2,,122\"\n3,,123\n")
    #expect(numbers.readings == [.heartRate(120), .heartRate(123)])
    #expect(numbers.kinds == [.unknownColumns, .unreadableRow, .unreadableValue], "quotes around numbers are damage")
    let long = try Read(
      "time_s,note,hr\n0,\"a,120\n" + (0..<300).map { _ in "word\n" }.joined() + "1,b,121\n2,\"c\",122\n")
    #expect(long.readings == [.heartRate(121), .heartRate(122)])
    #expect(long.warnings.map(\.count) == [1, 301])
    let end = try Read("time_s,hr,note\n0,120,\n1,121,\"a\nb")
    #expect(end.readings == [.heartRate(120)])
    #expect(
      try Read("time_s,\"hr\n0,120\n").problem == "FILE: line 1: column 2: expected a closing quote on the same line")
  }

  @Test("Many quotes that nothing closes are read in a time that grows with the file", .timeLimit(.minutes(1)))
  func hostileQuotes() throws {
    let lines = (0..<40_000).map { "\($0),\"\"\"a,\($0)" }
    #expect(try Read(["time_s,note,hr"] + lines + ["0,,120"]).readings == [.heartRate(120)])
  }

  @Test("A row that ends with delimiters has no column more")
  func emptyEnd() throws {
    let read = try Read("time_s,hr\n0,120,\n1,121.5,,\n2,122,7\n")
    #expect(read.samples == two)
    #expect(read.warnings.map(\.position) == ["line 4"])
  }

  @Test("UTF-16 and numbers without a header are refused in one clear line")
  func refused() throws {
    let utf16: [UInt8] = [0xFF, 0xFE] + "time,hr\n0,120\n".utf8.map { [$0, 0] }.joined()
    #expect(try Read(utf16).problem?.hasPrefix("FILE: byte 0: this seems to be a text in UTF-16: expected ") == true)
    // Empatica's files have their start and their rate above the values.
    #expect(
      try Read("1605855600.00\n1.000000\n72.00\n73.50\n").problem
        == "FILE: line 1: numbers without a header: expected the names of the columns above them, such as time,heart_rate"
    )
  }

  // MARK: - Numbers

  @Test(
    "A number that could be in thousands is not read as one with decimals where others say what stands before decimals",
    arguments: [
      // Points divide thousands where commas stand before decimals, and the other way round.
      ["time_s;distance_m;speed", "0;999,5;2,5", "1;1.000;2,5", "2;1.001,5;2,5"],
      ["time_s;distance_m;speed", "0;999;2.5", "1;1,000;2.5", "2;1,001.5;2.5"],
      ["time_s;distance_m;speed", "0;5;2,5", "1;1.234.567;2,5", "2;1.000;2,5"],
    ])
  func thousands(lines: [String]) throws {
    let read = try Read(lines)
    #expect(read.readings.filter { $0.stream == .distance }.count == 1)
    #expect(read.kinds == [.unreadableValue])
    #expect(read.warnings.first?.position == "line 3")
    #expect(read.warnings.first?.count == 2)
  }

  @Test("Steps in thousands are never a few steps")
  func thousandsOfSteps() throws {
    for number in ["1.234", "1,234"] {
      let read = try Read(["Zeit;Schritte", "07:00;987", "07:01;\(number)"])
      #expect(read.readings == [.steps(987)], "\(number)")
      #expect(read.warnings.map(\.position) == ["line 3"], "\(number)")
    }
    #expect(try Read("time_s,steps\n0,987\n1,\"1,234\"\n").readings == [.steps(987)])
  }

  @Test("Three decimals stay decimals where nothing else is written")
  func threeDecimals() throws {
    #expect(
      try Read("time_s;hr;steps\n0.000;120.125;12.000\n1.000;121.000;13.000\n").readings
        == [.heartRate(120.125), .steps(12), .heartRate(121), .steps(13)])
    #expect(try Read("time_s;speed\n0;1.234\n1;2.345\n").readings == [.speed(1.234), .speed(2.345)])
    #expect(try Read("time_s;speed\n0;1,234\n1;0,345\n").readings == [.speed(1.234), .speed(0.345)])
  }

  @Test(
    "Decimal commas are read with tabs and in quotes too, where no number has a point",
    arguments: [
      "time_s\thr\n0,0\t120\n1,0\t121,5\n", "time_s,hr\n\"0,0\",120\n\"1,0\",\"121,5\"\n",
      "Zeit (s)\tHerzfrequenz (S/min)\n0,0\t120,0\n1,0\t121,5\n",
    ])
  func decimalCommas(text: String) throws {
    let read = try Read(text)
    #expect(read.samples == two)
    #expect(read.warnings.isEmpty)
  }

  // MARK: - Names and units

  @Test(
    "Heart rates, times and steps are known by the usual names, in German too",
    arguments: [
      "Zeit;Herzfrequenz", "Zeit (s);Puls", "Zeitstempel;Puls (bpm)", "Sekunden;Herzrate",
      "Verstrichene Zeit;HF (S/min)",
      "Time;HR (bpm)", "Elapsed time;Beats per minute", "time_seconds;pulse_bpm", "epoch;Pulse rate",
      "Laufzeit;Herzfrequenz [1/min]",
    ])
  func names(header: String) throws {
    let read = try Read([header, "0;120", "1;121,5"])
    #expect(read.samples == two)
    #expect(read.warnings.isEmpty)
  }

  @Test(
    "A column is known in German, with its unit",
    arguments: [
      ("Schritte", "7", .steps(7)), ("Schrittfrequenz (1/min)", "170", .cadence(170)),
      ("Trittfrequenz", "80", .cadence(80)), ("Distanz (km)", "1,5", .distance(1_500)),
      ("Strecke [m]", "1500", .distance(1_500)), ("Geschwindigkeit (km/h)", "9", .speed(2.5)),
      ("Geschwindigkeit km/h", "9", .speed(2.5)), ("Höhe (m)", "340", .altitude(340)),
      ("Schritte gesamt", "9", .steps(0)),
      ("km", "1,5", .distance(1_500)), ("kph", "9", .speed(2.5)), ("velocity_smooth", "2,5", .speed(2.5)),
    ] as [(String, String, Reading)])
  func germanColumns(column: String, value: String, reading: Reading) throws {
    let read = try Read(["Datum;Uhrzeit;\(column)", "20.11.2026;07:00:00;\(value)"])
    #expect(read.readings == [reading])
    #expect(read.start == "2026-11-20T07:00:00Z")
    #expect(read.warnings.isEmpty)
  }

  @Test("A position is known in German, also where its letters are not UTF-8")
  func germanPosition() throws {
    let header = Array("Zeit (s);Breitengrad;L".utf8)
    let rows = Array("\n0;46,77;23,59;340\n".utf8)
    for letters in [(Array("ä".utf8), Array("ö".utf8)), ([0xE4], [0xF6])] {
      let bytes = header + letters.0 + Array("ngengrad;H".utf8) + letters.1 + Array("he".utf8) + rows
      let read = try Read(bytes)
      #expect(
        read.readings == [
          .location(
            LocationFix(
              coordinate: try #require(Coordinate(latitudeDegrees: 46.77, longitudeDegrees: 23.59)),
              altitudeMeters: 340, horizontalAccuracyMeters: nil, speedMetersPerSecond: nil))
        ])
    }
  }

  @Test("Where people write kilometres as often, what is assumed is said")
  func assumedUnits() throws {
    let read = try Read(["Zeit (s);Strecke;Geschwindigkeit", "0;10;2,5"])
    #expect(read.readings == [.distance(10), .speed(2.5)])
    #expect(read.guess == "distance in m, speed in m/s")
    #expect(try Read(["time_s;distance;speed", "0;10;2,5"]).warnings.isEmpty)
  }

  @Test(
    "What is no heart rate, speed or distance by its unit is left out instead of being read wrongly",
    arguments: [
      "Heart Rate (%)", "HR (% max)", "Heart Rate [Min] (count/min)", "heart rate (max)", "Speed (min/mi)", "Speed (%)",
      "Distance (steps/km)", "Cadence (strides/min)", "Latitude (rad)",
    ])
  func otherUnits(column: String) throws {
    let read = try Read(["time_s,\(column),steps", "0,60,3"])
    #expect(read.readings == [.steps(3)])
    #expect(read.warnings.map(\.detail) == [column])
  }

  @Test("Of minimum, maximum and mean the mean is the heart rate")
  func meanHeartRate() throws {
    let names = ["Min", "Max", "Avg"].map { "Heart Rate [\($0)] (count/min)" }.joined(separator: ",")
    let read = try Read(["Date/Time,\(names)", "2026-11-20 07:00:00,110,130,120"])
    #expect(read.readings == [.heartRate(120)])
  }

  @Test("Intervals without a unit are milliseconds or seconds by their size, and what is neither is left out")
  func intervals() throws {
    func rows(_ values: [String]) -> [String] { ["time_s,hr,rr"] + values.enumerated().map { "\($0),120,\($1)" } }
    func read(_ values: [String]) throws -> (intervals: [Reading], kinds: [RecordingWarning.Kind]) {
      let read = try Read(rows(values))
      return (read.readings.filter { $0.stream == .rrInterval }, read.kinds)
    }
    #expect(try read(["500", "510"]).intervals == [.rrInterval(500), .rrInterval(510)])
    #expect(try read(["0.5", "0.51"]).intervals == [.rrInterval(500), .rrInterval(510)])
    let breaths = try read(["14", "15"])
    #expect(breaths.intervals.isEmpty)
    #expect(breaths.kinds == [.unknownColumns])
    #expect(try Read("time_s,RR (s)\n0,0.5\n").readings == [.rrInterval(500)])
  }

  @Test("The power of a high frequency beside that of a low one is no heart rate")
  func highFrequency() throws {
    #expect(try Read("time_s,LF,HF,steps\n0,60,70,3\n").readings == [.steps(3)])
  }

  @Test("Steps that a logger counts since its start become steps since the row before; where it is unknown, it is said")
  func stepsSinceStart() throws {
    let logger = try Read("time,seconds_elapsed,steps\n1700000000000000000,0.5,100\n1700000001000000000,1.5,103\n")
    #expect(logger.readings == [.steps(0), .steps(3)])
    let rows = (0..<12).map { "\($0),\(3 * $0)" }
    #expect(try Read(["time_s,steps"] + rows).guess == "steps since the row before, though they never fall")
    #expect(try Read(["time_s,steps"] + rows + ["12,2"]).warnings.isEmpty)
    #expect(try Read(["time_s,steps"] + (0..<12).map { "\($0),3" }).warnings.isEmpty)
  }

  @Test(
    "A distance may be called by its first letters with its unit",
    arguments: [("dist_m", 3), ("dist_km", 3_000), ("dist_mi", 4_828.032)] as [(String, Double)])
  func shortDistances(name: String, meters: Double) throws {
    #expect(try Read("time_s,hr,\(name)\n0,120,3\n").readings == [.heartRate(120), .distance(meters)])
  }

  @Test(
    "Steps of which nobody takes as many since the row before are counted since the start",
    arguments: [
      { "\($0)" }, { "2026-11-20T07:\($0 / 60 < 10 ? "0" : "")\($0 / 60):\($0 % 60 < 10 ? "0" : "")\($0 % 60)Z" },
    ] as [@Sendable (Int) -> String])
  func stepsThatAreCounts(time: @Sendable (Int) -> String) throws {
    func read(_ steps: (Int) -> Int) throws -> (total: Int, guess: String?) {
      let read = try Read(["time,steps"] + (0..<120).map { "\(time($0)),\(steps($0))" })
      return (read.readings.reduce(0) { if case .steps(let count) = $1 { $0 + count } else { $0 } }, read.guess)
    }
    let count = try read { 1_000 + 3 * $0 }
    #expect(count.total == 357)
    #expect(count.guess == "steps since the start, for nobody takes as many since the row before")
    // A walk that gets faster, and what nobody takes in any way, stay what they were.
    let faster = try read { $0 / 40 }
    #expect(faster.total == 120)
    #expect(try read { 50 * $0 }.guess == "steps since the row before, though they never fall")
    #expect(try read { 50 * $0 }.total == 50 * 119 * 60)
  }

  // MARK: - Files of programs

  @Test("Polar Flow's samples below their summary are read, from its start on", arguments: [true, false])
  func polarFlow(hasEnds: Bool) throws {
    let lines = [
      "Name,Sport,Date,Start time,Duration,Total distance (km),Average heart rate (bpm),Average speed (km/h)",
      "Anna,RUNNING,20-11-2026,07:00:05,00:00:02,0.005,121,9.0", "",
      "Sample rate,Time,HR (bpm),Speed (km/h),Pace (min/km),Cadence,Altitude (m),Distances (m)",
      "1,00:00:00,120,9.0,06:40,85,340,0.0", ",00:00:01,121,9.0,06:40,,,2.5",
    ].map { hasEnds && !$0.isEmpty ? $0 + "," : $0 }
    let read = try Read(lines)
    #expect(read.start == "2026-11-20T07:00:05Z")
    #expect(read.seconds.last == 1)
    #expect(
      read.readings == [
        .heartRate(120), .cadence(170), .distance(0), .speed(2.5), .altitude(340), .heartRate(121), .distance(2.5),
        .speed(2.5),
      ])
    #expect(read.warnings.isEmpty)
    let ride = try Read(lines.map { $0.replacing("RUNNING", with: "CYCLING") })
    #expect(!ride.readings.contains { $0.stream == .cadence }, "pedals turn without steps")
    let undated = try Read(lines.map { $0.replacing("20-11-2026", with: "x") })
    #expect(undated.start == nil)
    #expect(undated.samples == read.samples)
    for alone in [Array(lines.prefix(2)), [lines[0], lines[1], lines[1]]] {
      #expect(
        try Read(alone).problem
          == "FILE: line 1: the summary of an activity alone: expected its samples in the lines below")
    }
  }

  @Test(
    "Tables of laps and of activities are no recordings, and say what they are",
    arguments: [
      ("Laps,Time,Cumulative Time,Distance,Avg Pace,Avg HR,Max HR", "1,05:12.3,05:12.3,1.00,5:12,150,160", "laps"),
      ("Runden,Zeit,Kumulative Zeit,Distanz km,Ø Pace,Ø Herzfrequenz", "1,05:12.3,05:12.3,1.00,5:12,150", "laps"),
      (
        "Activity Type,Date,Favorite,Title,Distance,Calories,Time,Avg HR,Max HR",
        "Running,2026-11-20 07:00:00,false,Run,10.01,700,00:52:10,150,170", "activities"
      ),
      (
        "Aktivitätstyp,Datum,Favorit,Titel,Distanz,Kalorien,Zeit,Ø Herzfrequenz,Maximale Herzfrequenz",
        "Laufen,2026-11-20 07:00:00,false,Lauf,\"10,01\",700,00:52:10,150,170", "activities"
      ),
      (
        "Activity ID,Activity Date,Activity Name,Activity Type,Elapsed Time,Distance,Max Speed,Average Speed",
        "1,\"Nov 20, 2026, 7:00:00 AM\",Run,Run,3130,10.01,4.5,3.2", "activities"
      ),
      ("Laps,Time,Distance,Avg HR", "1,5:30,1.0,140", "laps"),
      ("Split,Time,Distance,Avg Pace", "1,5:30,1.0,5:30", "laps"),
      ("Runde;Zeit;Distanz;Ø Herzfrequenz", "1;5:30;1,0;140", "laps"),
      ("Date,Time,Distance,Avg HR", "2026-11-20,07:00:00,10.01,150", "activities"),
      (
        "Activity ID,Activity Date,Activity Name,Activity Type,Elapsed Time,Distance",
        "1,\"Nov 20, 2026, 7:00:00 AM\",Run,Run,3130,10.01", "activities"
      ),
      (
        "Activity ID,Activity Date,Activity Name,Activity Type,Elapsed Time,Distance,Max Heart Rate",
        "1,x,x,Run,1,1,1", "activities"
      ),
    ])
  func summaries(header: String, row: String, what: String) throws {
    #expect(
      try Read([header, row]).problem
        == "FILE: line 1: this seems to be a table of \(what) with a row for each: "
        + "expected the recording of one activity, such as its FIT, TCX or GPX file")
  }

  @Test("A recording with a lap and means beside its heart rates stays one")
  func recordingWithMeans() throws {
    #expect(try Read("lap,time_s,hr,avg_hr,max_hr\n1,0,120,120,120\n").readings == [.heartRate(120)])
  }

  @Test(
    "A recording of motion, steps or a distance alone stays one beside one mean, or the name of an activity",
    arguments: [
      ("sport,time_s,acc_x,acc_y,acc_z,max_hr", "run,0,0,0,1,190"), ("time_s,distance,avg_speed", "0,1,2"),
      ("time_s,steps,distance,avg_hr", "0,1,2,120"), ("time_s,distance,speed,avg_hr", "0,1,2,120"),
      ("activity_id,activity_type,time_s,steps", "1,run,0,2"), ("activity_type,time_s,distance", "run,0,2"),
    ])
  func recordingWithAMean(header: String, row: String) throws {
    #expect(try Read([header, row]).problem == nil)
  }

  @Test(
    "Files of loggers and services are read",
    arguments: [
      ("dateTime,value.bpm,value.confidence", "2026-11-20 07:00:00,120,3"),
      ("timestamp,beats per minute", "2026-11-20T07:00:00Z,120"),
      ("timestamp;bpm;source", "2026-11-20T07:00:00+00:00;120;awake"),
      ("date,time,heartRate", "2026-11-20,07:00,120"),
      ("Date/Time,Heart Rate (count/min)", "2026-11-20 08:00:00 +0100,120"),
    ])
  func services(header: String, row: String) throws {
    let read = try Read([header, row])
    #expect(read.readings == [.heartRate(120)])
    #expect(read.start == "2026-11-20T07:00:00Z")
  }

  @Test("Positions of a logger that writes its words together, with a height")
  func loggerPositions() throws {
    let read = try Read([
      "\"Time (s)\",\"Latitude (°)\",\"Longitude (°)\",\"Height (m)\",\"Velocity (m/s)\",horizontalAccuracy,bearingAccuracy",
      "0,46.77,23.59,340,2.5,4,1",
    ])
    #expect(read.warnings.isEmpty)
    #expect(
      read.readings.first { $0.stream == .location }
        == .location(
          LocationFix(
            coordinate: try #require(Coordinate(latitudeDegrees: 46.77, longitudeDegrees: 23.59)),
            altitudeMeters: 340, horizontalAccuracyMeters: 4, speedMetersPerSecond: 2.5)))
  }

  @Test("Polar Flow's distances in feet are read in these, and what is not read in its unit is named")
  func polarFlowInFeet() throws {
    let read = try Read([
      "Name,Sport,Date,Start time,Duration", "Anna,RUNNING,20-11-2026,07:00:05,00:00:01", "",
      "Sample rate,Time,HR (bpm),Speed (mph),Pace (min/mi),Cadence,Altitude (ft),Distances (ft)",
      "1,00:00:00,120,10,06:00,85,1000,0", ",00:00:01,121,10,06:00,85,1000,10",
    ])
    let meters = read.readings.compactMap { reading -> Double? in
      if case .distance(let meters) = reading { meters } else { nil }
    }
    #expect(meters.map { ($0 * 1000).rounded() } == [0, 3048])
    #expect(read.warnings.map(\.detail) == ["Altitude (ft)"])
  }

  @Test("Names of words that begin with capitals are those of the words")
  func capitals() throws {
    let read = try Read([
      "Time,LatitudeDegrees,LongitudeDegrees,AltitudeMeters,DistanceMeters,HeartRateBpm",
      "2026-11-20T07:00:00Z,46.77,23.59,340,12.5,120",
    ])
    #expect(read.warnings.isEmpty)
    #expect(
      read.readings == [
        .heartRate(120), .distance(12.5),
        .location(
          LocationFix(
            coordinate: try #require(Coordinate(latitudeDegrees: 46.77, longitudeDegrees: 23.59)), altitudeMeters: 340,
            horizontalAccuracyMeters: nil, speedMetersPerSecond: nil)),
      ])
    #expect(try Read("ElapsedTime (sec),HRCur (bpm)\n0,120\n1,121\n").seconds == [0, 1])
    #expect(try Read("Date,TotalSteps\n2026-11-20,9000\n").problem?.contains("no column with readings") == true)
  }

  @Test("The phone's clock is that of Polar Sensor Logger, whose sensors count from another start")
  func polarSensorLogger() throws {
    let read = try Read([
      "Phone timestamp;sensor timestamp [ns];HR [bpm];HRV [ms];Breathing interval [rpm];",
      "2026-11-20T07:00:00.500;599628000000000000;120;30;15;", "2026-11-20T07:00:01.500;599628001000000000;121;30;15;",
    ])
    #expect(read.readings == [.heartRate(120), .heartRate(121)])
    #expect(read.seconds == [0, 1])
    #expect(read.start == "2026-11-20T07:00:00.5Z")
    let intervals = try Read(["Phone timestamp;RR-interval [ms]", "2026-11-20T07:00:00.500;500"])
    #expect(intervals.readings == [.rrInterval(500)])
  }

  @Test("Positions in the unit of FIT are those in degrees")
  func semicircles() throws {
    let read = try Read("timestamp,position_lat,position_long\n1795158000,536870912,-268435456\n1795158001,45,-22.5\n")
    let place = Reading.location(
      LocationFix(
        coordinate: try #require(Coordinate(latitudeDegrees: 45, longitudeDegrees: -22.5)), altitudeMeters: nil,
        horizontalAccuracyMeters: nil, speedMetersPerSecond: nil))
    #expect(read.readings == [place, place])
    #expect(read.warnings.isEmpty)
    #expect(try Read("time_s,hr,lat,lon\n0,120,536870912,11\n").kinds == [.unreadableValue])
  }
}
