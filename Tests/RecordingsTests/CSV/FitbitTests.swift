import Recordings
import SessionStore
import TestSupport
import Testing
import TextFormats
import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

private func samples(_ recording: Recording) throws -> [Sample] {
  var result: [Sample] = []
  try recording.forEachInput { if case .sample(let sample) = $0 { result.append(sample) } }
  return result
}

/// Two people, one after the other, whose times overlap.
private let twoPeople = """
  Id,Time,Value
  2022484408,4/12/2016 7:21:00 AM,97
  2022484408,4/12/2016 7:21:05 AM,102
  2022484408,4/12/2016 7:21:10 AM,105
  4020332650,4/12/2016 7:21:02 AM,60
  4020332650,4/12/2016 7:21:07 AM,61

  """

@Suite("Fitbit's CSVs")
struct FitbitTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test("The heart rates of a day as JSON are refused by their name; an array that is none of Fitbit's as before")
  func heartRatesAsJSON() throws {
    func problem(_ text: String) throws -> String? {
      let path = try folder.write(text)
      do {
        _ = try Recording(path: path)
        return nil
      } catch let error as RecordingError {
        return error.description.replacing(path, with: "FILE")
      }
    }
    let day = #"[{"dateTime" : "05/01/23 10:00:00","value" : {"bpm" : 71,"confidence" : 3}}]"#
    let said = try #require(try problem(day))
    #expect(
      said.hasPrefix("FILE: byte 0: this seems to be the heart rates of a day from Fitbit: expected FIT, GPX, TCX"))
    #expect(said.hasSuffix(", such as Fitbit's TCX of an exercise"))
    #expect(try problem(String(day.prefix(40)))?.contains("Fitbit") == false)
    #expect(try problem(#"[{"dateTime":1}]"#) == "FILE: byte 1: no time that can be read in 'timestamp'")
    #expect(try problem(#"[{"timestamp":1,"heartbeat":71,"dateTime":"","bpm":1}]"#) == nil)
  }

  @Test("Other JSON of Fitbit, and what Samsung Health exports, is refused by its name, with what can be read instead")
  func otherExports() throws {
    func problem(_ text: String) throws -> String {
      let path = try folder.write(text)
      let error = #expect(throws: RecordingError.self) { _ = try Recording(path: path) }
      return error?.description.replacing(path, with: "FILE") ?? ""
    }
    let (fitbit, samsung) = ("Fitbit's TCX of an exercise", "the GPX of an exercise that Samsung Health shares")
    for (text, what, instead) in [
      (
        #"[{"dateTime" : "05/01/23 00:00:00","value" : "12"}]"#, "the steps, metres or the like of a day from Fitbit",
        fitbit
      ),
      (
        #"[{"logId" : 9,"activityName" : "Run","averageHeartRate" : 150,"startTime" : "05/01/23 10:00:00"}]"#,
        "the list of exercises from Fitbit", fitbit
      ),
      (#"[{"logId" : 9,"dateOfSleep" : "2023-05-01"}]"#, "the list of sleep from Fitbit", fitbit),
      (
        #"{"activities-heart":[],"activities-heart-intraday":{"dataset":[{"time":"00:00:00","value":64}]}}"#,
        "an answer of Fitbit's web interface", fitbit
      ),
      (
        #"[{"start_time":1589449640000,"heart_rate":98.0},{"start_time":1589449641000,"distance":3.1}]"#,
        "measurements of an exercise or a day from Samsung Health", samsung
      ),
      (
        #"[{"heart_rate":72.0,"heart_rate_max":75.0,"start_time":1589449640000,"end_time":1589449700000}]"#,
        "measurements of an exercise or a day from Samsung Health", samsung
      ),
      (
        "com.samsung.shealth.tracker.heart_rate,6312003,5\nsource,com.samsung.health.heart_rate.heart_rate\n1,98\n",
        "a table of the personal data from Samsung Health", samsung
      ),
    ] {
      let said = try problem(text)
      #expect(said.hasPrefix("FILE: byte 0: this seems to be \(what): expected FIT, GPX, TCX"), "\(said)")
      #expect(said.hasSuffix(", such as \(instead)"), "\(said)")
      #expect(!said.contains("\n"))
    }
    #expect(try problem(#"{"a":1}"#).contains("a JSON object: expected"))
    #expect(try problem(#"[{"start_time":1}]"#) == "FILE: byte 1: no time that can be read in 'timestamp'")
  }

  @Test("JSON that other programs and services export is refused by its name, with what can be read instead")
  func otherObjects() throws {
    func isExport(_ text: String) -> Bool {
      let bytes = Array(text.utf8)
      return ForeignFormat.isExport(object: bytes.span)
    }
    let (garmin, strava) = (
      "the FIT file of an activity from Garmin Connect", "the FIT, TCX or GPX file of an activity from Strava"
    )
    for (text, what, instead) in [
      (
        #"{"exportVersion":"1.6","startTime":"2024-07-14T08:30:00.000","exercises":[{"sport":"RUNNING"}]}"#,
        "a training session from the data export of Polar Flow", "the TCX, GPX or CSV of a session from Polar Flow"
      ),
      (
        #"{"activityId":1,"metricDescriptors":[{"metricsIndex":0,"key":"directHeartRate"}]}"#,
        "the details of an activity from Garmin Connect's web interface", garmin
      ),
      (
        #"[{"summarizedActivitiesExport":[{"activityId":1,"avgHr":130}]}]"#,
        "the list of activities from Garmin Connect", garmin
      ),
      (
        #"{"heartrate":{"data":[98,99],"series_type":"time","original_size":2}}"#,
        "the streams of an activity from Strava's web interface", strava
      ),
      (
        #"[{"type":"heartrate","data":[98,99],"series_type":"time","original_size":2}]"#,
        "the streams of an activity from Strava's web interface", strava
      ),
      (
        #"{"fitnessActivity":"running","startTime":"2024-07-14T06:30:00Z"}"#,
        "a session or measurements from Google Fit", "the TCX of an activity in the same export"
      ),
      (
        #"{"Data Source":"derived:com.google.heart_rate.bpm","Data Points":[]}"#,
        "a session or measurements from Google Fit", "the TCX of an activity in the same export"
      ),
      (#"{"DeviceLog":{"Header":{},"Samples":[]}}"#, "a move from Suunto", "its FIT or GPX file"),
      (#"{"type":"FeatureCollection","features":[]}"#, "a GeoJSON document", nil),
    ] as [(String, String, String?)] {
      let path = try folder.write(text)
      let error = #expect(throws: RecordingError.self) { _ = try Recording(path: path) }
      let said = error?.description.replacing(path, with: "FILE") ?? ""
      #expect(said.hasPrefix("FILE: byte 0: this seems to be \(what): expected FIT, GPX, TCX"), "\(said)")
      #expect(said.hasSuffix(instead.map { ", such as \($0)" } ?? "or SensoGather's JSON"), "\(said)")
      #expect(isExport(text) == text.hasPrefix("{"))
    }
    for text in [#"{"version":1,"name":"series_type"}"#, "{}", "", #"[{"devicelog":1}]"#, "exportVersion,exercises"] {
      #expect(!isExport(text), "\(text)")
    }
  }

  @Test("Heart rates have a time without zone, which is taken for UTC")
  func heartRates() throws {
    for header in ["Id,Time,Value", "id,time,value", "ID,TIME,VALUE"] {
      let text = "\(header)\n7,4/12/2016 11:59:55 PM,97\n7,4/13/2016 12:00:00 AM,102\n7,4/13/2016 0:00:05,0\n"
      let recording = try Recording(path: folder.write(text))
      #expect(recording.facts.format == "csv")
      #expect(recording.facts.warnings.isEmpty)
      #expect(recording.facts.start?.description == "2016-04-12T23:59:55Z")
      #expect(recording.facts.elapsed == .seconds(10))
      #expect(recording.facts.heartRate?.statistics.count == 2)
      #expect(recording.facts.heartRate?.last == 102)
      #expect(recording.people == ["7"])
      #expect(
        try samples(recording)
          == [(0, 97.0), (5, 102), (10, 0)].map { Sample(.heartRate($0.1), at: .seconds($0.0)) })
    }
  }

  @Test("Another header with these names is no such file")
  func otherHeaders() throws {
    let error = #expect(throws: RecordingError.self) {
      try Recording(path: folder.write("Id,Value,Time\n7,97,4/12/2016 7:21:00 AM\n"))
    }
    #expect(error?.problem.hasPrefix("no column with readings") == true)
    let more = try Recording(path: folder.write("Id,Time,Value,hr\n7,4/12/2016 7:21:00 AM,97,98\n")).facts
    #expect(more.warnings.first?.detail == "Id, Value")
    #expect(more.heartRate?.first == 98)
  }

  @Test("Steps of a minute stand at the time that is written")
  func narrowSteps() throws {
    let text =
      "Id,ActivityMinute,Steps\n7,4/12/2016 7:21:00 AM,12\n7,4/12/2016 7:22:00 AM,0\n7,4/12/2016 7:23:00 AM,9\n"
    let recording = try Recording(path: folder.write(text))
    #expect(
      try samples(recording) == [(0, 12), (60, 0), (120, 9)].map { Sample(.steps($0.1), at: .seconds($0.0)) })
    #expect(recording.facts.steps == 21)
    #expect(recording.facts.stepSampleCount == 3)
    #expect(recording.facts.warnings.isEmpty)
    #expect(recording.facts.start?.description == "2016-04-12T07:21:00Z")
  }

  @Test("Steps of the minutes of an hour in one row are the same as one row each")
  func wideSteps() throws {
    var random = SplitMix64(seed: 7)
    let steps = (0..<180).map { _ in random.int(0...150) }
    func two(_ value: Int) -> String { (value < 10 ? "0" : "") + "\(value)" }
    let narrow = steps.enumerated().map {
      "7,4/12/2016 \(7 + $0.offset / 60):\(two($0.offset % 60)):00 AM,\($0.element)\n"
    }
    let wide = (0..<3).map { hour in
      "7,4/12/2016 \(7 + hour):00:00 AM," + steps[hour * 60..<hour * 60 + 60].map(String.init).joined(separator: ",")
        + "\n"
    }
    let header = "Id,ActivityHour," + (0..<60).map { "Steps\(two($0))" }.joined(separator: ",")
    let one = try Recording(path: folder.write("Id,ActivityMinute,Steps\n" + narrow.joined()))
    let other = try Recording(path: folder.write("\(header)\n" + wide.joined(), "wide.csv"))
    #expect(try samples(one) == samples(other))
    #expect(other.facts.steps == steps.reduce(0, +))
    #expect(other.facts.warnings.isEmpty)
    #expect(other.people == ["7"])
    let holes = wide[0].replacing(",\(steps[59])\n", with: ",x\n").replacing(" AM,\(steps[0]),", with: " AM,,")
    let part = try Recording(path: folder.write("\(header)\n" + holes)).facts
    #expect(part.stepSampleCount == 58)
    #expect(part.warnings.map(\.kind) == [.unreadableValue])
  }

  @Test("Several people are reported in a warning, each is read alone, and all at once are refused")
  func severalPeople() throws {
    let packedPath = try folder.write(packed(Array(twoPeople.utf8)), "a.gz")
    for path in [try folder.write(twoPeople), packedPath] {
      let recording = try Recording(path: path)
      #expect(recording.people == ["2022484408", "4020332650"])
      #expect(recording.facts.heartRate?.statistics.count == 5)
      #expect(recording.facts.heartRate?.statistics.sum == 425)
      #expect(recording.facts.heartRate?.first == 97)
      #expect(recording.facts.heartRate?.last == 105)
      #expect(recording.facts.warnings.map(\.kind) == [.severalPeople])
      let warning = try #require(recording.facts.warnings.first)
      #expect(warning.position == "line 5")
      #expect(warning.count == 2)
      #expect(warning.detail == "2022484408, 4020332650")
      let error = #expect(throws: RecordingError.self) { try samples(recording) }
      #expect(
        error?.description
          == "\(path): rows of 2 people: expected those of one (2022484408, 4020332650)")
      let second = try Recording(path: path, person: "4020332650")
      #expect(second.facts.warnings.isEmpty)
      #expect(second.facts.start?.description == "2016-04-12T07:21:02Z")
      #expect(second.facts.heartRate?.statistics.sum == 121)
      #expect(try samples(second) == [Sample(.heartRate(60), at: .zero), Sample(.heartRate(61), at: .seconds(5))])
    }
    let settings = try CoachingRequest.runner("z2", "moment:every=5").settings(on: nil)
    #expect(throws: RecordingError.self) {
      try Replay.run(Recording(path: folder.write(twoPeople)), settings: settings, pace: .events) { _, _ in }
    }
  }

  @Test("Rows of one person out of order are reported, those of people whose rows alternate are not")
  func order() throws {
    let rows = ["a,4/12/2016 7:00:00 AM,60", "b,4/12/2016 7:00:09 AM,70", "a,4/12/2016 7:00:05 AM,61"]
    func text(_ rows: [String]) -> String { "Id,Time,Value\n" + rows.map { $0 + "\n" }.joined() }
    #expect(try Recording(path: folder.write(text(rows))).facts.warnings.map(\.kind) == [.severalPeople])
    let late = text(rows + ["a,4/12/2016 7:00:02 AM,62"])
    let all = try Recording(path: folder.write(late)).facts
    #expect(all.warnings.map(\.kind) == [.outOfOrder, .severalPeople])
    #expect(all.warnings.first?.position == "line 5")
    let one = try Recording(path: folder.write(late), person: "a")
    #expect(one.facts.warnings.map(\.kind) == [.outOfOrder])
    #expect(try samples(one).map(\.reading) == [.heartRate(60), .heartRate(62), .heartRate(61)])
  }

  @Test("A person that is not there, or asked of a file without persons, is one clear line")
  func unknownPerson() throws {
    let path = try folder.write(twoPeople)
    let error = #expect(throws: RecordingError.self) { try Recording(path: path, person: "1") }
    #expect(error?.description == "\(path): no row has a reading of '1'")
    let other = try folder.write("time_s,hr\n0,120\n", "b.csv")
    #expect(
      #expect(throws: RecordingError.self) { try Recording(path: other, person: "1") }?.problem
        == "its rows do not belong to persons")
  }

  @Test("A column of identifiers that are all different is refused, and a long list is cut")
  func manyPeople() throws {
    func text(_ count: Int) -> String {
      "Id,Time,Value\n" + (0..<count).map { "\($0),4/12/2016 7:21:00 AM,97\n" }.joined()
    }
    let facts = try Recording(path: folder.write(text(1000))).facts
    #expect(facts.warnings.first?.count == 1000)
    #expect(facts.warnings.first?.detail == (0..<20).map(String.init).joined(separator: ", ") + ", …")
    let error = #expect(throws: RecordingError.self) { try Recording(path: folder.write(text(1001))) }
    #expect(error?.position == "line 1002")
    #expect(error?.problem == "rows of more than 1000 people")
  }

  @Test("A file cut at any byte is used up to the cut or refused, and no change of bytes is a crash")
  func damage() throws {
    let bytes = Array(twoPeople.utf8)
    var seen = 0
    for count in 0...bytes.count {
      let facts = try? Recording(path: folder.write(Array(bytes[..<count]))).facts
      #expect(facts?.heartRate?.statistics.count ?? 0 >= seen, "cut at \(count)")
      seen = facts?.heartRate?.statistics.count ?? seen
    }
    #expect(seen == 5)
    for seed in 1...300 as ClosedRange<UInt64> {
      var random = SplitMix64(seed: seed)
      var changed = bytes
      for _ in 0..<3 { changed[random.int(0...bytes.count - 1)] = random.pick(Array("0123456789:/, APM\n".utf8)) }
      guard let recording = try? Recording(path: folder.write(changed)), recording.people.count == 1 else { continue }
      #expect(try samples(recording).count == recording.facts.sampleCount, "seed \(seed)")
    }
  }
}
