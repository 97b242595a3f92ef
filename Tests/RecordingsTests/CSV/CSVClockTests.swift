import Recordings
import WorkoutSession
import TestSupport
import Testing
import TextFormats
import ZoneEngine
@testable import WorkoutTestSupport

/// The times of the samples of a file in seconds, and its start; a file that cannot be used has none.
private func clock(_ text: String) throws -> (seconds: [Double], start: String?, warnings: [RecordingWarning.Kind]) {
  let folder = try ScratchFolder()
  guard let recording = try? Recording(path: folder.write(text)) else { return ([], nil, []) }
  var seconds: [Double] = []
  try recording.forEachInput { if case .sample(let sample) = $0 { seconds.append(sample.time.seconds) } }
  return (seconds, recording.facts.start.map { "\($0)" }, recording.facts.warnings.map(\.kind))
}

/// The same of lines, which are joined.
private func clock(_ lines: [String]) throws -> (seconds: [Double], start: String?, warnings: [RecordingWarning.Kind]) {
  try clock(lines.map { $0 + "\n" }.joined())
}

@Suite("CSVs with date, hour and minute apart")
struct CSVClockTests {
  @Test(
    "Date, hour and minute are the time of day, in any order and case",
    arguments: [
      ["date,hour,minute,steps", "2026-11-20,7,0,10", "2026-11-20,7,1,12"],
      ["Date,Hour,Minute,Steps", "11/20/2026,07,00,10", "11/20/2026,07,01,12"],
      ["steps;minute;hour;date", "10;0;7;2026-11-20", "12;1;7;2026/11/20"],
      ["DATE,HOURS,MINUTES,SECONDS,STEP_COUNT", "2026-11-20,7,0,0,10", "2026-11-20,7,1,0,12"],
      ["date,hour,min,sec,steps", "2026-11-20,7.0,0.0,0.0,10", "2026-11-20,7.0,1.0,0.0,12"],
    ])
  func dated(lines: [String]) throws {
    let read = try clock(lines)
    #expect(read.seconds == [0, 60])
    #expect(read.start == "2026-11-20T07:00:00Z")
    #expect(read.warnings.isEmpty)
  }

  @Test(
    "The offset of the first time of day is that of the place, however it is written; UTC states none",
    arguments: [
      ("2026-11-20T07:00:00+01:00", 3_600), ("2026-11-20 07:00:00 -0500", -18_000), ("2026-11-20 7:00+05:30", 19_800),
      ("20.11.2026 07:00:00+01:00", 3_600), ("2026-11-20T07:00:00Z", nil), ("2026-11-20T07:00:00", nil),
      ("2026-11-20T07:00:00+00:00", nil), ("2026-11-20T07:00:00+15:00", nil), ("1700000000", nil), ("5", nil),
    ])
  func utcOffset(time: String, seconds: Int?) throws {
    let folder = try ScratchFolder()
    // What stands in a row without a reading is no time of the recording.
    for rows in ["\(time),120\n", "2026-11-20T09:00:00+09:00,\n\(time),120\n"] {
      let recording = try Recording(path: folder.write("time,hr\n" + rows))
      #expect(recording.facts.utcOffsetSeconds == seconds, "\(rows)")
    }
  }

  @Test("Rows out of order, and those of several people, have the offset of the first row")
  func utcOffsetOfSorted() throws {
    let folder = try ScratchFolder()
    let rows = ["2026-11-20T07:00:09-05:00", "2026-11-20T07:00:01-05:00"]
    let sorted = try Recording(path: folder.write("time,hr\n" + rows.map { "\($0),120\n" }.joined()))
    #expect(sorted.facts.utcOffsetSeconds == -18_000)
    let dated = try Recording(path: folder.write("date,time,hr\n2026-11-20,07:00:00+01:00,120\n"))
    #expect(dated.facts.utcOffsetSeconds == 3_600)
    let people = try Recording(
      path: folder.write("Id,Time,Value\n" + rows.enumerated().map { "\($0.offset),\($0.element),70\n" }.joined()))
    var offsets: [Int?] = []
    try people.forEachPerson { offsets.append($1.facts.utcOffsetSeconds) }
    #expect(offsets == [-18_000, -18_000])
  }

  @Test("Heart rates every 5 s with a column for the second")
  func seconds() throws {
    let read = try clock([
      "date,hour,minute,second,heart_rate", "2026-11-20,23,59,50,60", "2026-11-20,23,59,55,61", "2026-11-21,0,0,0,62",
      "2026-11-21,0,0,5.5,63",
    ])
    #expect(read.seconds == [0, 5, 10, 15.5])
    #expect(read.start == "2026-11-20T23:59:50Z")
    #expect(read.warnings.isEmpty)
  }

  @Test("A row without a reading before the first one that has some decides nothing about the clock")
  func rowWithoutReading() throws {
    for row in ["17,", "17,x", "17,\"\""] {
      let written = try clock(["time,hr", row, "2026-11-20T07:00:00Z,120", "2026-11-20T07:00:01Z,121"])
      #expect(written.seconds == [0, 1], "\(row)")
      #expect(written.start == "2026-11-20T07:00:00Z", "\(row)")
      let numbers = try clock(["timestamp,hr", row, "1777874829,121"])
      #expect(numbers.seconds == [0], "\(row)")
      #expect(numbers.start == "2026-05-04T06:07:09Z", "\(row)")
    }
    // One that has a reading does.
    #expect(try clock(["timestamp,hr", "17,120", "18,121"]).start == nil)
  }

  @Test("Without a date the clock counts from the first row, and midnight is the next day")
  func undated() throws {
    let read = try clock(["hour,minute,steps", "23,58,1", "23,59,2", "0,0,3", "0,1,4"])
    #expect(read.seconds == [0, 60, 120, 180])
    #expect(read.start == nil)
    #expect(read.warnings.isEmpty)
    let days = try clock(["hour,minute,hr", "20,0,60", "9,0,61", "21,0,62", "8,0,63"])
    #expect(days.seconds == [0, 46_800, 90_000, 129_600])
    #expect(days.warnings == [.clockJump])
  }

  @Test("A row a little late stays on its day, before midnight too")
  func lateRows() throws {
    let read = try clock(["hour,minute,steps", "10,0,1", "10,2,2", "10,1,3", "10,3,4"])
    #expect(read.seconds == [0, 60, 120, 180])
    #expect(read.warnings == [.outOfOrder])
    let midnight = try clock(["hour,minute,steps", "23,58,1", "0,0,2", "23,59,3", "0,1,4"])
    #expect(midnight.seconds == [0, 60, 120, 180])
    #expect(midnight.warnings == [.outOfOrder])
    #expect(try clock(["hour,minute,steps", "0,1,1", "23,59,2"]).seconds == [0, 86_280])
  }

  @Test("Parts that are no time are rows that cannot be read")
  func badParts() throws {
    let bad = ["24,0,1", "7,60,1", "7,-1,1", "7,0.5,1", "x,0,1", ",0,1", "7,,1"]
    let read = try clock(["hour,minute,steps", "7,0,1"] + bad + ["7,1,1"])
    #expect(read.seconds == [0, 60])
    #expect(read.warnings == [.unreadableRow])
    let dated = try clock(
      ["date,hour,minute,second,steps", "2026-11-20,7,0,0,1", "2026-02-30,7,0,1,1", "x,7,0,2,1"]
        + ["2026-11-20,7,0,60,1", "2026-11-20,7,0,59.5,1", "1500-01-01,7,0,0,1"])
    #expect(dated.seconds == [0, 59.5])
    #expect(dated.warnings == [.unreadableRow])
  }

  @Test("An hour without minutes is a time too")
  func hours() throws {
    let read = try clock(["date,hour,steps", "2026-11-20,23,1", "2026-11-21,0,2"])
    #expect(read.seconds == [0, 3600])
    #expect(read.start == "2026-11-20T23:00:00Z")
  }

  @Test("Parts of a time beside a whole one are of no use, and said so")
  func unused() throws {
    let read = try clock(["time_s,hour,minute,hr", "0,7,0,60", "1,7,0,61"])
    #expect(read.seconds == [0, 1])
    #expect(read.warnings == [.unknownColumns])
    #expect(try clock(["minute,steps", "0,1"]).seconds.isEmpty)
  }

  @Test(
    "A time of day with a date in a column beside it",
    arguments: [
      ["date,time,hr", "2026-11-20,7:00,60", "2026-11-20,7:01,61"],
      ["Date,Time,hr", "11/20/2026,07:00:00,60", "11/20/2026,07:01:00,61"],
      ["time,date,hr", "7:00:00 AM,11/20/2026,60", "7:01 AM,11/20/2026,61"],
      ["date,time_of_day,hr", "2026-11-20,7:00,60", "2026-11-20,7:01,61"],
      ["date,time,hr", "2026-11-20 07:00:00,7:00,60", "2026-11-20 07:01:00,7:01,61"],
      ["date,time,hr", "ignored,2026-11-20T07:00:00Z,60", "ignored,2026-11-20T07:01:00Z,61"],
      ["date,hr", "2026-11-20 07:00:00,60", "2026-11-20T07:01:00Z,61"],
      ["timestamp,hr", "11/20/2026 7:00:00 AM,60", "11/20/2026 7:01:00 AM,61"],
      ["time,hr", "2026-11-20 07:00,60", "2026-11-20 07:01,61"],
    ])
  func dateAndTime(lines: [String]) throws {
    let read = try clock(lines)
    #expect(read.seconds == [0, 60])
    #expect(read.start == "2026-11-20T07:00:00Z")
    #expect(read.warnings.isEmpty)
  }

  @Test(
    "Two numbers with a colon are hours and minutes where something says so",
    arguments: [
      ["time,steps", "0:00,1", "0:01,2"], ["time,hr", "07:00,1", "07:01,2"], ["time_of_day,hr", "0:00,1", "0:01,2"],
      ["time,hr", "7:00 AM,1", "7:01 AM,2"], ["time,hr", "7:00:00,1", "7:01:00,2"],
    ])
  func hoursAndMinutes(lines: [String]) throws {
    let read = try clock(lines)
    #expect(read.seconds == [0, 60])
    #expect(read.start == nil)
    #expect(read.warnings.isEmpty)
  }

  @Test(
    "Two numbers with a colon are minutes and seconds elsewhere",
    arguments: [
      ["time,hr", "00:00,1", "01:00,2"], ["time,hr", "0:59,1", "1:59,2"], ["time,hr", "7:00,1", "8:00,2"],
      ["time,hr", "12:59.75,1", "13:59.75,2"], ["elapsed,steps", "07:00,1", "08:00,2"],
      ["time,hr", "24:00,1", "25:00,2"],
    ])
  func minutesAndSeconds(lines: [String]) throws { #expect(try clock(lines).seconds == [0, 60]) }

  @Test("A time of day goes on at midnight, time since the start goes on past 24 h")
  func midnight() throws {
    #expect(try clock(["time,hr", "23:59:58,1", "23:59:59,2", "00:00:00,3"]).seconds == [0, 1, 2])
    #expect(try clock(["time,steps", "23:58,1", "23:59,2", "00:00,3"]).seconds == [0, 60, 120])
    #expect(try clock(["time,hr", "11:59:59 PM,1", "12:00:00 AM,2"]).seconds == [0, 1])
    #expect(try clock(["time,hr", "23:59:58,1", "24:00:00,2", "25:00:00,3"]).seconds == [0, 2, 3602])
    let dated = try clock(["date,time,hr", "2026-11-20,23:59:59,1", "2026-11-21,00:00:00,2"])
    #expect(dated.seconds == [0, 1])
    #expect(dated.warnings.isEmpty)
  }

  @Test("A clock that goes through more than 100 years is no crash")
  func endlessDays() throws {
    let rows = (0..<90_000).map { "\($0 % 2 == 0 ? 20 : 10),0,1" }
    let read = try clock(["hour,minute,steps"] + rows)
    #expect(read.seconds.count == 73_051)
    #expect(read.warnings == [.unreadableRow, .clockJump])
  }

  @Test("Every minute of some days is read back, with and without dates", arguments: 1...4 as ClosedRange<UInt64>)
  func roundTrip(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let start = random.int(20_000 * 1440...21_000 * 1440)
    var minutes = [start]
    for _ in 0..<200 { minutes.append((minutes.last ?? 0) + (random.chance(0.1) ? random.int(1...700) : 1)) }
    let expected = minutes.map { Double(($0 - start) * 60) }
    func lines(_ header: String, _ row: (CivilDate, Int, Int) -> String) throws -> [String] {
      try [header]
        + minutes.map { minute in
          row(try #require(CivilDate(daysSinceEpoch: minute / 1440)), minute % 1440 / 60, minute % 60)
        }
    }
    func two(_ value: Int) -> String { (value < 10 ? "0" : "") + "\(value)" }
    for lines in [
      try lines("date,hour,minute,steps") { "\($0),\($1),\($2),5" }, try lines("hour,minute,steps") { "\($1),\($2),5" },
      try lines("date,time,steps") { "\($0.month)/\($0.day)/\($0.year),\($1):\(two($2)),5" },
      try lines("time,steps") { "\(two($1)):\(two($2)),5" }, try lines("time,hr") { "\(two($1)):\(two($2)):00,70" },
    ] {
      let read = try clock(lines)
      #expect(read.seconds == expected, "seed \(seed): \(lines[0])")
      #expect(read.warnings.allSatisfy { $0 == .clockJump }, "seed \(seed): \(lines[0])")
    }
  }

  @Test("A file cut at any byte, or with bytes changed, is no crash", arguments: 1...4 as ClosedRange<UInt64>)
  func damage(seed: UInt64) throws {
    let text = "date,hour,minute,time,steps\n4/12/2016,7,0,7:00,1\n2016-04-12,23,59,11:59:00 PM,2\n,0,0,0:00:00,3\n"
    let bytes = Array(text.utf8)
    for count in stride(from: Int(seed), to: bytes.count, by: 4) {
      _ = try clock(String(decoding: bytes[..<count], as: UTF8.self))
    }
    var random = SplitMix64(seed: seed)
    for _ in 0..<100 {
      var changed = bytes
      for _ in 0..<3 { changed[random.int(0...bytes.count - 1)] = random.pick(Array("0123456789:/,- APM\n".utf8)) }
      let read = try clock(String(decoding: changed, as: UTF8.self))
      #expect(read.seconds.allSatisfy { $0 >= 0 }, "seed \(seed)")
    }
  }
}
