import LiveCoaching
import Testing
import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

private let stamp = #""time":"2026-11-20T07:00:00Z""#
private let morning = Stamp.wall(.morning())

/// Why a line cannot be used, as a session reports it.
private func problem(_ bytes: [UInt8]) async throws -> String? {
  let manager = SoleSession(
    LiveConfiguration(
      settings: try CoachingRequest.runner().settings(on: nil), clock: .samples, streams: SampleStream.recordable,
      durationLimit: nil), recording: nil)
  return await manager.feed(bytes + [0x0A], now: .morning()).badLines.first?.problem
}

@Suite("Lines of the live stream")
struct LiveLineTests {
  @Test("Heart rate, with its time in every form and its source")
  func heartRate() throws {
    #expect(
      try LiveLine(#"{"type":"heartRate",\#(stamp),"beatsPerMinute":142}"#.utf8.span)
        == .sample(.heartRate(142), at: morning, source: nil))
    for text in ["2026-11-20T07:00:00Z", "2026-11-20T09:00:00+02:00", "2026-11-20 07:00:00.000Z"] {
      for key in ["time", "atSeconds"] {
        let line = #"{"type":"heartRate","\#(key)":"\#(text)","beatsPerMinute":142.5,"source":"strap"}"#
        #expect(try LiveLine(line.utf8.span) == .sample(.heartRate(142.5), at: morning, source: "strap"), "\(line)")
      }
    }
    for (number, nanoseconds) in [("0", 0), ("12.5", 12_500_000_000), ("1e2", 100_000_000_000), ("0.1", 100_000_000)] {
      #expect(
        try LiveLine(#"{"atSeconds":\#(number),"beatsPerMinute":0,"type":"heartRate"}"#.utf8.span)
          == .sample(.heartRate(0), at: .session(SessionTime(nanoseconds: Int64(nanoseconds))), source: nil))
    }
  }

  @Test("Where both are stated, the time of day wins")
  func bothTimes() throws {
    let line = try LiveLine(#"{"type":"steps","atSeconds":4,\#(stamp),"count":0}"#.utf8.span)
    #expect(line == .sample(.steps(0), at: morning, source: nil))
  }

  @Test("Steps, positions and motion")
  func otherStreams() throws {
    #expect(
      try LiveLine(#"{"type":"steps",\#(stamp),"count":17}"#.utf8.span)
        == .sample(.steps(17), at: morning, source: nil))
    let place = try #require(Coordinate(latitudeDegrees: -46.5, longitudeDegrees: 180))
    #expect(
      try LiveLine(#"{"type":"location",\#(stamp),"latitude":-46.5,"longitude":180}"#.utf8.span)
        == .sample(.location(LocationFix(coordinate: place)), at: morning, source: nil))
    let full =
      #"{"type":"location",\#(stamp),"latitude":-46.5,"longitude":180,"altitudeMeters":-2.5,"#
      + #""horizontalAccuracyMeters":4,"speedMetersPerSecond":2.75}"#
    let known = LocationFix(
      coordinate: place, altitudeMeters: -2.5, horizontalAccuracyMeters: 4, speedMetersPerSecond: 2.75)
    #expect(try LiveLine(full.utf8.span) == .sample(.location(known), at: morning, source: nil))
    let motion =
      #"{"type":"motion",\#(stamp),"acceleration":[0,-1,0.5],"rotationRate":[1,2,3],"magneticField":[4,5,6]}"#
    #expect(
      try LiveLine(motion.utf8.span)
        == .sample(
          .motion(
            MotionReading(
              acceleration: Axes(x: 0, y: -1, z: 0.5), rotationRate: Axes(x: 1, y: 2, z: 3),
              magneticField: Axes(x: 4, y: 5, z: 6))), at: morning, source: nil))
    #expect(
      try LiveLine(#"{"type":"motion",\#(stamp),"rotationRate":[1,2,3]}"#.utf8.span)
        == .sample(
          .motion(MotionReading(acceleration: nil, rotationRate: Axes(x: 1, y: 2, z: 3), magneticField: nil)),
          at: morning, source: nil))
  }

  @Test("A change of target or strategy says what is asked for as options do")
  func changes() throws {
    let target = #"{"type":"command","id":"7","command":"target","target":"weight control"}"#
    #expect(try LiveLine(target.utf8.span) == .command(.target("weight control"), id: "7", issuedAt: nil))
    let strategy = #"{"type":"command","id":"8","command":"strategy","strategy":"moment:every=90"}"#
    let asked = try FeedbackStrategy(specification: "moment:every=90")
    #expect(try LiveLine(strategy.utf8.span) == .command(.strategy(asked), id: "8", issuedAt: nil))
    for line in [
      #"{"type":"command","id":"1","command":"target"}"#,
      #"{"type":"command","id":"1","command":"target","target":""}"#,
      #"{"type":"command","id":"1","command":"strategy","strategy":"momentum"}"#,
      #"{"type":"command","id":"1","command":"strategy","target":"z2"}"#,
    ] {
      guard case .refused("1", .impossibleValue, _) = try LiveLine(line.utf8.span) else {
        Issue.record("\(line)")
        continue
      }
    }
  }

  @Test(
    "A command that holds what no value is, or a key twice, is answered with its id where that can be read",
    arguments: [
      (
        #"{"type":"command","id":"a","command":"lap","issuedAt":1e400}"#, "a", .impossibleValue,
        "issuedAt: expected a finite"
      ),
      (
        #"{"type":"command","id":7,"command":"target","target":1e999}"#, "7", .impossibleValue,
        "target: expected a finite"
      ),
      (
        #"{"other":-1e400,"type":"command","id":"a","command":"lap"}"#, "a", .impossibleValue,
        "other: expected a finite"
      ),
      (
        #"{"type":"command","id":"a","x":[{"y":1e400}],"command":"lap"}"#, "a", .impossibleValue,
        "x[0].y: expected a finite"
      ),
      (#"{"type":"command","id":"a","command":"fly","x":1e400}"#, "a", .unknownCommand, "x: expected a finite"),
      (#"{"type":"command","id":1e400,"command":"lap"}"#, nil, .missingID, "id: expected a finite"),
      (#"{"type":"command","id":null,"command":"lap","x":1e400}"#, nil, .missingID, "x: expected a finite"),
      (#"{"type":"command","command":"lap","x":1e400}"#, nil, .missingID, "x: expected a finite"),
      (#"{"type":"command","id":"a","command":"lap","command":"stop"}"#, "a", .impossibleValue, "is there twice"),
      (#"{"type":"command","id":"a","id":"b","command":"lap"}"#, "a", .impossibleValue, "is there twice"),
      (#"{"type":"command","id":"a","command":"lap","x":1,"x":1}"#, "a", .impossibleValue, "is there twice"),
      (#"{"type":"command","id":"a","command":"lap","x":"\ud800"}"#, "a", .impossibleValue, "surrogate"),
      (#"{"type":"command","id":"\ud800","command":"lap"}"#, nil, .missingID, "surrogate"),
    ] as [(String, String?, CommandRefusal, String)])
  func impossible(line: String, id: String?, reason: CommandRefusal, words: String) throws {
    guard case .refused(let found, let refusal, let problem) = try LiveLine(line.utf8.span) else {
      Issue.record("\(line)")
      return
    }
    #expect(found == id)
    #expect(refusal == reason)
    #expect(problem.contains(words), "\(problem)")
    #expect(problem.contains("; a command line has id"), "\(problem)")
  }

  @Test(
    "A command that is not of the form of JSON is reported, as is a sample with what no value is",
    arguments: [
      #"{"type":"command","id":"a","command":"lap","x":NaN}"#,
      #"{"type":"command","id":"a","command":"lap","x":-Infinity}"#,
      #"{"type":"command","id":"a","command":"lap","x":1e400"#,
      #"{"type":"command","id":"a","id":"b","command":"lap",}"#,
      #"{"type":"command","id":"a","command":"lap","x":1e400} x"#,
      #"{"type":"command","id":"a","command":"lap","x":01}"#,
      #"{"type":"steps","atSeconds":1,"count":1,"x":1e400}"#, #"{"type":"steps","atSeconds":1,"count":1,"count":2}"#,
    ])
  func noCommand(line: String) {
    #expect(throws: LiveLineProblem.self) { try LiveLine(line.utf8.span) }
  }

  @Test("Every command, with a text or a number for its id and a time that may be missing")
  func commands() throws {
    for command in SessionCommand.plain {
      let line = #"{"type":"command","id":"a","command":"\#(command.word)"}"#
      #expect(try LiveLine(line.utf8.span) == .command(command, id: "a", issuedAt: nil))
    }
    for key in ["issuedAt", "time", "atSeconds"] {
      let line = #"{"type":"command","id":7,"\#(key)":"2026-11-20T07:00:00Z","command":"lap"}"#
      #expect(try LiveLine(line.utf8.span) == .command(.lap, id: "7", issuedAt: morning))
    }
    #expect(
      try LiveLine(#"{"type":"command","id":"x","issuedAt":3.5,"command":"lap"}"#.utf8.span)
        == .command(.lap, id: "x", issuedAt: .session(at(3.5))))
  }

  @Test("Members that are not known are read past")
  func unknownMembers() throws {
    let line =
      #"{"battery":0.5,"type":"heartRate","nested":{"a":[1,2,{"b":null}]},\#(stamp),"beatsPerMinute":99,"rr":[612]}"#
    #expect(try LiveLine(line.utf8.span) == .sample(.heartRate(99), at: morning, source: nil))
  }

  @Test(
    "A bad line says what is wrong and what was expected",
    arguments: [
      ("hello", "expected a value, found \"h\""),
      ("[1]", "expected an object, found an array"),
      (
        "{}",
        "type: missing, expected one of the types heartRate, steps, location, altitude, motion, cadence, distance, speed, rrInterval, direction, command"
      ),
      (
        #"{"type":"heartrate"}"#,
        "type: expected one of the types heartRate, steps, location, altitude, motion, cadence, distance, speed, rrInterval, direction, command, found \"heartrate\""
      ),
      (#"{"type":"heartRate","time":"2026-11-20T07:00:00Z"}"#, "beatsPerMinute: missing, expected a number"),
      (#"{"type":"altitude","atSeconds":1}"#, "altitudeMeters: missing, expected a number"),
      (
        #"{"type":"location","atSeconds":1,"longitude":13,"altitudeMeters":34}"#,
        "latitude: missing, expected a number in -90…90"
      ),
      (#"{"type":"heartRate","beatsPerMinute":120}"#, "time: missing, expected time or atSeconds"),
      (
        #"{"type":"heartRate","beatsPerMinute":"120","atSeconds":1}"#,
        "beatsPerMinute: expected a number, found \"120\""
      ),
      (#"{"type":"heartRate","beatsPerMinute":null,"atSeconds":1}"#, "beatsPerMinute: expected a number, found null"),
      (
        #"{"type":"heartRate","beatsPerMinute":1e999,"atSeconds":1}"#,
        "beatsPerMinute: expected a finite number, found one that is not"
      ),
      (
        #"{"type":"heartRate","beatsPerMinute":NaN,"atSeconds":1}"#,
        "beatsPerMinute: expected a finite number, found one that is not"
      ),
      (
        #"{"type":"heartRate","beatsPerMinute":120,"time":12}"#,
        "time: expected an ISO 8601 time such as 2026-11-20T07:00:00Z, found 12"
      ),
      (
        #"{"type":"heartRate","beatsPerMinute":120,"time":"tomorrow"}"#,
        "time: expected an ISO 8601 time such as 2026-11-20T07:00:00Z, found \"tomorrow\""
      ),
      (
        #"{"type":"heartRate","beatsPerMinute":120,"atSeconds":true}"#,
        "atSeconds: expected seconds from 0 to 864000, or an ISO 8601 time, found a truth value"
      ),
      (
        #"{"type":"heartRate","beatsPerMinute":120,"time":"0001-13-01T00:00:00Z"}"#,
        "time: expected an ISO 8601 time such as 2026-11-20T07:00:00Z, found \"0001-13-01T00:00:00Z\""
      ),
      (
        #"{"type":"heartRate","beatsPerMinute":120,"time":"9999-02-29T00:00:00Z"}"#,
        "time: expected an ISO 8601 time such as 2026-11-20T07:00:00Z, found \"9999-02-29T00:00:00Z\""
      ),
      (
        #"{"type":"heartRate","beatsPerMinute":120,"atSeconds":1,"source":""}"#,
        "source: expected a string that is not empty, found \"\""
      ),
      (#"{"type":"steps","count":1.5,"atSeconds":1}"#, "count: expected a whole number in 0…100000, found 1.5"),
      (#"{"type":"steps","count":-1,"atSeconds":1}"#, "count: expected a whole number in 0…100000, found -1"),
      (
        #"{"type":"location","latitude":91,"longitude":0,"atSeconds":1}"#,
        "latitude: expected a number in -90…90, found 91"
      ),
      (#"{"type":"location","latitude":9,"atSeconds":1}"#, "longitude: missing, expected a number in -180…180"),
      (
        #"{"type":"motion","atSeconds":1}"#,
        "acceleration: missing, expected acceleration, rotationRate or magneticField"
      ),
      (
        #"{"type":"motion","acceleration":[1,2],"atSeconds":1}"#,
        "acceleration: expected an array with 3…3 elements, found 2"
      ),
      (#"{"type":"motion","acceleration":[1,2,"z"],"atSeconds":1}"#, "acceleration[2]: expected a number, found \"z\""),
      (
        #"{"type":"command","id":"1","command":"go"}"#,
        "command: expected one of \"start\", \"pause\", \"resume\", \"lap\", \"stop\", \"target\", \"strategy\", found \"go\""
      ),
      (
        #"{"type":"command","command":"lap"}"#, "id: missing, expected a text of 1 to 200 characters, or a whole number"
      ),
      (
        #"{"type":"command","id":"","command":"lap"}"#,
        "id: expected a text of 1 to 200 characters, or a whole number, found \"\""
      ),
      (
        #"{"type":"command","id":1.5,"command":"lap"}"#,
        "id: expected a text of 1 to 200 characters, or a whole number, found 1.5"
      ),
      (#"{"type":"steps","type":"steps"}"#, "type: the key \"type\" is there twice, expected each key once"),
      (#"{"type":"steps"} x"#, "expected nothing after the value, found \"x\""),
      (#"{"type":"steps","count":"#, "count: expected a value, found the end of the text"),
    ])
  func badLines(line: String, message: String) async throws {
    // What a line of its type has follows, in the words of the protocol.
    let found = try #require(try await problem(Array(line.utf8)))
    #expect(found.hasPrefix(message + "; a ") || found.hasPrefix(message + "; an "))
  }

  @Test("A line that is huge, deep or no text is refused, never a crash")
  func extremes() async throws {
    let heartRate = #"{"type":"heartRate","atSeconds":1,"beatsPerMinute":120,"x":"#
    let deep = heartRate + String(repeating: "[", count: 20) + String(repeating: "]", count: 20) + "}"
    #expect(try await problem(Array(deep.utf8))?.contains("nested too deep") == true)
    let deeper = [UInt8](repeating: UInt8(ascii: "["), count: 60_000)
    #expect(try await problem(deeper)?.contains("nested too deep") == true)
    let long = heartRate + "\"" + String(repeating: "a", count: 2_000) + "\"}"
    #expect(try await problem(Array(long.utf8))?.contains("too long") == true)
    let huge = heartRate + String(repeating: " ", count: LiveLine.longest) + "1}"
    #expect(try await problem(Array(huge.utf8)) == "longer than 65536 bytes")
    let fits = heartRate + String(repeating: " ", count: LiveLine.longest - heartRate.utf8.count - 2) + "1}"
    #expect(try await problem(Array(fits.utf8)) == nil)
    #expect(
      try await problem(Array(heartRate.utf8) + [0x22, 0xC3, 0x28, 0x22, 0x7D])?
        .hasPrefix("x: expected a string in UTF-8, found byte 0xc3; ") == true)
    let odd = try await problem(Array(heartRate.utf8) + [0xFF, 0x7D])
    #expect(odd?.hasPrefix("x: expected a value, found byte 0xff; ") == true)
    #expect(try await problem(Array(heartRate.utf8) + [0x22, 0x07, 0x22, 0x7D])?.contains("control character") == true)
  }

  @Test("Blank lines are no lines, and a last line needs no end")
  func blankLines() async throws {
    let manager = SoleSession(
      LiveConfiguration(
        settings: try CoachingRequest.runner().settings(on: nil), clock: .samples, streams: SampleStream.recordable,
        durationLimit: nil), recording: nil)
    let text = "\n \t\r\n" + #"{"type":"heartRate","atSeconds":1,"beatsPerMinute":120}"# + "\r\n\nx\n"
    let report = await manager.feed(Array(text.utf8), now: .morning())
    #expect(report.badLines.map(\.number) == [5])
    _ = await manager.feed(
      Array(#"{"type":"heartRate","atSeconds":9,"beatsPerMinute":121}"#.utf8), now: .morning())
    let last = await manager.end(.endOfInput, now: .morning())
    #expect(last.events == [.ended(at: at(9), reason: .endOfInput)])
    #expect(await manager.badLineCount == 1)
  }

  @Test("A zero byte spoils its own line and no other, in whatever pieces it comes", arguments: [1, 7, 64, 4_096])
  func zeroByte(size: Int) async throws {
    let manager = SoleSession(
      LiveConfiguration(
        settings: try CoachingRequest.runner().settings(on: nil), clock: .samples, streams: SampleStream.recordable,
        durationLimit: nil), recording: nil)
    func line(_ second: Int) -> [UInt8] {
      Array("{\"type\":\"heartRate\",\"atSeconds\":\(second),\"beatsPerMinute\":120}\n".utf8)
    }
    var bytes = (line(1) + line(2) + [0x7B, 0x00, 0x7D, 0x0A] + line(4) + line(5))[...]
    var bad: [LiveReport.BadLine] = []
    while !bytes.isEmpty {
      bad += await manager.feed(Array(bytes.prefix(size)), now: .morning()).badLines
      bytes = bytes.dropFirst(size)
    }
    let last = await manager.end(.endOfInput, now: .morning())
    #expect(bad.map(\.number) == [3])
    #expect(last.session.pipeline.engine.summary.acceptedHeartRates == 4)
  }
}
