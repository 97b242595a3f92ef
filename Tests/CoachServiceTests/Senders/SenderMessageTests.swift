@testable import CoachService
import InputChecks
import TestSupport
import Testing
import TextFormats
@testable import WorkoutTestSupport

@Suite("What foreign senders send, as lines of the live stream")
struct SenderMessageTests {
  private static let now = WallClockTime.morning(0)

  private static func lines(_ body: String, steps: inout StepTotals) throws -> [String] {
    let message = try SenderMessage(body: Array(body.utf8), query: [])
    return String(decoding: message.lines(now: now, steps: &steps), as: UTF8.self).split(separator: "\n").map(
      String.init)
  }

  private static func lines(_ body: String) throws -> [String] {
    var steps = StepTotals()
    return try lines(body, steps: &steps)
  }

  @Test("Sensor Logger: nanoseconds are kept, what is negative is absent, and values may stand in the entry itself")
  func sensorLogger() throws {
    let body = #"""
      {"messageId":4,"sessionId":"run","deviceId":"phone","payload":[
        {"name":"location","time":1698501145514000001,"values":{"latitude":49.01,"longitude":8.4,"altitude":-3.5,
          "horizontalAccuracy":-1,"verticalAccuracy":4,"speed":-1,"bearing":-1}},
        {"name":"heart rate","time":1698501144401773123,"values":{"bpm":142}},
        {"name":"heartrate","time":"1698501146401773000","bpm":"143"},
        {"name":"HeartRate","time":1698501147401773000,"values":{"bpm":-1}},
        {"name":"barometer","time":1698501146401773000,"values":{"pressure":1013}}]}
      """#
    #expect(
      try Self.lines(body) == [
        #"{"type":"heartRate","time":"2023-10-28T13:52:24.401773123Z","beatsPerMinute":142}"#,
        #"{"type":"location","time":"2023-10-28T13:52:25.514000001Z","latitude":49.01,"longitude":8.4,"altitudeMeters":-3.5,"verticalAccuracyMeters":4}"#,
        #"{"type":"heartRate","time":"2023-10-28T13:52:26.401773Z","beatsPerMinute":143}"#,
      ])
  }

  @Test("Sensor Logger: steps are a running total, which counts from its first value")
  func sensorLoggerSteps() throws {
    func message(_ total: Int, _ seconds: Int, recording: String = "run") -> String {
      #"{"sessionId":"\#(recording)","deviceId":"d","payload":[{"name":"pedometer","time":\#(1_698_501_144 + seconds)000000000,"values":{"steps":\#(total)}}]}"#
    }
    var steps = StepTotals()
    var counts: [String] = []
    // The last two: an older message that comes late, and a counter that began anew.
    for (total, seconds) in [(1_000, 0), (1_004, 2), (1_010, 4), (1_006, 3), (3, 6), (5, 8)] {
      let lines = try Self.lines(message(total, seconds), steps: &steps)
      counts += lines.compactMap { $0.split(separator: "\"count\":").last.map { String($0.dropLast()) } }
    }
    #expect(counts == ["0", "4", "6", "0", "2"])
    let other = try Self.lines(message(7, 9, recording: "next"), steps: &steps)
    #expect(other.first?.hasSuffix("\"count\":0}") == true)
  }

  @Test("Sensor Logger: an entry without a time was measured with the newest of the others, else now")
  func sensorLoggerWithoutTime() throws {
    let steps = #"{"name":"pedometer","values":{"steps":7}}"#
    let heartRate = #"{"name":"heart rate","time":1698501144401773000,"values":{"bpm":142}}"#
    let beside = try Self.lines(#"{"sessionId":"run","deviceId":"d","payload":[\#(steps),\#(heartRate)]}"#)
    #expect(beside.contains(#"{"type":"steps","time":"2023-10-28T13:52:24.401773Z","count":0}"#), "\(beside)")
    let alone = try Self.lines(#"{"sessionId":"run","deviceId":"d","payload":[\#(steps)]}"#)
    #expect(alone.first?.contains(#""time":"2026-11-20T07:00:00Z""#) == true, "\(alone)")
    let wrong = #"{"payload":[{"name":"pedometer","time":"soon","values":{"steps":7}}]}"#
    #expect(try Self.lines(wrong).isEmpty)
  }

  @Test("Sensor Logger: metres a second squared become gravities, and gravity is in it where the phone sends it")
  func sensorLoggerMotion() throws {
    let body = #"""
      {"payload":[{"name":"accelerometer","time":1698501144000000000,"values":{"x":1,"y":1,"z":1}},
      {"name":"totalacceleration","time":1698501144000000000,"values":{"x":0,"y":9.80665,"z":-4.903325}},
      {"name":"gyroscope","time":1698501144500000000,"values":{"x":0.5,"y":0,"z":-1}}]}
      """#
    #expect(
      try Self.lines(body) == [
        #"{"type":"motion","time":"2023-10-28T13:52:24Z","acceleration":[0,1,-0.5]}"#,
        #"{"type":"motion","time":"2023-10-28T13:52:24.5Z","rotationRate":[0.5,0,-1]}"#,
      ])
  }

  @Test("Sensor Logger: an entry that cannot be used is named, and the others are taken")
  func sensorLoggerRejections() throws {
    let body = #"""
      {"payload":[{"name":"heart rate","time":1698501144000000000,"values":{"bpm":"fast"}},7,
      {"name":"location","time":1698501144000000000,"values":{"latitude":91,"longitude":0}},
      {"name":"heart rate","values":{"bpm":100}},{"name":"heart rate","time":1698501144000000000,"values":{"bpm":100}}]}
      """#
    let message = try SenderMessage(body: Array(body.utf8), query: [])
    // One without a time is of the newest time of the message.
    #expect(message.samples.count == 2)
    #expect(message.rejected.map(\.number) == [1, 2, 3])
    #expect(message.moreRejected == 0)
    #expect(message.countedSamples == 5)
  }

  @Test("Sensor Logger: of many entries that cannot be used the first hundred are named, and all of them count")
  func sensorLoggerManyRejections() throws {
    let body = #"{"payload":["# + Array(repeating: "1", count: 3_000).joined(separator: ",") + "]}"
    let message = try SenderMessage(body: Array(body.utf8), query: [])
    #expect(message.rejected.map(\.number) == Array(1...100))
    #expect(message.moreRejected == 2_900)
    #expect(message.countedSamples == 3_000)
  }

  @Test("A number that no log holds is none", arguments: ["1e308", "9e15", "-1e16"])
  func hugeNumbers(number: String) throws {
    let body = #"""
      {"payload":[{"name":"heart rate","time":1698501144000000000,"values":{"bpm":\#(number)}},
      {"name":"location","time":1698501144000000000,"values":{"latitude":49,"longitude":8,"altitude":\#(number)}}]}
      """#
    let message = try SenderMessage(body: Array(body.utf8), query: [])
    #expect(message.rejected.map(\.number) == [1])
    #expect(
      try Self.lines(body) == [
        #"{"type":"location","time":"2023-10-28T13:52:24Z","latitude":49,"longitude":8}"#
      ])
    let strap =
      #"{"event":"heartRate","heartRate":\#(number),"connected":true,"timestamp":"2025-12-12T09:00:00.000Z"}"#
    #expect(throws: SenderProblem.self) { try SenderMessage(body: Array(strap.utf8), query: []) }
  }

  @Test("HR Push: a heart rate with its strap; a strap that is not connected measures nothing")
  func heartRatePush() throws {
    func message(_ connected: Bool, _ beats: Int = 85) -> String {
      #"{"event":"heartRate","heartRate":\#(beats),"percent":0.42,"connected":\#(connected),"device":"Polar H10","timestamp":"2025-12-12T09:00:00.000Z"}"#
    }
    #expect(
      try Self.lines(message(true)) == [
        #"{"type":"heartRate","time":"2025-12-12T09:00:00Z","beatsPerMinute":85,"source":"Polar H10"}"#
      ])
    #expect(try Self.lines(message(false)) == [])
    #expect(try Self.lines(message(true, 0)) == [])
    #expect(
      try Self.lines(
        #"{"event":"connection","connected":false,"device":"Polar H10","timestamp":"2025-12-12T09:05:00.000Z"}"#) == [])
  }

  @Test("OwnTracks: kilometres an hour become metres a second, and what is no position is passed over")
  func ownTracks() throws {
    #expect(
      try Self.lines(#"{"_type":"location","lat":49.01,"lon":8.4,"tst":1497476456,"acc":5,"alt":115,"vel":9}"#) == [
        #"{"type":"location","time":"2017-06-14T21:40:56Z","latitude":49.01,"longitude":8.4,"altitudeMeters":115,"horizontalAccuracyMeters":5,"speedMetersPerSecond":2.5}"#
      ])
    #expect(try Self.lines(#"{"_type":"transition","lat":1,"lon":2,"tst":1,"event":"enter"}"#) == [])
    #expect(try SenderMessage(body: [], query: []).sender == .ownTracks)
  }

  @Test("Traccar Client: metres a second, and minus one where nothing is known")
  func traccar() throws {
    let body = #"""
      {"location":{"timestamp":"2025-12-12T09:00:00.500Z","coords":{"latitude":49.01,"longitude":8.4,"accuracy":5,
      "speed":2.5,"heading":90,"altitude":115},"is_moving":true,"battery":{"level":1}},"device_id":"48241179"}
      """#
    #expect(
      try Self.lines(body) == [
        #"{"type":"location","time":"2025-12-12T09:00:00.5Z","latitude":49.01,"longitude":8.4,"altitudeMeters":115,"horizontalAccuracyMeters":5,"speedMetersPerSecond":2.5,"courseDegrees":90}"#
      ])
    #expect(
      try Self.lines(
        #"{"location":{"timestamp":"2025-12-12T09:00:00Z","coords":{"latitude":1,"longitude":2,"accuracy":-1,"speed":-1}}}"#
      ) == [#"{"type":"location","time":"2025-12-12T09:00:00Z","latitude":1,"longitude":2}"#])
  }

  @Test(
    "OsmAnd: knots, and times as seconds, milliseconds or text",
    arguments: [
      ("timestamp=1497476456", "2017-06-14T21:40:56Z"), ("timestamp=1497476456250", "2017-06-14T21:40:56.25Z"),
      ("timestamp=2017-06-14T21%3A40%3A56Z", "2017-06-14T21:40:56Z"),
      ("timestamp=2017-06-14+21%3A40%3A56", "2017-06-14T21:40:56Z"), ("", "2026-11-20T07:00:00Z"),
    ])
  func osmAnd(_ time: String, _ expected: String) throws {
    #expect(
      try Self.lines("id=1&lat=49.01&lon=8.4&\(time)&speed=3.6&altitude=115&accuracy=5&heartRate=142&batt=90") == [
        #"{"type":"heartRate","time":"\#(expected)","beatsPerMinute":142}"#,
        #"{"type":"location","time":"\#(expected)","latitude":49.01,"longitude":8.4,"altitudeMeters":115,"horizontalAccuracyMeters":5,"speedMetersPerSecond":1.852}"#,
      ])
  }

  @Test("A position that its sender calls invalid is passed over, and a speed in metres a second may be named so")
  func osmAndDetails() throws {
    #expect(try Self.lines("lat=1&lon=2&timestamp=1497476456&valid=false") == [])
    #expect(
      try Self.lines("location=1,2&timestamp=1497476456&speedMetersPerSecond=2.5") == [
        #"{"type":"location","time":"2017-06-14T21:40:56Z","latitude":1,"longitude":2,"speedMetersPerSecond":2.5}"#
      ])
  }

  @Test(
    "A heart rate of 0 in a query says that none was measured, and is no message that nobody understands")
  func noHeartRate() throws {
    #expect(try Self.lines("heartRate=0&timestamp=1497476456") == [])
    #expect(try Self.lines("hr=0&id=1") == [])
    for query in ["id=1", "heartRate=", "timestamp=1497476456"] {
      #expect(throws: SenderProblem.self, "\(query)") { try Self.lines(query) }
    }
  }

  @Test(
    "A parameter that is read stands in a query or a form once, whatever its case",
    arguments: [
      ("heartRate=142&heartRate=143", "heartRate"), ("heartRate=142&heartrate=142", "heartrate"),
      ("lat=1&lon=2&lat=1", "lat"), ("lat=1&lon=2&timestamp=5&timestamp=", "timestamp"),
      ("location=1,2&location=3,4", "location"), ("lat=1&lon=2&valid=true&valid=false", "valid"),
    ])
  func doubledParameters(_ query: String, _ name: String) throws {
    let fields = query.split(separator: "&").map { pair in
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return HTTPField(String(sides[0]), String(sides[1]))
    }
    let problem = SenderProblem("\(name): expected it once")
    #expect(throws: problem) { try SenderMessage(body: [], query: fields) }
    #expect(throws: problem) { try SenderMessage(body: Array(query.utf8), query: []) }
  }

  @Test(
    "What is said by two names is refused, also where both say the same; a name without a value says nothing",
    arguments: [
      ("heartRate=120&hr=121", "hr", "heartRate"), ("hr=120&heartRate=120", "heartRate", "hr"),
      ("lat=1&lon=2&bearing=3&HEADING=3", "HEADING", "bearing"), ("lat=1&lon=2&location=3,4", "location", "lat"),
      ("location=1,2&lon=2", "lon", "location"),
      ("lat=1&lon=2&speed=1&speedMetersPerSecond=2", "speedMetersPerSecond", "speed"),
    ])
  func sameMeaning(_ query: String, _ name: String, _ other: String) throws {
    let fields = query.split(separator: "&").map { pair in
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return HTTPField(String(sides[0]), String(sides[1]))
    }
    let problem = SenderProblem("\(name): expected it or \(other), not both")
    #expect(throws: problem) { try SenderMessage(body: [], query: fields) }
    #expect(throws: problem) { try SenderMessage(body: Array(query.utf8), query: []) }
    let empty = fields.map { HTTPField($0.name, $0.name == name ? "" : $0.value) }
    #expect(throws: Never.self) { try SenderMessage(body: [], query: empty) }
  }

  @Test("What stands in the query and again in the form is the same, and with another value is refused")
  func queryAndForm() throws {
    let query = [HTTPField("lat", "1"), HTTPField("lon", "2"), HTTPField("timestamp", "1497476456")]
    let once = try SenderMessage(body: [], query: query)
    let both = try SenderMessage(body: Array("lat=1&lon=2&timestamp=1497476456".utf8), query: query)
    #expect(both == once)
    #expect(throws: SenderProblem("lon: expected it once")) {
      try SenderMessage(body: Array("lat=1&lon=3".utf8), query: query)
    }
  }

  @Test("Parameters that are not read may be there twice")
  func otherDoubledParameters() throws {
    let lines = try Self.lines("id=a&id=b&batt=1&batt=2&lat=1&lon=2&timestamp=1497476456")
    #expect(lines == [#"{"type":"location","time":"2017-06-14T21:40:56Z","latitude":1,"longitude":2}"#])
  }

  @Test("Messages that are sent again have the same name; without a time of their own they have none")
  func names() throws {
    func name(_ body: String) throws -> String? { try SenderMessage(body: Array(body.utf8), query: []).name }
    let first = try name(#"{"messageId":4,"sessionId":"a","payload":[]}"#)
    #expect(first != nil)
    #expect(try name(#"{"messageId":5,"sessionId":"a","payload":[]}"#) != first)
    #expect(try name("lat=1&lon=2") == nil)
    #expect(try name("lat=1&lon=2&timestamp=5") != nil)
  }

  @Test("Only what is the same to the byte is the same message of Sensor Logger, whatever number it has")
  func sensorLoggerNames() throws {
    func name(_ beats: Int, number: String, recording: String = "a", time: String = #""time":5,"#) throws -> String? {
      let body =
        #"{"messageId":\#(number),"sessionId":"\#(recording)","deviceId":"d","payload":[{"name":"heart rate",\#(time)"values":{"bpm":\#(beats)}}]}"#
      return try SenderMessage(body: Array(body.utf8), query: []).name
    }
    let first = try name(120, number: "4")
    #expect(first != nil)
    #expect(try name(120, number: "4") == first)
    for other in [
      try name(121, number: "4"), try name(120, number: "5"), try name(120, number: "4", recording: "b"),
    ] {
      #expect(other != nil)
      #expect(other != first)
    }
    // Its number or its times say that it is one and the same; without both it may have been measured twice.
    #expect(try name(120, number: "4", time: "") != nil)
    #expect(try name(120, number: "null") != nil)
    #expect(try name(120, number: "null", time: "") == nil)
    #expect(try name(120, number: "4", recording: "", time: "") == nil)
  }

  @Test("A value with an ampersand in it is no further parameter, so that two such queries are two messages")
  func queryNames() throws {
    func name(_ query: [HTTPField]) throws -> String? { try SenderMessage(body: [], query: query).name }
    let fields = [HTTPField("timestamp", "1497476456")]
    let one = fields + [HTTPField("hr", "121"), HTTPField("x", "1&y=2")]
    let two = fields + [HTTPField("hr", "121"), HTTPField("x", "1"), HTTPField("y", "2")]
    #expect(try name(one) != name(two))
  }

  @Test(
    "What no sender sends is refused in one line, whatever it is",
    arguments: [
      "{", "[]", "null", "7", "{}", "\u{1}", "lat=1", "lat=x&lon=2", "lat=91&lon=0", "lat=%zz&lon=1",
      "timestamp=soon&lat=1&lon=2",
      #"{"_type":"location"}"#, #"{"_type":"junk"}"#, #"{"_type":7}"#, #"{"_type":"encrypted","data":"x"}"#,
      #"{"_type":"location","lat":1,"lon":2,"tst":1e30}"#, #"{"_type":"location","lat":1,"lon":2,"tst":-1}"#,
      #"{"payload":{}}"#, #"{"event":"heartRate"}"#, #"{"event":"heartRate","heartRate":85,"timestamp":"now"}"#,
      #"{"location":{"coords":{}}}"#, #"{"location":"1,2"}"#, #"{"data":{}}"#,
      String(repeating: "[", count: 500), #"{"payload":1,"payload":2}"#,
    ])
  func junk(_ body: String) {
    #expect(throws: SenderProblem.self) { try SenderMessage(body: Array(body.utf8), query: []) }
  }

  @Test("Messages with bytes changed, cut and doubled violate nothing that holds for any input")
  func changed() throws {
    let check = InputCheck.senders
    var random = SplitMix64(seed: 12)
    for round in 0..<600 {
      var bytes = check.seeds[round % check.seeds.count].bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
        let index = Int.random(in: bytes.indices, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: index)
        case 2: bytes.insert(UInt8(ascii: "9"), at: index)
        default: bytes += bytes[index...].prefix(40)
        }
      }
      let violation = check.violation(bytes)
      #expect(violation == nil, "\(String(decoding: bytes, as: UTF8.self))")
    }
  }
}
