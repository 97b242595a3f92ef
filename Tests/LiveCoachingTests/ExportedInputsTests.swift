import LiveCoaching
import SessionStore
import TestSupport
import Testing
import TextFormats
import WorkoutExports
import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("The inputs of a JSON export")
struct ExportedInputsTests {
  /// What came of a live session.
  private struct Run {
    let records: [String]
    let path: String
    let badLines: Int
    let refused: [String]
  }

  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func run(_ lines: [String], _ request: CoachingRequest, digits: UInt32) async throws -> Run {
    let session = SoleSession(
      LiveConfiguration(
        settings: try request.settings(on: nil), clock: .samples, streams: SampleStream.recordable, durationLimit: nil),
      recording: .init(
        dataFolder: folder.path, request: SessionRequest(coaching: request, person: nil), random: digits))
    let first = await session.feed(Array((lines.joined(separator: "\n") + "\n").utf8), now: .morning(3))
    let last = await session.end(.endOfInput, now: .morning(3))
    let events = first.events + last.events
    let refused = events.compactMap { event -> String? in
      guard case .acknowledgement(let answer) = event, let refusal = answer.refusal else { return nil }
      return "\(answer.id ?? "no id"): \(refusal.rawValue)"
    }
    return Run(
      records: commonRecords(events, last.session.pipeline), path: try #require(await session.folder),
      badLines: await session.badLineCount, refused: refused)
  }

  /// The inputs of the export of a session, one a line.
  private func inputs(of path: String) throws -> [String] {
    var bytes: [UInt8] = []
    let document = WorkoutDocument(try SessionFolderRecording(path: path), calling: nil, privacy: nil)
    _ = try document.write { piece in for index in piece.indices { bytes.append(piece[index]) } }
    let value = try JSONValue.parse(bytes.span)
    return try #require(value["inputs"]?.array).map { input in
      var writer = JSONWriter()
      writer.value(input)
      return writer.text
    }
  }

  /// A run of four minutes with all that a sender can send, which begins before anything is measured.
  private func lines() -> [String] {
    func line(_ type: String, _ second: Int, _ members: String) -> String {
      #"{"type":"\#(type)","time":"\#(WallClockTime.morning(Double(second)))",\#(members)}"#
    }
    func command(_ id: String, _ word: String, _ second: Int, _ more: String = "") -> String {
      let time = WallClockTime.morning(Double(second))
      return #"{"type":"command","id":"\#(id)","command":"\#(word)","issuedAt":"\#(time)"\#(more)}"#
    }
    var lines = [command("go \\\"1\\\"", "start", 0)]
    for second in 5...240 {
      let beats = 110 + second / 3 % 40
      lines.append(line("heartRate", second, #""beatsPerMinute":\#(beats),"rrMilliseconds":[\#(500 + second),480.5]"#))
      lines.append(line("steps", second, #""count":\#(second % 4)"#))
      lines.append(line("cadence", second, #""stepsPerMinute":\#(160 + second % 9)"#))
      lines.append(line("distance", second, #""meters":\#(second * 3)"#))
      lines.append(line("speed", second, #""metersPerSecond":\#(2.5 + Double(second % 5) / 10)"#))
      lines.append(
        line(
          "location", second,
          #""latitude":46.\#(700_000 + second * 27),"longitude":7.5,"altitudeMeters":500,"courseDegrees":\#(second)"#))
      lines.append(line("altitude", second, #""altitudeMeters":\#(500.5 + Double(second) / 8)"#))
      lines.append(line("motion", second, #""acceleration":[0,0.25,\#(second % 3)],"rotationRate":[0.5,0,0]"#))
      switch second {
      case 60: lines.append(command("p", "pause", second))
      case 90: lines.append(command("r", "resume", second))
      case 120: lines.append(command("l", "lap", second))
      case 150: lines.append(command("t", "target", second, #","target":"z3""#))
      case 180: lines.append(command("s", "strategy", second, #","strategy":"period:every=15,window=30""#))
      case 240: lines.append(command("z", "stop", second))
      default: break
      }
    }
    return lines
  }

  @Test("sent to a live session under the same settings give the same decisions and the same logs")
  func roundTrip() async throws {
    let plan = PlanRequest(steps: [
      .init(name: "warm-up", duration: .seconds(40), target: "z1"),
      .init(name: nil, length: .distance(meters: 300), target: "z3"),
      .init(name: nil, duration: nil, target: "z2"),
    ])
    let requests: [CoachingRequest] = try [
      .runner("z2", "moment:every=10"), .runner(nil, "moment:every=10", plan: plan),
      .runner("160-165spm", "moment:every=10"),
    ]
    for (number, request) in requests.enumerated() {
      let digits = UInt32(number) * 2
      let first = try await run(lines(), request, digits: digits)
      #expect(first.badLines == 0)
      #expect(first.refused.isEmpty, "\(first.refused)")
      let sent = try inputs(of: first.path)
      #expect(sent.contains { $0.contains(#""id":"go \"1\"","command":"start""#) })
      let second = try await run(sent, request, digits: digits + 1)
      #expect(second.badLines == 0)
      #expect(second.refused.isEmpty, "\(second.refused)")
      #expect(second.records == first.records, "request \(number)")
      for name in [
        "heart_rate.csv", "rr.csv", "steps.csv", "cadence.csv", "distance.csv", "speed.csv", "location.csv",
        "direction.csv", "altitude.csv", "motion.csv",
      ] {
        #expect(try text(of: second.path + "/" + name) == text(of: first.path + "/" + name), "\(name)")
      }
      #expect(try inputs(of: second.path) == sent, "request \(number)")
      // A replay takes them in the same order.
      let recording = try SessionFolderRecording(path: second.path)
      var events: [SessionEvent] = []
      let settings = try request.settings(on: nil)
      let replayed = try Replay.run(recording, settings: settings, pace: .events) { events += $1 }
      #expect(commonRecords(events, replayed.pipeline) == first.records, "request \(number), replayed")
    }
  }

  @Test("of random sessions do as well, but for what a clock or other streams had decided before", arguments: 0..<40)
  func random(seed: UInt64) async throws {
    let random = try RandomSession(seed: seed * 7)
    let first = try await run(random.lines, random.request, digits: 0)
    let sent = try inputs(of: first.path)
    // Nobody sends what these say.
    let unsent = [#""type":"clock""#, #""type":"rejected""#]
    guard !sent.contains(where: { line in unsent.contains { line.contains($0) } }) else { return }
    let second = try await run(sent, random.request, digits: 1)
    #expect(second.badLines == 0, "seed \(seed)")
    #expect(second.refused.isEmpty, "seed \(seed): \(second.refused)")
    #expect(second.records == first.records, "seed \(seed)")
    #expect(try inputs(of: second.path) == sent, "seed \(seed)")
  }

  @Test("have an identity for a command that nobody sent, the same in each export, and one of the log otherwise")
  func identities() async throws {
    var lines = lines().filter { !$0.contains(#""command":"stop""#) }
    lines = lines.map { $0.replacing(#""id":"p""#, with: #""id":"export-1""#) }
    let first = try await run(lines, .runner("z2", "moment:every=10"), digits: 0)
    let sent = try inputs(of: first.path)
    #expect(sent.contains { $0.contains(#""id":"export-2","command":"stop""#) })
    let log = first.path + "/" + SessionFolder.commands
    let commands = try text(of: log).replacing(",l,", with: ",,")
    try write(commands, to: log)
    let changed = try inputs(of: first.path)
    #expect(changed.contains { $0.contains(#""id":"export-1","command":"pause""#) })
    #expect(changed.contains { $0.contains(#""id":"export-2","command":"lap""#) })
    #expect(changed.contains { $0.contains(#""id":"export-3","command":"stop""#) })
    #expect(try inputs(of: first.path) == changed)
  }

  @Test(
    "are lines of streams that a device counts itself, and of what comes beside others",
    arguments: [
      (#"{"type":"cadence","atSeconds":1,"stepsPerMinute":170.5}"#, Reading.cadence(170.5)),
      (#"{"type":"distance","atSeconds":1,"meters":0,"source":"pod"}"#, .distance(0)),
      (#"{"type":"speed","atSeconds":1,"metersPerSecond":3}"#, .speed(3)),
      (#"{"type":"rrInterval","atSeconds":1,"milliseconds":812}"#, .rrInterval(812)),
    ])
  func kinds(text: String, reading: Reading) throws {
    guard case .sample(let sample) = try LiveLine(text.utf8.span) else {
      Issue.record("no sample: \(text)")
      return
    }
    #expect(sample.reading == reading)
    #expect(sample.stamp == .session(.seconds(1)))
  }

  @Test("are refused where such a line lacks its value or has an impossible one")
  func badKinds() async throws {
    for text in [
      #"{"type":"cadence","atSeconds":1}"#, #"{"type":"distance","atSeconds":1,"meters":"far"}"#,
      #"{"type":"speed","metersPerSecond":3}"#, #"{"type":"rrInterval","atSeconds":1,"milliseconds":-1}"#,
      #"{"type":"direction","atSeconds":1}"#,
    ] {
      #expect(throws: LiveLineProblem.self, "\(text)") { try LiveLine(text.utf8.span) }
    }
    let negative = [
      #"{"type":"heartRate","atSeconds":0,"beatsPerMinute":120}"#,
      #"{"type":"speed","atSeconds":1,"metersPerSecond":-1}"#,
    ]
    let session = try await run(negative, .runner(), digits: 0)
    #expect(session.badLines == 1, "no log holds it")
  }
}
