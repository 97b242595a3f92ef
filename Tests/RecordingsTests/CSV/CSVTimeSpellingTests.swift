import Recordings
import TestSupport
import Testing
import TextFormats
import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

/// The times of the samples of a table in seconds, its start, and what was guessed of it; or why it cannot be used.
private struct Clock {
  var seconds: [Double] = []
  var start: String?
  var guess: String?
  var kinds: [RecordingWarning.Kind] = []
  var problem: String?

  init(_ lines: [String]) throws {
    let folder = try ScratchFolder()
    let path = try folder.write(lines.map { $0 + "\n" }.joined())
    do {
      let recording = try Recording(path: path)
      try recording.forEachInput { if case .sample(let sample) = $0 { seconds.append(sample.time.seconds) } }
      start = recording.facts.start.map { "\($0)" }
      kinds = recording.facts.warnings.map(\.kind)
      guess = recording.facts.warnings.first { $0.kind == .guessedUnit }?.detail
    } catch let error as RecordingError {
      problem = error.description.replacing(path, with: "FILE")
    }
  }
}

@Suite("Times as programs and people write them in CSVs")
struct CSVTimeSpellingTests {
  @Test(
    "Dates and times of day in many spellings are the same",
    arguments: [
      ["Datum;Uhrzeit;Puls", "20.11.2026;07:00:00;60", "20.11.2026;07:01:00;61"],
      ["Datum;Zeit;Puls", "20.11.26;7:00;60", "20.11.26;7:01;61"],
      ["Zeit;Puls", "20.11.2026 07:00:00;60", "20.11.2026 07:01;61"],
      ["Zeit;Puls", "20.11.2026, 07:00:00 Uhr;60", "20.11.2026, 07:01:00 Uhr;61"],
      ["time,hr", "2026.11.20 07:00:00,60", "2026.11.20 07:01:00,61"],
      ["date,time,hr", "20/11/2026,07:00:00,60", "20/11/2026,07:01:00,61"],
      ["date,time,hr", "20-11-2026,07:00:00,60", "20-11-2026,07:01:00,61"],
      ["date,time,hr", "11-20-2026,07:00:00,60", "11-20-2026,07:01:00,61"],
      ["timestamp,hr", "20/11/2026 7:00:00 a.m.,60", "20/11/2026 7:01 a.m.,61"],
      ["time,hr", "2026-11-20T07:00Z,60", "2026-11-20T08:01+01:00,61"],
      ["date,time,hr", "2026-11-20,08:00:00+01:00,60", "2026-11-20,07:01:00Z,61"],
      ["time,hr", "\"11/20/2026, 7:00:00 AM\",60", "\"11/20/2026, 7:01:00 AM\",61"],
    ])
  func dates(lines: [String]) throws {
    let read = try Clock(lines)
    #expect(read.seconds == [0, 60])
    #expect(read.start == "2026-11-20T07:00:00Z")
    #expect(read.kinds.isEmpty)
  }

  @Test("A file whose later dates show that the day stands first is read so from its first row on")
  func dayFirst() throws {
    let shown = try Clock(["time,hr", "12/11/2026 23:59:59,60", "13/11/2026 00:00:00,61"])
    #expect(shown.seconds == [0, 1])
    #expect(shown.start == "2026-11-12T23:59:59Z")
    let following = try Clock(["time,hr", "05/11/2026 23:59:59,60", "06/11/2026 00:00:00,61"])
    #expect(following.seconds == [0, 1])
    #expect(following.start == "2026-11-05T23:59:59Z")
    let american = try Clock(["time,hr", "11/05/2026 23:59:59,60", "11/06/2026 00:00:00,61"])
    #expect(american.start == "2026-11-05T23:59:59Z")
    #expect(american.kinds.isEmpty)
  }

  @Test("A date that could be two is that of the United States with slashes and none with hyphens, which is said")
  func ambiguousDates() throws {
    let slashes = try Clock(["date,time,hr", "5/11/2026,07:00:00,60"])
    #expect(slashes.start == "2026-05-11T07:00:00Z")
    #expect(slashes.guess == "dates as month/day/year")
    #expect(try Clock(["time,hr", "5/11/2026 7:00:00 AM,60"]).kinds.isEmpty)
    let hyphens = try Clock(["date,time,hr", "5-11-2026,07:00:00,60"])
    #expect(hyphens.start == nil)
    #expect(hyphens.guess == "times without dates, since their order is not known")
    #expect(
      try Clock(["time,hr", "5-11-2026 07:00:00,60"]).problem
        == "FILE: line 2: no time that can be read in 'time'")
  }

  @Test(
    "Unix times in seconds, milliseconds, microseconds and nanoseconds are the same",
    arguments: [
      ("timestamp", ""), ("time", "000"), ("timestamp", "000000"), ("time", "000000000"), ("epoch", "000000"),
    ])
  func unixTimes(name: String, zeros: String) throws {
    let read = try Clock(["\(name),hr", "1795158000\(zeros),60", "1795158001\(zeros),61"])
    #expect(read.seconds == [0, 1])
    #expect(read.start == "2026-11-20T07:00:00Z")
    #expect(read.kinds.isEmpty)
  }

  @Test(
    "A unit of time in a name counts, down to nanoseconds",
    arguments: [
      ("timestamp_us", "1795158000000000", "1795158001000000"), ("Time (µs)", "1795158000000000", "1795158001000000"),
      ("timestamp_ns", "1795158000000000000", "1795158001000000000"),
      ("Timestamp (ns)", "1795158000000000000", "1795158001000000000"),
    ])
  func namedUnits(name: String, first: String, second: String) throws {
    let read = try Clock(["\(name),hr", "\(first),60", "\(second),61"])
    #expect(read.seconds == [0, 1])
    #expect(read.start == "2026-11-20T07:00:00Z")
    let since = try Clock(["time_us,hr", "0,60", "1500000,61"])
    #expect(since.seconds == [0, 1.5])
    #expect(since.start == nil)
  }

  @Test(
    "Nanoseconds since a phone was started are no milliseconds of some year",
    arguments: [0, 1_200_000_000_000, 250_000_000_000_000])
  func sinceBoot(first: Int) throws {
    let rows = (0..<20).map { "\(first + $0 * 10_000_003),0.1,0.2,0.9" }
    let read = try Clock(["timestamp,acc_x,acc_y,acc_z"] + rows)
    #expect(read.start == nil)
    #expect(read.seconds.last == 0.190_000_057)
    #expect(read.guess == "time in nanoseconds, acceleration in g")
  }

  @Test(
    "Whole numbers that are too far apart for motion are milliseconds or microseconds", arguments: [1_000, 1_000_000])
  func unitsOfMotion(perSecond: Int) throws {
    for first in [0, 3 * 86_400] {
      let rows = (0..<20).map { "\(first * perSecond + $0 * perSecond / 50),0.1,0.2,0.9" }
      let read = try Clock(["timestamp,acc_x,acc_y,acc_z"] + rows)
      #expect(read.start == nil)
      #expect(read.seconds.last == 0.38)
      #expect(read.guess == "time in \(perSecond == 1_000 ? "milli" : "micro")seconds, acceleration in g")
    }
    let slow = (0..<20).map { "\($0),0.1,0.2,0.9" }
    #expect(try Clock(["time,acc_x,acc_y,acc_z"] + slow).seconds.last == 19, "a second apart they are seconds")
    let dated = (0..<20).map { "\(1_795_158_000_000 + 5_000 * $0),0.1,0.2,0.9" }
    #expect(try Clock(["time,acc_x,acc_y,acc_z"] + dated).start == "2026-11-20T07:00:00Z")
  }

  @Test("A damaged or stray time among the first rows changes nothing of the others")
  func damagedTimes() throws {
    let days = (0..<40).map { "46346.29\(16667 + 116 * $0),60" }
    let read = try Clock(["time,hr", "x,60"] + days + ["0,60"])
    #expect(read.start == "2026-11-20T07:00:00.003Z")
    #expect(read.kinds == [.guessedUnit, .unreadableRow])
  }

  @Test("Milliseconds of a day that are far apart stay milliseconds")
  func sparseMilliseconds() throws {
    let rows = (0..<12).map { "\(1_795_158_000_000 + $0 * 1_200_123),60" }
    let read = try Clock(["timestamp,hr"] + rows)
    #expect(read.start == "2026-11-20T07:00:00Z")
    #expect(read.seconds.last == 13_201.353)
  }

  @Test(
    "Days of a spreadsheet are days, with a warning",
    arguments: [
      ["time,hr", "46346.2916666667,60", "46346.2916782407,61", "46346.2916898148,62"],
      ["Datum;Puls", "46346,29167;60", "46346,29168;61", "46346,29169;62"],
      ["timestamp,hr", "46346.29167,60", "46346.29168,61", "46346.29169,62"],
    ])
  func spreadsheetDays(lines: [String]) throws {
    let read = try Clock(lines)
    #expect(read.seconds == [0, 1, 2])
    #expect(read.start == "2026-11-20T07:00:00Z")
    #expect(read.guess == "time in days since 1899-12-30")
  }

  @Test(
    "A date of a spreadsheet with a part of a day beside it is a time of day",
    arguments: [
      ["date,time,hr", "46346,0.291666667,60", "46346,0.291678241,61"],
      ["date,time,hr", "2026-11-20,0.291666667,60", "2026-11-20,0.291678241,61"],
    ])
  func spreadsheetParts(lines: [String]) throws {
    let read = try Clock(lines)
    #expect(read.seconds == [0, 1])
    #expect(read.start == "2026-11-20T07:00:00Z")
    #expect(read.guess == "time in days")
  }

  @Test("Seconds that could be days by their size alone are seconds")
  func secondsStaySeconds() throws {
    for rows in [["45000,60", "45001,61"], ["45000.25,60", "45001.5,61"], ["45000.001,60", "45000.002,61"]] {
      let read = try Clock(["time,hr"] + rows)
      #expect(read.start == nil, "\(rows)")
      #expect(read.kinds.isEmpty, "\(rows)")
    }
    #expect(try Clock(["time_s,hr", "45000.00001,60", "45000.00002,61"]).start == nil, "the name says seconds")
  }

  @Test("A date that a spreadsheet rounded to powers of ten is refused")
  func roundedDates() throws {
    for number in ["1.79516E+12", "1.79516E+09"] {
      #expect(
        try Clock(["timestamp,hr", "\(number),60", "\(number),61"]).problem
          == "FILE: line 2: no time that can be read in 'timestamp'", "\(number)")
    }
  }

  @Test(
    "Tables in every spelling, cut at any byte or with bytes changed, are no crash",
    arguments: 1...4 as ClosedRange<UInt64>)
  func damage(seed: UInt64) throws {
    let texts = [
      "sep=;\nDatum;Uhrzeit;Puls;Notiz\n20.11.2026;07:00:00 Uhr;60,5;\"a\nb\"\n46346;0,291666667;1.234;\n",
      "Name,Sport,Date,Start time,Duration\nA,RUNNING,20-11-2026,07:00,1\n\nSample rate,Time,HR (bpm),\n1,00:00:00,60,\n",
      "timestamp,hr,rr\r1795158000000000,60,0.8\r1795158001000000,61,800\r",
    ]
    var random = SplitMix64(seed: seed)
    for text in texts {
      let bytes = Array(text.utf8)
      for count in stride(from: Int(seed), to: bytes.count, by: 4) {
        _ = try Clock([String(decoding: bytes[..<count], as: UTF8.self)])
      }
      for _ in 0..<50 {
        var changed = bytes
        for _ in 0..<3 {
          changed[random.int(0...bytes.count - 1)] = random.pick(Array("0123456789:/,;.-\"e \n\r".utf8))
        }
        let read = try Clock([String(decoding: changed, as: UTF8.self)])
        #expect(read.seconds.allSatisfy { $0 >= 0 }, "seed \(seed)")
      }
    }
  }

  // MARK: - A clock beside times since the start

  @Test(
    "A clock beside times since the start says when these began",
    arguments: [
      [
        "time,seconds_elapsed,bpm", "1795158000250000000,0.25,60", "1795158001251000000,1.25,61",
      ],
      ["Time,Elapsed,Heart Rate [bpm]", "2026-11-20T07:00:00.25Z,0.25,60", "2026-11-20T07:00:01Z,1.25,61"],
      ["seconds,timestamp,hr", "0.25,1795158000.25,60", "1.25,1795158001.25,61"],
      ["date;time;seconds;hr", "20.11.2026;07:00:00.25;0,25;60", "20.11.2026;07:00:01.25;1,25;61"],
      ["timestamp_ms,elapsed_s,hr", "1795158000250,10.25,60", "1795158001250,11.25,61"],
    ])
  func clockBesideSeconds(lines: [String]) throws {
    let read = try Clock(lines)
    #expect(read.seconds == [0, 1])
    #expect(read.start == "2026-11-20T07:00:00.25Z")
    #expect(read.kinds.isEmpty)
  }

  @Test("One stray time of that clock does not say when a recording began")
  func strayClock() throws {
    let rows = (0..<5).map { "\($0 == 0 ? 946_684_800 : 1_795_158_000 + $0),\($0),120" }
    let read = try Clock(["timestamp,time_s,hr"] + rows)
    #expect(read.seconds == [0, 1, 2, 3, 4])
    #expect(read.start == "2026-11-20T07:00:00Z")
  }

  @Test(
    "A clock without a date, or that was never set, and rows of trials leave the start open",
    arguments: [
      ["time,seconds_elapsed,hr", "07:00:00,0,60", "07:00:01,1,61"],
      ["time,seconds_elapsed,hr", "5,0,60", "6,1,61"],
      ["time,seconds_elapsed,hr", "1980-01-01T00:00:00Z,0,60", "1980-01-01T00:00:01Z,1,61"],
      ["time,seconds_elapsed,hr", ",0,60", "x,1,61"],
      ["trial,timestamp,time_s,hr", "1,1795158000,0,60", "1,1795158001,1,61"],
    ])
  func noClock(lines: [String]) throws {
    let read = try Clock(lines)
    #expect(read.seconds == [0, 1])
    #expect(read.start == nil)
  }

  // MARK: - Units of time

  @Test("Times in parts of a second are read in these")
  func partsOfSecond() throws {
    let read = try Clock(["time [s/256],heart_rate [NA](/api/datatype/19/)", "0,60", "256,61", "384,62"])
    #expect(read.seconds == [0, 1, 1.5])
    let day = try Clock(["time [s/256],hr", "459560448000,60", "459560448256,61"])
    #expect(day.seconds == [0, 1])
    #expect(day.start == "2026-11-20T07:00:00Z")
  }

  @Test("Times in units of no known length are no seconds", arguments: ["s/1024", "samples", "frames"])
  func unknownUnits(unit: String) throws {
    #expect(try Clock(["time (\(unit)),hr", "0,60", "1,61"]).problem?.contains("no column for the time") == true)
  }

  @Test("Files of power meters have minutes with decimals")
  func minutes() throws {
    let read = try Clock([
      "Minutes,Torq (N-m),Km/h,Watts,Km,Cadence,Hrate,ID", "0.5,0,18,90,0.1,80,120,0", "1.0,0,18,90,0.25,80,121,0",
    ])
    #expect(Set(read.seconds) == [0, 30])
    #expect(try Clock(["hour,minutes,hr", "7,0,60", "7,1,61"]).seconds == [0, 60])
  }
}
