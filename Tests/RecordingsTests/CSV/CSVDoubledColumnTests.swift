import ActivityRecognition
@testable import Recordings
import Testing
import TextFormats
import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

/// What a table with several columns of one meaning comes to.
private struct Read {
  let readings: [Reading]
  let warnings: [RecordingWarning]

  init(_ text: String) throws {
    let folder = try ScratchFolder()
    let recording = try CSVRecording(path: folder.write(text))
    var readings: [Reading] = []
    try recording.forEachSample { readings.append($0.reading) }
    self.readings = readings
    warnings = recording.facts.warnings
  }

  var heartRates: [Double] {
    readings.compactMap { if case .heartRate(let value) = $0 { value } else { nil } }
  }

  /// What the warning of columns that were left out names.
  var leftOut: String? { warnings.first { $0.kind == .doubledColumns }?.detail }
}

@Suite("Several columns of one meaning in a CSV")
struct CSVDoubledColumnTests {
  @Test(
    "The one with more values is read, the first where they have as many, and the others are named",
    arguments: [
      ("heart_rate,hr", "140,100", "141,101", [140, 141], "hr"), ("hr,heart_rate", ",100", ",101", [100, 101], "hr"),
      ("heart_rate,heart_rate", "140,100", "141,101", [140, 141], "heart_rate"),
      ("heart_rate,Heart Rate (bpm),pulse", "140,150,", ",151,", [150, 151], "heart_rate, pulse"),
      // What stands for no heart rate is no value.
      ("hr,bpm", "0,100", "255,101", [100, 101], "hr"), ("hr,bpm", "-1,100", "N/A,101", [100, 101], "hr"),
    ])
  func heartRates(header: String, first: String, second: String, heartRates: [Double], leftOut: String) throws {
    let read = try Read("time_s,\(header)\n0,\(first)\n1,\(second)\n")
    #expect(read.heartRates == heartRates)
    #expect(read.warnings.map(\.kind) == [.doubledColumns])
    #expect(read.leftOut == leftOut)
    #expect(read.warnings.first?.position == "line 1")
    #expect(read.warnings.first?.count == leftOut.split(separator: ",").count)
  }

  @Test("The altitude and the speed that FIT calls enhanced are read where those of old are empty")
  func enhanced() throws {
    let read = try Read(
      "time_s,heart_rate,speed,enhanced_speed,altitude,enhanced_altitude\n0,140,,3,,100.5\n1,141,,3.5,,101\n")
    #expect(
      read.readings == [
        .heartRate(140), .speed(3), .altitude(100.5), .heartRate(141), .speed(3.5), .altitude(101),
      ])
    #expect(read.leftOut == "speed, altitude")
  }

  @Test("A distance is one in whichever unit it is, and a speed too")
  func units() throws {
    let both = try Read("time_s,distance_km,distance\n0,0.5,1\n1,0.6,2\n")
    #expect(both.readings == [.distance(500), .distance(600)])
    #expect(both.leftOut == "distance")
    let empty = try Read("time_s,distance_km,distance,speed_kmh,speed\n0,,1,,3\n1,,2,,3\n")
    #expect(empty.readings == [.distance(1), .speed(3), .distance(2), .speed(3)])
    #expect(empty.leftOut == "distance_km, speed_kmh")
  }

  @Test("Units in a row below the names change nothing about it")
  func rowOfUnits() throws {
    let read = try Read("time,heart_rate,hr\ns,bpm,bpm\n0,,120\n1,,121\n")
    #expect(read.heartRates == [120, 121])
    #expect(read.leftOut == "heart_rate (bpm)")
  }

  @Test("The last row counts without its end, and rows that cannot be read do not")
  func lastRow() throws {
    #expect(try Read("time_s,heart_rate,hr\n0,,120").heartRates == [120])
    let damaged = try Read("time_s,hr,bpm\n0,x,120\n1,y,121\n2,100,\n3,100,7,8\n4,100,7,8\n")
    #expect(damaged.heartRates == [120, 121])
    #expect(damaged.warnings.map(\.kind) == [.doubledColumns, .unreadableRow])
  }

  @Test("Steps since the row before go before a count, unless they are empty")
  func steps() throws {
    let both = try Read("time_s,steps_cumulative,steps\n0,10,\n1,12,2\n2,15,3\n")
    #expect(both.readings == [.steps(2), .steps(3)])
    #expect(both.leftOut == "steps_cumulative")
    let count = try Read("time_s,steps,steps_cumulative\n0,,10\n1,,12\n")
    #expect(count.readings == [.steps(0), .steps(2)])
    #expect(count.leftOut == "steps")
  }

  @Test("A position is taken from two columns that belong together")
  func positions() throws {
    let read = try Read("time_s,lat,lon,position_lat,position_long\n0,46,,5,6\n1,46,7,5,6\n")
    let coordinate = try #require(Coordinate(latitudeDegrees: 5, longitudeDegrees: 6))
    #expect(
      read.readings == [
        .location(LocationFix(coordinate: coordinate)), .location(LocationFix(coordinate: coordinate)),
      ])
    #expect(read.leftOut == "lat, lon")
  }

  @Test("A sensor of motion is taken from three columns that belong together")
  func sensors() throws {
    let header = "time_s,acc_x_watch,acc_y_watch,acc_z_watch,acc_x_phone,acc_y_phone,acc_z_phone\n"
    let phone = try Read(header + "0,1,1,,0,0,1\n1,1,,1,0,0,1\n")
    let reading = Reading.motion(
      MotionReading(acceleration: Axes(x: 0, y: 0, z: 1), rotationRate: nil, magneticField: nil))
    #expect(phone.readings == [reading, reading])
    #expect(phone.leftOut == "acc_x_watch, acc_y_watch, acc_z_watch")
    #expect(try Read(header + "0,0,0,1,3,3,3\n").leftOut == "acc_x_phone, acc_y_phone, acc_z_phone")
  }

  @Test(
    "Columns that only look alike are no reason for a warning",
    arguments: [
      // A time of day beside seconds, and a day beside a time of day.
      "time,seconds_elapsed,hr\n2026-11-20T07:00:00Z,0,120\n", "date,time,hr\n2026-11-20,07:00:00,120\n",
      "time,at_s,heart_rate_bpm\n2026-11-20T07:00:00Z,0,120\n", "time_s,hr,rr_ms\n0,120,500\n",
      "time_s,hr,cadence,fractional_cadence\n0,120,80,0.5\n", "time_s,hr,course,heading\n0,120,10,20\n",
      "time_s,hr,lat,lon,altitude,accuracy,altitude_accuracy\n0,120,46,7,300,5,6\n",
      // Which acceleration counts is a rule of its own.
      "time_s,acc_x_g,acc_y_g,acc_z_g,userAcceleration.x,userAcceleration.y,userAcceleration.z\n0,0,0,1,0,0,0\n",
    ])
  func others(text: String) throws {
    #expect(try Read(text).warnings.isEmpty)
  }

  @Test("Columns that are of no use are not known, however many they are")
  func ofNoUse() throws {
    let read = try Read("date,time,hour,hh,bpm\n2026-11-20,07:00:00,7,7,120\n")
    #expect(read.warnings.map(\.kind) == [.unknownColumns])
    #expect(read.warnings.first?.detail == "hour, hh")
  }

  @Test("A clock beside times since the start that are there twice is read all the same")
  func clock() throws {
    let folder = try ScratchFolder()
    let text = "time,seconds_elapsed,elapsed,bpm\n2026-11-20T07:00:00Z,0,0,100\n2026-11-20T07:00:01Z,1,1,101\n"
    let facts = try CSVRecording(path: folder.write(text)).facts
    #expect(facts.start?.description == "2026-11-20T07:00:00Z")
    #expect(facts.warnings.map(\.detail) == ["elapsed"])
  }

  @Test(
    "What decides is the first 64 KiB, of a pipe too, which are waited for only where columns are doubled",
    arguments: [
      ("time_s,hr,bpm\n0,,120\n", true, [1]), ("time_s,hr\n0,120\n", false, [Int]()),
      // Also by the units below the names.
      ("time,time_ms,hr\nms,ms,bpm\n0,0,120\n", true, [1]),
    ])
  func beginning(text: String, needsMore: Bool, leftOut: [Int]) {
    let bytes = Array(text.utf8)
    let isWaitedFor = CSVBeginning.needsMore(than: bytes.span)
    #expect(isWaitedFor == needsMore)
    let found = CSVBeginning(bytes.span).leftOut
    #expect(found == Set(leftOut))
  }
}
